"""The parent's side of reading files: each is read and drawn in a child process with limits.

The child (`core.documents.reading.extract_child`) may crash, loop or run out of memory; every end it can
come to is one of the named errors here.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, Self, TypeAlias

from core.documents.reading.processes.starting import Child, start
from core.domain.documents import Kind, Page
from core.domain.evidence.pictures import PageMark
from core.errors import Cancelled, DocumentError, NotFound, TooLarge
from core.settings import Settings

_CHILD = "core.documents.reading.extract_child"
_RENDER_SCALE = 1.6  # pixels per point: 115 dpi, an A4 page is 952 x 1,347 pixels
_POLL = 0.05  # seconds between two looks at a running child
# What the child refuses, by code; all else is a `DocumentError`.
_KINDS = {"PAGE_NOT_FOUND": NotFound, "TOO_MANY_PAGES": TooLarge, "TEXT_TOO_LONG": TooLarge}
_STDERR_TAIL = 4_000  # bytes; enough to recognise a failed allocation

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
        seconds: wall clock for the whole file without text recognition (1,000 pages take about 8).
        memory_mb: address space of the child, MiB.
        max_pages: pages a file may have.
        max_characters: text that a file without pages may have.
        ocr: whether pages that are only pictures are recognised, where Tesseract is installed.
        ocr_seconds: wall clock for the recognition of the whole file (a page takes 1 to 3); pages
            for which it does not suffice stay blank.
        ocr_languages: Tesseract's names joined by "+"; "" for those installed among English,
            German, Dutch and French.
    """

    seconds: float = 60
    memory_mb: int = 2048
    max_pages: int = 1500
    max_characters: int = 10_000_000
    ocr: bool = True
    ocr_seconds: float = 600
    ocr_languages: str = ""

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """What the settings allow."""
        return cls(
            seconds=settings.extract_seconds,
            memory_mb=settings.extract_memory_mb,
            max_pages=settings.max_pages,
            ocr=settings.ocr,
            ocr_seconds=settings.ocr_seconds,
            ocr_languages=settings.ocr_languages,
        )


@dataclass(frozen=True, slots=True)
class ExtractedDocument:
    """The text of a file.

    Attributes:
        pages: in order; a kind without pages has one with number 0.
        metadata: what the file says of itself (lower-case keys: title, author, ...).
        blank_pages: numbers of the pages without text.
        ocr_pages: numbers of the pages whose text was recognised from a picture.
        has_copy: whether a reading copy was written.
    """

    pages: tuple[Page, ...]
    metadata: Mapping[str, str] = field(default_factory=dict)
    kind: Kind = Kind.PDF
    blank_pages: tuple[int, ...] = ()
    ocr_pages: tuple[int, ...] = ()
    has_copy: bool = False


Stop: TypeAlias = Callable[[], bool]  # whether the caller wants no result any more


def never() -> bool:
    """The answer of a caller who does not cancel."""
    return False


@dataclass(frozen=True, slots=True)
class _Watch:
    """What is looked at while the child works."""

    progress: Path | None = None
    cancelled: Callable[[], bool] = never
    report: Callable[[int, int], None] | None = None


def extract(
    path: Path,
    *,
    kind: Kind = Kind.PDF,
    password: str = "",
    limits: ExtractLimits | None = None,
    copy: Path | None = None,
    work_in: Path | None = None,
    cancelled: Callable[[], bool] = never,
    report: Callable[[int, int], None] | None = None,
) -> ExtractedDocument:
    """Text and metadata of a file of any kind but an abstract.

    `copy` is where a reading copy of a PDF is written, whole or not at all, when the file needs the
    password or has recognised text: it opens without a password, its pages look the same, and
    marks on them fit the text that is returned. `work_in` is a folder for what is half done (the
    system's for temporary files when None): a crash leaves it there. `cancelled` is asked every
    50 ms. `report` is told (pages done, pages in all) now and then.

    Raises:
        TooLarge: TOO_MANY_PAGES, TEXT_TOO_LONG.
        Cancelled: `cancelled` said so; nothing is left behind.
        DocumentError: EMPTY_FILE, NOT_A_PDF, UNSUPPORTED_FORMAT, CORRUPT, PASSWORD_REQUIRED,
            WRONG_PASSWORD, NO_TEXT, EXTRACTION_TIMEOUT, EXTRACTION_MEMORY.
    """
    limits = limits or ExtractLimits()
    # A killed recognition may still be writing while its folder is removed.
    with tempfile.TemporaryDirectory(
        prefix="materia-", dir=work_in, ignore_cleanup_errors=True
    ) as folder:
        work = Path(folder)
        request = {
            "action": "extract",
            "path": str(path.resolve()),
            "kind": kind.value,
            "password": password,
            "work": folder,
            "progress": str(work / "progress"),
            "copy": copy is not None,
        }
        watch = _Watch(work / "progress", cancelled, report)
        try:
            answer = _ask(request, limits, watch)
        except DocumentError as error:
            if error.code == "NO_TEXT" or not _last_line(watch.progress).startswith("ocr"):
                raise
            # A picture that is too much for the reader must not cost the text of other pages.
            (work / "progress").unlink()
            answer = _ask(request | {"ocr": False}, limits, watch)
        has_copy = copy is not None and bool(answer["copy"])
        if copy is not None and has_copy:
            _keep(work / "copy.pdf", copy)
    return ExtractedDocument(
        pages=tuple(Page(int(page["number"]), str(page["text"])) for page in answer["pages"]),
        metadata=dict(answer["metadata"]),
        kind=kind,
        blank_pages=tuple(answer["blank"]),
        ocr_pages=tuple(answer["ocr"]),
        has_copy=has_copy,
    )


