"""From the entities that a question is about to their surroundings, ranked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.domain.graph import Entity, Fact, RankedEntity, Subgraph
from core.errors import InputError
from core.graph.phrases import relationship_phrase
from core.graph.store import GraphStore

MAX_HOPS = 2
NAMED_IN_QUESTION = "named in the question"

# What a hop leaves of the similarity, and the relevance of an entity without any centrality. As the
# decay is the smaller of the two, a neighbour never outranks the entity it was reached through, so
# that a cut at `limit` leaves every kept entity connected to a seed.
HOP_DECAY = 0.5
_SIMILARITY_SHARE = 0.6
# PageRank is so skewed (Hetionet: median .007, upper tenth from .02) that it separates only the
# very largest hubs; its fourth root spreads these to .29 and .38.
_CENTRALITY_EXPONENT = 0.25


@dataclass(frozen=True, slots=True)
class _Reached:
    """An entity on the way, with the similarity that arrived at it."""

    entity: Entity
    similarity: float
    hops: int
    reason: str

    @property
    def relevance(self) -> float:
        return composite_relevance(self.similarity, self.entity.importance)


def composite_relevance(similarity: float, importance: float) -> float:
    """Similarity and centrality as one number in [0, 1] (KG-25).

    relevance = similarity x (0.6 + 0.4 x importance ^ 0.25)

    Both are in [0, 1]. The product grows with either, so that an entity strong in both comes before
    one that equals it in the one and falls short in the other; centrality alone (similarity 0) is
    worth nothing, similarity alone 0.6.
    """
    centrality = math.pow(importance, _CENTRALITY_EXPONENT)
    return similarity * (_SIMILARITY_SHARE + (1 - _SIMILARITY_SHARE) * centrality)


def expand(
    store: GraphStore,
    seeds: Mapping[str, float],
    reasons: Mapping[str, str],
    *,
    hops: int = MAX_HOPS,
    per_entity: int = 25,
    limit: int = 200,
    relationship_types: Sequence[str] = (),
    entity_types: Sequence[str] = (),
) -> Subgraph:
    """The seeds, their surroundings up to two hops away, and the facts among them.

    Breadth first: from each entity to its `per_entity` most important neighbours. A seed's
    similarity is its seed relevance; at each further hop it is half of the best among the entities
    one hop nearer. Relevance is `composite_relevance`; ties go by name, then by id.

    Args:
        seeds: entity id -> relevance to the question in [0, 1] (values outside are clamped). Ids
            that the graph does not know are ignored.
        reasons: entity id -> why it is a seed, in words; without one, "named in the question".
        hops: 0, 1 or 2.
        per_entity: neighbours taken of each entity, at least 1.
        limit: entities kept in all, seeds included, at least 1; the most relevant stay.
        relationship_types, entity_types: if given, only these are followed and shown; seeds are
            kept whatever their type.

    Returns:
        Entities in descending relevance, each at its true distance from the nearest seed as far as
        the kept facts tell, each connected to a seed through kept ones; the facts among them in
        the order of their ends.

    Raises:
        InputError: hops, per_entity or limit out of range.
        StoreError: the store cannot be read.
    """
    _check(hops, per_entity, limit)
    first = {
        seed: _Reached(
            entity, min(max(seeds[seed], 0.0), 1.0), 0, reasons.get(seed, NAMED_IN_QUESTION)
        )
        for seed, entity in store.entities(seeds).items()
    }
    reached = _reached_within(hops, store, first, per_entity, relationship_types, entity_types)
    kept = {one.entity.id: one for one in _ranked(reached.values())[:limit]}
    facts = [
        fact
        for fact in store.facts_between(list(kept))
        if not relationship_types or fact.type in relationship_types
    ]
    kept = _with_seed_neighbours_near(kept, facts)
    order = {one.entity.id: place for place, one in enumerate(_ranked(kept.values()))}

    def place(fact: Fact) -> tuple[int, int, str]:
        return order[fact.source.id], order[fact.target.id], fact.type

    return Subgraph(
        entities=tuple(
            RankedEntity(kept[key].entity, kept[key].relevance, kept[key].hops, kept[key].reason)
            for key in order
        ),
        facts=tuple(sorted(facts, key=place)),
    )


def _check(hops: int, per_entity: int, limit: int) -> None:
    if not 0 <= hops <= MAX_HOPS:
        raise InputError(
            f"The graph is expanded by 0 to {MAX_HOPS} hops, not {hops}.",
            advice=f"Ask for {MAX_HOPS} hops and expand from an entity found there.",
        )
    if per_entity < 1 or limit < 1:
        raise InputError(
            "The number of entities to show must be at least 1.",
            advice="Raise the limit or the number of neighbours of each entity.",
        )


def _reached_within(
    hops: int,
    store: GraphStore,
    first: dict[str, _Reached],
    per_entity: int,
    relationship_types: Sequence[str],
    entity_types: Sequence[str],
) -> dict[str, _Reached]:
    """Breadth-first search over the neighbour lists, the first entities included."""
    reached = frontier = first
    for _ in range(hops):
        if not frontier:
            break
        facts = store.neighbours(list(frontier), per_entity, relationship_types, entity_types)
        frontier = _next_hop(frontier, reached, facts, entity_types)
        reached = reached | frontier
    return reached


def _ranked(reached: Iterable[_Reached]) -> list[_Reached]:
    return sorted(reached, key=lambda one: (-one.relevance, one.entity.name, one.entity.id))


def _next_hop(
    frontier: Mapping[str, _Reached],
    reached: Mapping[str, _Reached],
    facts: Sequence[Fact],
    entity_types: Sequence[str],
) -> dict[str, _Reached]:
    """The entities first seen from the frontier, each through its most similar neighbour there."""
    found: dict[str, _Reached] = {}
    best: dict[str, tuple[float, str, str, str, bool]] = {}
    for fact in facts:
        for near, far, forward in (
            (fact.source, fact.target, False),
            (fact.target, fact.source, True),
        ):
            if near.id not in frontier or far.id in reached:
                continue
            if entity_types and far.type not in entity_types:
                continue
            from_ = frontier[near.id]
            rank = (-from_.similarity, near.name, near.id, fact.type, not forward)
            if far.id not in best or rank < best[far.id]:
                best[far.id] = rank
                found[far.id] = _beyond(from_, far, fact.type, forward)
    return found


def _beyond(near: _Reached, far: Entity, relationship_type: str, forward: bool) -> _Reached:
    """`far`, reached from `near`; `forward` when the relationship reads from far to near."""
    phrase = relationship_phrase(relationship_type, forward)
    return _Reached(far, near.similarity * HOP_DECAY, near.hops + 1, f"{phrase} {near.entity.name}")


def _with_seed_neighbours_near(
    kept: Mapping[str, _Reached], facts: Sequence[Fact]
) -> dict[str, _Reached]:
    """Put seeds' own neighbours at distance 1 that were reached on a detour.

    A neighbour beyond a seed's `per_entity` can still come in through another entity at distance 2;
    its fact with the seed shows that it is nearer.
    """
    seeds = {key: one for key, one in kept.items() if one.hops == 0}
    far = {key for key, one in kept.items() if one.hops > 1}
    others = {key: one for key, one in kept.items() if key not in far}
    return {**kept, **_next_hop(seeds, others, facts, ())}
