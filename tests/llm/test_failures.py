"""Attempts that fail behind a real socket: tried again or given up, and told in plain words."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from core.errors import RateLimited
from tests.llm.asking import Make, answer, failure, says
from tests.support.answering import KEY
from tests.support.fake_openai import (
    Exchange,
    FakeOpenAI,
    Reply,
    cut_after,
    drip,
    empty_choices,
    error,
    fake_openai,
    hang,
    hang_after,
    malformed,
    redirect,
    text,
    whole,
)


def pauses(log: str) -> list[float]:
    """Seconds between attempts, as the log has them."""
    lines = [json.loads(line) for line in log.splitlines() if '"model_retry"' in line]
    return [line["pause"] for line in lines]


def http_date(seconds: int) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


@pytest.mark.req("KG-E")
@pytest.mark.parametrize("code", [429, 500, 503])
def test_retry_after_is_honoured(
    code: int, provider: FakeOpenAI, model_settings: Make, log_text: Callable[[], str]
) -> None:
    provider.play(error(code, retry_after="0.07"), error(code, retry_after="0.09"), text("Yes."))
    assert answer(model_settings()) == "Yes."
    assert pauses(log_text()) == [0.07, 0.09]  # its own would be half a second and more
    assert len(provider.requests) == 3


def test_retry_after_may_be_a_date(
    provider: FakeOpenAI, model_settings: Make, log_text: Callable[[], str]
) -> None:
    provider.play(error(429, retry_after=http_date(2)), text("Yes."))
    assert answer(model_settings()) == "Yes."
    assert 0 < pauses(log_text())[0] <= 2
    assert len(provider.requests) == 2


@pytest.mark.parametrize("asked", ["121", "86400", "inf", "1e400"])
def test_a_wait_longer_than_the_answer_may_take_is_told_instead(
    asked: str, provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(error(429, retry_after=asked))
    told = failure(model_settings())
    assert (told.code, told.retryable, len(provider.requests)) == ("RATE_LIMITED", True, 1)
    assert "Wait" in told.advice


@pytest.mark.parametrize("asked", ["soon", "nan", "-3", "Wed, 21 Oct 2015 07:28:00"])
def test_a_wait_that_is_none_costs_no_answer(
    asked: str, provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(error(429, retry_after=asked), text("Yes."))
    assert answer(model_settings()) == "Yes."
    assert len(provider.requests) == 2


@pytest.mark.req("KG-E")
def test_pauses_grow_and_differ(
    provider: FakeOpenAI, model_settings: Make, log_text: Callable[[], str]
) -> None:
    provider.play(error(503))
    for _ in range(2):
        failure(model_settings())
    first, second, third, fourth = pauses(log_text())
    assert min(first, third) >= 0.5 and max(first, third) <= 1.0
    assert min(second, fourth) >= 1.0 and max(second, fourth) <= 1.5
    assert (first, second) != (third, fourth)  # jitter
    assert len(provider.requests) == 6


def test_no_credit_is_no_reason_to_try_again(provider: FakeOpenAI, model_settings: Make) -> None:
    provider.play(error(429, code="insufficient_quota", retry_after="0.01"))
    told = failure(model_settings())
    assert isinstance(told, RateLimited) and not told.retryable
    assert (told.code, len(provider.requests)) == ("MODEL_QUOTA", 1)


def test_a_broken_connection_is_tried_again_before_the_first_piece_only(
    provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(cut_after(""), text("Here it is."))
    assert answer(model_settings()) == "Here it is."
    assert len(provider.requests) == 2
    provider.play(cut_after("Here "), text("Here it is."))
    assert failure(model_settings()).code == "MODEL_UNREACHABLE"
    assert len(provider.requests) == 1


@pytest.mark.parametrize("code", [500, 502, 503])
def test_a_server_error_is_tried_again(
    code: int, provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(error(code, retry_after="0.01"), text("Here it is."))
    assert answer(model_settings()) == "Here it is."
    assert len(provider.requests) == 2


@pytest.mark.req("KG-E")
@pytest.mark.parametrize("code", [429, 500])
def test_after_three_attempts_it_is_told(
    code: int, provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(error(code, retry_after="0.01"))
    told = failure(model_settings())
    assert len(provider.requests) == 3
    assert told.retryable
    assert isinstance(told, RateLimited) is (code == 429)


@pytest.mark.req("KG-E")
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_takes_neither_key_nor_prompt_along(
    status: int, provider: FakeOpenAI, model_settings: Make
) -> None:
    with fake_openai() as elsewhere:
        provider.play(redirect(status, f"{elsewhere.url}/chat/completions"))
        told = failure(model_settings())
        assert told.code == "MODEL_REDIRECTED" and not told.retryable
        assert len(provider.requests) == 1 and elsewhere.requests == []


@pytest.mark.parametrize(
    ("reply", "code", "attempts"),
    [
        (error(401, f"Incorrect API key provided: {KEY}."), "MODEL_KEY_REFUSED", 1),
        (error(403, KEY), "MODEL_KEY_REFUSED", 1),
        (error(400, f"API key not valid: {KEY}"), "MODEL_KEY_REFUSED", 1),
        (error(400, "This model's maximum context length is 8192 tokens."), "MODEL_CONTEXT", 1),
        (error(400, "no"), "MODEL_FAILED", 1),
        (error(404, "no such model"), "MODEL_NOT_FOUND", 1),
        (error(429, retry_after="0.01"), "RATE_LIMITED", 3),
        (error(500, f"at {KEY}", retry_after="0.01"), "MODEL_FAILED", 3),
        (cut_after("Metformin "), "MODEL_UNREACHABLE", 1),
        (malformed, "MODEL_FAILED", 1),
        (empty_choices, "MODEL_EMPTY", 1),
        (text(""), "MODEL_EMPTY", 1),
        (text(" \n \t"), "MODEL_EMPTY", 1),
        (text("", reason="length"), "MODEL_EMPTY", 1),
        (text("Take 5 mg", reason="content_filter"), "MODEL_FILTERED", 1),
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


@pytest.mark.req("KG-E")
@pytest.mark.parametrize("reply", [hang, hang_after("Metformin "), drip])
def test_a_silent_provider_is_given_up_after_one_call(
    reply: Reply, provider: FakeOpenAI, model_settings: Make
) -> None:
    """Comments, empty pieces and white space are silence too."""
    provider.play(reply)
    told = failure(model_settings(llm_first_token_seconds=1.5))
    assert (told.code, told.retryable) == ("MODEL_TIMEOUT", True)
    assert "FIRST_TOKEN" in told.advice
    assert len(provider.requests) == 1


def test_an_answer_that_never_ends_is_given_up(provider: FakeOpenAI, model_settings: Make) -> None:
    def endless(exchange: Exchange) -> None:
        exchange.open_stream()
        while not exchange.released.wait(0.02):
            exchange.piece("and ")

    provider.play(endless)
    told = failure(model_settings(llm_total_seconds=2.0, llm_first_token_seconds=1.9))
    assert told.code == "MODEL_TIMEOUT" and "TOTAL" in told.advice
    assert len(provider.requests) == 1


@pytest.mark.parametrize(
    "data",
    [
        "[1, 2]",
        '"text"',
        "3",
        '{"choices": 7}',
        '{"choices": [7]}',
        '{"choices": [{"delta": 7}]}',
        '{"choices": [{"delta": {"content": ["a"]}}]}',
        '{"choices": [{"delta": {}, "finish_reason": {"a": 1}}]}',
        '{"error": {"message": "overloaded"}}',
    ],
)
def test_json_of_another_form_is_a_failure_in_plain_words(
    data: str, provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(says(data))
    told = failure(model_settings())
    assert told.code == "MODEL_FAILED"
    assert ("overloaded" in told.message) == ("overloaded" in data)
    assert len(provider.requests) == 1


_PAGE = "<html><head><title>Sign in</title></head><body>Please sign in</body></html>"
_REFUSED = '{"error": {"message": "Model “x” is  not\\nloaded, see <b>docs</b>", "code": null}}'


@pytest.mark.parametrize(
    ("reply", "told_as", "attempts"),
    [
        (whole(_PAGE, "text/html; charset=utf-8"), "web page", 1),
        (whole(_PAGE, "text/html", 400), "web page", 1),
        (whole(_PAGE, "text/html", 403), "web page, not as a language model does (HTTP 403)", 1),
        (whole(_PAGE, "text/html", 502), "fault of its own (HTTP 502): it sent a web page", 3),
        (whole("", "text/event-stream"), "before its first word, and gave no reason", 1),
        (whole("data: [DONE]\n\n", "text/event-stream"), "gave no reason", 1),
        (whole('{"error": "no such model"}', "application/json"), ": “no such model”.", 1),
        (whole('{"choices": []}', "application/json"), "sent no stream", 1),
        (
            whole(_REFUSED, "application/json", 400),
            "“Model “x” is not loaded, see <b>docs</b>”.",
            1,
        ),
        (whole('{"detail": "Not today"}', "application/json", 422), "refused the request: “Not", 1),
        (whole('{"error": "not today"}', "application/json", 400), "request: “not today”.", 1),
        (whole('{"detail": [{"msg": "no x"}]}', "application/json", 422), "request: “no x”.", 1),
        (whole("", "application/json", 400), "refused the request.", 1),
        (error(400, f"{KEY} " + "long " * 100), " ...”.", 1),
        (error(503, "Overloaded", "0.01"), "(HTTP 503): “Overloaded”.", 3),
    ],
)
def test_the_reason_is_told_in_the_providers_own_words(
    reply: Reply, told_as: str, attempts: int, provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(reply)
    told = failure(model_settings())
    assert told_as in told.message and len(told.message) < 400
    assert KEY not in str(told) and "sign in" not in str(told) and "\n" not in str(told)
    assert len(provider.requests) == attempts


@pytest.mark.parametrize(
    ("asked", "wait"),
    [
        ("30", "a minute"),
        ("61", "2 minutes"),
        ("10800", "3 hours"),
        ("345600", "4 days"),
        ("Fri, 31 Dec 9999 23:59:59 GMT", "a while"),
        ("2300952840", "a while"),
        ("inf", "a while"),
    ],
)
def test_a_wait_is_told_in_words_that_one_can_plan_with(
    asked: str, wait: str, provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(error(429, retry_after=asked))
    told = failure(model_settings(llm_total_seconds=1))
    assert told.advice.startswith(f"Wait {wait}"), told.advice
    provider.play(error(503, retry_after=asked))
    told = failure(model_settings(llm_total_seconds=1))
    in_words = "a moment" if wait == "a minute" else wait
    assert told.advice.startswith(f"Ask again in {in_words}"), told.advice


def test_no_provider_at_all(model_settings: Make) -> None:
    told = failure(model_settings(llm_base_url="http://127.0.0.1:9/v1", llm_connect_seconds=0.5))
    assert told.code == "MODEL_UNREACHABLE"
