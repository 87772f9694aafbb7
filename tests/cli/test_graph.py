"""The graph on the command line: import, entities, expansion, paths, links in text, vectors, moves."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from filelock import FileLock
from typer.testing import CliRunner

from core.cli import app
from core.domain.documents import Chunk, Document, DocumentState, Filling, Index, Page, Profile
from core.domain.explored.views import GraphView
from core.settings import load_settings
from core.workspace import open_workspace
from tests.domain.answers import an_answer
from tests.support.neo4j_server import PASSWORD, USER, Neo4jServer

ROOT = Path(__file__).resolve().parents[2]
MARKUP = "<img src=x onerror=alert(1)>"
ESCAPE = "Redin\x1b]0;owned\x07 \u202etuo [bold]x[/bold]"
QUOTED = '100% _ \' \\ "quoted"'
NODES = [
    ["id", "type", "name", "synonyms", "indication"],
    ["ODD:1", "Drug", MARKUP, "", "two\nlines"],
    ["ODD:2", "Drug", QUOTED],
    ["ODD:3", "Drug", ESCAPE, "Ghostine"],
    ["ODD:4", "Drug", "Twinomab"],
    ["ODD:5", "Protein", "Twinomab"],
    ["ODD:6", "Drug", "Lonelycine"],
]
RELATIONSHIPS = """source,type,target
ODD:1,INTERACTS_WITH,ODD:2
ODD:3,INTERACTS_WITH,ODD:1
broken row
ODD:1,INTERACTS_WITH,NOBODY
"""
METFORMIN, DIABETES = "DB00331", "DOID:9352"
Run = Callable[..., Result]


@pytest.fixture
def run(isolated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in this process, on an empty data folder unless another is named."""

    def invoke(
        *arguments: str, data: Path | None = None, stdin: bytes = b"", **settings: str
    ) -> Result:
        known = {
            "MATERIA_DATA_DIR": str(data or tmp_path / "data"),
            "MATERIA_SAMPLE": "false",
        }
        for name, value in (known | settings).items():
            monkeypatch.setenv(name, value)
        ended = CliRunner().invoke(app, list(arguments), input=stdin)
        if ended.exception is not None and not isinstance(ended.exception, SystemExit):
            raise ended.exception
        return ended

    return invoke


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder with the sample's graph, strange entities, and a document; for reading only."""
    folder = tmp_path_factory.mktemp("graph commands")
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(("MATERIA_", "NEO4J_", "OPENAI_", "CHROMA_")):
                patch.delenv(name)
        patch.chdir(folder)
        workspace = open_workspace(load_settings(data_dir=folder / "data", sample=False))
        workspace.graph_tasks.import_folder(ROOT / "data" / "graph")
        workspace.graph_tasks.import_folder(strange_graph(folder / "strange"))
        texts = ["Nothing on this page.", "Metformin; again metformin.", "metformin"]
        workspace.library_store.create_index(
            Index("leaflets", Profile.LEAFLET, "none", 3, datetime.now(UTC))
        )
        document = Document(
            "doc", "leaflets", "A.pdf", "A", "hash", 9, 3, 3, DocumentState.INGESTING,
            datetime.now(UTC),
        )  # fmt: skip
        workspace.library_store.begin_documents([document])
        workspace.library_store.finish_documents(
            [
                Filling(
                    document,
                    [Page(n, text) for n, text in enumerate(texts, 1)],
                    [
                        Chunk(f"doc:{n}", "doc", n, n + 1, "", "", 0, len(text), text, "")
                        for n, text in enumerate(texts)
                    ],
                    {"doc:1": {METFORMIN: 2}, "doc:2": {METFORMIN: 1}},
                )
            ]
        )
        session = workspace.conversations.open(None, "First?")[0]
        workspace.conversations.keep(session.id, an_answer("First?"))
        workspace.close()
    yield folder / "data"


