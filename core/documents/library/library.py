"""The library: what `Intake` takes in, corrected, out again with every trace, and to be looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from core.documents.cutting.filling import EMBED_BATCH, described, embed
from core.documents.cutting.products import together
from core.documents.library.intake import Intake
from core.documents.library.names import checked_title, title_from_name, with_names
from core.documents.library.outcomes import Progress, Report, silent
from core.documents.reading.extract import render_page
from core.domain.documents import (
    Chunk,
    DeletionReceipt,
    Document,
    DocumentState,
    Filling,
    Kind,
)
from core.domain.evidence.pictures import PageMark
from core.domain.vectors import Vectors
from core.errors import Conflict, InputError, MateriaError, NotFound
from core.logs import get_logger

_log = get_logger("documents")


class Library(Intake):
    """Ingestion, listing and deletion of documents."""

    # -- corrected ---------------------------------------------------------------------------------

    def retitle(
        self,
        document_id: str,
        title: str,
        *,
        product: int | None = None,
        one: bool = False,
        report: Report = silent,
    ) -> Document:
        """Let a document be about what the analyst says; the document as it is then.

        Its pages are cut and embedded anew, since every chunk has the title in front of it. The new
        chunks take the place of the old in one transaction; until then no search sees their vectors,
        and afterwards none sees the old ones. What a crash leaves of either `recover` removes. Embedding
        the index anew keeps the title, and so does adding the same bytes again.

        Args:
            product: place of the one that the title is for, where the file tells of several.
            one: the file tells of one product, whatever was read of it.

        Raises:
            InputError: see `checked_title`; it has no such product (``NO_PRODUCT``).
            NotFound: no such document (``DOCUMENT_NOT_FOUND``).
            Conflict: it is being worked on (``IN_WORK``), or its index is (``INDEX_BUSY``).
            EmbeddingMismatch: its index was made with another model, which cannot be loaded.
        """
        wanted = checked_title(title)
        with self.alone_with(document_id) as document:
            about = _about_product(document, product, wanted)
            about = about or replace(
                document, title=wanted, products=() if one else document.products
            )
            return self._taken_for(document, about, report)

    def as_read(self, document_id: str) -> tuple[Document, Document, Document]:
        """A document as it is; as `read_again` would leave it, keeping names; and as its text alone tells.

        Raises:
            NotFound: no such document (``DOCUMENT_NOT_FOUND``).
        """
        document = self.store.document(document_id)
        if document is None:
            raise _not_here()
        read = self._read_anew(document)
        return document, with_names(read, document), read

    def read_again(
        self, document_id: str, *, keep_names: bool = False, report: Report = silent
    ) -> Document:
        """Read anew, from the text that is kept, what a document is about, which products it tells of and where
        its sections begin; the document as it is then.

        An abstract stays as its record has it. Where something else is read, it goes as in `retitle`.

        Args:
            keep_names: those that it has stay, where the text still tells of what they were given to; else
                what an analyst corrected gives way.

        Raises:
            NotFound, Conflict, EmbeddingMismatch: see `retitle`.
        """
        with self.alone_with(document_id) as document:
            about = self._read_anew(document)
            if keep_names:
                about = with_names(about, document)
            if about == document and self._is_cut_as_now(document):
                return document
            return self._anew(document, about, report)

    def _read_anew(self, document: Document) -> Document:
        if document.kind is Kind.ABSTRACT:
            return document
        unread = replace(document, title=title_from_name(document.file))
        pages = self.store.pages(document.id)
        read = described(unread, pages, document.metadata, self.count_mentions, self.medicines)
        return replace(document, title=read.title, products=read.products)

    def _taken_for(self, document: Document, about: Document, report: Report) -> Document:
        """A document that is about something else from now on."""
        return document if about == document else self._anew(document, about, report)

    def _is_cut_as_now(self, document: Document) -> bool:
        """Whether a document has the sections and passages that it would get today."""
        if document.kind is Kind.ABSTRACT:
            return True
        pages = self.store.pages(document.id)
        now, kept = (
            self._filling(document, pages, ()).chunks,
            self.store.document_chunks(document.id),
        )
        return [_cut(one) for one in now] == [_cut(one) for one in kept]

    def _anew(self, document: Document, about: Document, report: Report) -> Document:
        """A document with new passages."""
        new = replace(about, corrections=document.corrections + 1)
        filling = self._filling(new, self.store.pages(document.id), ())
        self._swap(filling, self._embedded(filling, report))
        _log.info("retitled", document=document.id, chunks=len(filling.chunks))
        return replace(new, chunks=len(filling.chunks))

    @contextmanager
    def alone_with(self, document_id: str) -> Iterator[Document]:
        """A ready document that nothing else works on.

        Raises:
            NotFound: no such document (``DOCUMENT_NOT_FOUND``).
            Conflict: it is being worked on (``IN_WORK``), or its index is (``INDEX_BUSY``).
        """
        with self.in_work.lock:
            document = self.store.document(document_id)
            if document is None or document.state is not DocumentState.READY:
                raise _not_here()
            if self.in_work.has(document_id):
                raise Conflict(
                    f"“{document.file}” is being worked on.",
                    advice="Wait a moment, then try again.",
                    code="IN_WORK",
                    retryable=True,
                )
            self.in_work.begin([document_id], document.index)
        try:
            yield document
        finally:
            self.in_work.end([document_id], document.index)

    def _embedded(self, filling: Filling, report: Report) -> list[tuple[Sequence[Chunk], Vectors]]:
        encoder = self.encoder_for(self.index_for_adding(filling.document.index))
        embedded, chunks = [], filling.chunks
        for start in range(0, len(chunks), EMBED_BATCH):
            report(Progress("embedding", 0, start, len(chunks)))
            part = chunks[start : start + EMBED_BATCH]
            embedded.append((part, embed(encoder, part)))
        return embedded

    def _swap(self, filling: Filling, embedded: Sequence[tuple[Sequence[Chunk], Vectors]]) -> None:
        """Give a document new chunks and their vectors in the place of the old."""
        document = filling.document
        collection = self.index_for_adding(document.index).collection
        with self.changing(document.id):
            for part, vectors in embedded:
                self.vectors.add(collection, part, vectors)
            self.store.retitle_document(document, filling.chunks, filling.mentions)

    @contextmanager
    def changing(self, document_id: str) -> Iterator[None]:
        """While a document gets other vectors and the registry is told: those that stand for no chunk of it
        go afterwards, of the new or of the old, whatever happened."""
        with self.in_work.lock:
            mark = self.files.begin_correction(document_id)
            try:
                yield
            finally:
                try:
                    self.removal.spare_vectors(document_id)
                    # The model read each statement with the title before it.
                    self.tokens.remove([document_id])
                    mark.unlink(missing_ok=True)
                except MateriaError as error:
                    # No search sees them.
                    _log.warning("removal_put_off", document=document_id, code=error.code)
                    self.removal.put_off()

    # -- out ---------------------------------------------------------------------------------------

    def delete(self, document_id: str) -> DeletionReceipt:
        """Remove every trace of a document and check that nothing is left.

        Raises:
            NotFound: no such document.
        """
        (receipt,) = self.delete_many([document_id])
        return receipt

    def delete_many(self, document_ids: Sequence[str]) -> list[DeletionReceipt]:
        """Remove documents, a receipt for each; all of them are known, or none is removed.

        Once they are marked no search sees them, and their removal is finished whatever happens: at
        once, or (`unfinished` in the receipt) as soon as all stores can be used.

        Raises:
            StoreError: the registry cannot be written; nothing has changed.
            NotFound: one of them is not in the library.
        """
        with self.in_work.lock:  # a document that is being moved has one index or the other
            documents = [self.store.document(document_id) for document_id in document_ids]
            known = [document for document in documents if document is not None]
            if len(known) < len(documents):
                raise _not_here()
            # From here on no search sees them, whatever happens next.
            self.store.mark_deleting(document_ids)
            receipts = self.removal.documents(known)
        for receipt in receipts:
            _log.info(
                "deleted", document=receipt.document_id, chunks=receipt.chunks, left=receipt.left
            )
        return receipts

    def recover(self) -> list[str]:
        """Finish or roll back what a crash left; the names of the files and indexes concerned."""
        return self.removal.recover(self.in_work)

    def finish_removals(self) -> None:
        """Remove what could not be removed when it was to be.

        Raises:
            MateriaError: a store still cannot be used.
        """
        self.removal.finish(self.in_work)

    # -- reading -----------------------------------------------------------------------------------

    def original(self, document_id: str) -> Path | None:
        """The stored file of a document; None when it has none (an abstract)."""
        return self.files.original(document_id)

    def page_image(
        self,
        document_id: str,
        page: int,
        marks: Sequence[PageMark | tuple[int, int]] = (),
        *,
        around: tuple[int, int] | None = None,
        width: int | None = None,
    ) -> bytes:
        """A page as PNG with ``text[start:end]`` of each mark highlighted; drawn once, see `PagePictures`.

        Args:
            around: show the part of the page with this passage, see `render_page`.
            width: of the picture, in pixels.

        Raises:
            NotFound: the document is gone, or it has no pages to draw.
            DocumentError: the page cannot be drawn.
        """
        path = self.files.readable(document_id)
        document = self.store.document(document_id)
        if document is None or document.state is DocumentState.DELETING or path is None:
            raise NotFound("The document of this passage is no longer in the library.")
        stored = self.store.page(document_id, page)
        text = stored.text if stored else None
        picture = self.files.pictures.picture(
            document_id,
            (document.sha256, page, tuple(PageMark(*mark) for mark in marks), around, width, text),
            lambda: render_page(path, page, marks, text=text, around=around, width=width),
        )
        if not self.store.present([document_id]):  # deleted while it was drawn
            self.files.pictures.forget([document_id])
        return picture


def _about_product(document: Document, product: int | None, title: str) -> Document | None:
    """A document with another title for one of its products; None where none is meant."""
    if product is None:
        return None
    if not 0 <= product < len(document.products):
        raise InputError(
            "The document has no such product.", advice="Reload the list.", code="NO_PRODUCT"
        )
    before = document.products[product].title
    told = [replace(one, title=title) if one.title == before else one for one in document.products]
    # The name of a kit stays that of the kit.
    joined = document.title == together(document.titles)
    whole = together([each.title for each in told]) if joined else document.title
    return replace(document, title=whole, products=tuple(told))


def _not_here() -> NotFound:
    return NotFound(
        "This document is not in the library.",
        advice="Reload the list.",
        code="DOCUMENT_NOT_FOUND",
    )


def _cut(chunk: Chunk) -> tuple[int, int, int, str, str]:
    return chunk.page, chunk.start, chunk.end, chunk.section, chunk.heading
