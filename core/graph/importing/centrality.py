"""How central each entity is: its degree and its PageRank."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from core.domain.graph_data import Positions

_DAMPING = 0.85  # Page, Brin, Motwani, Winograd 1998, and every library's default
_SETTLED = 1e-13  # sum of all changes of a pass; less than what is kept of the digits
_DIGITS = 12  # entities that stand alike in the graph differ from the 15th digit on only


def degrees(count: int, sources: Positions, targets: Positions) -> NDArray[np.int64]:
    """Number of relationships of each entity, one of an entity with itself counted once.

    Args:
        count: number of entities; `sources` and `targets` are in 0..count - 1.
    """
    loops = sources == targets
    found: NDArray[np.int64] = np.bincount(sources, minlength=count)
    return found + np.bincount(targets[~loops], minlength=count)


def importance(count: int, sources: Positions, targets: Positions) -> NDArray[np.float64]:
    """PageRank of each entity, divided by the largest so that it lies in (0, 1]; shape (count,).

    Over the undirected simple graph: two entities are linked once, however many relationships they
    share, and never with themselves.
    """
    if not count:
        return np.empty(0, np.float64)
    apart = sources != targets
    low, high = np.minimum(sources, targets)[apart], np.maximum(sources, targets)[apart]
    pairs = np.unique(low.astype(np.int64) * count + high)
    low, high = pairs // count, pairs % count
    ends = np.concatenate((low, high)), np.concatenate((high, low))
    del pairs, low, high
    links = sparse.csr_array((np.ones(len(ends[0])), ends), shape=(count, count))
    del ends
    ranks = _page_rank(links)
    found: NDArray[np.float64] = np.round(ranks / ranks.max(), _DIGITS)
    return found


def _page_rank(links: sparse.csr_array) -> NDArray[np.float64]:
    """By power iteration; an entity without links passes its rank on to all alike."""
    count = links.shape[0]
    numbers = np.diff(links.indptr)
    alone = numbers == 0
    shares = 1.0 / np.maximum(numbers, 1)
    ranks, change = np.full(count, 1 / count), 1.0
    while change >= _SETTLED:
        before = ranks
        passed = links @ (before * shares) + before[alone].sum() / count
        ranks = (1 - _DAMPING) / count + _DAMPING * passed
        change = np.abs(ranks - before).sum()
    return ranks
