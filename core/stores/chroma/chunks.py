"""Vectors of chunks in Chroma; implements `core.documents.store.vectors.VectorStore`.

One collection per index and generation, cosine distance. Only vectors, the document's id and the page go in:
text lives in one place, the library store, so that a deletion cannot leave a copy behind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.domain.documents import Chunk
from core.domain.vectors import Vector, Vectors
from core.errors import EmbeddingMismatch, StoreError
from core.stores.chroma.client import PAGE, ChromaClient, similarity, unavailable

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

_PREFIX = "materia-"


class ChromaVectors:
    """Embedded Chroma in a folder, or a Chroma server when `host` is given."""

    def __init__(self, folder: Path, host: str = "", port: int = 8000) -> None:
        self._chroma = ChromaClient(folder, host, port)

    def _collection(self, name: str) -> Collection:
        found = self._find(name)
        if found is None:
            raise StoreError(
                f"The vectors of “{name}” are missing.",
                advice="Make them anew: python -m core verify --repair",
                code="VECTORS_MISSING",
            )
        return found

    def _find(self, name: str) -> Collection | None:
        """The collection, or None when there is none of that name."""
        return self._chroma.find(_chroma_name(name))

    def ensure(self, collection: str, dimension: int, model: str) -> None:
        client = self._chroma.open()
        try:
            found = client.get_or_create_collection(
                _chroma_name(collection),
                embedding_function=None,
                configuration={"hnsw": {"space": "cosine"}},
                metadata={"model": model, "dimension": dimension},
            )
        except Exception as error:
            raise unavailable(error) from error
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
        try:
            while page := client.list_collections(limit=PAGE, offset=len(names)):
                names |= {item.name for item in page}
        except Exception as error:
            raise unavailable(error) from error
        return {index for name in names if (index := _index_name(name))}

    def drop(self, collection: str) -> int:
        found = self._find(collection)
        if found is None:
            return 0
        try:
            count = int(found.count())
            self._chroma.open().delete_collection(_chroma_name(collection))
        except Exception as error:
            raise unavailable(error) from error
        return count

    def add(self, collection: str, chunks: Sequence[Chunk], vectors: Vectors) -> None:
        found = self._collection(collection)
        try:
            batch = self._chroma.open().get_max_batch_size()
            for start in range(0, len(chunks), batch):
                part = chunks[start : start + batch]
                found.upsert(
                    ids=[chunk.id for chunk in part],
                    embeddings=vectors[start : start + batch],
                    metadatas=[
                        {"document": chunk.document_id, "page": chunk.page} for chunk in part
                    ],
                )
        except Exception as error:
            raise unavailable(error) from error

    def query(
        self,
        collection: str,
        vector: Vector,
        limit: int,
        documents: Iterable[str] | None = None,
    ) -> list[tuple[str, float]]:
        kept = self._collection(collection)
        where: Any = None if documents is None else {"document": {"$in": sorted(documents)}}
        if where and not where["document"]["$in"]:
            return []  # Chroma refuses an empty list
        try:
            found = kept.query(
                query_embeddings=vector[None, :],
                n_results=limit,
                where=where,
                include=["distances"],
            )
        except Exception as error:
            raise unavailable(error) from error
        distances = found["distances"]
        if not found["ids"] or not distances:
            return []
        pairs = [
            (chunk_id, similarity(float(distance)))
            for chunk_id, distance in zip(found["ids"][0], distances[0], strict=True)
        ]
        return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))

    def vectors(self, collection: str, ids: Sequence[str]) -> dict[str, Vector]:
        kept = self._collection(collection)
        vectors: dict[str, Vector] = {}
        try:
            for start in range(0, len(ids), PAGE):
                part = list(ids[start : start + PAGE])
                found = kept.get(ids=part, include=["embeddings"])
                rows = np.asarray(found["embeddings"], dtype=np.float32)
                lengths = np.linalg.norm(rows, axis=1, keepdims=True) if len(rows) else rows
                vectors.update(zip(found["ids"], rows / np.maximum(lengths, 1e-12), strict=True))
        except Exception as error:
            raise unavailable(error) from error
        return vectors

    def delete_document(self, collection: str, document_id: str) -> int:
        found = self._find(collection)
        if found is None:
            return 0
        try:
            ids = found.get(where={"document": document_id}, include=[])["ids"]
        except Exception as error:
            raise unavailable(error) from error
        self.delete_chunks(collection, ids)
        return len(ids)

    def delete_chunks(self, collection: str, ids: Sequence[str]) -> None:
        found = self._collection(collection)
        try:
            batch = self._chroma.open().get_max_batch_size()
            for start in range(0, len(ids), batch):
                found.delete(ids=list(ids[start : start + batch]))
        except Exception as error:
            raise unavailable(error) from error

    def chunk_ids(self, collection: str) -> Iterator[str]:
        found = self._find(collection)
        if found is None:
            return
        offset = 0
        while True:
            try:
                ids = found.get(include=[], limit=PAGE, offset=offset)["ids"]
            except Exception as error:
                raise unavailable(error) from error
            if not ids:
                return
            yield from ids
            offset += len(ids)

    def count(self, collection: str, document_id: str | None = None) -> int:
        found = self._collection(collection)
        try:
            if document_id is None:
                return int(found.count())
            return len(found.get(where={"document": document_id}, include=[])["ids"])
        except Exception as error:
            raise unavailable(error) from error


def _chroma_name(collection: str) -> str:
    """Chroma wants 3 to 512 characters of a few kinds and a letter or digit at the end; an index
    name may be shorter, and may end in a hyphen. An index name has no dot in it."""
    index, _, generation = collection.partition("@")
    return f"{_PREFIX}{index}.chunks" + (f".{generation}" if generation else "")


def _index_name(chroma_name: str) -> str:
    """The name that `_chroma_name` was given; "" for a collection that is not Materia's."""
    if not chroma_name.startswith(_PREFIX):
        return ""
    index, _, rest = chroma_name.removeprefix(_PREFIX).partition(".chunks")
    return f"{index}@{rest[1:]}" if rest.startswith(".") else index
