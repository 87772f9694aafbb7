"""What a word that nothing knows may be meant for, and whether only one thing can be.

One rule for names of the graph, titles of documents and words of texts: of all that is near, the likeliest by
what its errors cost (`core.text.spelling.typing_errors`), by how common it is and how many passages have it. It
is read only where the others together are unlikely, and a name only where no other name is as few errors away:
prednisone is not prednisolone. So does a medicine stand in the way that only the list of all knows
(`core.text.spelling.medicines`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rapidfuzz import process
from rapidfuzz.distance import OSA

from core.text.spelling.medicines import names_of_length, substances
from core.text.spelling.typing_errors import cost
from core.text.stems import stem

SHORTEST = 6  # letters of a word that is read otherwise: shorter ones have too many neighbours
_SHORTEST_TWO_ERRORS = 7  # two of six letters leave hardly a likeness
_MOST_WEIGHED = 8  # candidates whose passages are counted
_UNSEEN = 0.1  # passages that count for a word which none has
_DEAREST = 1.5  # cost, for each letter of it, up to which a name is read
# Share of all other candidates where one is read: a name, whose dose may be asked for, and a word.
_MOST_DOUBT, _MOST_DOUBT_OF_WORDS = 0.1, 0.3


@dataclass(frozen=True, slots=True)
class NearWord:
    """A word that may be meant.

    Attributes:
        word: in lower case; `shown` as it is spelt.
        owner: the one entity that has it as its whole name; "" when there is none, or several.
        is_name: of a medicine, an illness, a protein; else a word of the language.
        readable: false for symbols, which differ by a letter as a rule.
        offered: false, and not readable, for what neither library nor graph has.
        usage: logarithm of how common it is beside a name.
        passages: of the library that have it.
    """

    word: str
    shown: str
    owner: str = ""
    is_name: bool = True
    readable: bool = True
    offered: bool = True
    usage: float = 0.0
    passages: int = 0

    def is_same(self, other: NearWord) -> bool:
        """Whether both are one thing: an entity, a substance, two forms of a word."""
        if self.word == other.word or (self.owner and self.owner == other.owner):
            return True
        if not substances(self.word).isdisjoint(substances(other.word)):
            return True
        return stem(self.word) == stem(other.word)


def errors_allowed(word: str) -> int:
    """How many letters of a word may be wrong for it to be looked for."""
    if len(word) < SHORTEST:
        return 0
    return 1 if len(word) < _SHORTEST_TWO_ERRORS else 2


def words_near(
    written: str, of_length: Callable[[int], Sequence[str]], most: int | None = None
) -> Iterator[str]:
    """Words that are as few errors away as `errors_allowed` says.

    Args:
        of_length: the words with so many letters.
        most: errors, if fewer.
    """
    allowed = errors_allowed(written) if most is None else min(most, errors_allowed(written))
    for length in range(len(written) - allowed, len(written) + allowed + 1) if allowed else ():
        near = process.extract(
            written, of_length(length), scorer=OSA.distance, score_cutoff=allowed, limit=None
        )
        yield from (word for word, _, _ in near)


def weighed(
    written: str, candidates: Iterable[NearWord], passages: Callable[[str], int]
) -> list[NearWord]:
    """The candidates and the medicines that are known beside them, the likeliest first.

    Args:
        passages: how many passages of the library have a word.
    """
    found = {one.word: one for one in reversed(list(candidates))}
    for word in words_near(written, names_of_length):
        if word != written:
            found.setdefault(word, NearWord(word, word, readable=False, offered=False))
    nearest = sorted(found.values(), key=lambda one: (cost(written, one.word), one.word))
    counted = [
        replace(one, passages=passages(one.word)) for one in nearest[:_MOST_WEIGHED]
    ] + nearest[_MOST_WEIGHED:]
    kept = [
        replace(one, readable=True, offered=True) if one.passages and substances(one.word) else one
        for one in counted
    ]
    return sorted(kept, key=lambda one: -_likelihood(written, one))


def meant(written: str, ranked: Sequence[NearWord]) -> NearWord | None:
    """The candidate that a word is read as; None where several may be meant.

    Args:
        ranked: as `weighed` gives them.
    """
    first = ranked[0] if ranked else None
    # A name that only the list of all has may be of the same substance: "metformina" is metformin.
    best = next((one for one in ranked if one.readable and first and one.is_same(first)), None)
    if best is None:
        return None
    errors = OSA.distance(written, best.word)
    if not _begins_alike(written, best.word, errors):
        return None
    others = [one for one in ranked if one is not best and not one.is_same(best)]
    if best.is_name and cost(written, best.word) > _DEAREST * len(best.word):
        return None
    if best.is_name and any(
        one.is_name and OSA.distance(written, one.word) <= errors for one in others
    ):
        return None
    likelihood = _likelihood(written, best)
    doubt = sum(math.exp(_likelihood(written, one) - likelihood) for one in others)
    most = _MOST_DOUBT if best.is_name else _MOST_DOUBT_OF_WORDS
    return best if doubt / (1 + doubt) <= most else None


def _likelihood(written: str, one: NearWord) -> float:
    """Logarithm, but for a constant, of how likely it is that this was meant."""
    return one.usage + math.log(_UNSEEN + one.passages) - cost(written, one.word)


def _begins_alike(written: str, word: str, errors: int) -> bool:
    """Whether no other first letter stands there, which is seldom mistyped: cystatin is not nystatin."""
    return written[0] == word[0] if errors > 1 else written[1:] != word[1:]
