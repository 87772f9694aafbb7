"""A process that reads one file: forked where the system can (see `forking`), otherwise started anew."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from typing import IO, Protocol

from core.child_process import ROOT, child_environment, module_command
from core.documents.reading.processes.forking import STARTED

_FORKING = "core.documents.reading.processes.forking"
_START_SECONDS = 20.0  # for a busy machine; after that the process is started in the other way
_PACKET = 64  # bytes


class Child(Protocol):
    """A process at work."""

    @property
    def returncode(self) -> int | None:
        """Its exit status, a signal's number below 0; None while it runs."""

    def wait(self, timeout: float) -> object:
        """Until it has ended, for so many seconds.

        Raises:
            subprocess.TimeoutExpired: it runs.
        """

    def end(self) -> None:
        """Kill it, unless it ended well, and the processes that it started."""


Streams = tuple[IO[bytes], IO[bytes], IO[bytes]]  # stdin, stdout and stderr


def start(module: str, streams: Streams) -> Child:
    """Run a module in a process of its own, in a session of its own and without this process's secrets."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            return _forked(module, streams)
    return _Started(module, streams)


class _Started:
    """A process that loads all its modules itself."""

    def __init__(self, module: str, streams: Streams) -> None:
        self._child = subprocess.Popen(
            module_command(module),
            stdin=streams[0],
            stdout=streams[1],
            stderr=streams[2],
            cwd=ROOT,
            env=child_environment(),
            start_new_session=True,  # so that what the child starts ends with it
        )

    @property
    def returncode(self) -> int | None:
        return self._child.returncode

    def wait(self, timeout: float) -> object:
        return self._child.wait(timeout)

    def end(self) -> None:
        if self._child.poll() == 0:
            return
        if sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._child.pid, signal.SIGKILL)
        self._child.kill()
        self._child.wait()


class _Forked:
    """A process that another one forked, by the socket on which that one tells of it."""

    def __init__(self, told: socket.socket) -> None:
        self._told = told
        self.returncode: int | None = None

    def wait(self, timeout: float) -> object:
        if self.returncode is None:
            said = _packet(self._told, timeout)
            if said is None:
                raise subprocess.TimeoutExpired("forked", timeout)
            # With the one that forked it, this one was killed.
            self.returncode = int(said) if said else -signal.SIGKILL
            self._told.close()
        return self.returncode

    def end(self) -> None:
        while self.returncode is None:
            with contextlib.suppress(OSError):
                self._told.send(b"kill")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.wait(1.0)


class _Forking:
    """The process that forks, as long as it is there and the environment stays."""

    def __init__(self, module: str, environment: dict[str, str]) -> None:
        self.made_for = (module, environment)
        self._failed = False
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                module_command(_FORKING, str(theirs.fileno()), module),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                cwd=ROOT,
                env=environment,
                start_new_session=True,
            )

    @property
    def is_there(self) -> bool:
        return not self._failed and self._process.poll() is None

    def fork(self, streams: Streams) -> _Forked:
        """A new process.

        Raises:
            OSError: there is none, because this one has ended or does not answer.
        """
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            with theirs:
                numbers = [*(one.fileno() for one in streams), theirs.fileno()]
                socket.send_fds(self._control, [b"fork"], numbers)
            said = _packet(ours, _START_SECONDS)
            if said is None:
                self._process.kill()
                raise TimeoutError("no process was forked in time")
            if said != STARTED:
                raise ConnectionError("no process was forked")
        except BaseException:
            self._failed = True
            ours.close()
            raise
        return _Forked(ours)

    def close(self) -> None:
        """Let it end, with the last of those that it forked."""
        self._control.close()


_lock = threading.Lock()
_forking: _Forking | None = None


def _forked(module: str, streams: Streams) -> _Forked:
    for _ in range(2):  # it may have ended, idle, just when it was asked
        with contextlib.suppress(ConnectionError):
            return _current(module).fork(streams)
    raise ConnectionError("no process was forked")


def _current(module: str) -> _Forking:
    global _forking
    wanted = (module, child_environment())
    with _lock:
        if _forking is None or not _forking.is_there or _forking.made_for != wanted:
            if _forking is not None:
                _forking.close()
            _forking = _Forking(*wanted)
        return _forking


def _packet(told: socket.socket, seconds: float) -> bytes | None:
    """What is said next; empty where nobody is there to say it, None where nothing is said in time."""
    poll = select.poll()  # `select` knows no descriptor above 1,023
    poll.register(told, select.POLLIN)
    if not poll.poll(1000 * max(seconds, 0)):
        return None
    try:
        return told.recv(_PACKET)
    except ConnectionError:
        return b""
