"""What a model's text costs and what becomes of it when something else fails meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from core.domain.answers import Answer, Support, Usage
from core.errors import ModelError
from core.maintenance.sample import SAMPLE
from core.workspace import Workspace
from tests.support.answering import Open, with_model
from tests.support.asking import WHEN_NOT, bag_of_words, documents
from tests.support.fake_openai import (
    Exchange,
    FakeOpenAI,
    Reply,
    cut_after,
    embeddings,
    error,
    text,
)

COPIED = "Metformin must not be taken in circulatory shock"
TOLD_OTHERWISE = "Avoid this product once blood flow collapses"


# -- time ------------------------------------------------------------------------------------------


class Slow:
    """A reply that begins late, and tells how long it slept, in milliseconds."""

    def __init__(self, reply: Reply, seconds: float) -> None:
        self._reply = reply
        self._seconds = seconds
        self.slept_ms = 0.0

    def __call__(self, exchange: Exchange) -> None:
        began = time.perf_counter()
        time.sleep(self._seconds)
        self.slept_ms += (time.perf_counter() - began) * 1000
        self._reply(exchange)


def timed(workspace: Workspace) -> tuple[Answer, float]:
    """An answer, and how long it took, in milliseconds."""
    began = time.perf_counter()
    answer = workspace.chat.answer(WHEN_NOT)
    return answer, (time.perf_counter() - began) * 1000


@pytest.mark.parametrize(
    ("reply", "model"),
    [
        (text(f"{COPIED} [1]."), "fake-model"),
        (error(401), "extractive"),
        (cut_after("Met"), "extractive"),
        (text("Metformin must not be", reason="length"), "extractive"),
    ],
)
def test_the_models_time_is_no_part_of_our_own(
    reply: Reply, model: str, with_provider: Workspace, provider: FakeOpenAI
) -> None:
    """Also of a call that fails: the analyst waited for the model, not for us."""
    slow = Slow(reply, 1.5)
    provider.play(slow)
    answer, whole = timed(with_provider)
    assert answer.model == model and len(provider.requests) == 1
    assert set(answer.timings_ms) == {"retrieve", "expand", "generate", "model"}
    assert answer.timings_ms["model"] >= slow.slept_ms > 0
    own = sum(answer.timings_ms.values()) - answer.timings_ms["model"]
    # Were the wait counted as ours, both together would be longer than the whole.
    assert own > 0 and own + slow.slept_ms <= whole


# -- tokens ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (text("[1][2]"), "MODEL_EMPTY"),
        (text("Metformin must not be", reason="length"), "MODEL_BROKE_OFF"),
    ],
)
def test_tokens_of_a_text_that_came_to_nothing_are_counted(
    reply: Reply, code: str, with_provider: Workspace, provider: FakeOpenAI
) -> None:
    provider.play(reply)
    answer = with_provider.chat.answer(WHEN_NOT)
    assert answer.failure is not None and answer.failure.code == code
    assert answer.model == "extractive" and answer.usage == Usage(1234, 56, None, True)


# -- the check -------------------------------------------------------------------------------------


class Both:
    """A provider of a chat model and an embedding model; the second fails once the first has written."""

    def __init__(self, chat: Reply, then: Reply) -> None:
        self._chat, self._then = chat, then
        self.written = False
        self.refused = 0

    def __call__(self, exchange: Exchange) -> None:
        if not exchange.request.path.endswith("/embeddings"):
            self._chat(exchange)
            self.written = True
        elif self.written:
            self.refused += 1
            self._then(exchange)
        else:
            embeddings(bag_of_words)(exchange)


@pytest.fixture
def embedded_by_provider(open_workspace: Open, provider: FakeOpenAI, tmp_path: Path) -> Workspace:
    """Metformin's leaflet, embedded and answered by the provider's models."""
    provider.play(embeddings(bag_of_words))
    fields = with_model(provider) | {"embedding_model": "text-embedding-3-small"}
    workspace = open_workspace(tmp_path / "data", writer=True, relevance_threshold=0.2, **fields)
    assert workspace.library.ingest(SAMPLE / "leaflets" / "Metformin.pdf").state == "ready"
    return workspace


def test_an_embedding_model_that_fails_in_the_check_loses_nothing(
    embedded_by_provider: Workspace,
    provider: FakeOpenAI,
    log_text: Callable[[], str],
) -> None:
    both = Both(text(f"{COPIED} [1]. {TOLD_OTHERWISE} [1]."), error(401))
    provider.play(both)
    answer = embedded_by_provider.chat.answer(WHEN_NOT)
    assert both.refused, "the check asked for embeddings"
    assert answer.model == "fake-model" and answer.failure is None
    assert answer.usage == Usage(1234, 56, None, True)
    assert [s.text.rstrip(".") for s in answer.sentences] == [COPIED, TOLD_OTHERWISE]
    # What words alone cannot tell is not taken on trust.
    assert answer.sentences[1].support is Support.UNSUPPORTED
    assert "by words and numbers alone" in answer.notice and documents(answer)
    assert "model_failed" not in log_text() and "compared_by_words" in log_text()
    (turn,) = embedded_by_provider.conversations.history(answer.session)
    assert turn.answer == answer


def test_a_check_that_needs_no_embedding_tells_nothing(
    embedded_by_provider: Workspace, provider: FakeOpenAI
) -> None:
    both = Both(text(f"{COPIED} [1]."), error(401))
    provider.play(both)
    answer = embedded_by_provider.chat.answer(WHEN_NOT)
    assert answer.model == "fake-model" and answer.notice == "" and not both.refused


def test_an_embedding_model_that_fails_before_costs_no_call(
    embedded_by_provider: Workspace, provider: FakeOpenAI
) -> None:
    provider.play(error(401))
    with pytest.raises(ModelError):
        embedded_by_provider.chat.answer(WHEN_NOT)
    assert {request.path for request in provider.requests} == {"/v1/embeddings"}
