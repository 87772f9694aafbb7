"""A server of the tests ends with them, though they are killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

_STARTS_ONE = """
import subprocess, sys
from tests.support.guard import killed_with_us
server = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", {mark!r}])
killed_with_us(str(server.pid), {mark!r})
print(server.pid, flush=True)
server.wait()
"""


def test_a_server_ends_with_the_tests_that_are_killed(tmp_path: Path) -> None:
    tests = subprocess.Popen(
        [sys.executable, "-c", _STARTS_ONE.format(mark=str(tmp_path))],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert tests.stdout is not None
    server = int(tests.stdout.readline())
    tests.send_signal(signal.SIGKILL)
    tests.wait()
    # The server has the pipe too: its end is the server's.
    assert tests.stdout.read() == ""
    tests.stdout.close()
    assert _command(server) == b""


def _command(pid: int) -> bytes:
    """Empty once a process is dead, though nobody has waited for it."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
