"""Abstracts from a file in the form of the Kaggle data set ``arxivData.json``, into the library.

The file is read and added in batches, so that neither its size nor an interruption matters: what was
added stays, and the next run goes on from there. A paper is known again by its id, title and
summary. An arXiv id names its version (``1802.00209v1``): another version is another paper here, and
so are two records that share an id but not their text, since nothing says which of them is right.
"""

from __future__ import annotations

import hashlib
import json
import time
import uuid
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from core.documents.library.library import Library
from core.documents.library.outcomes import Progress
from core.documents.library.shelves import ABSTRACTS
from core.documents.reading.abstract_records import (
    Abstract,
    RefusedRecord,
    read_abstracts,
    wrong_format,
)
from core.documents.reading.extract import never
from core.domain.documents import Document, DocumentState, Kind, Page, Profile
from core.domain.jobs import JobProgress
from core.errors import Cancelled, InputError

_BATCH = 200  # abstracts in one transaction: some seconds of embedding, lost at most by a crash
_PROBLEMS_KEPT = 100
_PROBLEMS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class AbstractsDone:
    """What became of the records of a file: ``read == added + known + repeated + malformed``.

    Attributes:
        known: papers that were in the library before.
        repeated: records that say the same as an earlier one of the file.
        problems: why malformed records were left out, the first 100.
    """

    added: int
    known: int
    repeated: int
    malformed: int
    problems: tuple[RefusedRecord, ...]
    read: int
    seconds: float

    @property
    def message(self) -> str:
        """The numbers in words."""
        parts = [f"{_counted(self.added, 'abstract')} added"]
        if self.known:
            parts.append(f"{self.known:,} {'was' if self.known == 1 else 'were'} there before")
        if self.repeated:
            parts.append(f"{_counted(self.repeated, 'repeated record')} left out")
        if self.malformed:
            shown = [f"{one.record}: {one.reason}" for one in self.problems[:_PROBLEMS_SHOWN]]
            more = ", ..." if self.malformed > len(shown) else ""
            left_out = _counted(self.malformed, "malformed record")
            parts.append(f"{left_out} left out ({', '.join(shown)}{more})")
        return ", ".join(parts) + "."


def silent(_progress: JobProgress) -> None:
    """Nobody is watching."""


