"""The library: files in, files out, nothing half-stored.

A file's way: copied into the data folder and hashed -> registry row ``ingesting`` -> pages from a
child process -> chunks -> vectors -> text, mentions and state ``ready`` in one commit. Whatever
stops it on the way, `_undo` removes what was written; after a crash `recover` does at the next start.
"""

from __future__ import annotations

import hashlib
import shutil
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from core.documents.chunks import chunk_pages
from core.documents.encoder import Encoder, require_same_model
from core.documents.extract import ExtractLimits, extract, render_page
from core.documents.names import display_name, title_from_name
from core.documents.store import LibraryStore, VectorStore
from core.domain.documents import (
    Chunk,
    DeletionReceipt,
    Document,
    DocumentState,
    Index,
    IngestResult,
    Page,
    Profile,
)
from core.errors import (
    Conflict,
    DocumentError,
    MateriaError,
    NotFound,
    TooLarge,
)
from core.logs import get_logger

LEAFLETS = "leaflets"
ABSTRACTS = "abstracts"
_EMBED_BATCH = 64  # chunks between two progress reports
_log = get_logger("documents")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a file is: `stage` in words, pages read, chunks embedded out of `total`."""

    stage: str
    pages: int = 0
    chunks: int = 0
    total: int = 0


Report = Callable[[Progress], None]
CountMentions = Callable[[str], Mapping[str, int]]


def _silent(_progress: Progress) -> None:
    """Nobody is watching."""


class Library:
    """Ingestion, listing and deletion of documents.

    Args:
        encoder: called when vectors or token counts are needed.
        count_mentions: entities named in a text, with counts.
        folder: data folder; originals go to ``files/``, unfinished uploads to ``incoming/``.
        max_bytes: largest file taken.
    """

    def __init__(
        self,
        store: LibraryStore,
        vectors: VectorStore,
        encoder: Callable[[], Encoder],
        count_mentions: CountMentions,
        folder: Path,
        limits: ExtractLimits,
        max_bytes: int,
    ) -> None:
        self.store = store
        self.vectors = vectors
        self._encoder = encoder
        self._count_mentions = count_mentions
        self._files = folder / "files"
        self._incoming = folder / "incoming"
        self._limits = limits
        self.max_bytes = max_bytes
        self._in_work: set[str] = set()  # ids of the documents that this process is adding

    # -- indexes -----------------------------------------------------------------------------------

    def ensure_index(self, name: str, profile: Profile) -> Index:
        """The index, made with the configured embedding model if it is missing.

        Raises:
            EmbeddingMismatch: it was made with another model.
        """
        encoder = self._encoder()
        index = self.store.index(name)
        if index is None:
            index = Index(name, profile, encoder.name, encoder.dimension, datetime.now(UTC))
            self.vectors.ensure(name, encoder.dimension, encoder.name)
            self.store.create_index(index)
        else:
            require_same_model(index, encoder)
        self.vectors.ensure(name, encoder.dimension, encoder.name)
        return index

    # -- in ----------------------------------------------------------------------------------------

    def ingest(
        self,
        source: Path,
        *,
        name: str | None = None,
        index: str = LEAFLETS,
        password: str = "",
        report: Report = _silent,
    ) -> IngestResult:
        """Bring one PDF into the library; never raises for a file that cannot be read.

        The result's state is ``ready`` (also for bytes that are already there, code
        ``ALREADY_PRESENT``), ``refused`` when the file is at fault, ``failed`` when Materia is.
        """
        started = time.perf_counter()
        shown = display_name(name or source.name)

        def result(state: str, code: str, message: str, document: Document | None) -> IngestResult:
            outcome = IngestResult(
                file=shown,
                state=state,
                code=code,
                message=message,
                pages=document.pages if document else 0,
                chunks=document.chunks if document else 0,
                seconds=round(time.perf_counter() - started, 3),
                document_id=document.id if document else "",
            )
            _log.info(
                "ingested", state=state, code=code, pages=outcome.pages, chunks=outcome.chunks
            )
            return outcome

        try:
            document, known = self._ingest(source, shown, index, password, report)
        except (DocumentError, Conflict, NotFound) as error:
            return result("refused", error.code, str(error), None)
        except MateriaError as error:
            return result("failed", error.code, str(error), None)
        except OSError as error:
            return result(
                "failed",
                "FILE_UNREADABLE",
                f"The file cannot be read or kept ({error.strerror or 'input/output error'}). "
                "Check the file and the free disk space, then try again.",
                None,
            )
        if known:
            message = f"These bytes are already in the library as “{document.file}”."
            return result("ready", "ALREADY_PRESENT", message, document)
        return result("ready", "OK", f"{document.pages} pages, {document.chunks} chunks", document)

    def _ingest(
        self, source: Path, shown: str, index: str, password: str, report: Report
    ) -> tuple[Document, bool]:
        size = source.stat().st_size
        if size == 0:
            raise DocumentError(
                "The file is empty (0 bytes).", advice="Upload it again.", code="EMPTY_FILE"
            )
        if size > self.max_bytes:
            raise TooLarge(
                f"The file has {size / 1e6:,.0f} MB; the limit is {self.max_bytes / 1e6:,.0f} MB.",
                advice="Split it, or raise MATERIA_MAX_FILE_MB.",
            )
        report(Progress("reading"))
        self.ensure_index(index, Profile.LEAFLET)
        copy, digest = self._take_in(source)
        try:
            known = self.store.document_by_hash(index, digest)
            if known is not None:
                if known.state is DocumentState.READY:
                    return known, True
                if known.id in self._in_work:
                    raise Conflict(
                        f"The same bytes are being worked on as “{known.file}”.",
                        advice="Wait until that has finished.",
                    )
                # Left by an attempt that could not be undone when it failed.
                self._remove(known)
            document = Document(
                id=uuid.uuid4().hex,
                index=index,
                file=shown,
                title=title_from_name(shown),
                sha256=digest,
                bytes=size,
                pages=0,
                chunks=0,
                state=DocumentState.INGESTING,
                created_at=datetime.now(UTC),
            )
            with self._registered(document):
                copy.rename(self._file(document.id))
                return self._fill(document, password, report), False
        finally:
            copy.unlink(missing_ok=True)

    def _take_in(self, source: Path) -> tuple[Path, str]:
        """Copy a file into the data folder; its new place and the SHA-256 of its bytes."""
        for folder in (self._incoming, self._files):
            folder.mkdir(parents=True, exist_ok=True)
        copy = self._incoming / uuid.uuid4().hex
        digest = hashlib.sha256()
        try:
            with source.open("rb") as reader, copy.open("wb") as writer:
                while block := reader.read(1 << 20):
                    digest.update(block)
                    writer.write(block)
        except BaseException:
            copy.unlink(missing_ok=True)
            raise
        return copy, digest.hexdigest()

    def _fill(self, document: Document, password: str, report: Report) -> Document:
        extracted = extract(self._file(document.id), password=password, limits=self._limits)
        report(Progress("cutting into chunks", pages=len(extracted.pages)))
        return self._add_pages(
            replace(document, metadata=extracted.metadata), extracted.pages, Profile.LEAFLET, report
        )

    def add_text(self, document: Document, pages: Sequence[Page], profile: Profile) -> Document:
        """Add a document that is text already (an abstract); all of it or nothing."""
        with self._registered(document):
            return self._add_pages(document, pages, profile, _silent)

    @contextmanager
    def _registered(self, document: Document) -> Iterator[None]:
        """A registry row that is taken back, with all that hangs on it, when the block fails."""
        self._in_work.add(document.id)
        try:
            self.store.begin_document(document)
            try:
                yield
            except BaseException:
                self._undo(document)
                raise
        finally:
            self._in_work.discard(document.id)

    def _add_pages(
        self, document: Document, pages: Sequence[Page], profile: Profile, report: Report
    ) -> Document:
        encoder = self._encoder()
        chunks = chunk_pages(
            pages,
            profile,
            document_id=document.id,
            title=document.title,
            count_tokens=encoder.count_tokens,
            max_tokens=encoder.max_tokens,
        )
        if not chunks:
            raise DocumentError(
                "No text was found in the file.",
                advice="If it is a scan, make its text searchable with OCR first.",
                code="NO_TEXT",
            )
        self._embed(document, chunks, len(pages), encoder, report)
        mentions = {chunk.id: dict(self._count_mentions(chunk.text)) for chunk in chunks}
        ready = replace(document, pages=len(pages), chunks=len(chunks), state=DocumentState.READY)
        self.store.finish_document(ready, pages, chunks, mentions)
        report(Progress("ready", len(pages), len(chunks), len(chunks)))
        return ready

    def _embed(
        self,
        document: Document,
        chunks: Sequence[Chunk],
        pages: int,
        encoder: Encoder,
        report: Report,
    ) -> None:
        for start in range(0, len(chunks), _EMBED_BATCH):
            report(Progress("embedding", pages, start, len(chunks)))
            part = chunks[start : start + _EMBED_BATCH]
            self.vectors.add(
                document.index,
                [chunk.id for chunk in part],
                encoder.encode([chunk.embedding_text for chunk in part]),
                document.id,
                [chunk.page for chunk in part],
            )

    # -- out ---------------------------------------------------------------------------------------

    def delete(self, document_id: str) -> DeletionReceipt:
        """Remove every trace of a document and check that nothing is left.

        Raises:
            NotFound: no such document.
        """
        document = self.store.document(document_id)
        if document is None:
            raise NotFound(
                "This document is not in the library.",
                advice="Reload the list.",
                code="DOCUMENT_NOT_FOUND",
            )
        # From here on no search sees it, whatever happens next.
        self.store.mark_deleting(document_id)
        receipt = self._remove(document)
        _log.info("deleted", document=document_id, chunks=receipt.chunks, left=receipt.left)
        return receipt

    def _remove(self, document: Document) -> DeletionReceipt:
        # The registry row goes last: until then the next start knows what is left to remove.
        vectors = self.vectors.delete_document(document.index, document.id)
        path = self._file(document.id)
        files = int(path.exists())
        path.unlink(missing_ok=True)
        counts = self.store.remove_document(document.id)
        left = (
            self.store.count_document_rows(document.id)
            + self.vectors.count(document.index, document.id)
            + int(path.exists())
        )
        return DeletionReceipt(
            document_id=document.id,
            file=document.file,
            pages=counts["pages"],
            chunks=counts["chunks"],
            vectors=vectors,
            mentions=counts["mentions"],
            files=files,
            left=left,
        )

    def _undo(self, document: Document) -> None:
        try:
            self._remove(document)
        except MateriaError as error:
            # The row stays ``ingesting``: invisible to search, removed by `recover` at the next start.
            _log.warning("undo_postponed", document=document.id, code=error.code)

    def recover(self) -> list[str]:
        """Roll back what a crash left unfinished; the names of the files concerned."""
        shutil.rmtree(self._incoming, ignore_errors=True)
        undone = []
        for document in self.store.documents(include_unfinished=True):
            if document.state is not DocumentState.READY:
                self._remove(document)
                undone.append(document.file)
                _log.warning("rolled_back", document=document.id, state=document.state)
        return undone

    # -- reading -----------------------------------------------------------------------------------

    def original(self, document_id: str) -> Path | None:
        """The stored file of a document; None when it has none (an abstract)."""
        path = self._file(document_id)
        return path if path.exists() else None

    def page_image(
        self, document_id: str, page: int, marks: Sequence[tuple[int, int]] = ()
    ) -> bytes:
        """A page as PNG with ``text[start:end]`` of each mark highlighted.

        Raises:
            NotFound: the document is gone, or it has no pages to draw.
            DocumentError: the page cannot be drawn.
        """
        path = self.original(document_id)
        if self.store.document(document_id) is None or path is None:
            raise NotFound("The document of this passage is no longer in the library.")
        return render_page(path, page, marks)

    def _file(self, document_id: str) -> Path:
        return self._files / f"{document_id}.pdf"
