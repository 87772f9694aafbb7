"""What the graph's reader, writer and search share: its names in Neo4j and the form of an entity."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from core.domain.graph import Entity
from core.domain.names import entity_names, name_key

NAMES_INDEX = "entity_names"
# Lucene takes terms of at most 32,766 bytes; a longer one stops the whole database. A character has
# at most four.
LONGEST_KEY = 8_000

CURRENT = "MATCH (state:GraphState {name: 'graph'}) "
_FIELDS = tuple(field.name for field in fields(Entity))
ENTITY_COLUMNS = ", ".join(f"entity.{name} AS {name}" for name in _FIELDS)


def entity_of(row: Mapping[str, Any]) -> Entity:
    """The entity of a row with `ENTITY_COLUMNS`."""
    known = {name: row[name] for name in _FIELDS}
    known["synonyms"] = tuple(row["synonyms"])
    known["properties"] = json.loads(row["properties"])
    return Entity(**known)


def values_of(entity: Entity, position: int, generation: int) -> dict[str, Any]:
    """The properties of an entity's node."""
    keys = dict.fromkeys(name_key(name)[:LONGEST_KEY] for name in entity_names(entity))
    return {
        **{name: getattr(entity, name) for name in _FIELDS},
        "generation": generation,
        "position": position,
        "synonyms": list(entity.synonyms),
        "properties": json.dumps(dict(entity.properties), ensure_ascii=False),
        "names": [key for key in keys if key],
    }


def storable(text: str) -> bool:
    """Whether a text can be sent: half of a surrogate pair has no UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
