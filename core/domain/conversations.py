"""Sessions and their turns, whose they are, and what the analyst thinks of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from core.domain.answers import Answer, State, Support, Usage
from core.domain.vectors import Vector

LOCAL_USER = "analyst"  # the one user where no login is configured
UNNAMED_USER = "unnamed"  # whoever brings the server's access token and no login of a user's own
LONGEST_COMMENT = 2_000  # characters
LONGEST_TAG = 40
MOST_TAGS = 20
LONGEST_TITLE = 80


class Rating(StrEnum):
    """Whether an answer was of use."""

    UP = "up"
    DOWN = "down"


class Fault(StrEnum):
    """What is wrong with an answer that was rated down."""

    PAGE = "page"  # it cites a page that does not say so
    NUMBER = "number"  # a dose, an amount, a frequency
    MISSING = "missing"  # something that it should have told
    MISREAD = "misread"  # another question is answered than was asked
    IRRELEVANT = "irrelevant"  # what it tells has nothing to do with the question
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Feedback:
    """The analyst's rating of an answer.

    Attributes:
        fault: None for a rating up, and where nobody said.
        comment: in the analyst's words.
    """

    rating: Rating
    fault: Fault | None
    comment: str
    rated_at: datetime


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation thread of one user.

    Attributes:
        pinned: it stays whatever limits are set, and is listed first.
        tags: in alphabetical order, each once.
        rated_up, rated_down: how many of its answers are.
        user: whose it is, see `user_key`.
    """

    id: str
    title: str
    created_at: datetime
    updated_at: datetime
    turns: int
    pinned: bool = False
    tags: tuple[str, ...] = ()
    rated_up: int = 0
    rated_down: int = 0
    user: str = LOCAL_USER


@dataclass(frozen=True, slots=True)
class TakenIds:
    """Which ids are in use in a store, whoever uses them.

    Attributes:
        sessions: of those asked for.
        turns: of those asked for, each with the session that has it.
    """

    sessions: frozenset[str]
    turns: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and its answer, in the order they were asked; `position` counts from 0."""

    id: str
    session_id: str
    position: int
    answer: Answer
    created_at: datetime
    feedback: Feedback | None = None

    @property
    def question(self) -> str:
        return self.answer.question


@dataclass(frozen=True, slots=True)
class SessionFilter:
    """Which sessions are wanted; what is empty or None asks nothing.

    All but `tag` must hold for one and the same turn.

    Attributes:
        entity: id of an entity that the question is about, see `mention_rows` of the stores.
        document: id of a document that the answer cites.
        refused: whether the answer is the refusal.
        may_not_answer: whether the answer is the closest passages, which may not answer.
    """

    entity: str = ""
    document: str = ""
    refused: bool | None = None
    rating: Rating | None = None
    tag: str = ""
    may_not_answer: bool | None = None

    @property
    def of_turns(self) -> bool:
        """Whether something is asked of a turn."""
        states = (self.refused, self.may_not_answer)
        return bool(self.entity or self.document or self.rating) or states != (None, None)


EVERY_SESSION = SessionFilter()


@dataclass(frozen=True, slots=True)
class AnswerSubject:
    """An entity that kept questions are about, or a document that answers cite; `answers` counts them.

    Attributes:
        type: of an entity; "" for a document.
    """

    id: str
    name: str
    type: str
    answers: int


@dataclass(frozen=True, slots=True)
class TurnUsage:
    """What one turn says about how Materia is used.

    Attributes:
        named: the entities that the question names.
        supports: of the answer's sentences; none of a refusal.
        used: of the language model; None without one.
        seconds: from the question to the answer.
        steps: ``retrieve``, ``expand``, ``generate``, ``model`` -> milliseconds; see `Answer.timings_ms`.
    """

    asked_at: datetime
    state: State
    rating: Rating | None
    named: tuple[AnswerSubject, ...]
    supports: tuple[Support, ...]
    used: Usage | None
    seconds: float
    steps: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class QuotingTurn:
    """A turn whose answer has text of a document.

    Attributes:
        cited: False where the document is only among the nearest passages of a refusal.
    """

    session_id: str
    turn_id: str
    question: str
    cited: bool


@dataclass(frozen=True, slots=True)
class FoundTurn:
    """A turn that is as it was looked for; `position` counts from 0."""

    session_id: str
    turn_id: str
    position: int
    question: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What a long session was about, in short; its turns stay as they are.

    Attributes:
        text: lines of plain text.
        first, last: positions of the turns that it covers, both included.
    """

    text: str
    first: int
    last: int
    made_at: datetime


@dataclass(frozen=True, slots=True, eq=False)
class PairVector:
    """The embedding of a question with its answer.

    Attributes:
        answer: text of the answer that it was made from; of one that was changed since, it is not kept.
        model: what made it; vectors of different ones are never compared.
    """

    turn_id: str
    answer: str
    model: str
    vector: Vector


@dataclass(frozen=True, slots=True)
class SimilarTurn:
    """An earlier question that is close to another one.

    Attributes:
        similarity: cosine, in [-1, 1].
        refused: whether the answer is the refusal.
    """

    turn_id: str
    session_id: str
    position: int
    question: str
    asked_at: datetime
    similarity: float
    refused: bool


def title_of(question: str) -> str:
    """The title of a conversation that begins with a question: one line of 80 characters at most."""
    words = " ".join(question.split())
    return words if len(words) <= LONGEST_TITLE else f"{words[: LONGEST_TITLE - 1]}…"


def user_key(claims: Mapping[str, Any]) -> str:
    """The key of the user whom verified claims name: by issuer and subject, by the email address where
    there are not both; "" where they name nobody.

    It has 69 characters at most, none of which is of the claims themselves, and is never `LOCAL_USER` or
    `UNNAMED_USER`.
    """
    issuer, subject, email = (_text(claims.get(name)) for name in ("iss", "sub", "email"))
    if issuer and subject:
        named = ["subject", issuer, subject]
    elif email and claims.get("email_verified") is not False:
        named = ["email", email.casefold()]
    else:
        return ""
    return f"oidc-{hashlib.sha256(json.dumps(named).encode()).hexdigest()}"


def user_name(claims: Mapping[str, Any]) -> str:
    """What a user is called on the page."""
    found = (_text(claims.get(name)) for name in ("name", "preferred_username", "email", "sub"))
    return next(filter(None, found), "")


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
