"""What can be done with an index: another name, another embedding model. Jobs do it; search goes on."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.documents.library.shelves import ABSTRACTS, EARLIER
from core.domain.documents import Index
from core.encoders.sentence_transformer import BUNDLED
from core.errors import MateriaError
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import close_dialog, open_dialog, workspace
from pages.parts.shared.text import plain


def index_menu(index: Index, *, enabled: bool) -> None:
    """Buttons beside an index's name."""
    if index.name not in (ABSTRACTS, EARLIER) and st.button(
        "Rename", key=f"rename_index_{index.name}", icon=":material/edit:", disabled=not enabled
    ):
        rename_index(index)
    if st.button(
        "Model",
        key=f"model_index_{index.name}",
        icon=":material/model_training:",
        disabled=not enabled,
        help="Embed the index anew, with this or another model",
    ):
        choose_model(index)


@st.dialog("Rename an index", icon=":material/edit:", on_dismiss=close_dialog)
def rename_index(index: Index) -> None:
    """Ask for the name."""
    open_dialog()
    name = st.text_input("Name", value=index.name, max_chars=100, key="rename_index_name")
    st.caption(
        "Documents, answers and links stay as they are; what still asks for the old name gets this index. "
        "Search goes on meanwhile."
    )
    _buttons("Rename", lambda: workspace().submissions.rename(index.name, name.strip()))


@st.dialog("Embedding model of an index", icon=":material/model_training:", on_dismiss=close_dialog)
def choose_model(index: Index) -> None:
    """Ask for the model."""
    open_dialog()
    st.caption(f"{plain(index.name)} is made with {plain(index.model)}.")
    known = {workspace().settings.embedding_model, index.model, BUNDLED}
    known.update(one.model for one in workspace().library.store.indexes())
    model = st.selectbox(
        "Embed it anew with",
        sorted(known),
        index=sorted(known).index(index.model),
        accept_new_options=True,
        key="index_model",
        help="A model of sentence-transformers on this machine (its name or folder), or one of an "
        "OpenAI-compatible provider that begins with “text-embedding-”.",
    )
    st.caption(
        "The model is loaded first: where it cannot be, nothing changes. The old vectors serve until the "
        "new ones are complete. Questions then take a moment longer where indexes differ in their models."
    )
    _buttons(
        "Embed anew", lambda: workspace().submissions.re_embed(index.name, str(model or "").strip())
    )


def _buttons(label: str, submit: Callable[[], str]) -> None:
    with st.container(horizontal=True):
        pressed = st.button(label, type="primary", key="index_work")
        if st.button("Cancel", key="index_work_not"):
            close_dialog()
            st.rerun()
    if not pressed:
        return
    try:
        with st.spinner("Checking ..."):
            submit()
    except MateriaError as error:
        show_error(error)
        return
    close_dialog()
    st.rerun()
