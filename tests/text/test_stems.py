"""Content words and stems."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from core.text.stems import content_words, stem, stems


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
