"""Who may speak to the server: names, networks, tokens, the length of bodies, over real sockets."""

from __future__ import annotations

import asyncio
import json
import select
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route

from core.api import routes
from core.api.access import Access
from core.workspace import Workspace, share_workspace
from tests.api.serving import served

TOKEN = "a-token-of-the-tests"
_BLOCK = 50_000  # bytes of a chunk
_ENDLESS = 100_000_000  # bytes; as long as this nothing is sent to a server that minds its limits
ROUTES = [
    (method, route.path.replace("{", "").replace("}", ""))
    for route in routes()
    if isinstance(route, Route)
    for method in sorted((route.methods or set()) - {"HEAD"})
]


def _application(**access: object) -> Starlette:
    return Starlette(routes=routes(), middleware=[Middleware(Access, **access)])


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(_application(allowed_hosts=("materia.example",))) as url:
        yield url


@pytest.fixture(scope="module")
def guarded_address() -> Iterator[str]:
    with served(_application(token=TOKEN)) as url:
        yield url


@pytest.fixture
def workspace(make_workspace: Callable[..., Workspace]) -> Iterator[Workspace]:
    opened = make_workspace()
    share_workspace(opened)
    yield opened
    share_workspace(None)


def _spoken(address: str, request: bytes) -> tuple[int, dict[str, object]]:
    """Status and body of what the server answers to bytes, after which nothing more is sent."""
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname, parts.port), timeout=10) as connection:
        connection.sendall(request)
        received = b""
        while block := connection.recv(65_536):
            received += block
            head, gap, body = received.partition(b"\r\n\r\n")
            if gap and body.endswith(b"}"):
                break
    status = int(head.split()[1])
    return status, json.loads(body)


def _headers(method: str, path: str, *lines: str) -> bytes:
    return "\r\n".join((f"{method} {path} HTTP/1.1", *lines, "", "")).encode()


@pytest.mark.req("PR-9")
@pytest.mark.parametrize(("method", "path"), [*ROUTES, ("GET", "/"), ("POST", "/anything")])
@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8501",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "[",
        "",
    ],
)
def test_a_foreign_name_is_refused_before_the_body(
    address: str, method: str, path: str, host: str
) -> None:
    """DNS rebinding: the request names the attacker's host, and an origin of the same name."""
    request = _headers(
        method, path, f"Host: {host}", f"Origin: http://{host}", "Content-Length: 700000000"
    )
    # Not one byte of the body is sent: whoever waited for it would not answer.
    status, body = _spoken(address, request)
    assert (status, body["code"]) == (400, "HOST_NOT_ALLOWED")


def test_two_host_headers_are_refused(address: str) -> None:
    parts = urlsplit(address)
    request = _headers(
        "GET", "/api/jobs", "Host: 127.0.0.1", "Host: evil.example", "Connection: close"
    )
    with socket.create_connection((parts.hostname, parts.port), timeout=10) as connection:
        connection.sendall(request)
        assert connection.recv(4096).split()[1] == b"400"


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST:1", "127.0.0.1", "127.8.9.1:80", "[::1]:8501", "Materia.Example"],
)
def test_names_of_this_machine_and_of_the_setting_are_served(
    address: str, workspace: Workspace, host: str
) -> None:
    found = httpx.get(f"{address}/api/jobs", headers={"Host": host})
    assert (found.status_code, found.json()) == (200, {"jobs": []})


def test_without_a_token_only_loopback_is_served() -> None:
    """As a server that listens on every network sees a request from one of them."""
    sent: list[dict[str, object]] = []

    async def never(*_: object) -> None:
        raise AssertionError("the application was reached")

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    async def run(server: str) -> None:
        scope = {
            "type": "http", "method": "GET", "path": "/", "server": (server, 8501),
            "headers": [(b"host", b"materia.example")],
        }  # fmt: skip
        await Access(never, ("materia.example",))(scope, never, send)  # type: ignore[arg-type]

    asyncio.run(run("192.168.1.5"))
    assert sent[0]["status"] == 403
    with pytest.raises(AssertionError, match="reached"):
        asyncio.run(run("127.0.0.1"))


