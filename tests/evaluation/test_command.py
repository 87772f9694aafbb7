"""`evaluate` as a script uses it."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from core.evaluation.report import last_report
from tests.cli.runner import CommandLine, check_failure, the_json
from tests.support.fake_openai import Exchange, fake_openai, text
from tests.support.pdfs import make_pdf

_QUESTIONS = (
    {"id": "dose", "question": "What is the dose of zyxomab?", "document": "Zyxomab.pdf"}
    | {"pages": [2], "answer": ["25 mg"], "kind": "leaflet"},
    {"id": "wrong", "question": "How is zyxomab taken?", "answerable": False, "kind": "trap"},
)


@pytest.fixture(scope="module")
def cli(tmp_path_factory: pytest.TempPathFactory, onnx_models: Path) -> CommandLine:
    """A library of one document, and a question set with one wrong expectation."""
    cli = CommandLine(tmp_path_factory.mktemp("evaluate"), onnx_models)
    dose = "Posology. The dose of Zyxomab is 25 mg once a day."
    make_pdf(cli.folder / "Zyxomab.pdf", "Zyxomab is taken with water.", dose)
    lines = (json.dumps(question) for question in _QUESTIONS)
    (cli.folder / "mine.jsonl").write_text("\n".join(lines))
    assert cli.run("ingest", "Zyxomab.pdf").returncode == 0
    return cli


def test_a_report_as_json_is_also_kept(cli: CommandLine) -> None:
    ended = cli.run("evaluate", "mine.jsonl", "--json")
    assert ended.returncode == 0 and ended.stderr == ""
    report = the_json(ended)
    assert report["questions"] == "mine" and report["scores"]["questions"] == 2
    assert report["scores"]["citation_recall"]["value"] == 1.0
    assert report["scores"]["refusal_recall"] == {"part": 0, "of": 1, "value": 0.0}
    assert [problem["id"] for problem in report["problems"]] == ["wrong"]
    kept = last_report(cli.folder / "data")
    assert kept is not None and kept.scores.questions == 2


def test_a_table_and_the_failures_one_per_line(cli: CommandLine) -> None:
    ended = cli.run("evaluate", "mine.jsonl", "--failures")
    assert ended.returncode == 0
    lines = ended.stdout.splitlines()
    assert any(line.startswith("within 3 s, no model called") for line in lines)
    assert any(line.startswith("page citation recall") and "1.000" in line for line in lines)
    assert [line for line in lines if line.startswith("wrong: How is zyxomab taken?")]
    asked = cli.run("ask", "How is it taken?", "--json")
    assert the_json(asked)["read_as"] == "How is it taken?", "no conversation was left to go on"


def test_the_models_time_is_told_apart_from_our_own(cli: CommandLine) -> None:
    seconds = 1.5

    def slow(exchange: Exchange) -> None:
        time.sleep(seconds)
        text("The dose of Zyxomab is 25 mg once a day [1].")(exchange)

    with fake_openai() as provider:
        provider.play(slow)
        ended = cli.run(
            "evaluate",
            "mine.jsonl",
            "--json",
            MATERIA_LLM_PROVIDER="custom",
            MATERIA_LLM_MODEL="fake-model",
            MATERIA_LLM_BASE_URL=provider.url,
        )
        called = len(provider.requests)
    scores = the_json(ended)["scores"]
    assert called == 2 and scores["own_within_1s"]["of"] == 2
    assert scores["within_3s"] == {"part": 0, "of": 0, "value": None}
    assert scores["own_p95_ms"] + 1000 * seconds <= scores["max_ms"] + 0.2, "rounded twice"
    alone = the_json(cli.run("evaluate", "mine.jsonl", "--json"))["scores"]
    assert alone["own_within_1s"]["of"] == 0 and alone["within_3s"]["of"] == 2
    assert alone["own_p95_ms"] == alone["p95_ms"] <= alone["max_ms"]


def test_a_bad_set_is_named(cli: CommandLine) -> None:
    (cli.folder / "bad.jsonl").write_text('{"id": "a"}')
    check_failure(cli.run("evaluate", "bad.jsonl"), "EVALUATION_FORMAT")
    check_failure(cli.run("evaluate", "nowhere.jsonl"), "FILE_NOT_FOUND")
