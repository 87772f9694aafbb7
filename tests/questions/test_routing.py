"""The kind of a question, by whole words in a fixed order."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.questions.routing import QueryType, route

KEYWORDS = {
    "similar": QueryType.SEMANTIC,
    "like": QueryType.SEMANTIC,
    "pathway": QueryType.STRUCTURAL,
    "mechanism": QueryType.STRUCTURAL,
    "list": QueryType.EXACT,
    "all": QueryType.EXACT,
}
ORDER = [QueryType.SEMANTIC, QueryType.STRUCTURAL, QueryType.EXACT]
LETTERS = "abcdefghijklmnopqrstuvwxyzäöü"
other_words = st.text(LETTERS, min_size=1, max_size=12).filter(lambda word: word not in KEYWORDS)
other_text = st.lists(other_words, max_size=6)
separators = st.sampled_from([" ", ", ", "? ", "\n", " (", "/", ". ", " - "])


def cased(word: str, upper: bool) -> str:
    return word.upper() if upper else word


@pytest.mark.req("KG-41", "KG-42", "KG-43")
@given(
    before=other_text,
    keyword=st.sampled_from(sorted(KEYWORDS)),
    after=other_text,
    separator=separators,
    upper=st.booleans(),
)
def test_one_keyword_decides_wherever_it_stands(
    before: list[str], keyword: str, after: list[str], separator: str, upper: bool
) -> None:
    question = separator.join([*before, cased(keyword, upper), *after])
    assert route(question) is KEYWORDS[keyword]


@pytest.mark.req("KG-44")
@given(words=other_text, separator=separators)
def test_without_a_keyword_it_is_hybrid(words: list[str], separator: str) -> None:
    assert route(separator.join(words)) is QueryType.HYBRID


@pytest.mark.req("KG-41", "KG-42", "KG-43")
@given(
    keywords=st.lists(st.sampled_from(sorted(KEYWORDS)), min_size=2, max_size=5), rest=other_text
)
def test_of_several_the_first_in_the_fixed_order_wins(keywords: list[str], rest: list[str]) -> None:
    expected = min((KEYWORDS[keyword] for keyword in keywords), key=ORDER.index)
    assert route(" ".join([*rest, *keywords])) is expected
    assert route(" ".join([*reversed(keywords), *rest])) is expected


@pytest.mark.req("KG-44")
@given(keyword=st.sampled_from(sorted(KEYWORDS)), part=st.text(LETTERS, min_size=1, max_size=5))
def test_a_keyword_inside_a_word_is_none(keyword: str, part: str) -> None:
    for word in (part + keyword, keyword + part, part + keyword + part):
        if word not in KEYWORDS:
            assert route(f"the {word} here") is QueryType.HYBRID


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Is an allergy to penicillin likely?", QueryType.HYBRID),
        ("Is it unlikely, dissimilar or listless?", QueryType.HYBRID),
        ("Overall, which pathways and mechanisms?", QueryType.HYBRID),
        ("Drugs like metformin", QueryType.SEMANTIC),
        ("What is SIMILAR to warfarin?", QueryType.SEMANTIC),
        ("Mechanism of metformin?", QueryType.STRUCTURAL),
        ("List all drugs", QueryType.EXACT),
        ("List drugs like metformin by mechanism", QueryType.SEMANTIC),
        ("List the mechanism of all drugs", QueryType.STRUCTURAL),
        ("", QueryType.HYBRID),
    ],
)
def test_questions_as_people_ask_them(question: str, expected: QueryType) -> None:
    assert route(question) is expected


def test_the_types_have_the_documented_names() -> None:
    assert [str(kind) for kind in QueryType] == ["semantic", "structural", "exact", "hybrid"]
    assert all(re.fullmatch("[a-z]+", kind) for kind in QueryType)
