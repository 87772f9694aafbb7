"""Calendar dates of a text in English and German: "12 March 2018", "12.03.2018", "2018-03-12"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_MONTHS = (
    "january jan januar jänner", "february feb februar", "march mar märz mär", "april apr", "may mai",
    "june jun juni", "july jul juli", "august aug", "september sep sept", "october oct oktober okt",
    "november nov", "december dec dezember dez",
)  # fmt: skip
_NUMBER_OF = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
# Capitalised only: "may" is a verb.
_NAME = "|".join(
    sorted((name.capitalize() for name in _NUMBER_OF), key=lambda name: len(name), reverse=True)
)
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_YEAR = r"(?:1[89]|20)\d\d(?!\d|[.,]\d)"
_DATE = re.compile(
    rf"(?<![\d.,/-])(?:"
    rf"(?P<d1>{_DAY})(?:\.|st|nd|rd|th)?(?:\sof)?\s(?P<m1>{_NAME})\b\.?(?:,?\s(?P<y1>{_YEAR}))?"
    rf"|(?P<m2>\b(?:{_NAME}))\b\.?\s(?P<d2>{_DAY})(?:st|nd|rd|th)?(?!\d|[.,]\d)(?:,?\s(?P<y2>{_YEAR}))?"
    rf"|(?P<m3>\b(?:{_NAME}))\b\.?,?\s(?P<y3>{_YEAR})"
    rf"|(?P<d4>{_DAY})\.\s?(?P<m4>0?[1-9]|1[0-2])\.\s?(?P<y4>{_YEAR})"
    rf"|(?P<y5>{_YEAR})-(?P<m5>0[1-9]|1[0-2])-(?P<d5>{_DAY})(?![\d-]))"
)


@dataclass(frozen=True, slots=True)
class Date:
    """A date; 0 for a day or a year that is not said.

    Attributes:
        start, end: where it stands in the text.
    """

    year: int
    month: int
    day: int
    start: int
    end: int

    @property
    def value(self) -> int:
        """``20180312``; without a year ``312``, without a day ``20180300``."""
        return self.year * 10_000 + self.month * 100 + self.day

    def parts(self) -> tuple[int, ...]:
        """The values of this date told with less: without its day, without its year."""
        month, day = self.month * 100, self.day
        return tuple({self.year * 10_000 + month, month + day} if self.year and day else ())


def dates(text: str) -> Iterator[Date]:
    """The dates of a text in order. "03/04/2018" is left out: it is read in two ways."""
    for match in _DATE.finditer(text):
        found = {name[0]: value for name, value in match.groupdict().items() if value}
        month = found["m"].casefold()
        number = int(month) if month.isdigit() else _NUMBER_OF[month]
        yield Date(int(found.get("y", 0)), number, int(found.get("d", 0)), *match.span())
