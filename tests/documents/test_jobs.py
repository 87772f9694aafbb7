"""The ingestion queue: one after the other, every end shown, the worker never dies."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from core.documents.jobs import Job, JobRunner
from core.documents.library import Progress, Report
from core.domain.documents import IngestResult
from core.errors import StoreError
from core.logs import current_correlation_id

WAIT = 10.0  # seconds until a stuck test gives up


def done(name: str = "a.pdf", state: str = "ready", code: str = "OK") -> IngestResult:
    return IngestResult(name, state, code, f"{name} {state}", 2, 5, 0.1, "doc-1")


@pytest.fixture
def runner() -> Iterator[JobRunner]:
    jobs = JobRunner()
    yield jobs
    jobs.close()


def finished(runner: JobRunner, job_id: str) -> Job:
    job = runner.wait(job_id, WAIT)
    assert job is not None and not job.active, "the job did not end"
    return job


@pytest.mark.parametrize("state", ["ready", "refused", "failed"])
def test_the_result_is_the_jobs_state(runner: JobRunner, state: str) -> None:
    job = finished(runner, runner.submit("a.pdf", lambda _: done(state=state, code="C")))
    assert (job.name, job.state, job.code, job.message) == ("a.pdf", state, "C", f"a.pdf {state}")
    assert job.document_id == "doc-1" and job.fraction == 1.0 and job.seconds > 0
    assert (job.progress.pages, job.progress.chunks) == (2, 5)


def test_progress_is_visible_while_it_runs(runner: JobRunner) -> None:
    begun, go = threading.Event(), threading.Event()

    def work(report: Report) -> IngestResult:
        report(Progress("embedding", 3, 32, 64))
        begun.set()
        assert go.wait(WAIT)
        return done()

    job_id = runner.submit("a.pdf", work)
    waiting = runner.submit("b.pdf", lambda _: done("b.pdf"))
    assert begun.wait(WAIT)
    job, queued = runner.job(job_id), runner.job(waiting)
    assert job is not None and job.active and job.state == "running"
    assert job.progress == Progress("embedding", 3, 32, 64)
    assert job.fraction == pytest.approx(0.55)
    assert queued is not None and queued.state == "queued" and queued.fraction == 0.0
    assert runner.wait(job_id, 0.01) == job, "wait gives up after its time"
    go.set()
    assert finished(runner, waiting).state == "ready"


def test_jobs_run_one_after_the_other_in_order(runner: JobRunner) -> None:
    order: list[str] = []
    running = threading.Semaphore(1)

    def work(name: str) -> IngestResult:
        assert running.acquire(blocking=False), "two jobs at once"
        order.append(name)
        running.release()
        return done(name)

    ids = [runner.submit(name, lambda _, name=name: work(name)) for name in "abcdef"]
    assert [finished(runner, job_id).state for job_id in ids] == ["ready"] * 6
    assert order == list("abcdef")
    assert {job.name for job in runner.jobs()} == set("abcdef")


def test_a_named_error_is_shown(runner: JobRunner) -> None:
    def work(_: Report) -> IngestResult:
        raise StoreError("The store is down.", advice="Start it.", code="DOWN")

    job = finished(runner, runner.submit("a.pdf", work))
    assert (job.state, job.code, job.message) == ("failed", "DOWN", "The store is down. Start it.")


def test_a_crash_is_reported_without_its_inside_and_the_worker_goes_on(runner: JobRunner) -> None:
    def work(_: Report) -> IngestResult:
        raise RuntimeError("secret detail")

    job = finished(runner, runner.submit("a.pdf", work))
    assert (job.state, job.code) == ("failed", "INTERNAL")
    assert "secret detail" not in job.message and job.id[:12] in job.message
    assert finished(runner, runner.submit("b.pdf", lambda _: done("b.pdf"))).state == "ready"


def test_a_jobs_log_lines_carry_its_id(runner: JobRunner) -> None:
    seen: list[str] = []

    def work(_: Report) -> IngestResult:
        seen.append(current_correlation_id())
        return done()

    job_id = runner.submit("a.pdf", work)
    finished(runner, job_id)
    assert seen == [job_id[:12]]


def test_finished_jobs_can_be_dismissed(runner: JobRunner) -> None:
    first = runner.submit("a.pdf", lambda _: done())
    finished(runner, first)
    runner.dismiss_finished()
    assert runner.jobs() == [] and runner.job(first) is None
    assert runner.wait(first, WAIT) is None


def test_old_finished_jobs_are_forgotten(runner: JobRunner) -> None:
    for _ in range(60):
        finished(runner, runner.submit("a.pdf", lambda _: done()))
    assert 50 <= len(runner.jobs()) <= 51


def test_closing_waits_for_the_running_job_and_begins_no_other() -> None:
    runner = JobRunner()
    begun, go = threading.Event(), threading.Event()
    ended: list[str] = []

    def work(_: Report) -> IngestResult:
        begun.set()
        assert go.wait(WAIT)
        ended.append("first")
        return done()

    def never(_: Report) -> IngestResult:
        ended.append("second")
        return done()

    runner.submit("a.pdf", work)
    runner.submit("b.pdf", never)
    assert begun.wait(WAIT)
    closing = threading.Thread(target=runner.close)
    closing.start()
    go.set()
    closing.join(WAIT)
    assert not closing.is_alive() and ended == ["first"]


def test_closing_without_any_job() -> None:
    JobRunner().close()
