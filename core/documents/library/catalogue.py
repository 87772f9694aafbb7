"""What is in the library, to be looked at: for pages, API and command line, which change nothing here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.documents.library.shelves import EARLIER
from core.documents.store.library import EvidenceStore
from core.domain.documents import Chunk, Document, DocumentState, Page


class Catalogue:
    """Indexes and documents, their text and the entities in it."""

    def __init__(self, store: EvidenceStore) -> None:
        self._store = store

    def index_names(self) -> list[str]:
        """The names of all indexes, in order."""
        return [index.name for index in self._store.indexes()]

    def documents(
        self, index: str | None = None, *, include_unfinished: bool = False
    ) -> list[Document]:
        """Ready documents (or all) of one index or of all, newest first."""
        return self._store.documents(index, include_unfinished=include_unfinished)

    def has_documents(self) -> bool:
        """Whether any document is ready."""
        return self._store.has_documents()

    def being_removed(self, index: str | None = None) -> list[Document]:
        """Documents that were deleted and of which something is left: no search sees them."""
        deleted = {one.name for one in self._store.indexes(include_deleting=True) if one.deleting}
        return [
            document
            for document in self._store.documents(index, include_unfinished=True)
            if document.state is DocumentState.DELETING or document.index in deleted
        ]

    def document(self, document_id: str) -> Document | None:
        """A document in any state."""
        return self._store.document(document_id)

    def page(self, document_id: str, number: int) -> Page | None:
        """One page; number 0 is the whole text of a document without pages."""
        return self._store.page(document_id, number)

    def pages(self, document_id: str) -> list[Page]:
        """All pages, in order."""
        return self._store.pages(document_id)

    def chunks(self, document_id: str) -> list[Chunk]:
        """All chunks of a document, in order."""
        return self._store.document_chunks(document_id)

    def entities_in(self, document_id: str, limit: int) -> dict[str, int]:
        """Entity id -> number of mentions in a document, most first."""
        return self._store.mentions_of_document(document_id, limit)

    def count_sections(self, document_ids: Sequence[str]) -> dict[str, int]:
        """Section code -> how many of these documents have it; "" counts text of no known section."""
        return self._store.count_sections(document_ids)

    def most_mentioned(self, document_ids: Sequence[str], limit: int) -> dict[str, tuple[int, int]]:
        """Entity id -> mentions in these documents, and in how many of them; most first."""
        return self._store.most_mentioned(document_ids, limit)

    def count_mentions(self, document_ids: Sequence[str]) -> dict[str, int]:
        """Document id -> mentions of entities in it."""
        return self._store.count_mentions(document_ids)

    def documents_mentioning(self, entity_id: str, limit: int) -> list[tuple[Document, int]]:
        """Ready documents that mention an entity, with the number of mentions, most first."""
        return self._store.documents_mentioning(entity_id, limit)

    def chunks_mentioning(self, entity_id: str, document_id: str) -> list[Chunk]:
        """The chunks of a document in which an entity was found, in order."""
        chunks = self.chunks(document_id)
        found = self._store.mentions_of_chunks([chunk.id for chunk in chunks])
        return [chunk for chunk in chunks if entity_id in found.get(chunk.id, {})]

    def lost_sources(self, cited: Mapping[str, str]) -> tuple[set[str], set[str]]:
        """Files that are no longer there as they were cited.

        Args:
            cited: document id -> file name.

        Returns:
            Those that were deleted, and those of which there is another version, whether the cited one is
            kept (`superseded`) or not.
        """
        present = self._store.present(cited)
        gone = {file for document_id, file in cited.items() if document_id not in present}
        replaced = {
            file
            for file in gone
            for index in self.index_names()
            if self._store.documents_named(index, file)
        }
        return gone - replaced, replaced | self.superseded(cited)

    def superseded(self, cited: Mapping[str, str]) -> set[str]:
        """Of cited documents (id -> file name), the names of those that are kept as earlier versions."""
        found = ((file, self._store.document(one)) for one, file in cited.items())
        return {file for file, one in found if one is not None and one.index == EARLIER}
