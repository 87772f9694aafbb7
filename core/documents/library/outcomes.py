"""How far a file is, and what became of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.documents.cutting.filling import Made, Step
from core.documents.library.names import told_about
from core.domain.documents import Document, IngestResult
from core.errors import Cancelled, Conflict, DocumentError, MateriaError, NotFound, TooLarge
from core.logs import get_logger

_log = get_logger("documents")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a file is: `stage` in words, pages read, chunks embedded out of `total`.

    Attributes:
        may_wait: whether the work can stand still here for a while, so that something short has its turn.
    """

    stage: str
    pages: int = 0
    chunks: int = 0
    total: int = 0
    may_wait: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """A file to take in; `name` is what it is called, `path` where its bytes are now.

    Attributes:
        made: what was worked out of it elsewhere, or why it cannot be read; it is read here where that
            turns out to be of other bytes, or for another index.
    """

    path: Path
    name: str
    password: str = ""
    made: Made | MateriaError | None = None


Report = Callable[[Progress], None]


def silent(_progress: Progress) -> None:
    """Nobody is watching."""


def heed(cancelled: Callable[[], bool]) -> None:
    """End here where the work is not wanted any more.

    Raises:
        Cancelled
    """
    if cancelled():
        raise Cancelled("It was cancelled; nothing of this file was kept.")


def steps(report: Report, cancelled: Callable[[], bool], pages: int = 0) -> Step:
    """What tells of each step of a file, and ends the work where it is not wanted any more."""

    def step(stage: str) -> None:
        heed(cancelled)
        report(Progress(stage, pages=pages, may_wait=True))

    return step


def check_size(size: int, limit: int) -> None:
    if size == 0:
        raise DocumentError(
            "The file is empty (0 bytes).", advice="Upload it again.", code="EMPTY_FILE"
        )
    if size > limit:
        raise TooLarge(
            f"The file has {size / 1e6:,.0f} MB; the limit is {limit / 1e6:,.0f} MB.",
            advice="Split it, or raise MATERIA_MAX_FILE_MB.",
        )


def result_of(
    document: Document, started: float, state: str, code: str, message: str
) -> IngestResult:
    outcome = IngestResult(
        file=document.file,
        state=state,
        code=code,
        message=message,
        pages=document.pages,
        chunks=document.chunks,
        seconds=round(time.perf_counter() - started, 3),
        document_id=document.id,
        title=document.title,
    )
    _log.info("ingested", state=state, code=code, pages=outcome.pages, chunks=outcome.chunks)
    return outcome


def taken_in(document: Document, *, replaces: bool) -> str:
    """What a document that has become ready is, in words."""
    pages, chunks = document.pages, document.chunks
    of_pages = f"{pages} page{'' if pages == 1 else 's'}, "
    message = f"{told_about(document.title, document.file)}: "
    message += f"{of_pages if pages else ''}{chunks} chunk{'' if chunks == 1 else 's'}"
    if document.products:
        message += f", {len(document.titles)} products told apart"
    if document.ocr_pages:
        message += f", {document.ocr_pages} read by OCR"
    if document.blank_pages:
        message += f", {document.blank_pages} without text"
    if document.orders:
        said = "1 sentence is" if document.orders == 1 else f"{document.orders} sentences are"
        message += f"; {said} addressed to language models and left out of answers"
    return f"{message}; it replaces the earlier version" if replaces else message


def unsuccessful(
    shown: str, started: float, error: MateriaError, source: Source | None
) -> IngestResult:
    """The result for a file that did not get in."""
    if error.code == "NAME_EXISTS":
        state = "question"
    elif isinstance(error, Cancelled):
        state = "cancelled"
    else:
        faulty = isinstance(error, DocumentError | Conflict | NotFound)
        state = "refused" if faulty else "failed"
    _log.info("not_ingested", state=state, code=error.code)
    return IngestResult(
        file=shown,
        state=state,
        code=error.code,
        message=str(error),
        pages=0,
        chunks=0,
        seconds=round(time.perf_counter() - started, 3),
        source=str(source.path) if source is not None and state == "question" else "",
    )


def unreadable(error: OSError) -> MateriaError:
    return MateriaError(
        f"The file cannot be read or kept ({error.strerror or 'input/output error'}).",
        advice="Check the file and the free disk space, then try again.",
        code="FILE_UNREADABLE",
    )
