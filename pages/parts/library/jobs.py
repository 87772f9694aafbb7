"""Running jobs: what they do, how far they are, what became of them, what they ask."""

from __future__ import annotations

import time
from collections.abc import Callable

import streamlit as st

from core.documents.jobs.tasks import FILES
from core.documents.library.names import told_about
from core.documents.library.shelves import LEAFLETS
from core.domain.documents import IngestResult, OnConflict
from core.domain.jobs import Job, JobState
from core.maintenance.backup.jobs import UPKEEP_JOBS
from core.maintenance.graph_tasks import EMBED_GRAPH, GRAPH_JOBS, RELINK
from core.maintenance.sample import SAMPLE_JOB
from pages.parts.library.known import known_before
from pages.parts.library.versions import (
    ask_which_is_kept,
    explain_versions,
    offer_comparison,
)
from pages.parts.shared.state import dialog_is_open, rerun_page, workspace
from pages.parts.shared.text import counted, duration, plain, short

_REFRESH_SECONDS = 1.0
_TABLE_SECONDS = 3.0  # the table behind a running job is drawn anew no more often than this
_SEEN = "jobs_seen"  # ids of jobs that this session saw running
_DRAWN = "jobs_table_drawn"
_PROBLEMS_IN_SIGHT = 2
_MOST_PROBLEMS = 50
_MOST_SUBJECTS = 20
_FOLLOWING = (RELINK, EMBED_GRAPH)
_ICONS = {
    JobState.DONE: ":material/check_circle:",
    JobState.CANCELLED: ":material/cancel:",
    JobState.FAILED: ":material/error:",
}


def has_active_jobs() -> bool:
    """Whether anything is queued or running."""
    return any(job.active for job in workspace().jobs.jobs())


def sample_progress() -> None:
    """On every page, while the sample library is loading for the first time."""
    if any(job.kind == SAMPLE_JOB and job.active for job in workspace().jobs.jobs()):
        _sample_progress()


@st.fragment(run_every=_REFRESH_SECONDS)
def _sample_progress() -> None:
    jobs = [job for job in workspace().jobs.jobs() if job.kind == SAMPLE_JOB]
    if not jobs:
        return
    job = jobs[0]
    if job.active:
        file = f" {plain(job.progress.file)}" if job.progress.file else ""
        st.progress(
            job.progress.fraction,
            text=f"First start: loading the sample library, {plain(job.progress.stage)}{file}. "
            "You can look around meanwhile.",
        )
    else:
        rerun_page()


def reading_note() -> None:
    """A line that says that documents are still being read, for as long as they are."""
    if _is_reading():
        _reading_note()


def _is_reading() -> bool:
    return any(job.active and _is_of_documents(job) for job in workspace().jobs.jobs())


@st.fragment(run_every=2 * _REFRESH_SECONDS)
def _reading_note() -> None:
    if _is_reading():
        st.caption(
            ":material/hourglass_top: Documents are still being read; answers do not use them yet."
        )


def graph_job_list() -> None:
    """The jobs of the graph; refreshes itself while any is running."""
    _job_list(lambda job: job.kind in GRAPH_JOBS)


def document_job_list() -> None:
    """The jobs of documents, without the finished sample; refreshes itself while any is running."""
    _job_list(_is_of_documents)


def _is_of_documents(job: Job) -> bool:
    return job.kind not in (*GRAPH_JOBS, *UPKEEP_JOBS)


def _job_list(listed: Callable[[Job], bool]) -> None:
    """One part of the page while jobs run and afterwards: what is typed or clicked in it in the moment when the
    last one ends is not lost with it."""
    _note_drawn()
    live = has_active_jobs()
    if live or any(listed(job) for job in workspace().jobs.jobs()):
        st.fragment(_live_jobs, run_every=_REFRESH_SECONDS if live else None)(listed, live)


