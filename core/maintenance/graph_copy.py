"""A stored graph as it is, ready to be stored again: same order, degrees and importance."""

from __future__ import annotations

import json
from array import array

import numpy as np

from core.domain.graph import Entity
from core.domain.graph_data import GraphData
from core.errors import StoreError
from core.graph.projection import project
from core.graph.store import GraphStore
from core.maintenance.contents import Check, Contents, counting


def read_graph(store: GraphStore, contents: Contents, check: Check) -> GraphData:
    """The graph that a store holds; four million relationships take some 150 MB.

    Args:
        contents: everything that is read is added to it.

    Raises:
        StoreError: code GRAPH_DAMAGED; a relationship has an end that is no entity.
    """
    entities: list[Entity] = list(counting(store.all_entities(), contents.entity, check))
    position = {entity.id: place for place, entity in enumerate(entities)}
    codes: dict[str, int] = {}
    rows: dict[str, int] = {}
    sources, targets, types, properties = array("i"), array("i"), array("i"), array("i")
    for one in counting(store.all_relationships(), contents.relationship, check):
        source, target = position.get(one.source), position.get(one.target)
        if source is None or target is None:
            raise StoreError(
                "The graph has a relationship with an unknown end.",
                advice="Import the graph again.",
                code="GRAPH_DAMAGED",
            )
        sources.append(source)
        targets.append(target)
        types.append(codes.setdefault(one.type, len(codes)))
        text = json.dumps(dict(one.properties), ensure_ascii=False) if one.properties else ""
        properties.append(rows.setdefault(text, len(rows)) if text else -1)
    return _ordered(entities, codes, (sources, targets, types, properties), tuple(rows))


def _ordered(
    entities: list[Entity],
    codes: dict[str, int],
    columns: tuple[array[int], array[int], array[int], array[int]],
    property_values: tuple[str, ...],
) -> GraphData:
    """Relationships in ascending order of source, target and type, types in alphabetical order."""
    names = sorted(codes)
    renamed = np.empty(len(names), np.uint16)
    for code, name in enumerate(names):
        renamed[codes[name]] = code
    sources, targets, kinds, properties = (np.array(column, np.int32) for column in columns)
    types = renamed[kinds]
    order = np.lexsort((types, targets, sources))
    sources, targets, properties = sources[order], targets[order], properties[order]
    types = types[order]
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
