"""A model's thoughts taken out of its text while it comes: they are no answer, and nobody checked them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.resources import read_table

_TABLE = read_table(__file__, "reasoning.toml")
_BLOCKS, _CHANNELS = (
    {opens.casefold(): closes.casefold() for opens, closes in _TABLE[name]}
    for name in ("blocks", "channels")
)
_CLOSES = _BLOCKS | _CHANNELS
_ENDS_THOUGHTS = frozenset(_BLOCKS.values())
_TAGS = [*_CLOSES, *_CLOSES.values(), *map(str.casefold, _TABLE["frames"])]
_TAG = re.compile("|".join(map(re.escape, sorted(_TAGS, key=len, reverse=True))), re.IGNORECASE)
_LONGEST = max(map(len, _TAGS)) - 1  # characters of a tag that is not complete yet


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """What came so far was thought, as the end of a block that never began shows."""


class ThoughtFilter:
    """Takes a text in pieces and gives what is answer of it, in pieces."""

    def __init__(self) -> None:
        self._held = ""  # may be the beginning of a tag
        self._closing = ""  # what ends the block that is open

    def feed(self, piece: str) -> list[str | Withdrawn]:
        """What a further piece shows of the answer."""
        text = self._held + piece
        shown: list[str | Withdrawn] = []
        place = 0
        for tag in _TAG.finditer(text):
            if not self._closing:
                shown.append(text[place : tag.start()])
            place = tag.end()
            found = tag[0].casefold()
            if self._closing:
                if found == self._closing:
                    self._closing = ""
            elif found in _CLOSES:
                self._closing = _CLOSES[found]
            elif found in _ENDS_THOUGHTS:
                shown = [Withdrawn()]
        rest = text[place:]
        kept = _unfinished(rest)
        self._held = rest[len(rest) - kept :]
        if not self._closing:
            shown.append(rest[: len(rest) - kept])
        return [one for one in shown if one]

    def end(self) -> str:
        """The last of the answer, when no further piece comes."""
        rest = "" if self._closing else self._held
        self._held = ""
        return rest


def _unfinished(text: str) -> int:
    """How many of a text's last characters may be the beginning of a tag."""
    for length in range(min(_LONGEST, len(text)), 0, -1):
        end = text[-length:].casefold()
        if any(tag.startswith(end) for tag in _TAGS):
            return length
    return 0
