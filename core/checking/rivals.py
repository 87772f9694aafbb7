"""Numbers that another statement of the same source contradicts.

A source may say two things: a misprint, an old version beside the new one, a sentence that somebody
put in. A statement is a rival of a sentence when it says the same with another number: it has nearly
all of the sentence's telling words and not many more, is for the same people and of the same kind of
dose, has the sentence's other numbers too, and says so as well or not so as well: "should not receive
875 mg" is not contradicted by "should receive 500 mg".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.checking.amounts import (
    POPULATIONS,
    ROLES,
    EvidenceStatement,
    StatementPart,
    is_dose,
    parts_of,
    spoken_part,
    telling_words,
)
from core.checking.contradictions import is_denying
from core.domain.evidence.doubts import RIVAL
from core.text.quantities import Quantity, quantities

_SAID = 0.75  # share of the sentence's words that a rival has
_OWN = 0.4  # share of a rival's words that the sentence has
_FEWEST_WORDS = 1
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def contradicted_numbers(said: str, evidence: Sequence[EvidenceStatement]) -> list[str]:
    """What other statements say against the numbers of a sentence, in words.

    Args:
        evidence: statements of one source in order, among them those that the sentence rests on.
    """
    if not any(map(_is_dose, quantities(said))):
        return []
    spoken = spoken_part(said, evidence)
    doses = list(filter(_is_dose, spoken.found))
    parts = parts_of(evidence)
    people = _people(parts)
    own_people = _named(spoken)
    # A statement tells what the sentence tells in the units of the numbers that both have.
    told = [frozenset(one.unit for one in doses if part.has(one)) for part in parts]
    problems: dict[str, None] = {}
    for one in doses:
        holders = [
            (len(spoken.words & part.wide), whom)
            for part, whom in zip(parts, people, strict=True)
            if part.has(one)
        ]
        most = max((shared for shared, _ in holders), default=0)
        around = {whom for shared, whom in holders if shared == most}
        for part, whom, units in zip(parts, people, told, strict=True):
            if one.unit in units:
                continue
            if whom != own_people if own_people else around and whom not in around:
                continue
            for other in part.found:
                if other.unit != one.unit or _between(one, part):
                    continue
                # What the statement stands under ("Zorvexil") is said of both.
                own = _Reading.of(replace(spoken, context=part.context), one)
                if _Reading.of(part, other).is_rival(own):
                    said_there = f"{RIVAL} has {other.written} where this has {one.written}"
                    problems[f"{said_there}: “{part.text.strip()}”"] = None
    return list(problems)


def _is_dose(one: Quantity) -> bool:
    return is_dose(one) and one.unit != "%"


def _people(parts: Sequence[StatementPart]) -> list[frozenset[str]]:
    """Whom each statement is for: those it names, else those whom the one before it is for."""
    found: list[frozenset[str]] = []
    for part in parts:
        found.append(_named(part) or (found[-1] if found else frozenset()))
    return found


def _named(part: StatementPart) -> frozenset[str]:
    return frozenset(name for name, rule in POPULATIONS.items() if rule.search(part.text))


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a statement says of one of its numbers."""

    words: frozenset[str]
    roles: frozenset[str]
    bound: int
    period: str
    others: frozenset[object]
    denied: bool

    @classmethod
    def of(cls, part: StatementPart, one: Quantity) -> _Reading:
        roles = frozenset(name for name, rule in ROLES.items() if rule.search(part.text))
        others = frozenset((q.unit, q.amount) for q in part.found if q.unit != one.unit)
        words = part.wide - telling_words(part.context)
        return cls(words, roles, one.bound, one.period, others, _denies(part.text))

    def is_rival(self, other: _Reading) -> bool:
        both = self.words & other.words
        return (
            len(both) >= _FEWEST_WORDS
            and len(both) >= _SAID * len(other.words)
            and len(both) >= _OWN * len(self.words)
            and self.roles == other.roles
            and self.bound == other.bound
            # A limit is worded with and without a "not": "at most 5 mg", "do not take more than 5 mg".
            and (self.denied == other.denied or self.bound != 0)
            and (self.period == other.period or not other.period or not self.period)
            and other.others <= self.others
        )


def _denies(text: str) -> bool:
    return any(is_denying(word) for word in _WORD.findall(text.casefold()))


def _between(one: Quantity, part: StatementPart) -> bool:
    """Whether a statement has the amount within a range of its own: "5 to 10 mg" has 7 mg."""
    alike = [q.amount for q in part.found if q.unit == one.unit]
    return min(alike) < one.amount < max(alike)
