"""What is loaded before the first question."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from core.domain.vectors import Vector
from core.maintenance.warming import ready_to_search
from core.stores.chroma.chunks import ChromaVectors
from core.stores.sqlite.database import Database
from core.stores.sqlite.library import SqliteLibrary
from tests.contract.documents import an_index
from tests.support.fakes import HashEncoder


class AskedVectors(ChromaVectors):
    """Remembers what was asked of which collection."""

    def query(
        self,
        collection: str,
        vector: Vector,
        limit: int,
        documents: Iterable[str] | None = None,
    ) -> list[tuple[str, float]]:
        self.asked = [*getattr(self, "asked", []), collection]
        return super().query(collection, vector, limit, documents)


def test_vectors_of_the_model_are_brought_to_memory_whatever_is_missing(tmp_path: Path) -> None:
    encoder = HashEncoder()
    library = SqliteLibrary(Database(tmp_path / "materia.db"))
    for name in ("kept", "missing"):
        own = replace(an_index(name), model=encoder.name, dimension=encoder.dimension)
        library.create_index(own)
    library.create_index(replace(an_index("other"), model="another", dimension=2))
    vectors = AskedVectors(tmp_path / "chroma")
    vectors.ensure("kept", encoder.dimension, encoder.name)
    ready_to_search(encoder, library, vectors)
    assert vectors.asked == ["kept", "missing"]
