"""The command line as scripts use it: fields, exit codes, what is on stdout and stderr."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from tests.cli.runner import CommandLine, Ended, check_failure, the_json


def test_ingest_prints_one_json_line_a_file(ingested: Ended) -> None:
    lines = [json.loads(line) for line in ingested.stdout.splitlines()]
    fields = {"file", "state", "code", "message", "pages", "chunks", "seconds"}
    assert all(fields <= set(line) for line in lines)
    by_name = {line["file"]: line for line in lines}
    assert {name: (line["state"], line["code"]) for name, line in by_name.items()} == {
        "Metformin.pdf": ("ready", "OK"),
        "a <b>bad.pdf": ("refused", "NOT_A_PDF"),
        "locked.pdf": ("refused", "PASSWORD_REQUIRED"),
        "nowhere.pdf": ("failed", "FILE_NOT_FOUND"),
        "Zyxomab.pdf": ("ready", "OK"),
    }
    good = by_name["Metformin.pdf"]
    assert good["pages"] >= 3 and good["chunks"] > 5 and good["seconds"] > 0
    assert ingested.returncode == 1 and "3 of the files" in ingested.stderr


def test_documents_lists_what_got_in(cli: CommandLine, ingested: Ended) -> None:
    ended = cli.run("documents", "--json")
    listed = {document["file"]: document for document in the_json(ended)["documents"]}
    assert ended.returncode == 0 and ended.stderr == ""
    assert set(listed) == {"Metformin.pdf", "Zyxomab.pdf"}
    document = listed["Metformin.pdf"]
    assert document["state"] == "ready"
    assert document["chunks"] > 5 and document["pages"] >= 3
    readable = cli.run("documents")
    assert "Metformin.pdf" in readable.stdout and document["id"] in readable.stdout


def test_what_a_document_is_about_is_corrected(cli: CommandLine, ingested: Ended) -> None:
    (listed,) = the_json(cli.run("documents", "--name", "zyxomab", "--json"))["documents"]
    assert (listed["title"], listed["corrections"]) == ("Zyxomab", 0)
    changed = the_json(cli.run("retitle", listed["id"], "Metformin of Zyx", "--json"))
    assert (changed["document"]["title"], changed["document"]["corrections"]) == (
        "Metformin of Zyx", 1,
    )  # fmt: skip
    assert [(one["type"], one["name"]) for one in changed["entities"]] == [("Drug", "Metformin")]
    assert "about “Metformin of Zyx”" in cli.run("documents", "--name", "of zyx").stdout
    assert the_json(cli.run("reread", "--json")) == {"changed": []}, "what was corrected stays"
    asked = cli.run("reread", listed["id"])
    assert asked.returncode == 2 and "--yes" in asked.stderr, "nobody is there to ask"
    kept = the_json(cli.run("reread", listed["id"], "--keep-names", "--json"))
    assert kept == {"changed": []}
    (again,) = the_json(cli.run("reread", listed["id"], "--yes", "--json"))["changed"]
    assert (again["title"], again["corrections"]) == ("Zyxomab", 2)
    back = cli.run("retitle", listed["id"], "Zyxomab")
    assert back.returncode == 0 and "Zyxomab.pdf: about “Zyxomab” now." in back.stdout
    assert "names nothing that the graph knows" in back.stdout
    check_failure(cli.run("retitle", listed["id"], " ", "--json"), "EMPTY_TITLE")
    check_failure(cli.run("retitle", "nobody", "Zyxomab", "--json"), "DOCUMENT_NOT_FOUND")
    assert cli.run("verify").returncode == 0


def test_search_fields(cli: CommandLine, ingested: Ended) -> None:
    query = "when must metformin not be taken"
    ended = cli.run("search", query, "-k", "3", "--mode", "lexical", "--json")
    found = the_json(ended)
    assert ended.returncode == 0 and ended.stderr == ""
    assert {"hits", "mode", "elapsed_ms", "searched"} <= set(found)
    assert found["mode"] == "lexical" and found["searched"] > 5 and len(found["hits"]) == 3
    fields = {"file", "page", "section", "text", "score", "document_id", "chunk_id"}
    for hit in found["hits"]:
        assert fields <= set(hit)
        assert hit["page"] >= 1 and 0 <= hit["score"] <= 1
    # Any word of the query will do, so that another leaflet's "must not be taken" may follow.
    assert found["hits"][0]["file"] == "Metformin.pdf"
    sections = [hit["section"] for hit in found["hits"] if hit["file"] == "Metformin.pdf"]
    assert "contraindications" in sections


def test_search_of_exact_words_and_of_one_document(cli: CommandLine, ingested: Ended) -> None:
    listed = {
        one["file"]: one["id"] for one in the_json(cli.run("documents", "--json"))["documents"]
    }
    ended = cli.run("search", "must not be taken", "--mode", "exact", "--no-diverse", "--json")
    hits = the_json(ended)["hits"]
    assert hits and all("must not be taken" in " ".join(hit["text"].split()) for hit in hits)
    wanted = listed["Zyxomab.pdf"]
    ended = cli.run(
        "search",
        "dose",
        "--mode",
        "lexical",
        "--document",
        wanted,
        "--since",
        "2001-01-01",
        "--json",
    )
    assert {hit["document_id"] for hit in the_json(ended)["hits"]} <= {wanted}


def test_entity_fields(cli: CommandLine, imported: Ended) -> None:
    report = the_json(imported)
    assert imported.returncode == 0 and report["relationships"] >= 1500 and not report["problems"]
    ended = cli.run("entity", "metformin", "--json")
    entity = the_json(ended)
    assert ended.returncode == 0 and ended.stderr == ""
    assert {"id", "type", "name", "properties", "relationships"} <= set(entity)
    assert (entity["type"], entity["name"]) == ("Drug", "Metformin")
    assert entity["properties"]["indication"]
    for names in entity["relationships"].values():
        assert names["count"] == len(names["names"]) > 0
    assert (
        "Type 2 diabetes mellitus".casefold() in str(entity["relationships"]["TREATS"]).casefold()
    )
    total = sum(names["count"] for names in entity["relationships"].values())
    assert total == entity["degree"]
    by_id = the_json(cli.run("entity", entity["id"], "--json"))
    assert by_id == entity


def test_ask_fields(cli: CommandLine, ingested: Ended) -> None:
    question = "Which drugs treat type 2 diabetes, and when must metformin not be taken?"
    ended = cli.run("ask", question, "--json")
    answer = the_json(ended)
    assert ended.returncode == 0 and ended.stderr == ""
    assert {
        "answer", "refused", "query_type", "sentences", "citations", "entities", "timings_ms",
        "model", "session",
    } <= set(answer)  # fmt: skip
    assert answer["refused"] is False and answer["query_type"] == "hybrid"
    assert answer["model"] == "extractive" and answer["session"]
    assert set(answer["timings_ms"]) == {"retrieve", "expand", "generate"}
    numbers = [citation["n"] for citation in answer["citations"]]
    assert numbers == list(range(1, len(numbers) + 1)) and numbers
    for sentence in answer["sentences"]:
        assert {"text", "support", "citations"} <= set(sentence)
        assert sentence["support"] in {"document", "graph", "both", "unsupported"}
        assert set(sentence["citations"]) <= set(numbers)
    for citation in answer["citations"]:
        if citation["kind"] == "document":
            assert {"file", "page", "section", "quote", "start", "end"} <= set(citation)
            assert citation["file"] == "Metformin.pdf" and citation["page"] >= 1
            assert 0 <= citation["start"] < citation["end"] and citation["quote"]
        else:
            assert citation["kind"] == "graph" and citation["relationship"]
            assert citation["source"]["id"] and citation["target"]["id"]
    assert {citation["kind"] for citation in answer["citations"]} == {"document", "graph"}


def test_a_refusal_is_one_document_and_exit_code_1(cli: CommandLine, ingested: Ended) -> None:
    ended = cli.run("ask", "Who won the football world cup in 1954?", "--json")
    answer = the_json(ended)
    assert ended.returncode == 1 and answer["refused"] is True
    assert answer["citations"] == [] and answer["answer"] in ended.stderr
    assert all({"file", "page", "quote"} <= set(one) for one in answer["nearest"])


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("ask", ""), "EMPTY_QUESTION"),
        (("ask", " \n "), "EMPTY_QUESTION"),
        (("ask", "x" * 10_000), "QUESTION_TOO_LONG"),
        (("search", ""), "EMPTY_QUERY"),
        (("search", "x", "--index", "nobody"), "INDEX_NOT_FOUND"),
        (("search", "x", "--document", "nobody"), "DOCUMENT_NOT_FOUND"),
        (("search", "x", "--since", "yesterday"), "INVALID_DATE"),
        (("search", "x", "--since", "2020-01-02", "--until", "2020-01-01"), "INVALID_DATE"),
        (("documents", "--index", "nobody"), "INDEX_NOT_FOUND"),
        (("entity", "no such thing at all"), "ENTITY_NOT_FOUND"),
        (("delete", "nobody"), "DOCUMENT_NOT_FOUND"),
    ],
)
def test_what_cannot_be_done_is_said_on_stderr(
    cli: CommandLine, ingested: Ended, arguments: Sequence[str], code: str
) -> None:
    ended = cli.run(*arguments, "--json")
    check_failure(ended, code)
    error = the_json(ended)["error"]
    assert error["code"] == code and error["message"] and error["correlation_id"]


def test_without_json_a_failure_leaves_stdout_empty(cli: CommandLine, ingested: Ended) -> None:
    ended = cli.run("ask", "")
    check_failure(ended, "EMPTY_QUESTION")
    assert ended.stdout == ""


@pytest.mark.parametrize("content", [None, "", "a,b\n1,2\n"])
def test_a_broken_graph_folder(cli: CommandLine, imported: Ended, content: str | None) -> None:
    folder = cli.folder / f"graph {content!r:.5}".replace("\\", "").replace("'", "")
    if content is not None:
        folder.mkdir()
        for name in ("nodes.csv", "relationships.csv"):
            (folder / name).write_text(content)
    ended = cli.run("import-graph", str(folder), "--json")
    check_failure(ended, "NOT_FOUND" if content is None else "GRAPH_FORMAT")
    assert the_json(ended)["error"]["message"]
    assert str(cli.folder) not in ended.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask",),
        ("nonsense",),
        ("search", "x", "-k", "many"),
        ("search", "x", "-k", "0"),
        ("search", "x", "-k", "101"),
        ("search", "x", "--mode", "magic"),
        ("search", "x", "--section", "gossip"),
        ("arxiv", "--input", "a.json", "--limit", "0"),
        ("ingest", "a.pdf", "--on-conflict", "shrug"),
        ("index", "create", "a", "--profile", "poem"),
        ("delete",),
        ("delete", "one", "--everything", "--yes"),
        ("delete", "--everything"),
        ("index", "delete", "leaflets"),
    ],
)
def test_wrong_usage_is_exit_code_2(cli: CommandLine, arguments: Sequence[str]) -> None:
    ended = cli.run(*arguments)
    assert ended.returncode == 2 and ended.stdout == "" and "Usage" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_an_unusable_data_folder(cli: CommandLine) -> None:
    (cli.folder / "file").write_text("I am no folder")
    ended = cli.run("documents", "--json", MATERIA_DATA_DIR=str(cli.folder / "file"))
    check_failure(ended, "DATA_FOLDER_UNUSABLE")
    assert the_json(ended)["error"]["message"] and str(cli.folder) not in ended.stderr


def test_a_mistyped_setting(cli: CommandLine) -> None:
    ended = cli.run("documents", "--json", MATERIA_TOPK="5")
    check_failure(ended, "INVALID_SETTING")
    assert "MATERIA_TOPK" in ended.stderr and the_json(ended)["error"]


def test_no_key_in_output_or_log(cli: CommandLine, ingested: Ended) -> None:
    key = "sk-test-0123456789abcdef"
    ended = cli.run("documents", "--json", OPENAI_API_KEY=key, MATERIA_LOG_LEVEL="DEBUG")
    logs = "".join(path.read_text("utf-8") for path in (cli.data / "logs").iterdir())
    assert ended.returncode == 0 and logs
    assert key not in ended.stdout + ended.stderr + logs


@pytest.mark.req("PR-5")
def test_delete_gives_a_receipt(cli: CommandLine, ingested: Ended) -> None:
    lines = [json.loads(line) for line in ingested.stdout.splitlines()]
    (document,) = (line for line in lines if line["file"] == "Zyxomab.pdf")
    ended = cli.run("delete", document["document_id"], "--json")
    receipt = the_json(ended)
    assert ended.returncode == 0 and receipt["left"] == 0
    assert receipt["chunks"] == receipt["vectors"] == document["chunks"] == 1
    assert receipt["files"] == 1
    assert "Zyxomab" not in cli.run("documents").stdout
