"""The numbers of a question: whose age, whose weight, how well the kidneys clear, which strength."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from core.domain.leaflets.conditions import Age, Amount, KidneyFunction, Range, Strength, Weight
from core.questions.leaflets.ages import IN_YEARS
from core.questions.leaflets.clearances import of_kidneys
from core.questions.leaflets.question_text import EMPTY, WORD, QuestionText
from core.text.limits import AT_LEAST, AT_MOST, is_beyond, without_bound
from core.text.quantities import Quantity

_MG_IN_KG = 1_000_000
_LIGHTEST = 400_000  # mg; what is lighter than 400 g is no patient's weight
_UNITS: dict[tuple[str, int], Literal["year", "month", "week", "day"]] = {
    ("month", 12): "year",
    ("month", 1): "month",
    ("hour", 168): "week",
    ("hour", 24): "day",
}
_OLDEST = 125  # years
_GROWN = 12  # from which on a number after a person counts no things ("my mother of 77")
_REACH = 30  # characters between a word and the number that it speaks of
_JOIN = re.compile(
    r"\s*(?:-|to|and|bis(?: (?:einschlie(?:ß|ss)lich|einschl\.|inklusive|inkl\.))?|und|tot(?: en met)?|en|until"
    r"|t/m)\s*",
    re.IGNORECASE,
)
_JOIN_SIGNS = re.compile(r"\s*[<≤]=?\s*[^\W\d][^\d<>≤≥.;]{0,30}[<≤]=?\s*")  # "30 ≤ eGFR < 90"
_JOIN_BOUNDED = re.compile(
    r"(?:\s*of age)?[\s,]*(?:-|to|and|but|bis|und|aber|jedoch|tot|en|maar|until)?\s*", re.IGNORECASE
)
# What stands between an age and the dose that it labels.
_LABEL_ENDS = re.compile(
    r"(?:\s(?:and|or|und|oder|en|of)\s[^\W\d]+)?(?:\s(?:of\sage|alt|oud))?\)?\s*[:=]\s*",
    re.IGNORECASE,
)
_DOSE_FOLLOWS = re.compile(r"\s(?=\d)")
_DOSED = ("mg", "ml", "tablet", "capsule", "drop")  # units
_SIGN = re.compile(r"[<>≤≥]=?\s*\Z")
_FLOW = re.compile(r"[^.;?!]*")
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class _Span:
    """One number, or two that are the ends of a range."""

    first: Quantity
    last: Quantity

    @property
    def start(self) -> int:
        return self.first.start

    @property
    def end(self) -> int:
        return self.last.end

    def range(self, scale: float = 1.0, *, own_factor: bool = False, places: int = 3) -> Range:
        """Both ends, times the unit's own factor where asked for, over `scale`."""

        def value(one: Quantity) -> float:
            return round(float(one.amount if own_factor else one.value) / scale, places)

        low, high = value(self.first), value(self.last)
        if self.first is not self.last:
            return Range(low, high)
        if self.first.worded == AT_LEAST:
            return Range(low, None)
        return Range(None, high) if self.first.worded == AT_MOST else Range(low, high)


def read_measures(
    question: QuestionText, *, told: bool = False, kidneys_unsaid: bool = True
) -> None:
    """Take the numbers of a question, in the order of how surely their words tell what they are.

    Args:
        told: whether it is a document's statement, which may tell numbers of the medicine itself.
        kidneys_unsaid: whether a number in mL/min is the kidneys' where a statement does not say so.
    """
    taken = [found.span() for found in _read_days_of_life(question)]
    spans = [one for one in _spans(question) if not any(a <= one.start < b for a, b in taken)]
    clearance = partial(_clearance_told, kidneys_unsaid=kidneys_unsaid) if told else _clearance
    for take in (clearance, _weight, _age):
        spans = [one for one in spans if not take(question, one)]


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


def ranges_in(question: QuestionText) -> list[tuple[int, int]]:
    """Places of the ranges of a text: two numbers with what joins them."""
    return [(one.start, one.end) for one in _spans(question) if one.first is not one.last]


def _spans(question: QuestionText) -> Iterator[_Span]:
    # "1.73 m2" below the line of a clearance stands in it.
    numbers = [
        one
        for n, one in enumerate(question.numbers)
        if not n or one.start >= question.numbers[n - 1].end
    ]
    i = 0
    while i < len(numbers):
        one = numbers[i]
        after = numbers[i + 1] if i + 1 < len(numbers) else None
        if after is not None and _is_range(question.text, one, after):
            unit = one if one.unit else after
            if _in_years(one) and _in_years(after):  # "6 months to 12 years"
                yield _Span(one, after)
            else:
                yield _Span(
                    replace(one, unit=unit.unit, factor=unit.factor),
                    replace(after, unit=unit.unit, factor=unit.factor),
                )
            i += 2
        else:
            yield _Span(one, one)
            i += 1


