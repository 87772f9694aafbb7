"""README and the guide say what is true: every setting, every command with its options, every endpoint."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from pydantic import SecretStr

from core.api.openapi import document
from core.cli import app
from core.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDE = ROOT / "docs" / "guide"


def _page(name: str) -> str:
    return (GUIDE / f"{name}.md").read_text(encoding="utf-8")


def test_every_setting_is_in_the_table_with_its_default() -> None:
    rows = dict(
        re.findall(r"^\| `(MATERIA_\w+)`[^|]*\| ([^|]*) \|", _page("settings"), re.MULTILINE)
    )
    fields = Settings.model_fields
    assert set(rows) == {f"MATERIA_{name.upper()}" for name in fields}
    for name, field in fields.items():
        default = field.default
        if isinstance(default, SecretStr) or default in ("", None):
            shown = ""
        elif isinstance(default, bool):
            shown = str(default).lower()
        else:
            shown = str(getattr(default, "value", default))
        assert rows[f"MATERIA_{name.upper()}"].strip("` ") == shown, name


def _commands(group: Any, before: str = "") -> Iterator[tuple[str, set[str]]]:
    """Every command in full, with its options but ``--json`` and the negations that say the default."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, f"{before}{name} ")
            continue
        flags = [(one.opts, one.secondary_opts) for one in command.params if one.opts[0][0] == "-"]
        told = {(no or yes)[-1] if yes[0] in _ON else yes[0] for yes, no in flags}
        yield f"{before}{name}", told - {"--json", "--help"}


_ON = ("--diverse", "--rerank")  # what a user says is the opposite


@pytest.mark.parametrize(("name", "options"), list(_commands(typer.main.get_command(app))))
def test_every_command_is_told_with_its_options(name: str, options: set[str]) -> None:
    spans = re.findall(r"`([^`]+)`", _page("command_line"))
    told = [span for span in spans if span == name or span.startswith(f"{name} ")]
    assert told, name
    words = set(re.split(r"[ \[\]|\\]+", " ".join(told)))
    assert not options - words


def test_every_endpoint_is_told() -> None:
    told = set(re.findall(r"/[\w/{}.-]+", re.sub(r"\{\w+\}", "{}", _page("http_api"))))
    paths = document(longest_question=2000)["paths"]
    served = [path for path in paths if not path.startswith("/api/docs/")]
    assert len(served) > 40
    assert not [path for path in served if re.sub(r"\{\w+\}", "{}", path) not in told]


def test_every_page_of_the_guide_is_a_click_away() -> None:
    pages = sorted(GUIDE.glob("*.md"))
    assert len(pages) > 10
    assert not [page.name for page in pages if f"](docs/guide/{page.name})" not in README]


def test_readme_is_short() -> None:
    assert len(README.splitlines()) <= 130


def test_the_picture_is_there_and_small() -> None:
    picture = re.search(r"!\[[^\]]+\]\(([^)]+)\)", README)
    assert picture is not None
    assert 10_000 < (ROOT / picture.group(1)).stat().st_size < 250_000
