"""From the entities that a question is about to their surroundings, ranked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.domain.graph import NAMED_IN_QUESTION, Entity, RankedEntity, Subgraph
from core.errors import InputError
from core.graph.half_edges import spans
from core.graph.knowledge import KnowledgeGraph, Triple, triples_between
from core.graph.phrases import relationship_phrase, telling_ranks
from core.graph.projection import Projection

MAX_HOPS = 2

# What a hop leaves of the similarity, and the relevance of an entity without any centrality. As the
# decay is the smaller of the two, a neighbour never outranks the entity it was reached through, so
# that a cut at `limit` leaves every kept entity connected to a seed.
HOP_DECAY = 0.5
_SIMILARITY_SHARE = 0.6
_NO_PLACE = -1
# With filters, a look at so many half-edges for each one wanted finds enough of them nearly always.
_LOOKED_AT = 8

_Number = TypeVar("_Number", float, NDArray[np.float64])


def composite_relevance(similarity: _Number, importance: _Number) -> _Number:
    """Similarity and centrality as one number in [0, 1] (KG-25).

    relevance = similarity x (0.6 + 0.4 x importance ^ 0.25)

    Both are in [0, 1]. The product grows with either, so that an entity strong in both comes before
    one that equals it in the one and falls short in the other; centrality alone (similarity 0) is
    worth nothing, similarity alone 0.6.

    Source: that a measure which does not depend on the question must be flattened before it is put
    together with one that does is from Craswell, Robertson, Zaragoza and Taylor 2005, "Relevance
    weighting for query independent evidence", SIGIR. The fourth root is measured: PageRank is so
    skewed (Hetionet: median .007, upper tenth from .02) that it separates only the very largest
    hubs; its fourth root spreads these to .29 and .38.
    """
    # Two square roots are exact to the last digit for a number and an array alike; a power is not.
    centrality = np.sqrt(np.sqrt(importance))
    relevance: _Number = similarity * (_SIMILARITY_SHARE + (1 - _SIMILARITY_SHARE) * centrality)
    return relevance


@dataclass(frozen=True, slots=True)
class _Filters:
    per_entity: int
    relationships: NDArray[np.bool_] | None
    entities: NDArray[np.bool_] | None


class _Reached(NamedTuple):
    """Entities on the way, one a row, shape (k,) each.

    Attributes:
        places: positions.
        similarity: what arrived there.
        via, codes: the position each was reached through and the code of that one's half-edge;
            -1 and 0 of a seed.
    """

    places: NDArray[np.int64]
    similarity: NDArray[np.float64]
    hops: NDArray[np.int64]
    via: NDArray[np.int64]
    codes: NDArray[np.int64]

    def rows(self, chosen: NDArray[np.int64] | NDArray[np.bool_]) -> _Reached:
        return _Reached._make(column[chosen] for column in self)

    def joined(self, other: _Reached) -> _Reached:
        return _Reached._make(map(np.concatenate, zip(self, other, strict=True)))


def expand(
    graph: KnowledgeGraph,
    seeds: Mapping[str, float],
    reasons: Mapping[str, str],
    *,
    hops: int = MAX_HOPS,
    per_entity: int = 25,
    limit: int = 200,
    relationship_types: Sequence[str] = (),
    entity_types: Sequence[str] = (),
    most_facts: int = 1000,
) -> Subgraph:
    """The seeds, their surroundings up to two hops away, and the facts among them.

    Breadth first: from each entity along its `per_entity` connections with the most important
    neighbours. A seed's similarity is its seed relevance; at each further hop it is half of the best
    among the entities one hop nearer. Relevance is `composite_relevance`; among equal ones the
    nearer, then the more important comes first.

    Args:
        seeds: entity id -> relevance to the question in [0, 1] (values outside are clamped). Ids
            that the graph does not know are ignored.
        reasons: entity id -> why it is a seed, in words; without one, "named in the question".
        hops: 0, 1 or 2.
        per_entity: connections followed from each entity, at least 1.
        limit: entities kept in all, seeds included, at least 1; the most relevant stay.
        relationship_types, entity_types: if given, only these are followed and shown; seeds are
            kept whatever their type.
        most_facts: facts kept, at least 1, besides those that connect the entities.

    Returns:
        Entities in descending relevance, each at its distance from the nearest seed and connected to
        a seed through kept ones. Facts among them: first the one through which each was reached, in
        the order of the entities and all of them; then those between the most important entities,
        up to `most_facts` in all.

    Raises:
        InputError: a number is out of range.
        StoreError: the store cannot be read.
    """
    _check(hops, per_entity, limit, most_facts)
    projection = graph.projection()
    filters = _Filters(
        per_entity,
        projection.relationship_mask(relationship_types),
        projection.entity_mask(entity_types),
    )
    reached = _reached_within(hops, projection, _seeds(projection, seeds), filters)
    relevance = composite_relevance(reached.similarity, projection.importance[reached.places])
    best = np.lexsort((reached.places, reached.hops, -relevance))[:limit]
    kept, relevance = reached.rows(best), relevance[best]
    triples = _triples(projection, kept, most_facts, filters)
    known = graph.entities_of(projection, kept.places.tolist())
    return Subgraph(
        tuple(_in_words(projection, kept, relevance, known, reasons)),
        tuple(graph.facts_of(projection, triples, known)),
    )


def _check(hops: int, per_entity: int, limit: int, most_facts: int) -> None:
    if not 0 <= hops <= MAX_HOPS:
        raise InputError(
            f"The graph is expanded by 0 to {MAX_HOPS} hops, not {hops}.",
            advice=f"Ask for {MAX_HOPS} hops and expand from an entity found there.",
        )
    if per_entity < 1 or limit < 1 or most_facts < 1:
        raise InputError(
            "The number of entities and facts to show must be at least 1.",
            advice="Raise the limit or the number of neighbours of each entity.",
        )


def _seeds(graph: Projection, seeds: Mapping[str, float]) -> _Reached:
    known = {graph.position[one]: score for one, score in seeds.items() if one in graph.position}
    count = len(known)
    return _Reached(
        np.fromiter(known, np.int64, count),
        np.clip(np.fromiter(known.values(), np.float64, count), 0.0, 1.0),
        np.zeros(count, np.int64),
        np.full(count, _NO_PLACE, np.int64),
        np.zeros(count, np.int64),
    )


def _reached_within(hops: int, graph: Projection, first: _Reached, filters: _Filters) -> _Reached:
    """Breadth-first search along the most important connections, the first entities included."""
    reached = frontier = first
    seen = np.zeros(len(graph.ids), bool)
    seen[first.places] = True
    for _ in range(hops):
        owners, edges = _top_edges(graph, frontier.places, filters)
        new = ~seen[graph.neighbours[edges]]
        frontier = _best_of_each(graph, frontier, owners[new], edges[new])
        seen[frontier.places] = True
        reached = reached.joined(frontier)
    return _with_seed_neighbours_near(graph, first, reached, filters)


def _top_edges(
    graph: Projection, places: NDArray[np.int64], filters: _Filters
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first `per_entity` half-edges of each position that pass the filters.

    Returns:
        Rows of `places` and half-edges, shape (h,) each.
    """
    starts, ends = graph.offsets[places], graph.offsets[places + 1]
    if filters.relationships is None and filters.entities is None:
        ends = np.minimum(ends, starts + filters.per_entity)
        return np.repeat(np.arange(len(places)), ends - starts), spans(starts, ends)
    near_ends = np.minimum(ends, starts + filters.per_entity * _LOOKED_AT)
    owners, edges = _first_passing(graph, np.arange(len(places)), starts, near_ends, filters)
    found = np.bincount(owners, minlength=len(places))
    poor = np.flatnonzero((found < filters.per_entity) & (near_ends < ends))
    if not len(poor):
        return owners, edges
    enough = ~np.isin(owners, poor)
    again = _first_passing(graph, poor, starts[poor], ends[poor], filters)
    return np.concatenate((owners[enough], again[0])), np.concatenate((edges[enough], again[1]))


