"""A small OpenAI-compatible server on a loopback socket, with one scripted reply per request.

The real `openai` client speaks to it, so that retries, streams, timeouts and broken connections are
the client's own. Every request is recorded before it is answered.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

USAGE = {"prompt_tokens": 1234, "completion_tokens": 56, "total_tokens": 1290}
Body = dict[str, Any]
Content = Callable[[Body], str]


@dataclass(frozen=True, slots=True)
class Request:
    """What the server was asked."""

    path: str
    headers: Mapping[str, str]
    body: Body

    @property
    def system(self) -> str:
        return self._content("system")

    @property
    def user(self) -> str:
        return self._content("user")

    def _content(self, role: str) -> str:
        return "\n".join(m["content"] for m in self.body["messages"] if m["role"] == role)


class Exchange:
    """One request being answered; what a reply writes to."""

    def __init__(self, handler: BaseHTTPRequestHandler, request: Request, released: Any) -> None:
        self._handler = handler
        self.request = request
        self.released: threading.Event = released

    def status(self, code: int, payload: Body, headers: Mapping[str, str] | None = None) -> None:
        """A whole JSON response."""
        data = json.dumps(payload).encode()
        self._head(code, {"Content-Type": "application/json", "Content-Length": str(len(data))})
        for name, value in (headers or {}).items():
            self._handler.send_header(name, value)
        self._handler.end_headers()
        self._handler.wfile.write(data)

    def whole(self, body: str, content_type: str, code: int) -> None:
        """A response of any kind."""
        data = body.encode()
        self._head(code, {"Content-Type": content_type, "Content-Length": str(len(data))})
        self._handler.end_headers()
        self._handler.wfile.write(data)

    def open_stream(self) -> None:
        self._head(200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})
        self._handler.end_headers()

    def event(self, data: str) -> None:
        """One server-sent event, as one chunk."""
        self._raw(f"data: {data}\n\n".encode())

    def comment(self, text: str = "keep-alive") -> None:
        """A line that keeps the connection open and says nothing, as DeepSeek sends while it is busy."""
        self._raw(f": {text}\n\n".encode())

    def _raw(self, raw: bytes) -> None:
        self._handler.wfile.write(f"{len(raw):x}\r\n".encode() + raw + b"\r\n")
        self._handler.wfile.flush()

    def piece(self, text: str | None) -> None:
        """A piece of the answer; None is a chunk without choices, as some providers send."""
        self._chunk([] if text is None else [{"index": 0, "delta": {"content": text}}])

    def refuse(self, words: str) -> None:
        """A piece of the words with which the model refuses, in the field that OpenAI has for them."""
        self._chunk([{"index": 0, "delta": {"content": None, "refusal": words}}])

    def finish(self, reason: str = "stop") -> None:
        """Say why the answer ends, and the usage when it was asked for."""
        self._chunk([{"index": 0, "delta": {}, "finish_reason": reason}])
        if self.request.body.get("stream_options", {}).get("include_usage"):
            self._chunk([], USAGE)

    def _chunk(self, choices: list[Body], usage: Body | None = None) -> None:
        chunk = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "fake"}
        self.event(json.dumps({**chunk, "choices": choices, "usage": usage}))

    def end_stream(self, reason: str | None = "stop") -> None:
        """The end of the answer; without a reason, a provider that does not say why."""
        if reason is not None:
            self.finish(reason)
        self.event("[DONE]")
        self._handler.wfile.write(b"0\r\n\r\n")

    def cut(self) -> None:
        """Close the connection in the middle of the response."""
        self._handler.close_connection = True

    def wait_for_hang_up(self, seconds: float = 20.0) -> bool:
        """Wait until the client closes the connection; whether it did."""
        self._handler.connection.settimeout(seconds)
        try:
            return self._handler.connection.recv(1) == b""
        except ConnectionResetError:
            return True
        except TimeoutError:
            return False

    def _head(self, code: int, headers: Mapping[str, str]) -> None:
        self._handler.send_response(code)
        for name, value in headers.items():
            self._handler.send_header(name, value)


Reply = Callable[[Exchange], None]


def text(content: str | Content, piece_length: int = 7, *, reason: str | None = "stop") -> Reply:
    """A streamed answer; a callable sees the request's body. `reason` is why it ends."""

    def reply(exchange: Exchange) -> None:
        words = content if isinstance(content, str) else content(exchange.request.body)
        exchange.open_stream()
        for start in range(0, len(words), piece_length):
            exchange.piece(words[start : start + piece_length])
        exchange.end_stream(reason)

    return reply


def refusal(words: str) -> Reply:
    """A model that refuses, as OpenAI's say it: in a field of its own."""

    def reply(exchange: Exchange) -> None:
        exchange.open_stream()
        for start in range(0, len(words), 7):
            exchange.refuse(words[start : start + 7])
        exchange.end_stream()

    return reply


def endless(words: str, hung_up: threading.Event) -> Reply:
    """The same words again and again; `hung_up` is set when the client closes the connection."""

    def reply(exchange: Exchange) -> None:
        exchange.open_stream()
        try:
            while not exchange.released.is_set():
                exchange.piece(words)
        except OSError:
            hung_up.set()
            raise

    return reply


