"""Files in, nothing half-stored.

A file's way: copied into the data folder and hashed -> registry row ``ingesting`` -> text from a
child process -> chunks -> vectors -> text, mentions and state ``ready`` in one commit. Whatever
stops it on the way is undone (`Removal.undo`); after a crash `recover` does it at the next start.
Of several files the next ones are read and embedded while the present one is stored.
"""

from __future__ import annotations

import contextvars
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

from core.documents.cutting.filling import (
    EMBED_BATCH,
    described,
    embed,
    filled,
)
from core.documents.library.names import display_name, same_content
from core.documents.library.outcomes import (
    Progress,
    Report,
    Source,
    heed,
    result_of,
    silent,
    steps,
    taken_in,
    unreadable,
    unsuccessful,
)
from core.documents.library.registration import Registration
from core.documents.library.shelves import LEAFLETS
from core.documents.reading.extract import Stop, extract, never
from core.domain.documents import (
    Chunk,
    Document,
    DocumentState,
    Filling,
    IngestResult,
    OnConflict,
    Page,
)
from core.domain.vectors import Vectors
from core.errors import MateriaError, NotFound

# Chunks whose vectors are written at once: of 32 each costs a third more; while it lasts questions wait.
ADDED_TOGETHER = 8 * EMBED_BATCH
_READ_AHEAD = (
    2  # files: a long one is read while the one before it is embedded, however short that is
)

