"""No server outlives the tests that started it, not even when these are killed."""

from __future__ import annotations

import subprocess

# Its input ends when this process does, in whatever way. A number may be another process's by then.
_GUARD = (
    'read told; pid={pid}; tr "\\0" " " < /proc/$pid/cmdline | grep -qF -- "$0" && kill -KILL $pid'
)

_guards: list[subprocess.Popen[bytes]] = []  # their inputs stay open as long as they are kept


def killed_with_us(pid: str, mark: str) -> None:
    """Have a process killed as soon as this one has ended.

    Args:
        pid: its number, or words of a shell that tell it.
        mark: a part of its command line, by which it is known.
    """
    _guards.append(
        subprocess.Popen(
            ["/bin/sh", "-c", _GUARD.format(pid=pid), mark],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    )
