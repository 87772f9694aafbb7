"""A stored graph as it is, ready to be stored again: same order, degrees and importance."""

from __future__ import annotations

import json
from array import array

import numpy as np

from core.domain.graph_data import GraphData
from core.errors import StoreError
from core.graph.importing.builder import alphabetical, graph_data
from core.graph.store import Check, GraphStore, checked
from core.maintenance.contents import Contents


def read_graph(store: GraphStore, contents: Contents, check: Check) -> GraphData:
    """The graph that a store holds; four million relationships take some 150 MB.

    Args:
        contents: everything that is read is added to it.

    Raises:
        StoreError: code GRAPH_DAMAGED; a relationship has an end that is no entity.
    """
    entities = list(checked(store.all_entities(), check))
    for entity in entities:
        contents.entity(entity)
    position = {entity.id: place for place, entity in enumerate(entities)}
    codes: dict[str, int] = {}
    rows: dict[str, int] = {}
    sources, targets, types, properties = array("i"), array("i"), array("i"), array("i")
    for one in checked(store.all_relationships(), check):
        contents.relationship(one)
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
    names, numbered = alphabetical(codes, np.array(types, np.int32))
    from_, to, described = (np.array(column, np.int32) for column in (sources, targets, properties))
    return graph_data(entities, names, (from_, to, numbered, described), tuple(rows))
