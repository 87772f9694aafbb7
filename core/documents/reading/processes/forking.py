"""The process that others are forked from: ``python -m ...processes.forking SOCKET MODULE``.

A reading process needs .1 s to load its modules, longer than reading most leaflets takes. This one has loaded
them, opens no file of anybody, and forks for each request: what a file does to its reader reaches no other.

SOCKET is the number of a Unix socket of packets. Every packet on it brings four descriptors: stdin, stdout and
stderr of a new process that runs MODULE, and a socket of packets for what is said about it: ``STARTED``, and
its exit status as text once it has ended (a signal's number below 0). If the asker writes on it or closes it,
the process and those that it started are killed. This one ends when SOCKET is closed and the last of its own
has ended, or nothing was asked for `_IDLE_SECONDS`.
"""

from __future__ import annotations

import contextlib
import gc
import os
import runpy
import selectors
import signal
import socket
import sys
import traceback
from importlib import import_module

from core.text.word_lists import word_frequencies

STARTED = b"started"
# Modules that a reader of PDFs loads; a process that reads something else loads its own.
_LOADED = ("core.documents.reading.pdf_child", "core.documents.reading.drawing.render_child")
_IDLE_SECONDS = 60.0
_MOST_DESCRIPTORS = 4
_ANY_SIZE = 64  # bytes of a packet; none is longer


def main(control: socket.socket, module: str) -> None:
    """Fork until the asker has gone."""
    for name in _LOADED:
        import_module(name)
    gc.freeze()  # what all share is not to be copied for its marks
    wake, woken = socket.socketpair()
    for one in (wake, woken):
        one.setblocking(False)
    signal.set_wakeup_fd(woken.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    children: dict[int, socket.socket] = {}
    with selectors.DefaultSelector() as selector:
        selector.register(control, selectors.EVENT_READ)
        selector.register(wake, selectors.EVENT_READ)
        asked = True
        while asked or children:
            ready = selector.select(None if children else _IDLE_SECONDS)
            if not ready and not children:
                return
            for key, _ in ready:
                if key.fileobj is wake:
                    _drain(wake)
                elif key.fileobj is control:
                    asked = _fork(control, module, children, selector)
                    if not asked:
                        selector.unregister(control)
                    # The commonest list, which a page needs that parts a word at a line's end.
                    word_frequencies("en")
                else:
                    # Whatever is said, or that the asker has gone, means that nobody wants the answer.
                    selector.unregister(key.fileobj)
                    _kill(int(key.data))
            _tell_ended(children, selector)


def _fork(
    control: socket.socket,
    module: str,
    children: dict[int, socket.socket],
    selector: selectors.BaseSelector,
) -> bool:
    """A process for the next packet; False after the last one."""
    packet, descriptors, _, _ = socket.recv_fds(control, _ANY_SIZE, _MOST_DESCRIPTORS)
    if not packet:
        return False
    *streams, told = descriptors
    asker = socket.socket(fileno=told)
    try:
        pid = os.fork()
    except OSError:
        pid = -1
    if pid == 0:
        _run(module, streams)
    for one in streams:
        os.close(one)
    if pid < 0:  # the asker sees that nothing was started
        asker.close()
        return True
    children[pid] = asker
    selector.register(asker, selectors.EVENT_READ, data=pid)
    with contextlib.suppress(OSError):
        asker.send(STARTED)
    return True


def _run(module: str, streams: list[int]) -> None:
    """Be the process that runs a module, as ``python -m`` would, and end."""
    status = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        for number, one in enumerate(streams):
            os.dup2(one, number)
        os.closerange(len(streams), os.sysconf("SC_OPEN_MAX"))
        sys.argv = [module]
        status = _status(module)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def _status(module: str) -> int:
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # as the interpreter does at its end
        traceback.print_exc()
        return 1
    return 0


def _tell_ended(children: dict[int, socket.socket], selector: selectors.BaseSelector) -> None:
    while children:
        found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is None:
            return
        if found.si_status != 0:
            _kill(found.si_pid)  # while nobody else can have its number: what it started and left
        _, ended = os.waitpid(found.si_pid, 0)
        asker = children.pop(found.si_pid, None)
        if asker is None:
            continue
        with contextlib.suppress(KeyError):
            selector.unregister(asker)
        with asker, contextlib.suppress(OSError):
            asker.send(str(os.waitstatus_to_exitcode(ended)).encode())


def _kill(pid: int) -> None:
    """Kill a process that was not waited for, and those that it started."""
    for kill in (os.killpg, os.kill):  # it may not have its group yet
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def _drain(wake: socket.socket) -> None:
    with contextlib.suppress(BlockingIOError):
        while wake.recv(_ANY_SIZE):
            pass


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])), sys.argv[2])
