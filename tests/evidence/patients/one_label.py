"""A library of one printed label, whose doses stand in tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.workspace import Workspace
from tests.support.answering import Open
from tests.support.pdfs import make_pdf_of


def open_label(
    open_shared: Open, folder: Path, title: str, illness: str, *doses: str | Sequence[Sequence[str]]
) -> Workspace:
    """Opens it in a folder of its own; the title's first word is the medicine."""
    found = open_shared(folder / "data", writer=True)
    name = title.split()[0]
    file = make_pdf_of(
        folder / f"{name.casefold()}.pdf",
        title,
        "1 Indications and usage",
        f"{name} is indicated for {illness} in adults and children.",
        "2 Dosage and administration",
        *doses,
    )
    assert found.library.ingest(file).state == "ready"
    return found
