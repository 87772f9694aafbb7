"""Documents moved or copied to another index, nothing lost and nothing twice.

A move: vectors are written to the index that the document goes to, then one transaction of the registry
lets it be there; vectors of the index that it left go last. A document keeps its id, so that answers, links
and chosen scopes keep it. A copy gets in as a new file does. Whatever stops either on the way is undone, and
after a crash the next start does it (`Removal.recover`).
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from core.documents.library.library import Library
from core.documents.library.names import same_content
from core.documents.library.outcomes import Report, result_of, unsuccessful
from core.documents.library.shelves import ABSTRACTS
from core.documents.moving.arrival import arrival_of
from core.documents.reading.extract import never
from core.domain.documents import (
    Document,
    DocumentState,
    Filling,
    Index,
    IngestResult,
    Kind,
)
from core.errors import Conflict, InputError, MateriaError, NotFound
from core.logs import get_logger
from core.reserve import full_disk_told

_log = get_logger("moving")


class Relocation:
    """Moves and copies documents of a library."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def check(self, document_ids: Sequence[str], target: str) -> None:
        """Refuse before anything is begun what cannot be done.

        Raises:
            NotFound: no such index (``INDEX_NOT_FOUND``), or no such document (``DOCUMENT_NOT_FOUND``).
            EmbeddingMismatch: the index's model cannot be loaded.
            InputError: a file is to go among the abstracts (``NOT_AN_ABSTRACT``).
        """
        library = self._library
        if library.store.index(target) is None:
            raise NotFound(
                f"There is no index “{target}”.",
                advice="The Library lists the existing ones.",
                code="INDEX_NOT_FOUND",
            )
        index = library.index_for_adding(target)
        for document_id in document_ids:
            _require_place(self._document(document_id), index)

    def move(
        self,
        document_id: str,
        target: str,
        *,
        name: str = "",
        report: Report = lambda _: None,
        cancelled: Callable[[], bool] = never,
    ) -> IngestResult:
        """Let a document be in another index; what became of it, as of a file (`Library.ingest`).

        Search goes on with the document where it was until it is where it goes. A name that another
        document there has gets a number. Codes: ``MOVED``, ``ALREADY_THERE``; refused ``SAME_CONTENT``,
        where the index has its bytes.

        Args:
            name: what it is called there; as before, if not given.
        """
        return self._done(document_id, target, partial(self._moved, name), report, cancelled)

    def copy(
        self,
        document_id: str,
        target: str,
        *,
        report: Report = lambda _: None,
        cancelled: Callable[[], bool] = never,
    ) -> IngestResult:
        """Give another index the same document; as `move`, with the codes ``COPIED`` and
        ``ALREADY_PRESENT``, where the index has its bytes."""
        return self._done(document_id, target, self._copied, report, cancelled)

    def _done(
        self,
        document_id: str,
        target: str,
        work: Callable[[Document, Index, Report, Callable[[], bool]], tuple[Document, str, str]],
        report: Report,
        cancelled: Callable[[], bool],
    ) -> IngestResult:
        started = time.perf_counter()
        shown = document_id
        try:
            shown = self._document(document_id).file
            with self._between(document_id, target) as (document, index):
                done, code, message = work(document, index, report, cancelled)
            return result_of(done, started, "ready", code, message)
        except MateriaError as error:
            return unsuccessful(shown, started, error, None)

    @contextmanager
    def _between(self, document_id: str, target: str) -> Iterator[tuple[Document, Index]]:
        """A document that nothing else works on, and an index that nothing changes as a whole."""
        library = self._library
        with library.alone_with(document_id) as document:
            index = library.index_for_adding(target)
            _require_place(document, index)
            library.in_work.begin([document_id], index.name)
            try:
                yield document, index
            finally:
                library.in_work.end([document_id], index.name)

    def _moved(
        self,
        name: str,
        document: Document,
        index: Index,
        report: Report,
        cancelled: Callable[[], bool],
    ) -> tuple[Document, str, str]:
        library = self._library
        if document.index == index.name:
            return document, "ALREADY_THERE", f"It is in the index {index.name} already."
        known = library.having_bytes(index.name, document.sha256)
        if known is not None:
            raise Conflict(
                same_content(known), advice="Delete one of the two.", code="SAME_CONTENT"
            )
        name = library.free_name(index.name, name or document.file)
        arrival = arrival_of(library, document, index, report, cancelled)
        moved = replace(document, index=index.name, file=name, chunks=len(arrival.chunks))
        with library.changing(document.id):
            arrival.add_vectors(library, index)
            library.store.move_document(
                moved,
                arrival.chunks if arrival.recut else None,
                arrival.mentions if arrival.recut else {},
            )
        _log.info("moved", document=document.id, recut=arrival.recut)
        return moved, "MOVED", f"It is in the index {index.name} now{_as(name, document)}."

    def _copied(
        self, document: Document, index: Index, report: Report, cancelled: Callable[[], bool]
    ) -> tuple[Document, str, str]:
        library = self._library
        known = library.having_bytes(index.name, document.sha256)
        if known is not None:
            return known, "ALREADY_PRESENT", same_content(known)
        library.ask_room()
        copy = replace(
            document,
            id=uuid.uuid4().hex,
            index=index.name,
            file=library.free_name(index.name, document.file),
            created_at=datetime.now(UTC),
            state=DocumentState.INGESTING,
        )
        library.begin([copy])
        with library.undone_on_failure([copy]), full_disk_told():
            library.files.duplicate(document.id, copy.id)
            arrival = arrival_of(library, document, index, report, cancelled).of(copy.id)
            arrival.add_vectors(library, index)
            pages = library.store.pages(document.id)
            with library.in_work.lock:
                library.store.finish_documents(
                    [Filling(copy, pages, arrival.chunks, arrival.mentions)]
                )
        library.ended([copy])
        _log.info("copied", document=document.id, copy=copy.id)
        ready = replace(copy, state=DocumentState.READY, chunks=len(arrival.chunks))
        return ready, "COPIED", f"The index {index.name} has it too{_as(copy.file, document)}."

    def _document(self, document_id: str) -> Document:
        document = self._library.store.document(document_id)
        if document is None:
            raise NotFound(
                "This document is not in the library.",
                advice="Reload the list.",
                code="DOCUMENT_NOT_FOUND",
            )
        return document


def _require_place(document: Document, index: Index) -> None:
    if index.name == ABSTRACTS and document.kind is not Kind.ABSTRACT:
        raise InputError(
            f"“{ABSTRACTS}” takes papers' abstracts only, and “{document.file}” is a file.",
            advice="Choose another index.",
            code="NOT_AN_ABSTRACT",
        )


def _as(name: str, document: Document) -> str:
    """The name, where another document of the index had the one that it came with."""
    return "" if name == document.file else f", as “{name}”"
