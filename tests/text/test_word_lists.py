"""Lists of everyday words."""

from __future__ import annotations

from spellchecker import SpellChecker

from core.text.word_lists import word_frequencies


def test_a_list_in_little_memory_is_the_list() -> None:
    kept, whole = word_frequencies("es"), SpellChecker(language="es").word_frequency.dictionary
    assert dict(kept) == dict(whole)
    assert all(kept[word] == number for word, number in list(whole.items())[::50])
    for word in ("", "agua", "aguas", "aguaa", "\ud800", "ÁGUA", "zzz", "ñ", max(whole) + "a"):
        assert kept.get(word, 0) == whole.get(word, 0) and (word in kept) == (word in whole)
