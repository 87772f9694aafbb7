"""The words of a library, as far as a misspelt word of a question may be meant for one."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from core.documents.store.library import SearchStore
from core.graph.names.misspelt import NearWord, words_near
from core.graph.names.spelling import Reading, Spelling
from core.questions.leaflets.reader import conditions_told
from core.text.language import language, languages
from core.text.spelling.medicines import (
    is_generic,
    is_medicine,
    names_begun,
    of_the_same,
)
from core.text.spelling.standard_forms import is_meant_short, standard_forms
from core.text.spelling.typing_errors import cost
from core.text.stems import stem
from core.text.word_lists import word_frequencies

_TOKEN = re.compile(r"[^\W_]+")
_LOOKED_THROUGH = 20  # passages, for a word as it is written
_AS_COMMON_AS_A_NAME = 1_000  # times in the list of everyday words
_SHORTEST_BEGINNING = 4  # letters of a name that is not spoken to its end
_SHORTEST_NAME = 6  # letters of a medicine's that a compound begins with
_COMPOUNDING = ("de", "nl")
_MOST_COUNTED = 8  # everyday words near a written one that are looked for in the library


@dataclass(frozen=True, slots=True)
class LibraryWords:
    """What a library says beside a question.

    Args:
        titled: words that titles of documents name them with.
    """

    library: SearchStore
    scope: tuple[str, ...]
    question: str
    titled: Collection[str]
    _counted: dict[str, int] = field(default_factory=dict)

    def has(self, word: str) -> bool:
        """Whether a word is one of a language that the question may be in, or stands in the library as it is:
        full text alone takes "prednison" for a form of prednisone."""
        likely = languages(self.question)
        if any(word in word_frequencies(code) for code in likely if code != "en"):
            return True
        return self.passages(word) > 0

    def near(self, word: str) -> Iterator[NearWord]:
        """Titles near a word and, in an English question, everyday words near it that the library has."""
        titled: dict[int, list[str]] = {}
        for one in self.titled:
            titled.setdefault(len(one), []).append(one)
        for one in words_near(word, lambda length: titled.get(length, ())):
            yield NearWord(one, one, f"title {one}")
        # Full text finds what has the same stem, however it is written.
        if language(self.question) not in ("", "en") or self._in_any_form(word):
            return
        everyday = words_near(word, lambda length: _everyday(length, word[0]))
        for one in sorted(everyday, key=lambda one: (cost(word, one), one))[:_MOST_COUNTED]:
            if self._in_any_form(one):
                usage = math.log(word_frequencies("en")[one] / _AS_COMMON_AS_A_NAME)
                yield NearWord(one, one, is_name=False, usage=usage)

    def called(self, word: str) -> str:
        """What the library calls the medicine that a word in lower case is a name of, where it never has that
        word: "fingolimod" of "gilenya"; "" where it does not have the medicine. Never another trade name, whose
        strengths may be others: what it writes in small letters is the substance, and what the list of all
        medicines has as a substance's name, which German writes with a capital.
        """
        if not is_medicine(word):
            return self._begun(word)
        if self._in_any_form(word):
            return ""
        names = [one for one in of_the_same(word) if stem(one) != stem(word)]
        counted = [(self._as_substance(one), one) for one in names if self._in_any_form(one)]
        most, name = max(counted, default=(0, ""))
        return name if most else ""

    def _begun(self, word: str) -> str:
        """The one medicine whose name begins with a word that is none: "vancomycin" of "vanc"; of the titles,
        and where these have none of the substances that the library names. "" where there are several, or the
        word is of a language or of the library."""
        if len(word) < _SHORTEST_BEGINNING or self.has(word) or word in word_frequencies("en"):
            return ""
        begun = {one for one in self.titled if one.startswith(word) and is_medicine(one)}
        begun = begun or {one for one in names_begun(word) if self.passages(one)}
        return next(iter(begun)) if len(begun) == 1 and not self._in_any_form(word) else ""

    def _as_substance(self, word: str) -> int:
        """How many of the passages that full text finds first have a word as a substance's name."""
        if is_generic(word):
            return self.passages(word)
        found = self.library.search_text(word, self.scope, _LOOKED_THROUGH)
        small = re.compile(rf"\b{re.escape(word)}\b")
        chunks = self.library.chunks_by_id(chunk_id for chunk_id, _ in found)
        return sum(bool(small.search(chunk.text)) for chunk, _ in chunks.values())

    def spelt_out(self, spelling: Spelling) -> Spelling:
        """A spelling with the short forms of clinical terms that the question has and the library has not, read
        as what they stand for, where it has that: "AF" as "atrial fibrillation". One that says something of a
        patient ("GFR 25") is understood as it is. And with German and Dutch compounds that begin with a
        medicine's name, in two words: "Glucagondosis" as "Glucagon Dosis"."""
        taken = [(one.start, one.end) for one in spelling.readings]
        found = [
            Reading(match.start(), match.end(), match[0], words)
            for match in _TOKEN.finditer(self.question)
            if not any(start < match.end() and match.start() < end for start, end in taken)
            and (words := self._words_for(match[0]) or self._parted(match[0]))
            and not self._is_understood(match)
        ]
        if not found:
            return spelling
        spans = {(one.start, one.end) for one in found}
        return Spelling(
            tuple(sorted((*spelling.readings, *found), key=lambda one: one.start)),
            tuple(one for one in spelling.suggestions if (one.start, one.end) not in spans),
        )

    def _is_understood(self, word: re.Match[str]) -> bool:
        """Whether a word of the question tells of a patient: without it less is told."""
        without = f"{self.question[: word.start()]}{self.question[word.end() :]}"
        return not set(conditions_told(self.question)) <= set(conditions_told(without))

    def _words_for(self, written: str) -> str:
        forms = standard_forms().get(written.casefold(), ())
        if not (forms and is_meant_short(written, self.question)):
            return ""
        if self._in_any_form(written.casefold()):
            return ""
        has = (one for one in forms if self.library.search_text(one, self.scope, 1, phrases=[one]))
        return next(has, "")

    def _parted(self, written: str) -> str:
        """The medicine that a word begins with and the everyday word behind it; "" of any other word."""
        folded = written.lower()
        codes = [one for one in languages(self.question) if one in _COMPOUNDING]
        usual = any(folded in word_frequencies(one) for one in ("en", *codes))
        if not codes or usual or is_medicine(folded):
            return ""
        for end in range(len(folded) - _SHORTEST_BEGINNING, _SHORTEST_NAME - 1, -1):
            name, rest = folded[:end], folded[end:]
            code = next((one for one in codes if rest in word_frequencies(one)), "")
            titled = name in self.titled and name not in word_frequencies(code or "en")
            if code and (titled or is_medicine(name)):
                return f"{written[:end]} {rest.capitalize() if code == 'de' else rest}"
        return ""

    def passages(self, word: str) -> int:
        """How many of the passages that full text finds first have a word as it is."""
        if word not in self._counted:
            found = self.library.search_text(word, self.scope, _LOOKED_THROUGH)
            whole = re.compile(rf"\b{re.escape(word)}\b", re.IGNORECASE)
            chunks = self.library.chunks_by_id(chunk_id for chunk_id, _ in found)
            self._counted[word] = sum(
                bool(whole.search(f"{chunk.context} {chunk.text}")) for chunk, _ in chunks.values()
            )
        return self._counted[word]

    def _in_any_form(self, word: str) -> bool:
        return self.library.chunks_with_word(word, self.scope) > 0


def _everyday(length: int, first: str) -> Sequence[str]:
    """Words of everyday English with so many letters and this first one."""
    return _by_length_and_letter().get((length, first), ())


@cache
def _by_length_and_letter() -> dict[tuple[int, str], list[str]]:
    found: dict[tuple[int, str], list[str]] = {}
    for word in filter(str.isalpha, word_frequencies("en")):
        found.setdefault((len(word), word[0]), []).append(word)
    return found