def _live_jobs(listed: Callable[[Job], bool], live: bool) -> None:
    _jobs(listed)
    if dialog_is_open():
        return
    drawn_at, finished = st.session_state[_DRAWN]
    changed = finished != _finished()
    # Where nothing runs it is drawn for what was clicked in it, or with the part of the page that it is in.
    due = changed and (not live or time.monotonic() - drawn_at > _TABLE_SECONDS)
    if live != has_active_jobs() or due:
        rerun_page()


def _finished() -> dict[str, int]:
    return {job.id: len(job.items) for job in workspace().jobs.jobs()}


def _note_drawn() -> None:
    st.session_state[_DRAWN] = (time.monotonic(), _finished())


def _jobs(listed: Callable[[Job], bool]) -> None:
    jobs = [job for job in workspace().jobs.jobs() if job.kind != SAMPLE_JOB and listed(job)]
    # A question keeps its place whatever else runs or ends.
    running, asked = st.container(), st.container()
    for job in jobs:
        if job.active:
            with running:
                _running(job)
            _seen().add(job.id)
        elif job.id in _seen():
            _seen().discard(job.id)
            _tell(job)
    for job in jobs:
        for item in job.questions:
            with asked:
                _question(job, item)
    ended = [
        job
        for job in jobs
        if not job.active
        and (not job.questions or len(job.items) > 1)
        # What follows an import by itself is told only when it fails.
        and (job.kind not in _FOLLOWING or job.state is not JobState.DONE)
    ]
    if ended:
        _ended(ended)


def _running(job: Job) -> None:
    name = plain(short(job.name, 80))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(job.progress.fraction, text=f"**{name}**: {plain(_state_in_words(job))}")
        st.button(
            "Cancel",
            key=f"cancel_{job.id}",
            icon=":material/close:",
            on_click=workspace().jobs.cancel,
            args=(job.id,),
        )


def _state_in_words(job: Job) -> str:
    progress = job.progress
    if job.state is JobState.QUEUED:
        return "waiting for its turn"
    parts = [progress.stage]
    index = str(job.params.get("index", ""))
    if progress.files > 1:
        parts[0] = f"{short(progress.file, 50)}, {progress.stage}"
        parts.append(f"{progress.done} of {progress.files} files")
    if progress.done and not progress.files:
        parts.append(f"{progress.done:,} records")
    if progress.pages:
        parts.append(counted(progress.pages, "page"))
    if progress.chunks:
        parts.append(counted(progress.chunks, "chunk"))
    if progress.pages and job.pages_per_second > 0:
        parts.append(f"{job.pages_per_second:.1f} pages/s")
    if index and index != LEAFLETS:
        parts.append(f"to index {index}")
    left = job.seconds_left
    if left is not None:
        parts.append(f"about {duration(left)} left")
    return ", ".join(parts)


def _seen() -> set[str]:
    """Jobs that this session saw running."""
    seen: set[str] = st.session_state.setdefault(_SEEN, set())
    return seen


def _tell(job: Job) -> None:
    """A toast when a job ends; a question stands on the page anyway."""
    if not job.questions:
        alone = _only_file(job)
        message = alone.message if alone else job.message
        st.toast(f"{plain(short(job.name, 60))}: {plain(message)}", icon=_ICONS[job.state])


def _question(job: Job, item: IngestResult) -> None:
    with st.container(border=True):
        st.markdown(f":material/help: **{plain(item.file)}**: {plain(item.message)}")
        st.caption(plain(f"From {short(job.name, 60)}, to index {job.params['index']}"))
        if "PASSWORD" in item.code:
            _password(job, item)
        if "PASSWORD" not in item.code:
            explain_versions()
        with st.container(horizontal=True):
            if "PASSWORD" not in item.code:
                ask_which_is_kept(job, item)
            st.button(
                "Leave it out",
                key=f"Leave it out_{job.id}_{item.source}",
                icon=":material/block:",
                on_click=workspace().submissions.decide,
                args=(job.id, item, None),
            )


