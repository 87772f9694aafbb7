"""Fonts for print: those that come along, and for scripts that they lack, those of the machine."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.logs import get_logger

_BUNDLED = Path(__file__).with_name("fonts")
REGULAR = _BUNDLED / "DejaVuSansCondensed.ttf"
BOLD = _BUNDLED / "DejaVuSansCondensed-Bold.ttf"
_SUFFIXES = frozenset({".ttf", ".otf", ".ttc"})
# A machine has hundreds of fonts; those that are made for many scripts are looked at first.
_LIKELY = re.compile(
    "noto|unicode|cjk|droid|wqy|unifont|freesans|gothic|hei|ming|song|msyh|malgun|segoe|mangal|nirmala",
    re.IGNORECASE,
)
_ODD = re.compile("bold|italic|oblique|black|light|thin|mono|emoji", re.IGNORECASE)
_MOST_LOOKED_AT = 300
_MOST_USED = 6
_SECONDS = 4.0
_log = get_logger("export")


@dataclass(frozen=True, slots=True)
class FallbackFont:
    """A font of this machine; `number` is its place in a collection."""

    path: Path
    number: int
    characters: frozenset[int]


def missing_characters(text: str) -> set[str]:
    """The characters of a text that the fonts which come along have no glyph for."""
    have = _characters(REGULAR, 0)
    return {one for one in set(text) if one.isprintable() and ord(one) not in have and one != " "}


def fallback_fonts(missing: set[str]) -> list[FallbackFont]:
    """Fonts of this machine that have missing characters, each with some that those before it lack.

    Looks for four seconds at most; what is not found by then counts as missing.
    """
    wanted = {ord(one) for one in missing}
    found: list[FallbackFont] = []
    end = time.monotonic() + _SECONDS
    for path in _fonts_of_machine() if wanted else ():
        if not wanted or len(found) >= _MOST_USED or time.monotonic() > end:
            break
        characters = _characters(path, 0)
        if wanted & characters:
            found.append(FallbackFont(path, 0, characters))
            wanted -= characters
    return found


def _fonts_of_machine() -> list[Path]:
    files = [
        path
        for folder in font_folders()
        for path in _files(folder)
        if path.suffix.lower() in _SUFFIXES
    ]
    files.sort(
        key=lambda one: (not _LIKELY.search(one.name), bool(_ODD.search(one.stem)), one.name)
    )
    return files[:_MOST_LOOKED_AT]


def _files(folder: Path) -> Iterator[Path]:
    for root, _, names in os.walk(folder):
        yield from (Path(root) / name for name in sorted(names))


def font_folders() -> list[Path]:
    """Where this machine keeps fonts."""
    home = Path.home()
    if sys.platform == "win32":
        return [Path(os.environ.get("WINDIR", "C:/Windows")) / "Fonts"]
    if sys.platform == "darwin":
        return [home / "Library/Fonts", Path("/Library/Fonts"), Path("/System/Library/Fonts")]
    return [
        home / ".fonts",
        home / ".local/share/fonts",
        Path("/usr/local/share/fonts"),
        Path("/usr/share/fonts"),
    ]


@cache
def _characters(path: Path, number: int) -> frozenset[int]:
    """The code points that a font has outlines for; none of one that cannot be read."""
    from fontTools.ttLib import TTFont, TTLibError

    try:
        with TTFont(path, fontNumber=number, lazy=True) as font:
            if "glyf" not in font and "CFF " not in font:
                return frozenset()  # pictures only
            return frozenset(font.getBestCmap() or ())
    except (OSError, TTLibError, AssertionError, KeyError, ValueError, EOFError) as error:
        _log.info("font_unreadable", kind=type(error).__name__)
        return frozenset()
