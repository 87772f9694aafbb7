"""Lists of everyday words."""

from __future__ import annotations

import pytest
from spellchecker import SpellChecker

from core.text.word_lists import _Sorted, commonness, word_frequencies


def test_a_list_in_little_memory_is_the_list() -> None:
    kept, whole = word_frequencies("es"), SpellChecker(language="es").word_frequency.dictionary
    assert dict(kept) == dict(whole)
    assert all(kept[word] == number for word, number in list(whole.items())[::50])
    for word in ("", "agua", "aguas", "aguaa", "\ud800", "ÁGUA", "zzz", "ñ", max(whole) + "a"):
        assert kept.get(word, 0) == whole.get(word, 0) and (word in kept) == (word in whole)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Zorvexil common side effects", "en"),
        ("overdose Zorvexil", "en"),
        ("Was kostet Zorvexil", "de"),
        ("Zorvexil Nebenwirkungen", "de"),
        ("Zorvexil bijwerkingen", "nl"),
    ],
)
def test_words_are_commonest_in_their_language(text: str, code: str) -> None:
    assert max(("en", "de", "nl"), key=lambda one: commonness(text, one)) == code
    assert commonness("Zorvexil 5", code) == 0


def test_the_total_of_a_list_in_little_memory_is_its_sum() -> None:
    kept = word_frequencies("de")
    assert isinstance(kept, _Sorted) and kept.total() == sum(kept.values())
