"""How names of entities are compared and listed, alike in every store."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from core.domain.graph import Entity

SEPARATOR = "|"  # between several values in one cell or property
IDENTIFIERS = "identifiers"  # property: ids in other databases, "MESH:D001241|UniProt:P23219"


def name_key(name: str) -> str:
    """What names are compared by: composed, case folded, blanks collapsed, valid as UTF-8."""
    valid = name.encode("utf-8", "replace").decode("utf-8")
    return " ".join(unicodedata.normalize("NFC", valid).casefold().split())


def entity_names(entity: Entity) -> Iterator[str]:
    """All that an entity is found by, none twice: name, synonyms, identifiers elsewhere, its id."""
    identifiers = entity.properties.get(IDENTIFIERS, "").split(SEPARATOR)
    names = (entity.name, *entity.synonyms, *(part.strip() for part in identifiers), entity.id)
    yield from dict.fromkeys(name for name in names if name)
