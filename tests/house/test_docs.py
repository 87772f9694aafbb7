"""The documents say what is true: requirements that are spoken of are listed, files that are named exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.requirements import known_ids

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / folder / "README.md" for folder in ("bench", "data", "deploy", "train")),
]
# A file or folder of the project: in backticks, or as a module with dots. Names end before a placeholder.
_PATH = re.compile(r"`((?:core|pages|tests|bench|data|deploy|docs)/\w[\w./-]*)`")
_MODULE = re.compile(r"\b((?:core|pages|bench)(?:\.[a-z_]\w*)+)")
_LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")
_PLACE = re.compile(r"\]\((?!https?:)([^)#]*)#([^)]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
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
        if ".venv" not in path.parts  # where the benchmarks have an environment of their own
        for one in _ID.findall(path.read_text("utf-8"))
        if one not in known
    }
    assert not unknown


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_that_a_document_names_exist(document: Path) -> None:
    text = document.read_text("utf-8")
    named = {ROOT / one for one in _PATH.findall(text)}
    named |= {ROOT / one.replace(".", "/") for one in _MODULE.findall(text)}
    named |= {document.parent / one for one in _LINK.findall(text)}
    assert not {str(one) for one in named if not _exists(one)}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_places_that_a_document_links_to_exist(document: Path) -> None:
    for name, place in _PLACE.findall(document.read_text("utf-8")):
        linked = document.parent / name if name else document
        assert place in {_anchor(one) for one in _HEADING.findall(linked.read_text("utf-8"))}, name


def _anchor(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _exists(path: Path) -> bool:
    """A folder, a file, or a module, named with or without its suffix, or a name that a module has."""
    if path.exists() or path.with_name(f"{path.name}.py").exists():
        return True
    module = path.parent.with_name(f"{path.parent.name}.py")
    return module.exists() and re.search(rf"\b{path.name}\b", module.read_text("utf-8")) is not None
