"""Which part of a paper a heading begins: where its methods stand, what it found, how that is discussed."""

from __future__ import annotations

import re
from functools import lru_cache

from core.resources import read_table

BACKGROUND, METHODS, RESULTS, DISCUSSION, ADMINISTRATIVE = (
    "background",
    "methods",
    "results",
    "discussion",
    "administrative",
)
_PATTERNS = [
    (code, re.compile("|".join(found)))
    for code, found in read_table(__file__, "parts.toml").items()
]
# "2 Methods", "IV. Results"; not "10 mg arm", nor "IV administration".
_NUMBER = re.compile(
    r"(?:(?P<number>\d{1,2}(?:\.\d{1,2})*)(?:[.)]|\s+\|)?|(?P<roman>[IVX]{1,5})[.)])\s+(?=[A-ZÀ-Þ])"
)
_LONGEST = 80  # characters of a heading that begins a part
_APART = " · "
_WITHOUT_TABLES = (BACKGROUND, DISCUSSION, ADMINISTRATIVE)


@lru_cache(maxsize=4096)
def part_of(heading: str) -> str:
    """Code of the part of a paper that a heading begins, "" for any other heading."""
    bare = " ".join(heading.split())
    if len(bare) > _LONGEST:
        return ""
    bare = _NUMBER.sub("", bare, count=1).rstrip(" :.").casefold()
    return next((code for code, pattern in _PATTERNS if pattern.fullmatch(bare)), "")


def goes_on_under(part: str, heading: str) -> str:
    """The part's heading that what follows `heading` stands under: itself where it begins a part, the one that
    runs where it is no section of its own beside that.

    Args:
        part: the part's heading that runs, or "".
    """
    if part_of(heading):
        return heading
    number = _NUMBER.match(" ".join(heading.split()))
    beside = number is not None and "." not in (number["number"] or "")
    return "" if beside or part_of(part) == ADMINISTRATIVE else part


def part_in(titled: str) -> str:
    """Code of the part of a paper that a chunk stands in, by its title and headings (`Chunk.titled`); "" where
    that tells none."""
    headings = titled.split(_APART)[1:]
    return next((code for heading in headings if (code := part_of(heading))), "")


def over_table(titled: str) -> str:
    """Title and headings that a table stands under: the title alone where the part has none of its own, as of a
    table that stands behind the references for there is room."""
    return titled.split(_APART)[0] if part_in(titled) in _WITHOUT_TABLES else titled


def with_part(part: str, heading: str) -> str:
    """A heading below that of the paper's part that it stands in."""
    return f"{part}{_APART}{heading}" if part and part != heading else heading
