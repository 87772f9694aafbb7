"""Quantities of a text: a number, its unit and its period as one thing, in one normal form.

"1,000 mg", "1 000 milligrams", "1.000 mg" in a German text and "1 g" are the same amount; "500 mg" and
"500 micrograms", "10 mg a day" and "10 mg a week" are not. A range is its two ends: "5 to 10 mg" has
5 mg and 10 mg, and nothing between them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from core.text.dates import dates
from core.text.language import has_decimal_comma
from core.text.limits import clause_ends, limit
from core.text.numerals import RANKED, UNIT_BEHIND, Numeral, numerals
from core.text.units import COUNTED, PERIOD, SINGULAR, UNIT, unit_of

RANK = "rank"  # "third"; "rank day" of "third day" and "day 3"
DATE = "date"
_LONGEST_KEPT = 2_000  # characters of a text whose quantities are kept for the next time


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a text.

    Attributes:
        value: as it is written.
        unit: in base units ("mg", "ml", "hour", "month", "mg/ml", ...); empty without one.
        factor: of the written unit; ``value * factor`` is the amount in base units.
        period: "day", "week", ... of a rate ("a day"); empty without one.
        bound: `AT_LEAST` ("at least", "over"), `AT_MOST` ("up to", "below"), or 0.
        written: the words it stands in.
        start, end: where it stands in the normalised text.
        loose: a word that is a number only sometimes ("one", "first").
        worded: `bound` as it is worded: with the "not" of "not above", without that of "not when above".
    """

    value: Fraction
    unit: str
    factor: Fraction
    period: str
    bound: int
    written: str
    start: int
    end: int
    loose: bool = False
    worded: int = 0

    @property
    def amount(self) -> Fraction:
        return self.value * self.factor


