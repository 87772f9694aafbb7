"""Numbers of a text as they are written: digits with their separators, fractions, powers, words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from core.text.units import (
    ADVERBS,
    ARTICLES,
    NUMBER_WORD,
    ORDINALS,
    PERIOD,
    UNIT,
    word_value,
)

_MOST_DIGITS = 30  # a longer run of digits is no amount, and slow to compute with
_GROUPED = (
    r"\d{1,3}(?P<group>[,.'’ ])\d{3}(?:(?P=group)\d{3})*(?!\d)(?![.,]\d{3}(?!\d))(?:[.,]\d+)?"
)
_FRACTION = r"(?:\d+\s)?\d{1,2}/\d{1,2}(?![\d/])"
_NUMBER = re.compile(
    rf"(?<![^\W\d_])(?<!\d)(?<!\d[.,])(?<![^\W\d_]-)"
    rf"(?:(?P<fraction>{_FRACTION})|(?P<grouped>{_GROUPED})|(?P<plain>\d+(?:[.,]\d+)?))"
    rf"(?:\s?[x×·*]\s?10\^?(?P<exponent>-?\d{{1,2}})(?!\d)|\^(?P<power>-?\d{{1,2}})(?!\d))?"
    rf"(?P<ordinal>(?:st|nd|rd|th)\b)?"
    rf"|(?P<adverb>(?i:\b(?:{'|'.join(ADVERBS)})\b))"
    rf"|(?P<half>(?i:\b(?:half|halve[ds]?|halbe[nr]?|halbier(?:t|en))\b(?![\s-]?li[fv]e)))"
    rf"|(?P<rank>(?i:\b(?:{'|'.join(ORDINALS)})\b))"
    rf"|(?P<word>{NUMBER_WORD})"
)
UNIT_BEHIND = re.compile(rf"[\s-]{{0,2}}(?:a\s|an\s|of\sa\s|einer?\s)?(?P<unit>{UNIT})")
_STRENGTH = re.compile(
    r"\s*(?:mg|g|μg|mcg|ml)\b[\s-]*(?:\w+[\s-]){0,2}(?:tablet|capsule|tablette|kapsel)", re.I
)
RANKED = re.compile(
    r"\s+(?P<noun>trimester|trimenon|day|dose|week|month|year|tag|woche|monat|jahr)", re.I
)


class Numeral(NamedTuple):
    """A number, and where it stands; `kind` is "", "times", "half", "rank" or "article"."""

    value: Fraction
    start: int
    end: int
    kind: str


def numerals(text: str, comma: bool) -> Iterator[Numeral]:
    """The numbers of a text in order, without those that are part of a name.

    Args:
        text: as `core.text.quantities.normalised` gives it.
        comma: whether decimals have a comma, and thousands a point.
    """
    position = 0
    while match := _NUMBER.search(text, position):
        kind, end = "", match.end()
        if match["adverb"]:
            value, kind = Fraction(ADVERBS[match["adverb"].casefold()]), "times"
            if value == 1 and not any(r.match(text, end) for r in PERIOD.values()):
                position = end  # "once opened" is no number
                continue
        elif match["half"]:
            value, kind = Fraction(1, 2), "half"
        elif match["rank"]:
            value, kind = Fraction(ORDINALS[match["rank"].casefold()]), "rank"
            if not RANKED.match(text, end):
                kind = "article"
        elif match["word"]:
            value = Fraction(word_value(match["word"]))
            kind = "article" if match["word"].casefold() in ARTICLES else ""
        else:
            if match["grouped"] and match["group"] == " " and _STRENGTH.match(text, end):
                end = match.start() + match["grouped"].index(" ")  # "2 500 mg tablets"
                read = _read_number(text[match.start() : end], comma)
            elif match["fraction"]:
                read, end = _fraction(match["fraction"], match.start(), end)
            else:
                read = _read_number(match["grouped"] or match["plain"], comma)
            if match["ordinal"]:
                kind = "rank"
            exponent = match["exponent"] or match["power"]
            if exponent and read is not None:
                read = (
                    read * Fraction(10) ** int(exponent)
                    if match["exponent"]
                    else read ** min(int(exponent), 12)
                    if int(exponent) > 0 or read
                    else read
                )
            if read is None or _is_name(text, end):
                position = max(end, match.end())
                continue
            value = read
        sign = text[max(0, match.start() - 2) : match.start()]
        if value and re.search(r"(?:^|[\s(])-$", sign) and _is_degree(text, end):
            value = -value
        yield Numeral(value, match.start(), end, kind)
        position = end


def _fraction(written: str, start: int, end: int) -> tuple[Fraction, int]:
    """A fraction or a mixed number; "10/20" is no fraction: its first number, and where that ends."""
    whole, _, rest = written.rpartition(" ")
    above, below = (int(part) for part in rest.split("/"))
    if 0 < above < below <= 12:
        return (int(whole) if whole else 0) + Fraction(above, below), end
    first = re.split(r"\D", written)[0]
    return Fraction(int(first)), start + len(first)


def _is_name(text: str, end: int) -> bool:
    """Whether what follows makes a number part of a name: "5-HT", "3A4"."""
    if UNIT_BEHIND.match(text, end):
        return False
    return bool(re.match(r"-?[^\W\d_]", text[end : end + 2]))


def _is_degree(text: str, end: int) -> bool:
    return bool(re.match(r"\s?(?:°|degrees|grad)", text[end:], re.IGNORECASE))


def _read_number(written: str, comma: bool) -> Fraction | None:
    """The value of digits with separators: "1,000" is 1000, in a German text 1; None for a run of
    digits that is no amount."""
    if len(written) > _MOST_DIGITS:
        return None
    plain = re.sub(r"['’ ]", "", written)
    signs = re.findall(r"[.,]", plain)
    if not signs:
        return Fraction(plain)
    last = signs[-1]
    thousands = "." if comma else ","
    grouping = re.fullmatch(rf"[1-9]\d{{0,2}}(?:{re.escape(last)}\d{{3}})+", plain)
    if (len(signs) > 1 and len(set(signs)) == 1) or (grouping and last == thousands):
        return Fraction(plain.replace(last, ""))
    head, _, tail = plain.rpartition(last)
    return Fraction(f"{re.sub('[.,]', '', head)}.{tail}")