def strange_graph(folder: Path) -> Path:
    folder.mkdir()
    with (folder / "nodes.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([*row, *[""] * (5 - len(row))] for row in NODES)
    (folder / "relationships.csv").write_text(RELATIONSHIPS, encoding="utf-8")
    return folder


def the_json(ended: Result) -> Any:
    """The one document on stdout; fails when anything else is there."""
    return json.loads(ended.stdout)


def check_failure(ended: Result, code: str) -> dict[str, Any]:
    assert ended.exit_code == 1 and f"({code})" in ended.stderr, ended.output
    assert len(ended.stderr.strip().splitlines()) == 1, "one plain sentence, no more"
    error: dict[str, Any] = the_json(ended)["error"]
    assert error["code"] == code and error["message"] in ended.stderr
    return error


# -- import ----------------------------------------------------------------------------------------


def test_import_tells_counts_and_malformed_rows(run: Run, tmp_path: Path) -> None:
    folder = strange_graph(tmp_path / "strange")
    ended = run("import-graph", str(folder))
    assert ended.exit_code == 0
    assert "6 entities and 2 relationships" in ended.stdout and "2 rows left out" in ended.stdout
    assert "relationships.csv:4" in ended.stderr and "relationships.csv:5" in ended.stderr
    report = the_json(run("import-graph", str(folder), "--json"))
    assert {"entities", "relationships", "skipped", "problems", "seconds"} <= set(report)
    assert (report["entities"], report["relationships"], report["skipped"]) == (6, 2, 2)
    assert len(report["problems"]) == 2


def test_what_is_gone_from_the_files_stays_until_it_is_to_be_removed(
    run: Run, tmp_path: Path
) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "nodes.csv").write_text("id,type,name\nA:1,Drug,Onabin\nA:2,Drug,Twobin\n")
    (folder / "relationships.csv").write_text("source,type,target\nA:1,RESEMBLES,A:2\n")
    assert run("import-graph", str(folder)).exit_code == 0
    (folder / "nodes.csv").write_text("id,type,name\nA:1,Drug,Onabin\n")
    (folder / "relationships.csv").write_text("source,type,target\n")
    assert run("import-graph", str(folder)).exit_code == 0
    assert run("entity", "Twobin").exit_code == 0
    assert run("import-graph", str(folder), "--remove-missing").exit_code == 0
    assert the_json(run("entity", "Onabin", "--json"))["relationships"] == {}
    check_failure(run("entity", "A:2", "--json"), "ENTITY_NOT_FOUND")


# -- one entity ------------------------------------------------------------------------------------


def test_saved_views_are_listed_shown_and_deleted(run: Run, data: Path) -> None:
    with closing(open_workspace(load_settings(data_dir=data), writer=False)) as workspace:
        view_id = workspace.views.save(MARKUP, GraphView((METFORMIN, "gone"))).id
    (listed,) = the_json(run("view", "list", "--json", data=data))["views"]
    assert (listed["id"], listed["name"], listed["entities"]) == (view_id, MARKUP, 2)
    shown = run("view", "show", view_id, data=data).stdout
    assert "1 of them" in shown and METFORMIN in shown and "gone" not in shown
    assert the_json(run("view", "show", view_id, "--json", data=data))["gone"] == 1
    assert run("view", "delete", view_id, data=data).exit_code == 2  # without a terminal
    assert run("view", "delete", view_id, "--yes", data=data).exit_code == 0
    gone = run("view", "show", view_id, data=data)
    assert gone.exit_code == 1 and "VIEW_NOT_FOUND" in gone.stderr


def test_an_entity_with_the_documents_that_mention_it(run: Run, data: Path) -> None:
    entity = the_json(run("entity", "metformin", "--json", data=data))
    assert entity["documents"] == [{"id": "doc", "file": "A.pdf", "mentions": 3, "pages": [2, 3]}]
    assert entity["more_documents"] is False and entity["others"] == []
    assert entity["relationships"]["TREATS"]["count"] > 0 and entity["properties"]["indication"]
    none = the_json(run("entity", "metformin", "--documents", "0", "--json", data=data))
    assert none["documents"] == [] and none["more_documents"] is True
    shown = run("entity", "metformin", data=data)
    assert shown.exit_code == 0 and "in A.pdf: 3 times, p. 2, 3" in shown.stdout
    for key in entity["properties"]:
        assert f"  {key}: " in shown.stdout
    for kind, facts in entity["relationships"].items():
        assert f"  {kind} ({facts['count']:,}): " in shown.stdout


