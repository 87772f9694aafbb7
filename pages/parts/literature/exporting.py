"""The order of what was found, what of it is selected, and the files it is taken along as."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from core.documents.library.catalogue import Catalogue
from core.domain.documents import Document, Hit, Kind
from core.search.references.bibtex import to_bibtex
from core.search.references.records import references
from core.search.references.ris import to_ris
from core.search.references.table import to_csv
from core.search.scope import document_dates
from pages.parts.shared.state import workspace
from pages.parts.shared.text import counted

_RELEVANCE, _NEWEST, _TITLE = "Relevance", "Newest first", "Title"
_SELECTED = "literature_selected_"
_FORMATS: dict[str, tuple[str, str]] = {
    "BibTeX": ("bib", "application/x-bibtex"),
    "RIS": ("ris", "application/x-research-info-systems"),
    "CSV": ("csv", "text/csv"),
}


def selectable(item_id: str, heading: str) -> None:
    """A hit's heading (Markdown) with a box to select it for a file."""
    st.checkbox(heading, key=f"{_SELECTED}{item_id}", width="stretch")


def tools(hits: Sequence[Hit]) -> str:
    """The choice of an order, which it tells, and the menu of files."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        order = st.selectbox(
            "Sort by", (_RELEVANCE, _NEWEST, _TITLE), key="literature_order", width=180
        )
        chosen = _chosen(hits)
        label = f"Export {len(chosen)} selected" if chosen else "Export all"
        with st.popover(label, icon=":material/download:", key="literature_export"):
            _files(chosen or list(hits), bool(chosen))
    return order


def _files(hits: Sequence[Hit], chosen: bool) -> None:
    documents = len({hit.document.id for hit in hits})
    what = "What is selected" if chosen else "All results"
    st.caption(
        f"{what}: {counted(documents, 'document')} as references, {counted(len(hits), 'passage')} in "
        "the table. Tick results to take some of them only."
    )
    catalogue = workspace().catalogue  # now: who clicks later is known here alone
    with st.container(horizontal=True):
        for name, (ending, media_type) in _FORMATS.items():
            st.download_button(
                name,
                data=partial(_written, name, list(hits), catalogue),
                file_name=f"materia-results.{ending}",
                mime=media_type,
                key=f"literature_export_{ending}",
                on_click="ignore",
            )


def _written(name: str, hits: Sequence[Hit], catalogue: Catalogue) -> bytes:
    text_of = _text_of(catalogue)
    if name == "CSV":
        return to_csv(hits, text_of)
    write = to_bibtex if name == "BibTeX" else to_ris
    return write(references(hits, text_of)).encode("utf-8")


def _text_of(catalogue: Catalogue) -> Callable[[Document], str]:
    def text_of(document: Document) -> str:
        if document.kind is not Kind.ABSTRACT:
            return ""
        return "\n".join(page.text for page in catalogue.pages(document.id))

    return text_of


def _chosen(hits: Sequence[Hit]) -> list[Hit]:
    """Those whose box, or whose paper's box, is ticked."""
    return [
        hit
        for hit in hits
        if any(st.session_state.get(f"{_SELECTED}{one}") for one in (hit.chunk.id, hit.document.id))
    ]


def ordered(hits: Sequence[Hit], order: str) -> list[Hit]:
    """Hits in the chosen order; those that are alike in it stay in the order of relevance."""
    if order == _NEWEST:
        return sorted(hits, key=lambda hit: document_dates(hit.document)[1], reverse=True)
    if order == _TITLE:
        return sorted(hits, key=lambda hit: (hit.document.title.casefold(), hit.document.id))
    return list(hits)
