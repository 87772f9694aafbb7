"""Vectors of chunks in Chroma; implements `core.documents.store.vectors.VectorStore`.

One collection per index and generation, cosine distance. Only vectors, the document's id and the page go in:
text lives in one place, the library store, so that a deletion cannot leave a copy behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from core.domain.documents import Chunk
from core.domain.vectors import Vector, Vectors
from core.errors import EmbeddingMismatch, StoreError, VectorsMissing, VectorsUnavailable
from core.stores.chroma.client import (
    PAGE,
    ChromaClient,
    failures_told,
    nearest,
    pages,
)

if TYPE_CHECKING:
    from chromadb.api.collection_configuration import CreateCollectionConfiguration
    from chromadb.api.models.Collection import Collection

_PREFIX = "materia-"
_Told = TypeVar("_Told")
# The graph is built with less care than Chroma's own 100 and searched with more: adding costs a quarter less
# and as many of the nearest are found, see docs/decisions/growth.md. A collection keeps what it was made with.
_CONFIGURATION: CreateCollectionConfiguration = {
    "hnsw": {"space": "cosine", "ef_construction": 64, "ef_search": 200}
}


class ChromaVectors:
    """Embedded Chroma in a folder, or a Chroma server when `host` is given.

    Args:
        installation: whose collections these are on a server, see `core.stores.sqlite.counter`.
    """

    def __init__(
        self, folder: Path, host: str = "", port: int = 8000, installation: str = ""
    ) -> None:
        self._chroma = ChromaClient(folder, host, port)
        self._installation = installation if host else ""
        # To find a collection takes half as long as to search in it.
        self._asked: dict[str, Collection] = {}

    def close(self) -> None:
        """Close Chroma's files; a later call opens them again."""
        self._asked.clear()
        self._chroma.close()

    def _of(self, name: str, ask: Callable[[Collection], _Told]) -> _Told:
        """What a collection says, by its name; it may have been made anew since it was asked before."""
        known = self._asked.pop(name, None)
        if known is not None:
            try:
                told = self._chroma.asked(known, ask)
            except VectorsUnavailable:
                raise
            except StoreError:
                known = None
        if known is None:
            known = self._collection(name)
            told = self._chroma.asked(known, ask)
        self._asked[name] = known
        return told

    def _collection(self, name: str) -> Collection:
        found = self._find(name)
        if found is None:
            raise VectorsMissing(
                f"The vectors of “{name}” are missing.",
                advice="Make them anew: System, “Check and repair”, or python -m core verify --repair",
            )
        return found

    def _find(self, name: str) -> Collection | None:
        """The collection, or None when there is none of that name."""
        return self._chroma.find(_chroma_name(name, self._installation))

    def ensure(self, collection: str, dimension: int, model: str) -> None:
        client = self._chroma.open()
        with failures_told():
            found = client.get_or_create_collection(
                _chroma_name(collection, self._installation),
                embedding_function=None,
                configuration=_CONFIGURATION,
                metadata={"model": model, "dimension": dimension},
            )
        stored: dict[str, Any] = dict(found.metadata or {})
        if stored.get("model") != model or stored.get("dimension") != dimension:
            raise EmbeddingMismatch(
                f"The vectors of “{collection}” were made with {stored.get('model')} "
                f"({stored.get('dimension')} dimensions), not with {model} ({dimension}).",
                advice="Set MATERIA_EMBEDDING_MODEL back, or add the documents to a new index.",
            )

    def collections(self) -> set[str]:
        client = self._chroma.open()
        names: set[str] = set()
        with failures_told():
            while page := client.list_collections(limit=PAGE, offset=len(names)):
                names |= {item.name for item in page}
        found = (_index_name(name, self._installation) for name in names)
        return set(filter(None, found))

    def drop(self, collection: str) -> int:
        found = self._find(collection)
        if found is None:
            return 0
        with failures_told():
            count = int(found.count())
            self._chroma.open().delete_collection(_chroma_name(collection, self._installation))
        return count

    def add(self, collection: str, chunks: Sequence[Chunk], vectors: Vectors) -> None:
        self._chroma.upsert(
            self._collection(collection),
            [chunk.id for chunk in chunks],
            vectors,
            [{"document": chunk.document_id, "page": chunk.page} for chunk in chunks],
        )

    def query(
        self,
        collection: str,
        vector: Vector,
        limit: int,
        documents: Iterable[str] | None = None,
    ) -> list[tuple[str, float]]:
        where = None
        if documents is not None:
            where = {"document": {"$in": sorted(documents)}}
            if not where["document"]["$in"]:  # Chroma refuses an empty list
                return []
        return self._of(collection, lambda kept: nearest(kept, vector, limit, where))

    def vectors(self, collection: str, ids: Sequence[str]) -> dict[str, Vector]:
        return self._of(collection, lambda kept: _vectors_of(kept, ids))

    def delete_document(self, collection: str, document_id: str) -> int:
        ids = self.document_chunk_ids(collection, document_id)
        if ids:
            self.delete_chunks(collection, ids)
        return len(ids)

    def document_chunk_ids(self, collection: str, document_id: str) -> list[str]:
        found = self._find(collection)
        return [] if found is None else _ids_of(found, document_id)

    def delete_chunks(self, collection: str, ids: Sequence[str]) -> None:
        self._chroma.delete(self._collection(collection), ids)

    def chunk_ids(self, collection: str) -> Iterator[str]:
        found = self._find(collection)
        for page in pages(found, []) if found is not None else ():
            yield from page["ids"]

    def count(self, collection: str, document_id: str | None = None) -> int:
        found = self._collection(collection)
        if document_id is not None:
            return len(_ids_of(found, document_id))
        with failures_told():
            return int(found.count())


def _vectors_of(collection: Collection, ids: Sequence[str]) -> dict[str, Vector]:
    vectors: dict[str, Vector] = {}
    with failures_told():
        for start in range(0, len(ids), PAGE):
            part = list(ids[start : start + PAGE])
            found = collection.get(ids=part, include=["embeddings"])
            rows = np.asarray(found["embeddings"], dtype=np.float32)
            lengths = np.linalg.norm(rows, axis=1, keepdims=True) if len(rows) else rows
            vectors.update(zip(found["ids"], rows / np.maximum(lengths, 1e-12), strict=True))
    return vectors


def _ids_of(collection: Collection, document_id: str) -> list[str]:
    with failures_told():
        return collection.get(where={"document": document_id}, include=[])["ids"]


def _chroma_name(collection: str, installation: str = "") -> str:
    """Chroma wants 3 to 512 characters of a few kinds and a letter or digit at the end; an index
    name may be shorter, and may end in a hyphen. An index name has no dot in it."""
    index, _, generation = collection.partition("@")
    return f"{_prefix(installation)}{index}.chunks" + (f".{generation}" if generation else "")


def _index_name(chroma_name: str, installation: str = "") -> str:
    """The name that `_chroma_name` was given; "" for a collection that is not this installation's."""
    prefix = _prefix(installation)
    if not chroma_name.startswith(prefix):
        return ""
    index, chunks, rest = chroma_name.removeprefix(prefix).partition(".chunks")
    if not chunks:
        return ""
    return f"{index}@{rest[1:]}" if rest.startswith(".") else index


def _prefix(installation: str) -> str:
    return f"materia.{installation}." if installation else _PREFIX
