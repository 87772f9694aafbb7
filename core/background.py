"""Work that is done while nobody needs the processor, in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable

from core.errors import MateriaError
from core.logs import get_logger

_PAUSE = 0.25  # seconds between two looks at whether somebody asks
_ENDING = 10.0  # seconds that the thread has to end
_log = get_logger("background")
GoOn = Callable[[], bool]


class Background:
    """Does its work whenever it is woken.

    Args:
        name: of the thread.
        work: what is to be done, all of it; asks before each of its steps whether to go on, which waits until
            the processor is free. When it fails, the next wake begins it again.
        is_free: whether nobody needs the processor.
    """

    def __init__(self, name: str, work: Callable[[GoOn], object], is_free: GoOn) -> None:
        self._name = name
        self._do = work
        self._is_free = is_free
        self._wanted = threading.Event()
        self._closing = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Do what there is to do, and from now on what comes; returns at once."""
        with self._starting:
            if self._thread is None and not self._closing.is_set():
                self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
                self._thread.start()
        self.wake()

    def wake(self) -> None:
        """Something came; it is looked for once this has been started."""
        self._wanted.set()

    def close(self) -> None:
        """End the thread; what was done is kept."""
        with self._starting:
            self._closing.set()
            self._wanted.set()
        if self._thread is not None:
            self._thread.join(_ENDING)

    def _work(self) -> None:
        while not self._closing.is_set():
            self._wanted.wait()
            self._wanted.clear()
            try:
                self._do(self._free)
            except MateriaError as error:
                _log.warning("background_work_ended", work=self._name, code=error.code)
            except Exception:  # nobody waits for this thread: what is not told here is told nowhere
                _log.exception("background_work_broke", work=self._name)

    def _free(self) -> bool:
        """Wait until nobody needs the processor; False when the thread has to end."""
        while not self._closing.is_set() and not self._is_free():
            self._closing.wait(_PAUSE)
        return not self._closing.is_set()
