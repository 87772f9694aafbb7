"""The parent's side of reading PDFs: each file is read and drawn in a child process with limits.

The child (`core.documents.extract_child`) may crash, loop or run out of memory; every end it can
come to is one of the named errors here.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from core.domain.documents import Page
from core.errors import DocumentError, NotFound, TooLarge

_ROOT = Path(__file__).resolve().parents[2]
_CHILD = "core.documents.extract_child"
_RENDER_SCALE = 1.6  # pixels per point: 115 dpi, an A4 page is 952 x 1,347 pixels
_STDERR_TAIL = 4_000  # bytes; enough to recognise a failed allocation

# The child reads files of strangers: it gets no API keys, only what Python needs to start.
_PASSED_ON = frozenset(
    {"PATH", "LANG", "HOME", "USERPROFILE", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR"}
    | {"LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "VIRTUAL_ENV"}
)
_PASSED_ON_PREFIXES = ("PYTHON", "LC_")

_OUT_OF_MEMORY = (
    b"MemoryError",
    b"bad_alloc",
    b"Cannot allocate",
    b"failed to map",
    b"out of memory",
)


@dataclass(frozen=True, slots=True)
class ExtractLimits:
    """What one file may cost.

    Attributes:
        seconds: wall clock for the whole file (a 1,000-page file takes about 8).
        memory_mb: address space of the child, MiB.
        max_pages: pages a file may have.
    """

    seconds: float = 60
    memory_mb: int = 2048
    max_pages: int = 1500


@dataclass(frozen=True, slots=True)
class ExtractedDocument:
    """Pages in order, and what the file says of itself (lower-case keys: title, author, ...)."""

    pages: tuple[Page, ...]
    metadata: Mapping[str, str] = field(default_factory=dict)


def extract(
    path: Path, *, password: str = "", limits: ExtractLimits | None = None
) -> ExtractedDocument:
    """Text and metadata of a PDF.

    Raises:
        TooLarge: TOO_MANY_PAGES.
        DocumentError: EMPTY_FILE, NOT_A_PDF, CORRUPT, PASSWORD_REQUIRED, WRONG_PASSWORD, NO_TEXT,
            EXTRACTION_TIMEOUT, EXTRACTION_MEMORY.
    """
    limits = limits or ExtractLimits()
    answer = _ask(
        {
            "action": "extract",
            "path": str(path.resolve()),
            "password": password,
            "max_pages": limits.max_pages,
        },
        limits,
    )
    pages = tuple(Page(int(page["number"]), str(page["text"])) for page in answer["pages"])
    return ExtractedDocument(pages, dict(answer["metadata"]))


def render_page(
    path: Path,
    page: int,
    marks: Sequence[tuple[int, int]] = (),
    *,
    password: str = "",
    scale: float = _RENDER_SCALE,
    limits: ExtractLimits | None = None,
) -> bytes:
    """PNG of page `page` (from 1) with text[start:end] of every mark under translucent yellow.

    `marks` are character offsets into the text that `extract` gave for this page; what lies
    outside it is ignored. `scale` is in pixels per point.

    Raises:
        NotFound: PAGE_NOT_FOUND.
        DocumentError: as `extract`.
    """
    with tempfile.TemporaryDirectory(prefix="materia-") as folder:
        output = Path(folder) / "page.png"
        _ask(
            {
                "action": "render",
                "path": str(path.resolve()),
                "password": password,
                "page": page,
                "marks": [list(mark) for mark in marks],
                "scale": scale,
                "output": str(output),
            },
            limits or ExtractLimits(),
        )
        return output.read_bytes()


def _ask(request: dict[str, Any], limits: ExtractLimits) -> dict[str, Any]:
    """Run the child on one request; its answer, or the error that its end stands for."""
    request |= {"memory_mb": limits.memory_mb, "seconds": limits.seconds}
    # Files, not pipes: a child that writes more than a pipe holds would wait for ever.
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        try:
            ended = subprocess.run(
                [sys.executable, "-P", "-X", "utf8", "-m", _CHILD],
                input=json.dumps(request).encode(),
                stdout=stdout,
                stderr=stderr,
                cwd=_ROOT,
                env=_environment(),
                timeout=limits.seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise _timeout() from error
        if ended.returncode != 0:
            raise _ended_badly(ended.returncode, stderr)
        stdout.seek(0)
        try:
            answer: dict[str, Any] = json.loads(stdout.read())
        except ValueError as error:
            raise _crashed() from error
    if "error" in answer:
        raise _refused(answer["error"])
    return answer


def _environment() -> dict[str, str]:
    passed = {
        name: value
        for name, value in os.environ.items()
        if name in _PASSED_ON or name.startswith(_PASSED_ON_PREFIXES)
    }
    before = passed.get("PYTHONPATH", "")
    return passed | {"PYTHONPATH": os.pathsep.join(filter(None, (str(_ROOT), before)))}


def _refused(error: Mapping[str, str]) -> DocumentError | NotFound:
    code, message, advice = error["code"], error["message"], error["advice"]
    if code == "PAGE_NOT_FOUND":
        return NotFound(message, advice=advice, code=code)
    kind = TooLarge if code == "TOO_MANY_PAGES" else DocumentError
    return kind(message, advice=advice, code=code)


def _ended_badly(returncode: int, stderr: IO[bytes]) -> DocumentError:
    """The error for a child that died; its own words decide, but never reach the user."""
    size = stderr.seek(0, os.SEEK_END)
    stderr.seek(max(0, size - _STDERR_TAIL))
    words = stderr.read()
    if returncode == -getattr(signal, "SIGXCPU", 0):
        return _timeout()
    # Nobody but the kernel's out-of-memory killer sends SIGKILL when our own clock has not run out.
    if returncode == -getattr(signal, "SIGKILL", 0) or any(w in words for w in _OUT_OF_MEMORY):
        return DocumentError(
            "Reading the file took more memory than is allowed.",
            advice="Split the file into smaller ones and try again.",
            code="EXTRACTION_MEMORY",
        )
    return _crashed()


def _timeout() -> DocumentError:
    return DocumentError(
        "Reading the file took too long and was stopped.",
        advice="Split the file into smaller ones, or save it again as a PDF, and try again.",
        code="EXTRACTION_TIMEOUT",
    )


def _crashed() -> DocumentError:
    return DocumentError(
        "The file crashed the PDF reader, so it is probably damaged.",
        advice="Open it in a PDF viewer, save it again and upload the new copy.",
        code="CORRUPT",
    )
