"""The plain pair of files, in which any graph can be written.

nodes.csv has the columns ``id``, ``type`` and ``name``, relationships.csv ``source``, ``type`` and
``target`` with ids of nodes.csv. A type of relationship that is known is read also as "interacts
with". Two more columns of nodes.csv have a meaning: ``synonyms``, and
``identifiers`` (ids in other databases), both joined with ``|``. All further columns of either file are
properties. Columns may come in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from pathlib import Path

from core.domain.graph import Entity
from core.domain.names import IDENTIFIERS, SEPARATOR
from core.graph.importing.builder import GraphBuilder
from core.graph.importing.csv_rows import TableReader
from core.graph.phrases import known_type

NODES_FILE = "nodes.csv"
RELATIONSHIPS_FILE = "relationships.csv"
_NODE_COLUMNS = ("id", "type", "name")
_SYNONYMS = "synonyms"
_RELATIONSHIP_COLUMNS = ("source", "type", "target")


def read_plain(folder: Path, builder: GraphBuilder, reader: TableReader) -> None:
    """Add the entities and relationships of both files.

    A relationship carries its line, for `GraphBuilder.build` to tell repetitions.

    Raises:
        InputError: code GRAPH_FORMAT; a file is no such table (see `TableReader.table`).
    """
    _read_nodes(folder / NODES_FILE, builder, reader)
    _read_relationships(folder / RELATIONSHIPS_FILE, builder, reader)


def _read_nodes(path: Path, builder: GraphBuilder, reader: TableReader) -> None:
    problems = reader.problems
    with reader.table(path, _NODE_COLUMNS) as table:
        own = itemgetter(*table.places(_NODE_COLUMNS))
        others = table.others((*_NODE_COLUMNS, _SYNONYMS))
        synonyms = table.header.index(_SYNONYMS) if _SYNONYMS in table.header else None
        for line, row in table.rows:
            cells = [cell.strip() for cell in row]
            entity_id, kind, name = own(cells)
            if not (entity_id and kind and name):
                problems.add(path.name, line, _lacks(_NODE_COLUMNS, own(cells)))
            elif builder.number(entity_id) is not None:
                problems.add(path.name, line, f"repeats the id {entity_id}")
            else:
                properties = {column: cells[place] for column, place in others if cells[place]}
                if IDENTIFIERS in properties:
                    properties[IDENTIFIERS] = SEPARATOR.join(_parts(properties[IDENTIFIERS]))
                found = _parts(cells[synonyms]) if synonyms is not None else []
                builder.entity(
                    Entity(
                        id=entity_id,
                        type=kind,
                        name=name,
                        synonyms=tuple(synonym for synonym in found if synonym != name),
                        properties={key: value for key, value in properties.items() if value},
                    )
                )


def _read_relationships(path: Path, builder: GraphBuilder, reader: TableReader) -> None:
    problems = reader.problems
    with reader.table(path, _RELATIONSHIP_COLUMNS) as table:
        own = itemgetter(*table.places(_RELATIONSHIP_COLUMNS))
        others = table.others(_RELATIONSHIP_COLUMNS)
        for line, row in table.rows:
            cells = [cell.strip() for cell in row]
            source, written, target = own(cells)
            kind = known_type(written)
            if not (source and kind and target):
                problems.add(path.name, line, _lacks(_RELATIONSHIP_COLUMNS, own(cells)))
                continue
            one, other = builder.number(source), builder.number(target)
            if one is None or other is None:
                unknown = source if one is None else target
                problems.add(path.name, line, f"unknown entity {unknown}")
                continue
            properties = {column: cells[place] for column, place in others if cells[place]}
            builder.relationship(one, kind, other, properties, line)


def _lacks(columns: Sequence[str], cells: Sequence[str]) -> str:
    missing = [column for column, cell in zip(columns, cells, strict=True) if not cell]
    return f"lacks {', '.join(missing)}"


def _parts(cell: str) -> list[str]:
    """The distinct values in a cell, in their order."""
    return [part for part in dict.fromkeys(map(str.strip, cell.split(SEPARATOR))) if part]
