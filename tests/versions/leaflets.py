"""A small leaflet in two versions whose differences are known."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise

from core.domain.documents import Document, DocumentState, Page
from core.versions.comparing import compared
from core.versions.differences import Difference, DifferenceKind, VersionComparison

OLD = (
    "1. What Quolvane is and what it is used for",
    "Quolvane belongs to the efficient biguanides. It is used for breast-feeding adults with gout.",
    "2. What you need to know before you take Quolvane",
    "Do not take Quolvane",
    "Quolvane must not be taken:",
    "• if you are allergic to quolvane or to any other ingredient of the tablets",
    "• if your kidneys work very poorly, with an eGFR below 30 mL/min",
    "• if you have had a serious infection of the liver within the last 6 months",
    "Warnings and precautions",
    "Ask your doctor about blood tests for vitamin B12 before you begin this treatment.",
    "3. How to take Quolvane",
    "Adults usually start with 500 mg or 850 mg two or three times a day.",
    "The highest dose is 3,000 mg a day, divided into three doses.",
    "If you forget a dose, leave it out and go on as usual on the following day.",
    "5. How to store Quolvane",
    "Do not store above 25 °C and keep the tablets out of the sight of children.",
)
NEW = (
    "1. What Quolvane is and what it is used for",
    "Quolvane belongs to the efficient biguanides. It is used for breast-feeding adults with gout.",
    "2. What you need to know before you take Quolvane",
    "Do not take Quolvane",
    "Quolvane must not be taken:",
    "• if you are allergic to quolvane or to any other ingredient of the tablets",
    "• if your kidneys work very poorly, with an eGFR below 45 mL/min",
    "Warnings and precautions",
    "If you forget a dose, leave it out and go on as usual on the following day.",
    "Ask your doctor about blood tests for vitamin B12 before you begin this treatment.",
    "3. How to take Quolvane",
    "Adults usually start with 0.5 g or 850 mg two or three times a day.",
    "The highest dose is 2,000 mg a day, divided into three doses.",
    "Swallow every tablet whole, together with a large glass of cold water.",
    "5. How to store Quolvane",
    "Do not store above 25 °C and keep the tablets out of the sight and reach of children.",
)


def laid_out(
    parts: Sequence[str], width: int = 70, page_breaks: Sequence[int] = (), bullet: str = "•"
) -> list[Page]:
    """Paragraphs as the pages of a PDF, with lines of a width, new pages before some lines, a running head
    and page numbers."""
    lines: list[str] = []
    for part in parts:
        lines += [*textwrap.wrap(part.replace("•", bullet, 1), width), ""]
    cuts = [0, *sorted({cut % len(lines) for cut in page_breaks} - {0}), len(lines)]
    return [
        Page(
            number,
            "\n".join(
                ["Quolvane leaflet", "", *lines[start:end], f"Page {number} of {len(cuts) - 1}"]
            ),
        )
        for number, (start, end) in enumerate(pairwise(cuts), start=1)
    ]


def a_document(file: str) -> Document:
    when = datetime(2026, 1, 2, tzinfo=UTC)
    return Document(file, "leaflets", file, "Quolvane", "0", 1, 1, 1, DocumentState.READY, when)


def versions(old: Sequence[Page], new: Sequence[Page]) -> VersionComparison:
    return compared(a_document("old.pdf"), old, a_document("new.pdf"), new)


def of_kind(found: VersionComparison, kind: DifferenceKind) -> list[Difference]:
    return [one for one in found.differences if one.kind is kind]
