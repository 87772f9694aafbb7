"""The numbers of a question: whose age, whose weight, how well the kidneys clear, which strength."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import partial
from typing import Literal

from core.domain.leaflets.conditions import Age, Amount, KidneyFunction, Range, Strength, Weight
from core.questions.leaflets.clearances import of_kidneys
from core.questions.leaflets.question_text import (
    EMPTY,
    WORD,
    QuestionText,
    Span,
    in_years,
    spans,
    unit_of_age,
)
from core.text.limits import AT_LEAST, AT_MOST, is_beyond, without_bound
from core.text.quantities import Quantity

_MG_IN_KG = 1_000_000
_LIGHTEST = 400_000  # mg; what is lighter than 400 g is no patient's weight
_OLDEST = 125  # years
_GROWN = 12  # from which on a number after a person counts no things ("my mother of 77")
_REACH = 30  # characters between a word and the number that it speaks of
# What stands between an age and the dose that it labels.
_LABEL_ENDS = re.compile(
    r"(?:\s(?:and|or|und|oder|en|of)\s[^\W\d]+)?(?:\s(?:of\sage|alt|oud))?\)?(?:\s?\([^()]{1,30}\))?\s*[:=]\s*",
    re.IGNORECASE,
)
_DOSE_FOLLOWS = re.compile(r"\s(?=\d)")
_DOSED = ("mg", "ml", "tablet", "capsule", "drop")  # units
_SIGN = re.compile(r"[<>≤≥]=?\s*\Z")
_UNTIL = re.compile(r"(?<!\w)(?:bis|tot)\s+\Z", re.IGNORECASE)  # "Kinder bis 12 Jahre"
_FLOW = re.compile(r"[^.;?!]*")
_DIGITS = re.compile(r"\d+")
_LONGEST_CELL = 120  # characters of a column's name and what stands before a number in a cell
_CELL = re.compile(r"(?:^|; | [–-] )(?P<head>[^;:]{2,60}): (?P<before>[^;:]*)$")
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")


def read_measures(
    question: QuestionText, *, told: bool = False, kidneys_unsaid: bool = True
) -> None:
    """Take the numbers of a question, in the order of how surely their words tell what they are.

    Args:
        told: whether it is a document's statement, which may tell numbers of the medicine itself.
        kidneys_unsaid: whether a number in mL/min is the kidneys' where a statement does not say so.
    """
    taken = [found.span() for found in _read_days_of_life(question)]
    left = [one for one in spans(question) if not any(a <= one.start < b for a, b in taken)]
    clearance = partial(_clearance_told, kidneys_unsaid=kidneys_unsaid) if told else _clearance
    for take in (clearance, _weight, _age):
        left = [one for one in left if not take(question, one)]


def read_amounts(question: QuestionText, names: Sequence[tuple[int, int]]) -> None:
    """Take the quantities that are left: strengths beside a name or a form, and what else has a unit.

    Args:
        names: places of the medicines that are named.
    """
    for one in question.numbers:
        if not one.unit or not question.is_free(one.start, one.end):
            continue
        amount = float(one.amount)
        beside = any(_touches(question.text, one, place) for place in names)
        is_form = any(
            question.words.pattern(
                "forms", form, frame=r"[\s-]*(?:\w+[\s-]){0,1}(?:{})(?!\w)"
            ).match(question.text, one.end)
            for form in question.words.keys("forms")
        )
        weighed = one.unit.split("/")[0] in ("mg", "ml", "IU", "%", "mmol", "mEq", "MBq")
        if weighed and not one.period and (beside or is_form):
            question.add(one.start, one.end, Strength(amount, one.unit, one.written))
        else:
            question.add(one.start, one.end, Amount(amount, one.unit, one.period, one.written))


def _touches(text: str, one: Quantity, place: tuple[int, int]) -> bool:
    start, end = place
    between = text[end : one.start] if end <= one.start else text[one.end : start]
    return len(between) <= 4 and not between.strip(" -,(")


def _clearance(question: QuestionText, one: Span) -> bool:
    quantity = one.last
    unit_says = quantity.unit == "ml" and quantity.period == "minute"
    cue = None
    begin = max(0, one.start - _REACH)
    for found in question.words.pattern("kidney", "clearance").finditer(
        question.text, begin, one.start
    ):
        if _FLOW.fullmatch(question.text[found.end() : one.start]):
            cue = found
    near = not any(
        cue is not None and cue.end() <= other.start < one.start for other in question.numbers
    )
    if not (unit_says or (cue is not None and near and not quantity.unit)):
        return False
    _add_kidney(question, cue.start() if cue else one.start, one.end, one.range())
    return True


def _clearance_told(question: QuestionText, one: Span, *, kidneys_unsaid: bool) -> bool:
    quantity = one.last
    flow = quantity.unit == "ml" and quantity.period == "minute"
    if quantity.unit and not flow:
        return False
    limited = bool(_SIGN.search(question.text[max(0, one.start - 4) : one.start]))
    place = of_kidneys(question, one.start, flow=flow, limited=limited, unit_says=kidneys_unsaid)
    if place is None or (
        not flow and any(place < each.start < one.start for each in question.numbers)
    ):
        return False
    _add_kidney(question, place, one.end, _without_limits(question.text, one))
    return True


def _without_limits(text: str, one: Span) -> Range:
    """The range of a span, without the limits that are no part of it: "> 30 to 59" begins behind 30."""
    found = one.range()
    low, high = found.low, found.high
    is_range = one.first is not one.last
    if low is not None and (is_range or high is None) and is_beyond(text, one.first.start):
        low = math.nextafter(low, math.inf)
    if high is not None and (is_range or low is None) and is_beyond(text, one.last.start):
        high = math.nextafter(high, -math.inf)
    return Range(low, high)


def _add_kidney(question: QuestionText, start: int, end: int, clearance: Range) -> None:
    question.take(start, end)
    question.conditions.append((start, KidneyFunction(clearance)))


def _weight(question: QuestionText, one: Span) -> bool:
    quantity = one.last
    if quantity.unit != "mg" or quantity.amount < _LIGHTEST or quantity.period:
        return False
    if quantity.factor < _LIGHTEST and not question.before("weight", "words", one.start):
        return False
    if _is_change(question, one):
        return False
    value = one.range(_MG_IN_KG, own_factor=True, places=1)
    question.add(one.start, one.end, Weight(value))
    return True


def names_change(question: QuestionText) -> bool:
    """Whether a text speaks of what is gained or lost, and the numbers of its parts may be that."""
    return bool(question.words.pattern("weight", "changed").search(question.text))


def _is_change(question: QuestionText, one: Span) -> bool:
    """Whether it is weight gained or lost, and none that a patient has."""
    begin = max(0, one.start - _REACH)
    changed = question.words.pattern("weight", "changed").finditer(question.text, begin, one.start)
    return any(_FLOW.fullmatch(question.text[found.end() : one.start]) for found in changed)


def _age(question: QuestionText, one: Span) -> bool:
    text, quantity = question.text, one.last
    unit = unit_of_age(quantity)
    if unit is None and quantity.unit:
        return False
    if unit in ("month", "week") and _pregnant_for(question).match(text, one.end):
        return False
    if _is_ago(question, one):
        return False
    birth = unit and question.before("age", "birth", one.start)
    end = one.end if birth else _said_as_age(question, one, bare=unit is None)
    if end is None:
        return False
    unit = unit or _unit_behind(question, one) or "year"
    if unit == "year" and not 0 <= quantity.value <= _OLDEST:
        return False
    age = Age(Range(0.0, one.range().high) if birth else _range_of_age(text, one), unit)
    if (one.first.unit, one.first.factor) != (one.last.unit, one.last.factor):
        low, high = in_years(one.first), in_years(one.last)
        age = Age(Range(low, high), "year")
    question.add(one.start, min(end, len(text)), age)
    return True


def _range_of_age(text: str, one: Span) -> Range:
    """The range of an age; "Kinder bis 12 Jahre" are up to that old."""
    found = one.range()
    single = one.first is one.last and not one.first.worded
    return Range(None, found.high) if single and _UNTIL.search(text, 0, one.start) else found


def _read_days_of_life(question: QuestionText) -> list[re.Match[str]]:
    """Take the ages of newborns that count their days ("day 9 of life"), and tell where they stand."""
    found = list(question.matches("age", "life"))
    for one in found:
        day = float(_DIGITS.findall(one.group())[0])
        question.add(one.start(), one.end(), Age(Range(day, day), "day"))
    return found


def _is_ago(question: QuestionText, one: Span) -> bool:
    """Whether a time is how long ago something was ("I had a baby 2 months ago")."""
    behind = _behind(question, "ago").match(question.text, one.end)
    return bool(behind or question.before("age", "ago_before", one.start))


def _pregnant_for(question: QuestionText) -> re.Pattern[str]:
    """What makes months or weeks those of a pregnancy ("8 months pregnant", "week 20 of pregnancy")."""
    return question.words.pattern(
        "pregnancy", "words", frame=r"(?:\s+\w{1,4}){0,2}[\s-]+(?:{})(?!\w)"
    )


def _unit_behind(question: QuestionText, one: Span) -> Literal["month", "week", "day"] | None:
    units: tuple[tuple[Literal["month", "week", "day"], str], ...] = (
        ("month", "months"),
        ("week", "weeks"),
        ("day", "days"),
    )
    for unit, key in units:
        if _behind(question, key).match(question.text, one.end):
            return unit
    return None


def _behind(question: QuestionText, key: str) -> re.Pattern[str]:
    return question.words.pattern("age", key, frame=r"[\s-]*(?:{})(?!\w)")


def _said_as_age(question: QuestionText, one: Span, *, bare: bool) -> int | None:
    """Where the words end that make a number an age; None where it is none."""
    text, end = question.text, one.end
    keys = ("years", "months", "weeks", "days") if bare else ()
    for key in ("behind", *keys):
        if found := _behind(question, key).match(text, end):
            # "a 3-month baby" keeps its baby, who is a group of its own.
            is_group = any(
                question.words.pattern("groups", group).fullmatch(found.group().strip(" -"))
                for group in question.words.keys("groups")
            )
            return end if is_group else found.end()
    if (
        any(
            question.words.pattern("groups", group, frame=r"[\s-]*(?:{})(?!\w)").match(text, end)
            for group in question.words.keys("groups")
        )
        and not bare
    ):
        return end
    if one.first.worded == AT_LEAST or one.first.worded == AT_MOST or one.first is not one.last:
        plural = re.match(r"s\b", text[end:])
        if bare and plural:
            return end + 1
    if not bare and _spans_a_childhood(one) and text[: one.start].strip()[-1:] in ("", *",;:(|"):
        return end
    if not bare and (_is_under_age(question, one) or _labels_row(question, one)):
        return end
    begin = _with_sign(text, one)
    # "The age of" is a limit's too: "from the age of 2".
    before = (begin, len(without_bound(text[:begin]))) if one.first.worded else (begin,)
    if cue := next(filter(None, (question.before("age", "before", at) for at in before)), None):
        question.take(cue.start(), one.start)
        return end
    if _follows_person(question, one, bare=bare) or (not bare and _stands_apart(question, one)):
        return end
    return end if not bare and _labels_dose(question, one) else None


def _spans_a_childhood(one: Span) -> bool:
    """Whether it is a range from days, weeks or months to many years, as ages are and times of treatment are
    not: "1 month to 17 years"."""
    years = unit_of_age(one.last) == "year"
    return years and one.first.factor < one.last.factor and one.last.value >= _GROWN - 1


def _labels_dose(question: QuestionText, one: Span) -> bool:
    """Whether years or months are what a dose is labelled with: "2 to 5 years: 5 ml", "12 years and over: 10
    ml", "5 to 11 years 5 mg"."""
    unit = unit_of_age(one.last)
    behind = _LABEL_ENDS.match(question.text, one.end)
    if behind is None and one.first is not one.last:
        behind = _DOSE_FOLLOWS.match(question.text, one.end)
    if unit not in ("year", "month") or behind is None:
        return False
    before = without_bound(question.text[: one.start]).strip(" -(*")
    following = [each for each in question.numbers if each.start >= behind.end()][:1]
    near = [each for each in following if each.start <= behind.end() + _REACH]
    begins = not before or before[-1] in ";:,.|•"
    return begins and any(each.unit.startswith(_DOSED) for each in near)


