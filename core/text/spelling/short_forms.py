"""Short forms that a document gives for what it says at length: "pulmonary embolism (PE)".

Found as by Schwartz and Hearst, A simple algorithm for identifying abbreviation definitions in biomedical text,
Pac Symp Biocomput 2003: the letters of what stands in brackets are looked for in the words before it, from the
last one on; the first must begin a word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

_DEFINED = re.compile(r"(?<=\s)[(\[]([^\W_][\w-]{1,9})(?=[)\],;])")
_MOST_BEFORE = 150  # characters before a bracket
_MARK = re.compile(r"[.;:?!()\[\]](?=\s|$)|\n\s*\n")
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_TOKEN = re.compile(r"[^\W_][\w-]*")
_CAPITALS = 2  # of a short form, or all of its letters but an ending "s"
_FEWEST_WORDS = 2


class ShortForm(NamedTuple):
    """A short form and the words that it stands for, as the document writes them first."""

    short: str
    words: str


@dataclass(frozen=True, slots=True)
class AskedForms:
    """The short forms and the words for them that a question has one of each of.

    Attributes:
        pairs: what stands in statements, as a pattern of whole words, and what the question has in its place.
        stood_for: those in the question, in lower case, whose words documents have in their place.
    """

    pairs: tuple[tuple[re.Pattern[str], str], ...] = ()
    stood_for: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        question: str,
        known: Iterable[ShortForm],
        standard: Iterable[ShortForm] = (),
        texts: str = "",
    ) -> Self:
        """Those of a question.

        Args:
            known: what the documents give.
            standard: those in the question that no document need give; taken are those whose words stand in
                `texts`, of documents.
        """
        pairs: dict[str, tuple[re.Pattern[str], str]] = {}
        for one in dict.fromkeys(known):
            said, has_short = _said(one.words, question), _has_short(one.short, question)
            if said and not has_short:
                pairs[one.short] = (_short_pattern(one.short), said)
            elif has_short and not said:
                pairs[_folded(one.words)] = (_pattern(one.words), one.short)
        stood_for = set()
        for one in standard:
            if not _said(one.words, question) and _pattern(one.words).search(texts):
                pairs.setdefault(_folded(one.words), (_pattern(one.words), one.short))
                stood_for.add(one.short.casefold())
        return cls(tuple(pairs.values()), frozenset(stood_for))

    def put(self, text: str) -> str:
        """A statement with the question's words for them; itself where it has none."""
        for pattern, words in self.pairs:
            text = pattern.sub(words.replace("\\", r"\\"), text)
        return text


def short_forms(text: str) -> tuple[ShortForm, ...]:
    """The short forms that a text gives, each once, and uses beside where it gives them."""
    found: dict[str, ShortForm] = {}
    for match in _DEFINED.finditer(text):
        if one := _defined(match[1], text[max(0, match.start() - _MOST_BEFORE) : match.start()]):
            found.setdefault(one.short, one)
    used = Counter(_TOKEN.findall(text))
    return tuple(one for one in found.values() if used[one.short] + used[f"{one.short}s"] > 1)


def _defined(short: str, before: str) -> ShortForm | None:
    """The words right before a bracket that its short form stands for."""
    bare = short.removesuffix("s") if short[:-1].isupper() else short
    if sum(map(str.isupper, bare)) < min(_CAPITALS, len(bare)) or bare.isdigit():
        return None
    begin = max((mark.end() for mark in _MARK.finditer(before)), default=0)
    words = list(_WORD.finditer(before, begin))
    most = min(len(bare) + 5, 2 * len(bare))
    first = _beginning(bare, before, words[-most:])
    said = " ".join(before[first:].split()) if first is not None else ""
    return ShortForm(bare, said) if _FEWEST_WORDS <= len(_folded(said).split()) <= most else None


def _beginning(short: str, before: str, words: Sequence[re.Match[str]]) -> int | None:
    """Where the words begin that have a short form's letters, looked for from the last one on."""
    if not words:
        return None
    least = words[0].start()
    place = len(before)
    letters = [one for one in short.casefold() if one.isalnum()]
    folded = before.casefold()
    for number, letter in enumerate(reversed(letters)):
        is_first = number == len(letters) - 1
        place -= 1
        while place >= least and (
            folded[place] != letter or (is_first and place > 0 and folded[place - 1].isalnum())
        ):
            place -= 1
        if place < least:
            return None
    return place


def _has_short(short: str, question: str) -> bool:
    return short in question and _short_pattern(short).search(question) is not None


def _short_pattern(short: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(short)}s?(?!\w)")


def _folded(words: str) -> str:
    return words.casefold().replace("-", " ")


def _said(words: str, question: str) -> str:
    """How a question says them, or what they are a kind of: "atrial fibrillation" of "non-valvular atrial
    fibrillation"; "" where it does not."""
    # Patterns are dear, and most documents give some twenty forms that no question has.
    if _folded(words).removesuffix("s").rpartition(" ")[2] not in question.casefold():
        return ""
    parts = words.split()
    for first in range(len(parts) - _FEWEST_WORDS + 1):
        if found := _pattern(" ".join(parts[first:])).search(question):
            return found.group()
    return ""


def _pattern(words: str) -> re.Pattern[str]:
    """Matches words that stand beside each other, with an ending "s" or without."""
    parts = re.split(r"[\s-]+", words.removesuffix("s"))
    joined = r"[\s-]+".join(map(re.escape, parts))
    return re.compile(rf"(?<!\w){joined}s?(?!\w)", re.IGNORECASE)
