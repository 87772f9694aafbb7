"""A real Chroma server for tests, on this machine's loopback address, which can be killed and started."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

_START_SECONDS = 60


class ChromaServer:
    """A server process with its data in a folder; not running at first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port: int = found.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, also again with its data, and wait until it answers."""
        command = Path(sys.executable).with_name("chroma")
        self._process = subprocess.Popen(
            [
                command,
                "run",
                "--path",
                self._folder,
                "--host",
                "127.0.0.1",
                "--port",
                f"{self.port}",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + _START_SECONDS
        while True:
            try:
                httpx.get(f"http://127.0.0.1:{self.port}/api/v2/heartbeat", timeout=1)
                return
            except httpx.HTTPError:
                assert time.monotonic() < until and self._process.poll() is None, (
                    "it does not start"
                )
                time.sleep(0.05)

    def kill(self) -> None:
        """End it at once, as a crash does; its data stays."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None

    def pause(self) -> None:
        """Make it hang: its port is open and nothing answers."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)