def test_a_name_that_nobody_has(run: Run, data: Path) -> None:
    error = check_failure(run("entity", "metfromin", "--json", data=data), "ENTITY_NOT_FOUND")
    assert "Did you mean Metformin (Drug, DB00331)" in error["advice"]
    assert {"id": METFORMIN, "type": "Drug", "name": "Metformin"} in error["candidates"]
    error = check_failure(run("entity", "qqqqzzzz", "--json", data=data), "ENTITY_NOT_FOUND")
    assert error["candidates"] == [] and "spelling" in error["advice"]
    check_failure(run("entity", " \t", "--json", data=data), "EMPTY_NAME")


def test_a_name_that_several_have_is_told_and_not_guessed(run: Run, data: Path) -> None:
    ended = run("entity", "TWINOMAB", "--json", data=data)
    error = check_failure(ended, "AMBIGUOUS_NAME")
    assert [(one["id"], one["type"]) for one in error["candidates"]] in (
        [("ODD:4", "Drug"), ("ODD:5", "Protein")],
        [("ODD:5", "Protein"), ("ODD:4", "Drug")],
    )
    assert "ODD:4" in error["message"] and "ODD:5" in error["message"]
    assert the_json(run("entity", "ODD:5", "--json", data=data))["type"] == "Protein"
    for command in (("expand", "Twinomab"), ("paths", "Twinomab", "Metformin")):
        check_failure(run(*command, "--json", data=data), "AMBIGUOUS_NAME")


def test_what_tells_entities_of_one_name_apart(run: Run, data: Path) -> None:
    error = check_failure(run("entity", "twinomab", "--json", data=data), "AMBIGUOUS_NAME")
    for one in error["candidates"]:
        shown = the_json(run("entity", one["id"], "--json", data=data))
        kinds = {kind: found["count"] for kind, found in shown["relationships"].items()}
        assert one["relationships"] == kinds and one["synonyms"] == shown["synonyms"]
    assert "(Drug)" in error["advice"] or "(Protein)" in error["advice"]
    told = run("entity", "twinomab", data=data)
    assert told.exit_code == 1 and not told.stdout
    lines = [line for line in told.stderr.splitlines() if line.startswith("  Twinomab (")]
    assert len(lines) == 2 and all("relationships" in line for line in lines)


def test_the_type_tells_which_is_meant(run: Run, data: Path) -> None:
    for kind, meant in (("Protein", "ODD:5"), ("drug", "ODD:4")):
        found = the_json(run("entity", "twinomab", "--type", kind, "--json", data=data))
        assert found["id"] == meant
        assert [one["id"] for one in found["others"]] == [{"ODD:5": "ODD:4"}.get(meant, "ODD:5")]
        behind = run("expand", f"Twinomab ({kind})", "--hops", "0", "--json", data=data)
        assert [seed["id"] for seed in the_json(behind)["seeds"]] == [meant]
        linked = the_json(run("link", "Give Twinomab.", "--type", kind, "--json", data=data))
        (place,) = linked["mentions"]
        assert place["entity"]["id"] == meant and len(place["others"]) == 1
    ended = run("entity", "twinomab", "--type", "Pathway", "--json", data=data)
    error = check_failure(ended, "ENTITY_NOT_FOUND")
    assert {one["id"] for one in error["candidates"]} == {"ODD:4", "ODD:5"}
    ended = run("entity", "twinomab", "--type", "Gossip", "--json", data=data)
    check_failure(ended, "UNKNOWN_TYPE")


def test_a_part_of_a_name_is_enough_when_only_one_has_it(run: Run, data: Path) -> None:
    assert the_json(run("entity", "onelycin", "--json", data=data))["name"] == "Lonelycine"
    error = check_failure(run("entity", "diabetes", "--json", data=data), "AMBIGUOUS_NAME")
    assert DIABETES in [one["id"] for one in error["candidates"]]


