"""A small library on real stores, with all that a test wants to look into."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from core.documents.encoder import Encoder
from core.documents.extract import ExtractLimits
from core.documents.library import Library
from core.documents.store import VectorStore
from core.search.retriever import Retriever
from core.stores.chroma import ChromaVectors
from core.stores.sqlite import Database, SqliteLibrary
from tests.fakes import HashEncoder

_ENTITIES = {"warfarin": "DB:warfarin", "aspirin": "DB:aspirin"}


def count_known(text: str) -> dict[str, int]:
    """Entities named in a text: two drugs are known."""
    words = Counter(re.findall(r"\w+", text.casefold()))
    return {entity: words[word] for word, entity in _ENTITIES.items() if words[word]}


@dataclass
class Shelf:
    """Library and search over one folder."""

    folder: Path
    database: Database
    store: SqliteLibrary
    vectors: VectorStore
    library: Library
    retriever: Retriever

    def rows(self) -> dict[str, int]:
        """How much of anything is stored, vectors and files included."""
        tables = ("documents", "pages", "chunks", "mentions")
        counts = {
            table: self.database.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in tables
        }
        counts["full text"] = self.full_text_rows()
        counts["vectors"] = sum(self.vectors.count(index.name) for index in self.store.indexes())
        counts["files"] = len(self.files())
        return counts

    def full_text_rows(self) -> int:
        """Rows of the full-text index itself, not of the table that it indexes."""
        row = self.database.connection.execute("SELECT count(*) FROM chunks_text_docsize")
        return int(row.fetchone()[0])

    def files(self) -> list[Path]:
        """Originals and unfinished uploads."""
        return [
            path
            for part in ("files", "incoming", "uploads")
            for path in (self.folder / part).glob("*")
        ]


def open_shelf(
    folder: Path,
    *,
    encoder: Encoder | None = None,
    vectors: VectorStore | None = None,
    max_bytes: int = 2_000_000,
    max_pages: int = 50,
    dense_weight: float = 0.7,
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
        folder,
        ExtractLimits(seconds=30, max_pages=max_pages),
        max_bytes,
    )
    retriever = Retriever(store, kept, lambda: model, dense_weight)
    return Shelf(folder, database, store, kept, library, retriever)
