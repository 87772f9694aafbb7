"""Boards on the command line."""

from __future__ import annotations

import csv
import io

from tests.cli.runner import CommandLine, Ended, check_failure, the_json


def test_board_signals(cli: CommandLine, ingested: Ended) -> None:
    board = the_json(cli.run("board", "signals", "metformin", "ibuprofen", "--json"))
    assert [one["name"] for one in board["medicines"]] == ["Metformin", "Ibuprofen"]
    assert any("Ibuprofen" in note for note in board["notes"])  # has no leaflet here
    table = list(csv.reader(io.StringIO(cli.run("board", "signals", "metformin", "--csv").stdout)))
    assert ["lactic acidosis", "yes", "very rare", "2", "", "1", ""] in table
    shown = cli.run("board", "signals", "metformin", "--text", "lactic").stdout
    assert "very rare · L2 G1" in shown
    check_failure(cli.run("board", "signals", "nobodysmycin"), "MEDICINE_NOT_FOUND")


def test_board_interactions(cli: CommandLine, ingested: Ended) -> None:
    shown = cli.run("board", "interactions", "metformin", "ibuprofen").stdout
    assert "extra checks" in shown and "L1 G1" in shown