def _in_years(one: Quantity) -> float:
    """A time in years; 0 for what is none."""
    unit = _UNITS.get((one.unit, int(one.factor)))
    return float(one.value) * IN_YEARS[unit] if unit else 0.0


def _is_range(text: str, one: Quantity, after: Quantity) -> bool:
    """Whether two numbers are the ends of one range: "10 to 18 kg", "10 to less than 18 kg", "at least 10 kg
    but under 18 kg"."""
    alike = one.unit == after.unit or not one.unit or not after.unit
    if _in_years(one) and _in_years(after):
        alike, grows = True, _in_years(one) < _in_years(after)
    else:
        grows = one.value < after.value
    if not (alike and grows):
        return False
    between = text[one.end : after.start]
    if _JOIN.fullmatch(between) or _JOIN_SIGNS.fullmatch(between):
        return True
    if (
        after.worded != AT_MOST
        or one.worded == AT_MOST
        or (one.unit and one.factor != after.factor and not _in_years(one))
    ):
        return False
    joined = without_bound(between)
    return bool(_JOIN_BOUNDED.fullmatch(joined)) and (bool(joined.strip(" ,")) or one.worded != 0)


def _clearance(question: QuestionText, one: _Span) -> bool:
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


def _clearance_told(question: QuestionText, one: _Span, *, kidneys_unsaid: bool) -> bool:
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


def _without_limits(text: str, one: _Span) -> Range:
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


def _weight(question: QuestionText, one: _Span) -> bool:
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


def _is_change(question: QuestionText, one: _Span) -> bool:
    """Whether it is weight gained or lost, and none that a patient has."""
    begin = max(0, one.start - _REACH)
    changed = question.words.pattern("weight", "changed").finditer(question.text, begin, one.start)
    return any(_FLOW.fullmatch(question.text[found.end() : one.start]) for found in changed)


def _age(question: QuestionText, one: _Span) -> bool:
    text, quantity = question.text, one.last
    unit = _UNITS.get((quantity.unit, int(quantity.factor)))
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
    age = Age(Range(0.0, one.range().high) if birth else one.range(), unit)
    if (one.first.unit, one.first.factor) != (one.last.unit, one.last.factor):
        low, high = _in_years(one.first), _in_years(one.last)
        age = Age(Range(low, high), "year")
    question.add(one.start, min(end, len(text)), age)
    return True


def _read_days_of_life(question: QuestionText) -> list[re.Match[str]]:
    """Take the ages of newborns that count their days ("day 9 of life"), and tell where they stand."""
    found = list(question.matches("age", "life"))
    for one in found:
        day = float(_DIGITS.findall(one.group())[0])
        question.add(one.start(), one.end(), Age(Range(day, day), "day"))
    return found


def _is_ago(question: QuestionText, one: _Span) -> bool:
    """Whether a time is how long ago something was ("I had a baby 2 months ago")."""
    behind = _behind(question, "ago").match(question.text, one.end)
    return bool(behind or question.before("age", "ago_before", one.start))


def _pregnant_for(question: QuestionText) -> re.Pattern[str]:
    """What makes months or weeks those of a pregnancy ("8 months pregnant", "week 20 of pregnancy")."""
    return question.words.pattern(
        "pregnancy", "words", frame=r"(?:\s+\w{1,4}){0,2}[\s-]+(?:{})(?!\w)"
    )


def _unit_behind(question: QuestionText, one: _Span) -> Literal["month", "week", "day"] | None:
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


def _said_as_age(question: QuestionText, one: _Span, *, bare: bool) -> int | None:
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
    if cue := question.before("age", "before", _with_sign(text, one)):
        question.take(cue.start(), one.start)
        return end
    if _follows_person(question, one, bare=bare) or (not bare and _stands_apart(question, one)):
        return end
    return end if not bare and _labels_dose(question, one) else None


def _labels_dose(question: QuestionText, one: _Span) -> bool:
    """Whether years or months are what a dose is labelled with: "2 to 5 years: 5 ml", "12 years and over: 10
    ml", "5 to 11 years 5 mg"."""
    unit = _UNITS.get((one.last.unit, int(one.last.factor)))
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


def _with_sign(text: str, one: _Span) -> int:
    """Where a number begins, with the sign before it ("> 3 months")."""
    return (
        len(text[: one.start].rstrip(" <>≤≥="))
        if _SIGN.search(text[max(0, one.start - 4) : one.start])
        else one.start
    )


def _stands_apart(question: QuestionText, one: _Span) -> bool:
    """Whether many years stand between commas ("roofer, 34 years, ...")."""
    before, after = question.text[: one.start].rstrip(), question.text[one.end :].lstrip()
    grown = one.last.factor == 12 and one.last.value >= _GROWN
    return grown and before[-1:] in (",", "(") and after[:1] in ("", ",", ")", ".")


def _follows_person(question: QuestionText, one: _Span, *, bare: bool) -> bool:
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
