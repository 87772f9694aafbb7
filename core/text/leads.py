"""What a list is led in with, and whether several of its items must hold together ("at least two of ...")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from core.resources import read_table


@lru_cache(maxsize=2_000)
def must_hold(lead: str, items: int) -> int:
    """How many of a list's items must hold together, as its lead-in says; 1 where each holds alone.

    Args:
        items: of the list.
    """
    if _pattern("all").search(lead):
        return items
    found = _pattern("counted").search(lead)
    if found is None:
        return 1
    number = next(filter(None, found.groups()))
    return int(_numbers()[number.casefold()])


def common_lead(texts: Sequence[str]) -> str:
    """What all items of a list begin with, as they are told; empty of none."""
    least, most = min(texts, default=""), max(texts, default="")
    same = 0
    while same < min(len(least), len(most)) and least[same] == most[same]:
        same += 1
    return least[:same]


@cache
def _numbers() -> dict[str, int]:
    return dict(read_table(__file__, "leads.toml")["numbers"])


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    number = "|".join(map(re.escape, _numbers()))
    told = (
        one.replace("(number)", f"({number})") for one in read_table(__file__, "leads.toml")[kind]
    )
    return re.compile(rf"(?<!\w)(?:{'|'.join(told)})(?!\w)", re.IGNORECASE)
