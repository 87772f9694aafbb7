"""Bringing a graph in: a folder on this machine or dropped files; and the vectors of its entities."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.domain.vectors import VECTOR_INDEXES
from core.errors import InputError, StoreError
from pages.parts.shared.problems import show_error
from pages.parts.shared.state import workspace

_ROUND = "graph_imports"  # grows with every import, so that the form empties itself
_HELP = (
    "A folder or files of PrimeKG (kg.csv with its features), of Hetionet (nodes and edges), or plain "
    "nodes.csv and relationships.csv. Importing again updates what is there."
)


def import_form() -> None:
    """The button behind which a graph is imported."""
    round_ = int(st.session_state.get(_ROUND, 0))
    with st.popover("Import a graph", icon=":material/upload:", key=f"graph_import_{round_}"):
        st.caption(_HELP)
        with st.form(f"graph_form_{round_}", border=False):
            path = st.text_input(
                "A folder on this machine", placeholder="/home/me/primekg", key=f"folder_{round_}"
            )
            files = st.file_uploader(
                "or drop its files here",
                type=["csv", "tsv", "sif", "gz"],
                accept_multiple_files=True,
                key=f"graph_files_{round_}",
            )
            remove = st.checkbox(
                "Remove what these files do not have",
                key=f"graph_remove_{round_}",
                help="Without it, the import only adds and updates.",
            )
            st.caption(
                ":material/warning: With the mark set, every entity and relationship that is not in "
                "these files disappears from the graph. This cannot be undone."
            )
            pressed = st.form_submit_button("Import", icon=":material/upload:", type="primary")
        if pressed:
            dropped = [(file.name, file.getvalue()) for file in files or []]
            _submit(path.strip(), dropped, remove)
        st.divider()
        _embedding()


def _submit(path: str, files: list[tuple[str, bytes]], remove: bool) -> None:
    if bool(path) == bool(files):
        show_error(
            InputError(
                "Give a folder or drop files, not both." if path else "There is nothing to import.",
                advice="Type the folder's path, or drop nodes.csv and relationships.csv.",
            )
        )
        return
    folder = Path(path).expanduser() if path else None
    if folder is not None and not folder.is_dir():
        show_error(InputError("There is no such folder on this machine.", advice="Check the path."))
        return
    try:
        workspace().graph_tasks.submit_import(folder, files, remove)
    except (InputError, StoreError) as error:
        show_error(error)
        return
    st.session_state[_ROUND] = int(st.session_state.get(_ROUND, 0)) + 1
    st.rerun()


def _embedding() -> None:
    """How many entities can be found by meaning, and the button that embeds the rest."""
    try:
        counts = workspace().graph.counts_by_type()
        total = sum(counts.get(kind, 0) for kind in VECTOR_INDEXES)
        done = sum(workspace().entity_vectors.counts().values())
    except StoreError:  # the page says so beside it
        return
    st.markdown("**Vectors of entities**")
    st.caption(
        f"{done:,} of {total:,} drugs, diseases and proteins are embedded: questions find them by "
        "meaning, not by name alone."
    )
    if st.button(
        "Embed entities",
        key="embed_entities",
        icon=":material/scatter_plot:",
        disabled=not total,
        help="Only those whose text changed are embedded again.",
    ):
        workspace().graph_tasks.submit_embed()
        st.rerun()
