"""The indexes: what they hold, which model made them; create, embed anew, delete."""

from __future__ import annotations

import streamlit as st

from core.documents.jobs.index_work import RE_EMBED, RENAME
from core.documents.library.indexes import IndexDescription
from core.documents.library.shelves import EARLIER
from core.domain.documents import Profile
from core.errors import MateriaError
from pages.parts.library.index_menu import index_menu
from pages.parts.library.removal import confirm_everything, confirm_index
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import workspace
from pages.parts.shared.text import counted, file_size, plain

_PROFILES = {
    Profile.LEAFLET: "Leaflets and labels: up to 1,000 characters, inside one section, overlapping",
    Profile.SEMANTIC: "Papers and reports: cut at meaning, up to 512 tokens",
    Profile.ABSTRACT: "Abstracts: about 800 characters",
}


def index_list() -> None:
    """Every index with its actions, and the form for a new one."""
    st.caption(
        "An index is a set of documents that are cut and embedded in one way. Answers come from all "
        "of them but the abstracts, which the Literature page searches, and earlier versions of documents."
    )
    names = workspace().catalogue.index_names()
    for name in names:
        _index(name)
    if not names:
        st.info("No index yet: the first upload makes one.", icon=":material/folder:")
    _create()
    if names and st.button(
        "Delete everything",
        key="delete_everything",
        type="tertiary",
        icon=":material/delete_forever:",
    ):
        confirm_everything()


def _index(name: str) -> None:
    with st.container(border=True):
        try:
            found = workspace().indexes.describe(name)
        except MateriaError as error:
            st.markdown(f"**{plain(name)}**")
            show_error(error)
            return
        index, counts = found.index, found.counts
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{plain(name)}**")
            st.badge(index.profile.value, help=_PROFILES[index.profile])
            st.space("stretch")
            index_menu(index, enabled=not _in_work(name))
            if st.button("Delete", key=f"delete_index_{name}", icon=":material/delete:"):
                confirm_index(name, counts.documents)
        pages = f"{counted(counts.pages, 'page')}, " if counts.pages else ""
        st.caption(
            f"{counted(counts.documents, 'document')}, {pages}{counted(counts.chunks, 'chunk')}, "
            f"{_vectors(found.vectors)} · {plain(index.model)}, {index.dimension} dimensions · "
            f"{file_size(counts.bytes)} · created {index.created_at.astimezone():%Y-%m-%d}"
        )
        if name == EARLIER:
            st.caption(
                "Earlier versions of documents, kept to be read and compared. A search looks here only where "
                "this index is chosen."
            )
        if found.needs_embedding:
            _mismatch(found)


def _mismatch(found: IndexDescription) -> None:
    name = found.index.name
    st.info(
        f"Made with {plain(found.index.model)}; the configured model is "
        f"{plain(workspace().encoder().name)}. It is searched and filled with its own model, where that "
        "can be loaded.",
        icon=":material/model_training:",
    )
    if st.button(
        "Embed anew",
        key=f"re_embed_{name}",
        icon=":material/refresh:",
        disabled=_in_work(name),
        help="With the configured model.",
    ):
        workspace().submissions.re_embed(name)
        st.rerun()


def _in_work(name: str) -> bool:
    """Whether an index is being renamed or embedded anew, or is about to be."""
    return any(
        job.active and job.kind in (RE_EMBED, RENAME) and job.params.get("index") == name
        for job in workspace().jobs.jobs()
    )


def _create() -> None:
    with st.form("new_index", border=True, clear_on_submit=True):
        st.markdown("**New index**")
        with st.container(key="fields_new_index"):
            name = st.text_input("Name", placeholder="papers", max_chars=100)
            profile = st.selectbox(
                "How its documents are cut", list(_PROFILES), format_func=lambda key: _PROFILES[key]
            )
        if st.form_submit_button("Create") and name.strip():
            try:
                workspace().indexes.create(name.strip(), profile)
            except MateriaError as error:
                show_error(error)
                return
            st.rerun()


def _vectors(number: int | None) -> str:
    return (
        "vectors unknown (their server cannot be reached)"
        if number is None
        else counted(number, "vector")
    )
