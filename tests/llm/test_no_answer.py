"""What a model sends and what is no answer: thoughts, refusals, text without end."""

from __future__ import annotations

import threading

import pytest

from core.domain.answers import Usage
from core.llm.model import LONGEST_ANSWER, OVERLONG, REFUSED
from core.llm.reasoning import Withdrawn
from tests.llm.asking import Make, failure, parts, used
from tests.support.fake_openai import FakeOpenAI, endless, refusal, text


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
