"""The queue of jobs: order, progress, cancellation, errors, and what is shown."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from core.documents.jobs.control import JobControl
from core.domain.jobs import Job, JobProgress, JobState
from core.errors import StoreError
from core.logs import current_correlation_id
from core.stores.sqlite.jobs import SqliteJobs
from tests.documents.jobs.handlers import (
    SECRET,
    WAIT,
    Make,
    Step,
    UntilCancelled,
    finished,
    result,
)

# -- order and progress ----------------------------------------------------------------------------


def test_jobs_run_one_after_the_other_in_order(make: Make) -> None:
    order: list[str] = []
    one_at_a_time = threading.Lock()

    def work(control: JobControl) -> str:
        assert one_at_a_time.acquire(blocking=False), "two jobs at once"
        order.append(str(control.params["name"]))
        one_at_a_time.release()
        return "Done."

    runner = make(work=work)
    ids = [runner.submit("work", name, {"name": name}) for name in "abcdef"]
    assert [finished(runner, job_id).state for job_id in ids] == [JobState.DONE] * 6
    assert order == list("abcdef")
    assert [job.name for job in runner.jobs()] == list("fedcba"), "newest first"


def test_progress_and_items_are_visible_while_a_job_runs(make: Make) -> None:
    step = Step()
    runner = make(step=step)
    job_id, waiting = runner.submit("step", "two files"), runner.submit("nothing", "later")
    assert step.begun.wait(WAIT)
    job, queued = runner.job(job_id), runner.job(waiting)
    assert job is not None and job.active and job.state == "running" and job.attempts == 1
    assert job.progress == JobProgress("embedding", "second.pdf", 1, 2, 3, 32, fraction=0.5)
    assert job.items == (result("first.pdf"),)
    assert job.pages_per_second == pytest.approx(3 / job.seconds)
    assert job.seconds_left == pytest.approx(job.seconds)
    assert queued is not None and queued.state == "queued" and queued.seconds_left is None
    unfinished = runner.wait(job_id, 0.01)
    assert unfinished is not None and unfinished.active, "wait gives up after its time"
    step.go.set()
    job = finished(runner, job_id)
    assert (job.state, job.code, job.message) == ("done", "OK", "2 files.")
    assert [item.file for item in job.items] == ["first.pdf", "second.pdf"]
    assert finished(runner, waiting).state == "done"


def test_a_job_of_an_unknown_kind_is_refused_at_once(make: Make) -> None:
    with pytest.raises(ValueError, match="no handler"):
        make().submit("unknown", "x")


# -- cancelling ------------------------------------------------------------------------------------


def test_a_queued_job_is_cancelled_at_once(make: Make) -> None:
    step = Step()
    runner = make(step=step)
    running, waiting = runner.submit("step", "first"), runner.submit("step", "second")
    assert step.begun.wait(WAIT)
    runner.cancel(waiting)
    job = runner.job(waiting)
    assert job is not None and (job.state, job.code) == ("cancelled", "CANCELLED")
    assert job.attempts == 0 and job.items == ()
    step.go.set()
    assert finished(runner, running).state == "done"


def test_a_running_job_is_cancelled_at_its_next_step_and_keeps_what_was_done(make: Make) -> None:
    work = UntilCancelled()
    runner = make(work=work)
    job_id, after = runner.submit("work", "many files"), runner.submit("nothing", "after")
    assert work.begun.wait(WAIT)
    runner.cancel(job_id)
    job = finished(runner, job_id)
    assert (job.state, job.code) == ("cancelled", "CANCELLED")
    assert job.items == (result("first.pdf"),)
    runner.cancel(job_id)
    runner.cancel("unknown")
    assert finished(runner, after).state == "done", "the worker goes on"


# -- errors ----------------------------------------------------------------------------------------


def test_a_named_error_is_shown(make: Make) -> None:
    def work(_control: JobControl) -> str:
        raise StoreError("The store is down.", advice="Start it.", code="DOWN")

    runner = make(work=work)
    job = finished(runner, runner.submit("work", "a.pdf"))
    assert (job.state, job.code, job.message) == ("failed", "DOWN", "The store is down. Start it.")


def test_a_crash_is_reported_without_its_inside_and_the_worker_goes_on(make: Make) -> None:
    def work(_control: JobControl) -> str:
        raise RuntimeError("inner detail")

    runner = make(work=work)
    job = finished(runner, runner.submit("work", "a.pdf"))
    assert (job.state, job.code) == ("failed", "INTERNAL")
    assert "inner detail" not in job.message and job.id[:12] in job.message
    assert finished(runner, runner.submit("nothing", "b.pdf")).state == "done"


def test_a_jobs_log_lines_carry_its_id(make: Make) -> None:
    seen: list[str] = []

    def work(_control: JobControl) -> str:
        seen.append(current_correlation_id())
        return "Done."

    runner = make(work=work)
    job_id = runner.submit("work", "a.pdf")
    finished(runner, job_id)
    assert seen == [job_id[:12]]


# -- secrets ---------------------------------------------------------------------------------------


def test_a_secret_reaches_the_handler_and_nothing_else(
    make: Make, store: SqliteJobs, tmp_path: Path
) -> None:
    seen: list[str] = []

    def work(control: JobControl) -> str:
        seen.append(control.secret)
        assert SECRET not in repr(dict(control.params))
        return "Done."

    runner = make(store, work=work)
    job = finished(runner, runner.submit("work", "a.pdf", {"index": "leaflets"}, secret=SECRET))
    runner.close()
    assert seen == [SECRET]
    assert SECRET not in repr(job) and SECRET not in repr(store.jobs())
    stored = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert stored and all(SECRET.encode() not in path.read_bytes() for path in stored)


# -- what is shown of a job ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "fraction", "left"),
    [
        (JobState.RUNNING, 0.25, 30.0),
        (JobState.RUNNING, 1.0, 0.0),
        (JobState.RUNNING, 0.029, None),
        (JobState.QUEUED, 0.5, None),
        (JobState.DONE, 0.5, None),
    ],
)
def test_the_time_left_is_an_estimate_or_nothing(
    state: JobState, fraction: float, left: float | None
) -> None:
    job = Job("1", "k", "n", state=state, progress=JobProgress(fraction=fraction), seconds=10.0)
    assert job.seconds_left == (left if left is None else pytest.approx(left))


def test_pages_per_second() -> None:
    job = Job("1", "k", "n", progress=JobProgress(pages=30), seconds=10.0)
    assert job.pages_per_second == 3.0
    assert Job("1", "k", "n", progress=JobProgress(pages=30)).pages_per_second == 0.0
