"""Documents to another index: asked where to, then a job does it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.documents.library.shelves import ABSTRACTS
from core.domain.documents import Document, Kind
from core.errors import MateriaError
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import close_dialog, open_dialog, workspace
from pages.parts.shared.text import counted, plain

_MOVE, _COPY = "Move", "Copy"
_LISTED = 5


@st.dialog(
    "Move or copy to another index", icon=":material/drive_file_move:", on_dismiss=close_dialog
)
def move_documents(documents: Sequence[Document]) -> None:
    """Ask for the index, and queue the work."""
    open_dialog()
    for document in documents[:_LISTED]:
        st.text(f"• {document.file} (in {document.index})")
    if len(documents) > _LISTED:
        st.text(f"... and {len(documents) - _LISTED} more")
    targets = _targets(documents)
    if not targets:
        st.info(
            "There is no other index. Make one under “Indexes” first.", icon=":material/folder:"
        )
        return
    target = st.selectbox("To index", targets, key="move_target")
    how = st.radio(
        "How",
        (_MOVE, _COPY),
        captions=(
            "Answers that rest on it keep their source.",
            "The document stays where it is, too. The copy is one of its own.",
        ),
        key="move_how",
    )
    _what_it_costs(documents, target)
    with st.container(horizontal=True):
        pressed = st.button(
            f"{how} {counted(len(documents), 'document')}", type="primary", key="move_now"
        )
        if st.button("Cancel", key="move_not"):
            close_dialog()
            st.rerun()
    if pressed:
        _submit(documents, target, copy=how == _COPY)


def _targets(documents: Sequence[Document]) -> list[str]:
    """Indexes that some of the documents are not in; the abstracts take abstracts alone."""
    here = {document.index for document in documents}
    papers = all(document.kind is Kind.ABSTRACT for document in documents)
    return [
        name
        for name in workspace().catalogue.index_names()
        if here != {name} and (papers or name != ABSTRACTS)
    ]


def _what_it_costs(documents: Sequence[Document], target: str) -> None:
    """Say whether the documents are cut and embedded anew there."""
    known = {index.name: index for index in workspace().library.store.indexes()}
    there = known[target]
    others = [known[one.index] for one in documents if one.index in known and one.index != target]
    if any(one.profile is not there.profile for one in others):
        st.caption(f"“{plain(target)}” cuts documents otherwise: they are cut and embedded anew.")
    elif any((one.model, one.dimension) != (there.model, there.dimension) for one in others):
        st.caption(f"They are embedded anew, with {plain(there.model)}.")
    else:
        st.caption("Both indexes cut and embed alike: chunks and vectors go along as they are.")


def _submit(documents: Sequence[Document], target: str, *, copy: bool) -> None:
    ids = [document.id for document in documents]
    try:
        with st.spinner("Getting ready ..."):
            workspace().submissions.move(ids, target, copy=copy)
    except MateriaError as error:
        show_error(error)
        return
    close_dialog()
    st.rerun()
