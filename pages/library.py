"""Documents in, documents out."""

from __future__ import annotations

import streamlit as st

from pages.parts.library.document_table import document_table, keep_filters
from pages.parts.library.document_view import document_view
from pages.parts.library.index_list import index_list
from pages.parts.library.jobs import document_job_list
from pages.parts.library.linked_document import follow_document_address, write_document_address
from pages.parts.library.opened import back_button, opened_document
from pages.parts.library.removal import being_removed, show_receipts
from pages.parts.library.uploads import uploads
from pages.parts.shared.links import show_link_problem
from pages.parts.shared.state import workspace
from pages.parts.shared.text import plain

_DOCUMENTS, _INDEXES = "Documents", "Indexes"
_MOST_NAMES = 10


def _restart_notices() -> None:
    """What the last run left behind, and what becomes of it."""
    for job in workspace().resumed:
        now = workspace().jobs.job(job.id)
        if now is not None and now.active:
            st.info(
                f"The last run ended while “{plain(job.name)}” was in work; it goes on now.",
                icon=":material/restore:",
            )
    if not workspace().recovered or workspace().resumed:
        return
    names = ", ".join(workspace().recovered[:_MOST_NAMES])
    st.info(
        f"The last run ended while this was being worked on; it was rolled back: {plain(names)}. "
        "Add it again if you need it.",
        icon=":material/restore:",
    )
    st.button("Understood", on_click=workspace().recovered.clear, icon=":material/check:")


with st.container(horizontal=True, vertical_alignment="center"):
    st.title("Library")
    view = st.segmented_control(
        "View",
        (_DOCUMENTS, _INDEXES),
        default=_DOCUMENTS,
        required=True,
        key="library_view",
        label_visibility="collapsed",
    )
follow_document_address()
show_link_problem()
opened = opened_document()
write_document_address(opened)
if opened is not None and view == _DOCUMENTS:
    back_button()
    document_view(opened)
    keep_filters()
_restart_notices()
show_receipts()
being_removed()
# In both views: one that went away with its view would lose a file that is still on its way.
uploads()
document_job_list()
if view == _INDEXES:
    index_list()
elif opened is None:
    selected = document_table()
    if len(selected) == 1:
        document_view(selected[0])
