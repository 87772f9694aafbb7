"""Weighted fusion of two score lists, and what of it is shown.

Cosines, negative ones as 0, and BM25 in proportion to the query's best are combined as
``w * dense + (1 - w) * lexical``: the convex combination of Bruch, Gai, Ingber, "An Analysis of
Fusion Functions for Hybrid Retrieval" (ACM TOIS 2023), with the scores' own zero as the least. On our
three collections it ranks better than min-max over the candidates, where a list's last candidate counts
as much as one that it lacks (``make bench-search``, bench/README.md). A candidate that a list lacks
counts 0 there.

Fused scores say only where a passage stands among the candidates: the best one of a senseless query
comes near 1 as well. They give the order; the score that is shown says how well a passage fits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def min_max(scores: Mapping[str, float]) -> dict[str, float]:
    """Scores scaled to [0, 1]; all 1 when they are equal."""
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    if high == low:
        return dict.fromkeys(scores, 1.0)
    return {key: (score - low) / (high - low) for key, score in scores.items()}


def fuse(
    dense: Mapping[str, float], lexical: Mapping[str, float], dense_weight: float
) -> list[tuple[str, float]]:
    """Ids with fused scores scaled to [0, 1] over the candidates, best first, ties in order of id.

    Args:
        dense: cosine similarities; best of every candidate, also of those that full text alone found.
        lexical: BM25, higher is better.
    """
    words = share_of_best(lexical)
    fused = {
        key: dense_weight * max(0.0, dense.get(key, 0.0)) + (1 - dense_weight) * words.get(key, 0.0)
        for key in dense.keys() | words.keys()
    }
    return sorted(min_max(fused).items(), key=lambda item: (-item[1], item[0]))


def absolute_scores(
    order: Sequence[str],
    cosines: Mapping[str, float],
    coverages: Mapping[str, float],
    dense_weight: float,
) -> dict[str, float]:
    """Scores in [0, 1] that fall along `order` and mean the same in every search.

    ``w * max(0, cosine) + (1 - w) * coverage`` (coverage: share of the query's words), but never more
    than that of the passage before, so that what is shown never contradicts the order.
    """
    scores: dict[str, float] = {}
    most = 1.0
    for key in order:
        own = dense_weight * max(0.0, cosines.get(key, 0.0))
        own += (1 - dense_weight) * coverages.get(key, 0.0)
        most = min(most, own)
        scores[key] = most
    return scores


def share_of_best(scores: Mapping[str, float]) -> dict[str, float]:
    """Positive scores in proportion to the greatest, which becomes 1."""
    best = max(scores.values(), default=0.0)
    return {key: max(0.0, score / best) if best > 0 else 0.0 for key, score in scores.items()}
