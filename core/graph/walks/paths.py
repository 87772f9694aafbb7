"""How two entities are connected: short paths through specific entities, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from core.domain.graph import Entity, Fact, FoundPaths, Path
from core.errors import InputError, NotFound
from core.graph.knowledge import KnowledgeGraph, Triple
from core.graph.phrases import relationship_phrase, telling_ranks
from core.graph.projection import Projection
from core.graph.walks.path_search import PathSearch, Way

MAX_PATH_HOPS = 4
# Himmelstein and Baranzini 2015, "Heterogeneous network edge prediction: a data integration approach
# to prioritize disease-associated genes", PLOS Computational Biology 11(7): paths count by the product
# of the degrees on them to the power of minus .4, which told true from random links best.
_DAMPING = 0.4


def find_paths(
    graph: KnowledgeGraph,
    source_id: str,
    target_id: str,
    *,
    max_hops: int = MAX_PATH_HOPS,
    limit: int = 10,
    relationship_types: Sequence[str] = (),
    entity_types: Sequence[str] = (),
) -> FoundPaths:
    """The best paths between two entities, on which none comes twice, whatever the direction of the
    relationships.

    Shorter ones come first; among equally long ones those through entities with few relationships
    before those through hubs. A path's score is the product of the degrees of the entities between
    its ends to the power of -0.4 (path-degree product). Ties go by the positions of the entities,
    read from the end that has more relationships, so that the way back is the same way.

    Relationships between the same two entities are one step, which carries all its facts, the most
    telling first: a path for each combination of types would fill the list with one way.

    Args:
        max_hops: relationships on a path at most, 1 to 4.
        limit: paths at most, at least 1.
        relationship_types: if given, only these are followed and shown.
        entity_types: if given, only these stand between the ends.

    Returns:
        Paths, best first; not `complete` when the search had to be given up.

    Raises:
        InputError: `max_hops` or `limit` out of range, or both ends the same entity.
        NotFound: code ENTITY_NOT_FOUND; the graph does not know an id.
        StoreError: the store cannot be read.
    """
    _check(source_id, target_id, max_hops, limit)
    projection = graph.projection()
    source, target = (_position(projection, one) for one in (source_id, target_id))
    mask = projection.relationship_mask(relationship_types)
    # From the end with more relationships, so that what spreads from the other one stays small.
    start, goal = sorted((source, target), key=lambda one: (-projection.degrees[one], one))
    search = PathSearch(projection, start, goal, mask, projection.entity_mask(entity_types))
    ways: list[Way] = []
    for hops in range(1, max_hops + 1):
        ways.extend(search.ways(hops, limit - len(ways)))
        if len(ways) == limit or not search.complete:
            break
    if start != source:
        ways = [Way(way.places[::-1], way.product) for way in ways]
    return FoundPaths(tuple(_in_words(graph, projection, ways, mask)), search.complete)


def _check(source_id: str, target_id: str, max_hops: int, limit: int) -> None:
    if not 1 <= max_hops <= MAX_PATH_HOPS:
        raise InputError(
            f"Paths have 1 to {MAX_PATH_HOPS} hops, not {max_hops}.",
            advice=f"Ask for at most {MAX_PATH_HOPS} hops.",
        )
    if limit < 1:
        raise InputError("The number of paths must be at least 1.", advice="Raise the limit.")
    if source_id == target_id:
        raise InputError(
            "A path needs two different entities.", advice="Choose another entity as its end."
        )


def _position(graph: Projection, entity_id: str) -> int:
    place = graph.position.get(entity_id)
    if place is None:
        raise NotFound(
            f"The graph has no entity with the id {entity_id}.",
            advice="Search for the entity by its name.",
            code="ENTITY_NOT_FOUND",
        )
    return place


def _in_words(
    graph: KnowledgeGraph, projection: Projection, ways: Sequence[Way], mask: np.ndarray | None
) -> list[Path]:
    """Paths with entities and facts; one with an entity that an import removed now is left out."""
    places = dict.fromkeys(place for way in ways for place in way.places)
    known = graph.entities_of(projection, places)
    links = {
        pair: _links(projection, *pair, mask)
        for pair in dict.fromkeys(pair for way in ways for pair in pairwise(way.places))
    }
    triples = dict.fromkeys(triple for found in links.values() for triple in found)
    facts = {fact.key: fact for fact in graph.facts_of(projection, list(triples), known)}
    return [
        _path(projection, way, known, links, facts)
        for way in ways
        if all(projection.ids[place] in known for place in way.places)
    ]


def _path(
    projection: Projection,
    way: Way,
    known: Mapping[str, Entity],
    links: Mapping[tuple[int, int], Sequence[Triple]],
    facts: Mapping[tuple[str, str, str], Fact],
) -> Path:
    steps = tuple(
        tuple(
            facts[
                projection.ids[source], projection.relationship_types[kind], projection.ids[target]
            ]
            for source, kind, target in links[pair]
        )
        for pair in pairwise(way.places)
    )
    entities = tuple(known[projection.ids[place]] for place in way.places)
    return Path(
        entities=entities,
        steps=steps,
        words=tuple(
            _sentence(entities[place], step, entities[place + 1])
            for place, step in enumerate(steps)
        ),
        score=float(way.product**-_DAMPING),
    )


def _sentence(near: Entity, step: Iterable[Fact], far: Entity) -> str:
    """What links two entities, read from the first: "A treats and is contraindicated in B."."""
    phrases = dict.fromkeys(
        relationship_phrase(fact.type, fact.source.id == near.id) for fact in step
    )
    return f"{near.name} {' and '.join(phrases)} {far.name}."


def _links(graph: Projection, place: int, other: int, mask: np.ndarray | None) -> Sequence[Triple]:
    """The relationships between two entities, the most telling first."""
    if graph.degrees[other] < graph.degrees[place]:
        place, other = other, place
    own = graph.half_edges(place)
    first, last = np.searchsorted(graph.neighbours[own], [other, other + 1]) + own.start
    edges = np.arange(first, last)
    if mask is not None:
        edges = edges[mask[graph.codes[edges]]]
    telling = telling_ranks(graph.relationship_types)[graph.codes[edges] >> 1]
    order = np.lexsort((graph.codes[edges], telling))
    return [graph.triple(place, edge) for edge in edges[order].tolist()]
