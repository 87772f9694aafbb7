"""A whole graph on the command line: imported, embedded, moved to another store; and wrong usage."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from filelock import FileLock

from tests.cli.graph.commands import Run, check_failure, strange_graph, the_json
from tests.support.neo4j_server import PASSWORD, USER, Neo4jServer


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
