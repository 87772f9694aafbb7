"""What only the SQLite graph has: its files, their damage and crashes.

What every graph store does is tested in tests/contract/test_graph.py.
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.domain.graph import Entity, Relationship
from core.errors import StoreError
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from tests.support.graphs import graph_data

ROOT = Path(__file__).resolve().parents[2]
METFORMIN = Entity("D1", "Drug", "Metformin", ("Glucophage",), {"state": "solid"}, 3, 0.9)
WARFARIN = Entity("D2", "Drug", "Warfarin", importance=0.2)
ENTITIES = [METFORMIN, WARFARIN]
RELATIONSHIPS = [Relationship("D2", "INTERACTS_WITH", "D1", {"level": "low"})]
MANY = [Entity(f"M{n:04}", "Drug", f"Drug {n}", importance=0.1) for n in range(2000)]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path / "materia.db")
    yield opened
    opened.close()


@pytest.fixture
def store(database: Database, tmp_path: Path) -> SqliteGraph:
    """A store with the small graph in its first generation."""
    graph = SqliteGraph(database, tmp_path / "graph")
    graph.replace(graph_data(ENTITIES, RELATIONSHIPS))
    return graph


def files(tmp_path: Path) -> list[str]:
    return sorted(path.name for path in (tmp_path / "graph").iterdir())


# -- files -----------------------------------------------------------------------------------------


def test_one_file_is_kept(store: SqliteGraph, tmp_path: Path) -> None:
    assert files(tmp_path) == ["1.db"] and store.version() == 1
    store.replace(graph_data([WARFARIN], []))
    assert files(tmp_path) == ["2.db"] and store.version() == 2
    assert list(store.all_entities()) == [WARFARIN]


def test_nothing_is_made_before_the_first_import(database: Database, tmp_path: Path) -> None:
    graph = SqliteGraph(database, tmp_path / "graph")
    assert list(graph.all_entities()) == [] and not (tmp_path / "graph").exists()


def test_the_graph_outlives_the_process(store: SqliteGraph, tmp_path: Path) -> None:
    store.close()
    again = Database(tmp_path / "materia.db")
    graph = SqliteGraph(again, tmp_path / "graph")
    assert graph.version() == 1 and list(graph.all_entities()) == ENTITIES
    assert list(graph.all_relationships()) == RELATIONSHIPS
    again.close()


def test_a_closed_store_can_be_read_again(store: SqliteGraph) -> None:
    names = store.all_names()
    assert next(names)[0] == "Metformin"
    store.close()
    assert next(names)[0] == "Glucophage" and store.entities(["D2"]) == {"D2": WARFARIN}


def test_a_stream_goes_on_in_the_graph_that_it_was_begun_in(
    database: Database, tmp_path: Path
) -> None:
    graph = SqliteGraph(database, tmp_path / "graph")
    graph.replace(graph_data(MANY, []))
    stream = graph.all_entities()
    first = next(stream)
    graph.replace(graph_data(ENTITIES, []))
    assert files(tmp_path) == ["2.db"]
    assert [first, *stream] == sorted(MANY, key=lambda entity: entity.name)
    assert list(graph.all_entities()) == ENTITIES


def test_another_opener_of_the_folder_sees_the_switch(store: SqliteGraph, tmp_path: Path) -> None:
    """The server and a command read the same folder."""
    other_database = Database(tmp_path / "materia.db")
    other = SqliteGraph(other_database, tmp_path / "graph")
    assert other.entities(["D1"]) == {"D1": METFORMIN}
    for version in (2, 3):
        store.replace(graph_data([replace(METFORMIN, name=f"Metformin {version}")], []))
        assert other.version() == version
        assert other.entities(["D1", "D2"])["D1"].name == f"Metformin {version}"
    other_database.close()


def test_any_folder_name_serves(database: Database, tmp_path: Path) -> None:
    graph = SqliteGraph(database, tmp_path / "a b?mode=rw#ü%20'\"" / "graph")
    graph.replace(graph_data(ENTITIES, RELATIONSHIPS))
    assert list(graph.all_entities()) == ENTITIES


def test_files_of_others_are_left_alone(store: SqliteGraph, tmp_path: Path) -> None:
    for name in ("notes.txt", "backup.db", "1.db.bak", "x1.db"):
        (tmp_path / "graph" / name).write_text("mine")
    (tmp_path / "graph" / "7.db").mkdir()
    store.replace(graph_data([WARFARIN], []))
    assert files(tmp_path) == ["1.db.bak", "2.db", "7.db", "backup.db", "notes.txt", "x1.db"]


def test_a_large_projection_is_kept_in_parts(database: Database, tmp_path: Path) -> None:
    graph = SqliteGraph(database, tmp_path / "graph")
    large = bytes(range(256)) * 130_000  # 33 MB
    graph.replace(replace(graph_data(ENTITIES, []), projection=large))
    assert graph.projection() == large


# -- damage ----------------------------------------------------------------------------------------


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:6000])


def overwrite(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100] + b"\xff" * (path.stat().st_size - 100))


def forget_the_end(path: Path) -> None:
    """As a file is that was never written to its end."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 0")