def _first_passing(
    graph: Projection,
    owners: NDArray[np.int64],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    filters: _Filters,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    edges = spans(starts, ends)
    rows = np.repeat(np.arange(len(owners)), ends - starts)
    passed = np.ones(len(edges), bool)
    if filters.relationships is not None:
        passed &= filters.relationships[graph.codes[edges]]
    if filters.entities is not None:
        passed &= filters.entities[graph.entity_codes[graph.neighbours[edges]]]
    edges, rows = edges[passed], rows[passed]
    counts = np.bincount(rows, minlength=len(owners))
    nth = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    first = nth < filters.per_entity
    return owners[rows[first]], edges[first]


def _best_of_each(
    graph: Projection, near: _Reached, owners: NDArray[np.int64], edges: NDArray[np.int64]
) -> _Reached:
    """The other ends of half-edges, each once: through the most similar neighbour, of these through
    the most important, of its relationships through the most telling.

    Args:
        owners: the row of `near` that each half-edge belongs to.
    """
    far = graph.neighbours[edges].astype(np.int64)
    codes = graph.codes[edges].astype(np.int64)
    telling = telling_ranks(graph.relationship_types)[codes >> 1]
    order = np.lexsort((codes, telling, near.places[owners], -near.similarity[owners], far))
    places, first = np.unique(far[order], return_index=True)
    chosen = order[first]
    through = owners[chosen]
    return _Reached(
        places,
        near.similarity[through] * HOP_DECAY,
        near.hops[through] + 1,
        near.places[through],
        codes[chosen],
    )


def _with_seed_neighbours_near(
    graph: Projection, first: _Reached, reached: _Reached, filters: _Filters
) -> _Reached:
    """Put seeds' own neighbours at distance 1 that were reached on a detour.

    A neighbour beyond a seed's `per_entity` can still come in through another entity at distance 2.
    """
    distant = np.zeros(len(graph.ids), bool)
    distant[reached.places[reached.hops > 1]] = True
    owners, edges = [], []
    for row, place in enumerate(first.places.tolist()):
        own = graph.half_edges(place)
        found = np.flatnonzero(distant[graph.neighbours[own]]) + own.start
        if filters.relationships is not None:
            found = found[filters.relationships[graph.codes[found]]]
        owners.append(np.full(len(found), row, np.int64))
        edges.append(found)
    if not owners:
        return reached
    nearer = _best_of_each(graph, first, np.concatenate(owners), np.concatenate(edges))
    return reached.rows(~np.isin(reached.places, nearer.places)).joined(nearer)


def _triples(graph: Projection, kept: _Reached, most: int, filters: _Filters) -> list[Triple]:
    """The facts to show: those that connect the kept entities, then the most important."""
    ways = zip(kept.places.tolist(), kept.via.tolist(), kept.codes.tolist(), strict=True)
    triples: dict[Triple, None] = {}
    for place, via, code in ways:
        if via != _NO_PLACE:
            ends = (place, via) if code & 1 else (via, place)
            triples[ends[0], code >> 1, ends[1]] = None
    for triple in triples_between(graph, kept.places.tolist(), most, filters.relationships):
        if len(triples) >= most:
            break
        triples[triple] = None
    return list(triples)


def _in_words(
    graph: Projection,
    kept: _Reached,
    relevance: NDArray[np.float64],
    known: Mapping[str, Entity],
    reasons: Mapping[str, str],
) -> list[RankedEntity]:
    """The kept entities with their reasons; one that an import removed in this moment is left out."""
    ranked = []
    for row, place in enumerate(kept.places.tolist()):
        entity, via = known.get(graph.ids[place]), int(kept.via[row])
        if entity is None:
            continue
        if via == _NO_PLACE:
            reason = reasons.get(entity.id, NAMED_IN_QUESTION)
        else:
            code, near = int(kept.codes[row]), known.get(graph.ids[via])
            if near is None:
                continue
            # The code is that of the nearer end; the reason is read from this one.
            phrase = relationship_phrase(graph.relationship_types[code >> 1], bool(code & 1))
            reason = f"{phrase} {near.name}"
        ranked.append(RankedEntity(entity, float(relevance[row]), int(kept.hops[row]), reason))
    return ranked
