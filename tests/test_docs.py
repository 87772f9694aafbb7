"""The documents say what is true: every requirement that is spoken of stands in its list."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.requirements import known_ids

ROOT = Path(__file__).resolve().parents[1]
_ID = re.compile(r"\b(?:KG|PR|CG|AX|KB)-(?:\d+|[A-Z])\b")


def test_no_requirement_is_listed_twice() -> None:
    rows = (ROOT / "docs" / "requirements.md").read_text("utf-8").splitlines()
    listed = [line for line in rows if _ID.match(line.removeprefix("| "))]
    assert len(listed) > 50
    assert len(known_ids()) == len(set(known_ids())) >= len(listed)


@pytest.mark.parametrize("folder", ["core", "pages", "tests", "bench"])
def test_every_requirement_that_code_names_is_listed(folder: str) -> None:
    known = set(known_ids())
    unknown = {
        f"{path.relative_to(ROOT)}: {one}"
        for path in (ROOT / folder).rglob("*.py")
        for one in _ID.findall(path.read_text("utf-8"))
        if one not in known
    }
    assert not unknown
