"""What the graph's reader, writer and search share: its names in Neo4j and the form of an entity."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from core.domain.graph import Entity
from core.domain.names import entity_names, name_key

NAMES_INDEX = "entity_names"
# Lucene takes terms of at most 32,766 bytes; a longer one stops the whole database. A character has
# at most four.
LONGEST_KEY = 8_000

CURRENT = "MATCH (state:GraphState {name: 'graph'}) "
ENTITY_COLUMNS = (
    "entity.id AS id, entity.type AS type, entity.name AS name, entity.synonyms AS synonyms, "
    "entity.properties AS properties, entity.degree AS degree, entity.importance AS importance"
)


def entity_of(row: Mapping[str, Any]) -> Entity:
    """The entity of a row with `ENTITY_COLUMNS`."""
    return Entity(
        id=row["id"],
        type=row["type"],
        name=row["name"],
        synonyms=tuple(row["synonyms"]),
        properties=json.loads(row["properties"]),
        degree=row["degree"],
        importance=row["importance"],
    )


def values_of(entity: Entity, position: int, generation: int) -> dict[str, Any]:
    """The properties of an entity's node."""
    keys = dict.fromkeys(name_key(name)[:LONGEST_KEY] for name in entity_names(entity))
    return {
        "id": entity.id,
        "generation": generation,
        "position": position,
        "name": entity.name,
        "type": entity.type,
        "synonyms": list(entity.synonyms),
        "properties": json.dumps(dict(entity.properties), ensure_ascii=False),
        "degree": entity.degree,
        "importance": entity.importance,
        "names": [key for key in keys if key],
    }


def storable(text: str) -> bool:
    """Whether a text can be sent: half of a surrogate pair has no UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