# -- expansion and paths ---------------------------------------------------------------------------


def test_expansion(run: Run, data: Path) -> None:
    found = the_json(run("expand", "metformin", DIABETES, "--limit", "30", "--json", data=data))
    assert [seed["id"] for seed in found["seeds"]] == [METFORMIN, DIABETES]
    entities = found["entities"]
    assert len(entities) == 30 and {one["hops"] for one in entities} <= {0, 1, 2}
    relevances = [one["relevance"] for one in entities]
    assert relevances == sorted(relevances, reverse=True) and max(relevances) <= 1
    assert all(one["reason"] for one in entities)
    known = {one["id"] for one in entities}
    for fact in found["facts"]:
        assert {fact["source"]["id"], fact["target"]["id"]} <= known and fact["relationship"]
    assert any("source_of_fact" in fact["properties"] for fact in found["facts"])
    shown = run("expand", "metformin", "--hops", "1", "--limit", "3", data=data)
    head, first = shown.stdout.splitlines()[:2]
    assert head.split() == ["name", "type", "relevance", "hops", "reason"]
    assert first.split()[:2] == ["Metformin", "Drug"] and "-[" in shown.stdout


def test_expansion_follows_only_what_is_asked_for(run: Run, data: Path) -> None:
    options = ("--hops", "1", "--types", "disease,protein", "--relations", "treats")
    found = the_json(run("expand", "metformin", *options, "--json", data=data))
    assert {one["type"] for one in found["entities"][1:]} == {"Disease"}
    assert {fact["relationship"] for fact in found["facts"]} == {"TREATS"}
    alone = the_json(run("expand", "metformin", "--hops", "0", "--json", data=data))
    assert [one["id"] for one in alone["entities"]] == [METFORMIN]
    for option in ("--types", "--relations"):
        ended = run("expand", "metformin", option, "Drug,Gossip", "--json", data=data)
        assert "TREATS" in check_failure(ended, "UNKNOWN_TYPE")["advice"] or option == "--types"


def test_paths(run: Run, data: Path) -> None:
    found = the_json(run("paths", "metformin", DIABETES, "--json", data=data))
    assert found["source"]["id"] == METFORMIN and found["target"]["id"] == DIABETES
    paths = found["paths"]
    assert 1 < len(paths) <= 10 and found["complete"] is True
    assert [path["hops"] for path in paths] == sorted(path["hops"] for path in paths)
    for path in paths:
        ids = [one["id"] for one in path["entities"]]
        assert ids[0] == METFORMIN and ids[-1] == DIABETES and len(set(ids)) == len(ids)
        assert path["hops"] == len(path["steps"]) == len(path["words"]) == len(ids) - 1
        for step, ends in zip(path["steps"], pairwise(ids), strict=True):
            for fact in step:
                assert {fact["source"]["id"], fact["target"]["id"]} == set(ends)
    shown = run("paths", "metformin", DIABETES, "--limit", "2", data=data)
    assert shown.exit_code == 0 and shown.stdout.startswith("1. Metformin – ")
    assert paths[0]["words"][0] in shown.stdout


def test_paths_within_limits(run: Run, data: Path) -> None:
    direct = ("paths", "metformin", DIABETES, "--max-hops", "1")
    (path,) = the_json(run(*direct, "--json", data=data))["paths"]
    assert path["hops"] == 1
    none = run(*direct, "--relations", "TARGETS", data=data)
    assert none.exit_code == 0 and none.stdout == "" and "No path of at most 1 hops" in none.stderr
    proteins = ("--types", "Protein", "--max-hops", "2", "--json")
    for path in the_json(run("paths", "metformin", DIABETES, *proteins, data=data))["paths"]:
        assert {one["type"] for one in path["entities"][1:-1]} <= {"Protein"}
    far = the_json(run("paths", "metformin", "Lonelycine", "--json", data=data))
    assert far["paths"] == [] and far["complete"] is True
    same = run("paths", "metformin", METFORMIN, "--json", data=data)
    assert same.exit_code == 1 and the_json(same)["error"]["message"]


# -- entities in a text ----------------------------------------------------------------------------

