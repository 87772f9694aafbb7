"""The documents as a table: filter, sort, select, delete."""

from __future__ import annotations

from datetime import date

import pandas as pd
import streamlit as st

from core.documents.library.shelves import ABSTRACTS, EARLIER
from core.domain.documents import Document, DocumentState
from pages.parts.library.glance import glance
from pages.parts.library.moving import move_documents
from pages.parts.library.opened import open_document
from pages.parts.library.removal import confirm_documents, deletions
from pages.parts.shared.state import workspace
from pages.parts.shared.text import counted, short

_ALL = "All but abstracts"
_MOST_ROWS = 2_000  # a browser draws more, but nobody reads them: the filters find what is wanted
_BLANK = "Pages without text"
_CLICK = "document_clicked"
_BY_NAME = "document_by_name"
_ABOUT = 24  # characters of what a document is about; a cell cuts without a sign
_FILTERS = ("filter_name", "filter_index", "filter_state", "filter_since")
_STATES = {
    DocumentState.READY: "Ready",
    DocumentState.INGESTING: "Being added",
    DocumentState.DELETING: "Being removed",
}


def document_table() -> list[Document]:
    """Draw filters and table; the documents that are selected."""
    if not workspace().catalogue.index_names():
        _empty()
        return []
    documents = _filtered()
    if documents is None:
        return []
    shown = documents[:_MOST_ROWS]
    selected = _table(shown)
    with st.container(horizontal=True, vertical_alignment="center"):
        _open_by_name(documents)
        if st.button(
            f"Move or copy ({len(selected)})",
            disabled=not selected,
            icon=":material/drive_file_move:",
        ):
            move_documents(selected)
        if st.button(
            f"Delete selected ({len(selected)})",
            key="delete_documents",
            disabled=not selected,
            icon=":material/delete:",
        ):
            confirm_documents(selected)
        st.caption(_summary(documents, shown))
    glance(documents)
    return selected


def _empty() -> None:
    st.info(
        "No documents yet. Drop one or more files above; then ask about them in the chat.",
        icon=":material/upload_file:",
    )


def _filtered() -> list[Document] | None:
    """The documents that pass the filters; None when there is nothing to filter."""
    catalogue = workspace().catalogue
    names = catalogue.index_names()
    with st.container(key="fields_documents"):
        words = st.text_input(
            "Name", placeholder="Part of a name, or what it is about", key="filter_name"
        )
        index = st.selectbox("Index", (_ALL, *names), key="filter_index")
        state = st.selectbox("State", ("Any", *_STATES.values(), _BLANK), key="filter_state")
        since = st.date_input("Added since", value=None, key="filter_since")
    if index == _ALL:
        documents = [
            document
            for name in names
            if name != ABSTRACTS
            for document in catalogue.documents(name, include_unfinished=True)
        ]
    else:
        documents = catalogue.documents(index, include_unfinished=True)
    if not documents:
        _empty()
        return None
    found = [d for d in documents if _passes(d, words, state, since)]
    return sorted(found, key=lambda document: document.created_at, reverse=True)


def _passes(document: Document, words: str, state: str, since: object) -> bool:
    text = f"{document.file} {document.title}".casefold()
    if not all(word in text for word in words.casefold().split()):
        return False
    if state == _BLANK and not document.blank_pages:
        return False
    if state in _STATES.values() and _STATES[document.state] != state:
        return False
    return not isinstance(since, date) or document.created_at.astimezone().date() >= since


def _table(documents: list[Document]) -> list[Document]:
    rows = pd.DataFrame(
        [
            {
                "File": document.file,
                "About": short(document.title, _ABOUT),
                "Index": document.index,
                "State": _state(document),
                "Pages": document.pages or None,
                "Chunks": document.chunks,
                "Size": document.bytes,
                "Added": document.created_at.astimezone().replace(tzinfo=None),
            }
            for document in documents
        ],
        columns=["File", "About", "Index", "State", "Pages", "Chunks", "Size", "Added"],
    ).astype({"Pages": "Int64"})
    # A new table after a deletion and for each filter: the selection is by row, and other documents
    # stand there then.
    filters = [st.session_state.get(name) for name in _FILTERS]
    chosen = st.dataframe(
        rows,
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode="multi-row",
        key=f"documents_table_{deletions()}_{filters}_{len(documents)}",
        # As wide together as the page is beside a docked chat on a screen of 1,280 pixels.
        column_config={
            "File": st.column_config.ButtonColumn(
                width=138,
                type="tertiary",
                alignment="left",
                help="Click a name to open the document.",
                key=_CLICK,
                on_click=_open_clicked,
                args=([document.id for document in documents],),
            ),
            "About": st.column_config.TextColumn(
                width=165, help="What the document is taken to be about; select it to correct this."
            ),
            "Index": st.column_config.TextColumn(width=70),
            "State": st.column_config.TextColumn(width=90),
            "Pages": st.column_config.NumberColumn(width=50),
            "Chunks": st.column_config.NumberColumn(width=60),
            "Size": st.column_config.NumberColumn(format="bytes", width=68),
            "Added": st.column_config.DatetimeColumn(format="YYYY-MM-DD", width=88),
        },
    )
    positions = chosen["selection"]["rows"]
    found = [documents[position] for position in positions if position < len(documents)]
    return [document for document in found if document.state is DocumentState.READY]


def _open_by_name(documents: list[Document]) -> None:
    """A field that opens a document with the keyboard alone, which does not reach into the table's cells."""
    names = {one.id: one.file for one in documents if one.state is DocumentState.READY}
    st.selectbox(
        "Open a document",
        list(names),
        index=None,
        format_func=lambda one: names.get(one, ""),
        placeholder="Open by name",
        key=_BY_NAME,
        width=190,
        label_visibility="collapsed",
        on_change=_open_named,
    )


def _open_named() -> None:
    """Open the document that was chosen by its name."""
    if chosen := st.session_state.get(_BY_NAME):
        open_document(chosen)


def _open_clicked(document_ids: list[str]) -> None:
    """Open the document whose name was clicked."""
    click = st.session_state.get(_CLICK)
    if click is not None and click["row"] < len(document_ids):
        open_document(document_ids[click["row"]])


def keep_filters() -> None:
    """Keep what is filtered while a document stands in the table's place."""
    for name in _FILTERS:
        if name in st.session_state:
            st.session_state[name] = st.session_state[name]


def _state(document: Document) -> str:
    """The state in words, with what the analyst should know of the text."""
    is_earlier = document.index == EARLIER and document.state is DocumentState.READY
    notes = ["Earlier version" if is_earlier else _STATES[document.state]]
    if document.blank_pages:
        notes.append(f"{counted(document.blank_pages, 'page')} without text")
    if document.ocr_pages:
        notes.append(f"{document.ocr_pages} by OCR")
    if document.orders > 0:
        notes.append("speaks to language models")
    return ", ".join(notes)


def _summary(documents: list[Document], shown: list[Document]) -> str:
    ready = [document for document in documents if document.state is DocumentState.READY]
    pages = sum(document.pages for document in ready)
    chunks = sum(document.chunks for document in ready)
    text = (
        f"{counted(len(ready), 'document')}, {counted(pages, 'page')}, {counted(chunks, 'chunk')}"
    )
    for state in (DocumentState.INGESTING, DocumentState.DELETING):
        number = sum(document.state is state for document in documents)
        if number:
            text += f"; {number:,} {_STATES[state].lower()}"
    text += ". "
    if len(shown) < len(documents):
        text += f"The newest {len(shown):,} are listed; filter to see others. "
    return text + "Click a name to open the document."