def _keep(made: Path, target: Path) -> None:
    """`made` as `target`, which is whole on the disk or does not change."""
    part = target.with_name(f"{target.name}.part")
    try:
        with made.open("rb") as source, part.open("wb") as file:
            shutil.copyfileobj(source, file)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def render_page(
    path: Path,
    page: int,
    marks: Sequence[PageMark | tuple[int, int]] = (),
    *,
    text: str | None = None,
    password: str = "",
    scale: float = _RENDER_SCALE,
    around: tuple[int, int] | None = None,
    width: int | None = None,
) -> bytes:
    """PNG of page `page` (from 1) with text[start:end] of every mark under its translucent colour.

    `marks` are character offsets into `text`, the page's text as it was stored, or (None) as
    `extract` gives it now; what lies outside it is ignored. Where a newer Materia reads the page
    otherwise than it was stored, a mark goes to where its words stand now, or nowhere: never to
    other words. Of marks that overlap the later one lies on top.

    Args:
        scale: in pixels per point.
        around: offsets of a passage: the picture is of the part of the page that holds it, with some
            lines above and below; of the whole page where the passage is not on it.
        width: of the picture, in pixels, in place of `scale`.

    Raises:
        NotFound: PAGE_NOT_FOUND.
        DocumentError: as `extract`.
    """
    # No file of its own: one would outlive a process that is killed.
    answer = _ask(
        {
            "action": "render",
            "path": str(path.resolve()),
            "password": password,
            "page": page,
            "marks": [PageMark(*mark) for mark in marks],
            "text": text,
            "around": around,
            "scale": scale,
            "width": width,
        },
        ExtractLimits(),
    )
    return base64.b64decode(answer["png"])


def _ask(
    request: Mapping[str, Any], limits: ExtractLimits, watch: _Watch | None = None
) -> dict[str, Any]:
    """Run the child on one request; its answer, or the error that its end stands for."""
    question = json.dumps(asdict(limits) | dict(request)).encode()
    # Files, not pipes: a child that writes more than a pipe holds would wait for ever, and so would one
    # whose request had not reached the pipe when the first look at it was due.
    with (
        tempfile.TemporaryFile() as stdin,
        tempfile.TemporaryFile() as stdout,
        tempfile.TemporaryFile() as stderr,
    ):
        stdin.write(question)
        stdin.seek(0)
        child = start(_CHILD, (stdin, stdout, stderr))
        try:
            _wait(child, limits, watch or _Watch())
        finally:
            child.end()
        if child.returncode:
            raise _ended_badly(child.returncode, stderr)
        stdout.seek(0)
        try:
            answer: dict[str, Any] = json.loads(stdout.read())
        except ValueError as error:
            raise _crashed() from error
    if refused := answer.get("error"):
        raise _KINDS.get(refused["code"], DocumentError)(**refused)
    return answer


def _wait(child: Child, limits: ExtractLimits, watch: _Watch) -> None:
    """Until the child has ended.

    Raises:
        Cancelled: the caller wants no answer any more.
        DocumentError: EXTRACTION_TIMEOUT.
    """
    deadline = time.monotonic() + limits.seconds
    told = ""
    while True:
        if watch.cancelled():
            raise Cancelled("Reading the file was cancelled.", advice="Upload it again to read it.")
        left = deadline - time.monotonic()
        if left <= 0:
            raise _timeout()
        try:
            child.wait(min(_POLL, left))
            return
        except subprocess.TimeoutExpired:
            last = _last_line(watch.progress)
        if last == told:
            continue
        if last.startswith("ocr") and not told.startswith("ocr"):
            deadline += limits.ocr_seconds
        told = last
        if watch.report:
            _, done, total = last.split()
            watch.report(int(done), int(total))


def _last_line(progress: Path | None) -> str:
    """The last whole line that the child has written of its progress; "" before the first."""
    try:
        words = progress.read_text(encoding="ascii") if progress else ""
    except FileNotFoundError:
        return ""
    lines = words.rpartition("\n")[0].splitlines()
    return lines[-1] if lines else ""


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
        "Reading the file crashed, so it is probably damaged.",
        advice="Open it in the program it was made with, save it again and upload the new copy.",
        code="CORRUPT",
    )
