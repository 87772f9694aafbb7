"""The client of embedded Chroma or of a Chroma server, shared by all that keep vectors there."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from core.domain.vectors import Vector, Vectors
from core.errors import MateriaError, StoreError, VectorsUnavailable
from core.reserve import disk_full

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.collection_configuration import CreateCollectionConfiguration
    from chromadb.api.models.Collection import Collection
    from chromadb.config import Settings

COSINE: CreateCollectionConfiguration = {"hnsw": {"space": "cosine"}}
_Told = TypeVar("_Told")
PAGE = 5_000  # ids or collections asked for at a time
_ADVICE = "Check that the data folder is readable and writable and that the disk is not full. Then try again."
_CONNECT_SECONDS, _ANSWER_SECONDS = 2.0, 10.0  # of a server; its own client would wait for ever
_REST_SECONDS = 1.0  # for so long a server that did not answer is not asked again,
_PROBE_SECONDS = 1.0  # and then whether it is there before anything else: one that hangs takes long
_FULL = "database or disk is full"  # SQLite's words, which Chroma passes on
_AWAY = (502, 503, 504)  # what a proxy says of a server that is not there
# Chroma keeps one system per folder for the whole process and is not made for two threads that make it
# at once: a question that came while the entities' client opened got a KeyError.
_opening = threading.Lock()
_resting: dict[
    tuple[str, int], float
] = {}  # server -> when it may be asked again (monotonic), of those that are away


class ChromaClient:
    """Embedded Chroma in a folder, or a Chroma server when `host` is given.

    The client opens on first use: importing chromadb takes more than a second.
    """

    def __init__(self, folder: Path, host: str = "", port: int = 8000) -> None:
        self._folder = folder
        self._host = host
        self._port = port
        self._client: Client | None = None

    def open(self) -> Client:
        """Chroma's own client.

        Raises:
            StoreError: code VECTOR_STORE_UNAVAILABLE.
            VectorsUnavailable: the server does not answer.
        """
        rests_until = _resting.get((self._host, self._port))
        if rests_until is not None and time.monotonic() < rests_until:
            raise _away()
        with _opening, self._resting_on_failure(), failures_told():
            if rests_until is not None:
                self._ask(_PROBE_SECONDS)
                _resting.pop((self._host, self._port), None)
            if self._client is None:
                import chromadb

                options = _usual_settings().model_copy()
                if self._host:
                    opened = self._of_server(options)
                else:
                    self._folder.mkdir(parents=True, exist_ok=True)
                    opened = chromadb.PersistentClient(str(self._folder), options)
                self._client = cast("Client", opened)  # both are; their annotation says less
            return self._client

    def _ask(self, seconds: float) -> None:
        """Raises httpx.TransportError where the server does not answer within so many seconds."""
        import httpx

        httpx.get(f"http://{self._host}:{self._port}/api/v2/heartbeat", timeout=seconds)

    def _of_server(self, options: Settings) -> Any:
        import chromadb
        import httpx

        limits = httpx.Timeout(_ANSWER_SECONDS, connect=_CONNECT_SECONDS)
        self._ask(_CONNECT_SECONDS)  # opening asks without a limit of time
        opened: Any = chromadb.HttpClient(host=self._host, port=self._port, settings=options)
        opened._server._session.timeout = limits
        return opened

    @contextmanager
    def _resting_on_failure(self) -> Iterator[None]:
        """One page or question asks often: only the first of its calls waits for a server that is away."""
        try:
            yield
        except VectorsUnavailable:
            _resting[self._host, self._port] = time.monotonic() + _REST_SECONDS
            raise

    def asked(self, collection: Collection, ask: Callable[[Collection], _Told]) -> _Told:
        """What a collection says that was found before.

        Raises:
            StoreError: likewise; VectorsUnavailable at once while the server is not asked.
        """
        self.open()
        with self._resting_on_failure():
            return ask(collection)

    def close(self) -> None:
        """Close Chroma's files, once all clients of the folder are closed; a later call opens them again."""
        # What cannot be closed must not keep the rest from being closed.
        with _opening, suppress(Exception):
            client, self._client = self._client, None
            if client is not None:
                client.close()

    def find(self, name: str) -> Collection | None:
        """The collection of Chroma's name, or None when there is none."""
        client = self.open()
        with self._resting_on_failure(), failures_told():
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
        if _is_away(error):
            raise _away() from error
        if _FULL in str(error):
            raise disk_full(spent=True) from error
        raise StoreError(
            f"The vector store cannot be used ({type(error).__name__}).",
            advice=_ADVICE,
            code="VECTOR_STORE_UNAVAILABLE",
            retryable=True,
        ) from error


def _is_away(error: BaseException | None) -> bool:
    """Whether the server did not answer: the client raises what HTTP failed with, or an error of its
    own made from that."""
    import httpx

    while error is not None:
        if isinstance(error, httpx.TransportError):
            return True
        if isinstance(error, httpx.HTTPStatusError) and error.response.status_code in _AWAY:
            return True
        error = error.__cause__ or error.__context__
    return False


def _away() -> VectorsUnavailable:
    return VectorsUnavailable(
        "The vector store's server cannot be reached.",
        advice="Check that the Chroma server runs and that MATERIA_CHROMA_HOST and MATERIA_CHROMA_PORT "
        "are right; Materia goes on by itself.",
        retryable=True,
    )


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
