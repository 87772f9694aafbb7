"""What happens on a question's way; the page renders each as it comes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.domain.answers import Answer
from core.domain.documents import Hit
from core.domain.graph import Subgraph


@dataclass(frozen=True, slots=True)
class Routed:
    """How the question was read."""

    query_type: str
    read_as: str


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Passages in descending score."""

    hits: tuple[Hit, ...]
    searched: int


@dataclass(frozen=True, slots=True)
class Expanded:
    """The part of the graph around what was found."""

    subgraph: Subgraph


@dataclass(frozen=True, slots=True)
class Paused:
    """The language model's provider asks to wait, or has failed: it is asked again in so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the model's text, unchecked until `Answered` comes.

    `anew` says that what came before it was not the answer.
    """

    text: str
    anew: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """The checked answer; `turn_id` is its place in the conversation store, "" when not kept."""

    answer: Answer
    turn_id: str = ""


Event = Routed | Retrieved | Expanded | Paused | Token | Answered


def answer_of(events: Iterable[Event]) -> Answer:
    """The answer with which a question's way ends."""
    return next(event.answer for event in events if isinstance(event, Answered))