TEXT = "Give metformin in type 2 diabetes; METFORMIN is DB00331. 💊 Ghostine!\n"


def test_entities_in_a_text_with_offsets(run: Run, data: Path, tmp_path: Path) -> None:
    found = the_json(run("link", TEXT, "--json", data=data))
    for place in found["mentions"]:
        assert TEXT[place["start"] : place["end"]] == place["text"]
    named = [(place["text"], place["entity"]["id"]) for place in found["mentions"]]
    assert ("metformin", METFORMIN) in named and ("DB00331", METFORMIN) in named
    assert ("type 2 diabetes", DIABETES) in named and ("Ghostine", "ODD:3") in named
    assert found["entities"][0] == {
        "id": METFORMIN, "type": "Drug", "name": "Metformin",
        "count": sum(entity == METFORMIN for _, entity in named),
    }  # fmt: skip
    assert the_json(run("link", "-", "--json", data=data, stdin=TEXT.encode())) == found
    (tmp_path / "a text").write_bytes(TEXT.encode())
    from_file = run("link", "--file", str(tmp_path / "a text"), "--json", data=data)
    assert the_json(from_file) == found
    shown = run("link", TEXT, data=data)
    assert "5-14  metformin  Metformin (Drug, DB00331)" in shown.stdout.splitlines()


def test_texts_without_entities_and_what_is_no_text(run: Run, data: Path, tmp_path: Path) -> None:
    none = run("link", "The weather was fine.", data=data)
    assert none.exit_code == 0 and none.stdout == "" and "names no entity" in none.stderr
    empty = {"mentions": [], "entities": []}
    assert the_json(run("link", "The weather was fine.", "--json", data=data)) == empty
    check_failure(run("link", " ", "--json", data=data), "EMPTY_TEXT")
    check_failure(run("link", "-", "--json", data=data, stdin=b"\xff\xfe"), "NOT_UTF8")
    missing = run("link", "--file", str(tmp_path / "nowhere"), "--json", data=data)
    check_failure(missing, "FILE_NOT_FOUND")
    assert str(tmp_path) not in missing.output


# -- vectors ---------------------------------------------------------------------------------------


def test_embedding_tells_what_it_did_and_does_nothing_twice(
    run: Run, tmp_path: Path, onnx_models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MATERIA_MODELS_DIR", str(onnx_models))
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "nodes.csv").write_text(
        "id,type,name\nA:1,Drug,Onabin\nA:2,Disease,Twosis\nA:3,Pathway,Threeing\n"
    )
    (folder / "relationships.csv").write_text("source,type,target\nA:1,TREATS,A:2\n")
    run("import-graph", str(folder))
    first = the_json(run("embed-graph", "--types", "drug", "--json"))
    assert (first["total"], first["processed"], first["unchanged"], first["failed"]) == (1, 1, 0, 0)
    both = the_json(run("embed-graph", "--json"))
    assert (both["total"], both["processed"], both["unchanged"], both["failed"]) == (2, 1, 1, 0)
    assert both["cost_usd"] == 0
    again = run("embed-graph")
    assert again.exit_code == 0 and "0 entities embedded, 2 unchanged" in again.stdout
    check_failure(run("embed-graph", "--types", "Pathway", "--json"), "UNKNOWN_TYPE")


# -- moving between stores -------------------------------------------------------------------------


def test_moving_needs_a_server_that_answers(run: Run, data: Path) -> None:
    move = ("migrate", "--from", "sqlite", "--to", "neo4j", "--json")
    error = check_failure(run(*move, data=data), "NEO4J_NOT_CONFIGURED")
    assert "NEO4J_URI" in error["message"]
    ended = run(*move, data=data, NEO4J_URI="bolt://127.0.0.1:1", MATERIA_NEO4J_TIMEOUT_SECONDS="2")
    assert check_failure(ended, "GRAPH_UNAVAILABLE")["retryable"] is True
    with FileLock(data / "writer.lock"):
        check_failure(run(*move, data=data), "LIBRARY_IN_USE")


