"""The check of a model's text against what it cites."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.answers import prompts
from core.answers.support import check
from core.domain.answers import Support
from core.domain.graph import Fact
from tests.answers.make import DIABETES, METFORMIN, passages, with_fact

DOSE = "The highest dose of metformin is 3,000 mg a day, divided into three doses."
STORE = "Do not store metformin above 30 °C."
BOTH = passages(DOSE, STORE)
SIX = passages(*(f"Passage {n} of the leaflet speaks of kidneys." for n in range(1, 7)))


def marks(text: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(s.text, s.citations) for s in check(text, SIX).sentences]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Kidneys matter [1].", [("Kidneys matter.", (1,))]),
        ("Kidneys matter. [1]", [("Kidneys matter.", (1,))]),
        ("Kidneys matter.[1][2]", [("Kidneys matter.", (1, 2))]),
        ("Kidneys matter [2-4].", [("Kidneys matter.", (2, 3, 4))]),
        ("Kidneys matter [2–4].", [("Kidneys matter.", (2, 3, 4))]),
        ("Kidneys matter [1, 3; 5].", [("Kidneys matter.", (1, 3, 5))]),
        ("Kidneys matter [3][3][1].", [("Kidneys matter.", (3, 1))]),
        (
            "Kidneys matter. [1] Leaflets speak. [2] So.",
            [("Kidneys matter.", (1,)), ("Leaflets speak.", (2,)), ("So.", ())],
        ),
        ("Kidneys [1] matter [2]!", [("Kidneys matter!", (1, 2))]),
        ("- Kidneys matter [1]\n- Leaflets speak [2]", [("Kidneys matter", (1,)), ("Leaflets speak", (2,))]),
        ("Take 2.5 mg [1]. Then rest [2].", [("Take 2.5 mg.", (1,)), ("Then rest.", (2,))]),
        ("**Kidneys** matter [1].", [("Kidneys matter.", (1,))]),
        ("[1]", []),
        ("", []),
    ],
)  # fmt: skip
def test_marks_belong_to_the_sentence_they_follow(
    text: str, found: list[tuple[str, tuple[int, ...]]]
) -> None:
    assert marks(text) == found


def test_unknown_numbers_are_removed_and_reported_once() -> None:
    checked = check("Kidneys matter [1][9]. It is so [9, 12]. Also [0].", SIX)
    assert checked.invented == (9, 12, 0)
    assert [s.citations for s in checked.sentences] == [(1,), (), ()]


def test_an_absurd_range_is_read_as_its_ends() -> None:
    assert check("Kidneys matter [1-99999999].", SIX).invented == (99999999,)


def test_support_names_the_kind_of_evidence() -> None:
    citations = with_fact(*BOTH, fact=Fact(METFORMIN, "TREATS", DIABETES))
    text = (
        "Do not store metformin above 30 °C [2]. Metformin treats type 2 diabetes mellitus [3]. "
        "Metformin, highest dose 3000 mg a day, treats diabetes mellitus [1][3]."
    )
    found = check(text, citations).sentences
    assert [s.support for s in found] == [Support.DOCUMENT, Support.GRAPH, Support.BOTH]
    assert all(s.problems == () for s in found)


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("The highest dose of metformin is 3,500 mg a day [1].", "3500"),
        ("The highest dose of metformin is 3 mg a day [1].", "3"),
        ("The highest dose of metformin is 3,000 mg a day [2].", "3000"),
        ("The highest dose of metformin is 3,000 mg a day.", "no evidence is cited"),
        ("Paris has been France's capital for centuries [1].", "something else"),
    ],
)
def test_what_the_evidence_does_not_say_is_unsupported(said: str, problem: str) -> None:
    (sentence,) = check(said, BOTH).sentences
    assert sentence.support is Support.UNSUPPORTED
    assert problem in " ".join(sentence.problems)


@pytest.mark.parametrize("said", ["3000 mg", "3,000 mg", "3,000.0 mg"])
def test_a_number_may_be_spelled_in_another_way(said: str) -> None:
    (sentence,) = check(f"The highest dose of metformin is {said} a day [1].", BOTH).sentences
    assert sentence.support is Support.DOCUMENT


def test_the_closing_disclaimer_is_left_out() -> None:
    for closing in (prompts.CLOSING, prompts.CLOSING.replace("⚠️ ", "**") + "**"):
        checked = check(f"{DOSE} [1]\n\n{closing}", BOTH, ignore=(prompts.CLOSING,))
        assert [s.text for s in checked.sentences] == [DOSE], closing


WORDS = st.lists(st.sampled_from(["kidneys", "matter", "speak", "leaflet"]), min_size=1, max_size=6)
MARKS = st.lists(st.integers(0, 12), max_size=4)


@settings(max_examples=200)
@given(st.lists(st.tuples(WORDS, MARKS, st.booleans()), max_size=6))
def test_each_sentence_keeps_its_words_and_known_marks(
    parts: list[tuple[list[str], list[int], bool]],
) -> None:
    said = []
    for words, cited, inside in parts:
        row = "".join(f"[{n}]" for n in cited)
        sentence = f"The {' '.join(words)}"
        said.append(f"{sentence} {row}." if inside else f"{sentence}. {row}")
    checked = check(" ".join(said), SIX)
    assert [s.text for s in checked.sentences] == [f"The {' '.join(words)}." for words, *_ in parts]
    for sentence, (_, cited, _) in zip(checked.sentences, parts, strict=True):
        assert sentence.citations == tuple(dict.fromkeys(n for n in cited if 1 <= n <= 6))
    invented = [n for _, cited, _ in parts for n in cited if not 1 <= n <= 6]
    assert checked.invented == tuple(dict.fromkeys(invented))


@settings(max_examples=300)
@given(st.text(alphabet="ab1. \n[],;-–*0123456789#", max_size=80))
def test_any_text_is_read(text: str) -> None:
    checked = check(text, SIX)
    for sentence in checked.sentences:
        assert sentence.text and set(sentence.citations) <= set(range(1, 7))
        assert bool(sentence.problems) is (sentence.support is Support.UNSUPPORTED)
