"""How many conversations are kept, and how long."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from core.domain.conversations import Session
from core.settings import Settings


@dataclass(frozen=True, slots=True)
class Excess:
    """Conversations that are over the limits.

    Attributes:
        too_old: nothing was asked in them for longer than is allowed.
        too_many: those beyond the number that is allowed, the least recently used.
    """

    too_old: tuple[Session, ...] = ()
    too_many: tuple[Session, ...] = ()


@dataclass(frozen=True, slots=True)
class Purged:
    """How many conversations were removed by the limits, for each reason of `Excess`, and their turns."""

    too_old: int = 0
    too_many: int = 0
    turns: int = 0

    @property
    def conversations(self) -> int:
        return self.too_old + self.too_many

    def __add__(self, other: Self) -> Purged:
        return Purged(
            self.too_old + other.too_old,
            self.too_many + other.too_many,
            self.turns + other.turns,
        )


@dataclass(frozen=True, slots=True)
class Limits:
    """What is kept; 0 sets no limit. Pinned conversations stay, and count.

    Attributes:
        conversations: at most so many; those go first in which nothing was asked for the longest time.
        days: those go in which nothing was asked for so many days.
    """

    conversations: int = 0
    days: int = 0

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """What the settings say."""
        return cls(settings.max_conversations, settings.conversation_days)

    def __bool__(self) -> bool:
        return bool(self.conversations or self.days)

    def excess(self, sessions: Sequence[Session], in_use: Collection[str], now: datetime) -> Excess:
        """What is over the limits.

        Args:
            sessions: all of them, in any order.
            in_use: ids of sessions that stay as if they were pinned.
        """
        oldest_first = sorted(sessions, key=lambda session: (session.updated_at, session.id))
        free = [one for one in oldest_first if not one.pinned and one.id not in in_use]
        since = now - timedelta(days=self.days)
        too_old = [one for one in free if self.days and one.updated_at < since]
        rest = free[len(too_old) :]
        beyond = len(sessions) - len(too_old) - self.conversations if self.conversations else 0
        return Excess(tuple(too_old), tuple(rest[: max(beyond, 0)]))


NO_LIMITS = Limits()
