"""Vectors of entities in Chroma; implements `core.graph.store.EntityVectors`.

One collection for each type, cosine distance. Only vectors and the hash of what they were made from
go in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.domain.entity_vectors import VECTOR_INDEXES, EntityVector
from core.domain.vectors import Vector
from core.errors import StoreError
from core.stores.chroma.client import PAGE, ChromaClient, similarity, unavailable

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

# Not the prefix of the library's collections; without one, a shared server's other users may have a
# collection of that name.
_PREFIX = "materia_"


class ChromaEntityVectors:
    """Embedded Chroma in a folder, or a Chroma server when `host` is given."""

    def __init__(self, folder: Path, host: str = "", port: int = 8000) -> None:
        self._client = ChromaClient(folder, host, port)
        # To find a collection takes as long as to search in it.
        self._asked: dict[str, Collection] = {}

    def ensure(self, dimension: int) -> None:
        client = self._client.open()
        for entity_type in VECTOR_INDEXES:
            name = _name(entity_type)
            found = self._client.find(name)
            try:
                if found is not None and (found.metadata or {}).get("dimension") != dimension:
                    client.delete_collection(name)
                    found = None
                if found is None:
                    client.create_collection(
                        name,
                        embedding_function=None,
                        configuration={"hnsw": {"space": "cosine"}},
                        metadata={"dimension": dimension},
                    )
            except Exception as error:
                raise unavailable(error) from error

    def hashes(self) -> dict[str, str]:
        kept: dict[str, str] = {}
        for collection in self._collections().values():
            kept.update(_hashes(collection))
        return kept

    def stored(self) -> Iterator[EntityVector]:
        for entity_type, collection in self._collections().items():
            for page in _pages(collection, ["metadatas", "embeddings"]):
                rows = zip(page["ids"], page["metadatas"], page["embeddings"], strict=True)
                for entity_id, metadata, vector in rows:
                    text_hash = str((metadata or {}).get("hash", ""))
                    yield EntityVector(
                        entity_id, entity_type, text_hash, np.asarray(vector, np.float32)
                    )

    def put(self, vectors: Sequence[EntityVector]) -> None:
        collections = self._collections()
        for one in vectors:
            _require(one.type, len(one.vector), collections)
        try:
            batch = self._client.open().get_max_batch_size()
            for entity_type, collection in collections.items():
                own = [one for one in vectors if one.type == entity_type]
                for start in range(0, len(own), batch):
                    part = own[start : start + batch]
                    collection.upsert(
                        ids=[one.entity_id for one in part],
                        embeddings=np.stack([one.vector for one in part]),
                        metadatas=[{"hash": one.text_hash} for one in part],
                    )
        except Exception as error:
            raise unavailable(error) from error
        # An import may give an entity another type; its vector must not stay behind in the old one.
        for entity_type, collection in collections.items():
            self._delete(collection, [one.entity_id for one in vectors if one.type != entity_type])

    def remove(self, entity_ids: Sequence[str]) -> None:
        for collection in self._collections().values():
            self._delete(collection, entity_ids)

    def query(self, vector: Vector, entity_type: str, limit: int) -> list[tuple[str, float]]:
        known = self._asked.get(entity_type)
        while True:
            collection = known
            if collection is None:
                found_now = self._collections([entity_type])
                collection = _require(entity_type, len(vector), found_now)
            try:
                found = collection.query(
                    query_embeddings=vector[None, :], n_results=limit, include=["distances"]
                )
                break
            except Exception as error:
                self._asked.pop(entity_type, None)
                if known is None:
                    raise unavailable(error) from error
                known = None  # it may have been made anew, under the same name
        self._asked[entity_type] = collection
        distances = found["distances"]
        if not found["ids"] or not distances:
            return []
        pairs = zip(found["ids"][0], distances[0], strict=True)
        return sorted(
            ((entity_id, similarity(float(distance))) for entity_id, distance in pairs),
            key=lambda pair: (-pair[1], pair[0]),
        )

    def counts(self) -> dict[str, int]:
        try:
            return {kind: int(found.count()) for kind, found in self._collections().items()}
        except StoreError:
            raise
        except Exception as error:
            raise unavailable(error) from error

    def settle(self, written: int) -> None:
        """Nothing to do: Chroma's index grows as one piece."""

    def _collections(self, types: Sequence[str] = tuple(VECTOR_INDEXES)) -> dict[str, Collection]:
        found = {
            entity_type: self._client.find(_name(entity_type))
            for entity_type in types
            if entity_type in VECTOR_INDEXES
        }
        return {kind: collection for kind, collection in found.items() if collection is not None}

    def _delete(self, collection: Collection, entity_ids: Sequence[str]) -> None:
        try:
            batch = self._client.open().get_max_batch_size()
            for start in range(0, len(entity_ids), batch):
                part = list(entity_ids[start : start + batch])
                known = collection.get(ids=part, include=[])["ids"]
                if known:
                    collection.delete(ids=known)
        except Exception as error:
            raise unavailable(error) from error


def _hashes(collection: Collection) -> dict[str, str]:
    kept: dict[str, str] = {}
    for page in _pages(collection, ["metadatas"]):
        for entity_id, metadata in zip(page["ids"], page["metadatas"], strict=True):
            kept[entity_id] = str((metadata or {}).get("hash", ""))
    return kept


def _pages(collection: Collection, include: list[Any]) -> Iterator[Any]:
    """All that a collection holds, some thousand rows at a time."""
    offset = 0
    while True:
        try:
            page = collection.get(include=include, limit=PAGE, offset=offset)
        except Exception as error:
            raise unavailable(error) from error
        if not page["ids"]:
            return
        yield page
        offset += len(page["ids"])


def _name(entity_type: str) -> str:
    return _PREFIX + VECTOR_INDEXES[entity_type]


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
