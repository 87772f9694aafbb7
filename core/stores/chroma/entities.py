"""Vectors of entities in Chroma; implements `core.graph.store.EntityVectors`.

One collection for each type, cosine distance. Only vectors and the hash of what they were made from
go in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.domain.vectors import VECTOR_INDEXES, EntityVector, Vector
from core.errors import StoreError
from core.stores.chroma.client import COSINE, ChromaClient, failures_told, nearest, pages

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

# Not the prefix of the library's collections; without one, a shared server's other users may have a
# collection of that name.
_PREFIX = "materia_"


class ChromaEntityVectors:
    """Embedded Chroma in a folder, or a Chroma server when `host` is given.

    Args:
        installation: whose collections these are on a server, see `core.stores.sqlite.counter`.
    """

    def __init__(
        self, folder: Path, host: str = "", port: int = 8000, installation: str = ""
    ) -> None:
        self._client = ChromaClient(folder, host, port)
        self._prefix = f"materia.{installation}." if host and installation else _PREFIX
        # To find a collection takes as long as to search in it.
        self._asked: dict[str, Collection] = {}

    def close(self) -> None:
        """Close Chroma's files; a later call opens them again."""
        self._asked.clear()
        self._client.close()

    def ensure(self, dimension: int) -> None:
        client = self._client.open()
        for entity_type in VECTOR_INDEXES:
            name = self._name(entity_type)
            found = self._client.find(name)
            with failures_told():
                if found is not None and (found.metadata or {}).get("dimension") != dimension:
                    client.delete_collection(name)
                    found = None
                if found is None:
                    client.create_collection(
                        name,
                        embedding_function=None,
                        configuration=COSINE,
                        metadata={"dimension": dimension},
                    )

    def drop(self) -> None:
        """Remove all collections."""
        client = self._client.open()
        for collection in self._collections().values():
            with failures_told():
                client.delete_collection(collection.name)

    def hashes(self) -> dict[str, str]:
        return {
            entity_id: _hash(metadata)
            for collection in self._collections().values()
            for page in pages(collection, ["metadatas"])
            for entity_id, metadata in zip(page["ids"], page["metadatas"], strict=True)
        }

    def stored(self) -> Iterator[EntityVector]:
        for entity_type, collection in self._collections().items():
            for page in pages(collection, ["metadatas", "embeddings"]):
                rows = zip(page["ids"], page["metadatas"], page["embeddings"], strict=True)
                for entity_id, metadata, vector in rows:
                    yield EntityVector(
                        entity_id, entity_type, _hash(metadata), np.asarray(vector, np.float32)
                    )

    def vectors_of(self, entity_ids: Sequence[str]) -> dict[str, Vector]:
        found: dict[str, Vector] = {}
        if not entity_ids:  # to Chroma none means all
            return found
        for collection in self._collections().values():
            with failures_told():
                kept = collection.get(ids=list(dict.fromkeys(entity_ids)), include=["embeddings"])
            vectors = kept["embeddings"] if kept["ids"] else None
            if vectors is not None:
                rows = zip(kept["ids"], vectors, strict=True)
                found |= {one: np.asarray(vector, np.float32) for one, vector in rows}
        return found

    def put(self, vectors: Sequence[EntityVector]) -> None:
        collections = self._collections()
        for one in vectors:
            _require(one.type, len(one.vector), collections)
        for entity_type, collection in collections.items():
            own = [one for one in vectors if one.type == entity_type]
            if own:
                self._client.upsert(
                    collection,
                    [one.entity_id for one in own],
                    np.stack([one.vector for one in own]),
                    [{"hash": one.text_hash} for one in own],
                )
        # An import may give an entity another type; its vector must not stay behind in the old one.
        for entity_type, collection in collections.items():
            self._client.delete(
                collection, [one.entity_id for one in vectors if one.type != entity_type]
            )

    def remove(self, entity_ids: Sequence[str]) -> None:
        for collection in self._collections().values():
            self._client.delete(collection, entity_ids)

    def query(self, vector: Vector, entity_type: str, limit: int) -> list[tuple[str, float]]:
        known = self._asked.pop(entity_type, None)
        if known is not None:
            with suppress(StoreError):  # it may have been made anew, under the same name
                found = nearest(known, vector, limit)
                self._asked[entity_type] = known
                return found
        collection = _require(entity_type, len(vector), self._collections([entity_type]))
        found = nearest(collection, vector, limit)
        self._asked[entity_type] = collection
        return found

    def counts(self) -> dict[str, int]:
        with failures_told():
            return {kind: int(found.count()) for kind, found in self._collections().items()}

    def settle(self, written: int) -> None:
        """Nothing to do: Chroma's index grows as one piece."""

    def _collections(self, types: Sequence[str] = tuple(VECTOR_INDEXES)) -> dict[str, Collection]:
        found = {
            entity_type: self._client.find(self._name(entity_type))
            for entity_type in types
            if entity_type in VECTOR_INDEXES
        }
        return {kind: collection for kind, collection in found.items() if collection is not None}

    def _name(self, entity_type: str) -> str:
        return self._prefix + VECTOR_INDEXES[entity_type]


def _hash(metadata: Any) -> str:
    return str((metadata or {}).get("hash", ""))


def _require(entity_type: str, dimension: int, collections: dict[str, Collection]) -> Collection:
    found = collections.get(entity_type)
    if found is None:
        raise _missing(entity_type)
    if (found.metadata or {}).get("dimension") != dimension:
        raise _missing(entity_type, f"for vectors of {dimension} numbers ")
    return found


def _missing(entity_type: str, which: str = "") -> StoreError:
    index = VECTOR_INDEXES.get(entity_type, entity_type)
    return StoreError(
        f"There is no vector index “{index}” {which}of entities.",
        advice="Build it: python -m core embed-graph",
        code="VECTOR_INDEX_MISSING",
    )
