"""Which words a language has in everyday use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache


@cache
def word_frequencies(code: str) -> Mapping[str, int]:
    """Words of a language (as `core.text.language` codes it; English for an empty code), lower case, and
    how often each stands in the list's source."""
    from spellchecker import SpellChecker

    return SpellChecker(language=code or "en", distance=1).word_frequency.dictionary
