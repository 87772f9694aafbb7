"""Entities, expansions and paths as plain JSON values: what `--json` and the API print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from core.domain.graph import Entity, Fact, FoundPaths, Mention, Path, RankedEntity, Subgraph
from core.graph.namesakes import Namesake


def entity_to_public(entity: Entity) -> dict[str, Any]:
    """What names an entity: id, type, name."""
    return {"id": entity.id, "type": entity.type, "name": entity.name}


def namesake_to_public(one: Namesake) -> dict[str, Any]:
    """What names an entity, and what tells it from others of its name."""
    return {
        **entity_to_public(one.entity),
        "synonyms": list(one.entity.synonyms),
        "identifiers": list(one.identifiers),
        "relationships": dict(one.relationships),
    }


def fact_to_public(fact: Fact) -> dict[str, Any]:
    """A relationship with both its ends."""
    return {
        "source": entity_to_public(fact.source),
        "relationship": fact.type,
        "target": entity_to_public(fact.target),
        "properties": dict(fact.properties),
    }


def subgraph_to_public(subgraph: Subgraph) -> dict[str, Any]:
    """Entities in descending relevance, and the facts among them."""
    return {
        "entities": [_ranked(ranked) for ranked in subgraph.entities],
        "facts": [fact_to_public(fact) for fact in subgraph.facts],
    }


def _ranked(ranked: RankedEntity) -> dict[str, Any]:
    return {
        **entity_to_public(ranked.entity),
        "degree": ranked.entity.degree,
        "importance": round(ranked.entity.importance, 6),
        "relevance": round(ranked.relevance, 4),
        "hops": ranked.hops,
        "reason": ranked.reason,
    }


def paths_to_public(source: Entity, target: Entity, found: FoundPaths) -> dict[str, Any]:
    """Paths, best first; `complete` is false when the search was given up."""
    return {
        "source": entity_to_public(source),
        "target": entity_to_public(target),
        "complete": found.complete,
        "paths": [_path(path) for path in found],
    }


def _path(path: Path) -> dict[str, Any]:
    return {
        "hops": path.hops,
        "score": path.score,
        "words": list(path.words),
        "entities": [entity_to_public(entity) for entity in path.entities],
        "steps": [[fact_to_public(fact) for fact in step] for step in path.steps],
    }


def mentions_to_public(
    mentions: Sequence[Mention],
    entities: Mapping[str, Entity],
    others: Mapping[str, Sequence[Entity]],
) -> dict[str, Any]:
    """Places in a text, in order (offsets in characters, the end exclusive), and the entities with
    their numbers of places, most first. Places of an entity that is not given are left out.

    Args:
        others: by the words of a place, other entities that are called so.
    """
    known = [mention for mention in mentions if mention.entity_id in entities]
    counts = Counter(mention.entity_id for mention in known)
    return {
        "mentions": [
            {
                "start": mention.start,
                "end": mention.end,
                "text": mention.text,
                "entity": entity_to_public(entities[mention.entity_id]),
                "others": [entity_to_public(one) for one in others.get(mention.text, ())],
            }
            for mention in known
        ],
        "entities": [
            {**entity_to_public(entities[entity_id]), "count": count}
            for entity_id, count in counts.most_common()
        ],
    }
