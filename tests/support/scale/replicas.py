"""Several dashboards that serve one library: Neo4j, a Chroma server and an S3-compatible store between them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx

from tests.support.guard import killed_with_us
from tests.support.scale.s3_server import free_port

Server = subprocess.Popen[bytes]
_START_SECONDS = 120
_ROOT = Path(__file__).resolve().parents[3]
_CHROMA = Path(sys.executable).with_name("chroma")


def _until_it_answers(url: str, server: Server, log: Path) -> None:
    until = time.monotonic() + _START_SECONDS
    while True:
        try:
            if httpx.get(url, timeout=5).status_code < 500:
                return
        except httpx.TransportError:
            pass
        assert server.poll() is None and time.monotonic() < until, log.read_text()
        time.sleep(0.1)


@contextmanager
def _server(
    command: list[str], url: str, log: Path, environment: Mapping[str, str] | None = None
) -> Iterator[Server]:
    with log.open("wb") as output:
        server = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT, cwd=_ROOT, env=environment
        )
    killed_with_us(str(server.pid), url.split("/")[2].rpartition(":")[2])
    try:
        _until_it_answers(url, server, log)
        yield server
    finally:
        server.kill()
        server.wait()


@contextmanager
def chroma_server(folder: Path) -> Iterator[int]:
    """The port of a Chroma server."""
    port, folder = free_port(), folder / "chroma"
    folder.mkdir()
    where = ["--path", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    url = f"http://127.0.0.1:{port}/api/v2/heartbeat"
    with _server([str(_CHROMA), "run", *where], url, folder / "log"):
        yield port


@contextmanager
def replicas(*folders: Path, settings: Mapping[str, str]) -> Iterator[list[tuple[str, Server]]]:
    """The addresses of dashboards that are started side by side, each with a data folder of its own, and
    their processes."""
    with ThreadPoolExecutor() as pool, ExitStack() as stack:
        starting = [pool.submit(stack.enter_context, _replica(one, settings)) for one in folders]
        yield [one.result() for one in starting]


@contextmanager
def _replica(folder: Path, settings: Mapping[str, str]) -> Iterator[tuple[str, Server]]:
    port = free_port()
    folder.mkdir()
    environment = {**os.environ, **settings, "MATERIA_DATA_DIR": str(folder / "data")}
    command = [sys.executable, "-m", "core", "serve", "--port", str(port)]
    address = f"http://127.0.0.1:{port}"
    with _server(command, f"{address}/api/indexes", folder / "log", environment) as server:
        yield address, server
