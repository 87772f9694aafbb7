"""What a test needs of the machine: ``@pytest.mark.needs(NEO4J)``; where that is missing, it is skipped.

Nothing else skips a test: `python -m tests.requirements` reads these marks to tell what is proved only
where something is present. A test that takes a fixture of `_FIXTURES` needs no mark.
"""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

NEO4J = "Neo4j"
CHROMIUM = "Chromium"
TESSERACT = "Tesseract"
REAL_FILES = "the real-world files"
FONT = "the DejaVu font"
SMALL_DISK = "a small disk"
S3 = "an S3-compatible store"
RAY = "Ray"

SHARED = Path(__file__).resolve().parents[3] / "shared"
REAL_DATA = SHARED / "data"
NEO4J_START = SHARED / "neo4j" / "start"
# 150 MB in memory; the data folder of a test fits well.
MOUNT = ("mount", "-t", "tmpfs", "-o", "size=150m", "tmpfs")
# `make s3-server` makes it.
S3_SERVER = Path(__file__).resolve().parents[2] / "build" / "s3-server" / "bin" / "moto_server"
# `make ray` makes it.
RAY_PYTHON = S3_SERVER.parents[2] / "ray" / "bin" / "python"
FONTS = Path("/usr/share/fonts")

_FIXTURES = {
    "neo4j": NEO4J,
    "neo4j_server": NEO4J,
    "browser": CHROMIUM,
    "shared_data": REAL_FILES,
    "small_disk": SMALL_DISK,
    "s3_server": S3,
    "bucket": S3,
    "cluster": RAY,
}


def missing(what: str) -> str:
    """Why a test that needs this cannot run here; empty when it can."""
    if what == NEO4J:
        if not NEO4J_START.is_file():
            return "the Neo4j server (../shared/neo4j) is not on this machine"
        return "" if shutil.which("java") else "Neo4j needs Java 17 or 21"
    if what == CHROMIUM:
        found = shutil.which("chromium")
        return "" if found else "needs Chromium: apt-get install chromium (.ci/run does)"
    if what == TESSERACT:
        return "" if shutil.which("tesseract") else "Tesseract is not installed on this machine"
    if what == REAL_FILES:
        found = REAL_DATA.is_dir()
        return "" if found else "the real-world files (../shared/data) are not on this machine"
    if what == SMALL_DISK:
        return "" if _may_mount() else "only root may mount a file system that is soon full"
    if what == S3:
        return "" if S3_SERVER.is_file() else "there is no S3-compatible store: make s3-server"
    if what == RAY:
        return "" if RAY_PYTHON.is_file() else "there is no Ray: make ray"
    assert what == FONT, f"nobody knows how to look for {what}"
    return "" if dejavu() else "the DejaVu font is not on this machine"


@cache
def _may_mount() -> bool:
    with TemporaryDirectory() as place:
        mounted = subprocess.run([*MOUNT, place], capture_output=True, check=False).returncode == 0
        if mounted:
            subprocess.run(["umount", place], check=True)
        return mounted


def dejavu() -> Path | None:
    """The file of DejaVu Sans, which has what the fonts of a PDF lack."""
    return next(FONTS.rglob("DejaVuSans.ttf"), None)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real-world files that stand beside the checkout on the project's own machines."""
    return REAL_DATA


def needs_of(item: pytest.Item) -> set[str]:
    """What a collected test needs: by its marks, or by a fixture of `_FIXTURES`."""
    marked = {str(what) for mark in item.iter_markers("needs") for what in mark.args}
    fixtures = getattr(item, "fixturenames", ())
    return marked | {_FIXTURES[fixture] for fixture in fixtures if fixture in _FIXTURES}


def pytest_runtest_setup(item: pytest.Item) -> None:
    for what in sorted(needs_of(item)):
        if reason := missing(what):
            pytest.skip(reason)