_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A registered document whose text is read and cut.

    Attributes:
        vectors: of its chunks, where they were made elsewhere.
        parts: what comes of embedding its chunks, `ADDED_TOGETHER` each, where they were not.
    """

    filling: Filling
    started: float
    vectors: Vectors | None = None
    parts: tuple[Future[Vectors], ...] = ()

    @property
    def embedded(self) -> Iterator[Vectors]:
        """Vectors of its chunks in their order, `ADDED_TOGETHER` each, as soon as they are there."""
        if self.vectors is not None:
            for first in range(0, len(self.vectors), ADDED_TOGETHER):
                yield self.vectors[first : first + ADDED_TOGETHER]
        for part in self.parts:
            yield part.result()

    def stop(self) -> None:
        """Embed no more of it."""
        for part in self.parts:
            part.cancel()
        wait(self.parts)


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

            return self._prepare(sources[number], index, on_conflict, watched, cancelled, embedding)

        ahead: deque[Future[_Prepared | IngestResult]] = deque()
        with (
            ThreadPoolExecutor(1, thread_name_prefix="embedding") as embedding,
            ThreadPoolExecutor(1, thread_name_prefix="reading") as reading,
        ):
            try:
                for current in range(len(sources)):
                    outcome = ahead[0].result() if ahead else prepare(current)
                    if ahead:  # until then it was one to take back
                        ahead.popleft()
                    if isinstance(outcome, IngestResult) and outcome.code == "IN_WORK":
                        # A file before it had the same bytes, and is done by now.
                        outcome = prepare(current)
                    rest = range(current + 1 + len(ahead), len(sources))
                    for number in rest[: _READ_AHEAD - len(ahead)]:
                        if not cancelled():
                            ahead.append(_begun(reading, partial(prepare, number)))
                    if isinstance(outcome, _Prepared):
                        outcome = self._finish(
                            outcome, partial(report, current), cancelled, was_ahead=current > 0
                        )
                    yield outcome
                    if outcome.state == "cancelled":
                        return
            finally:
                self._take_back(ahead)

    def _take_back(self, ahead: Iterable[Future[_Prepared | IngestResult]]) -> None:
        for one in reversed([*ahead]):
            outcome = None if one.cancel() else one.result()
            if isinstance(outcome, _Prepared):
                outcome.stop()
                self.removal.undo([outcome.filling.document])
                self.ended([outcome.filling.document])

    def _prepare(
        self,
        source: Source,
        index: str,
        on_conflict: OnConflict,
        report: Report,
        cancelled: Stop,
        embedding: Executor,
    ) -> _Prepared | IngestResult:
        """Register a file, read it and have it embedded; the result at once when it needs no embedding."""
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
                embed_part = partial(
                    self._part_embedded, [filling], document.index, report, cancelled
                )
                parts = [
                    _begun(embedding, partial(embed_part, first))
                    for first in range(0, len(filling.chunks), ADDED_TOGETHER)
                ]
                return _Prepared(filling, started, parts=tuple(parts))
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

    def _finish(
        self, prepared: _Prepared, report: Report, cancelled: Stop, *, was_ahead: bool
    ) -> IngestResult:
        document, chunks = prepared.filling.document, len(prepared.filling.chunks)
        try:
            with self.undone_on_failure([document]):
                try:
                    heed(cancelled)
                    if was_ahead:  # nobody heard what was told of it then
                        report(Progress("embedding", document.pages, total=chunks))
                    self._commit([prepared.filling], document.index, prepared.embedded)
                finally:
                    prepared.stop()
        except MateriaError as error:
            return unsuccessful(document.file, prepared.started, error, None)
        self.ended([document])
        for old in prepared.filling.replaces:
            self._remove_replaced(old)
        report(Progress("ready", document.pages, chunks, chunks))
        ready = replace(document, chunks=chunks)
        message = taken_in(ready, replaces=bool(prepared.filling.replaces))
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
            steps(report, cancelled),
        )
        read = replace(
            read, blank_pages=len(extracted.blank_pages), ocr_pages=len(extracted.ocr_pages)
        )
        heed(cancelled)
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
            chunks = sum(len(filling.chunks) for filling in fillings)
            embedded = partial(self._part_embedded, fillings, index, report, cancelled)
            self._commit(fillings, index, map(embedded, range(0, chunks, ADDED_TOGETHER)))
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
            heed(cancelled)
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
            step=steps(report, cancelled, document.pages),
            count_tokens=going_on,
        )
        heed(cancelled)
        return filling

    def _part_embedded(
        self,
        fillings: Sequence[Filling],
        index: str,
        report: Report,
        cancelled: Stop,
        first: int,
    ) -> Vectors:
        """The vectors of `ADDED_TOGETHER` chunks of documents, from the one at `first`."""
        encoder = self.encoder_for(self.index_for_adding(index))
        if not getattr(encoder, "loaded", True):
            report(Progress("getting the embedding model ready (half a minute, the first time)"))
        chunks = _chunks(fillings)
        pages = sum(filling.document.pages for filling in fillings)
        made = []
        end = min(first + ADDED_TOGETHER, len(chunks))
        for start in range(first, end, EMBED_BATCH):
            report(Progress("embedding", pages, start, len(chunks)))
            heed(cancelled)
            made.append(embed(encoder, chunks[start : min(start + EMBED_BATCH, end)]))
        return np.concatenate(made)

    def _commit(self, fillings: Sequence[Filling], index: str, embedded: Iterable[Vectors]) -> None:
        """Store the vectors of all chunks, then make the documents ready in one transaction."""
        collection = self.index_for_adding(index).collection
        chunks, added = _chunks(fillings), 0
        for vectors in embedded:
            self.vectors.add(collection, chunks[added : added + len(vectors)], vectors)
            added += len(vectors)
        with self.in_work.lock:
            self.store.finish_documents(fillings)

    def _remove_replaced(self, document_id: str) -> None:
        old = self.store.document(document_id)
        if old is not None:  # it is marked as deleting: no search sees it
            self.removal.documents([old])


def _begun(pool: Executor, work: Callable[[], _Made]) -> Future[_Made]:
    """What comes of work in another thread, whose lines in the log say what it is for."""
    return pool.submit(contextvars.copy_context().run, work)


def _chunks(fillings: Sequence[Filling]) -> list[Chunk]:
    return [chunk for filling in fillings for chunk in filling.chunks]


def _already(known: Document, shown: str, started: float) -> IngestResult:
    result = result_of(known, started, "ready", "ALREADY_PRESENT", same_content(known))
    return replace(result, file=shown)
