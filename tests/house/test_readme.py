"""README says what is true: every setting, every command."""

from __future__ import annotations

import re
from pathlib import Path

from pydantic import SecretStr

from core.cli import app
from core.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_setting_is_in_the_table_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(MATERIA_\w+)`[^|]*\| ([^|]*) \|", README, re.MULTILINE))
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


def test_every_command_is_told() -> None:
    for command in app.registered_commands:
        assert command.callback is not None
        name = command.name or command.callback.__name__
        assert f"`{name}" in README, name


def test_the_picture_is_there_and_small() -> None:
    picture = re.search(r"!\[[^\]]+\]\(([^)]+)\)", README)
    assert picture is not None
    assert 10_000 < (ROOT / picture.group(1)).stat().st_size < 250_000
