"""Turns of a conversation that the client keeps and sends along (`conversationHistory`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from core.api.guard import Body, wrong
from core.domain.answers import Answer, EntityLink, Sentence, Support
from core.domain.conversations import Turn
from core.domain.graph import NAMED_IN_QUESTION, Entity

_ROLES = ("user", "assistant")


def turns_of(body: Body, entities_in: Callable[[str], Sequence[Entity]]) -> list[Turn]:
    """The questions of `conversationHistory`, each with what answered it, in order.

    Messages have `role` (user or assistant) and `content`; whatever else they have is passed over, and so
    are a question without an answer and an answer without a question.

    Args:
        entities_in: the entities that a text names: what "it" may stand for in the next question.

    Raises:
        InputError: it is no list of messages (``INVALID_REQUEST``).
    """
    messages = body["conversationHistory"]
    if not isinstance(messages, list):
        raise wrong("“conversationHistory” must be a list of messages.")
    turns: list[Turn] = []
    question = ""
    for message in messages:
        role, content = _read(message)
        if role == "user":
            question = content
        elif question:
            turns.append(_turn(len(turns), question, content, entities_in(question)))
            question = ""
    return turns


def _read(message: object) -> tuple[str, str]:
    role = message.get("role") if isinstance(message, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    if role not in _ROLES or not isinstance(content, str):
        raise wrong(
            "Each message of “conversationHistory” needs a role (user or assistant) and a text “content”."
        )
    return role, content.strip()


def _turn(position: int, question: str, told: str, named: Sequence[Entity]) -> Turn:
    """What was told rests on nothing that is known here; the entities are those that the question names."""
    answer = Answer(
        question=question,
        read_as=question,
        query_type="",
        refused=not told,
        sentences=(Sentence(told, Support.UNSUPPORTED, ()),) if told else (),
        citations=(),
        entities=tuple(
            EntityLink(one.id, one.type, one.name, 1.0, NAMED_IN_QUESTION) for one in named
        ),
        nearest=(),
        timings_ms={},
        model="",
        session="",
        disclaimer="",
    )
    return Turn("", "", position, answer, datetime.now(UTC))
