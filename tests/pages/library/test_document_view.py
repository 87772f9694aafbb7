"""One document on the Library page: its address, and what its chunks are called."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.domain.documents import Chunk
from core.workspace import Workspace
from pages.parts.library.document_view import chunk_titles

OpenPage = Callable[..., AppTest]


@pytest.fixture
def workspace(make_workspace: Callable[..., Workspace]) -> Workspace:
    return make_workspace()


def _chunk(section: str, heading: str, text: str) -> Chunk:
    return Chunk("d:0", "d", 0, 1, section, heading, 0, len(text), text, "")


def test_chunks_of_one_section_are_told_apart_by_heading_and_first_words() -> None:
    titles = chunk_titles(
        [
            _chunk("posology", "3. How to take Quolvane", "3. How to take Quolvane\n\nAs told."),
            _chunk("posology", "Children", "Children\n\nHalf a tablet."),
            _chunk("posology", "Children", "From 12 years on a whole one."),
            _chunk("", "", "Quolvane 5 mg tablets"),
        ]
    )
    assert titles == [
        "Dose · 3. How to take Quolvane",
        "Dose · Children: Half a tablet.",
        "Dose · Children: From 12 years on a whole one.",
        "Text",
    ]


def test_the_address_names_the_document_that_is_open(
    workspace: Workspace, open_page: OpenPage, pdf: Callable[..., Path]
) -> None:
    ids = [
        workspace.library.ingest(pdf(f"{name}.pdf", f"{name} is taken once a day.")).document_id
        for name in ("Zolvetrin", "Quintaxol")
    ]
    app = open_page(workspace)

    def opened() -> list[str]:
        assert not app.exception
        return [one.value.replace("\\", "") for one in app.header]

    app.query_params["document"] = ids[0]
    app.run()
    assert opened() == ["Zolvetrin.pdf"]
    app.query_params["document"] = ids[1]
    app.run()
    assert opened() == ["Quintaxol.pdf"]
    del app.query_params["document"]  # the browser's Back
    app.run()
    assert opened() == []
    app.query_params["document"] = ids[0]
    app.run()
    next(one for one in app.button if one.key == "close_document").click().run()
    assert opened() == [] and "document" not in app.query_params
    app.query_params["document"] = "nothing"
    app.run()
    assert opened() == [] and "document" not in app.query_params
    assert "not in the library any more" in app.warning[0].value
