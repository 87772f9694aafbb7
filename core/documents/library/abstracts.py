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
from dataclasses import dataclass, field
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


def import_abstracts(
    library: Library,
    path: Path,
    limit: int | None = None,
    *,
    report: Callable[[JobProgress], None] = silent,
    cancelled: Callable[[], bool] = never,
) -> AbstractsDone:
    """Add the papers of a file that the index of abstracts does not have yet, some hundreds at a time.

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
    check_limit(limit)
    return _Run(library, path, limit, report, cancelled).done()


def check_limit(limit: int | None) -> None:
    """Raises InputError (``INVALID_LIMIT``) for a number of papers below 1."""
    if limit is not None and limit < 1:
        raise InputError("The limit must be 1 or more.", code="INVALID_LIMIT")


@dataclass(slots=True)
class _Run:
    """One pass over a file."""

    library: Library
    path: Path
    limit: int | None
    report: Callable[[JobProgress], None]
    cancelled: Callable[[], bool]
    there: set[str] = field(default_factory=set)  # hashes of what the library had before
    papers: set[str] = field(default_factory=set)  # hashes of what the file has, so far
    batch: list[tuple[Document, list[Page]]] = field(default_factory=list)
    problems: list[RefusedRecord] = field(default_factory=list)
    read: int = 0
    added: int = 0
    known: int = 0
    malformed: int = 0
    chunks: int = 0
    share: float = 0.0  # of the file
    broken: InputError | None = None

    def done(self) -> AbstractsDone:
        started = time.perf_counter()
        self.there = self._hashes_there()
        with closing(self._records()) as records:
            for record in records:
                self._check()
                self._take(record)
                if len(self.papers) == self.limit:
                    break
        self._add_batch()
        self._complain()
        return AbstractsDone(
            self.added,
            self.known,
            self.read - self.malformed - len(self.papers),
            self.malformed,
            tuple(self.problems),
            self.read,
            round(time.perf_counter() - started, 3),
        )

    def _hashes_there(self) -> set[str]:
        """Hashes of the abstracts in the library, after what a failed attempt left is removed: it
        would pass for known, though no search sees it."""
        library = self.library
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
            for record, share in read_abstracts(self.path):
                self.share = share
                yield record
        except InputError as error:
            self.broken = error

    def _take(self, record: Abstract | RefusedRecord) -> None:
        self.read += 1
        if isinstance(record, RefusedRecord):
            self.malformed += 1
            if len(self.problems) < _PROBLEMS_KEPT:
                self.problems.append(record)
        else:
            self._take_paper(record)
        if self.read % _BATCH == 0:
            self._tell("reading abstracts", 0)

    def _take_paper(self, abstract: Abstract) -> None:
        digest = _digest(abstract)
        if digest in self.papers:
            return
        self.papers.add(digest)
        if digest in self.there:
            self.known += 1
            return
        self.batch.append((_document(abstract, digest), [Page(0, abstract.summary)]))
        if len(self.batch) == _BATCH:
            self._add_batch()

    def _add_batch(self) -> None:
        if not self.batch:
            return
        chunks = 0

        def watched(progress: Progress) -> None:
            nonlocal chunks
            chunks = progress.total
            self._tell("embedding abstracts", progress.chunks)

        self._check()
        # Only now: a file without abstracts leaves no index behind.
        self.library.ensure_index(ABSTRACTS, Profile.ABSTRACT)
        try:
            self.library.add_texts(self.batch, ABSTRACTS, report=watched, cancelled=self.cancelled)
        except Cancelled as error:
            raise self._was_cancelled() from error
        self.added += len(self.batch)
        self.chunks += chunks
        self.batch = []
        self._tell("embedding abstracts", 0)

    def _tell(self, stage: str, chunks: int) -> None:
        share = self.share
        if self.limit is not None:
            share = max(share, len(self.papers) / self.limit)
        self.report(JobProgress(stage, done=self.read, chunks=self.chunks + chunks, fraction=share))

    def _check(self) -> None:
        if self.cancelled():
            raise self._was_cancelled()

    def _was_cancelled(self) -> Cancelled:
        return Cancelled(
            f"It was cancelled; {_counted(self.added, 'abstract')} added before.",
            advice="Import the file again to go on from there.",
        )

    def _complain(self) -> None:
        """Say what is wrong with the file as a whole."""
        if self.broken is not None and not self.papers:
            raise self.broken
        if self.broken is not None:
            raise InputError(
                f"{self.broken.message} The {_counted(len(self.papers), 'abstract')} before that "
                f"are kept ({self.added:,} added, {self.known:,} there before).",
                advice="Get the file again and import it: what is there is not added twice.",
                code=self.broken.code,
            ) from self.broken
        if self.read and not self.papers:
            first = self.problems[0]
            raise wrong_format(
                "no record has a title, a summary and an id "
                f"({first.record}: {first.reason}; {self.read:,} read)"
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
