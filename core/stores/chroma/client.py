"""The client of embedded Chroma or of a Chroma server, shared by all that keep vectors there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from core.domain.vectors import Vector, Vectors
from core.errors import MateriaError, StoreError
from core.reserve import disk_full

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.collection_configuration import CreateCollectionConfiguration
    from chromadb.api.models.Collection import Collection
    from chromadb.config import Settings

    from core.stores.chroma.server import ChromaServer

COSINE: CreateCollectionConfiguration = {"hnsw": {"space": "cosine"}}
_Told = TypeVar("_Told")
PAGE = 5_000  # ids or collections asked for at a time
_ADVICE = "Check that the data folder is readable and writable and that the disk is not full. Then try again."
_FULL = "database or disk is full"  # SQLite's words, which Chroma passes on
# Chroma keeps one system per folder for the whole process and is not made for two threads that make it
# at once: a question that came while the entities' client opened got a KeyError.
_opening = threading.Lock()


class ChromaClient:
    """Embedded Chroma in a folder, or a Chroma server when `host` is given.

    The client opens on first use: importing chromadb takes more than a second.
    """

    def __init__(self, folder: Path, host: str = "", port: int = 8000) -> None:
        self._folder = folder
        self._host = host
        self._port = port
        self._client: Client | None = None
        self._server: ChromaServer | None = None
        if host:
            from core.stores.chroma.server import chroma_server

            self._server = chroma_server(host, port)

    def open(self) -> Client:
        """Chroma's own client.

        Raises:
            StoreError: code VECTOR_STORE_UNAVAILABLE.
            VectorsUnavailable: the server does not answer.
        """
        server = self._server
        if server is not None:
            server.check()
            server.users.add(self)
        with _opening, failures_told():
            if self._client is None:
                import chromadb

                options = _usual_settings().model_copy()
                if server is not None:
                    opened = self._of_server(server, options)
                else:
                    self._folder.mkdir(parents=True, exist_ok=True)
                    opened = chromadb.PersistentClient(str(self._folder), options)
                self._client = cast("Client", opened)  # both are; their annotation says less
            return self._client

    def _of_server(self, server: ChromaServer, options: Settings) -> Any:
        import chromadb

        connect = partial(chromadb.HttpClient, host=self._host, port=self._port, settings=options)
        opened: Any = server.connected(connect)
        opened._server._session = server.session(opened._server._session)
        return opened

    def asked(self, collection: Collection, ask: Callable[[Collection], _Told]) -> _Told:
        """What a collection says that was found before.

        Raises:
            StoreError: likewise; VectorsUnavailable at once while the server is not waited for.
        """
        self.open()
        return ask(collection)

    def close(self) -> None:
        """Close Chroma's files, once all clients of the folder are closed; a later call opens them again."""
        # What cannot be closed must not keep the rest from being closed.
        with _opening, suppress(Exception):
            if self._server is not None:
                self._server.users.discard(self)
            client, self._client = self._client, None
            if client is not None:
                client.close()

    def find(self, name: str) -> Collection | None:
        """The collection of Chroma's name, or None when there is none."""
        client = self.open()
        with failures_told():
            from chromadb.errors import NotFoundError

            try:
                return client.get_collection(name, embedding_function=None)
            except NotFoundError:
                return None

    def upsert(
        self,
        collection: Collection,
        ids: Sequence[str],
        vectors: Vectors,
        metadatas: Sequence[dict[str, Any]],
    ) -> None:
        """Write vectors with their metadata, as many at a time as Chroma takes."""
        with failures_told():
            for part in self._batches(len(ids)):
                collection.upsert(
                    ids=list(ids[part]), embeddings=vectors[part], metadatas=list(metadatas[part])
                )

    def delete(self, collection: Collection, ids: Sequence[str]) -> None:
        """Remove vectors; an id that is not there is passed over, for Chroma logs its removal too."""
        with failures_told():
            for part in self._batches(len(ids)):
                if known := collection.get(ids=list(ids[part]), include=[])["ids"]:
                    collection.delete(ids=known)

    def _batches(self, count: int) -> Iterator[slice]:
        size = self.open().get_max_batch_size()
        return (slice(start, start + size) for start in range(0, count, size))


@cache
def _usual_settings() -> Settings:
    """Made once: half of what opening a client costs. Chroma writes the folder into a copy."""
    from chromadb.config import Settings

    return Settings(anonymized_telemetry=False)


@contextmanager
def failures_told() -> Iterator[None]:
    """Any failure of Chroma in plain words: it raises many kinds, some of them bare Exception.

    Raises:
        StoreError: code VECTOR_STORE_UNAVAILABLE.
        VectorsUnavailable: a server does not answer.
    """
    try:
        yield
    except MateriaError:
        raise
    except Exception as error:
        from core.stores.chroma.server import away, is_away

        if is_away(error):
            raise away() from error
        if _FULL in str(error):
            raise disk_full(spent=True) from error
        raise StoreError(
            f"The vector store cannot be used ({type(error).__name__}).",
            advice=_ADVICE,
            code="VECTOR_STORE_UNAVAILABLE",
            retryable=True,
        ) from error


def nearest(
    collection: Collection, vector: Vector, limit: int, where: Any = None
) -> list[tuple[str, float]]:
    """Ids with cosine similarity in [-1, 1], best first."""
    with failures_told():
        found = collection.query(
            query_embeddings=vector[None, :], n_results=limit, where=where, include=["distances"]
        )
    distances = found["distances"]
    if not found["ids"] or not distances:
        return []
    # Rounding puts Chroma's cosine distance out of range.
    pairs = (
        (key, max(-1.0, min(1.0, 1.0 - float(distance))))
        for key, distance in zip(found["ids"][0], distances[0], strict=True)
    )
    return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))


def pages(collection: Collection, include: list[Any]) -> Iterator[Any]:
    """All that a collection holds, some thousand rows at a time."""
    offset = 0
    while True:
        with failures_told():
            page = collection.get(include=include, limit=PAGE, offset=offset)
        if not page["ids"]:
            return
        yield page
        offset += len(page["ids"])
