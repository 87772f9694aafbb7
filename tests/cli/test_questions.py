"""`ask` within some indexes, within the usual ones, and wider."""

from __future__ import annotations

import shlex
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from core.cli.questions import _print_answer
from core.domain.answers import Block, Sentence, Support
from core.domain.provenance.within import Within
from tests.cli.runner import CommandLine, check_failure, the_json
from tests.domain.answers import an_answer

QUESTION = "When must Quolvane not be taken?"
ABSTRACT = "About Quolvane\n\nQuolvane must not be taken by people with gout."


@pytest.fixture(scope="module")
def cli(tmp_path_factory: pytest.TempPathFactory, onnx_models: Path) -> CommandLine:
    """Quolvane stands in an abstract alone."""
    cli = CommandLine(tmp_path_factory.mktemp("ask"), onnx_models)
    (cli.folder / "quolvane.txt").write_text(ABSTRACT)
    (cli.folder / "zolvetrin.txt").write_text("About Zolvetrin\n\nZolvetrin is taken with water.")
    for index, file in (("abstracts", "quolvane.txt"), ("papers", "zolvetrin.txt")):
        assert cli.run("index", "create", index, "--profile", "semantic").returncode == 0
        assert cli.run("ingest", file, "--index", index).returncode == 0
    return cli


def test_wider_looks_where_the_usual_question_does_not(cli: CommandLine) -> None:
    usual = cli.run("ask", QUESTION)
    assert usual.returncode == 1 and usual.stdout.startswith("\n"), "the disclaimer alone"
    assert "Search wider" in usual.stderr
    wider = the_json(cli.run("ask", QUESTION, "--wider", "--json"))
    assert wider["wider"] is True and set(wider["scope"]) == {"abstracts", "papers"}
    assert {one["file"] for one in wider["citations"]} == {"quolvane.txt"}


def test_index_is_all_that_is_searched(cli: CommandLine) -> None:
    found = cli.run("ask", "May people with gout take Quolvane?", "--index", "abstracts")
    assert found.returncode == 0 and "gout" in found.stdout and "quolvane.txt" in found.stdout
    told = "quolvane (quolvane.txt)\n> Quolvane must not be taken by people with gout. [1]\n"
    assert found.stdout.startswith(told)
    both = the_json(cli.run("ask", QUESTION, "--index", "papers", "--index", "abstracts", "--json"))
    assert both["scope"] == ["papers", "abstracts"] and both["refused"] is False
    missed = cli.run("ask", QUESTION, "--index", "papers", "--json")
    assert missed.returncode == 1 and the_json(missed)["scope"] == ["papers"]


def test_an_index_that_does_not_exist(cli: CommandLine) -> None:
    check_failure(cli.run("ask", QUESTION, "--index", "nobody"), "INDEX_NOT_FOUND")


def test_closest_passages_and_boxed_warnings_are_printed_as_such(
    capsys: pytest.CaptureFixture[str],
) -> None:
    block = Block(1, "d", "Zorvexil", "Z.pdf", 2, "posology", "Dose")
    sentences = (
        Sentence(
            "Watch: a; b.", Support.DOCUMENT, (1,), block=1, decisive=True, items=((7, 8), (10, 11))
        ),
        Sentence("Swallow it.", Support.DOCUMENT, (2,), block=1),
        Sentence("It can harm.", Support.DOCUMENT, (3,), block=2),
    )
    answer = replace(
        an_answer("Q?"),
        sentences=sentences,
        blocks=(block, replace(block, n=2, heading="WARNING: HARM", boxed_warning=True)),
        may_not_answer=True,
        confidence=0.4,
    )
    _print_answer(answer)
    printed = capsys.readouterr().out
    assert printed.startswith(
        """Closest passages; they may not answer this.

Zorvexil (Z.pdf, p. 2, Dose)
> Watch: [1]
    - a
    - b
  Swallow it. [2]

Boxed warning: Zorvexil (Z.pdf, p. 2, WARNING: HARM)
  It can harm. [3]
"""
    )
    assert "\nLow confidence 0.40: about 40 of 100" in printed
    doubtful = tuple(replace(one, less_certain=True) for one in answer.blocks[:1])
    _print_answer(replace(answer, may_not_answer=False, blocks=(*doubtful, *answer.blocks[1:])))
    printed = capsys.readouterr().out
    assert "Closest passages" not in printed
    assert printed.startswith("Less certain: Zorvexil (Z.pdf, p. 2, Dose)")


def test_what_was_not_asked_is_told_with_the_options_that_ask_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = an_answer("Q?")
    rest = Within(("d1", "d2"), sections=("storage",), products=("Zorvexil's gel",))
    _print_answer(replace(answer, unasked=rest))
    told = capsys.readouterr().err.partition("The others are asked with: ")[2]
    assert shlex.split(told.splitlines()[0]) == [
        *("--document", "d1", "--document", "d2"),
        *("--section", "storage", "--product", "Zorvexil's gel"),
    ]
    _print_answer(answer)
    assert "The others" not in capsys.readouterr().err


def test_a_graph_that_is_away_is_told_from_what_is_not_in_the_library(cli: CommandLine) -> None:
    with (
        socket.socket() as nobody
    ):  # bound, so that no other server gets the port, and not listening
        nobody.bind(("127.0.0.1", 0))
        server = {
            "NEO4J_URI": f"bolt://127.0.0.1:{nobody.getsockname()[1]}",
            "NEO4J_USER": "neo4j",
            "NEO4J_PASSWORD": "neo4j",
        }
        asked = cli.run("ask", "Which drugs treat type 2 diabetes?", "--json", **server)
    told = the_json(asked)
    assert asked.returncode == 1 and told["state"] == "graph_unavailable"
    assert told["no_results"]["type"] == "GRAPH_UNAVAILABLE"
    assert told["no_results"]["retryable"] is True
