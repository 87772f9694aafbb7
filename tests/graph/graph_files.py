"""Graph folders for tests, in the formats that are imported."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.domain.graph import Entity, Relationship
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph

KG_HEADER = (
    *("relation", "display_relation"),
    *("x_index", "x_id", "x_type", "x_name", "x_source"),
    *("y_index", "y_id", "y_type", "y_name", "y_source"),
)
Row = tuple[str, str, Sequence[str], Sequence[str]]  # relation, display_relation, two nodes


def open_store(folder: Path) -> SqliteGraph:
    folder.mkdir(parents=True, exist_ok=True)
    return SqliteGraph(Database(folder / "materia.db"), folder / "graph")


def stored_graph(
    store: SqliteGraph,
) -> tuple[dict[str, Entity], dict[tuple[str, str, str], Mapping[str, str]]]:
    """Entities by id, and the properties of relationships by key."""
    relationships: list[Relationship] = list(store.all_relationships())
    keys = {one.key: one.properties for one in relationships}
    assert len(keys) == len(relationships) == store.count_relationships()
    return {entity.id: entity for entity in store.all_entities()}, keys


def write_csv(path: Path, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def write_plain(folder: Path, nodes: str, relationships: str = "source,type,target\n") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "nodes.csv").write_text(nodes, encoding="utf-8")
    (folder / "relationships.csv").write_text(relationships, encoding="utf-8")
    return folder


def write_kg(folder: Path, rows: Sequence[Row]) -> Path:
    """kg.csv with every relationship from both ends, as PrimeKG has it."""
    folder.mkdir(parents=True, exist_ok=True)
    both = [
        (relation, display, *x, *y)
        for relation, display, one, other in rows
        for x, y in ((one, other), (other, one))
    ]
    write_csv(folder / "kg.csv", KG_HEADER, both)
    return folder
