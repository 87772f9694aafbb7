"""Files in, nothing half-stored.

A file's way: copied into the data folder and hashed -> registry row ``ingesting`` -> text from a
child process -> chunks -> vectors -> text, mentions and state ``ready`` in one commit. Whatever
stops it on the way is undone (`Removal.undo`); after a crash `recover` does it at the next start.
Of several files the next one is read while the present one is embedded.
"""

from __future__ import annotations

import contextvars
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from core.documents.cutting.filling import (
    EMBED_BATCH,
    Step,
    described,
    embed,
    filled,
)
from core.documents.library.names import display_name, same_content
from core.documents.library.outcomes import (
    Progress,
    Report,
    Source,
    result_of,
    unreadable,
    unsuccessful,
)
from core.documents.library.registration import Registration
from core.documents.library.shelves import LEAFLETS
from core.documents.reading.extract import Stop, extract, never
from core.domain.documents import (
    Document,
    DocumentState,
    Filling,
    IngestResult,
    OnConflict,
    Page,
)
from core.domain.vectors import Vectors
from core.errors import Cancelled, MateriaError, NotFound

# Chunks whose vectors are written at once: of 32 each costs a third more; while it lasts questions wait.
ADDED_TOGETHER = 8 * EMBED_BATCH


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A registered document whose text is read and cut.

    Attributes:
        vectors: of its chunks, where they were made elsewhere.
    """

    filling: Filling
    started: float
    vectors: Vectors | None = None


def silent(_progress: Progress) -> None:
    """Nobody is watching."""


class Intake(Registration):
    """The way of files and texts into the indexes."""

    def ingest(
        self,
        source: Path,
        *,
        name: str | None = None,
        index: str = LEAFLETS,
        password: str = "",
        on_conflict: OnConflict = OnConflict.ASK,
        report: Report = silent,
        cancelled: Callable[[], bool] = never,
    ) -> IngestResult:
        """Bring one file into the library; never raises for a file that cannot be read.

        The result's state is ``ready`` (also for bytes that are already there, code
        ``ALREADY_PRESENT``), ``refused`` when the file is at fault, ``failed`` when Materia is,
        ``question`` (code ``NAME_EXISTS``) when the index has other bytes under that name.
        """
        (outcome,) = self.ingest_many(
            [Source(source, name or source.name, password)],
            index=index,
            on_conflict=on_conflict,
            report=lambda _, progress: report(progress),
            cancelled=cancelled,
        )
        return outcome

    def ingest_many(
        self,
        sources: Sequence[Source],
        *,
        index: str = LEAFLETS,
        on_conflict: OnConflict = OnConflict.ASK,
        report: Callable[[int, Progress], None] = lambda _number, _progress: None,
        cancelled: Callable[[], bool] = never,
    ) -> Generator[IngestResult]:
        """Bring files in one after the other, a result for each; one bad file stops no other.

        Closing the iterator takes back what was begun. After `cancelled` says so, the file in work
        has the state ``cancelled`` and no further one is begun.

        Args:
            report: called with the file's place in `sources` and its progress.
        """
        current = 0

        def prepare(number: int) -> _Prepared | IngestResult:
            def watched(progress: Progress) -> None:
                if number == current:  # a file that is read ahead is not the one to tell of
                    report(number, progress)

            return self._prepare(sources[number], index, on_conflict, watched, cancelled)

        ahead: Future[_Prepared | IngestResult] | None = None
        with ThreadPoolExecutor(1, thread_name_prefix="reading") as pool:
            try:
                for current in range(len(sources)):
                    outcome = ahead.result() if ahead else prepare(current)
                    ahead = None
                    if isinstance(outcome, IngestResult) and outcome.code == "IN_WORK":
                        # The file before it had the same bytes, and is done by now.
                        outcome = prepare(current)
                    if current + 1 < len(sources) and not cancelled():
                        context = contextvars.copy_context()
                        ahead = pool.submit(context.run, prepare, current + 1)
                    if isinstance(outcome, _Prepared):
                        outcome = self._finish(outcome, partial(report, current), cancelled)
                    yield outcome
                    if outcome.state == "cancelled":
                        return
            finally:
                self._take_back(ahead)

    def _take_back(self, ahead: Future[_Prepared | IngestResult] | None) -> None:
        if ahead is None:
            return
        outcome = ahead.result()
        if isinstance(outcome, _Prepared):
            self.removal.undo([outcome.filling.document])
            self.ended([outcome.filling.document])

    def _prepare(
        self, source: Source, index: str, on_conflict: OnConflict, report: Report, cancelled: Stop
    ) -> _Prepared | IngestResult:
        """Register a file and read it; the result at once when it needs no embedding."""
        started = time.perf_counter()
        shown = display_name(source.name)
        try:
            document, replaces = self._register(source, shown, index, on_conflict, report)
            if document.state is DocumentState.READY:
                return _already(document, shown, started)
            with self.undone_on_failure([document]):
                made = self._made(document, source, replaces, started)
                if made is not None:
                    return made
                filling = self._read(document, source.password, replaces, report, cancelled)
                return _Prepared(filling, started)
        except MateriaError as error:
            return unsuccessful(shown, started, error, source)
        except OSError as error:
            return unsuccessful(shown, started, unreadable(error), source)

    def already(self, index: str, name: str, sha256: str) -> IngestResult | None:
        """The result for a file whose bytes a ready document has; None where none has them."""
        started = time.perf_counter()
        known = self.store.document_by_hash(self.index_for_adding(index).name, sha256)
        if known is None or known.state is not DocumentState.READY:
            return None
        return _already(known, display_name(name), started)

    def _made(
        self, document: Document, source: Source, replaces: tuple[str, ...], started: float
    ) -> _Prepared | None:
        """What was worked out elsewhere, where it is of these bytes and for this index."""
        made = source.made
        if isinstance(made, MateriaError):
            raise made
        if made is None or not made.fits(document, self.index_for_adding(document.index)):
            return None
        if made.copy is not None:
            self.files.copy_place(document.id).write_bytes(made.copy)
            self.files.keep_copy(document.id)
        return _Prepared(made.of(document, replaces), started, made.vectors)

    def _finish(self, prepared: _Prepared, report: Report, cancelled: Stop) -> IngestResult:
        document = prepared.filling.document
        try:
            with self.undone_on_failure([document]):
                self._commit(
                    [prepared.filling], document.index, report, cancelled, prepared.vectors
                )
        except MateriaError as error:
            return unsuccessful(document.file, prepared.started, error, None)
        self.ended([document])
        for old in prepared.filling.replaces:
            self._remove_replaced(old)
        chunks = len(prepared.filling.chunks)
        report(Progress("ready", document.pages, chunks, chunks))
        pages = f"{document.pages} page{'' if document.pages == 1 else 's'}, "
        message = f"about “{document.title}”: "
        message += f"{pages if document.pages else ''}{chunks} chunk{'' if chunks == 1 else 's'}"
        if document.products:
            message += f", {len(document.titles)} products told apart"
        if document.ocr_pages:
            message += f", {document.ocr_pages} read by OCR"
        if document.blank_pages:
            message += f", {document.blank_pages} without text"
        if document.orders:
            said = "1 sentence is" if document.orders == 1 else f"{document.orders} sentences are"
            message += f"; {said} addressed to language models and left out of answers"
        if prepared.filling.replaces:
            message += "; it replaces the earlier version"
        ready = replace(document, chunks=chunks)
        return result_of(ready, prepared.started, "ready", "OK", message)

    def _read(
        self,
        document: Document,
        password: str,
        replaces: tuple[str, ...],
        report: Report,
        cancelled: Stop,
    ) -> Filling:
        original = self.files.original(document.id)
        if original is None:
            raise NotFound("The file was removed meanwhile.", code="DOCUMENT_NOT_FOUND")
        extracted = extract(
            original,
            kind=document.kind,
            password=password,
            limits=self.limits,
            copy=self.files.copy_place(document.id),
            work_in=self.files.incoming,
            cancelled=cancelled,
            report=lambda pages, total: report(
                Progress(f"reading {pages} of {total} pages", pages)
            ),
        )
        if extracted.has_copy:
            self.files.keep_copy(document.id)
        read = described(
            document,
            extracted.pages,
            extracted.metadata,
            self.count_mentions,
            self.medicines,
            _steps(report, cancelled),
        )
        read = replace(
            read, blank_pages=len(extracted.blank_pages), ocr_pages=len(extracted.ocr_pages)
        )
        _heed(cancelled)
        report(Progress("cutting into chunks", pages=read.pages, may_wait=True))
        return self._filling(read, extracted.pages, replaces, report, cancelled)

    def add_texts(
        self,
        texts: Sequence[tuple[Document, Sequence[Page]]],
        index: str,
        *,
        report: Report = silent,
        cancelled: Callable[[], bool] = never,
    ) -> None:
        """Add documents that are text already (abstracts) to one index; all of them or none."""
        documents = [document for document, _ in texts]
        self.begin(documents)
        with self.undone_on_failure(documents):
            fillings = [self._filling(document, pages, ()) for document, pages in texts]
            self._commit(fillings, index, report, cancelled)
        self.ended(documents)

    def _filling(
        self,
        document: Document,
        pages: Sequence[Page],
        replaces: tuple[str, ...],
        report: Report = silent,
        cancelled: Stop = never,
    ) -> Filling:
        def going_on(texts: Sequence[str]) -> list[int]:
            _heed(cancelled)
            return encoder.count_tokens(texts)

        index = self.index_for_adding(document.index)
        encoder = self.encoder_for(index)
        filling = filled(
            document,
            pages,
            index.profile,
            encoder,
            self.count_mentions,
            replaces=replaces,
            step=_steps(report, cancelled, document.pages),
            count_tokens=going_on,
        )
        _heed(cancelled)
        return filling

    def _commit(
        self,
        fillings: Sequence[Filling],
        index: str,
        report: Report,
        cancelled: Stop,
        vectors: Vectors | None = None,
    ) -> None:
        """Embed all chunks, unless that was done, then make the documents ready in one transaction."""
        into = self.index_for_adding(index)
        encoder, collection = self.encoder_for(into), into.collection
        chunks = [chunk for filling in fillings for chunk in filling.chunks]
        if vectors is None and not getattr(encoder, "loaded", True):
            report(Progress("getting the embedding model ready (half a minute, the first time)"))
        pages = sum(filling.document.pages for filling in fillings)
        for first in range(0, len(chunks), ADDED_TOGETHER):
            part = chunks[first : first + ADDED_TOGETHER]
            made = [] if vectors is None else [vectors[first : first + len(part)]]
            for start in range(0, len(part), EMBED_BATCH):
                report(Progress("embedding", pages, first + start, len(chunks)))
                _heed(cancelled)
                if vectors is None:
                    made.append(embed(encoder, part[start : start + EMBED_BATCH]))
            self.vectors.add(collection, part, np.concatenate(made))
        with self.in_work.lock:
            self.store.finish_documents(fillings)

    def _remove_replaced(self, document_id: str) -> None:
        old = self.store.document(document_id)
        if old is not None:  # it is marked as deleting: no search sees it
            self.removal.documents([old])


def _heed(cancelled: Stop) -> None:
    if cancelled():
        raise Cancelled("It was cancelled; nothing of this file was kept.")


def _steps(report: Report, cancelled: Stop, pages: int = 0) -> Step:
    def step(stage: str) -> None:
        _heed(cancelled)
        report(Progress(stage, pages=pages, may_wait=True))

    return step


def _already(known: Document, shown: str, started: float) -> IngestResult:
    result = result_of(known, started, "ready", "ALREADY_PRESENT", same_content(known))
    return replace(result, file=shown)