def _password(job: Job, item: IngestResult) -> None:
    """A form, so that Enter opens the file."""
    key = f"secret_{job.id}_{item.source}"
    with st.form(f"password_{job.id}_{item.source}", border=False):
        st.text_input("Password", type="password", key=key)
        st.form_submit_button(
            "Open it", icon=":material/lock_open:", on_click=_open, args=(job, item, key)
        )


def _open(job: Job, item: IngestResult, key: str) -> None:
    password = st.session_state.get(key)
    if password:
        workspace().submissions.decide(job.id, item, OnConflict.ASK, password)


def _ended(jobs: list[Job]) -> None:
    """What is over, in one place that does not grow over the page; of what went wrong as much stands above it
    as leaves the documents in sight."""
    bad = sum(_has_problems(job) for job in jobs)
    title = f"Finished ({len(jobs)})" + (f", {bad} with problems" if bad else "")
    for job in jobs:
        known_before(job)
        offer_comparison(job)
    _latest_problems(jobs)
    with st.expander(title, icon=":material/history:"):
        for job in jobs:
            _ended_job(job)
        st.button("Clear this list", on_click=workspace().jobs.dismiss_finished, type="tertiary")


def _latest_problems(jobs: list[Job]) -> None:
    told = []
    for job in filter(_has_problems, jobs):
        problems = _problems(job)
        told += [(one.file, one.message, one.code) for one in problems]
        if not problems:
            told.append((job.name, job.message, job.code))
    for name, message, code in told[:_PROBLEMS_IN_SIGHT]:
        st.markdown(
            f":red[:material/error:] **{plain(short(name, 80))}**: {plain(message)} ({plain(code)})"
        )
    if len(told) > _PROBLEMS_IN_SIGHT:
        st.caption(f"and {len(told) - _PROBLEMS_IN_SIGHT:,} more, under “Finished”")


def _problems(job: Job) -> list[IngestResult]:
    """Its files that are not in the library for a reason of theirs or ours."""
    return [item for item in job.items if item.state in ("refused", "failed")]


def _only_file(job: Job) -> IngestResult | None:
    """What became of the file of a job that had one alone."""
    done = job.kind == FILES and job.state is JobState.DONE
    return job.items[0] if done and len(job.items) == 1 else None


def _subjects(job: Job) -> None:
    """What each file was taken to be about."""
    told = [
        item for item in job.items if item.state == "ready" and item.title and item.code == "OK"
    ]
    shown = told[:_MOST_SUBJECTS]
    if not shown:
        return
    st.markdown(
        "\n".join(f"- {plain(one.file)}: {plain(told_about(one.title, one.file))}" for one in shown)
    )
    if len(told) > _MOST_SUBJECTS:
        st.caption(f"and {len(told) - _MOST_SUBJECTS} more; the table below tells it of each")


def _has_problems(job: Job) -> bool:
    return job.state is JobState.FAILED or bool(_problems(job))


def _ended_job(job: Job) -> None:
    code = f" ({plain(job.code)})" if job.state is JobState.FAILED else ""
    alone = _only_file(job)
    message = alone.message if alone else job.message
    if job.questions:
        message += f" {len(job.questions)} wait for your decision."
    code = f" ({plain(alone.code)})" if alone and alone.state in ("refused", "failed") else code
    icon = _ICONS[JobState.FAILED] if _has_problems(job) else _ICONS[job.state]
    colour = "red" if _has_problems(job) else "green" if job.state is JobState.DONE else "gray"
    st.markdown(
        f":{colour}[{icon}] **{plain(short(job.name, 80))}**: {plain(message)}{code} "
        f":gray[{duration(job.seconds)}]"
    )
    problems = _problems(job)
    if alone is None:
        _subjects(job)
        for item in problems[:_MOST_PROBLEMS]:
            st.markdown(f"- {plain(item.file)}: {plain(item.message)} ({plain(item.code)})")
        if len(problems) > _MOST_PROBLEMS:
            st.caption(f"and {len(problems) - _MOST_PROBLEMS} more")
