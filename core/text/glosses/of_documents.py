"""An English question in the words that documents in another language have for it.

What the documents' own words mean in English is known (`in_english`); turned round, it says which of them a
question means: of several words for one thing, and of the forms of one, the one that stands there, and a
compound ("Hautreaktionen") where the question has its parts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from core.text.function_words import FUNCTION_WORDS_OF
from core.text.glosses.in_english import GLOSSED, english_of, glosses_of, spelt_out
from core.text.stems import stem
from core.text.word_lists import word_frequencies

_WORD = re.compile(r"[^\W\d_]+")
_SHORTENED = re.compile(r"(?<=\w)['’](?:s|re|ve|ll|d|m)\b")  # "what's"
_Phrase = tuple[str, ...]
_FEWEST_LETTERS = 6  # of a word that one in another language is spelt like
_ALIKE = 0.8  # of their letters, from which on two words are one
_SAME_FIRST = 4  # letters
_LONGEST = 4  # words of a gloss that a question may have beside each other
_BESIDE = re.compile(r"[\s\-‐]*")  # what stands between those; a number is no part of it


@dataclass(frozen=True, slots=True)
class DocumentWords:
    """What documents in another language say for English words.

    Attributes:
        code: of their language.
        said: by an English word or phrase, folded, and by its stems, the words that stand for it, each with how
            often it stands there.
        unlisted: their words without English, by their international spelling.
        standing: all their words, as they are written.
    """

    code: str
    said: Mapping[_Phrase, Counter[str]]
    unlisted: Mapping[str, str]
    standing: Set[str]

    @classmethod
    def of(cls, texts: Iterable[str], code: str) -> DocumentWords:
        """Those of texts in a language that there are glosses of."""
        times = Counter(word for text in texts for word in _WORD.findall(text))
        little = FUNCTION_WORDS_OF[code]
        said: dict[_Phrase, Counter[str]] = {}
        unlisted = {}
        for word, count in times.items():
            if word.casefold() in little:
                continue
            if english := english_of(word, code):
                for key in dict.fromkeys((_folded(english), _stemmed(english))):
                    said.setdefault(key, Counter())[word] += count
            else:
                unlisted[_international(word)] = word
        return cls(code, said, unlisted, times.keys())

    def put(self, question: str, names: Iterable[str] = ()) -> str:
        """An English question, word by word; what is not known stays as it is.

        Args:
            names: of medicines in the question, which stay.
        """
        question = _SHORTENED.sub("", question)
        kept = {word for name in names for word in _WORD.findall(name.casefold())}
        found = list(_WORD.finditer(question))
        put, end, at = [], 0, 0
        while at < len(found):
            word, taken = found[at].group(), 1
            if word.casefold() not in kept:
                word, taken = self._best(_beside(question, found[at : at + _LONGEST]))
            put += [question[end : found[at].start()], word]
            end = found[at + taken - 1].end()
            at += taken
        return "".join([*put, question[end:]])

    def _best(self, words: Sequence[str]) -> tuple[str, int]:
        """The word for as many of the first of some words as one is known for, and how many these are."""
        listed = _listed(self.code)
        for taken in range(len(words), 0, -1):
            phrase, joined = " ".join(words[:taken]), "".join(words[:taken])  # "breast feeding"
            keys = (_folded(phrase), _stemmed(phrase), _stemmed(joined))
            little = taken == 1 and keys[0][0] in FUNCTION_WORDS_OF["en"]
            if taken == 1 and not little and phrase in self.standing:  # "INR"
                return phrase, 1
            if not little and (found := next(filter(None, map(self.said.get, keys)), None)):
                return found.most_common(1)[0][0], taken
            if taken == 1 and (alike := self._spelt_alike(phrase)):
                return alike, 1
            if known := next(filter(None, map(listed.get, keys)), None):
                return known, taken
        return words[0], 1

    def _spelt_alike(self, word: str) -> str:
        """The word without English that is spelt most like an English one ("Antidot", "Kontraindikation");
        empty where none is. What has English means another thing ("Hypertension" for "hypotension")."""
        spelt = _international(word)
        if len(spelt) < _FEWEST_LETTERS:
            return ""
        begun = [one for one in self.unlisted if one[:_SAME_FIRST] == spelt[:_SAME_FIRST]]
        found = process.extractOne(
            spelt, begun, scorer=Levenshtein.normalized_similarity, score_cutoff=_ALIKE
        )
        return self.unlisted[found[0]] if found else ""


def _beside(question: str, found: Sequence[re.Match[str]]) -> list[str]:
    """The first of the words found in a question, and those that stand right beside each other behind it."""
    words = [found[0].group()]
    for one, after in pairwise(found):
        if not _BESIDE.fullmatch(question, one.end(), after.start()):
            break
        words.append(after.group())
    return words


def _international(word: str) -> str:
    """A word as if one language had spelt what both took from Latin or Greek."""
    return spelt_out(word).replace("ph", "f").replace("c", "k")


def _folded(english: str) -> _Phrase:
    return tuple(word.casefold() for word in _WORD.findall(english))


def _stemmed(english: str) -> _Phrase:
    return tuple(stem(word) for word in _WORD.findall(english))


def read_reversed() -> None:
    """Turn the lists of all glossed languages round: the first question to each would wait half a second."""
    for code in GLOSSED:
        _listed(code)


@cache
def _listed(code: str) -> dict[_Phrase, str]:
    """By an English word or phrase, folded, and by its stems, the commonest word that is listed for it."""
    common = word_frequencies(code)
    listed: dict[_Phrase, str] = {}
    for word, english in glosses_of(code).whole.items():
        for key in dict.fromkeys((_folded(english), _stemmed(english))):
            if key not in listed or common.get(word, 0) > common.get(listed[key], 0):
                listed[key] = word
    return listed
