"""Parts asked how they are beside whatever else goes on: one that hangs keeps nobody waiting."""

from __future__ import annotations

import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from statistics import median

from core.domain.health import Health, PartHealth

_KEPT = 50  # latencies of each part
_FRESH_SECONDS = (
    10.0  # an answer that is not older is not asked for again, unless one wants it anew
)
_LATE_SECONDS = 5.0  # an answer that does not come for so long is called missing
_ENDING_SECONDS = 2.0
_LONGEST_WAIT = 30.0  # seconds, of who needs all answers
_ADVICE = "If it does not come, look whether its program or server runs, then start Materia again."


class HealthWatch:
    """Remembers what each part said last, and how long it took since the start.

    Args:
        parts: name -> what asks the part, which never raises.
    """

    def __init__(self, parts: Mapping[str, Callable[[], PartHealth]]) -> None:
        self._parts = parts
        self._changed = threading.Condition()
        self._known: dict[str, tuple[float, PartHealth]] = {}
        self._latencies: defaultdict[str, deque[float]] = defaultdict(lambda: deque(maxlen=_KEPT))
        self._asked: dict[str, float] = {}  # those whose answer is waited for, since when
        self._closed = False

    def ask(self, *, anew: bool = False) -> None:
        """Ask every part that is not being asked; returns at once.

        Args:
            anew: also those that answered just now.
        """
        now = time.monotonic()
        with self._changed:
            due = [
                name
                for name in self._parts
                if not self._closed
                and name not in self._asked
                and (
                    anew
                    or now - self._known.get(name, (-_FRESH_SECONDS, None))[0] >= _FRESH_SECONDS
                )
            ]
            self._asked |= dict.fromkeys(due, now)
        for name in due:
            threading.Thread(target=self._ask, args=(name,), name="health", daemon=True).start()

    def seen(self) -> Health:
        """What is known now."""
        with self._changed:
            return Health(tuple(self._seen(name) for name in self._parts))

    def settle(self, seconds: float) -> None:
        """Wait for answers, but not long; not at all for those of a part that is late already."""
        begun = time.monotonic() - seconds
        with self._changed:
            self._changed.wait_for(
                lambda: all(since < begun for since in self._asked.values()), seconds
            )

    def now(self, seconds: float = _LONGEST_WAIT) -> Health:
        """Every part's answer of now; of those that do not answer in `seconds`, that they do not."""
        self.ask(anew=True)
        with self._changed:
            self._changed.wait_for(lambda: not self._asked, seconds)
        return self.seen()

    def close(self) -> None:
        """Ask no more, and let who is asked answer, but for one that hangs: stores close next."""
        with self._changed:
            self._closed = True
            self._changed.wait_for(lambda: not self._asked, _ENDING_SECONDS)

    def _ask(self, name: str) -> None:
        answer = self._parts[name]()
        with self._changed:
            if answer.latency_ms is not None:
                self._latencies[name].append(answer.latency_ms)
            self._known[name] = (time.monotonic(), answer)
            del self._asked[name]
            self._changed.notify_all()

    def _seen(self, name: str) -> PartHealth:
        since = self._asked.get(name)
        waits = None if since is None else time.monotonic() - since
        if waits is not None and waits > _LATE_SECONDS:
            detail = f"It has not answered for {waits:.0f} s."
            return PartHealth(name, False, detail, advice=_ADVICE, waiting_seconds=waits)
        if name not in self._known:
            return PartHealth(name, True, "being asked ...", waiting_seconds=waits or 0.0)
        _, answer = self._known[name]
        taken = self._latencies[name]
        return replace(answer, median_ms=median(taken) if taken else None, waiting_seconds=waits)
