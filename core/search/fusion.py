"""Weighted min-max fusion of two score lists.

Each list is scaled to [0, 1] over its own candidates, then combined as
``w * dense + (1 - w) * lexical`` (the convex combination of Bruch, Gai, Ingber, "An Analysis of
Fusion Functions for Hybrid Retrieval", ACM TOIS 2023). A candidate that a list lacks counts 0 there.
"""

from __future__ import annotations

from collections.abc import Mapping


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
    """Ids with fused scores in [0, 1], best first, ties in order of id."""
    dense_scaled, lexical_scaled = min_max(dense), min_max(lexical)
    fused = {
        key: dense_weight * dense_scaled.get(key, 0.0)
        + (1 - dense_weight) * lexical_scaled.get(key, 0.0)
        for key in dense_scaled.keys() | lexical_scaled.keys()
    }
    return sorted(fused.items(), key=lambda item: (-item[1], item[0]))
