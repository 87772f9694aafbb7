"""A graph with strange names, and what commands print of it."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import Result

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
