"""The library: what `Intake` takes in, out again with every trace, and to be looked at."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.documents.library.intake import Intake
from core.documents.reading.extract import render_page
from core.domain.documents import DeletionReceipt
from core.errors import NotFound
from core.logs import get_logger

_log = get_logger("documents")


class Library(Intake):
    """Ingestion, listing and deletion of documents."""

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

        Raises:
            NotFound: one of them is not in the library.
        """
        documents = [self.store.document(document_id) for document_id in document_ids]
        known = [document for document in documents if document is not None]
        if len(known) < len(documents):
            raise NotFound(
                "This document is not in the library.",
                advice="Reload the list.",
                code="DOCUMENT_NOT_FOUND",
            )
        with self.in_work.lock:
            # From here on no search sees them, whatever happens next.
            self.store.mark_deleting(document_ids)
            receipts = [self.removal.document(document) for document in known]
        self.store.purge()
        for receipt in receipts:
            _log.info(
                "deleted", document=receipt.document_id, chunks=receipt.chunks, left=receipt.left
            )
        return receipts

    def recover(self) -> list[str]:
        """Finish or roll back what a crash left; the names of the files and indexes concerned."""
        return self.removal.recover()

    # -- reading -----------------------------------------------------------------------------------

    def original(self, document_id: str) -> Path | None:
        """The stored file of a document; None when it has none (an abstract)."""
        return self.files.original(document_id)

    def page_image(
        self, document_id: str, page: int, marks: Sequence[tuple[int, int]] = ()
    ) -> bytes:
        """A page as PNG with ``text[start:end]`` of each mark highlighted.

        Raises:
            NotFound: the document is gone, or it has no pages to draw.
            DocumentError: the page cannot be drawn.
        """
        path = self.files.readable(document_id)
        if self.store.document(document_id) is None or path is None:
            raise NotFound("The document of this passage is no longer in the library.")
        stored = self.store.page(document_id, page)
        return render_page(path, page, marks, text=stored.text if stored else None)
