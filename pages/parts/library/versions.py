"""Two versions of a file: which of them is kept, and a way to compare them."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from core.domain.documents import DocumentState, IngestResult, OnConflict
from core.domain.jobs import Job
from pages.parts.shared.state import COMPARE, workspace
from pages.parts.shared.text import plain

_MOST = 5
_CHOICES = (
    (
        "Keep the earlier one to compare",
        "compare_arrows",
        OnConflict.KEEP_EARLIER,
        "The new version takes its place. The earlier one is kept; answers leave it out.",
    ),
    (
        "Replace it",
        "swap_horiz",
        OnConflict.REPLACE,
        "The earlier version is gone with every trace.",
    ),
    ("Keep both", "content_copy", OnConflict.KEEP_BOTH, "Two documents; answers use both."),
)


def explain_versions() -> None:
    """What the choice means, before it is made."""
    st.caption(
        "An earlier version that is kept can be read and compared; answers leave it out. One that is replaced "
        "is gone."
    )


def ask_which_is_kept(job: Job, item: IngestResult) -> None:
    """Buttons that answer what becomes of a file whose name another has."""
    for label, icon, answer, what in _CHOICES:
        st.button(
            label,
            key=f"{label}_{job.id}_{item.source}",
            icon=f":material/{icon}:",
            help=what,
            on_click=workspace().submissions.decide,
            args=(job.id, item, answer),
        )


def offer_comparison(job: Job) -> None:
    """For each file of a job of which an earlier version is there, a button that compares the two."""
    for number, (new, old) in enumerate(_pairs(job)):
        if number == _MOST:
            return
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(
                f":material/difference: **{plain(new.file)}** is in the library in two versions.",
                width="content",
            )
            if st.button(
                "Compare the two versions",
                key=f"versions_{job.id}_{number}",
                icon=":material/compare_arrows:",
                type="tertiary",
            ):
                st.switch_page(COMPARE, query_params={"old": old, "new": new.document_id})


def _pairs(job: Job) -> Iterator[tuple[IngestResult, str]]:
    catalogue = workspace().catalogue
    for item in job.items:
        if item.state != "ready" or not item.earlier_id:
            continue
        both = (catalogue.document(one) for one in (item.earlier_id, item.document_id))
        if all(one is not None and one.state is DocumentState.READY for one in both):
            yield item, item.earlier_id
