"""One streamed HTTP request that whoever waits for it can leave at any moment."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from openai import DefaultHttpxClient, Stream
    from openai.types.chat import ChatCompletionChunk

    OpenStream = Callable[[DefaultHttpxClient], Stream[ChatCompletionChunk]]

# Events of the HTTP client's `trace` extension whose result is a connection.
_CONNECTED = ("connect_tcp.complete", "start_tls.complete")


@dataclass(frozen=True, slots=True)
class _Failed:
    error: Exception


class StreamedCall:
    """The chunks of one request, read by a thread of their own.

    Closing a response from another thread does not wake a read that waits for bytes. `close` shuts the
    socket down instead: the read ends at once, and the provider sees that nobody listens any more.

    Args:
        open_stream: makes the request with the HTTP client it is handed.
    """

    def __init__(self, open_stream: OpenStream) -> None:
        self._open_stream = open_stream
        self._chunks: SimpleQueue[ChatCompletionChunk | _Failed | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._closed = False
        threading.Thread(target=self._read, name="model-call", daemon=True).start()

    @property
    def closed(self) -> bool:
        return self._closed

    def next(self, seconds: float) -> ChatCompletionChunk | None:
        """The next chunk; None at the end, and when the call was closed.

        Raises:
            TimeoutError: none came within `seconds`.
            openai.OpenAIError, ValueError: what the request failed with.
        """
        if self._closed:
            return None
        try:
            chunk = self._chunks.get(timeout=max(0.0, seconds))
        except Empty:
            raise TimeoutError from None
        if isinstance(chunk, _Failed) and not self._closed:
            raise chunk.error
        return None if self._closed or isinstance(chunk, _Failed) else chunk

    def close(self) -> None:
        """End the request; a second time does nothing."""
        with self._lock:
            self._closed = True
            connection = self._socket
        self._chunks.put(None)
        if connection is not None:
            _shut_down(connection)

    def _read(self) -> None:
        from openai import DefaultHttpxClient

        try:
            hooks = {"request": [self._watch]}
            with (
                # A redirect would send the prompt, if not the key, to an address nobody chose.
                DefaultHttpxClient(event_hooks=hooks, follow_redirects=False) as client,
                self._open_stream(client) as chunks,
            ):
                for chunk in chunks:
                    # What has arrived, and what still arrives, is read after a shutdown too: a provider
                    # that writes without a pause would never be left.
                    if self._closed:
                        break
                    self._chunks.put(chunk)
            self._chunks.put(None)
        except Exception as error:  # for the thread that waits; here nobody could handle it
            self._chunks.put(_Failed(error))

    def _watch(self, request: Any) -> None:
        request.extensions["trace"] = self._trace

    def _trace(self, event: str, info: dict[str, Any]) -> None:
        if not event.endswith(_CONNECTED):
            return
        connection: socket.socket = info["return_value"].get_extra_info("socket")
        with self._lock:
            self._socket = connection
            late = self._closed
        if late:
            _shut_down(connection)


# SO_LINGER switched on with no time to linger: closing the socket resets the connection.
_RESET_ON_CLOSE = struct.pack("ii", 1, 0)


def _shut_down(connection: socket.socket) -> None:
    # A provider that fills the window waits for room in it. Where the reading thread had just emptied
    # it, an orderly close tells nothing of that: the provider waited on, for a minute and longer.
    with suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
    # The plain socket's method: an SSL socket's own would change what the reading thread is using.
    with suppress(OSError):
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
