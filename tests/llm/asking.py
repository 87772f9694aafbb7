"""A model behind a real socket is asked, and what it brings."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.domain.answers import Usage
from core.errors import ModelError
from core.llm.model import Completion, OpenAIModel, Part
from core.settings import Settings
from tests.support.fake_openai import Exchange, Reply

MESSAGES = [
    {"role": "system", "content": "Rules."},
    {"role": "user", "content": "EVIDENCE and QUESTION"},
]
Make = Callable[..., Settings]


def answer(settings: Settings) -> str:
    parts = OpenAIModel(settings).stream(MESSAGES)
    return "".join(part for part in parts if isinstance(part, str))


def failure(settings: Settings) -> ModelError:
    with pytest.raises(ModelError) as caught:
        answer(settings)
    return caught.value


def parts(settings: Settings) -> tuple[list[Part], Completion]:
    """What a model brings, and how it ends."""
    *pieces, end = OpenAIModel(settings).stream(MESSAGES)
    assert isinstance(end, Completion)
    return pieces, end


def used(settings: Settings, *, counted: bool = True) -> Usage:
    """What an answer used, as the provider counted it, or else as it is estimated."""
    end = list(OpenAIModel(settings).stream(MESSAGES))[-1]
    assert isinstance(end, Completion) and end.usage is not None
    assert end.usage.counted is counted
    return end.usage


def says(data: str) -> Reply:
    """A piece of the answer, then JSON of another form."""

    def reply(exchange: Exchange) -> None:
        exchange.open_stream()
        exchange.piece("Metformin ")
        exchange.event(data)
        exchange.end_stream()

    return reply