@pytest.mark.parametrize(("method", "path"), [*ROUTES, ("GET", "/")])
def test_with_a_token_nothing_is_served_without_it(
    guarded_address: str, workspace: Workspace, method: str, path: str
) -> None:
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Cookie": "materia_access=wrong"}):
        refused = httpx.request(method, guarded_address + path, headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (401, "ACCESS_TOKEN_REQUIRED")
    allowed = httpx.get(f"{guarded_address}/api/jobs", headers={"Authorization": f"Bearer {TOKEN}"})
    assert allowed.json() == {"jobs": []}


def test_a_browser_signs_in_once(guarded_address: str, workspace: Workspace) -> None:
    with httpx.Client(base_url=guarded_address) as browser:
        asked = browser.get("/", headers={"Accept": "text/html"})
        assert asked.status_code == 401 and "<form" in asked.text and TOKEN not in asked.text
        assert browser.post("/api/sign-in", data={"token": "wrong"}).status_code == 401
        foreign = {"Origin": "http://evil.example"}
        assert (
            browser.post("/api/sign-in", data={"token": TOKEN}, headers=foreign).status_code == 401
        )
        entered = browser.post("/api/sign-in", data={"token": TOKEN})
        assert (entered.status_code, entered.headers["location"]) == (303, "/")
        cookie = entered.headers["set-cookie"].casefold()
        assert "httponly" in cookie and "samesite=strict" in cookie and TOKEN not in cookie
        assert browser.get("/api/jobs").json() == {"jobs": []}


def test_a_long_request_is_refused_before_it_is_read(address: str, workspace: Workspace) -> None:
    for path, length in (("/api/chat", 64_001), ("/api/upload", workspace.library.max_bytes * 2)):
        request = _headers(
            "POST", path, "Host: localhost", "Content-Type: application/json",
            f"Content-Length: {length}",
        )  # fmt: skip
        status, body = _spoken(address, request)
        assert (status, body["code"]) == (413, "TOO_LARGE")


def _answered_while_sending(address: str, path: str, kind: str, start: bytes) -> tuple[bytes, int]:
    """The status line that a body without an end gets, and how many bytes were sent until then."""
    parts = urlsplit(address)
    lines = ("Host: localhost", f"Content-Type: {kind}", "Transfer-Encoding: chunked")
    with socket.create_connection((parts.hostname, parts.port), timeout=30) as connection:
        connection.sendall(_headers("POST", path, *lines))
        connection.sendall(b"%x\r\n%b\r\n" % (len(start), start))
        sent, answers = 0, select.poll()  # select() knows no number of a file above 1,023
        answers.register(connection, select.POLLIN)
        while not answers.poll(1) and sent < _ENDLESS:
            connection.sendall(b"%x\r\n%b\r\n" % (_BLOCK, b"x" * _BLOCK))
            sent += _BLOCK
        return connection.recv(4_096).partition(b"\r\n")[0], sent


def test_a_body_in_chunks_is_refused_at_the_limit(
    address: str, make_workspace: Callable[..., Workspace]
) -> None:
    share_workspace(make_workspace(max_file_mb=1))
    form = (
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n'
        b"Content-Type: text/plain\r\n\r\n"
    )
    try:
        for path, kind, start in (
            ("/api/chat", "application/json", b'{"question": "'),
            ("/api/upload", "multipart/form-data; boundary=b", form),
        ):
            status, sent = _answered_while_sending(address, path, kind, start)
            assert status.split()[1] == b"413" and sent < _ENDLESS
    finally:
        share_workspace(None)


def test_folders_are_read_over_http_only_under_the_roots(
    address: str, make_workspace: Callable[..., Workspace], tmp_path: Path
) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    for folder in (root, outside):
        folder.mkdir()
        (folder / "a.txt").write_text("Zolvetrin is taken with water.")
    (root / "link").symlink_to(outside)
    (root / "loop").symlink_to(root / "loop")
    refused = [str(outside), str(root / "link"), str(root / ".." / "outside"), str(root / "loop")]
    refused += ["/etc", "/no/such/folder", "relative", "", "/nul\0", str(tmp_path / "rooting")]
    try:
        share_workspace(make_workspace(folder_roots=str(root)))
        for path in refused:
            answer = httpx.post(f"{address}/api/folders", json={"path": path})
            assert (answer.status_code, answer.json()["code"]) == (400, "FOLDER_NOT_ALLOWED"), path
        missing = httpx.post(f"{address}/api/folders", json={"path": str(root / "nowhere")})
        assert (missing.status_code, missing.json()["code"]) == (404, "FOLDER_NOT_FOUND")
        assert httpx.post(f"{address}/api/folders", json={"path": str(root)}).status_code == 202
    finally:
        share_workspace(None)


def test_no_folder_is_read_over_http_by_default(
    address: str, workspace: Workspace, tmp_path: Path
) -> None:
    refused = httpx.post(f"{address}/api/folders", json={"path": str(tmp_path)})
    assert refused.json()["code"] == "FOLDER_NOT_ALLOWED"
