"""Importing a graph folder: the plain pair, what is left out, and importing again."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.graph import Entity
from core.errors import Cancelled, InputError, NotFound, StoreError
from core.graph.importing.csv_rows import GRAPH_FORMAT
from core.graph.importing.importer import import_graph, read_graph
from core.stores.sqlite.graph import SqliteGraph
from tests.graph.graph_files import open_store, stored_graph, write_csv, write_plain


@pytest.fixture
def store(tmp_path: Path) -> SqliteGraph:
    return open_store(tmp_path / "data")


# --- the plain pair


def test_the_plain_pair(tmp_path: Path, store: SqliteGraph) -> None:
    folder = write_plain(
        tmp_path / "in",
        "name,id,type,synonyms,indication,identifiers,state\n"
        "Metformin,D1,Drug,Glucophage | Metformin||Diabex|Glucophage,diabetes, MESH:D1 ||UNII:9 ,\n"
        "type 2 diabetes mellitus,X1,Disease,,,|,\n"
        '"<img src=x onerror=alert(1)>",D2,Drug,,"\'; DROP TABLE entities; --",,\n',
        "source,type,target,evidence\nD1,TREATS,X1,label\nD2,RESEMBLES,D1,\n",
    )
    report = import_graph(folder, store)
    assert (report.entities, report.relationships, report.skipped) == (3, 2, 0)
    entities, relationships = stored_graph(store)
    assert entities["D1"].synonyms == ("Glucophage", "Diabex")
    assert entities["D1"].properties == {"indication": "diabetes", "identifiers": "MESH:D1|UNII:9"}
    assert (entities["D1"].degree, entities["D1"].importance) == (2, 1.0)
    assert entities["X1"].properties == {}
    assert (entities["X1"].degree, 0 < entities["X1"].importance < 1) == (1, True)
    assert entities["D2"].name == "<img src=x onerror=alert(1)>"
    assert entities["D2"].properties == {"indication": "'; DROP TABLE entities; --"}
    assert relationships == {
        ("D1", "TREATS", "X1"): {"evidence": "label"},
        ("D2", "RESEMBLES", "D1"): {},
    }


def test_malformed_rows_are_listed_with_their_lines(tmp_path: Path, store: SqliteGraph) -> None:
    folder = write_plain(
        tmp_path / "in",
        'id,type,name,synonyms\nD1,Drug,"Met\nformin",\n,Drug,Nameless,\nD2,Drug,,\n'
        "D1,Drug,Again,\nD3,Drug\n\nD4,Drug,Aspirin,\n",
        'source,type,target\nD1,RESEMBLES,D4\nD1,TREATS,X9\nD1,,D4\nD1,RESEMBLES,D4\n"a"b,c,d\nD1,\0,D4\n',
    )
    report = import_graph(folder, store)
    assert sorted(stored_graph(store)[0]) == ["D1", "D4"]
    assert report.relationships == 1
    assert report.skipped == len(report.problems) == 9
    assert report.problems[:7] == (
        "nodes.csv:4 lacks id",
        "nodes.csv:5 lacks name",
        "nodes.csv:6 repeats the id D1",
        "nodes.csv:7 has 2 columns, the header has 4",
        "relationships.csv:3 unknown entity X9",
        "relationships.csv:4 lacks type",
        "relationships.csv:5 repeats D1 RESEMBLES D4",
    )
    assert report.problems[7].startswith("relationships.csv:6 cannot be read")
    assert report.problems[8] == "relationships.csv:7 cannot be read: it holds a NUL character"


def test_of_very_many_malformed_rows_a_thousand_are_listed(
    tmp_path: Path, store: SqliteGraph
) -> None:
    rows = "".join(f"D1,TREATS,{'X' * 500}{number}\n" for number in range(25_000))
    folder = write_plain(
        tmp_path / "in", "id,type,name\nD1,Drug,Metformin\n", f"source,type,target\n{rows}"
    )
    report = import_graph(folder, store)
    assert (report.skipped, len(report.problems)) == (25_000, 1_000)
    assert report.problems[-1].startswith("relationships.csv:1001 unknown entity XXX")
    assert max(map(len, report.problems)) < 300


def test_a_byte_order_mark_is_no_part_of_the_first_column(tmp_path: Path) -> None:
    folder = write_plain(tmp_path, "\ufeffid,type,name\nD1,Drug,Metformin\n")
    assert [entity.name for entity in read_graph(folder)[0].build().entities] == ["Metformin"]


WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="|\0"), min_size=1)
PLAIN = WORDS.filter(lambda text: text == text.strip())
ENTITIES = st.lists(
    st.builds(
        Entity,
        id=PLAIN,
        type=PLAIN,
        name=PLAIN,
        synonyms=st.lists(PLAIN, max_size=3, unique=True).map(tuple),
        properties=st.fixed_dictionaries({}, optional={"state": PLAIN, "note": PLAIN}),
    ).filter(lambda entity: entity.name not in entity.synonyms),
    min_size=1,
    max_size=8,
    unique_by=lambda entity: entity.id,
)


@settings(max_examples=100, deadline=None)
@given(ENTITIES, st.data())
def test_what_is_written_comes_back_from_the_store(
    entities: list[Entity], data: st.DataObject
) -> None:
    ends = st.sampled_from([entity.id for entity in entities])
    keys = data.draw(st.lists(st.tuples(ends, PLAIN, ends), max_size=12, unique=True))
    evidence = data.draw(
        st.lists(st.just("") | PLAIN, min_size=len(keys), max_size=len(keys)), label="evidence"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_csv(
            folder / "nodes.csv",
            ["id", "type", "name", "synonyms", "state", "note"],
            [
                (
                    *(e.id, e.type, e.name, "|".join(e.synonyms)),
                    *(e.properties.get(column, "") for column in ("state", "note")),
                )
                for e in entities
            ],
        )
        write_csv(
            folder / "relationships.csv",
            ["source", "type", "target", "evidence"],
            [(*key, cell) for key, cell in zip(keys, evidence, strict=True)],
        )
        store = open_store(folder)
        first = import_graph(folder, store)
        stored = stored_graph(store)
        again = import_graph(folder, store)
        assert stored_graph(store) == stored
        store.close()
    assert (first.entities, first.relationships, first.skipped) == (len(entities), len(keys), 0)
    assert (again.entities, again.relationships, again.skipped) == (len(entities), len(keys), 0)
    found, relationships = stored
    assert relationships == {
        key: ({"evidence": cell} if cell else {}) for key, cell in zip(keys, evidence, strict=True)
    }
    assert list(found) == [
        entity.id for entity in sorted(found.values(), key=lambda e: (-e.importance, e.name, e.id))
    ]
    for entity in entities:
        read = found[entity.id]
        assert (read.type, read.name, read.synonyms) == (entity.type, entity.name, entity.synonyms)
        assert read.properties == entity.properties
        assert read.degree == sum(entity.id in (source, target) for source, _, target in keys)
        assert 0 < read.importance <= 1
    assert max(entity.importance for entity in found.values()) == 1


# --- importing again

NODES = "id,type,name,indication\nD1,Drug,Metformin,diabetes\nX1,Disease,diabetes,\n"
RELATIONSHIPS = "source,type,target,evidence\nD1,TREATS,X1,label\n"
CHANGED_NODES = "id,type,name,indication\nD1,Drug,Metformin HCl,\nD2,Drug,Aspirin,pain\n"
CHANGED_RELATIONSHIPS = "source,type,target\nD1,RESEMBLES,D2\n"


def test_importing_again_changes_nothing(tmp_path: Path, store: SqliteGraph) -> None:
    folder = write_plain(tmp_path / "in", NODES, RELATIONSHIPS)
    first = import_graph(folder, store)
    before = stored_graph(store)
    again = import_graph(folder, store)
    assert stored_graph(store) == before
    assert (first.entities_added, first.relationships_added) == (2, 1)
    assert (again.entities, again.relationships) == (first.entities, first.relationships)
    changes = (again.entities_added, again.entities_updated, again.entities_removed)
    assert (*changes, again.relationships_added, again.relationships_removed) == (0,) * 5


def test_a_new_import_updates_and_keeps_what_it_does_not_name(
    tmp_path: Path, store: SqliteGraph
) -> None:
    import_graph(write_plain(tmp_path / "old", NODES, RELATIONSHIPS), store)
    folder = write_plain(tmp_path / "new", CHANGED_NODES, CHANGED_RELATIONSHIPS)
    report = import_graph(folder, store)
    entities, relationships = stored_graph(store)
    # Its name is new; the indication, which the new file leaves empty, stays.
    assert entities["D1"].name == "Metformin HCl"
    assert entities["D1"].properties == {"indication": "diabetes"}
    assert (entities["D1"].degree, entities["X1"].degree, entities["D2"].degree) == (2, 1, 1)
    assert relationships == {
        ("D1", "TREATS", "X1"): {"evidence": "label"},
        ("D1", "RESEMBLES", "D2"): {},
    }
    assert (report.entities, report.relationships) == (2, 1)
    assert (report.entities_added, report.entities_updated, report.entities_removed) == (1, 1, 0)
    assert (report.relationships_added, report.relationships_removed) == (1, 0)


def test_properties_of_a_relationship_are_updated(tmp_path: Path, store: SqliteGraph) -> None:
    import_graph(write_plain(tmp_path / "old", NODES, RELATIONSHIPS), store)
    import_graph(write_plain(tmp_path / "new", NODES, RELATIONSHIPS.replace("label", "x")), store)
    assert stored_graph(store)[1] == {("D1", "TREATS", "X1"): {"evidence": "x"}}


def test_what_is_gone_is_removed_when_asked(tmp_path: Path, store: SqliteGraph) -> None:
    import_graph(write_plain(tmp_path / "old", NODES, RELATIONSHIPS), store)
    folder = write_plain(tmp_path / "new", CHANGED_NODES, CHANGED_RELATIONSHIPS)
    report = import_graph(folder, store, remove_missing=True)
    entities, relationships = stored_graph(store)
    assert (sorted(entities), list(relationships)) == (["D1", "D2"], [("D1", "RESEMBLES", "D2")])
    assert (report.entities_added, report.entities_updated, report.entities_removed) == (1, 1, 1)
    assert (report.relationships_added, report.relationships_removed) == (1, 1)


@pytest.mark.parametrize("stage", ["reading", "joining", "ranking", "storing"])
def test_a_cancelled_import_leaves_the_old_graph(
    tmp_path: Path, store: SqliteGraph, stage: str
) -> None:
    import_graph(write_plain(tmp_path / "old", NODES, RELATIONSHIPS), store)
    before, version = stored_graph(store), store.version()
    stages: list[str] = []

    def check() -> None:
        if stages and stages[-1].startswith(stage):
            raise Cancelled("The import was stopped.")

    folder = write_plain(tmp_path / "new", CHANGED_NODES, CHANGED_RELATIONSHIPS)
    with pytest.raises(Cancelled):
        import_graph(folder, store, check=check, report=lambda words, _share: stages.append(words))
    assert (stored_graph(store), store.version()) == (before, version)


def test_progress_is_told_in_words_and_grows(tmp_path: Path, store: SqliteGraph) -> None:
    rows = "".join(f"D{number},Drug,name {number}\n" for number in range(30_000))
    told: list[tuple[str, float]] = []
    folder = write_plain(tmp_path / "in", f"id,type,name\n{rows}")
    import_graph(folder, store, report=lambda words, share: told.append((words, share)))
    shares = [share for _, share in told]
    assert shares == sorted(shares)
    assert all(0 <= share <= 1 for share in shares)
    assert list(dict.fromkeys(words for words, _ in told)) == [
        *("reading nodes.csv", "reading relationships.csv"),
        *("joining the stored graph", "ranking", "storing"),
    ]
    reading = {share for words, share in told if words == "reading nodes.csv"}
    assert len(reading) >= 3


def test_a_damaged_graph_is_replaced_when_the_whole_is(tmp_path: Path) -> None:
    folder = write_plain(tmp_path / "in", NODES, RELATIONSHIPS)
    store = open_store(tmp_path / "data")
    import_graph(folder, store)
    store.close()
    for file in (tmp_path / "data" / "graph").glob("*.db"):
        file.write_bytes(b"no database at all" * 1_000)
    store = open_store(tmp_path / "data")
    with pytest.raises(StoreError, match="choose to remove") as caught:
        import_graph(folder, store)
    assert caught.value.code == "GRAPH_DAMAGED"
    import_graph(folder, store, remove_missing=True)
    assert sorted(stored_graph(store)[0]) == ["D1", "X1"]


# --- what is no graph


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no folder 'nowhere'"):
        read_graph(tmp_path / "nowhere")


def test_folders_and_files_that_are_no_graph(tmp_path: Path) -> None:
    def error() -> str:
        with pytest.raises(InputError) as caught:
            read_graph(tmp_path)
        assert caught.value.code == GRAPH_FORMAT
        assert caught.value.advice
        assert str(tmp_path) not in str(caught.value)
        return caught.value.message

    assert "no graph" in error()
    write_plain(tmp_path, "id;type;name\nD1;Drug;Metformin\n")
    assert error() == "nodes.csv lacks the column id, type, name."
    write_plain(tmp_path, "id,type,name,name\n")
    assert error() == "nodes.csv names the column name more than once."
    write_plain(tmp_path, "")
    assert "lacks the column" in error()
    write_plain(tmp_path, 'id,type,name\nD1,Drug,"Metformin\nD2,Drug,Aspirin\n')
    assert "never closed, from line 2 on" in error()
    (tmp_path / "nodes.csv").write_bytes("id,type,name\nD1,Drug,Caf\u00e9\n".encode("latin-1"))
    assert error() == "nodes.csv is not UTF-8 text."
    (tmp_path / "nodes.csv").write_bytes("id,type,name\nD1,Drug,X\n".encode("utf-16"))
    assert error() == "nodes.csv is not UTF-8 text."


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "graph").write_text("x")
    with pytest.raises(InputError):
        read_graph(tmp_path / "graph")
