"""The language model behind a real socket: streams, retries, and failures told in plain words."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Generator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from core.domain.answers import Usage
from core.domain.stopping import StopSignal
from core.errors import ModelError, RateLimited
from core.llm.model import (
    LONGEST_ANSWER,
    OVERLONG,
    REFUSED,
    STOPPED,
    Completion,
    OpenAIModel,
    Part,
    Pause,
)
from core.llm.prices import usage
from core.llm.reasoning import Withdrawn
from core.settings import Settings
from tests.support.answering import KEY
from tests.support.fake_openai import (
    Exchange,
    FakeOpenAI,
    Reply,
    cut_after,
    drip,
    empty_choices,
    endless,
    error,
    fake_openai,
    hang,
    hang_after,
    hung_up_on,
    malformed,
    redirect,
    refusal,
    text,
    whole,
)

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


# -- what is no answer -----------------------------------------------------------------------------


def parts(settings: Settings) -> tuple[list[Part], Completion]:
    """What a model brings, and how it ends."""
    *pieces, end = OpenAIModel(settings).stream(MESSAGES)
    assert isinstance(end, Completion)
    return pieces, end


@pytest.mark.parametrize("length", [1, 4, 1000])
def test_thoughts_are_left_out_and_paid_for(
    length: int, provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(text("\n<think>\n900 mg, or not?\n</think>\n\nTake 7 mg [1].", length))
    pieces, end = parts(model_settings())
    assert "".join(map(str, pieces)) == "Take 7 mg [1]." and end.reason == "stop"
    provider.play(text(f"<think>{'so ' * 3000}</think>Take 7 mg [1].", 500, reason=None))
    thought = used(model_settings(), counted=False)
    provider.play(text("Take 7 mg [1].", reason=None))
    assert (
        thought.completion_tokens > 1000 > used(model_settings(), counted=False).completion_tokens
    )


def test_thoughts_do_not_count_for_the_longest_answer(
    provider: FakeOpenAI, model_settings: Make
) -> None:
    thoughts = "900 mg, or not? " * (LONGEST_ANSWER // 10)
    for words in (
        f"<think>{thoughts}</think>Take 7 mg [1].",
        f"{thoughts[:19_000]}</think>Take 7 mg [1].",
    ):
        provider.play(text(words, 900))
        pieces, end = parts(model_settings())
        assert pieces[-1] == "Take 7 mg [1]." and end.reason == "stop"


def test_an_end_of_thoughts_alone_withdraws_what_came(
    provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(text("900 mg, or not?</think>Take 7 mg [1].", 5))
    pieces, _ = parts(model_settings())
    at = pieces.index(Withdrawn())
    assert pieces.count(Withdrawn()) == 1 and "900" in "".join(map(str, pieces[:at]))
    assert "".join(map(str, pieces[at + 1 :])) == "Take 7 mg [1]."


@pytest.mark.parametrize(
    "words", ["<think>900 mg.", "<think>900 mg.</think>\n", "900 mg.</think> "]
)
def test_thoughts_alone_are_no_answer(
    words: str, provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(text(words))
    assert failure(model_settings()).code == "MODEL_EMPTY"
    provider.play(text(words, reason="length"))
    assert "tokens" in str(failure(model_settings()))


def test_a_refusal_in_a_field_of_its_own_is_one(provider: FakeOpenAI, model_settings: Make) -> None:
    provider.play(refusal("I can't assist with that."))
    pieces, end = parts(model_settings())
    assert "".join(map(str, pieces)) == "I can't assist with that."
    assert end.reason == REFUSED and end.usage == Usage(1234, 56, None, True)


@pytest.mark.parametrize("length", [7, 19_999, 20_000, 20_001])
def test_an_answer_is_cut_at_the_longest_there_is(
    length: int, provider: FakeOpenAI, model_settings: Make
) -> None:
    whole = "".join(f"{n:05} " for n in range(LONGEST_ANSWER // 6 + 1))[:length]
    provider.play(text(whole, 777))
    pieces, end = parts(model_settings())
    assert "".join(map(str, pieces)) == whole[:LONGEST_ANSWER]
    assert end.reason == (OVERLONG if length > LONGEST_ANSWER else "stop")


@pytest.mark.parametrize("words", ["so ", "so" * 5_000])
def test_who_writes_without_end_is_hung_up_on(
    words: str, provider: FakeOpenAI, model_settings: Make
) -> None:
    hung_up = threading.Event()
    provider.play(endless(words, hung_up))
    pieces, end = parts(model_settings())
    assert len("".join(map(str, pieces))) == LONGEST_ANSWER
    assert end.reason == OVERLONG and end.usage is not None and not end.usage.counted
    assert hung_up.wait(15), "the provider still thinks that somebody listens"
    assert len(provider.requests) == 1


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


# -- what it cost ----------------------------------------------------------------------------------


def used(settings: Settings, *, counted: bool = True) -> Usage:
    """What an answer used, as the provider counted it, or else as it is estimated."""
    end = list(OpenAIModel(settings).stream(MESSAGES))[-1]
    assert isinstance(end, Completion) and end.usage is not None
    assert end.usage.counted is counted
    return end.usage


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


def says(data: str) -> Reply:
    """A piece of the answer, then JSON of another form."""

    def reply(exchange: Exchange) -> None:
        exchange.open_stream()
        exchange.piece("Metformin ")
        exchange.event(data)
        exchange.end_stream()

    return reply


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


@pytest.mark.parametrize("data", ['{"choices": []}', "{}", '{"choices": null, "usage": {}}'])
def test_chunks_that_say_nothing_do_no_harm(
    data: str, provider: FakeOpenAI, model_settings: Make
) -> None:
    provider.play(says(data))
    assert answer(model_settings()) == "Metformin "


def test_no_provider_at_all(model_settings: Make) -> None:
    told = failure(model_settings(llm_base_url="http://127.0.0.1:9/v1", llm_connect_seconds=0.5))
    assert told.code == "MODEL_UNREACHABLE"


def test_settings_show_no_key(model_settings: Make) -> None:
    settings = model_settings()
    assert KEY not in repr(settings) + str(settings.model_dump()) + repr(OpenAIModel(settings))
