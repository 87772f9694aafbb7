"""How a registry is read, whichever database it is in: the rows of named statements, made into documents."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from core.domain.documents import Chunk, Document, Index, IndexCounts, Page
from core.stores.library.rows import Row, read_chunk, read_document, read_index


@dataclass(frozen=True, slots=True)
class Statements:
    """One statement for each reading, with its parameters and the columns of its rows.

    A document's columns are its fields, and likewise a chunk's and an index's. A parameter `index` may
    be None for all indexes.

    Attributes:
        indexes: (all) -> indexes by name; all: those being deleted too.
        present_name: (name) -> name of the index that was once called so.
        count_index: (name) -> documents, pages, chunks, bytes of what is ready.
        documents: (index, all) -> documents, newest first; all: those that are not ready too.
        unfinished: (index) -> documents that are not ready, newest first.
        named: (index, file) -> documents that are not being deleted, newest first.
        document: (id) -> a document. by_hash: (index, sha256) -> a document.
        ready: (ids) -> those of these documents that are ready.
        hashes: (index) -> sha256.
        pages: (id) -> number and text of all pages in order. page: (id, number) -> of one.
        chunks: (id) -> a document's chunks in order.
        ready_chunks: (index) -> chunks of ready documents, one document after the other.
        chunks_by_id: (ids) -> chunks of ready documents.
        chunk_ids: (index) -> id and document_id of ready documents' chunks.
        count_chunks: (indexes) -> chunks of ready documents.
        mentions_of_chunks: (ids) -> chunk, entity, count.
        mentions_of_document: (id, limit) -> entity, count; most first.
        sections: (ids) -> section, documents.
        most_mentioned: (ids, limit) -> entity, count, documents; most first.
        count_mentions: (ids) -> document, count.
        documents_mentioning: (id, limit) -> documents, and mentioned; most first.
        count_document: (id) -> documents, pages, chunks, text, mentions, as rows of any kind.
        count_rows: (name) -> the same of an index.
    """

    indexes: str
    present_name: str
    count_index: str
    documents: str
    unfinished: str
    named: str
    document: str
    by_hash: str
    ready: str
    hashes: str
    pages: str
    page: str
    chunks: str
    ready_chunks: str
    chunks_by_id: str
    chunk_ids: str
    count_chunks: str
    mentions_of_chunks: str
    mentions_of_document: str
    sections: str
    most_mentioned: str
    count_mentions: str
    documents_mentioning: str
    count_document: str
    count_rows: str


class LibraryReader(ABC):
    """`Registry`, `Texts`, `FullText` and the readings of `MentionStore` and `Upkeep`."""

    statements: ClassVar[Statements]

    @abstractmethod
    def _rows(self, statement: str, /, **parameters: object) -> Sequence[Row]:
        """The rows of a statement; lists among the parameters are for it to unfold."""

    @abstractmethod
    def _stream(self, statement: str, /, **parameters: object) -> Iterable[Row]:
        """The same of a statement with many or long rows, not all in memory at once."""

    @abstractmethod
    def _match(self, query: str, phrases: Sequence[str]) -> object:
        """What the full text is asked for: any word, and every phrase; false when there is no word."""

    @abstractmethod
    def _best(self, scope: Mapping[str, Any], limit: int) -> Iterable[Row]:
        """id and score of the chunks that match, best first.

        Args:
            scope: match, indexes, sections, documents (None for all).
        """

    @abstractmethod
    def _count_matches(self, scope: Mapping[str, Any]) -> int:
        """How many chunks match (see `_best`)."""

    # -- indexes and documents ---------------------------------------------------------------------

    def index(self, name: str) -> Index | None:
        return next((index for index in self.indexes() if index.name == name), None)

    def indexes(self, *, include_deleting: bool = False) -> list[Index]:
        return [
            read_index(row) for row in self._rows(self.statements.indexes, all=include_deleting)
        ]

    def present_name(self, earlier: str) -> str | None:
        rows = self._rows(self.statements.present_name, name=earlier)
        return str(rows[0]["name"]) if rows else None

    def count_index(self, name: str) -> IndexCounts:
        (row,) = self._rows(self.statements.count_index, name=name)
        return IndexCounts(**row)

    def documents(
        self, index: str | None = None, *, include_unfinished: bool = False
    ) -> list[Document]:
        return self._documents(self.statements.documents, index=index, all=include_unfinished)

    def unfinished(self, index: str | None = None) -> list[Document]:
        return self._documents(self.statements.unfinished, index=index)

    def documents_named(self, index: str, file: str) -> list[Document]:
        return self._documents(self.statements.named, index=index, file=file)

    def _documents(self, statement: str, **parameters: object) -> list[Document]:
        return [read_document(row) for row in self._stream(statement, **parameters)]

    def document(self, document_id: str) -> Document | None:
        rows = self._rows(self.statements.document, id=document_id)
        return read_document(rows[0]) if rows else None

    def document_by_hash(self, index: str, sha256: str) -> Document | None:
        rows = self._rows(self.statements.by_hash, index=index, sha256=sha256)
        return read_document(rows[0]) if rows else None

    def hashes(self, index: str) -> set[str]:
        return {row["sha256"] for row in self._stream(self.statements.hashes, index=index)}

    def has_documents(self) -> bool:
        return self.count_chunks([index.name for index in self.indexes()]) > 0

    def present(self, document_ids: Iterable[str]) -> set[str]:
        return {row["id"] for row in self._rows(self.statements.ready, ids=list(document_ids))}

    # -- texts -------------------------------------------------------------------------------------

    def page(self, document_id: str, number: int) -> Page | None:
        rows = self._rows(self.statements.page, id=document_id, number=number)
        return Page(**rows[0]) if rows else None

    def pages(self, document_id: str) -> list[Page]:
        return [Page(**row) for row in self._stream(self.statements.pages, id=document_id)]

    def document_chunks(self, document_id: str) -> list[Chunk]:
        return [read_chunk(row) for row in self._stream(self.statements.chunks, id=document_id)]

    def all_chunks(self, index: str | None = None) -> Iterable[Chunk]:
        return map(read_chunk, self._stream(self.statements.ready_chunks, index=index))

    def count_sections(self, document_ids: Sequence[str]) -> dict[str, int]:
        rows = self._rows(self.statements.sections, ids=list(document_ids))
        return {row["section"]: row["documents"] for row in rows}

    def chunks_by_id(self, ids: Iterable[str]) -> dict[str, tuple[Chunk, Document]]:
        rows = self._rows(self.statements.chunks_by_id, ids=list(ids))
        of = sorted({row["document_id"] for row in rows})
        documents = {
            row["id"]: read_document(row) for row in self._rows(self.statements.ready, ids=of)
        }
        found = {}
        for row in rows:
            if row["document_id"] in documents:  # else it was removed in between
                chunk = read_chunk(row)
                found[chunk.id] = chunk, documents[chunk.document_id].at(chunk.page, chunk.start)
        return found

    def chunk_ids(self, index: str) -> dict[str, str]:
        rows = self._stream(self.statements.chunk_ids, index=index)
        return {row["id"]: row["document_id"] for row in rows}

    # -- full text ---------------------------------------------------------------------------------

    def search_text(
        self,
        query: str,
        indexes: Sequence[str],
        limit: int,
        sections: Sequence[str] = (),
        documents: Collection[str] | None = None,
        phrases: Sequence[str] = (),
    ) -> list[tuple[str, float]]:
        match = self._match(query, phrases)
        if not match or not indexes:
            return []
        best = self._best(_scope(match, indexes, sections, documents), limit)
        return [(row["id"], row["score"]) for row in best]

    def count_chunks(self, indexes: Sequence[str]) -> int:
        (row,) = self._rows(self.statements.count_chunks, indexes=list(indexes))
        return int(row["chunks"])

    def chunks_with_word(self, word: str, indexes: Sequence[str]) -> int:
        letters = "".join(re.findall(r"\w+", word))
        match = self._match(letters, [letters])
        if not match:
            return 0
        return self._count_matches(_scope(match, indexes))

    # -- mentions ----------------------------------------------------------------------------------

    def mentions_of_chunks(self, chunk_ids: Sequence[str]) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {}
        for row in self._rows(self.statements.mentions_of_chunks, ids=list(chunk_ids)):
            found.setdefault(row["chunk"], {})[row["entity"]] = row["count"]
        return found

    def mentions_of_document(self, document_id: str, limit: int = 100) -> dict[str, int]:
        rows = self._rows(self.statements.mentions_of_document, id=document_id, limit=limit)
        return {row["entity"]: row["count"] for row in rows}

    def most_mentioned(self, document_ids: Sequence[str], limit: int) -> dict[str, tuple[int, int]]:
        rows = self._rows(self.statements.most_mentioned, ids=list(document_ids), limit=limit)
        return {row["entity"]: (row["count"], row["documents"]) for row in rows}

    def count_mentions(self, document_ids: Sequence[str]) -> dict[str, int]:
        rows = self._rows(self.statements.count_mentions, ids=list(document_ids))
        return {row["document"]: row["count"] for row in rows}

    def documents_mentioning(self, entity_id: str, limit: int = 50) -> list[tuple[Document, int]]:
        rows = self._rows(self.statements.documents_mentioning, id=entity_id, limit=limit)
        return [(read_document(row), row["mentioned"]) for row in rows]

    # -- what is left ------------------------------------------------------------------------------

    def count_document_rows(self, document_id: str) -> int:
        (counts,) = self._rows(self.statements.count_document, id=document_id)
        return sum(counts.values())

    def count_index_rows(self, name: str) -> int:
        itself = any(index.name == name for index in self.indexes(include_deleting=True))
        return itself + sum(self._count_rows(name).values())

    def _count_rows(self, name: str) -> dict[str, int]:
        (counts,) = self._rows(self.statements.count_rows, name=name)
        return dict(counts)


def _scope(
    match: object,
    indexes: Sequence[str],
    sections: Sequence[str] = (),
    documents: Collection[str] | None = None,
) -> dict[str, Any]:
    return {
        "match": match,
        "indexes": list(indexes),
        "sections": list(sections),
        "documents": None if documents is None else sorted(documents),
    }
