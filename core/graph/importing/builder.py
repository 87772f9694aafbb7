"""Entities and relationships as they are read become a graph in the form in which it is stored.

Relationships are held as numbers: four million of them take some 100 MB, while as many Python objects
would take gigabytes.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.domain.graph import Entity
from core.domain.graph_data import GraphData
from core.errors import InputError
from core.graph.importing.centrality import degrees, importance
from core.graph.projection import project
from core.graph.store import Check, GraphStore, checked

_POSITION_BITS = 23
_TYPE_BITS = 16

# (line, source id, relationship type, target id) of a relationship that was there already
OnRepeat = Callable[[int, str, str, str], None]


class GraphBuilder:
    """Collects a graph; of an entity or relationship that is added twice the first stays."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._entities: list[Entity] = []
        self._types: dict[str, int] = {}
        self._sources, self._targets, self._kinds = array("i"), array("i"), array("i")
        self._lines, self._properties = array("i"), array("i")
        self._property_numbers: dict[str, int] = {}

    def number(self, entity_id: str) -> int | None:
        """The number of an entity that was added, or None."""
        return self._numbers.get(entity_id)

    def find(self, entity_id: str) -> Entity | None:
        """An entity that was added, as it was added, or None."""
        number = self._numbers.get(entity_id)
        return None if number is None else self._entities[number]

    def counts(self) -> tuple[int, int]:
        """How many entities and how many distinct relationships were added so far."""
        keys = _keys(
            np.array(self._sources, np.int32),
            np.array(self._targets, np.int32),
            np.array(self._kinds, np.int32),
        )
        return len(self._entities), len(np.unique(keys))

    def entity(self, entity: Entity) -> int:
        """Add an entity unless its id is there; its number. Degree and importance are set later.

        Raises:
            InputError: code GRAPH_TOO_LARGE; more than 8 million entities.
        """
        number = self._numbers.setdefault(entity.id, len(self._entities))
        if number == len(self._entities):
            if number >> _POSITION_BITS:
                raise _too_large()
            self._entities.append(entity)
        return number

    def relationship(
        self,
        source: int,
        kind: str,
        target: int,
        properties: Mapping[str, str] | None = None,
        line: int = 0,
    ) -> None:
        """Add a relationship between two numbers.

        Args:
            line: where it was read; a repetition is told with it. 0: a repetition is nothing to tell.

        Raises:
            InputError: code GRAPH_TOO_LARGE; more than 32,768 types of relationships.
        """
        code = self._types.setdefault(kind, len(self._types))
        if code >> (_TYPE_BITS - 1):
            raise _too_large()
        self._sources.append(source)
        self._kinds.append(code)
        self._targets.append(target)
        self._lines.append(line)
        if properties:
            text = json.dumps(dict(properties), ensure_ascii=False)
            self._properties.append(
                self._property_numbers.setdefault(text, len(self._property_numbers))
            )
        else:
            self._properties.append(-1)

    def add_stored(self, store: GraphStore, check: Check = lambda: None) -> None:
        """Add what a store holds and was not added before: call it last.

        Of an entity that was added, synonyms and properties that were not given stay as they are
        stored: a file that does not speak of a drug's indication does not take it away.

        Args:
            check: called now and then; what it raises ends the reading.
        """
        for entity in store.all_entities():
            number = self.entity(entity)
            if self._entities[number] is not entity:
                self._entities[number] = _completed(self._entities[number], entity)
        for one in checked(store.all_relationships(), check):
            self.relationship(
                self._numbers[one.source], one.type, self._numbers[one.target], one.properties
            )

    def build(self, on_repeat: OnRepeat = lambda _line, _source, _kind, _target: None) -> GraphData:
        """The graph with degrees, importance and projection."""
        sources = np.array(self._sources, np.int32)
        targets = np.array(self._targets, np.int32)
        names, types = alphabetical(self._types, np.array(self._kinds, np.int32))
        kept, repeated = _distinct(_keys(sources, targets, types))
        for row in sorted(repeated.tolist()):
            if self._lines[row]:
                on_repeat(
                    self._lines[row],
                    self._entities[sources[row]].id,
                    names[types[row]],
                    self._entities[targets[row]].id,
                )
        sources, targets, types = sources[kept], targets[kept], types[kept]
        properties = np.array(self._properties, np.int32)[kept]

        entities, position = self._ordered(sources, targets)
        sources, targets = position[sources], position[targets]
        return graph_data(
            entities, names, (sources, targets, types, properties), tuple(self._property_numbers)
        )

    def _ordered(self, sources: np.ndarray, targets: np.ndarray) -> tuple[list[Entity], np.ndarray]:
        """Entities with degree and importance in descending importance; number -> position."""
        count = len(self._entities)
        degree = degrees(count, sources, targets).tolist()
        rank = importance(count, sources, targets).tolist()
        order = sorted(
            range(count),
            key=lambda one: (-rank[one], self._entities[one].name, self._entities[one].id),
        )
        position = np.empty(count, np.int32)
        position[order] = np.arange(count, dtype=np.int32)
        return [
            replace(self._entities[one], degree=degree[one], importance=rank[one]) for one in order
        ], position


def _completed(new: Entity, stored: Entity) -> Entity:
    """A new entity with what only the stored one has."""
    known = {new.name, *new.synonyms}
    return replace(
        new,
        synonyms=(*new.synonyms, *(name for name in stored.synonyms if name not in known)),
        properties={**stored.properties, **new.properties},
    )


def graph_data(
    entities: Sequence[Entity],
    names: Sequence[str],
    columns: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
    property_values: tuple[str, ...],
) -> GraphData:
    """A graph as it is stored, its relationships in ascending order of source, target and type.

    Args:
        entities: in descending importance.
        names: relationship types in alphabetical order.
        columns: source, target, type and row of properties (-1 for none) of each relationship.
    """
    order = np.argsort(_keys(*columns[:3]))
    sources, targets, types, properties = (column[order] for column in columns)
    described = {names[code] for code in np.unique(types[properties >= 0])}
    return GraphData(
        entities=entities,
        relationship_types=tuple(names),
        sources=sources,
        targets=targets,
        types=types,
        property_rows=properties,
        property_values=property_values,
        projection=project(entities, names, sources, types, targets, described).to_bytes(),
    )


def alphabetical(codes: Mapping[str, int], kinds: np.ndarray) -> tuple[list[str], np.ndarray]:
    """Names in alphabetical order, and what had `codes` numbered after that order, uint16."""
    names = sorted(codes)
    renamed = np.empty(len(names), np.uint16)
    for code, name in enumerate(names):
        renamed[codes[name]] = code
    return names, renamed[kinds]


def _keys(sources: np.ndarray, targets: np.ndarray, types: np.ndarray) -> np.ndarray:
    """One number per relationship, which sorts by source, target and type."""
    keys: np.ndarray = sources.astype(np.int64)
    keys <<= _POSITION_BITS
    keys |= targets
    keys <<= _TYPE_BITS
    keys |= types
    return keys


def _distinct(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the first occurrence of each key, and the rows of all others."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    repeats = np.zeros(len(keys), dtype=bool)
    repeats[1:] = ordered[1:] == ordered[:-1]
    return order[~repeats], order[repeats]


def _too_large() -> InputError:
    return InputError(
        "The graph has more entities or types of relationships than Materia holds.",
        advice="Import a part of it.",
        code="GRAPH_TOO_LARGE",
    )
