"""A question asked again apart from the page that wants to know, so that it can be stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable

from core.domain.answers import Answer
from core.domain.stopping import StopSignal
from core.errors import Cancelled, MateriaError
from core.logs import correlation, get_logger

_log = get_logger("rerun")


class Rerun:
    """One question being asked again, from now on; safe to watch and to stop from any thread.

    Args:
        ask: makes the answer, and heeds the signal.
    """

    def __init__(self, ask: Callable[[StopSignal], Answer]) -> None:
        self._ask = ask
        self._signal = StopSignal()
        self._ended = threading.Event()
        self._answer: Answer | None = None
        self._error: MateriaError | None = None
        threading.Thread(target=self._run, name="rerun", daemon=True).start()

    @property
    def active(self) -> bool:
        return not self._ended.is_set()

    @property
    def stopping(self) -> bool:
        """Whether it was asked to stop."""
        return self._signal.stopped

    def stop(self) -> None:
        """End it: its request to a model is closed."""
        self._signal.stop()

    def wait(self, seconds: float) -> bool:
        """Wait until it has ended, no longer than this; whether it has."""
        return self._ended.wait(seconds)

    def answer(self) -> Answer | None:
        """The answer of a rerun that has ended; None where it was stopped, also in the midst of one.

        Raises:
            MateriaError: why there is none.
        """
        if self._error is not None:
            raise self._error
        return None if self.stopping else self._answer

    def _run(self) -> None:
        with correlation():
            try:
                self._answer = self._ask(self._signal)
            except Cancelled:
                self._signal.stop()
            except MateriaError as error:
                self._error = error
            except Exception:
                _log.exception("rerun_broke")
                self._error = MateriaError(
                    "The answer could not be made.",
                    advice="Try again; the log has the details.",
                    retryable=True,
                )
        self._ended.set()
