"""A server of the product's own for a benchmark, ended with it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.inputs import ROOT, environment

_START_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Server:
    """A running dashboard.

    Attributes:
        address: of its first page, without a slash at the end.
        pid: of its main process.
    """

    address: str
    pid: int


@contextmanager
def serving(data: Path, **settings: str) -> Iterator[Server]:
    """The dashboard on a free port of this machine, as a process group that ends with the block.

    Args:
        data: its data folder.
        settings: environment variables.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "core", "serve", "--port", str(port)],
        cwd=ROOT,
        env=environment(MATERIA_DATA_DIR=str(data), **settings),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for_server(address, process)
        yield Server(address, process.pid)
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _wait_for_server(address: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise SystemExit("The server ended while starting: try `make run` to see why.")
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"The server did not come up in {_START_SECONDS} s.")
