"""What a document is likely to be compared with."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from pathlib import PurePath

from rapidfuzz import fuzz

from core.domain.documents import Document

# What names a version, not a medicine: "Metformin (2).pdf", "metformin_v3-2026-01.pdf".
_VERSION = re.compile(r"\bv?\d+(?:[.-]\d+)*\b|[\W_]+")


def likeliest(
    document: Document,
    others: Iterable[Document],
    named: Callable[[str], Collection[str]],
) -> list[Document]:
    """Other documents: those about the same first, by what their titles name, then those called alike.

    Args:
        named: ids of the entities that a title names.
    """
    about = set(named(document.title))

    def likeness(other: Document) -> tuple[bool, float, float, float]:
        return (
            bool(about & set(named(other.title))),
            fuzz.ratio(_name(document), _name(other)),
            fuzz.token_sort_ratio(document.title.casefold(), other.title.casefold()),
            other.created_at.timestamp(),
        )

    return sorted(
        (other for other in others if other.id != document.id), key=likeness, reverse=True
    )


def _name(document: Document) -> str:
    """A file's name without its ending and what counts versions."""
    return _VERSION.sub(" ", PurePath(document.file).stem.casefold().replace("_", " ")).strip()
