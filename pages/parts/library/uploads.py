"""Ways to bring documents in: drop files, read a folder, import abstracts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.documents.library.shelves import ABSTRACTS, EARLIER, LEAFLETS
from core.documents.reading.formats import SUFFIXES
from core.errors import MateriaError
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import workspace

_ROUND = "library_uploads"  # grows with every upload, so that the uploader empties itself
_INDEX = "upload_index"
_KEPT = "upload_index_kept"  # a widget's own value is lost when its page is left
_TYPES = [*(suffix.lstrip(".") for suffix in SUFFIXES), "zip"]


def uploads() -> None:
    """The drop area, and behind a button the other ways in."""
    index = _chosen()
    round_ = st.session_state.get(_ROUND, 0)
    files = st.file_uploader(
        "Drop PDF, Word, text, Markdown or HTML files here, or a ZIP of them",
        type=_TYPES,
        accept_multiple_files=True,
        key=f"uploader_{round_}",
        help="Drug leaflets, labels, papers. The files stay on this machine.",
    )
    if files:
        _submit(files, index)
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.popover("More ways to add", icon=":material/add:", key=f"more_{round_}"):
            _folder(index)
            st.divider()
            _abstracts()
        _target()


def _names() -> list[str]:
    return [
        name for name in workspace().catalogue.index_names() if name not in (ABSTRACTS, EARLIER)
    ]


def _chosen() -> str:
    """The index chosen last in this session, on whatever page it was since; else the usual one."""
    names = _names()
    chosen = str(st.session_state.get(_INDEX, st.session_state.get(_KEPT, "")))
    if chosen not in names:
        chosen = LEAFLETS if LEAFLETS in names or not names else names[0]
    st.session_state[_KEPT] = chosen
    return chosen


def _target() -> None:
    """The index that new documents go to; asked only when there is a choice."""
    names = _names()
    if len(names) > 1:
        st.selectbox(
            "Add to index",
            names,
            index=names.index(_chosen()),
            key=_INDEX,
            width=260,
            format_func=lambda name: f"to index {name}",
            label_visibility="collapsed",
        )


def _submit(files: Sequence[UploadedFile], index: str) -> None:
    try:
        workspace().submissions.uploads(
            [(file.name, file.getvalue()) for file in files], index=index
        )
    except MateriaError as error:  # they stay where they were dropped, and are tried again
        show_error(error)
        return
    st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1


def _folder(index: str) -> None:
    st.markdown("**A folder on this machine**")
    with st.form("folder", border=False, clear_on_submit=True):
        path = st.text_input(
            "Path", placeholder="/home/me/leaflets", help="With its subfolders, as one job."
        )
        if st.form_submit_button("Read the folder") and path.strip():
            workspace().submissions.folder(Path(path.strip()).expanduser(), index=index)
            st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1
            st.rerun()


def _abstracts() -> None:
    st.markdown("**arXiv abstracts** (`arxivData.json`)")
    round_ = st.session_state.get(_ROUND, 0)
    with st.form("abstracts", border=False):
        limit = st.number_input("At most (0: all)", min_value=0, value=0, step=100, width=160)
        file = st.file_uploader("JSON file", type=["json"], key=f"abstracts_{round_}")
        if st.form_submit_button("Import the abstracts") and file is not None:
            try:
                workspace().submissions.abstracts(file.name, file.getvalue(), int(limit) or None)
            except MateriaError as error:
                show_error(error)
                return
            st.session_state[_ROUND] = round_ + 1
            st.rerun()
