"""A Chroma server: whether it is there, and how long it is waited for.

One that is slow, as under load, still tells that it lives; one that hangs does not even do that. So who
waits for long asks for its heartbeat beside, on a connection of its own, and gives up where none comes. From
then on nobody waits (a circuit breaker) until a thread that goes on asking gets an answer.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextvars import copy_context
from functools import partial
from typing import Any, TypeVar
from weakref import WeakSet, WeakValueDictionary

import httpx

from core.errors import VectorsUnavailable

_Told = TypeVar("_Told")
_CONNECT_SECONDS = 2.0
_ANSWER_SECONDS = 10.0  # for a server that is slow; its own client would wait for ever
_PATIENCE_SECONDS = 2.0  # after which one that does not answer is asked whether it is there,
_HEARTBEAT_SECONDS = 2.5  # and so long it has to say so
_PAUSE_SECONDS = 1.0  # between two looks at whether one is back
_AWAY = (502, 503, 504)  # what a proxy says of a server that is not there


class ChromaServer:
    """What is known of one server by all of this process; thread-safe.

    Attributes:
        users: those that have it open: it is looked after for as long as there are any.
    """

    def __init__(self, host: str, port: int) -> None:
        self._heartbeat = f"http://{host}:{port}/api/v2/heartbeat"
        # A connection that was kept may be one to a server that is gone.
        self._asking = httpx.Client(limits=httpx.Limits(max_keepalive_connections=0))
        self._lock = threading.Lock()
        self._away = False
        self.users: WeakSet[Any] = WeakSet()

    def check(self) -> None:
        """Pass where the server answered last.

        Raises:
            VectorsUnavailable: it did not, and is not waited for.
        """
        if self._away:
            raise away()

    def ask(self, seconds: float) -> None:
        """Wait for its heartbeat.

        Raises:
            httpx.HTTPError: there is none within so many seconds.
        """
        answer = self._asking.get(self._heartbeat, timeout=seconds)
        if answer.status_code in _AWAY:
            answer.raise_for_status()

    def waited_for(self, call: Callable[[], _Told]) -> _Told:
        """What a call to the server returns or raises, for as long as the server is there.

        Raises:
            VectorsUnavailable: it is not; the call may go on in a thread that nobody waits for.
        """
        self.check()
        called = _begun(call)
        both: list[Future[Any]]
        while not wait([called], _PATIENCE_SECONDS).done:
            asked = _begun(partial(self.ask, _HEARTBEAT_SECONDS))
            both = [called, asked]
            wait(both, return_when=FIRST_COMPLETED)
            if not called.done() and asked.exception() is not None:
                self.lost()
                raise away() from asked.exception()
        try:
            return called.result()
        except httpx.TransportError:
            self.lost()
            raise

    def connected(self, connect: Callable[[], _Told]) -> _Told:
        """What makes a client, which asks the server in its own way.

        Raises:
            VectorsUnavailable, httpx.TransportError: the server is not there.
        """

        def asked_first() -> _Told:
            self.ask(_CONNECT_SECONDS)
            return connect()

        return self.waited_for(asked_first)

    def session(self, like: httpx.Client) -> httpx.Client:
        """A session for Chroma's client in place of its own, which waits without an end."""
        return like if isinstance(like, _Session) else _Session(self, like)

    def lost(self) -> None:
        """Let nobody wait for the server until it answers."""
        with self._lock:
            if self._away:
                return
            self._away = True
        threading.Thread(target=self._watch, name="chroma-watch", daemon=True).start()

    def _watch(self) -> None:
        while self.users:
            time.sleep(_PAUSE_SECONDS)
            try:
                self.ask(_HEARTBEAT_SECONDS)
            except httpx.HTTPError:
                continue
            break
        self._away = False


class _Session(httpx.Client):
    """Sends requests for as long as the server is there."""

    def __init__(self, server: ChromaServer, like: httpx.Client) -> None:
        limits = httpx.Timeout(_ANSWER_SECONDS, connect=_CONNECT_SECONDS)
        super().__init__(timeout=limits, headers=like.headers)
        self._server = server

    def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        answer = self._server.waited_for(partial(super().send, request, **options))
        if answer.status_code in _AWAY:
            self._server.lost()
        return answer


def _begun(call: Callable[[], _Told]) -> Future[_Told]:
    """A call in a thread of its own, which no end of the program waits for."""
    future: Future[_Told] = Future()

    def work() -> None:
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=copy_context().run, args=(work,), daemon=True).start()
    return future


def is_away(error: BaseException | None) -> bool:
    """Whether the server did not answer: Chroma's client raises what HTTP failed with, or an error of its
    own made from that."""
    while error is not None:
        if isinstance(error, httpx.TransportError):
            return True
        if isinstance(error, httpx.HTTPStatusError) and error.response.status_code in _AWAY:
            return True
        error = error.__cause__ or error.__context__
    return False


def away() -> VectorsUnavailable:
    """The error of a server that does not answer."""
    return VectorsUnavailable(
        "The vector store's server cannot be reached.",
        advice="Check that the Chroma server runs and that MATERIA_CHROMA_HOST and MATERIA_CHROMA_PORT "
        "are right; Materia goes on by itself.",
        retryable=True,
    )


_servers: WeakValueDictionary[tuple[str, int], ChromaServer] = WeakValueDictionary()
_naming = threading.Lock()


def chroma_server(host: str, port: int) -> ChromaServer:
    """The server of an address, the same for all who use it at a time."""
    with _naming:
        server = _servers.get((host, port))
        if server is None:
            server = _servers[host, port] = ChromaServer(host, port)
        return server
