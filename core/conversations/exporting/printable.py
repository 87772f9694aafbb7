"""Text from anywhere, made fit for print: nothing invisible changes what is read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from datetime import UTC, datetime

# Invisible, but part of how a text is written or broken into lines.
_KEPT = frozenset("\n\u00ad\u200b\u200c\u200d\u200e\u200f\u061c\u2060")
_LINE_ENDS = re.compile(r"\r\n?|[\u2028\u2029\u0085\v\f]")
_UNSEEN = frozenset({"Cc", "Cs", "Cf", "Cn", "Co"})


def printable(text: str) -> str:
    """Text whose control characters, broken characters and reversals of direction are written as their
    code, like ``[U+202E]``; tabs are blanks."""
    lines = _LINE_ENDS.sub("\n", text).replace("\t", "    ").replace("\ufeff", "")
    if lines.isascii() and lines.replace("\n", "").isprintable():
        return lines
    return "".join(one if one in _KEPT or not _is_unseen(one) else coded(one) for one in lines)


def one_line(text: str) -> str:
    """The same in one line, white space as single blanks."""
    return " ".join(printable(text).split())


def coded(character: str) -> str:
    """``[U+4E2D]``."""
    return f"[U+{ord(character):04X}]"


def with_codes(text: str, missing: Collection[str]) -> str:
    """Text with the code of each character in place of those that no font has."""
    if not missing:
        return text
    return "".join(coded(one) if one in missing else one for one in text)


def _is_unseen(character: str) -> bool:
    return unicodedata.category(character) in _UNSEEN


def moment(at: datetime) -> str:
    """A time as the file prints it: ``2026-05-03 14:05:09 UTC``."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
