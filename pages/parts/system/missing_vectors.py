"""Says which passages have no vector, with the button that mends it: in chat and System."""

from __future__ import annotations

import time
from collections.abc import Mapping

import streamlit as st

from core.errors import MateriaError
from core.maintenance.backup.jobs import VERIFY
from core.maintenance.vector_gaps import passages_without_vectors
from pages.parts.shared.state import workspace
from pages.parts.shared.text import plain

_KNOWN = "passages_without_vectors"  # when it was looked, after how many jobs, and what was found
_LOOK_SECONDS = 15.0


def missing_vectors_note(place: str) -> None:
    """Draw a line for each index that lacks vectors.

    Args:
        place: where it stands, for the button's key.
    """
    for name, (lacking, total) in _lacking().items():
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.caption(
                f":material/warning: {lacking:,} of {total:,} passages of “{plain(name)}” have no vector: "
                "questions find them by their words alone.",
                width="stretch",
            )
            st.button(
                "Check and repair",
                key=f"repair_{place}_{name}",
                icon=":material/build:",
                help="Makes the vectors anew, in the background; also: python -m core verify --repair",
                on_click=_repair,
            )


def _repair() -> None:
    workspace().jobs.submit(VERIFY, "Check and repair", {"repair": True}, keep=False)


def _lacking() -> Mapping[str, tuple[int, int]]:
    """What was found some seconds ago, as long as no job has ended since; nothing while one runs, which
    may be about to change it, or where the stores cannot be asked, which other parts say."""
    open_ = workspace()
    jobs = open_.jobs.jobs()
    if any(job.active for job in jobs):
        return {}
    at, after, known = st.session_state.get(_KNOWN, (0.0, -1, {}))
    if after != len(jobs) or time.monotonic() - at > _LOOK_SECONDS:
        try:
            known = passages_without_vectors(open_.library_store, open_.vectors)
        except MateriaError:
            known = {}
        st.session_state[_KNOWN] = (time.monotonic(), len(jobs), known)
    found: Mapping[str, tuple[int, int]] = known
    return found
