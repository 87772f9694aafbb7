"""A small library on real stores, with all that a test wants to look into."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from core.documents.library.files import FileStore
from core.documents.library.indexes import Indexes
from core.documents.library.library import Library
from core.documents.library.shelves import LEAFLETS
from core.documents.library.verify import Verifier
from core.documents.reading.extract import ExtractLimits
from core.documents.store.token_vectors import NoTokenVectors, TokenVectorStore
from core.documents.store.vectors import VectorStore
from core.domain.documents import Document, DocumentState, Index, Kind
from core.domain.encoder import Encoder
from core.search.options import MODES, SearchOptions
from core.search.rerank import Reranker
from core.search.retriever import Retriever
from core.stores.chroma.chunks import ChromaVectors
from core.stores.sqlite.database import Database
from core.stores.sqlite.library import SqliteLibrary
from tests.support.fakes import HashEncoder

_ENTITIES = {"warfarin": "DB:warfarin", "aspirin": "DB:aspirin"}
_TABLES = ("documents", "pages", "chunks", "mentions")
NOTHING = dict.fromkeys((*_TABLES, "full text", "vectors", "files"), 0)


def count_known(text: str) -> dict[str, int]:
    """Entities named in a text: two drugs are known."""
    words = Counter(re.findall(r"\w+", text.casefold()))
    return {entity: words[word] for word, entity in _ENTITIES.items() if words[word]}


@dataclass
class Shelf:
    """Library, indexes and search over one folder."""

    folder: Path
    database: Database
    store: SqliteLibrary
    vectors: VectorStore
    library: Library
    indexes: Indexes
    verifier: Verifier
    retriever: Retriever

    def rows(self) -> dict[str, int]:
        """How much of anything is stored, whatever index it belongs to."""
        counts = {
            table: self.database.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in _TABLES
        }
        counts["full text"] = self.store.count_text_rows()
        counts["vectors"] = sum(map(self.vectors.count, self.vectors.collections()))
        counts["files"] = len(self.files())
        return counts

    def files(self) -> list[Path]:
        """Originals, reading copies and unfinished uploads."""
        return [
            path
            for part in ("files", "incoming", "uploads")
            for path in (self.folder / part).glob("*")
        ]

    def found(self, word: str, index: str | None = None) -> dict[str, list[str]]:
        """Mode -> names of the files with a hit that holds the word, each once."""
        indexes = (index,) if index else ()
        return {
            mode: sorted(
                {
                    hit.document.file
                    for hit in self.retriever.search(
                        word, SearchOptions(indexes, k=100, mode=mode)
                    ).hits
                    if word in hit.chunk.text
                }
            )
            for mode in MODES
        }

    def names(self) -> list[str]:
        """Names of the documents that are listed."""
        return sorted(document.file for document in self.store.documents())


def open_shelf(
    folder: Path,
    *,
    encoder: Encoder | None = None,
    vectors: VectorStore | None = None,
    max_bytes: int = 2_000_000,
    max_pages: int = 50,
    dense_weight: float = 0.7,
    encoder_of: Callable[[Index], Encoder] | None = None,
    reranker: Reranker | None = None,
    tokens: TokenVectorStore | None = None,
    files: FileStore | None = None,
) -> Shelf:
    """A shelf in `folder`; opening it again finds what was there."""
    model = encoder or HashEncoder()
    database = Database(folder / "materia.db")
    store = SqliteLibrary(database)
    kept = vectors or ChromaVectors(folder / "chroma")
    library = Library(
        store,
        kept,
        lambda: model,
        count_known,
        files or folder,
        ExtractLimits(seconds=30, max_pages=max_pages),
        max_bytes,
        tokens=tokens or NoTokenVectors(),
    )
    retriever = Retriever(store, kept, lambda: model, dense_weight, encoder_of, reranker)
    return Shelf(
        folder, database, store, kept, library, Indexes(library), Verifier(library), retriever
    )


def unfinished(
    document_id: str, index: str = LEAFLETS, file: str = "", kind: Kind = Kind.ABSTRACT
) -> Document:
    """A registry row as it is before its text is there; its bytes count as unique."""
    return Document(
        id=document_id,
        index=index,
        file=file or f"{document_id}.pdf",
        title=document_id,
        sha256=f"{index} {document_id}",
        bytes=1,
        pages=0,
        chunks=0,
        state=DocumentState.INGESTING,
        created_at=datetime.now(UTC),
        kind=kind,
    )


def text_file(folder: Path, name: str, *paragraphs: str) -> Path:
    """A text file, made without a PDF's cost."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text("\n\n".join(paragraphs), encoding="utf-8")
    return path
