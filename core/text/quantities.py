"""Quantities of a text: a number, its unit and its period as one thing, in one normal form.

"1,000 mg", "1 000 milligrams", "1.000 mg" in a German text and "1 g" are the same amount; "500 mg" and
"500 micrograms", "10 mg a day" and "10 mg a week" are not. A range is its two ends: "5 to 10 mg" has
5 mg and 10 mg, and nothing between them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from core.text.dates import dates
from core.text.units import (
    ADVERBS,
    ARTICLES,
    COUNTED,
    NUMBER_WORD,
    ORDINALS,
    PERIODS,
    UNIT,
    unit_of,
    word_value,
)

AT_LEAST, AT_MOST = 1, -1
RANK = "rank"  # "third"; "rank day" of "third day" and "day 3"
DATE = "date"
_MOST_DIGITS = 30  # a longer run of digits is no amount, and slow to compute with


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
_UNIT = re.compile(rf"[\s-]{{0,2}}(?:a\s|an\s|of\sa\s|einer?\s)?(?P<unit>{UNIT})")
_A_UNIT = re.compile(r"[\s-]{0,2}(?:an?|of a|einer?)\s")
# "mg/kg", "mg per 5 ml"; a time below the line is a period.
_BELOW = re.compile(rf"\s?(?:/|per\s|pro\s)\s?(?P<number>\d+(?:[.,]\d+)?)?\s?(?P<unit>{UNIT})")
_SURFACE = re.compile(r"\s?(?:/|per\s|pro\s)\s?1[.,]73\s?m\^?2")
_PERIOD = {name: re.compile(rf"\s?(?:{rule})\b", re.IGNORECASE) for name, rule in PERIODS.items()}
_JOIN = re.compile(r"\s*(?:-|to|or|and|bis|oder|und|up to|bis zu|/)\s*(?:up to\s)?", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*")
_STRENGTH = re.compile(
    r"\s*(?:mg|g|μg|mcg|ml)\b[\s-]*(?:\w+[\s-]){0,2}(?:tablet|capsule|tablette|kapsel)", re.I
)
_RANKS = {"trimenon": "trimester", "tag": "day", "woche": "week", "monat": "month", "jahr": "year"}
_RANKED = re.compile(
    r"\s+(?P<noun>trimester|trimenon|day|dose|week|month|year|tag|woche|monat|jahr)", re.I
)
_NUMBERED = re.compile(r"\b(?P<noun>day|week|month|trimester|trimenon|tag|woche|monat)\s$", re.I)
# "1 in 10 people", "1 von 10 Behandelten", "≥ 1/100".
_SHARE = re.compile(r"\s(?:in|of|out of|von|in every|in each)\s(?:every\s|each\s|je\s)?|/")
_SHARES_WRITTEN = frozenset({Fraction(1, 10)})  # "1/100" is no fraction to the number's rule
_BODY = re.compile(r"\s?(?:of\s)?(?:body[\s-]?weight|bw\b|körpergewicht)", re.I)
_AGED = re.compile(
    r"\b(?:aged?|ages|alter von)(?:\s(?:of|over|under|above|below|from|about))?\s$", re.I
)
_MORE = "more|greater|longer|later|older|higher"
_LESS = "less|fewer|lower|younger|shorter|earlier"
_LEAST = (
    rf"(?P<plain_least>not? (?:{_LESS}) than)|at least|(?:a )?minimum(?: of)?|(?:{_MORE}) than|over|above|"
    r"exceed(?:s|ing)?|from|≥|>=?|mindestens|mehr als|länger als|älter als|über"
)
_MOST = (
    rf"(?P<plain_most>not? (?:{_MORE}) than)|up to|at most|maximum(?: of)?|(?:{_LESS}) than|under|below|"
    r"within|≤|<=?|höchstens|maximal|bis zu|weniger als|unter"
)
_BOUND = re.compile(
    rf"(?:(?P<least>(?<!\w)(?:{_LEAST}))|(?P<most>(?<!\w)(?:{_MOST})))\s*(?:a |an |the |age of )?$",
    re.I,
)
_AFTER = re.compile(
    r"\s*(?:(?P<least>(?:or|and|oder|und) (?:more|over|older|above|longer|mehr|älter))|"
    r"(?P<most>(?:or|and|oder|und) (?:less|under|younger|below|weniger|jünger)|at (?:the )?most))\b", re.I
)  # fmt: skip
_NEGATED = re.compile(
    r"(?i)\b(?:not|never|cannot|avoid\w*|contraindicat\w*|nicht|nie(?:mals)?)\b(?! (?:more|less) than)|n['’]t\b"
)
_DIRECTLY = re.compile(r"(?!.*\b(?:if|when|where|in|with|bei|wenn|mit)\b).{0,25}", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[;•|]|(?<=[^\d\s][.!?])\s")
_GERMAN = frozenset(
    """der die das und ist nicht mit für ein eine oder sie bei zu pro werden wird darf kann täglich von
    einnehmen tablette tabletten beträgt bis einmal zweimal dreimal zwei drei höchstens mindestens tag
    tagesdosis höchstdosis""".split()
)
_ENGLISH = frozenset(
    """the of and is not with for a an or you in to per are be may must if should daily take tablets
    dose day""".split()
)
_LETTERS = re.compile(r"[^\W\d_]+")


def is_german(text: str) -> bool | None:
    """Whether a text is German rather than English; None when its words do not tell."""
    words = [word.casefold() for word in _LETTERS.findall(text)]
    german = sum(word in _GERMAN for word in words)
    english = sum(word in _ENGLISH for word in words)
    return None if german == english else german > english


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
    # Numbers of two lines are not one, and a line that begins with a capital may begin a paragraph.
    text = re.sub(r"(?:(?<=\d)\s*\n\s*(?=\d)|\s*\n\s*(?=[A-ZÄÖÜ]))", " | ", text)
    return " ".join(text.split())


def periods(text: str) -> frozenset[str]:
    """All periods that a text speaks of, also apart from a number ("the daily dose")."""
    plain = f" {normalised(text)}"
    return frozenset(name for name, rule in _PERIOD.items() if rule.search(plain))


def quantities(text: str, german: bool | None = None) -> list[Quantity]:
    """The quantities of a text, in order.

    Args:
        german: how "1.000" and "1,000" read where the words do not tell.
    """
    text = normalised(text)
    own = is_german(text)
    reads_german = bool(german if own is None else own)
    calendar = []
    for day in dates(text):
        written = text[day.start : day.end]
        calendar.append(
            Quantity(Fraction(day.value), DATE, Fraction(1), "", 0, written, day.start, day.end)
        )
        text = f"{text[: day.start]}{'#' * len(written)}{text[day.end :]}"
    matches = list(_numbers(text, reads_german))
    found = [_quantity(text, *match) for match in matches]
    _share_units(text, found, [(start, end) for _, start, end, _ in matches])
    found = [one for one in _with_shares(text, found) if not (one.loose and not one.unit)]
    return sorted(found + calendar, key=lambda one: one.start)


def _numbers(text: str, german: bool) -> Iterator[tuple[Fraction, int, int, str]]:
    """Value, start, end and kind ("", "times", "half", "rank", "article") of each number."""
    position = 0
    while match := _NUMBER.search(text, position):
        kind, end = "", match.end()
        if match["adverb"]:
            value, kind = Fraction(ADVERBS[match["adverb"].casefold()]), "times"
            if value == 1 and not any(r.match(text, end) for r in _PERIOD.values()):
                position = end  # "once opened" is no number
                continue
        elif match["half"]:
            value, kind = Fraction(1, 2), "half"
        elif match["rank"]:
            value, kind = Fraction(ORDINALS[match["rank"].casefold()]), "rank"
            if not _RANKED.match(text, end):
                kind = "article"
        elif match["word"]:
            value = Fraction(word_value(match["word"]))
            kind = "article" if match["word"].casefold() in ARTICLES else ""
        else:
            if match["grouped"] and match["group"] == " " and _STRENGTH.match(text, end):
                end = match.start() + match["grouped"].index(" ")  # "2 500 mg tablets"
                read = _read_number(text[match.start() : end], german)
            elif match["fraction"]:
                read, end = _fraction(match["fraction"], match.start(), end)
            else:
                read = _read_number(match["grouped"] or match["plain"], german)
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
        yield value, match.start(), end, kind
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
    if _UNIT.match(text, end):
        return False
    return bool(re.match(r"-?[^\W\d_]", text[end : end + 2]))


def _is_degree(text: str, end: int) -> bool:
    return bool(re.match(r"\s?(?:°|degrees|grad)", text[end:], re.IGNORECASE))


def _read_number(written: str, german: bool) -> Fraction | None:
    """The value of digits with separators: "1,000" is 1000, in a German text 1; None for a run of
    digits that is no amount."""
    if len(written) > _MOST_DIGITS:
        return None
    plain = re.sub(r"['’ ]", "", written)
    signs = re.findall(r"[.,]", plain)
    if not signs:
        return Fraction(plain)
    last = signs[-1]
    thousands = "." if german else ","
    grouping = re.fullmatch(rf"[1-9]\d{{0,2}}(?:{re.escape(last)}\d{{3}})+", plain)
    if len(signs) > 1 and len(set(signs)) == 1:
        return Fraction(plain.replace(last, ""))
    if grouping and last == thousands:
        return Fraction(plain.replace(last, ""))
    head, _, tail = plain.rpartition(last)
    return Fraction(f"{re.sub('[.,]', '', head)}.{tail}")


def _quantity(text: str, value: Fraction, start: int, end: int, kind: str) -> Quantity:
    unit, factor, loose = "", Fraction(1), kind == "article"
    if kind == "times":
        unit = "time"
    elif (numbered := _NUMBERED.search(text[max(0, start - 12) : start])) or kind == "rank":
        noun = numbered or _RANKED.match(text, end)
        name = noun["noun"].casefold() if noun else ""
        unit = f"{RANK} {_RANKS.get(name, name)}".rstrip()
    elif match := _UNIT.match(text, end):
        unit, factor = unit_of(match["unit"])
        if kind != "half" and unit in ("hour", "month") and _A_UNIT.match(text, end):
            unit, factor = "", Fraction(1)  # "1 a day", unlike "half an hour"
        elif not (kind == "half" and unit not in (*COUNTED, "hour", "month")):
            end = match.end()
        while (below := _BELOW.match(text, end)) and not _SURFACE.match(text, end):
            name, scale = unit_of(below["unit"])
            if name in ("hour", "month") or name in COUNTED:
                break  # "200 mg per dose" is 200 mg
            amount = Fraction((below["number"] or "1").replace(",", ".")) * scale
            unit, factor, end = f"{unit}/{name}", factor / (amount or 1), below.end()
            if body := _BODY.match(text, end):
                end = body.end()
    elif kind == "half":
        unit, factor = "%", Fraction(100)  # "reduced by half"
    elif _AGED.search(text[max(0, start - 20) : start]):
        unit, factor = "month", Fraction(12)
    period = ""
    for name, rule in _PERIOD.items():
        if match := rule.match(text, end):
            period, end = name, match.end()
    if surface := _SURFACE.match(text, end):
        end = surface.end()
    bound, worded = _bounds(text, start, end)
    written = text[start:end].strip()
    return Quantity(value, unit, factor, period, bound, written, start, end, loose, worded)


def _bounds(text: str, start: int, end: int) -> tuple[int, int]:
    """At least or at most, with a "not" in the same clause turned round ("do not store above 25 °C"),
    and as it is worded."""
    window = max(0, start - 30)
    before = _BOUND.search(text[window:start])
    match = before or _AFTER.match(text, end)
    if not match:
        return 0, 0
    bound = AT_LEAST if match["least"] else AT_MOST
    if before and (before["plain_least"] or before["plain_most"]):
        return bound, bound  # "no more than" has its "not" in it
    begin = max((m.end() for m in _CLAUSE_END.finditer(text, 0, start)), default=0)
    stop = _CLAUSE_END.search(text, end)
    clause = text[begin : stop.start() if stop else len(text)]
    negations = list(_NEGATED.finditer(clause))
    if not negations:
        return bound, bound
    direct = before and any(
        one.end() <= window + before.start() - begin
        and _DIRECTLY.fullmatch(clause[one.end() : window + before.start() - begin])
        for one in negations
    )
    return -bound, -bound if direct else bound


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
