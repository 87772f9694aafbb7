"""What the answer's element is handed: sentences in parts, and what is wrong with them."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.checking.support import check
from core.domain.answers import Answer, Sentence, Support
from core.domain.graph import Mention
from pages.parts.chat.answer_view import _sentence
from tests.support.records import passages

CITATIONS = passages("The highest dose of metformin is 3,000 mg a day, above 30 mL/min.")


def shown(said: str) -> list[dict[str, Any]]:
    sentences = check(said, CITATIONS).sentences
    answer = Answer(
        "q", "q", "hybrid", False, sentences, CITATIONS, (), (), {}, "model", "session", ""
    )
    return [_sentence(one, answer, lambda _text: []) for one in sentences]


def wrong(one: dict[str, Any]) -> list[str]:
    return [part["text"] for part in one["parts"] if part.get("wrong")]


def test_a_wrong_number_is_apart_in_its_sentence() -> None:
    (one,) = shown("The highest dose of metformin is 3,500 mg a day or 4 tablets [1].")
    assert one["support"] == "unsupported"
    assert wrong(one) == ["3,500 mg a day", "4 tablets"]
    assert "".join(part.get("text", "") for part in one["parts"]) == (
        "The highest dose of metformin is 3,500 mg a day or 4 tablets."
    )


def test_a_limit_turned_round_marks_its_number() -> None:
    (one,) = shown("The highest dose of metformin is 3,000 mg a day, below 30 mL/min [1].")
    assert wrong(one) == ["30 mL/min"]


def test_a_note_on_a_right_sentence_marks_nothing() -> None:
    (one,) = shown("The highest dose of metformin is 3 g a day [1].")
    assert one["support"] == "document" and len(one["problems"]) == 1
    assert wrong(one) == []


TEXTS = st.text(alphabet="ab1 2.mg,", max_size=40)


@given(TEXTS, st.lists(TEXTS, max_size=3), st.integers(0, 40), st.integers(1, 9))
def test_no_letter_of_a_sentence_is_lost(
    text: str, problems: list[str], start: int, length: int
) -> None:
    mentions = [Mention("X", start, start + length, text[start : start + length])]
    found = mentions if text[start : start + length] and start + length <= len(text) else []
    sentence = Sentence(text, Support.UNSUPPORTED, (), (*problems, text[:9] + " is not there"))
    answer = Answer("", "", "hybrid", False, (sentence,), (), (), (), {}, "", "", "")
    parts = _sentence(sentence, answer, lambda _text: found)["parts"]
    assert "".join(part["text"] for part in parts) == text
