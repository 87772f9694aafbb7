"""The language model behind a real socket: what it is asked, streams, stops, and what it cost."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator

import pytest

from core.domain.answers import Usage
from core.domain.stopping import StopSignal
from core.errors import ModelError
from core.llm.model import STOPPED, Completion, OpenAIModel, Part, Pause
from core.llm.prices import usage
from core.settings import Settings
from tests.llm.asking import MESSAGES, Make, answer, failure, says, used
from tests.support.answering import KEY
from tests.support.fake_openai import (
    Exchange,
    FakeOpenAI,
    Reply,
    error,
    hang_after,
    hung_up_on,
    text,
)


def test_text_comes_in_the_pieces_that_the_provider_sends(
    provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(text("Keep below 25 °C [1].", piece_length=5))
    *pieces, end = OpenAIModel(model_settings()).stream(MESSAGES)
    assert pieces == ["Keep ", "below", " 25 °", "C [1]", "."]
    assert isinstance(end, Completion) and end.reason == "stop"


def test_a_piece_is_handed_on_before_the_rest_is_there(
    provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(hang_after("Metformin "))
    stream = iter(OpenAIModel(model_settings(llm_first_token_seconds=5.0)).stream(MESSAGES))
    assert next(stream) == "Metformin "  # the provider still holds its answer back
    provider.released.set()
    with pytest.raises(ModelError):
        list(stream)


@pytest.mark.req("KG-47", "KG-50")
def test_the_request_is_one_streamed_completion_without_tools(
    provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(text("Yes."))
    answer(model_settings(llm_max_tokens=123))
    assert [request.path for request in provider.requests] == ["/v1/chat/completions"]
    body = provider.requests[0].body
    assert not {"tools", "tool_choice", "functions", "function_call"} & body.keys()
    assert (body["temperature"], body["stream"], body["max_tokens"]) == (0, True, 123)
    assert (body["model"], body["messages"]) == ("fake-model", MESSAGES)
    headers = {name.lower(): value for name, value in provider.requests[0].headers.items()}
    assert headers["authorization"] == f"Bearer {KEY}"


def test_a_provider_without_keys_is_asked_without_one(
    provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(text("Yes."))
    assert answer(model_settings(llm_provider="ollama", llm_api_key="")) == "Yes."


# -- stopping --------------------------------------------------------------------------------------


def stopped_at(provider: FakeOpenAI, settings: Settings, pieces: int = 0) -> list[Part]:
    """What a model brings when another thread stops it after so many pieces, or once it is asked."""
    signal = StopSignal()

    def stop() -> None:
        while not provider.requests:
            time.sleep(0.02)
        time.sleep(0.1)  # into the next wait
        signal.stop()

    found: list[Part] = []
    stream = OpenAIModel(settings).stream(MESSAGES, signal)
    for _ in range(pieces):
        found.append(next(stream))
    stopper = threading.Thread(target=stop)
    stopper.start()
    found.extend(stream)
    stopper.join()
    return found


@pytest.mark.parametrize(("begun", "pieces"), [("", 0), ("Metformin ", 1)])
def test_a_stop_ends_the_request_while_it_waits(
    begun: str, pieces: int, provider: FakeOpenAI, model_settings: Make
) -> None:
    seen = threading.Event()
    provider.play(hung_up_on(begun, seen))
    settings = model_settings(llm_first_token_seconds=60.0, llm_total_seconds=60.0)
    *before, end = stopped_at(provider, settings, pieces)
    assert seen.wait(15), "the provider still thinks that somebody listens"
    assert before == ([begun] if begun else [])
    assert isinstance(end, Completion) and end.reason == STOPPED
    assert (end.usage is None) is (not begun)
    assert len(provider.requests) == 1


def test_a_stop_ends_the_pause_before_another_attempt(
    provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(error(429, retry_after="60"))
    assert stopped_at(provider, model_settings()) == [Pause(60.0), Completion(STOPPED)]
    assert len(provider.requests) == 1


def test_a_stop_before_the_beginning_asks_nothing(
    provider: FakeOpenAI, model_settings: Make
) -> None:
    signal = StopSignal()
    signal.stop()
    assert list(OpenAIModel(model_settings()).stream(MESSAGES, signal)) == [Completion(STOPPED)]
    assert provider.requests == []


def test_who_goes_away_ends_the_request(provider: FakeOpenAI, model_settings: Make) -> None:
    seen = threading.Event()
    provider.play(hung_up_on("Metformin ", seen))
    stream = OpenAIModel(model_settings()).stream(MESSAGES)
    assert next(stream) == "Metformin "
    assert isinstance(stream, Generator)
    stream.close()
    assert seen.wait(15)


# -- what models differ in -------------------------------------------------------------------------


def picky(**refusals: tuple[str, dict[str, str]]) -> Reply:
    """A model that refuses a request with one of these parameters, in these words."""

    def reply(exchange: Exchange) -> None:
        for parameter, (message, fields) in refusals.items():
            if parameter in exchange.request.body:
                error(400, message, **fields)(exchange)
                return
        text("Yes.")(exchange)

    return reply


def test_a_model_that_takes_other_parameters_is_asked_its_own_way(
    provider: FakeOpenAI, model_settings: Make
) -> None:
    limit = "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
    provider.play(
        picky(
            max_tokens=(f"{limit}'max_completion_tokens' instead.", {"param": "max_tokens"}),
            temperature=("'temperature' does not support 0 with this model.", {}),
            stream_options=("Unrecognized request argument supplied: stream_options", {}),
        )
    )
    model = OpenAIModel(model_settings(llm_max_tokens=123))
    first = list(model.stream(MESSAGES))
    assert first[0] == "Yes." and len(provider.requests) == 4  # three were refused unread
    assert isinstance(first[-1], Completion) and first[-1].usage is not None
    assert not first[-1].usage.counted
    body = provider.requests[-1].body
    assert body["max_completion_tokens"] == 123
    assert not {"max_tokens", "temperature", "stream_options"} & body.keys()
    list(model.stream(MESSAGES))
    assert len(provider.requests) == 5  # remembered


def test_a_model_that_refuses_everything_is_not_asked_for_ever(
    provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(error(400, "max_tokens temperature stream_options max_completion_tokens"))
    assert failure(model_settings()).code == "MODEL_FAILED"
    assert len(provider.requests) == 4


def test_usage_is_what_the_provider_counted(provider: FakeOpenAI, model_settings: Make) -> None:
    provider.play(text("Yes."))
    assert used(model_settings()) == Usage(1234, 56, None, True)
    priced = model_settings(llm_price_in=2.0, llm_price_out=10.0)
    assert used(priced).cost == pytest.approx((1234 * 2 + 56 * 10) / 1e6)
    assert used(model_settings(llm_price_in=2.0)).cost is None  # half a price is none
    # Another endpoint may charge something else for a model of this name.
    assert used(model_settings(llm_model="gpt-4o-mini")).cost is None


def test_known_prices_are_for_the_providers_own_endpoints(model_settings: Make) -> None:
    own = model_settings(llm_provider="openai", llm_base_url="", llm_model="gpt-4o-mini")
    assert usage(own, 1_000_000, 1_000_000, counted=True).cost == pytest.approx(0.75)
    unknown = model_settings(llm_provider="openai", llm_base_url="", llm_model="gpt-99")
    assert usage(unknown, 1_000_000, 0, counted=True).cost is None
    gemini = model_settings(
        llm_provider="gemini", llm_base_url="", llm_model="models/gemini-2.0-flash"
    )
    assert usage(gemini, 1_000_000, 0, counted=True).cost == pytest.approx(0.10)


@pytest.mark.parametrize("data", ['{"choices": []}', "{}", '{"choices": null, "usage": {}}'])
def test_chunks_that_say_nothing_do_no_harm(
    data: str, provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(says(data))
    assert answer(model_settings()) == "Metformin "


def test_settings_show_no_key(model_settings: Make) -> None:
    settings = model_settings()
    assert KEY not in repr(settings) + str(settings.model_dump()) + repr(OpenAIModel(settings))
