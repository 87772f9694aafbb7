"""What the canvas shows as files: CSV for spreadsheets, JSON without loss, GraphML for other graph programs."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from core.domain.explored.views import GraphView
from core.domain.graph import Entity, Fact
from core.graph.public import fact_to_public
from core.graph.views.public import view_to_public
from core.text.tables.csv_file import csv_file

_FORMAT = "materia-graph-view"
# Characters that XML 1.0 cannot hold, whatever they are written as.
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ENTITY_COLUMNS = ("id", "type", "name", "degree", "synonyms")
_FACT_COLUMNS = ("source", "source_name", "relationship", "target", "target_name")


def as_csv(entities: Sequence[Entity], facts: Sequence[Fact]) -> bytes:
    """A ZIP with entities.csv and relationships.csv, in UTF-8 with its mark; no cell is a formula."""
    entity_rows = [
        {
            "id": one.id,
            "type": one.type,
            "name": one.name,
            "degree": one.degree,
            "synonyms": " | ".join(one.synonyms),
            **{f"property: {name}": value for name, value in one.properties.items()},
        }
        for one in entities
    ]
    fact_rows = [
        {
            "source": one.source.id,
            "source_name": one.source.name,
            "relationship": one.type,
            "target": one.target.id,
            "target_name": one.target.name,
            **{f"property: {name}": value for name, value in one.properties.items()},
        }
        for one in facts
    ]
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("entities.csv", _table(_ENTITY_COLUMNS, entity_rows))
        archive.writestr("relationships.csv", _table(_FACT_COLUMNS, fact_rows))
    return file.getvalue()


def as_json(view: GraphView, entities: Sequence[Entity], facts: Sequence[Fact]) -> bytes:
    """The view, its entities with all properties and the relationships that are drawn."""
    value = {
        "format": _FORMAT,
        "version": 1,
        "view": view_to_public(view),
        "entities": [asdict(one) for one in entities],
        "facts": [fact_to_public(one) for one in facts],
    }
    return json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "replace")


def as_graphml(entities: Sequence[Entity], facts: Sequence[Fact]) -> bytes:
    """A directed multigraph in GraphML (http://graphml.graphdrawing.org), as Cytoscape, Gephi and yEd read it.

    Characters that XML cannot hold are left out.
    """
    import networkx  # type: ignore[import-untyped]

    graph: Any = networkx.MultiDiGraph()
    for one in entities:
        graph.add_node(
            _xml(one.id),
            type=_xml(one.type),
            name=_xml(one.name),
            degree=one.degree,
            importance=one.importance,
            synonyms=_xml(" | ".join(one.synonyms)),
            **_properties(one.properties),
        )
    for number, fact in enumerate(facts):
        graph.add_edge(
            _xml(fact.source.id),
            _xml(fact.target.id),
            key=number,
            relationship=_xml(fact.type),
            **_properties(fact.properties),
        )
    return "\n".join(networkx.generate_graphml(graph, named_key_ids=False)).encode()


def _properties(properties: Mapping[str, str]) -> dict[str, str]:
    return {f"property_{_xml(name)}": _xml(value) for name, value in properties.items()}


def _xml(text: str) -> str:
    return _NOT_IN_XML.sub("", text)


def _table(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> bytes:
    kept = list(rows)
    names = dict.fromkeys((*columns, *(name for row in kept for name in row)))
    return csv_file(tuple(names), ([row.get(name, "") for name in names] for row in kept))
