"""`conversation`, `delete --quotes` and `evaluate --feedback` on a small library."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.evaluation.questions import read_questions
from tests.cli.runner import CommandLine, Ended, check_failure, the_json

QUESTION = "How is Zolvetrin taken?"
TEXT = "About Zolvetrin\n\nZolvetrin is taken with water, one tablet of 37 mg a day."


@pytest.fixture(scope="module")
def cli(tmp_path_factory: pytest.TempPathFactory, onnx_models: Path) -> CommandLine:
    cli = CommandLine(tmp_path_factory.mktemp("conversations"), onnx_models)
    (cli.folder / "zolvetrin.txt").write_text(TEXT)
    assert cli.run("ingest", "zolvetrin.txt").returncode == 0
    return cli


@pytest.fixture
def session(cli: CommandLine) -> str:
    """The only conversation, with an answer and a refusal."""
    for old in the_json(cli.run("conversation", "list", "--json"))["conversations"]:
        assert cli.run("conversation", "delete", old["id"], "--yes").returncode == 0
    session = str(the_json(cli.run("ask", QUESTION, "--json"))["session"])
    cli.run("ask", "What is the capital of France?", "--session", session)
    return session


def answers(cli: CommandLine, session: str) -> list[str]:
    turns = the_json(cli.run("conversation", "show", session, "--json"))["turns"]
    return [turn["id"] for turn in turns]


def listed(cli: CommandLine, *options: str) -> list[str]:
    found = the_json(cli.run("conversation", "list", *options, "--json"))["conversations"]
    return [one["id"] for one in found]


def test_a_conversation_is_marked_and_found(cli: CommandLine, session: str) -> None:
    for arguments in (
        ("rename", session, "Doses"),
        ("pin", session),
        ("tag", session, "signal", "case 1"),
        ("rate", answers(cli, session)[0], "down", "--because", "number", "--comment", "38 mg"),
    ):
        ended = cli.run("conversation", *arguments)
        assert ended.returncode == 0, ended.stderr
    (line,) = cli.run("conversation", "list").stdout.splitlines()
    assert line.startswith(f"{session}  Doses, 2 questions, ")
    assert line.endswith("1 rated down, pinned [case 1] [signal]")
    shown = cli.run("conversation", "show", session).stdout
    assert "37 mg" in shown and "Rated down, wrong: number: 38 mg" in shown
    for options in (
        ("--rating", "down"), ("--tag", "signal"), ("--refused",), ("--search", "37 MG"),
    ):  # fmt: skip
        assert listed(cli, *options) == [session], options
    for options in (("--rating", "up"), ("--tag", "sig"), ("--refused", "--rating", "down")):
        assert listed(cli, *options) == [], options
    assert "pinned" not in cli.run("conversation", "pin", session, "--off").stdout


def test_deleting_asks_and_counts(cli: CommandLine, session: str) -> None:
    cli.run("conversation", "rate", answers(cli, session)[0], "up")
    assert cli.run("conversation", "delete", session).returncode == 2, "nobody to ask"
    gone = cli.run("conversation", "delete", session, "--yes")
    assert gone.stdout == "Deleted 2 questions with answers and 1 rating.\n"
    for arguments in (("show", session), ("delete", session, "--yes"), ("pin", session)):
        check_failure(cli.run("conversation", *arguments), "CONVERSATION_NOT_FOUND")
    check_failure(cli.run("conversation", "rate", "nobody", "up"), "ANSWER_NOT_FOUND")


def feedback(cli: CommandLine) -> Ended:
    return cli.run("evaluate", "--feedback")


def test_ratings_become_a_question_set(cli: CommandLine, session: str, tmp_path: Path) -> None:
    assert feedback(cli).returncode == 1 and feedback(cli).stdout == ""
    _, refusal = answers(cli, session)
    assert cli.run("conversation", "rate", refusal, "up").returncode == 0
    good = the_json(cli.run("ask", "Who sells Zolvetrin?", "--json"))
    (bad,) = answers(cli, good["session"])
    cli.run("conversation", "rate", bad, "down", "--because", "missing", "--comment", "See p. 2")
    told = feedback(cli)
    assert told.stderr == ("To be completed: Who sells Zolvetrin?: missing (See p. 2)\n")
    path = tmp_path / "mine.jsonl"
    path.write_text(told.stdout)
    (question,) = read_questions(path)
    assert (question.id, question.answerable, question.kind) == (refusal, False, "rated")
    assert cli.run("evaluate", str(path)).returncode == 0


def test_a_deleted_document_is_taken_out_of_answers_on_request(
    cli: CommandLine, session: str
) -> None:
    (document,) = the_json(cli.run("documents", "--json"))["documents"]
    kept = cli.run("delete", document["id"])
    assert "2 kept answers quote this" in kept.stderr or "1 kept answer quotes this" in kept.stderr
    assert listed(cli, "--search", "37 mg") == [session]
    removed = cli.run("delete", document["id"], "--quotes")
    assert removed.returncode == 0 and "taken out of kept answers" in removed.stdout
    assert listed(cli, "--search", "37 mg") == [] and listed(cli) == [session]
    check_failure(cli.run("delete", document["id"], "--quotes"), "DOCUMENT_NOT_FOUND")


@pytest.mark.req("KG-F")
def test_usage_is_counted_and_an_answer_tells_what_may_be_asked_next(
    cli: CommandLine, session: str
) -> None:
    told = the_json(cli.run("conversation", "usage", "--json"))
    assert told["questions"] == 2 and told["states"]["not_in_library"] >= 1
    printed = cli.run("conversation", "usage").stdout
    assert "Questions:" in printed and "Time, median:" in printed
    assert the_json(cli.run("conversation", "usage", "--tag", "none", "--json"))["days"] == []
    assert the_json(cli.run("ask", QUESTION, "--json"))["follow_ups"] == []


def test_a_close_earlier_question_is_found(cli: CommandLine, session: str) -> None:
    asked = "In which way is Zolvetrin taken?"
    (found,) = the_json(cli.run("conversation", "similar", asked, "--json"))["similar"]
    assert (found["conversationId"], found["question"]) == (session, QUESTION)
    shown = cli.run("conversation", "similar", asked).stdout
    assert shown.startswith(f"{session}  {QUESTION}, 2") and shown.count("\n") == 1
    assert cli.run("conversation", "similar", "Who painted the ceiling?").stdout == ""


def test_a_list_says_when_there_are_more(cli: CommandLine, session: str) -> None:
    other = the_json(cli.run("ask", "What is the capital of France?", "--json"))["session"]
    short = cli.run("conversation", "list", "--limit", "1")
    assert len(short.stdout.splitlines()) == 1 and "more than these 1" in short.stderr
    told = the_json(cli.run("conversation", "list", "--limit", "1", "--json"))
    assert len(told["conversations"]) == 1 and told["more"] is True
    every = cli.run("conversation", "list", "--limit", "1", "--all")
    assert session in every.stdout and other in every.stdout and not every.stderr
    assert cli.run("conversation", "delete", other, "--yes").returncode == 0
