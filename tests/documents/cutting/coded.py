"""The sections of a page, by their headings."""

from __future__ import annotations

from core.documents.cutting.sections import sections
from core.domain.documents import Page


def codes(text: str) -> dict[str, str]:
    """Heading -> code of one page."""
    return {part.heading: part.code for part in sections([Page(1, text)])[1]}
