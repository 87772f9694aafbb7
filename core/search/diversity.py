"""Passages that differ: copies shown once, and a choice by maximal marginal relevance.

Carbonell & Goldstein, "The Use of MMR, Diversity-Based Reranking for Reordering Documents and
Producing Summaries", SIGIR 1998.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.domain.documents import Hit
from core.domain.vectors import Vector


def without_copies(hits: Sequence[Hit]) -> list[Hit]:
    """The first of the hits that have the same words, with the number of the others in `Hit.copies`.

    Case and white space do not count, everything else does: two doses are never copies.
    """
    words = [" ".join(hit.chunk.text.casefold().split()) for hit in hits]
    counts = Counter(words)
    first: dict[str, Hit] = {}
    for text, hit in zip(words, hits, strict=True):
        first.setdefault(text, hit)
    return [replace(hit, copies=counts[text] - 1) for text, hit in first.items()]


def choose_diverse(
    hits: Sequence[Hit], vectors: Mapping[str, Vector], k: int, relevance_share: float
) -> list[Hit]:
    """At most `k` hits, each the one with the greatest
    ``share * relative - (1 - share) * (greatest cosine to those chosen before)``; then in descending
    order again, as `hits` are.

    Args:
        vectors: chunk id -> embedding of length 1; passages without one, or of another model, resemble
            nothing.
        relevance_share: the lambda of the formula, in [0, 1]; 1 takes the k best.
    """
    if len(hits) <= k:
        return list(hits)
    alike = _cosines(hits, vectors)
    relevance = np.array([hit.relative for hit in hits])
    nearest = np.zeros(len(hits))
    chosen: list[int] = []
    for _ in range(k):
        gain = relevance_share * relevance - (1 - relevance_share) * nearest
        gain[chosen] = -np.inf
        best = int(np.argmax(gain))
        chosen.append(best)
        nearest = np.maximum(nearest, alike[best])
    return [hits[place] for place in sorted(chosen)]


def _cosines(hits: Sequence[Hit], vectors: Mapping[str, Vector]) -> np.ndarray:
    alike = np.zeros((len(hits), len(hits)))
    models: dict[tuple[str, int], list[int]] = {}
    for place, hit in enumerate(hits):
        vector = vectors.get(hit.chunk.id)
        if vector is not None:
            models.setdefault((hit.document.index, len(vector)), []).append(place)
    # Indexes of one model could be compared too; passages of two indexes then only count as copies.
    for places in models.values():
        block = np.stack([vectors[hits[place].chunk.id] for place in places])
        alike[np.ix_(places, places)] = np.clip(block @ block.T, 0.0, 1.0)
    return alike