def redirect(status: int, address: str) -> Reply:
    """A provider that sends its clients to another address."""

    def reply(exchange: Exchange) -> None:
        exchange.status(status, {}, {"Location": address})

    return reply


def embeddings(vector_of: Callable[[str], list[float]], backwards: bool = False) -> Reply:
    """A vector for each text of the request; `backwards` gives the last one first."""

    def reply(exchange: Exchange) -> None:
        data = [
            {"object": "embedding", "index": index, "embedding": vector_of(one)}
            for index, one in enumerate(exchange.request.body["input"])
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        model = exchange.request.body["model"]
        payload = {"object": "list", "model": model, "usage": usage}
        exchange.status(200, {**payload, "data": data[::-1] if backwards else data})

    return reply


def error(
    status: int, message: str = "scripted", retry_after: str | None = None, **fields: str
) -> Reply:
    """An error response in OpenAI's form; `fields` (param, code) stand beside the message."""

    def reply(exchange: Exchange) -> None:
        headers = {"Retry-After": retry_after} if retry_after is not None else {}
        told = {"message": message, "type": "scripted", **fields}
        exchange.status(status, {"error": told}, headers)

    return reply


def whole(body: str, content_type: str, status: int = 200) -> Reply:
    """A response that is no stream: a web page, a whole completion, an error with status 200."""

    def reply(exchange: Exchange) -> None:
        exchange.whole(body, content_type, status)

    return reply


def hang(exchange: Exchange) -> None:
    """No answer until the server is released."""
    exchange.released.wait(30)
    exchange.cut()


def hang_after(pieces: str) -> Reply:
    """A piece of the answer, then nothing until the server is released."""

    def reply(exchange: Exchange) -> None:
        exchange.open_stream()
        exchange.piece(pieces)
        hang(exchange)

    return reply


def hung_up_on(pieces: str, seen: threading.Event) -> Reply:
    """A piece of the answer (none when empty), then nothing; `seen` is set when the client hangs up."""

    def reply(exchange: Exchange) -> None:
        if pieces:
            exchange.open_stream()
            exchange.piece(pieces)
        if exchange.wait_for_hang_up():
            seen.set()
        exchange.cut()

    return reply


def drip(exchange: Exchange) -> None:
    """Comments, empty pieces and white space, and never a word, until the client hangs up."""
    exchange.open_stream()
    for _ in range(400):
        exchange.comment()
        exchange.piece("")
        exchange.piece(" \n")
        if exchange.released.wait(0.05):
            break
    exchange.cut()


def listing(*models: str) -> Reply:
    """The answer to a request for the models."""

    def reply(exchange: Exchange) -> None:
        data = [{"id": m, "object": "model", "created": 0, "owned_by": "fake"} for m in models]
        exchange.status(200, {"object": "list", "data": data})

    return reply


def cut_after(pieces: str) -> Reply:
    """A piece of the answer, then a closed connection."""

    def reply(exchange: Exchange) -> None:
        exchange.open_stream()
        exchange.piece(pieces)
        exchange.cut()

    return reply


def malformed(exchange: Exchange) -> None:
    """JSON that is none, in the middle of the stream."""
    exchange.open_stream()
    exchange.piece("Metformin ")
    exchange.event('{"id": "1", "choices": [{"delta": {"cont')
    exchange.end_stream()


def empty_choices(exchange: Exchange) -> None:
    """A stream whose chunks have no choices."""
    exchange.open_stream()
    exchange.piece(None)
    exchange.piece(None)
    exchange.end_stream(None)


@dataclass
class FakeOpenAI:
    """The server: `script` is used up reply by reply, its last one again and again."""

    script: list[Reply] = field(default_factory=lambda: [text("Nothing is scripted.")])
    requests: list[Request] = field(default_factory=list)
    url: str = ""
    released: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def play(self, *replies: Reply) -> None:
        """Answer the next requests so, and forget those before."""
        with self._lock:
            self.script = list(replies)
            self.requests.clear()

    def next_reply(self, request: Request) -> Reply:
        with self._lock:
            self.requests.append(request)
            return self.script.pop(0) if len(self.script) > 1 else self.script[0]


@contextmanager
def fake_openai() -> Iterator[FakeOpenAI]:
    """A running server; its `url` is a base URL for the client."""
    fake = FakeOpenAI()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.do_POST()

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", "0"))
            body = json.loads(self.rfile.read(length) or b"{}")
            request = Request(self.path, dict(self.headers.items()), body)
            try:
                fake.next_reply(request)(Exchange(self, request, fake.released))
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # the client gave up, as a timeout test wants

        def log_message(self, format: str, *args: object) -> None:
            """Tests print nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            if not isinstance(sys.exception(), ConnectionError):  # the client may hang up any time
                super().handle_error(request, client_address)

    server = Server(("127.0.0.1", 0), Handler)
    fake.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}).start()
    try:
        yield fake
    finally:
        fake.released.set()
        server.shutdown()
        server.server_close()
