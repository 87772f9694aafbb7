"""Names that come from outside, made safe to keep and to show."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from datetime import date
from pathlib import PurePosixPath

from core.documents.cutting.products import together
from core.domain.documents import Document
from core.errors import InputError

LONGEST_TITLE = 120  # characters, as of a title that is read (`core.documents.cutting.subject`)
_LONGEST = 200  # characters; file systems allow 255 bytes, lists need far fewer


def display_name(name: str) -> str:
    """The last part of a file name, without control characters, at most 200 characters.

    The result is text to show and to cite. It is never used as a path: files are kept under their
    document's id.
    """
    last = PurePosixPath(name.replace("\\", "/")).name
    kept = _printable(last).strip()
    if len(kept) > _LONGEST:
        stem, dot, ending = kept.rpartition(".")
        keep_ending = dot and len(ending) <= 10
        kept = f"{stem[: _LONGEST - 12]}….{ending}" if keep_ending else kept[:_LONGEST]
    return kept if kept.strip(".") else "unnamed.pdf"


def _printable(text: str) -> str:
    # Categories C*: control and format characters, such as the one that reverses text direction;
    # Zl and Zp: line ends of Unicode's own.
    return "".join(c for c in text if not _unwanted(unicodedata.category(c)))


def _unwanted(category: str) -> bool:
    return category.startswith("C") or category in ("Zl", "Zp")


def checked_title(text: str) -> str:
    """What a person says that a document is about, on one line and without control characters.

    Raises:
        InputError: nothing is said (``EMPTY_TITLE``), or too much (``TITLE_TOO_LONG``).
    """
    title = " ".join(_printable(" ".join(text.split())).split())
    if not any(c.isalnum() for c in title):
        raise InputError(
            "The name of what the document is about is empty.",
            advice="Write it as the document does, such as “Metformin 500 mg tablets”.",
            code="EMPTY_TITLE",
        )
    if len(title) > LONGEST_TITLE:
        raise InputError(
            f"The name has {len(title):,} characters; it can have {LONGEST_TITLE}.",
            advice="Keep the medicine's name, strength and form.",
            code="TITLE_TOO_LONG",
        )
    return title


def same_content(known: Document) -> str:
    """Which document has the bytes of another one already, and since when."""
    return (
        f"It has the same content as “{known.file}”, which is in the index {known.index} since "
        f"{known.created_at.astimezone():%Y-%m-%d}."
    )


def title_from_name(name: str) -> str:
    """A readable title from a file name: no ending, underscores as spaces."""
    stem = name.rsplit(".", 1)[0] if "." in name else name
    return " ".join(stem.replace("_", " ").split()) or name


def is_from_name(title: str, name: str) -> bool:
    """Whether a title is no more than what the file is called, which its text need not say."""
    return title.casefold() == title_from_name(name).casefold()


def told_about(title: str, name: str) -> str:
    """What a file was taken to be about, in words; where that is its name alone, this is said."""
    return f"about “{title}”" + (", as the file is called" if is_from_name(title, name) else "")


def earlier_name(name: str, day: date) -> str:
    """``Metformin.pdf`` -> ``Metformin (earlier, until 2026-11-23).pdf``: what had the name until that day."""
    return _with_note(name, f"earlier, until {day:%Y-%m-%d}")


def numbered_name(name: str, number: int) -> str:
    """``Metformin.pdf`` -> ``Metformin (2).pdf``: a second file of that name, beside the first."""
    return _with_note(name, str(number))


def _with_note(name: str, note: str) -> str:
    stem, dot, ending = name.rpartition(".")
    return f"{stem} ({note}).{ending}" if dot and stem else f"{name} ({note})"


def with_names(read: Document, named: Document) -> Document:
    """A document as it was read anew, with the names that it had: of one product, the document's; of
    several, those of the products that begin at the same places. One that is now told apart, or no more, stays
    as it was named."""
    if not (read.products and named.products):
        return named
    given = {(one.page, one.start): one.title for one in named.products}
    names = {
        one.title: given[one.page, one.start]
        for one in reversed(read.products)
        if (one.page, one.start) in given
    }
    products = tuple(replace(one, title=names.get(one.title, one.title)) for one in read.products)
    told = replace(read, products=products)
    joined = read.title == together(read.titles)
    return replace(told, title=together(told.titles) if joined else named.title)
