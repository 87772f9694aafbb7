"""Citation marks in all forms that models write."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answers.draft import finished_part
from core.checking.citation_marks import plain_marks
from core.checking.cited_sentences import marked_sentences


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("It helps [1].", "It helps [1]."),
        ("It helps 【1】.", "It helps [1]."),
        ("It helps【2†L3-L5】.", "It helps[2]."),
        ("It helps ［１］.", "It helps [1]."),
        ("It helps [１，２].", "It helps [1, 2]."),
        ("It helps [1, 2].", "It helps [1, 2]."),
        ("It helps [1; 2 and 3].", "It helps [1, 2, 3]."),
        ("It helps [1][2].", "It helps [1][2]."),
        ("It helps [1], [2] and [3].", "It helps [1][2][3]."),
        ("It helps [1–3].", "It helps [1-3]."),
        ("It helps [^1].", "It helps [1]."),
        ("It helps [#1].", "It helps [1]."),
        ("It helps [Source 1].", "It helps [1]."),
        ("It helps [Sources: 1, 2].", "It helps [1, 2]."),
        ("It helps [Source 1, Source 2].", "It helps [1, 2]."),
        ("Es hilft [Quelle 1 und 2].", "Es hilft [1, 2]."),
        ("It helps [1, p. 3].", "It helps [1]."),
        ("It helps [1](#source-1).", "It helps [1]."),
        ("It helps<sup>[1]</sup>.", "It helps[1]."),
        ("It helps ([1]).", "It helps [1]."),
        ("It helps (see [1] and [2]).", "It helps [1][2]."),
        ("It helps (source 1) and heals (sources 2-3).", "It helps [1] and heals [2-3]."),
        ("It helps (1). It harms (2, 3).", "It helps [1]. It harms [2, 3]."),
        ("It helps. (1) It harms. (2)", "It helps. [1] It harms. [2]"),
        ("It helps (1)(2).", "It helps [1][2]."),
        ("It helps （1）.", "It helps [1]."),
    ],
)
def test_a_mark_has_one_form(written: str, plain: str) -> None:
    assert plain_marks(written) == plain


@pytest.mark.parametrize(
    "text",
    [
        "Take it (2) times.",
        "Take (2) doses.",
        "Five (5) tablets are enough.",
        "The limit is five (5).",
        "Der Höchstwert ist fünf (5).",
        "The dose is high (5 mg).",
        "It was seen (n = 12).",
        "Ages count [2 mg].",
        "The target is [2.0-3.0].",
        "See table [A1].",
        "(1) Take it. (2) Wait.",
        "Steps: (1) take it; (2) Wait.",
        "(1) Take it (2). Wait.",
        "It fell (12%).",
        "In 2019 (100) people came.",
        "The year was (2019).",
        "5-HT(1A) agonists help.",
    ],
)
def test_a_number_of_the_sentence_is_no_mark(text: str) -> None:
    assert plain_marks(text) == text


FORMS = (
    "[{0}]", "【{0}】", "［{0}］", "[ {0} ]", "[^{0}]", "[Source {0}]", "[Quelle {0}]", "(source {0})",
    "([{0}])", "[{0}, p. 7]", "【{0}†source】", "[Evidence: {0}]", "(see [{0}])", "[#{0}]",
)  # fmt: skip
SEPARATORS = (", ", "; ", ",", " and ", " & ")
WORDS = ("it helps", "take 5 mg (2 tablets) a day", "wait (2) hours", "use (n = 3) drops", "rest")
SENTENCES = st.lists(
    st.tuples(
        st.sampled_from(WORDS),
        st.lists(st.integers(1, 40), min_size=1, max_size=3),
        st.sampled_from(FORMS),
        st.sampled_from(SEPARATORS),
        st.booleans(),
        st.booleans(),
    ),
    min_size=1,
    max_size=5,
)


def written(parts: list[tuple[str, list[int], str, str, bool, bool]]) -> str:
    said = []
    for words, numbers, form, separator, apart, inside in parts:
        if apart:
            marks = "".join(form.format(n) for n in numbers)
        else:
            marks = form.format(separator.join(map(str, numbers)))
        said.append(f"So {words} {marks}." if inside else f"So {words}. {marks}")
    return " ".join(said)


@given(SENTENCES)
def test_no_mark_is_lost_or_invented_in_any_form(
    parts: list[tuple[str, list[int], str, str, bool, bool]],
) -> None:
    found = [(one.text, one.numbers) for one in marked_sentences(written(parts))]
    assert found == [(f"So {words}.", tuple(numbers)) for words, numbers, *_ in parts]


ROUND = st.lists(
    st.tuples(st.sampled_from(WORDS), st.lists(st.integers(1, 40), min_size=1, max_size=3)),
    min_size=1,
    max_size=5,
)


@given(ROUND, st.booleans())
def test_round_brackets_cite_where_nothing_else_does(
    parts: list[tuple[str, list[int]]], inside: bool
) -> None:
    marks = [", ".join(map(str, numbers)) for _, numbers in parts]
    said = [
        f"So {words} ({mark})." if inside else f"So {words}. ({mark})"
        for (words, _), mark in zip(parts, marks, strict=True)
    ]
    found = [(one.text, one.numbers) for one in marked_sentences(" ".join(said))]
    assert found == [(f"So {words}.", tuple(numbers)) for words, numbers in parts]


@given(SENTENCES, st.integers(0, 400))
def test_a_broken_off_text_keeps_whole_sentences_with_their_marks(
    parts: list[tuple[str, list[int], str, str, bool, bool]], length: int
) -> None:
    text = written(parts)
    whole = [(one.text, one.numbers) for one in marked_sentences(text)]
    kept = [(one.text, one.numbers) for one in marked_sentences(finished_part(text[:length]))]
    assert [said for said, _ in kept] == [said for said, _ in whole[: len(kept)]]
    # Of "It helps. [1][2]" broken off after "[1]" the second mark was not written yet.
    assert kept[:-1] == whole[: max(len(kept) - 1, 0)]
    assert all(
        numbers == full[: len(numbers)] and numbers
        for (_, numbers), (_, full) in zip(kept, whole, strict=False)
    )


@given(st.text(alphabet="ab1２. \n[]【】()（）|,;-–*#:†^spource", max_size=80))
def test_any_text_has_plain_marks_once(text: str) -> None:
    plain = plain_marks(text)
    assert (
        re.sub(r"[\W\d]|source|p", "", plain) == re.sub(r"[\W\d]|source|p", "", text) or "†" in text
    )
