"""Sessions and their turns."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.domain.answers import Answer


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation thread of the one user."""

    id: str
    title: str
    created_at: datetime
    updated_at: datetime
    turns: int


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and its answer, in the order they were asked; `position` counts from 0."""

    id: str
    session_id: str
    position: int
    answer: Answer
    created_at: datetime

    @property
    def question(self) -> str:
        return self.answer.question
