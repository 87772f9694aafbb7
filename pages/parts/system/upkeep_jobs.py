"""Jobs of the System page while they run, and what became of the last one."""

from __future__ import annotations

import streamlit as st

from core.domain.jobs import Job, JobState
from pages.parts.shared.state import workspace
from pages.parts.shared.text import duration, plain

_REFRESH_SECONDS = 1.0


def latest(kind: str) -> Job | None:
    """The newest job of a kind."""
    return next((job for job in workspace().jobs.jobs() if job.kind == kind), None)


def is_running(kind: str) -> bool:
    job = latest(kind)
    return job is not None and job.active


def show_job(kind: str) -> None:
    """How far the newest job of a kind is, or how it ended."""
    job = latest(kind)
    if job is None:
        return
    if job.active:
        _live(kind)
    elif job.state is not JobState.DONE:
        st.error(
            f"{plain(job.message)} ({plain(job.code)}, {plain(job.id[:12])})",
            icon=":material/error:",
        )


@st.fragment(run_every=_REFRESH_SECONDS)
def _live(kind: str) -> None:
    job = latest(kind)
    if job is None or not job.active:
        st.rerun()
        return
    waits = job.state is JobState.QUEUED
    stage = "waits for the job before it" if waits else job.progress.stage
    left = f", {duration(job.seconds_left)} left" if job.seconds_left else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(job.progress.fraction, text=f"**{plain(job.name)}**: {plain(stage)}{left}")
        st.button(
            "Cancel",
            key=f"cancel_{kind}",
            icon=":material/cancel:",
            on_click=workspace().jobs.cancel,
            args=(job.id,),
        )
