"""Running jobs: what they do, how far they are, what became of them."""

from __future__ import annotations

import streamlit as st

from core.documents.jobs import Job
from pages.parts.state import workspace
from pages.parts.text import plain, short

_REFRESH_SECONDS = 1.0
SAMPLE = "Sample library"
_ICONS = {
    "ready": ":material/check_circle:",
    "refused": ":material/block:",
    "failed": ":material/error:",
}


def has_active_jobs() -> bool:
    """Whether anything is queued or running."""
    return any(job.active for job in workspace().jobs.jobs())


def sample_progress() -> None:
    """On every page, while the sample library is loading for the first time."""
    if any(job.name == SAMPLE and job.active for job in workspace().jobs.jobs()):
        _sample_progress()


@st.fragment(run_every=_REFRESH_SECONDS)
def _sample_progress() -> None:
    jobs = [job for job in workspace().jobs.jobs() if job.name == SAMPLE]
    if not jobs:
        return
    job = jobs[0]
    if job.active:
        st.progress(
            job.fraction,
            text=f"First start: loading the sample library, {plain(job.progress.stage)}. "
            "You can look around meanwhile.",
        )
    else:
        st.rerun()


def job_list() -> None:
    """All jobs of this server but the finished sample; refreshes itself while any is running."""
    if has_active_jobs():
        _live_jobs()
    else:
        _jobs()


@st.fragment(run_every=_REFRESH_SECONDS)
def _live_jobs() -> None:
    _jobs()
    if not has_active_jobs():
        st.rerun()


def _jobs() -> None:
    jobs = [job for job in workspace().jobs.jobs() if job.name != SAMPLE]
    for job in jobs:
        _row(job)
    if jobs and not any(job.active for job in jobs):
        st.button(
            "Clear the list of uploads", on_click=workspace().jobs.dismiss_finished, type="tertiary"
        )


def _row(job: Job) -> None:
    name = plain(short(job.name, 80))
    if job.active:
        progress = job.progress
        counts = f", {progress.pages} pages" if progress.pages else ""
        if progress.total:
            counts += f", {progress.chunks} of {progress.total} chunks"
        stage = "waiting for its turn" if job.state == "queued" else progress.stage
        st.progress(job.fraction, text=f"**{name}**: {plain(stage)}{counts}")
        return
    line = f"**{name}**: {plain(job.message)}"
    if job.state == "ready":
        st.success(f"{line} ({job.seconds:.1f} s)", icon=_ICONS["ready"])
    else:
        st.error(f"{line} ({plain(job.code)})", icon=_ICONS[job.state])
