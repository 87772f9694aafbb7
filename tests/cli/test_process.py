"""The command line as a process: exit codes, encodings, a reader that goes away, another writer, a port."""

from __future__ import annotations

import socket
import subprocess
import sys

import pytest
from filelock import FileLock

from tests.cli.runner import ROOT, CommandLine, check_failure, the_json

NAME = "Größe – Žluťoučký 药.txt"


@pytest.fixture(scope="module")
def library(cli: CommandLine) -> CommandLine:
    """A library of one file with a name that few encodings have."""
    (cli.folder / NAME).write_text(
        "About Zolvetrin\n\nThe usual dose of Zolvetrin is 37 mg a day. 药 💊"
    )
    assert cli.run("ingest", NAME).returncode == 0
    return cli


@pytest.mark.parametrize("settings", [{}, {"LC_ALL": "C", "LANG": "C"}, {"PYTHONUTF8": "0"}])
def test_output_is_utf8_whatever_the_machine_is_set_to(
    library: CommandLine, settings: dict[str, str]
) -> None:
    ended = library.process("search", "Zolvetrin", "--mode", "lexical", "--json", **settings)
    assert ended.returncode == 0 and ended.stderr == ""
    (hit,) = the_json(ended)["hits"]
    assert hit["file"] == NAME and "药 💊" in hit["text"]


def test_an_answer_and_a_refusal_have_their_exit_codes(library: CommandLine) -> None:
    found = library.process("ask", "What is the usual dose of Zolvetrin?")
    assert found.returncode == 0 and "37 mg" in found.stdout and NAME in found.stdout
    refused = library.process("ask", "Who won the football world cup in 1954?", "--json")
    assert refused.returncode == 1 and the_json(refused)["refused"] is True
    assert the_json(refused)["answer"] in refused.stderr


def test_what_fails_is_one_line_and_wrong_usage_another_code(library: CommandLine) -> None:
    failed = library.process("delete", "nobody", "--json")
    check_failure(failed, "DOCUMENT_NOT_FOUND")
    assert the_json(failed)["error"]["code"] == "DOCUMENT_NOT_FOUND"
    wrong = library.process("serve", "--port", "0")
    assert wrong.returncode == 2 and wrong.stdout == "" and "Usage" in wrong.stderr
    assert "Traceback" not in wrong.stderr


def test_a_reader_that_goes_away_is_no_crash(library: CommandLine) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "core", "documents", "--json"],
        cwd=library.folder,
        env=library.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    told = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(60) == 1 and told == ""


def test_a_library_in_use_by_another_writer(library: CommandLine) -> None:
    leaflet = ROOT / "data" / "leaflets" / "Warfarin.pdf"
    with FileLock(library.data / "writer.lock"):
        ended = library.process("ingest", str(leaflet), "--json")
        reading = library.process("documents", "--json")
    check_failure(ended, "LIBRARY_IN_USE")
    assert the_json(ended)["error"]["advice"]
    assert reading.returncode == 0 and the_json(reading)["documents"]


def test_a_taken_port(cli: CommandLine) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ended = cli.process("serve", "--port", str(taken.getsockname()[1]))
        check_failure(ended, "PORT_TAKEN")
        advised = int(ended.stderr.partition("PORT=")[2].partition(".")[0])
        with socket.socket() as free:
            free.bind(("127.0.0.1", advised))
    assert ended.stdout == ""


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])  # noqa: S104 - refused before it is bound
def test_a_network_is_not_listened_to_without_a_token(cli: CommandLine, host: str) -> None:
    ended = cli.process("serve", "--host", host)
    check_failure(ended, "ACCESS_TOKEN_MISSING")
    assert "MATERIA_ACCESS_TOKEN" in ended.stderr and ended.stdout == ""


def test_with_a_token_the_address_must_be_this_machines(cli: CommandLine) -> None:
    elsewhere = cli.process("serve", "--host", "192.0.2.1", MATERIA_ACCESS_TOKEN="long and random")
    check_failure(elsewhere, "PORT_TAKEN")
