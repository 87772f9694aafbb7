"""What `python -m tests.requirements` tells of the marks, and that nothing but a mark skips a test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.requirements import HERE, collect_marks, problems, proved_only_with
from tests.support import needs

_TESTS = """
import pytest

NEO4J = pytest.mark.needs("Neo4j")

@pytest.mark.req("A-1")
@pytest.mark.parametrize("store", ["here", pytest.param("there", marks=NEO4J)])
def test_in_both_stores(store): ...

@pytest.mark.req("A-2", "A-3")
def test_in_a_server(neo4j): ...

@pytest.mark.req("A-3")
@NEO4J
@pytest.mark.needs("Chromium")
def test_seen_in_a_browser(): ...
"""


def test_what_only_skipped_tests_prove_is_told(tmp_path: Path) -> None:
    (tmp_path / "test_made.py").write_text(_TESTS)
    plugin = ["-p", "tests.support.needs", "-c", str(HERE.parent / "pyproject.toml")]
    found = collect_marks(tmp_path, *plugin)
    assert {one: len(tests) for one, tests in found.tests.items()} == {"A-1": 1, "A-2": 1, "A-3": 2}
    assert proved_only_with(["A-1", "A-2", "A-3", "A-4"], found.needs) == {
        "Chromium and Neo4j or Neo4j": ["A-3"],
        "Neo4j": ["A-2"],
    }
    assert problems(["A-1", "A-2", "A-3", "A-4"], found.tests, []) == [
        "A-4: no test, and not listed as open"
    ]


def test_nothing_but_its_needs_skips_a_test() -> None:
    skips = re.compile(r"pytest\.(?:mark\.)?(?:skip|xfail|importorskip)|unittest\.skip")
    found = [path for path in HERE.rglob("*.py") if skips.search(path.read_text("utf-8"))]
    assert found == [Path(needs.__file__)]


@pytest.mark.parametrize(
    "what", [needs.NEO4J, needs.CHROMIUM, needs.TESSERACT, needs.REAL_FILES, needs.FONT]
)
def test_what_is_missing_is_said(
    what: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("NEO4J_START", "REAL_DATA", "FONTS"):
        monkeypatch.setattr(needs, name, tmp_path / "nowhere")
    assert what.rpartition(" ")[2] in needs.missing(what)