@pytest.mark.usefixtures("neo4j")  # which empties the server
def test_moving_there_and_back(
    run: Run, data: Path, tmp_path: Path, neo4j_server: Neo4jServer
) -> None:
    settings = {"NEO4J_URI": neo4j_server.uri, "NEO4J_USER": USER, "NEO4J_PASSWORD": PASSWORD}
    settings |= {"MATERIA_DOCUMENTS_IN_NEO4J": "true", "MATERIA_NEO4J_TIMEOUT_SECONDS": "30"}
    there = run("migrate", "--from", "sqlite", "--to", "neo4j", "--json", data=data, **settings)
    moved = the_json(there)
    assert there.exit_code == 0 and (moved["source"], moved["target"]) == ("sqlite", "neo4j")
    contents = moved["contents"]
    assert contents["entities"]["Drug"] > 200 and contents["relationships"]["TREATS"] > 100
    assert contents["conversations"] == contents["turns"] == contents["documents"] == 1
    assert (contents["pages"], contents["chunks"], contents["mentions"]) == (3, 3, 3)
    elsewhere = tmp_path / "elsewhere"
    back = run("migrate", "--from", "neo4j", "--to", "sqlite", data=elsewhere, **settings)
    assert back.exit_code == 0 and "both are the same" in back.stdout
    assert PASSWORD not in there.output + back.output
    for name in (*settings, "MATERIA_NEO4J_PASSWORD"):
        os.environ.pop(name, None)
    command = ("entity", "metformin", "--json")
    assert the_json(run(*command, data=elsewhere)) == the_json(run(*command, data=data))


# -- usage, hostile names --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("entity",),
        ("entity", "x", "--documents", "-1"),
        ("expand",),
        ("expand", "x", "--hops", "3"),
        ("expand", "x", "--limit", "0"),
        ("paths", "x"),
        ("paths", "x", "y", "--max-hops", "5"),
        ("paths", "x", "y", "--max-hops", "0"),
        ("link",),
        ("link", "text", "--file", "a.txt"),
        ("migrate",),
        ("migrate", "--from", "sqlite"),
        ("migrate", "--from", "sqlite", "--to", "sqlite"),
        ("migrate", "--from", "sqlite", "--to", "oracle"),
    ],
)
def test_wrong_usage_is_exit_code_2(run: Run, arguments: Sequence[str]) -> None:
    ended = run(*arguments)
    assert ended.exit_code == 2 and ended.stdout == "" and "Usage" in ended.stderr


@pytest.mark.parametrize("name", [MARKUP, QUOTED, ESCAPE, "ODD:3", "Ghostine"], ids=range(5))
def test_strange_names_are_found_and_printed_as_plain_text(run: Run, data: Path, name: str) -> None:
    entity = the_json(run("entity", name, "--json", data=data))
    assert entity["id"].startswith("ODD:")
    other = "ODD:2" if entity["id"] == "ODD:1" else "ODD:1"
    for command in (("entity", name), ("expand", name), ("paths", name, other)):
        ended = run(*command, data=data)
        assert ended.exit_code == 0 and ended.stdout
        assert all(c.isprintable() for line in ended.output.splitlines() for c in line)
        as_json = run(*command, "--json", data=data)
        assert as_json.exit_code == 0 and the_json(as_json)


@pytest.mark.parametrize(
    "name",
    [
        "' OR 1=1 --", "%", "_%_", "*", '"', "\\", "\x00", "\udcff\udcfe", "../../etc/passwd",
        "MATCH (n) DETACH DELETE n", "${HOME}", "{{7*7}}", "x" * 10_000, "\x1b[2J", "💊", "--", "[/b]",
    ],
    ids=range(17),
)  # fmt: skip
def test_no_name_does_more_than_not_being_found(run: Run, data: Path, name: str) -> None:
    for command in (("entity",), ("expand",), ("paths", "metformin"), ("link",)):
        ended = run(*command, "--json", "--", name, data=data)
        assert ended.exit_code in (0, 1), ended.output
        found = the_json(ended)
        assert "error" not in found or found["error"]["message"]
        assert all(c.isprintable() for line in ended.stderr.splitlines() for c in line)
