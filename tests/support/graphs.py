"""Graphs for tests: stored as they are given, importance included."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from core.domain.graph import Entity, Relationship
from core.domain.graph_data import GraphData
from core.domain.names import entity_names, name_key
from core.graph.knowledge import KnowledgeGraph
from core.graph.projection import project


def graph_data(entities: Iterable[Entity], relationships: Iterable[Relationship]) -> GraphData:
    """A graph whose entities keep the degree and importance they were made with."""
    ordered = sorted(entities, key=lambda one: (-one.importance, one.name, one.id))
    place = {entity.id: position for position, entity in enumerate(ordered)}
    kept = list(relationships)
    names = sorted({one.type for one in kept})
    kept.sort(key=lambda one: (place[one.source], place[one.target], names.index(one.type)))
    sources = np.array([place[one.source] for one in kept], np.int32)
    targets = np.array([place[one.target] for one in kept], np.int32)
    types = np.array([names.index(one.type) for one in kept], np.uint16)
    texts = [json.dumps(dict(one.properties)) if one.properties else "" for one in kept]
    values = sorted({text for text in texts if text})
    return GraphData(
        entities=ordered,
        relationship_types=tuple(names),
        sources=sources,
        targets=targets,
        types=types,
        property_rows=np.array([values.index(t) if t else -1 for t in texts], np.int32),
        property_values=values,
        projection=project(
            ordered,
            names,
            sources,
            types,
            targets,
            {one.type for one in kept if one.properties},
        ).to_bytes(),
    )


def stored(entities: Iterable[Entity], relationships: Iterable[Relationship]) -> KnowledgeGraph:
    """A graph in memory whose entities keep the degree and importance they were made with."""
    store = MemoryGraph()
    store.replace(graph_data(entities, relationships))
    return KnowledgeGraph(store)


class MemoryGraph:
    """A plain `GraphStore` in memory."""

    def __init__(self) -> None:
        self._version = 0
        self._projection = b""
        self._entities: dict[str, Entity] = {}
        self._relationships: list[Relationship] = []

    def replace(
        self,
        graph: GraphData,
        report: Callable[[float], None] = lambda _fraction: None,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        check()
        self._entities = {entity.id: entity for entity in graph.entities}
        self._relationships = list(graph.relationships())
        self._projection = graph.projection
        self._version += 1
        report(1.0)

    def version(self) -> int:
        return self._version

    def projection(self) -> bytes:
        return self._projection

    def entities(self, ids: Iterable[str]) -> dict[str, Entity]:
        return {one: self._entities[one] for one in ids if one in self._entities}

    def entities_named(self, name: str) -> list[Entity]:
        key = name_key(name)
        return [
            entity
            for entity in self._entities.values()
            if key in {name_key(one) for one in entity_names(entity)}
        ]

    def search_entities(
        self, query: str, types: Sequence[str] = (), limit: int = 20
    ) -> list[Entity]:
        key = name_key(query)
        ranked = []
        for entity in self._entities.values():
            names = [name_key(one) for one in entity_names(entity)]
            if (types and entity.type not in types) or not any(key in one for one in names):
                continue
            begins = any(one.startswith(key) for one in names)
            ranked.append((key not in names, not begins, len(ranked), entity))
        return [entity for *_, entity in sorted(ranked, key=lambda row: row[:3])][:limit]

    def all_names(self) -> Iterator[tuple[str, str, str]]:
        for entity in self._entities.values():
            for name in entity_names(entity):
                yield name, entity.id, entity.type

    def all_entities(self) -> Iterator[Entity]:
        yield from self._entities.values()

    def all_relationships(self) -> Iterator[Relationship]:
        yield from self._relationships

    def relationship_properties(
        self, keys: Sequence[tuple[str, str, str]]
    ) -> dict[tuple[str, str, str], dict[str, str]]:
        wanted = set(keys)
        return {
            one.key: dict(one.properties)
            for one in self._relationships
            if one.key in wanted and one.properties
        }

    def counts_by_type(self) -> dict[str, int]:
        counts = Counter(entity.type for entity in self._entities.values())
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    def count_relationships(self) -> int:
        return len(self._relationships)
