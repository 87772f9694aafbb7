"""Whose clearance a number is: that of a patient's kidneys, or a medicine's own, which has the same units.

What is cleared stands beside the word: "creatinine clearance", "clearance of 20" are the kidneys',
"plasma clearance", "gabapentin clearance", "clearance of gabapentin" the medicine's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.questions.leaflets.question_text import EMPTY, WORD, QuestionText

_REACH = 30  # characters between a word and a number without a unit that it speaks of
_REACH_BEHIND = 21  # the same from its end, without brackets: "clearance (mL/min): less than 10"
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_FLOW = re.compile(r"(?:[^.;?!]|\.(?=\d))*")
_LAST_WORD = re.compile(rf"({WORD.pattern})\W{{1,2}}$")


@dataclass(frozen=True, slots=True)
class _Noun:
    """What a number behind it may be."""

    start: int
    end: int
    of_kidneys: bool


def names_medicines_own(question: QuestionText) -> bool:
    """Whether a text speaks of a medicine's own clearance, or of how fast it runs in."""
    return any(not one.of_kidneys for one in _nouns(question))


def of_kidneys(
    question: QuestionText, start: int, *, flow: bool, limited: bool, unit_says: bool
) -> int | None:
    """Where what tells a number of a statement as that of a patient's kidneys begins; None where it is
    another's. "> 60 mL/min" is a group of patients, and no measured value.

    Args:
        start: of the number.
        flow: whether its unit is that of a clearance.
        limited: whether it is "at least" or "at most".
        unit_says: whether the unit tells it where no word does.
    """
    nouns = list(_nouns(question))
    nearest = [one for one in nouns if _FLOW.fullmatch(question.text, one.end, max(start, one.end))]
    last = max((one for one in nearest if one.end <= start), key=lambda one: one.end, default=None)
    if last is None:
        return start if flow and (unit_says or limited) else None
    between = _IN_BRACKETS.sub("", question.text[last.end : start])
    if not flow and start - last.start > _REACH and len(between) > _REACH_BEHIND:
        return None
    grouped = flow and limited and any(one.of_kidneys for one in nouns)
    if last.of_kidneys:
        return last.start if start - last.end <= _REACH else start
    return start if grouped else None


def _nouns(question: QuestionText) -> Iterator[_Noun]:
    words = question.words
    others = list(question.matches("kidney", "of_medicine"))
    yield from (_Noun(one.start(), one.end(), False) for one in others)
    for one in question.matches("kidney", "clearance"):
        if not any(other.start() <= one.start() < other.end() for other in others):
            bare = words.pattern("kidney", "clearances").fullmatch(one.group())
            cleared = bool(bare) and _is_of_something(question, one)
            yield _Noun(one.start(), one.end(), not cleared)


def _is_of_something(question: QuestionText, noun: re.Match[str]) -> bool:
    """Whether a bare "clearance" is that of what stands before it or behind "of"."""
    text, filtered = question.text, question.words.pattern("kidney", "filtered")
    before = _LAST_WORD.search(text, max(0, noun.start() - 40), noun.start())
    cleared = [before[1]] if before else []
    of = question.words.pattern("kidney", "of", frame=r"\s+(?:{})\s+(?=[^\W\d_])")
    if behind := of.match(text, noun.end()):
        found = WORD.match(text, behind.end())
        cleared += [found.group()] if found else []
    return any(
        not word.isdigit() and word.casefold() not in EMPTY and not filtered.fullmatch(word)
        for word in cleared
    )
