"""Documents in, documents out."""

from __future__ import annotations

import streamlit as st

from core.domain.jobs import Job
from pages.parts.document_table import document_table
from pages.parts.document_view import document_view
from pages.parts.index_list import index_list
from pages.parts.jobs import job_list
from pages.parts.removal import show_receipts
from pages.parts.state import workspace
from pages.parts.text import plain
from pages.parts.uploads import uploads

_DOCUMENTS, _INDEXES = "Documents", "Indexes"


def _restart_notices() -> None:
    """What the last run left behind, and what became of it."""
    resumed: list[Job] = workspace().resumed
    again = {str(item["name"]) for job in resumed for item in job.params.get("files", [])}
    for job in resumed:
        st.info(
            f"The last run ended while “{plain(job.name)}” was in work; it goes on now.",
            icon=":material/restore:",
        )
    for name in workspace().recovered:
        if name not in again and not resumed:
            st.info(
                f"The last run ended while “{plain(name)}” was being worked on; it was rolled back. "
                "Add it again if you need it.",
                icon=":material/restore:",
            )


with st.container(horizontal=True, vertical_alignment="center"):
    st.header("Library")
    view = st.segmented_control(
        "View",
        (_DOCUMENTS, _INDEXES),
        default=_DOCUMENTS,
        required=True,
        key="library_view",
        label_visibility="collapsed",
    )
_restart_notices()
show_receipts()
if view == _INDEXES:
    job_list()
    index_list()
else:
    uploads()
    job_list()
    selected = document_table()
    if len(selected) == 1:
        document_view(selected[0])
