"""Loading what the first question needs, before it is asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from core.errors import MateriaError
from core.logs import get_logger

_log = get_logger("workspace")


def warm_up(steps: Sequence[Callable[[], object]]) -> None:
    """Take the steps one after the other in a thread of their own; the first that fails is the last."""

    def load() -> None:
        try:
            started = time.perf_counter()
            for step in steps:
                step()
            _log.info("warmed_up", seconds=round(time.perf_counter() - started, 1))
        except MateriaError as error:
            _log.warning("warm_up_failed", code=error.code)

    threading.Thread(target=load, name="warm-up", daemon=True).start()
