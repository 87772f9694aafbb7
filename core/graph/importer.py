"""A folder of CSV files becomes a graph in the store.

Two formats: the plain pair nodes.csv (id, type, name, synonyms joined with ``|``, further columns
are properties) and relationships.csv (source, type, target, further columns are properties), or
PrimeKG's kg.csv (see `core.graph.primekg`). When a folder has both, the plain pair is read.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.domain.graph import Entity, ImportReport, Relationship
from core.errors import NotFound
from core.graph.centrality import with_centrality
from core.graph.csv_rows import Problems, graph_format_error, read_rows
from core.graph.primekg import KG_FILE, read_primekg
from core.graph.store import GraphStore

NODES_FILE = "nodes.csv"
RELATIONSHIPS_FILE = "relationships.csv"
SYNONYM_SEPARATOR = "|"
_NODE_COLUMNS = ("id", "type", "name")
_SYNONYMS = "synonyms"
_RELATIONSHIP_COLUMNS = ("source", "type", "target")


@dataclass(frozen=True, slots=True)
class GraphData:
    """What a graph folder holds.

    Attributes:
        entities: with degree and importance set, ids unique.
        relationships: keys unique, both ends among the entities.
        problems: the rows left out, ``relationships.csv:17 unknown entity X``; the first thousand.
        skipped: number of all rows left out.
    """

    entities: tuple[Entity, ...]
    relationships: tuple[Relationship, ...]
    problems: tuple[str, ...]
    skipped: int


def read_graph(folder: Path) -> GraphData:
    """Read a graph folder of either format.

    Raises:
        NotFound: there is no such folder.
        InputError: code GRAPH_FORMAT; the folder holds no graph, or a file is not UTF-8 or lacks a
            column.
    """
    if not folder.exists():
        raise NotFound(
            f"There is no folder {folder.name!r}.", advice="Check the name of the graph folder."
        )
    problems = Problems()
    if (folder / NODES_FILE).is_file() and (folder / RELATIONSHIPS_FILE).is_file():
        entities = _plain_entities(folder / NODES_FILE, problems)
        relationships = _plain_relationships(folder / RELATIONSHIPS_FILE, entities, problems)
        found = tuple(entities.values()), tuple(relationships.values())
    elif (folder / KG_FILE).is_file():
        found = read_primekg(folder, problems)
    else:
        raise graph_format_error(f"{folder.name!r} holds no graph in a format known here.")
    return GraphData(
        entities=with_centrality(*found),
        relationships=found[1],
        problems=tuple(problems.listed),
        skipped=problems.skipped,
    )


def import_graph(folder: Path, store: GraphStore) -> ImportReport:
    """Read a graph folder and put it into the store, all of it or nothing.

    Degree and importance are those of the folder's own graph.

    Raises:
        NotFound, InputError: as `read_graph`.
        StoreError: the store refused the write.
    """
    start = time.perf_counter()
    graph = read_graph(folder)
    store.replace_graph(graph.entities, graph.relationships)
    return ImportReport(
        entities=len(graph.entities),
        relationships=len(graph.relationships),
        skipped=graph.skipped,
        problems=graph.problems,
        seconds=time.perf_counter() - start,
    )


def _plain_entities(path: Path, problems: Problems) -> dict[str, Entity]:
    entities: dict[str, Entity] = {}
    for line, row in read_rows(path, _NODE_COLUMNS, problems):
        missing = [column for column in _NODE_COLUMNS if not row[column]]
        if missing:
            problems.add(path.name, line, f"lacks {', '.join(missing)}")
        elif row["id"] in entities:
            problems.add(path.name, line, f"repeats the id {row['id']}")
        else:
            entities[row["id"]] = Entity(
                id=row["id"],
                type=row["type"],
                name=row["name"],
                synonyms=_synonyms(row.get(_SYNONYMS, ""), row["name"]),
                properties=_properties(row, (*_NODE_COLUMNS, _SYNONYMS)),
            )
    return entities


def _plain_relationships(
    path: Path, entities: Mapping[str, Entity], problems: Problems
) -> dict[tuple[str, str, str], Relationship]:
    relationships: dict[tuple[str, str, str], Relationship] = {}
    for line, row in read_rows(path, _RELATIONSHIP_COLUMNS, problems):
        source, kind, target = (row[column] for column in _RELATIONSHIP_COLUMNS)
        missing = [column for column in _RELATIONSHIP_COLUMNS if not row[column]]
        unknown = [end for end in (source, target) if end not in entities]
        if missing:
            problems.add(path.name, line, f"lacks {', '.join(missing)}")
        elif unknown:
            problems.add(path.name, line, f"unknown entity {unknown[0]}")
        elif (source, kind, target) in relationships:
            problems.add(path.name, line, f"repeats {source} {kind} {target}")
        else:
            relationships[source, kind, target] = Relationship(
                source, kind, target, _properties(row, _RELATIONSHIP_COLUMNS)
            )
    return relationships


def _synonyms(cell: str, name: str) -> tuple[str, ...]:
    """The distinct synonyms in a cell, in their order, without the name itself."""
    synonyms = (synonym.strip() for synonym in cell.split(SYNONYM_SEPARATOR))
    return tuple(dict.fromkeys(synonym for synonym in synonyms if synonym not in ("", name)))


def _properties(row: Mapping[str, str], own_columns: tuple[str, ...]) -> dict[str, str]:
    return {name: value for name, value in row.items() if value and name not in own_columns}
