"""The words that documents of a library are called by."""

from __future__ import annotations

from collections.abc import Container

from core.text.spelling.everyday import is_everyday
from core.text.spelling.medicines import is_medicine


class TitleNames(Container[str]):
    """The words of titles, case-folded, that name what a document is about, and not those in everyday use."""

    def __init__(self, words: Container[str]) -> None:
        self._words = words

    def __contains__(self, word: object) -> bool:
        return (
            isinstance(word, str)
            and word in self._words
            and (is_medicine(word) or not _is_ordinary(word))
        )


def _is_ordinary(word: str) -> bool:
    """Whether a word, or what it is the plural of, is in everyday use: "patients" in a paper's title."""
    return is_everyday(word, "en") or is_everyday(word.removesuffix("s"), "en")
