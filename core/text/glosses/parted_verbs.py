"""Verbs of German and Dutch questions that stand in two parts: "Wie setzt man es ab?" asks about "absetzen"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

from core.resources import read_table
from core.text.glosses.in_english import listed_words, spelt_out
from core.text.language import languages

_WORD = re.compile(r"[^\W\d_]+")
_CLAUSE = re.compile(r"[^.?!;:,]+")
_ENDINGS = ("est", "et", "st", "t", "e", "en", "")
_MOST_WORDS = 40  # of a clause


def with_whole_verbs(text: str) -> str:
    """A question in which verbs of two parts are whole, as infinitives where their second part stood; as it is
    where none is known, or in another language."""
    for code in languages(text):
        if code in _particles():
            whole = _CLAUSE.sub(partial(_whole, code), text)
            if whole != text:
                return whole
    return text


def _whole(code: str, found: re.Match[str]) -> str:
    """A clause of a language with its verb of two parts whole."""
    clause = found.group()
    words = list(_WORD.finditer(clause))
    if not 2 < len(words) <= _MOST_WORDS or words[-1].group().casefold() not in _particles()[code]:
        return clause
    last = words[-1]
    for verb in words[:-1]:
        for infinitive in _infinitives(verb.group().casefold(), code):
            whole = _listed(code).get(spelt_out(f"{last.group().casefold()}{infinitive}"))
            if whole is not None:
                # One that stands first asks whether.
                end = verb.end() if verb is words[0] else verb.start()
                between = clause[verb.end() : last.start()]
                between = between if verb is words[0] else between.lstrip()
                return f"{clause[:end]}{between}{whole}{clause[last.end() :]}"
    return clause


def _infinitives(word: str, code: str) -> Iterator[str]:
    """What a form may be of, its vowel changed or not."""
    strong = _verbs()[code].get(word)
    if strong is not None:
        yield strong
    for ending in _ENDINGS:
        if word.endswith(ending):
            yield f"{word[: len(word) - len(ending)]}en"


@cache
def _listed(code: str) -> dict[str, str]:
    """The words of a language as they are written, by how they are looked up."""
    return {spelt_out(word): word for word, _ in listed_words(code)}


@cache
def _particles() -> dict[str, frozenset[str]]:
    return {code: frozenset(words) for code, words in _verbs()["particles"].items()}


@cache
def _verbs() -> dict[str, Any]:
    return read_table(__file__, "verbs.toml")
