"""Vectors of chunks in Chroma; implements `core.documents.store.VectorStore`.

One collection per index, cosine distance. Only vectors, the document's id and the page go in: text
lives in one place, the library store, so that a deletion cannot leave a copy behind.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.domain.vectors import Vector, Vectors
from core.errors import EmbeddingMismatch, MateriaError, StoreError

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

_ADVICE = (
    "Check that the data folder is readable and writable and that the disk is not full; "
    "if a Chroma server is configured, check that it runs. Then try again."
)


class ChromaVectors:
    """Embedded Chroma in a folder, or a Chroma server when `host` is given.

    The client opens on first use: importing chromadb takes more than a second.
    """

    def __init__(self, folder: Path, host: str = "", port: int = 8000) -> None:
        self._folder = folder
        self._host = host
        self._port = port
        self._lock = threading.Lock()
        self._client: ClientAPI | None = None

    def _open(self) -> ClientAPI:
        with self._lock:
            if self._client is None:
                try:
                    import chromadb
                    from chromadb.config import Settings

                    options = Settings(anonymized_telemetry=False)
                    if self._host:
                        self._client = chromadb.HttpClient(
                            host=self._host, port=self._port, settings=options
                        )
                    else:
                        self._folder.mkdir(parents=True, exist_ok=True)
                        self._client = chromadb.PersistentClient(str(self._folder), options)
                except Exception as error:  # Chroma raises many kinds, some of them bare Exception
                    raise _unavailable(error) from error
            return self._client

    def _collection(self, index: str) -> Collection:
        try:
            return self._open().get_collection(_collection_name(index), embedding_function=None)
        except MateriaError:
            raise
        except Exception as error:
            raise _unavailable(error) from error

    def ensure(self, index: str, dimension: int, model: str) -> None:
        client = self._open()
        try:
            collection = client.get_or_create_collection(
                _collection_name(index),
                embedding_function=None,
                configuration={"hnsw": {"space": "cosine"}},
                metadata={"model": model, "dimension": dimension},
            )
        except Exception as error:
            raise _unavailable(error) from error
        stored: dict[str, Any] = dict(collection.metadata or {})
        if stored.get("model") != model or stored.get("dimension") != dimension:
            raise EmbeddingMismatch(
                f"Index “{index}” was made with {stored.get('model')} "
                f"({stored.get('dimension')} dimensions); the configured model is {model} "
                f"({dimension}).",
                advice="Set MATERIA_EMBEDDING_MODEL back, or add the documents to a new index.",
            )

    def add(
        self,
        index: str,
        ids: Sequence[str],
        vectors: Vectors,
        document_id: str,
        pages: Sequence[int],
    ) -> None:
        collection = self._collection(index)
        try:
            batch = self._open().get_max_batch_size()
            for start in range(0, len(ids), batch):
                part = slice(start, start + batch)
                collection.add(
                    ids=list(ids[part]),
                    embeddings=vectors[part],
                    metadatas=[{"document": document_id, "page": page} for page in pages[part]],
                )
        except Exception as error:
            raise _unavailable(error) from error

    def query(self, index: str, vector: Vector, limit: int) -> list[tuple[str, float]]:
        collection = self._collection(index)
        try:
            found = collection.query(
                query_embeddings=vector[None, :], n_results=limit, include=["distances"]
            )
        except Exception as error:
            raise _unavailable(error) from error
        distances = found["distances"]
        if not found["ids"] or not distances:
            return []
        pairs = [
            (chunk_id, max(-1.0, min(1.0, 1.0 - float(distance))))
            for chunk_id, distance in zip(found["ids"][0], distances[0], strict=True)
        ]
        return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))

    def delete_document(self, index: str, document_id: str) -> int:
        collection = self._collection(index)
        try:
            ids = collection.get(where={"document": document_id}, include=[])["ids"]
            batch = self._open().get_max_batch_size()
            for start in range(0, len(ids), batch):
                collection.delete(ids=ids[start : start + batch])
        except Exception as error:
            raise _unavailable(error) from error
        return len(ids)

    def count(self, index: str, document_id: str | None = None) -> int:
        collection = self._collection(index)
        try:
            if document_id is None:
                return int(collection.count())
            return len(collection.get(where={"document": document_id}, include=[])["ids"])
        except Exception as error:
            raise _unavailable(error) from error


def _collection_name(index: str) -> str:
    """Chroma wants 3 to 512 characters and a letter or digit at the end; an index name may be
    shorter, and may end in a hyphen."""
    return f"materia-{index}.chunks"


def _unavailable(error: Exception) -> StoreError:
    return StoreError(
        f"The vector store cannot be used ({type(error).__name__}).",
        advice=_ADVICE,
        code="VECTOR_STORE_UNAVAILABLE",
        retryable=True,
    )
