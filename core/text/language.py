"""Which language a text is in, by its commonest words: enough to choose a word list and to read numbers."""

from __future__ import annotations

import re

from core.text.function_words import FUNCTION_WORDS_OF

# What leaflets say over and over, for the short texts that have no function word ("Tagesdosis: 3 mg").
_OF_MEDICINES = {
    "en": "per daily take taken tablet tablets capsules dose doses day days doctor twice",
    "de": "pro täglich einnehmen eingenommen tablette tabletten kapseln tag tage tagesdosis höchstdosis "
    "dosierung beträgt bis einmal zweimal dreimal zwei drei höchstens mindestens arzt einnahme",
    "nl": "per dagelijks innemen inname neem tabletten capsules dag dagen dosering eenmaal tweemaal arts",
}
_WORDS = {
    code: words | frozenset(_OF_MEDICINES.get(code, "").split())
    for code, words in FUNCTION_WORDS_OF.items()
}
LANGUAGES = tuple(_WORDS)
# Their numbers have a decimal comma, and a point between thousands.
_DECIMAL_COMMA = frozenset({"de", "nl", "fr", "es", "it"})
_LETTERS = re.compile(r"[^\W\d_]+")


def language(text: str) -> str:
    """The language whose common words a text has most of: "en", "de", "nl", "fr", "es", "it".

    Empty where the words do not tell: none is known, or as many are of one language as of another.
    """
    best = languages(text)
    return best[0] if len(best) == 1 else ""


def languages(text: str) -> list[str]:
    """Those whose common words a text has most of: several where its words do not tell them apart."""
    words = [word.lower() for word in _LETTERS.findall(text)]
    counts = {code: sum(map(known.__contains__, words)) for code, known in _WORDS.items()}
    most = max(counts.values())
    return [code for code, count in counts.items() if count == most]


def may_be_alike(one: str, other: str) -> bool:
    """Whether two texts are in one language, as far as their words tell."""
    return len({language(one), language(other)} - {""}) < 2


def has_decimal_comma(text: str) -> bool | None:
    """Whether "1.000" in a text is a thousand and "2,5" two and a half; None when nothing tells."""
    found = language(text)
    return found in _DECIMAL_COMMA if found else None
