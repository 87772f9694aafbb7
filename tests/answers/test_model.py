"""The language model behind a real socket: streams, retries, and failures told in plain words."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from core.answers.model import OpenAIModel
from core.errors import ModelError, RateLimited
from core.settings import Settings
from tests.answers.conftest import KEY
from tests.fake_openai import (
    FakeOpenAI,
    Reply,
    cut_after,
    empty_choices,
    error,
    hang,
    hang_after,
    malformed,
    text,
)

MESSAGES = [
    {"role": "system", "content": "Rules."},
    {"role": "user", "content": "EVIDENCE and QUESTION"},
]
Make = Callable[..., Settings]


def answer(settings: Settings) -> str:
    return "".join(OpenAIModel(settings).stream(MESSAGES))


def failure(settings: Settings) -> ModelError:
    with pytest.raises(ModelError) as caught:
        answer(settings)
    return caught.value


def test_text_comes_in_the_pieces_that_the_provider_sends(
    provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(text("Keep below 25 °C [1].", piece_length=5))
    pieces = list(OpenAIModel(model_settings()).stream(MESSAGES))
    assert pieces == ["Keep ", "below", " 25 °", "C [1]", "."]


def test_a_piece_is_handed_on_before_the_rest_is_there(
    provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(hang_after("Metformin "))
    stream = iter(OpenAIModel(model_settings(llm_first_token_seconds=5.0)).stream(MESSAGES))
    assert next(stream) == "Metformin "  # the provider still holds its answer back
    provider.released.set()
    with pytest.raises(ModelError):
        list(stream)


@pytest.mark.req("KG-50")
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


def test_retry_after_is_honoured(provider: FakeOpenAI, model_settings: Make) -> None:
    # Longer than the client's own first pause (at most 0.5 s), so that it can only be the header.
    provider.play(error(429, retry_after="1.2"), text("Here it is."))
    started = time.monotonic()
    assert answer(model_settings()) == "Here it is."
    assert 1.1 <= time.monotonic() - started < 5
    assert len(provider.requests) == 2


@pytest.mark.parametrize("code", [500, 502, 503])
def test_a_server_error_is_tried_again(
    code: int, provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(error(code, retry_after="0.01"), text("Here it is."))
    assert answer(model_settings()) == "Here it is."
    assert len(provider.requests) == 2


@pytest.mark.parametrize("code", [429, 500])
def test_after_three_attempts_it_is_told(
    code: int, provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(error(code, retry_after="0.01"))
    told = failure(model_settings())
    assert len(provider.requests) == 3
    assert told.retryable
    assert isinstance(told, RateLimited) is (code == 429)


@pytest.mark.parametrize(
    ("reply", "code", "attempts"),
    [
        (error(401, f"Incorrect API key provided: {KEY}."), "MODEL_KEY_REFUSED", 1),
        (error(404, "no such model"), "MODEL_FAILED", 1),
        (error(429, retry_after="0.01"), "RATE_LIMITED", 3),
        (error(500, f"at {KEY}", retry_after="0.01"), "MODEL_FAILED", 3),
        (cut_after("Metformin "), "MODEL_UNREACHABLE", 1),
        (malformed, "MODEL_FAILED", 1),
        (empty_choices, "MODEL_EMPTY", 1),
        (text(""), "MODEL_EMPTY", 1),
    ],
)
def test_each_failure_has_its_code_and_plain_words(
    reply: Reply,
    code: str,
    attempts: int,
    provider: FakeOpenAI,
    model_settings: Make,
    log_text: Callable[[], str],
) -> None:
    provider.play(reply)
    told = failure(model_settings())
    assert told.code == code
    assert len(provider.requests) == attempts
    assert told.message.startswith("The ") and told.advice.endswith(".")
    for leak in (KEY, "Traceback", "127.0.0.1", "scripted", "{"):
        assert leak not in str(told)
    assert KEY not in log_text()


@pytest.mark.parametrize("reply", [hang, hang_after("Metformin ")])
def test_a_silent_provider_is_given_up(
    reply: Reply, provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(reply)
    started = time.monotonic()
    told = failure(model_settings(llm_first_token_seconds=0.2))
    assert (told.code, told.retryable) == ("MODEL_TIMEOUT", True)
    assert time.monotonic() - started < 10  # three attempts of 0.2 s and the pauses between


def test_no_provider_at_all(model_settings: Make) -> None:
    told = failure(model_settings(llm_base_url="http://127.0.0.1:9/v1", llm_connect_seconds=0.5))
    assert told.code == "MODEL_UNREACHABLE"


def test_settings_show_no_key(model_settings: Make) -> None:
    settings = model_settings()
    assert KEY not in repr(settings) + str(settings.model_dump()) + repr(OpenAIModel(settings))
