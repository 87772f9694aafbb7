"""Rows of a table that are for a range of a finding that the cell itself names ("ALT or AST 50 to 100 U/L"), or
for a change of it ("greater than 2 g/dL decrease"), held against the number that a question gives ("ALT 78",
"haemoglobin fell from 12.9 to 10.1")."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from typing import NamedTuple

from core.evidence.patients.beside.ranges import DECIMAL, Bounds, bounds_in, value_of
from core.resources import any_of, read_table
from core.text.quantities import normalised, quantities
from core.text.spelling.standard_forms import forms_in, standard_forms
from core.text.tables.told import with_units

_TABLE = read_table(__file__, "findings.toml")
_FALLS, _RISES = (any_of(_TABLE[key]) for key in ("falls", "rises"))
# What stands between two ranges, and not in one: "9.0 or more", "2 or less".
_OR = re.compile(
    r"(?<!\w)(?:or|oder)\s(?!(?:equal|(?:more|less|higher|lower|fewer|greater|mehr|weniger)(?!\s(?:than|als))"
    r"|(?:above|over|below|under)(?!\s*\d)|darüber|darunter)(?!\w))",
    re.IGNORECASE,
)
_JOINED = re.compile(r"(?<!\w)(?:and|or|und|oder|en|of)(?!\w)|[,;]", re.IGNORECASE)
_NAME = re.compile(r"[^\W\d_][^\W_]*(?:-[^\W_]+)*")
_LONGEST_LEAD = 60  # characters before a range in which it is said what is measured
_LONGEST_BEHIND = 25  # characters behind one in which it is said that it is of a change
_LONGEST_NAME = 40  # characters of what a range is of, with where and when: "INR on day -1"
_SHORTEST, _SHORTEST_CAPITALS = 6, 2  # letters of a finding's name
# What a number is told in, where that says of what size it is.
_UNIT = r"(?P<unit>[x×·*]\s?10\S{1,6}|/\s?[^\W\d]\S{0,9}|[^\W\d_][^\s/,;()]{0,12}/[^\s,;()]{1,12})"
_NO_VALUE = rf"(?!\s?%|[\s-]?(?:{'|'.join(_TABLE['no_values'])})(?![\w/]))"
# "ALT 78", "ALT is now 78 U/L", "platelets were 120"; no dose, no age and no date.
_MEASURED = (
    rf"(?:[\s:=-]{{1,3}}(?:{'|'.join(_TABLE['between'])})){{0,4}}[\s:=<>~]{{1,3}}"
    rf"(?P<number>{DECIMAL})(?![\d.,]*\d){_NO_VALUE}(?:\s?{_UNIT})?"
)
_CHANGED = re.compile(
    rf"(?<!\w)(?:from|von|van)\s(?P<before>{DECIMAL}){_NO_VALUE}\D{{0,30}}?\s(?:to|auf|naar)\s"
    rf"(?P<after>{DECIMAL}){_NO_VALUE}",
    re.IGNORECASE,
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_BEHIND = re.compile(rf"\s?{_UNIT}")
_OF_LIMIT = re.compile(
    r"\s{0,2}(?:[x×*-]\s?)?(?:uln|upper limit|times|fold|fach|mal|keer|maal)", re.IGNORECASE
)
# Of what the question gives a multiple: "four times the upper limit", "2.5 x ULN".
_LIMIT_ASKED = re.compile(
    r"\W{0,3}(?:[x×*]\s?)?(?:the\s|der\s|des\s|das\s|de\s|het\s)?(?:uln|upper|normal(?!\s?dos)|ober|boven)",
    re.IGNORECASE,
)
_MULTIPLE = "time"  # base unit
_OF_TIME = ("hour", "month")  # base units
# Times by which a number is told in another unit than a range whose unit nobody says.
_OTHER_SIZE = 20
# What cells name that is no finding: a range of it is told otherwise, or is a dose.
_NO_FINDINGS = frozenset(_TABLE["no_findings"])


class FindingChange(NamedTuple):
    """Of a finding, from one number to another."""

    before: Fraction
    after: Fraction


@lru_cache(maxsize=64)
def change_in(question: str) -> FindingChange | None:
    """The change that a question tells: "fell from 12.9 to 10.1 g/dL"; None without one."""
    plain = _plain(question)
    found = _CHANGED.search(plain)
    if found is None or not (_FALLS.search(plain) or _RISES.search(plain)):
        return None
    return FindingChange(value_of(found["before"]), value_of(found["after"]))


def of_finding(part: str, question: str) -> Iterator[bool]:
    """Of the ranges that a cell has of what it names, whether the number that the question gives of that lies
    in them; nothing where the question gives none."""
    text = _plain(with_units(part))
    asked = _plain(question)
    held = [
        one.bounds.holds(said.number)
        for one in _ranges(text)
        if not one.is_change
        and (said := _said_of(one.lead, asked)) is not None
        and one.may_hold(said)
    ]
    times = _multiples(asked)
    held += [
        one.bounds.holds(number)
        for one in (_ranges(text, of_limit=True) if times else ())
        for number, said_of in times
        if names_any(said_of, (one.lead,))
    ]
    yield from _together(held, text)


def _multiples(question: str) -> list[tuple[Fraction, str]]:
    """How many times the upper limit of normal a question says that something is, with the words before."""
    return [
        (one.amount, _JOINED.split(question[: one.start])[-1])
        for one in quantities(question)
        if one.unit == _MULTIPLE and _LIMIT_ASKED.match(question, one.end)
    ]


@lru_cache(maxsize=2_000)
def _plain(text: str) -> str:
    return normalised(_THOUSANDS.sub("", text))


def of_change(part: str, change: FindingChange, named: bool) -> Iterator[bool]:
    """Whether a change lies in what a cell has: of each range that is one of a change the difference, of others
    what it has come to.

    Args:
        named: the question names what the row is about.
    """
    text = _plain(with_units(part))
    ranges = list(_ranges(text))
    if not named or not any(one.is_change for one in ranges):
        return
    fell = change.after < change.before
    held = [
        one.bounds.holds(abs(change.after - change.before)) and one.falls == fell
        if one.is_change
        else one.bounds.holds(change.after)
        for one in ranges
    ]
    yield from _together(held, text)


def _together(held: list[bool], text: str) -> Iterator[bool]:
    """One answer of several ranges: either is enough where "or" joins them."""
    if held:
        joined = len(held) > 1 and _OR.search(text)
        yield any(held) if joined else all(held)


class _Said(NamedTuple):
    """A number, and what it is told in; "" where that is not said."""

    number: Fraction
    unit: str


class _Range(NamedTuple):
    lead: str
    bounds: Bounds
    is_change: bool
    falls: bool
    unit: str

    def may_hold(self, said: _Said) -> bool:
        """Whether a number may be told in the same unit as the range."""
        if said.unit and self.unit:
            return said.unit == self.unit
        ends = [end for end in (self.bounds.low, self.bounds.high) if end]
        return any(end / _OTHER_SIZE <= said.number <= end * _OTHER_SIZE for end in ends)


def _ranges(text: str, of_limit: bool = False) -> Iterator[_Range]:
    """The ranges of a cell, with what stands before each and whether it is of a change.

    Args:
        of_limit: those of multiples of the upper limit of normal, or those of all else.
    """
    end = 0
    for found, bounds in sorted(bounds_in(text), key=lambda one: one[0].start()):
        lead = text[max(end, found.start() - _LONGEST_LEAD) : found.start()]
        behind = text[found.end() : found.end() + _LONGEST_BEHIND]
        beside = f"{_JOINED.split(lead)[-1]} {_JOINED.split(behind)[0]}"
        falls = bool(_FALLS.search(beside))
        changes = falls or bool(_RISES.search(beside)) or bounds.unit == "%"
        number = found.end() - len(bounds.unit)
        told_in = _BEHIND.match(text, len(text[:number].rstrip()))
        # "over 15 minutes"
        lasts = any(one.unit in _OF_TIME for one in quantities(f"1 {bounds.unit}"))
        if not lasts and bool(_OF_LIMIT.match(text, len(text[:number].rstrip()))) == of_limit:
            yield _Range(lead, bounds, changes, falls, _folded(told_in["unit"] if told_in else ""))
        end = found.end()


def _folded(unit: str) -> str:
    return re.sub(r"[\s^*]", "", unit.casefold()).replace("×", "x").rstrip(".")


def _said_of(lead: str, question: str) -> _Said | None:
    """The number that a question has behind a name that stands before a range."""
    whole = lead.strip(" :=")
    names = _names_in(lead)
    for name in (whole, *names) if names and len(whole) <= _LONGEST_NAME else names:
        found = re.search(
            rf"(?<![\w-]){re.escape(name)}s?(?!\w){_MEASURED}", question, re.IGNORECASE
        )
        if found:
            return _Said(value_of(found["number"]), _folded(found["unit"] or ""))
    return None


@cache
def _names_in(lead: str) -> tuple[str, ...]:
    """The names of findings in some words: long ones, and abbreviations in capitals; with what clinical short
    forms stand for, and those that stand for the words ("ANC", "neutrophils")."""
    said = " ".join([lead, *(one.words for one in forms_in(lead)), *_short_for(lead)])
    words = (one.group() for one in _NAME.finditer(said))
    return tuple(
        word.rstrip("s") if not word.isupper() else word
        for word in words
        if (len(word) >= _SHORTEST or (word.isupper() and len(word) >= _SHORTEST_CAPITALS))
        and word.casefold() not in _NO_FINDINGS
    )


def _short_for(lead: str) -> Iterator[str]:
    folded = lead.casefold()
    for short, wordings in standard_forms().items():
        if any(one.casefold() in folded for one in wordings):
            yield short.upper()


def names_any(question: str, texts: Iterable[str]) -> bool:
    """Whether a question names a finding that some texts name."""
    asked = question.casefold()
    return any(
        re.search(rf"(?<!\w){re.escape(name.casefold())}", asked)
        for text in texts
        for name in _names_in(text)
    )
