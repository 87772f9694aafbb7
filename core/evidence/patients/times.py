"""When in a course of treatment something holds: "Days 1 and 2", "from day 5 on", "the first 2 weeks", as
ranges of days."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from core.domain.leaflets.conditions import Range
from core.resources import any_of, read_table
from core.text.quantities import normalised
from core.text.units import NUMBER_WORD, ORDINALS, word_value

_NUMBER = r"\d{1,3}"
_TO = r"\s*(?:-|to|through|until|bis|tot(?: en met)?|t/m)\s*"
_AND = r"\s*(?:,\s*(?:and|und|en)?|,?\s*(?:and|or|und|oder|en|of)|&|/)\s*"
_NEAR = 40  # characters before a time in which its preposition stands


@lru_cache(maxsize=8_192)
def times_of(text: str) -> tuple[Range, ...]:
    """The days of treatment that a text speaks of, the first day being 1, each range with both its ends; of a
    duration or an interval ("for 7 days", "every 4 weeks") nothing."""
    plain = normalised(text)
    found = [*_numbered(plain), *_ranked(plain), *_first(plain)]
    return tuple(dict.fromkeys(found))


def is_then(text: str) -> bool:
    """Whether a text is of the time behind the one that was named before it: "After that"."""
    return _patterns()["then"].search(text) is not None


def times_told(text: str, before: Sequence[str]) -> tuple[Range, ...]:
    """The days that a statement is said of: its own, else those of the nearest before it that names any.

    Args:
        before: labels and headings that it stands under, the nearest last.
    """
    return next(filter(None, map(times_of, (text, *reversed(before)))), ())


def at_one_time(asked: Sequence[Range], told: Sequence[Range]) -> bool:
    """Whether two texts have a day in common; the days of both count to their ends."""
    return any(_meet(one, other) for one in asked for other in told)


def _meet(one: Range, other: Range) -> bool:
    lows = [end for end in (one.low, other.low) if end is not None]
    highs = [end for end in (one.high, other.high) if end is not None]
    return not lows or not highs or max(lows) <= min(highs)


def _numbered(text: str) -> Iterator[Range]:
    """ "Day 8", "Days 1 and 2", "weeks 3 to 4"."""
    for match in _patterns()["numbered"].finditer(text):
        days = _days(match["unit"])
        place = match.span()
        if _is_elsewhere(text, place):
            continue
        parts = [
            re.findall(_NUMBER, each)
            for each in re.split(rf"(?<=\d){_AND}(?=\d)", match["numbers"], flags=re.IGNORECASE)
        ]
        ranges = [_range(int(ends[0]), int(ends[-1]), days) for ends in parts]
        yield from _opened(text, place, ranges)


def _ranked(text: str) -> Iterator[Range]:
    """ "third week", "the 5th month"."""
    for match in _patterns()["ranked"].finditer(text):
        rank = match["digits"] or ORDINALS[match["rank"].casefold()]
        if not _is_elsewhere(text, match.span()):
            days = _days(match["unit"])
            yield from _opened(text, match.span(), [_range(int(rank), int(rank), days)])


def _first(text: str) -> Iterator[Range]:
    """ "the first 2 weeks"."""
    for match in _patterns()["first"].finditer(text):
        written = match["number"]
        number = int(written) if written.isdigit() else word_value(written)
        if not _is_elsewhere(text, match.span()):
            days = _days(match["unit"])
            yield from _opened(text, match.span(), [Range(1, number * days)])


def _range(first: int, last: int, days: int) -> Range:
    return Range(max(0, (first - 1) * days + 1), last * days if last else 1)


def _opened(text: str, place: tuple[int, int], found: Sequence[Range]) -> Iterator[Range]:
    """The same with what stands before and behind: "from day 5", "after the first week", "day 8 and on"."""
    start, end = place
    patterns, begin = _patterns(), max(0, place[0] - _NEAR)
    if len(found) > 1 or not found:
        yield from found[:-1]
        found = found[-1:]
        start = end  # what stands before is the first one's
    (one,) = found or (Range(None, None),)
    if patterns["after"].search(text, begin, start):
        yield Range((one.high or 0) + 1, None)
    elif patterns["until"].search(text, begin, start):
        yield Range(None, one.high)
    else:
        begins = one.low == one.high and patterns["from"].search(text, begin, start)
        yield Range(one.low, None) if begins or patterns["onward"].match(text, end) else one


def _is_elsewhere(text: str, place: tuple[int, int]) -> bool:
    """Whether a time is an interval, or a day of something else than the treatment."""
    patterns = _patterns()
    begin = max(0, place[0] - _NEAR)
    return bool(
        patterns["every"].search(text, begin, place[0])
        or patterns["elsewhere"].match(text, place[1])
    )


def _days(unit: str) -> int:
    return next(days for days, words in _units() if words.fullmatch(unit))


@cache
def _units() -> list[tuple[int, re.Pattern[str]]]:
    table = read_table(__file__, "times.toml")["units"]
    return [(int(days), any_of(words)) for days, words in table.items()]


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    table = read_table(__file__, "times.toml")
    words = {name: "|".join(each) for name, each in table["words"].items()}
    unit = "|".join(word for each in table["units"].values() for word in each)
    numbers = rf"{_NUMBER}(?:(?:{_TO}|{_AND}){_NUMBER})*"
    ranks = "|".join(sorted(ORDINALS, key=len, reverse=True))
    behind = {
        "numbered": rf"(?<!\w)(?P<unit>{unit})\s(?P<numbers>{numbers})(?![\w/]|[.,]\d|\s?(?:%|mg|mcg))",
        "ranked": (
            rf"(?<!\w)(?:(?P<digits>\d{{1,2}})(?:st|nd|rd|th|\.|e|de|ste)|(?P<rank>{ranks}))"
            rf"\s(?P<unit>{unit})(?!\w)"
        ),
        "first": rf"(?<!\w)(?:{words['first']})\s(?P<number>\d{{1,2}}|{NUMBER_WORD})\s(?P<unit>{unit})(?!\w)",
        "elsewhere": rf"[\s-]*(?:{words['elsewhere']})(?!\w)",
        "then": rf"(?<!\w)(?:{words['then']})(?!\w)",
        "onward": rf",?\s*(?:{words['onward']})(?!\w)",
    }
    before = {
        name: rf"(?<!\w)(?:{words[name]})\s(?:the\s|den\s|dem\s|der\s|die\s|de\s|het\s)?$"
        for name in ("from", "after", "until", "every")
    }
    return {name: any_of([each]) for name, each in {**behind, **before}.items()}
