"""Names that come from outside, made safe to keep and to show."""

from __future__ import annotations

import unicodedata
from pathlib import PurePosixPath

_LONGEST = 200  # characters; file systems allow 255 bytes, lists need far fewer


def display_name(name: str) -> str:
    """The last part of a file name, without control characters, at most 200 characters.

    The result is text to show and to cite. It is never used as a path: files are kept under their
    document's id.
    """
    last = PurePosixPath(name.replace("\\", "/")).name
    # Categories C*: control and format characters, such as the one that reverses text direction;
    # Zl and Zp: line ends of Unicode's own.
    kept = "".join(c for c in last if not _unwanted(unicodedata.category(c))).strip()
    if len(kept) > _LONGEST:
        stem, dot, ending = kept.rpartition(".")
        keep_ending = dot and len(ending) <= 10
        kept = f"{stem[: _LONGEST - 12]}….{ending}" if keep_ending else kept[:_LONGEST]
    return kept if kept.strip(".") else "unnamed.pdf"


def _unwanted(category: str) -> bool:
    return category.startswith("C") or category in ("Zl", "Zp")


def title_from_name(name: str) -> str:
    """A readable title from a file name: no ending, underscores as spaces."""
    stem = name.rsplit(".", 1)[0] if "." in name else name
    return " ".join(stem.replace("_", " ").split()) or name


def numbered_name(name: str, number: int) -> str:
    """``Metformin.pdf`` -> ``Metformin (2).pdf``: a second file of that name, beside the first."""
    stem, dot, ending = name.rpartition(".")
    return f"{stem} ({number}).{ending}" if dot and stem else f"{name} ({number})"