@pytest.mark.parametrize(
    "damage",
    [
        Path.unlink,
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"no database " * 1000),
        cut,
        overwrite,
        forget_the_end,
    ],
    ids=["missing", "empty", "other", "cut", "overwritten", "incomplete"],
)
def test_a_damaged_graph_says_so_until_it_is_imported_again(
    store: SqliteGraph, tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    store.close()
    damage(tmp_path / "graph" / "1.db")
    for read in (
        lambda: store.entities(["D1"]),
        lambda: store.search_entities("met"),
        lambda: list(store.all_relationships()),
        store.projection,
    ):
        with pytest.raises(StoreError) as caught:
            read()
        assert caught.value.code == "GRAPH_DAMAGED" and not caught.value.retryable
        assert "Import the graph again" in str(caught.value)
        assert str(tmp_path) not in str(caught.value)
    assert store.version() == 1
    store.replace(graph_data(ENTITIES, RELATIONSHIPS))
    assert list(store.all_entities()) == ENTITIES and files(tmp_path) == ["2.db"]


def test_a_file_in_the_folders_place(database: Database, tmp_path: Path) -> None:
    (tmp_path / "graph").write_text("x")
    graph = SqliteGraph(database, tmp_path / "graph")
    with pytest.raises(StoreError) as caught:
        graph.replace(graph_data(ENTITIES, []))
    assert "cannot be written" in str(caught.value) and str(tmp_path) not in str(caught.value)
    assert graph.version() == 0 and (tmp_path / "graph").read_text() == "x"


def test_a_switch_that_is_refused_leaves_the_old_graph(
    store: SqliteGraph, database: Database, tmp_path: Path
) -> None:
    database.connection.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreError) as caught:
        store.replace(graph_data([WARFARIN], []))
    assert "refused a write" in str(caught.value)
    assert files(tmp_path) == ["1.db"] and list(store.all_entities()) == ENTITIES
    database.connection.execute("PRAGMA query_only = OFF")
    store.replace(graph_data([WARFARIN], []))
    assert files(tmp_path) == ["2.db"] and list(store.all_entities()) == [WARFARIN]


_WRITER = """
import os, resource, sys
from pathlib import Path
from core.domain.graph import Entity
from core.errors import StoreError
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from tests.support.graphs import graph_data

folder, at = Path(sys.argv[1]), sys.argv[2]
database = Database(folder / "materia.db")

def die(statement):
    if at in statement:
        os._exit(9)

def check():
    if at == "while writing":
        os._exit(9)

if at == "full disk":
    resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
database.connection.set_trace_callback(die)
new = [Entity(f"N{n}", "Drug", f"New {n}") for n in range(3000)]
try:
    SqliteGraph(database, folder / "graph").replace(graph_data(new, []), check=check)
except StoreError as error:
    print(error.code, error.retryable, error)
"""


def write_in_a_process(folder: Path, at: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _WRITER, str(folder), at],
        cwd=ROOT, timeout=60, check=False, capture_output=True, text=True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("at", "left"),
    [
        ("while writing", ["1.db", "2.db"]),
        ("INSERT INTO counters", ["1.db", "2.db"]),
        ("PRAGMA synchronous = NORMAL", ["1.db", "2.db"]),
    ],
    ids=["while writing", "before the switch", "after the switch"],
)
def test_a_killed_import_leaves_the_old_graph_or_the_new_one(
    store: SqliteGraph, tmp_path: Path, at: str, left: list[str]
) -> None:
    assert write_in_a_process(tmp_path, at).returncode == 9
    assert [name for name in files(tmp_path) if name.endswith(".db")] == left
    switched = at.startswith("PRAGMA")
    assert store.version() == (2 if switched else 1)
    if switched:
        assert store.counts_by_type() == {"Drug": 3000} and store.entities(["D1"]) == {}
    else:
        assert list(store.all_entities()) == ENTITIES
        assert list(store.all_relationships()) == RELATIONSHIPS
    store.replace(graph_data([WARFARIN], []))
    assert files(tmp_path) == [f"{store.version()}.db"]
    assert list(store.all_entities()) == [WARFARIN]


def test_a_full_disk_leaves_the_old_graph(store: SqliteGraph, tmp_path: Path) -> None:
    """A limit on the size of files stands in for the disk's end."""
    ended = write_in_a_process(tmp_path, "full disk")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("STORE_UNAVAILABLE True The knowledge graph cannot be written")
    assert "free disk space" in ended.stdout and str(tmp_path) not in ended.stdout
    assert files(tmp_path) == ["1.db"] and list(store.all_entities()) == ENTITIES
