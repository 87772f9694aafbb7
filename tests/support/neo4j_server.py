"""A real Neo4j server for tests, on this machine's loopback address.

`start_server` runs the script that stands beside the checkout on the project's own machines. A test
that starts one is marked ``needs(NEO4J)``, which skips it where the script or Java is missing.
"""

from __future__ import annotations

import os
import signal
import socket
import socketserver
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.stores.neo4j.connection import Neo4j
from tests.support.guard import killed_with_us
from tests.support.needs import NEO4J, NEO4J_START, missing

USER, PASSWORD = "neo4j", "materia-test"
# A start takes a third of the processor time without the second compiler, for which no test runs long
# enough, and without the check of the bytecode of 15,000 classes. Compiled is only what is
# called twice as often as usual: most of what plans a query never is.
_QUICK_START = (
    "-XX:TieredStopAtLevel=1 -XX:CompileThresholdScaling=2"
    " -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
)
# Without room for it, the server does not set aside 256 MB for each of its two logs, which one that was
# killed reads and overwrites before it answers again. No log of a test grows to this size.
_LIMITED = 'ulimit -f 250000; exec "$0" "$@"'  # kB
_START_SECONDS = 90
_TOO_SLOW = 2  # the script gave up after a minute: a busy machine
_TRIES = 3
_END_SECONDS = 30


@dataclass
class Neo4jServer:
    """A server process that a test started."""

    uri: str
    pid: int
    folder: Path

    @property
    def port(self) -> int:
        return int(self.uri.rpartition(":")[2])

    def kill(self) -> None:
        """End it at once, as a crash does, also when it hangs; its data stays in `folder`.

        The tests end every server so: in order takes it seconds, for data that nobody reads.
        """
        self._signal(signal.SIGKILL)
        until = time.monotonic() + _END_SECONDS
        while self.runs and time.monotonic() < until:
            time.sleep(0.05)
        assert not self.runs, "the server does not end"

    @property
    def _hangs(self) -> bool:
        """Whether each of its threads has stopped."""
        tasks = Path(f"/proc/{self.pid}/task").glob("*/stat")
        try:
            return all(task.read_text().rpartition(")")[2].split()[0] == "T" for task in tasks)
        except OSError:  # one ended meanwhile
            return False

    def start_again(self) -> None:
        """Start the server that was killed, on its port and with its data."""
        self.pid = start_server(self.folder, self.port).pid

    def pause(self) -> None:
        """Make it hang: its port is open and nothing answers.

        A thread that runs on another core stops a moment after the signal, and may answer until then.
        """
        self._signal(signal.SIGSTOP)
        until = time.monotonic() + _END_SECONDS
        while not self._hangs and time.monotonic() < until:
            time.sleep(0.005)
        assert self._hangs, "the server does not hang"

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        if self.runs:
            os.kill(self.pid, number)

    @property
    def runs(self) -> bool:
        """Whether the process is there, and is the server: numbers are given again."""
        try:
            state = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0]
            command = Path(f"/proc/{self.pid}/cmdline").read_bytes()
        except OSError:
            return False
        return state != "Z" and str(self.folder).encode() in command


def start_server(folder: Path, port: int = 0) -> Neo4jServer:
    """Start a server with its data in `folder` on a port (0: a free one), and wait until it answers.

    It is killed when the tests end in whatever way.
    """
    assert not missing(NEO4J), "a test that starts a server is marked needs(NEO4J)"
    killed_with_us(f'$(cat "{folder}/pid")', str(folder))
    for _ in range(_TRIES):
        done = subprocess.run(
            ["bash", "-c", _LIMITED, NEO4J_START, folder, str(port)],
            env={**os.environ, "NEO4J_PASSWORD": PASSWORD, "JAVA_TOOL_OPTIONS": _QUICK_START},
            capture_output=True,
            text=True,
            timeout=_START_SECONDS,
            check=False,
        )
        if done.returncode != _TOO_SLOW:
            break
    assert done.returncode == 0, done.stderr
    shown = dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
    return Neo4jServer(shown["NEO4J_URI"], int(shown["NEO4J_PID"]), Path(shown["NEO4J_DIR"]))


def wipe(neo4j: Neo4j) -> None:
    """Remove all nodes and relationships; constraints and indexes stay."""
    neo4j.run(
        "MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS", {}, seconds=120
    )


class Relay:
    """A port of this machine behind which a server is or is not there: to its clients it comes and goes.

    Another server costs 20 seconds of a processor until it has answered its first questions; that one
    which was killed comes back with its data is tested with real starts, in tests/stores/test_neo4j_faults.py.
    """

    def __init__(self, target: int) -> None:
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port: int = found.getsockname()[1]
        self._target = target
        self._relay: socketserver.ThreadingTCPServer | None = None
        self._open: list[socket.socket] = []
        self._changing = threading.Lock()

    def open(self) -> None:
        """Let connections through, which were refused until now."""
        target, goes_on = self._target, self._goes_on

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                if not goes_on(self.request):
                    return
                with socket.create_connection(("127.0.0.1", target)) as server:
                    other_way = threading.Thread(
                        target=_pump, args=(server, self.request), daemon=True
                    )
                    other_way.start()
                    _pump(self.request, server)
                    other_way.join()

        self._relay = _Listener(("127.0.0.1", self.port), Handler)
        threading.Thread(target=self._relay.serve_forever, daemon=True).start()

    def cut(self) -> None:
        """Refuse connections, and end those that are open."""
        self.close()
        with self._changing:
            for one in self._open:
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
            self._open.clear()

    def close(self) -> None:
        """Refuse connections; those that are open go on."""
        with self._changing:
            relay, self._relay = self._relay, None
        if relay is not None:
            relay.shutdown()
            relay.server_close()

    def _goes_on(self, connection: socket.socket) -> bool:
        """Note a connection that was accepted; one whose turn comes after the end is none."""
        with self._changing:
            if self._relay is not None:
                self._open.append(connection)
            return self._relay is not None


class _Listener(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False


def _pump(source: socket.socket, target: socket.socket) -> None:
    """Pass on what comes from one end until it ends, then end the other."""
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


@pytest.fixture(scope="session")
def _one_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neo4jServer]:
    server = start_server(tmp_path_factory.mktemp("neo4j"))
    yield server
    server.kill()


@pytest.fixture
def neo4j_server(_one_server: Neo4jServer) -> Iterator[Neo4jServer]:
    """One server for all tests, which may kill or pause it; it runs when a test begins."""
    if not _one_server.runs:
        _one_server.start_again()
    yield _one_server
    _one_server.resume()


@pytest.fixture
def neo4j(neo4j_server: Neo4jServer) -> Iterator[Neo4j]:
    """A connection to an empty database."""
    connection = Neo4j(neo4j_server.uri, USER, PASSWORD, timeout=30)
    wipe(connection)
    yield connection
    connection.close()
