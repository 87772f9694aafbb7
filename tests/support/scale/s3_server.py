"""A real HTTP server that speaks S3, on this machine's loopback address: moto's, see `make s3-server`."""

from __future__ import annotations

import socket
import subprocess
import time
import urllib.request
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

import pytest

from core.stores.objects.s3 import S3Objects
from tests.support.needs import S3_SERVER

_START_SECONDS = 60
ACCESS = {
    "AWS_ACCESS_KEY_ID": "materia",
    "AWS_SECRET_ACCESS_KEY": "a-secret-of-the-tests",
    "AWS_REGION": "us-east-1",
}


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@dataclass(frozen=True)
class Bucket:
    """An empty bucket.

    Attributes:
        endpoint: of the server.
    """

    endpoint: str
    name: str

    @property
    def url(self) -> str:
        return f"s3://{self.name}/library"

    def put(self, key: str, data: bytes) -> None:
        """Let somebody else write an object."""
        with NamedTemporaryFile() as file:
            file.write(data)
            file.flush()
            S3Objects(self.url).put(Path(file.name), key)


@pytest.fixture(scope="session")
def s3_server() -> Iterator[str]:
    """The endpoint of a server."""
    port = free_port()
    command = [S3_SERVER, "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    endpoint, until = f"http://127.0.0.1:{port}", time.monotonic() + _START_SECONDS
    while True:
        try:
            urllib.request.urlopen(endpoint, timeout=5).close()
            break
        except OSError:
            assert server.poll() is None and time.monotonic() < until, "the server does not start"
            time.sleep(0.1)
    yield endpoint
    server.kill()
    server.wait()


@pytest.fixture
def bucket(s3_server: str, monkeypatch: pytest.MonkeyPatch) -> Bucket:
    """An empty bucket, which the AWS variables lead to."""
    made = Bucket(s3_server, f"b{uuid.uuid4().hex}")
    request = urllib.request.Request(f"{s3_server}/{made.name}", method="PUT")
    urllib.request.urlopen(request, timeout=10).close()
    for name, value in {**ACCESS, "AWS_ENDPOINT_URL": s3_server}.items():
        monkeypatch.setenv(name, value)
    return made
