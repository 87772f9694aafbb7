"""Says what of the graph is not embedded, with the button that mends it: in chat, Explorer and System."""

from __future__ import annotations

import time

import streamlit as st

from core.errors import MateriaError
from core.maintenance.graph_tasks import EMBED_GRAPH
from core.maintenance.sample import SAMPLE_JOB
from core.maintenance.vector_gaps import VectorGaps
from pages.parts.shared.state import workspace
from pages.parts.shared.text import plain
from pages.parts.system.missing_vectors import missing_vectors_note

_KNOWN = "vector_gaps"  # when it was looked, after how many jobs, and what was found
_LOOK_SECONDS = 15.0
_REFRESH_SECONDS = 2.0


def vector_note(place: str) -> None:
    """Draw the note where something is missing, or a line while it is being mended.

    Args:
        place: where it stands, for the button's key.
    """
    if place != "explorer":
        missing_vectors_note(place)
    if _is_embedding():
        _being_embedded(place)
    else:
        _note(place)


@st.fragment(run_every=_REFRESH_SECONDS)
def _being_embedded(place: str) -> None:
    if _is_embedding():
        st.caption(
            ":material/hourglass_top: Entities are being embedded; until then questions find them by "
            "name alone."
        )
    else:
        _note(place)


def _note(place: str) -> None:
    gaps = _gaps()
    if gaps is None or gaps.none:
        return
    with st.container(
        key=f"vector_note_{place}", gap="small", horizontal=True, vertical_alignment="center"
    ):
        st.caption(f":material/warning: {plain(gaps.words)}", width="stretch")
        st.button(
            "Build the index" if gaps.missing else "Embed the entities",
            key=f"mend_vectors_{place}",
            icon=":material/build:",
            help="Goes on in the background; also: python -m core embed-graph",
            on_click=_mend,
        )


def _mend() -> None:
    workspace().graph_tasks.submit_embed()


def _is_embedding() -> bool:
    return any(
        job.active and job.kind in (EMBED_GRAPH, SAMPLE_JOB) for job in workspace().jobs.jobs()
    )


def _gaps() -> VectorGaps | None:
    """What was found some seconds ago, as long as no job has ended since; None where the stores cannot
    be asked, which other parts say."""
    ended = sum(1 for job in workspace().jobs.jobs() if not job.active)
    at, after, known = st.session_state.get(_KNOWN, (0.0, -1, None))
    if after != ended or time.monotonic() - at > _LOOK_SECONDS:
        try:
            known = workspace().graph_tasks.vector_gaps()
        except MateriaError:
            known = None
        st.session_state[_KNOWN] = (time.monotonic(), ended, known)
    found: VectorGaps | None = known
    return found
