"""How central each entity is: its degree and its PageRank."""

from __future__ import annotations

import igraph
import numpy as np
from numpy.typing import NDArray

from core.domain.graph_data import Positions

_DAMPING = 0.85  # Page, Brin, Motwani, Winograd 1998, and every library's default
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
    edges = np.column_stack((pairs // count, pairs % count))
    del pairs, low, high
    graph = igraph.Graph(n=count, edges=edges, directed=False)
    del edges
    ranks = np.array(graph.pagerank(damping=_DAMPING, implementation="prpack"), np.float64)
    found: NDArray[np.float64] = np.round(ranks / ranks.max(), _DIGITS)
    return found