class AbstractsImport:
    """Adds the abstracts of a file to the index of abstracts."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def run(
        self,
        path: Path,
        limit: int | None = None,
        *,
        report: Callable[[JobProgress], None] = silent,
        cancelled: Callable[[], bool] = never,
    ) -> AbstractsDone:
        """Add the papers that the library does not have yet, some hundreds at a time.

        Args:
            limit: take this many papers (those that are there already count), all when None.
            report: told of records read (`done`), chunks embedded and the fraction of the file.

        Raises:
            NotFound: no such file.
            InputError: ``ABSTRACTS_FORMAT`` (no such records, or the file breaks off: complete records
                before that are added, and the message counts them), ``FILE_UNREADABLE``,
                ``INVALID_LIMIT``.
            Cancelled: the batches before are kept.
            EmbeddingMismatch, StoreError, ModelError: likewise.
        """
        if limit is not None and limit < 1:
            raise InputError("The limit must be 1 or more.", code="INVALID_LIMIT")
        return _Run(self._library, path, limit, report, cancelled).done()


class _Run:
    """One pass over a file."""

    def __init__(
        self,
        library: Library,
        path: Path,
        limit: int | None,
        report: Callable[[JobProgress], None],
        cancelled: Callable[[], bool],
    ) -> None:
        self._library = library
        self._path = path
        self._limit = limit
        self._report = report
        self._cancelled = cancelled
        self._there: set[str] = set()  # hashes of what the library had before
        self._papers: set[str] = set()  # hashes of what the file has, so far
        self._batch: list[tuple[Document, list[Page]]] = []
        self._problems: list[RefusedRecord] = []
        self._read = self._added = self._known = self._malformed = self._chunks = 0
        self._share = 0.0  # of the file
        self._broken: InputError | None = None

    def done(self) -> AbstractsDone:
        started = time.perf_counter()
        self._there = self._hashes_there()
        with closing(self._records()) as records:
            for record in records:
                self._check()
                self._take(record)
                if len(self._papers) == self._limit:
                    break
        self._add_batch()
        self._complain()
        return AbstractsDone(
            self._added,
            self._known,
            self._read - self._malformed - len(self._papers),
            self._malformed,
            tuple(self._problems),
            self._read,
            round(time.perf_counter() - started, 3),
        )

    def _hashes_there(self) -> set[str]:
        """Hashes of the abstracts in the library, after what a failed attempt left is removed: it
        would pass for known, though no search sees it."""
        library = self._library
        hashes = library.store.hashes(ABSTRACTS)
        if len(hashes) == library.store.count_index(ABSTRACTS).documents:
            return hashes
        with library.in_work.lock:
            for document in library.store.unfinished(ABSTRACTS):
                if not library.in_work.has(document.id):
                    library.removal.document(document)
        return library.store.hashes(ABSTRACTS)

    def _records(self) -> Generator[Abstract | RefusedRecord]:
        """The file's records up to its end, or to where it cannot be read any further."""
        try:
            for record, share in read_abstracts(self._path):
                self._share = share
                yield record
        except InputError as error:
            self._broken = error

    def _take(self, record: Abstract | RefusedRecord) -> None:
        self._read += 1
        if isinstance(record, RefusedRecord):
            self._malformed += 1
            if len(self._problems) < _PROBLEMS_KEPT:
                self._problems.append(record)
        else:
            self._take_paper(record)
        if self._read % _BATCH == 0:
            self._tell("reading abstracts", 0)

    def _take_paper(self, abstract: Abstract) -> None:
        digest = _digest(abstract)
        if digest in self._papers:
            return
        self._papers.add(digest)
        if digest in self._there:
            self._known += 1
            return
        self._batch.append((_document(abstract, digest), [Page(0, abstract.summary)]))
        if len(self._batch) == _BATCH:
            self._add_batch()

    def _add_batch(self) -> None:
        if not self._batch:
            return
        chunks = 0

        def watched(progress: Progress) -> None:
            nonlocal chunks
            chunks = progress.total
            self._tell("embedding abstracts", progress.chunks)

        self._check()
        # Only now: a file without abstracts leaves no index behind.
        self._library.ensure_index(ABSTRACTS, Profile.ABSTRACT)
        try:
            self._library.add_texts(
                self._batch, ABSTRACTS, report=watched, cancelled=self._cancelled
            )
        except Cancelled as error:
            raise self._was_cancelled() from error
        self._added += len(self._batch)
        self._chunks += chunks
        self._batch = []
        self._tell("embedding abstracts", 0)

    def _tell(self, stage: str, chunks: int) -> None:
        share = self._share
        if self._limit is not None:
            share = max(share, len(self._papers) / self._limit)
        self._report(
            JobProgress(stage, done=self._read, chunks=self._chunks + chunks, fraction=share)
        )

    def _check(self) -> None:
        if self._cancelled():
            raise self._was_cancelled()

    def _was_cancelled(self) -> Cancelled:
        return Cancelled(
            f"It was cancelled; {_counted(self._added, 'abstract')} added before.",
            advice="Import the file again to go on from there.",
        )

    def _complain(self) -> None:
        """Say what is wrong with the file as a whole."""
        if self._broken is not None and not self._papers:
            raise self._broken
        if self._broken is not None:
            raise InputError(
                f"{self._broken.message} The {_counted(len(self._papers), 'abstract')} before that "
                f"are kept ({self._added:,} added, {self._known:,} there before).",
                advice="Get the file again and import it: what is there is not added twice.",
                code=self._broken.code,
            ) from self._broken
        if self._read and not self._papers:
            first = self._problems[0]
            raise wrong_format(
                "no record has a title, a summary and an id "
                f"({first.record}: {first.reason}; {self._read:,} read)"
            )


def _document(abstract: Abstract, digest: str) -> Document:
    return Document(
        id=uuid.uuid4().hex,
        index=ABSTRACTS,
        file=f"arXiv {abstract.paper_id}",
        title=" ".join(abstract.title.split()),
        sha256=digest,
        bytes=len(abstract.summary.encode()),
        pages=0,
        chunks=0,
        state=DocumentState.INGESTING,
        created_at=datetime.now(UTC),
        metadata={
            "title": abstract.title,
            "authors": ", ".join(abstract.authors),
            "url": abstract.url,
            "year": abstract.year,
        },
        kind=Kind.ABSTRACT,
    )


def _digest(abstract: Abstract) -> str:
    identity = json.dumps([abstract.paper_id, abstract.title, abstract.summary])
    return hashlib.sha256(identity.encode()).hexdigest()


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
