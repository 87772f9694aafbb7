"""Content words, stems and numbers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.text.words import content_words, numbers, stem, stems


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1,000 mg", {"1000"}),
        ("1000 mg", {"1000"}),
        ("1,234,567", {"1234567"}),
        ("1,000.50", {"1000.5"}),
        ("2.5 mg", {"2.5"}),
        ("2,5 mg", {"2.5"}),
        ("2.50 mg and 2,5 mg", {"2.5"}),
        ("10.0 and 10 and 100", {"10", "100"}),
        ("25 °C, 30 mL/min.", {"25", "30"}),
        ("7.5-15 mg", {"7.5", "15"}),
        ("CYP2C9 and B12", set()),
        ("none", set()),
    ],
)
def test_numbers_have_one_spelling(text: str, found: set[str]) -> None:
    assert numbers(text) == found


@settings(max_examples=200)
@given(st.integers(0, 10**9))
def test_grouped_and_plain_numbers_are_equal(value: int) -> None:
    assert numbers(f"up to {value:,} mg") == numbers(f"up to {value} mg") == {str(value)}


@settings(max_examples=200)
@given(st.integers(0, 999), st.integers(1, 99))
def test_point_and_comma_are_equal(whole: int, part: int) -> None:
    assert numbers(f"{whole}.{part:02} mg") == numbers(f"{whole},{part:02} mg")


@settings(max_examples=200)
@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_different_numbers_stay_different(one: int, other: int) -> None:
    assert (numbers(str(one)) == numbers(str(other))) is (one == other)


def test_content_words_carry_the_meaning() -> None:
    assert content_words("What is the maximum dose of Metformin, and the dose of it?") == [
        "maximum", "dose", "metformin",
    ]  # fmt: skip
    assert content_words("what should I do?") == []


def test_stems_join_the_forms_of_a_word() -> None:
    assert stem("contraindications") == stem("contraindicated")
    assert stem("Storage") == stem("store") or stem("stored") == stem("store")
    assert stem("breast") in stems("breast-feeding") and stem("breast-feeding") in stems(
        "breast-feeding"
    )


@settings(max_examples=100)
@given(st.text(max_size=200))
def test_every_content_word_is_found_in_its_own_text(text: str) -> None:
    words = content_words(text)
    assert len(words) == len(set(words))
    assert {stem(word) for word in words} <= stems(text)