def _is_under_age(question: QuestionText, one: Span) -> bool:
    """Whether it is the first number of a cell whose column is called by ages: "Age now: 3-6 months",
    "Condition and age: reflux, over 2 years". What stands in brackets calls no column."""
    cell = _CELL.search(question.text, max(0, one.start - _LONGEST_CELL), one.start)
    if cell is None or _DIGITS.search(cell["before"]):
        return False
    head = _BRACKETS.sub(" ", cell["head"])
    return bool(question.words.pattern("age", "heads").search(head))


def _labels_row(question: QuestionText, one: Span) -> bool:
    """Whether years are a range or a limit in the first cell of a table's row, which says what the row is for:
    "Group: catch-up, 11-15 years", "over 75 years". How long something takes or is ago says so."""
    if one.end > question.label_end or unit_of_age(one.last) != "year":
        return False
    if one.first is one.last and not one.first.worded:
        return False
    lasting = question.words.pattern("age", "lasting")
    return not lasting.search(question.text, 0, one.start)


def _with_sign(text: str, one: Span) -> int:
    """Where a number begins, with the sign before it ("> 3 months")."""
    return (
        len(text[: one.start].rstrip(" <>≤≥="))
        if _SIGN.search(text[max(0, one.start - 4) : one.start])
        else one.start
    )


def _stands_apart(question: QuestionText, one: Span) -> bool:
    """Whether many years stand between commas ("roofer, 34 years, ...")."""
    before, after = question.text[: one.start].rstrip(), question.text[one.end :].lstrip()
    grown = one.last.factor == 12 and one.last.value >= _GROWN
    return grown and before[-1:] in (",", "(") and after[:1] in ("", ",", ")", ".")


def _follows_person(question: QuestionText, one: Span, *, bare: bool) -> bool:
    """Whether only small words stand between a person and a number ("my son is 8")."""
    begin = _with_sign(question.text, one)
    window = question.text[max(0, begin - 60) : begin]
    found = question.words.person_before().search(window)
    if found is None:
        return False
    if not bare or (found[1] and one.last.value >= _GROWN):
        return True
    # A number alone must be followed by nothing that it could count.
    after = question.text[one.end :].lstrip()
    word = WORD.match(after)
    return not re.match(r"[-/%]", after) and (word is None or word.group().casefold() in EMPTY)
