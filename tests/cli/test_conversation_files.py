"""`conversation`: listed, exported, imported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.runner import CommandLine, check_failure, the_json


@pytest.fixture(scope="module")
def cli(tmp_path_factory: pytest.TempPathFactory, onnx_models: Path) -> CommandLine:
    """Two questions on one small file."""
    cli = CommandLine(tmp_path_factory.mktemp("conversations"), onnx_models)
    (cli.folder / "quolvane.txt").write_text(
        "About Quolvane\n\nQuolvane must not be taken by people with gout."
    )
    assert cli.run("ingest", "quolvane.txt").returncode == 0
    first = the_json(cli.run("ask", "When must Quolvane not be taken?", "--json"))
    assert first["trace"]["documents"][0]["file"] == "quolvane.txt"
    cli.run("ask", "What is the capital of France?", "--session", first["session"])
    return cli


def _only(cli: CommandLine) -> dict[str, object]:
    (found,) = the_json(cli.run("conversation", "list", "--json"))["conversations"]
    return found


def test_list(cli: CommandLine) -> None:
    found = _only(cli)
    assert found["title"] == "When must Quolvane not be taken?" and found["questions"] == 2
    shown = cli.run("conversation", "list")
    assert str(found["id"]) in shown.stdout and "When must Quolvane" in shown.stdout
    assert cli.run("conversation", "list", "--search", "zzz").stdout == ""


@pytest.mark.parametrize(
    ("form", "begins"), [("md", b"# When"), ("pdf", b"%PDF"), ("docx", b"PK"), ("json", b"{")]
)
def test_export(cli: CommandLine, form: str, begins: bytes) -> None:
    out = cli.folder / f"out.{form}"
    session = str(_only(cli)["id"])
    arguments = ("conversation", "export", session, "--format", form, "--out", str(out))
    made = the_json(cli.run(*arguments, "--json"))
    content = out.read_bytes()
    assert content.startswith(begins) and made["bytes"] == len(content)
    if form == "md":
        assert "must not be taken by people with gout" in content.decode()


def test_a_file_of_its_own_name_is_never_written_over(cli: CommandLine) -> None:
    session = str(_only(cli)["id"])
    arguments = ("conversation", "export", session, "--format", "md")
    assert cli.run(*arguments).returncode == 0
    (made,) = cli.folder.glob("materia-when-must-quolvane-not-be-taken-*.md")
    made.write_text("mine")
    check_failure(cli.run(*arguments), "FILE_EXISTS")
    assert made.read_text() == "mine"


def test_one_question_alone_and_stdout(cli: CommandLine) -> None:
    session = str(_only(cli)["id"])
    arguments = ("conversation", "export", session, "--format", "json", "--question")
    shown = cli.run(*arguments, "2", "--out", "-")
    (turn,) = json.loads(shown.stdout)["turns"]
    assert turn["answer"]["question"] == "What is the capital of France?"
    check_failure(cli.run(*arguments, "3"), "NO_SUCH_QUESTION")


def test_a_question_is_asked_again(cli: CommandLine) -> None:
    session = str(_only(cli)["id"])
    again = the_json(cli.run("conversation", "rerun", session, "1", "--json"))
    assert again["differences"] == {"answer": [], "evidence": [], "since": []}
    assert "gout" in again["answer"]["answer"] and _only(cli)["questions"] == 2
    other = cli.run("conversation", "rerun", session, "1", MATERIA_TOP_K="3")
    assert "evidence are the same" in other.stdout
    assert "- Setting top_k = 3; then 4." in other.stdout
    check_failure(cli.run("conversation", "rerun", session, "9"), "NO_SUCH_QUESTION")


def test_import_gives_the_same_conversation(cli: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / "kept.json"
    session = str(_only(cli)["id"])
    cli.run("conversation", "export", session, "--format", "json", "--out", str(out))
    other = CommandLine(tmp_path, cli.models)
    imported = the_json(other.run("conversation", "import", str(out), "--json"))
    assert imported["id"] == session and imported["new_id"] is False
    again = tmp_path / "again.json"
    other.run("conversation", "export", session, "--format", "json", "--out", str(again))
    first, second = (json.loads(path.read_text()) for path in (out, again))
    for name in ("session", "turns", "sha256"):
        assert first[name] == second[name]
    known = other.run("conversation", "import", str(out))
    assert known.returncode == 0 and "there already" in known.stderr


def test_what_cannot_be_done_is_said(cli: CommandLine, tmp_path: Path) -> None:
    check_failure(
        cli.run("conversation", "export", "nobody", "--format", "pdf", "--out", "x.pdf"),
        "NOT_FOUND",
    )
    assert not (cli.folder / "x.pdf").exists()
    (tmp_path / "no.json").write_text("{}")
    check_failure(
        cli.run("conversation", "import", str(tmp_path / "no.json")), "NOT_A_CONVERSATION"
    )
    check_failure(cli.run("conversation", "import", str(tmp_path / "none.json")), "INVALID_INPUT")
    session = str(_only(cli)["id"])
    check_failure(
        cli.run("conversation", "export", session, "--format", "md", "--out", str(tmp_path)),
        "INVALID_INPUT",
    )
    assert cli.run("conversation", "export", session, "--format", "exe").returncode == 2


def test_the_ledger_and_two_versions_are_told(cli: CommandLine) -> None:
    session = str(_only(cli)["id"])
    found = the_json(cli.run("conversation", "ledger", session, "--json"))
    assert found["counts"]["document"] >= 1 and found["refused"] == 1
    told = cli.run("conversation", "ledger", session, "--basis", "document").stdout
    assert found["claims"][0]["state"] == "may_not_answer"
    assert "1.1  document (closest passages, may not answer): " in told and "quolvane.txt" in told
    newer = cli.folder / "quolvane 2.txt"
    newer.write_text("About Quolvane\n\nQuolvane must not be taken by people with asthma.")
    assert cli.run("ingest", str(newer)).returncode == 0
    shown = cli.run("compare", "quolvane.txt", "quolvane 2.txt").stdout
    assert shown.startswith("0 added, 0 removed, 1 changed") and session in shown
    as_json = the_json(cli.run("compare", "quolvane.txt", "quolvane 2.txt", "--json"))
    assert as_json["counts"]["changed"] == 1
    check_failure(cli.run("compare", "quolvane.txt", "nothing.txt"), "DOCUMENT_NOT_FOUND")
