"""The best paths between two positions of a projection, found in order.

For each length a best-first search (A*) runs over the beginnings of paths, guided by the best that
every entity can still make of it: `onward[r][v]` is the smallest product of degrees on any walk of
exactly r steps from v to the goal. These come from a few passes over whole arrays; the search itself
then looks at hardly more beginnings than there are paths to find.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.graph.half_edges import spans
from core.graph.projection import Projection

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

# Beginnings of paths that a search looks at before it gives up: 4000 take some 200 milliseconds. For
# ten paths in a graph of PrimeKG's size it looks at some 30, for fifty at some 150.
_MOST_LOOKS = 4000
_GROWTH = 4  # of the blocks in which the continuations of a beginning are taken up
_WHOLE = 4  # from a quarter of all half-edges on, a pass over all of them is the faster one
_BLOCK = (
    1 << 20
)  # half-edges looked at together: the arrays of a pass stay in the processor's cache


@dataclass(frozen=True, slots=True)
class Way:
    """A path: positions, both ends included, and the product of the degrees between them."""

    places: tuple[int, ...]
    product: float


@dataclass(frozen=True, slots=True)
class _Continuations:
    """What a beginning can go on with: positions and what the whole path costs at least, best
    first; those before `start` were taken up."""

    product: float
    places: Places
    bounds: Floats
    start: int
    size: int


class PathSearch:
    """Finds simple paths from `start` to `goal`, whatever the direction of the relationships.

    Args:
        relationship_mask, entity_mask: as the projection makes them; entities apply to those between.
    """

    def __init__(
        self,
        graph: Projection,
        start: int,
        goal: int,
        relationship_mask: NDArray[np.bool_] | None,
        entity_mask: NDArray[np.bool_] | None,
    ) -> None:
        self._graph, self._start, self._goal = graph, start, goal
        self._mask = relationship_mask
        # What an entity between the ends costs: its degree, or infinity where it may not stand.
        self._costs = np.maximum(graph.degrees, 1).astype(np.float64)
        if entity_mask is not None:
            self._costs[~entity_mask[graph.entity_codes]] = np.inf
        self._costs[[start, goal]] = np.inf
        self._beside_start = self._neighbours(start)
        beside_goal = np.full(len(graph.ids), np.inf)
        beside_goal[self._neighbours(goal)] = 1.0
        self._onward = {1: beside_goal}
        self._looks = 0

    @property
    def complete(self) -> bool:
        """Whether all beginnings that mattered could be looked at."""
        return self._looks <= _MOST_LOOKS

    def ways(self, hops: int, most: int) -> list[Way]:
        """The `most` paths of exactly this length with the smallest products, ties by positions."""
        if hops == 1:
            linked = np.isfinite(self._onward[1][self._start])
            return [Way((self._start, self._goal), 1.0)] if linked else []
        self._prepare(hops)
        found: list[Way] = []
        # Beginnings and their continuations by the least that a path through them can cost.
        heap: list[tuple[float, tuple[int, ...], float | _Continuations]] = []
        self._push(heap, (self._start,), self._continuations((self._start,), 1.0, hops, most))
        while heap and len(found) < most and self.complete:
            self._looks += 1
            bound, places, item = heapq.heappop(heap)
            left = hops - len(places) + 1
            if isinstance(item, _Continuations):
                self._take_up(heap, places, item, left)
            elif left == 1:
                found.append(Way((*places, self._goal), bound))
            else:
                self._push(heap, places, self._continuations(places, item, left, most))
        return found

    # -- the search --------------------------------------------------------------------------------

    def _continuations(
        self, places: tuple[int, ...], product: float, left: int, size: int
    ) -> _Continuations:
        """All that can follow on a beginning with `left` steps to go."""
        near = self._beside_start if len(places) == 1 else self._neighbours(places[-1])
        bounds = product * self._costs[near] * self._onward[left - 1][near]
        bounds[np.isin(near, places)] = np.inf
        possible = np.flatnonzero(np.isfinite(bounds))
        order = possible[np.argsort(bounds[possible], kind="stable")]
        return _Continuations(product, near[order], bounds[order], 0, size)

    @staticmethod
    def _push(
        heap: list[tuple[float, tuple[int, ...], float | _Continuations]],
        places: tuple[int, ...],
        rest: _Continuations,
    ) -> None:
        if rest.start < len(rest.places):
            heapq.heappush(heap, (float(rest.bounds[rest.start]), places, rest))

    def _take_up(
        self,
        heap: list[tuple[float, tuple[int, ...], float | _Continuations]],
        places: tuple[int, ...],
        rest: _Continuations,
        left: int,
    ) -> None:
        """Put the next continuations on the heap, each by itself, and the others as a whole."""
        end = rest.start + rest.size
        near, bounds = rest.places[rest.start : end], rest.bounds[rest.start : end]
        costs = self._costs[near] * rest.product
        if left == 3:
            bounds = self._not_back(places[-1], near, costs, bounds)
        for place, cost, bound in zip(near.tolist(), costs.tolist(), bounds.tolist(), strict=True):
            if bound < np.inf:
                heapq.heappush(heap, (bound, (*places, place), cost))
        self._push(
            heap,
            places,
            _Continuations(rest.product, rest.places, rest.bounds, end, rest.size * _GROWTH),
        )

    def _not_back(self, last: int, near: Places, costs: Floats, bounds: Floats) -> Floats:
        """Bounds of continuations with two steps to go that do not lead back over `last`.

        An entity beside the goal would be looked at with each of its neighbours in vain, as the best
        way on from these is often the one back.
        """
        back = np.flatnonzero(self._onward[2][near] == self._costs[last])
        if np.isinf(self._onward[1][last]) or not len(back):
            return bounds
        values = self._costs * self._onward[1]
        values[last] = np.inf
        corrected = bounds.copy()
        corrected[back] = costs[back] * self._least_beside(values, near[back])
        return corrected

    def _neighbours(self, place: int) -> Places:
        """The distinct neighbours along the relationships that may be followed, ascending."""
        own = self._graph.half_edges(place)
        found = self._graph.neighbours[own].astype(np.int64)
        if self._mask is not None:
            found = found[self._mask[self._graph.codes[own]]]
        different = np.ones(len(found), bool)
        different[1:] = found[1:] != found[:-1]
        return found[different]

    # -- what can still come -----------------------------------------------------------------------

    def _prepare(self, hops: int) -> None:
        """Make `onward` for searches of this length."""
        if hops >= 3 and 2 not in self._onward:
            self._onward[2] = self._one_step_before(1)
        if hops >= 4 and 3 not in self._onward:
            self._onward[3] = np.full(len(self._graph.ids), np.inf)
            values = self._costs * self._onward[2]
            self._onward[3][self._beside_start] = self._least_beside(values, self._beside_start)

    def _one_step_before(self, left: int) -> Floats:
        """`onward` of one step more, for every entity."""
        graph = self._graph
        values = self._costs * self._onward[left]
        sources = np.flatnonzero(np.isfinite(values))
        if int(graph.degrees[sources].sum()) * _WHOLE > len(graph.neighbours):
            return self._least_beside_all(values)
        edges = spans(graph.offsets[sources], graph.offsets[sources + 1])
        spread = np.repeat(values[sources], graph.degrees[sources])
        if self._mask is not None:
            passed = self._mask[graph.codes[edges]]
            edges, spread = edges[passed], spread[passed]
        found = np.full(len(graph.ids), np.inf)
        np.minimum.at(found, graph.neighbours[edges], spread)
        return found

    def _least_beside(self, values: Floats, places: Places) -> Floats:
        """The smallest value among the neighbours of each place, which has some; shape (places,)."""
        graph = self._graph
        degrees = graph.degrees[places]
        if not len(places):
            return np.empty(0)
        if int(degrees.sum()) * _WHOLE > len(graph.neighbours):
            return self._least_beside_all(values)[places]
        edges = spans(graph.offsets[places], graph.offsets[places + 1])
        beside = values[graph.neighbours[edges]]
        if self._mask is not None:
            beside[~self._mask[graph.codes[edges]]] = np.inf
        least: Floats = np.minimum.reduceat(beside, np.cumsum(degrees) - degrees)
        return least

    def _least_beside_all(self, values: Floats) -> Floats:
        """The smallest value among the neighbours of every entity, infinity where there are none."""
        graph = self._graph
        found = np.full(len(graph.ids), np.inf)
        owners = np.flatnonzero(graph.degrees)
        starts = graph.offsets[owners]
        first = 0
        while first < len(owners):
            last = int(np.searchsorted(starts, starts[first] + _BLOCK, side="left"))
            begin = int(starts[first])
            end = int(starts[last]) if last < len(owners) else len(graph.neighbours)
            beside = values[graph.neighbours[begin:end]]
            if self._mask is not None:
                beside[~self._mask[graph.codes[begin:end]]] = np.inf
            found[owners[first:last]] = np.minimum.reduceat(beside, starts[first:last] - begin)
            first = last
        return found
