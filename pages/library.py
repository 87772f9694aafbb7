"""Documents in, documents out."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.documents.library import ABSTRACTS
from core.domain.documents import Document
from core.errors import MateriaError
from pages.parts.document_view import document_view
from pages.parts.jobs import job_list
from pages.parts.problems import show_error
from pages.parts.state import workspace
from pages.parts.text import plain

_DELETIONS = "library_deletions"  # grows with every deletion, so that nothing stays selected
_UPLOADS = "library_uploads"  # grows with every upload, so that the uploader empties itself


def _submit(files: Sequence[UploadedFile], password: str) -> None:
    for file in files:
        workspace().submit_upload(file.name, file.getvalue(), password)
    st.session_state[_UPLOADS] = st.session_state.get(_UPLOADS, 0) + 1


def _upload() -> None:
    round_ = st.session_state.get(_UPLOADS, 0)
    files = st.file_uploader(
        "Drop PDF files here",
        type=["pdf"],
        accept_multiple_files=True,
        key=f"uploader_{round_}",
        help="Drug leaflets, labels, papers. The files stay on this machine.",
    )
    password = ""
    if st.toggle("The files need a password", key="needs_password"):
        password = st.text_input("Password", type="password", key=f"password_{round_}")
        if files and not st.button("Add the files", type="primary"):
            return
    if files:
        _submit(files, password)
        st.rerun()


@st.dialog("Delete documents?")
def _confirm_deletion(documents: list[Document]) -> None:
    st.text("This removes the files, their text, chunks, vectors and links to entities:")
    for document in documents[:10]:
        st.text(f"• {document.file}")
    if len(documents) > 10:
        st.text(f"... and {len(documents) - 10} more")
    if st.button(f"Delete {len(documents)}", type="primary", icon=":material/delete:"):
        try:
            receipts = [workspace().library.delete(document.id) for document in documents]
        except MateriaError as error:
            show_error(error)
            return
        st.session_state["deletion_receipts"] = receipts
        # A new table: the old one's selection is by row, and other documents stand there now.
        st.session_state[_DELETIONS] = st.session_state.get(_DELETIONS, 0) + 1
        st.rerun()


def _receipts() -> None:
    for receipt in st.session_state.pop("deletion_receipts", []):
        st.success(
            f"Deleted **{plain(receipt.file)}**: {receipt.pages} pages, {receipt.chunks} chunks, "
            f"{receipt.vectors} vectors, {receipt.mentions} entity links, {receipt.files} file. "
            f"Checked: {receipt.left} left.",
            icon=":material/delete:",
        )


def _table(documents: list[Document]) -> list[Document]:
    """The documents as a table; those that are selected."""
    rows = pd.DataFrame(
        [
            {
                "File": document.file,
                "Pages": document.pages,
                "Chunks": document.chunks,
                "Size": document.bytes / 1000,
                "Added": document.created_at.astimezone().replace(tzinfo=None),
            }
            for document in documents
        ]
    )
    chosen = st.dataframe(
        rows,
        hide_index=True,
        on_select="rerun",
        selection_mode="multi-row",
        key=f"documents_table_{st.session_state.get(_DELETIONS, 0)}",
        column_config={
            "File": st.column_config.TextColumn(width="large"),
            "Size": st.column_config.NumberColumn(format="%.0f kB"),
            "Added": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm"),
        },
    )
    positions = chosen["selection"]["rows"]
    return [documents[position] for position in positions if position < len(documents)]


def _documents() -> None:
    documents = [d for d in workspace().library_store.documents() if d.index != ABSTRACTS]
    if not documents:
        st.info(
            "No documents yet. Drop one or more PDF files above; then ask about them in the chat.",
            icon=":material/upload_file:",
        )
        return
    selected = _table(documents)
    pages = sum(document.pages for document in documents)
    chunks = sum(document.chunks for document in documents)
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(
            f"Delete selected ({len(selected)})", disabled=not selected, icon=":material/delete:"
        ):
            _confirm_deletion(selected)
        st.caption(
            f"{len(documents)} documents, {pages} pages, {chunks} chunks. "
            "Select a row to look into a document."
        )
    if len(selected) == 1:
        document_view(selected[0])


st.header("Library")
for name in workspace().recovered:
    st.info(
        f"The last run ended while “{plain(name)}” was being worked on; it was rolled back. "
        "Upload it again if you need it.",
        icon=":material/restore:",
    )
_upload()
job_list()
_receipts()
_documents()