_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_VULGAR = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3", "⅛": "1/8"}
_A_UNIT = re.compile(r"[\s-]{0,2}(?:an?|of a|einer?)\s")
# "mg/kg", "mg per 5 ml"; a time below the line is a period.
_BELOW = re.compile(rf"\s?(?:/|per\s|pro\s)\s?(?P<number>\d+(?:[.,]\d+)?)?\s?(?P<unit>{UNIT})")
_IN_POUNDS = re.compile(r"lbs?|pounds?", re.IGNORECASE)
_SURFACE = re.compile(r"\s?(?:/|per\s|pro\s)\s?1[.,]73\s?m\^?2")
_JOIN = re.compile(r"\s*(?:-|to|or|and|bis|oder|und|up to|bis zu|/)\s*(?:up to\s)?", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*")
_RANKS = {"trimenon": "trimester", "tag": "day", "woche": "week", "monat": "month", "jahr": "year"}
_NUMBERED = re.compile(r"\b(?P<noun>day|week|month|trimester|trimenon|tag|woche|monat)\s$", re.I)
# "1 in 10 people", "1 von 10 Behandelten", "≥ 1/100".
_SHARE = re.compile(r"\s(?:in|of|out of|von|in every|in each)\s(?:every\s|each\s|je\s)?|/")
_SHARES_WRITTEN = frozenset({Fraction(1, 10)})  # "1/100" is no fraction to the number's rule
_BODY = re.compile(r"\s?(?:of\s)?(?:body[\s-]?weight|bw\b|körpergewicht)", re.I)
# "1 month-11 years"
_TIMES_JOINED = re.compile(
    r"(?<=\d)\s?(days?|weeks?|months?|years?|tagen?|wochen?|monate?n?|jahre?n?|dag(?:en)?|we(?:ek|ken)|maand(?:en)?"
    r"|jaar)\s?-\s?(?=\d)",
    re.IGNORECASE,
)
# "age 0 to 7 days": no years
_TO_A_TIME = re.compile(
    r"\s?(?:-|to|bis|tot)\s?\d+(?:[.,]\d+)?\s?(?:days?|weeks?|months?)\b", re.IGNORECASE
)
_AGED = re.compile(
    r"\b(?:aged?|ages|alter von)(?:\s(?:of|over|under|above|below|from|about))?\s$", re.I
)


def normalised(text: str) -> str:
    """A text with one sign for each dash, micro, superscript and fraction.

    "10⁹" reads ``10^9``, "m²" reads ``m2``, "1½" reads ``1 1/2``; white space is single, and where a
    line's end may be a paragraph's stands "|".
    """
    text = re.sub(r"(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))", "", text)
    text = re.sub(r"(?<=\d)([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda m: "^" + m[1].translate(_SUPERSCRIPTS), text)
    text = text.translate(_SUPERSCRIPTS)
    for sign, plain in _VULGAR.items():
        text = text.replace(sign, f" {plain}")
    text = unicodedata.normalize("NFKC", text)
    text = re.sub("[\u2010-\u2015\u2212]", "-", text).replace("\u2044", "/")
    text = re.sub(r"(?<=\d)\s?(mg|g|ml|μg|mcg|°C|%)\s?-\s?(?=\d)", r" \1 - ", text)
    text = _TIMES_JOINED.sub(r" \1 - ", text)
    # Numbers of two lines are not one, and a line that begins with a capital may begin a paragraph.
    text = re.sub(r"(?:(?<=\d)\s*\n\s*(?=\d)|\s*\n\s*(?=[A-ZÄÖÜ]))", " | ", text)
    return " ".join(text.split())


def periods(text: str) -> frozenset[str]:
    """All periods that a text speaks of, also apart from a number ("the daily dose")."""
    plain = f" {normalised(text)}"
    return frozenset(name for name, rule in PERIOD.items() if rule.search(plain))


def without_periods(text: str) -> str:
    """A normalised text without the words that say how often or for how long ("per day", "daily")."""
    plain = f" {normalised(text)}"
    for rule in PERIOD.values():
        plain = rule.sub(" ", plain)
    return " ".join(plain.split())


@lru_cache(maxsize=2_000)
def numbers(text: str) -> frozenset[Fraction]:
    """The values of a text's quantities as they are written: ``1,000 mg`` and ``1000`` are equal."""
    return frozenset(one.value for one in quantities(text))


def quantities(text: str, comma: bool | None = None) -> list[Quantity]:
    """The quantities of a text, in order.

    Args:
        comma: whether decimals have a comma where the words do not tell, see `has_decimal_comma`.
    """
    read = _read_kept if len(text) <= _LONGEST_KEPT else _read
    return list(read(text, comma))


def _read(text: str, comma: bool | None) -> tuple[Quantity, ...]:
    text = normalised(text)
    own = has_decimal_comma(text)
    has_comma = bool(comma if own is None else own)
    calendar = []
    for day in dates(text):
        written = text[day.start : day.end]
        calendar.append(
            Quantity(Fraction(day.value), DATE, Fraction(1), "", 0, written, day.start, day.end)
        )
        text = f"{text[: day.start]}{'#' * len(written)}{text[day.end :]}"
    matches = list(numerals(text, has_comma))
    clauses = clause_ends(text)
    found = [_quantity(text, clauses, match) for match in matches]
    _share_units(text, found, [(match.start, match.end) for match in matches])
    found = [one for one in _with_shares(text, found) if not (one.loose and not one.unit)]
    return tuple(sorted(found + calendar, key=lambda one: one.start))


# Each question to a document asks for those of the same statements, several times.
_read_kept = lru_cache(maxsize=4_000)(_read)


def _quantity(text: str, clauses: Sequence[int], numeral: Numeral) -> Quantity:
    value, start, end, kind = numeral
    unit, factor, loose = "", Fraction(1), kind == "article"
    if kind == "times":
        unit = "time"
    elif (numbered := _NUMBERED.search(text[max(0, start - 12) : start])) or kind == "rank":
        noun = numbered or RANKED.match(text, end)
        name = noun["noun"].casefold() if noun else ""
        unit = f"{RANK} {_RANKS.get(name, name)}".rstrip()
    elif match := UNIT_BEHIND.match(text, end):
        unit, factor = unit_of(match["unit"])
        is_one = match["unit"].casefold() in SINGULAR and text[end : end + 1] == " "
        if kind != "half" and unit in ("hour", "month") and _A_UNIT.match(text, end):
            unit, factor = "", Fraction(1)  # "1 a day", unlike "half an hour"
        elif is_one and value > 1:
            unit, factor = "", Fraction(1)
        elif not (kind == "half" and unit not in (*COUNTED, "hour", "month")):
            end = match.end()
        while (below := _BELOW.match(text, end)) and not _SURFACE.match(text, end):
            name, scale = unit_of(below["unit"])
            if name in ("hour", "month") or name in COUNTED or _IN_POUNDS.fullmatch(below["unit"]):
                break  # "200 mg per dose" is 200 mg, and "18 kg/40 lb" the same twice
            amount = Fraction((below["number"] or "1").replace(",", ".")) * scale
            unit, factor, end = f"{unit}/{name}", factor / (amount or 1), below.end()
            if body := _BODY.match(text, end):
                end = body.end()
    elif kind == "half":
        unit, factor = "%", Fraction(100)  # "reduced by half"
    elif _AGED.search(text[max(0, start - 20) : start]) and not _TO_A_TIME.match(text, end):
        unit, factor = "month", Fraction(12)
    period = ""
    for name, rule in PERIOD.items():
        if match := rule.match(text, end):
            period, end = name, match.end()
    if surface := _SURFACE.match(text, end):
        end = surface.end()
    bound, worded = limit(text, start, end, clauses)
    written = text[start:end].strip()
    return Quantity(value, unit, factor, period, bound, written, start, end, loose, worded)


def _with_shares(text: str, found: Sequence[Quantity]) -> list[Quantity]:
    """ "1 in 10" as the share that it is, ten per cent; "1/10" only where no unit follows."""
    kept: list[Quantity] = []
    for one in found:
        last = kept[-1] if kept else None
        if one.unit == "" and one.value in _SHARES_WRITTEN:
            one = replace(one, unit="%", factor=Fraction(100))
        elif (
            last is not None
            and last.value == 1
            and not last.unit
            and not one.unit
            and one.value > 1
            and one.value.denominator == 1
            and _SHARE.fullmatch(text[last.end : one.start])
        ):
            kept.pop()
            one = replace(
                one, value=1 / one.value, unit="%", factor=Fraction(100), bound=last.bound, worded=last.worded,
                written=text[last.start : one.end], start=last.start, loose=False,
            )  # fmt: skip
        kept.append(one)
    return kept


def _share_units(text: str, found: list[Quantity], spans: Sequence[tuple[int, int]]) -> None:
    """Give a number the unit of the next where both share it: "10 to 20 mg", "250, 500 or 1,000 mg"."""
    chained = False
    for i in range(len(found) - 2, -1, -1):
        one, after = found[i], found[i + 1]
        between = text[spans[i][1] : spans[i + 1][0]]
        joined = _JOIN.fullmatch(between) or (chained and _COMMA.fullmatch(between))
        chained = bool(joined) and not one.unit and bool(after.unit)
        if chained:
            unit_words = after.written[len(text[slice(*spans[i + 1])].strip()) :]
            found[i] = replace(
                one, unit=after.unit, factor=after.factor, period=one.period or after.period,
                written=f"{one.written}{unit_words}",
            )  # fmt: skip
