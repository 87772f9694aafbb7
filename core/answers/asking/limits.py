"""How much of what a question may take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from core.settings import Settings

# Questions at a time: one thread has the interpreter, another what leaves it alone. Those that wait for a
# server's answers get more done beside each other.
_AT_ONCE, _AT_ONCE_BY_SERVER = 2, 8


@dataclass(frozen=True, slots=True)
class ChatLimits:
    """Sizes that settings give; `at_once` is how many questions are worked on at a time."""

    max_question_chars: int
    history_turns: int
    max_entities: int
    at_once: int

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """What the settings say."""
        return cls(
            settings.max_question_chars,
            settings.history_turns,
            settings.max_entities,
            _AT_ONCE_BY_SERVER if settings.uses_neo4j else _AT_ONCE,
        )
