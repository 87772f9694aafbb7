"""The client of embedded Chroma or of a Chroma server, shared by all that keep vectors there."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import StoreError

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

PAGE = 5_000  # ids or collections asked for at a time
_ADVICE = (
    "Check that the data folder is readable and writable and that the disk is not full; "
    "if a Chroma server is configured, check that it runs. Then try again."
)
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
        self._client: ClientAPI | None = None

    def open(self) -> ClientAPI:
        """Chroma's own client.

        Raises:
            StoreError: code VECTOR_STORE_UNAVAILABLE.
        """
        with _opening:
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
                    raise unavailable(error) from error
            return self._client

    def find(self, name: str) -> Collection | None:
        """The collection of Chroma's name, or None when there is none.

        Raises:
            StoreError: code VECTOR_STORE_UNAVAILABLE.
        """
        client = self.open()
        try:
            return client.get_collection(name, embedding_function=None)
        except Exception as error:
            from chromadb.errors import NotFoundError

            if isinstance(error, NotFoundError):
                return None
            raise unavailable(error) from error


def unavailable(error: Exception) -> StoreError:
    """Any failure of Chroma in plain words."""
    return StoreError(
        f"The vector store cannot be used ({type(error).__name__}).",
        advice=_ADVICE,
        code="VECTOR_STORE_UNAVAILABLE",
        retryable=True,
    )


def similarity(distance: float) -> float:
    """Cosine similarity in [-1, 1] of Chroma's cosine distance, which rounding puts out of range."""
    return max(-1.0, min(1.0, 1.0 - distance))
