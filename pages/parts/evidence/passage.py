"""A passage of a document as evidence: on the picture of its page, or in the text around it."""

from __future__ import annotations

import streamlit as st

from core.documents.library.shelves import EARLIER
from core.domain.answers import DocumentCitation
from core.domain.documents import Document
from core.errors import MateriaError
from core.search.references.links import links
from pages.parts.evidence.copying import copy_button
from pages.parts.evidence.document_search import document_search
from pages.parts.evidence.marks import page_marks
from pages.parts.evidence.opened import Opened, show_cited, show_place, show_whole
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import workspace
from pages.parts.shared.text import plain, section_name

_AROUND = 1_500  # characters shown before and after a passage of a text without pages
# Streamlit hands on pictures of this width as they are: two pixels for each of a panel of 730.
PICTURE_WIDTH = 1460
_LONGEST_ALT = 1_000  # characters of a passage that are read out for its picture


def passage(shown: Opened, citation: DocumentCitation) -> None:
    """Draw the passage at the place that is turned to, its quote, and the search in its document."""
    document = workspace().catalogue.document(citation.document_id)
    section = section_name(citation.section, citation.heading)
    page = shown.shown_page
    where = f", page {page}" if page else ""
    said = f" · {plain(section)}" if section and not shown.is_turned else ""
    product = f" · {plain(citation.product)}" if citation.product else ""
    st.markdown(f"**{plain(citation.file)}**{where}{product}{said}")
    if document is None:
        _lost(citation)
    elif document.index == EARLIER:
        st.warning(
            "An earlier version of this document, which answers leave out now. The library has a newer one.",
            icon=":material/history:",
        )
    if citation.orders:
        st.warning(
            "Sentences of this passage are addressed to language models. They count as no evidence.",
            icon=":material/warning:",
        )
    if document is not None and page:
        _tools(shown, citation, document)
        _picture(shown, citation, document)
    elif document is not None:
        _around(*(shown.found or (citation.start, citation.end)), document)
    _quote(citation, document)
    if document is not None:
        document_search(document)


def _lost(citation: DocumentCitation) -> None:
    """Say what became of a document that is not there any more."""
    _, replaced = workspace().catalogue.lost_sources({citation.document_id: citation.file})
    st.warning(
        "Source replaced: the library has another version of this document. What is quoted below stood in "
        "the earlier one."
        if replaced
        else "Source deleted: the document of this passage is no longer in the library.",
        icon=":material/delete:",
    )


def _tools(shown: Opened, citation: DocumentCitation, document: Document) -> None:
    page = shown.shown_page
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for to, name, icon in (
            (page - 1, "Previous page", ":material/keyboard_arrow_up:"),
            (page + 1, "Next page", ":material/keyboard_arrow_down:"),
        ):
            st.button(
                name,
                key=f"evidence_page_{'back' if to < page else 'on'}",
                icon=icon,
                help=name,
                disabled=not 1 <= to <= document.pages,
                on_click=show_place,
                args=(to,),
            )
        st.caption(f"Page {page} of {document.pages}", width="stretch")
        if shown.is_turned:
            st.button(
                f"Back to page {citation.page}",
                key="evidence_cited",
                icon=":material/undo:",
                help="Back to the cited passage",
                on_click=show_cited,
            )
        if shown.found or page == citation.page:
            st.button(
                "Passage" if shown.whole else "Whole page",
                key="evidence_whole",
                icon=":material/crop:" if shown.whole else ":material/fit_page:",
                on_click=show_whole,
                args=(not shown.whole,),
            )


def _picture(shown: Opened, citation: DocumentCitation, document: Document) -> None:
    page = shown.shown_page
    around = shown.found
    if around is None and page == citation.page:
        around = (citation.start, citation.end)
    try:
        with st.spinner("Drawing the page ..."):
            image = workspace().library.page_image(
                document.id,
                page,
                page_marks(shown.answer, citation, page, shown.found),
                around=None if shown.whole else around,
                width=PICTURE_WIDTH,
            )
        with st.container(key="evidence_picture"):
            st.image(
                image,
                width="stretch",
                output_format="PNG",
                alt=picture_text(document, page, around),
            )
    except MateriaError as error:
        show_error(error)


def picture_text(document: Document, page: int, marked: tuple[int, int] | None = None) -> str:
    """What the picture of a page is read out as: the file, the page, and what is marked or else stands
    on it."""
    kept = workspace().catalogue.page(document.id, page)
    text = kept.text if kept else ""
    said = " ".join((text[marked[0] : marked[1]] if marked else text).split())
    if len(said) > _LONGEST_ALT:
        said = f"{said[:_LONGEST_ALT].rstrip()} …"
    name = f"{document.file}, page {page}"
    if not said:
        return f"{name}; no text was found on it"
    return f"{name}, marked: “{said}”" if marked else f"{name}: {said}"


def _around(start: int, end: int, document: Document) -> None:
    """The passage in the text around it, for a document that has no pages to draw."""
    page = workspace().catalogue.page(document.id, 0)
    if page is None:
        return
    first, last = max(0, start - _AROUND), min(len(page.text), end + _AROUND)
    # Markdown marks the passage; all three parts are escaped line by line.
    marked = "  \n".join(
        f":orange-background[{plain(line)}]"
        for line in page.text[start:end].splitlines()
        if line.strip()
    )
    with st.container(border=True, key="evidence_text"):
        st.text(("… " if first else "") + page.text[first:start])
        st.markdown(marked)
        st.text(page.text[end:last] + (" …" if last < len(page.text) else ""))
    for place, url in links(document.metadata):
        st.link_button(f"Open at {place}", url, icon=":material/open_in_new:")


def _quote(citation: DocumentCitation, document: Document | None) -> None:
    """The quote that the answer rests on, and what can be taken along."""
    if citation.quote:
        with st.container(border=True, key="evidence_quote"):
            st.text(citation.quote)
    else:
        st.caption("What was quoted from it has been taken out of this answer.")
    section = section_name(citation.section, citation.heading)
    reference = ", ".join(
        filter(
            None,
            (
                citation.file,
                f"page {citation.page}" if citation.page else "",
                section,
                f"SHA-256 {document.sha256}" if document and document.sha256 else "",
            ),
        )
    )
    # What no question was answered from was not searched for.
    facts = [f"Relevance {citation.relevance:.2f} of 1"] if citation.relevance else []
    facts += [f"SHA-256 {document.sha256[:12]}…"] if document and document.sha256 else []
    st.caption(" · ".join(facts) or " ")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if citation.quote:
            copy_button(citation.quote, reference, "Copy with its reference")
        original = workspace().library.original(document.id) if document else None
        if document is not None and original is not None:
            st.download_button(
                "Original",
                data=original.read_bytes,
                file_name=document.file,
                mime="application/octet-stream",
                key=f"evidence_original_{document.id}",
                icon=":material/download:",
                help="The file as it was added",
                on_click="ignore",
            )
