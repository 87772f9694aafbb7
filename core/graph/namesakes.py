"""Entities of one name, and what tells them apart: gout is a disease, and a side effect."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.domain.graph import Entity
from core.domain.names import IDENTIFIERS, SEPARATOR
from core.graph.knowledge import KnowledgeGraph

_WITH_TYPE = re.compile(r"(?P<name>.*\S)\s*\((?P<type>[^()]+)\)\s*")
_KINDS_TOLD = 3  # of relationships; the others are counted
_SYNONYMS_TOLD = 3
_IDENTIFIERS_TOLD = 3


@dataclass(frozen=True, slots=True)
class Namesake:
    """An entity with what tells it from others of its name.

    Attributes:
        relationships: relationship type -> number, the most frequent first.
        identifiers: in other databases.
    """

    entity: Entity
    relationships: Mapping[str, int]
    identifiers: tuple[str, ...]

    @property
    def words(self) -> str:
        """``57 relationships (ASSOCIATED_WITH 50, TREATS 7); MESH:D006073; also called podagra``."""
        total = sum(self.relationships.values())
        kinds = [f"{kind} {count:,}" for kind, count in self.relationships.items()]
        more = [f"{len(kinds) - _KINDS_TOLD} more"] if len(kinds) > _KINDS_TOLD else []
        listed = ", ".join(kinds[:_KINDS_TOLD] + more)
        number = f"{total:,} relationship{'' if total == 1 else 's'}"
        parts = [f"{number} ({listed})" if listed else "no relationships"]
        if self.identifiers:
            parts.append(", ".join(self.identifiers[:_IDENTIFIERS_TOLD]))
        if self.entity.synonyms:
            parts.append(f"also called {', '.join(self.entity.synonyms[:_SYNONYMS_TOLD])}")
        return "; ".join(parts)


def namesakes(graph: KnowledgeGraph, entities: Iterable[Entity]) -> list[Namesake]:
    """Entities with what tells them apart, in their order.

    Raises:
        StoreError: the graph cannot be read.
    """
    found = []
    for entity in entities:
        identifiers = entity.properties.get(IDENTIFIERS, "").split(SEPARATOR)
        kept = tuple(one.strip() for one in identifiers if one.strip())
        found.append(Namesake(entity, graph.relationship_counts(entity.id), kept))
    return found


def of_types(entities: Sequence[Entity], types: Collection[str]) -> list[Entity]:
    """The entities of some types, in whatever case these are written: a clinical disease is a disease.
    All of them without any type."""
    wanted = {one.casefold() for one in types}
    if "disease" in wanted:
        wanted.add("clinicaldisease")
    return [one for one in entities if not wanted or one.type.casefold() in wanted]


def name_and_type(text: str, types: Collection[str]) -> tuple[str, tuple[str, ...]]:
    """A name with the type that is written behind it: "gout (Disease)"; no type where the brackets hold
    none of `types`."""
    found = _WITH_TYPE.fullmatch(text)
    known = {one.casefold() for one in types} | {"disease"}
    if found is None or found["type"].strip().casefold() not in known:
        return text, ()
    return found["name"], (found["type"].strip(),)
