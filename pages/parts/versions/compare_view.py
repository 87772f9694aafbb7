"""Both versions side by side, difference by difference.

The component builds its elements with `textContent` alone: what a document says stays text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from core.documents.cutting.sections import section_title
from core.domain.answers import DocumentCitation
from core.domain.documents import Document
from core.versions.differences import (
    CHANGES,
    Difference,
    DifferenceKind,
    SectionDifferences,
    Side,
    VersionComparison,
)
from core.versions.files import number_words, section_name
from pages.parts.evidence.opened import open_citation
from pages.parts.shared.assets import asset
from pages.parts.shared.text import page_label

_component = st.components.v2.component(
    "materia_compare", css=asset(__file__, ".css"), js=asset(__file__, ".js")
)
_KEY = "compare_view"
_WORDS = {
    DifferenceKind.SAME: "",
    DifferenceKind.ADDED: "Added",
    DifferenceKind.REMOVED: "Removed",
    DifferenceKind.CHANGED: "Changed",
    DifferenceKind.MOVED: "Moved",
}


def compare_view(
    found: VersionComparison,
    shown: Callable[[Difference], bool],
    in_section: Callable[[SectionDifferences], bool],
) -> None:
    """Draw the differences that are to be shown; a click on a page opens it with the passage marked."""

    def follow() -> None:
        clicked = st.session_state[_KEY].get("clicked") or {}
        place = int(clicked.get("section", -1)), int(clicked.get("row", -1))
        one = found.sections[place[0]].differences[place[1]]
        is_old = clicked.get("side") == "old"
        side = one.old if is_old else one.new
        if side is not None:
            open_citation(_citation(side, found.old if is_old else found.new), None, False)

    _component(key=_KEY, data=compared_rows(found, shown, in_section), on_clicked_change=follow)


def compared_rows(
    found: VersionComparison,
    shown: Callable[[Difference], bool],
    in_section: Callable[[SectionDifferences], bool],
) -> dict[str, Any]:
    """What the element draws."""
    sections = []
    for number, section in enumerate(found.sections):
        rows = [
            _row(place, one, section)
            for place, one in enumerate(section.differences)
            if in_section(section) and shown(one)
        ]
        if rows:
            counts = [f"{section.counts[kind]} {kind}" for kind in CHANGES if section.counts[kind]]
            sections.append(
                {
                    "n": number,
                    "name": section_name(section),
                    "counts": ", ".join(counts) or "the same",
                    "rows": rows,
                }
            )
    return {"old": found.old.file, "new": found.new.file, "sections": sections}


def _row(place: int, one: Difference, section: SectionDifferences) -> dict[str, Any]:
    return {
        "n": place,
        "kind": str(one.kind),
        "word": _WORDS[one.kind] + _from(one, section),
        "under": one.lead,
        "numbers": [number_words(number) for number in one.numbers],
        "old": _side(one.old),
        "new": _side(one.new),
    }


def _from(one: Difference, section: SectionDifferences) -> str:
    """Where a passage stood that was moved."""
    if one.kind is not DifferenceKind.MOVED or one.old is None:
        return ""
    old = one.old
    name = section_title(old.section) if old.section else old.heading
    elsewhere = name if name and name != section_name(section) else ""
    return f" from {elsewhere}" if elsewhere else " within the section"


def _side(side: Side | None) -> dict[str, Any] | None:
    if side is None:
        return None
    page = page_label(side.page) or "Text"
    return {"page": page, "parts": _parts(side), "row": side.row}


def _parts(side: Side) -> list[list[str]]:
    """The text in pieces, each with what it is: "", "mark" or "number"."""
    kinds = [""] * len(side.text)
    for name, spans in (("mark", side.marks), ("number", side.numbers)):
        for start, end in spans:
            kinds[start:end] = [name] * (end - start)
    parts: list[list[str]] = []
    for sign, kind in zip(side.text, kinds, strict=True):
        if parts and parts[-1][1] == kind:
            parts[-1][0] += sign
        else:
            parts.append([sign, kind])
    return parts


def _citation(side: Side, document: Document) -> DocumentCitation:
    """The passage as evidence: its page with the passage marked."""
    first = side.places[0]
    end = max(place.end for place in side.places if place.page == first.page)
    return DocumentCitation(
        1, document.id, "", document.file, first.page, side.section, side.heading, side.text, first.start,
        end, 1.0,
    )  # fmt: skip
