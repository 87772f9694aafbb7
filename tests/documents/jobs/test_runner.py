"""The queue of jobs: order, progress, cancellation, errors, and what outlives the process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from core.documents.jobs.runner import Handler, JobControl, JobRunner
from core.domain.documents import IngestResult
from core.domain.jobs import Job, JobProgress, JobState
from core.errors import StoreError
from core.logs import current_correlation_id
from core.stores.sqlite.database import Database
from core.stores.sqlite.jobs import SqliteJobs

WAIT = 10.0  # seconds until a stuck test gives up
SECRET = "correct-horse-battery"


def result(name: str, state: str = "ready", code: str = "OK") -> IngestResult:
    source = f"/uploads/{name}" if state == "question" else ""
    return IngestResult(name, state, code, f"{name} {state}", 2, 5, 0.1, "doc-1", source)


def finished(runner: JobRunner, job_id: str) -> Job:
    job = runner.wait(job_id, WAIT)
    assert job is not None and not job.active, "the job did not end"
    return job


class Step:
    """A handler that stops until it is told to go on."""

    def __init__(self) -> None:
        self.begun, self.go = threading.Event(), threading.Event()

    def __call__(self, control: JobControl) -> str:
        control.item(result("first.pdf"))
        control.report(JobProgress("embedding", "second.pdf", 1, 2, 3, 32, fraction=0.5))
        self.begun.set()
        assert self.go.wait(WAIT)
        control.check()
        control.item(result("second.pdf"))
        return "2 files."


class UntilCancelled:
    """A handler that works until it is told to stop, and keeps what it had done."""

    def __init__(self) -> None:
        self.begun = threading.Event()

    def __call__(self, control: JobControl) -> str:
        control.item(result("first.pdf"))
        self.begun.set()
        while not control.cancelled():
            threading.Event().wait(0.001)
        control.check()
        raise AssertionError("check goes on after a cancellation")


def do_nothing(_control: JobControl) -> str:
    return "Done."


Make = Callable[..., JobRunner]


@pytest.fixture
def make() -> Iterator[Make]:
    """Makes runners, and closes them after the test."""
    made: list[JobRunner] = []

    def make_(store: SqliteJobs | None = None, **handlers: Handler) -> JobRunner:
        runner = JobRunner({"nothing": do_nothing, **handlers}, store)
        made.append(runner)
        return runner

    yield make_
    for runner in made:
        runner.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteJobs]:
    with closing(Database(tmp_path / "materia.db")) as database:
        yield SqliteJobs(database)


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


# -- the next start --------------------------------------------------------------------------------


def kept(store: SqliteJobs, job_id: str, state: JobState, **more: Any) -> None:
    """A row as a dead process left it; those with lower ids are older."""
    fields = {"kind": "work", "params": {"path": job_id}, "submitted": 1.0} | more
    store.save(Job(id=job_id, name=job_id, state=state, **fields))


def test_what_was_running_or_queued_is_begun_again_in_order(make: Make, store: SqliteJobs) -> None:
    kept(store, "1-over", JobState.DONE, attempts=1, items=(result("a.pdf"),))
    kept(store, "2-running", JobState.RUNNING, attempts=1, items=(result("b.pdf"),))
    kept(store, "3-queued", JobState.QUEUED)
    seen: list[tuple[str, bool]] = []

    def work(control: JobControl) -> str:
        seen.append((str(control.params["path"]), control.resumed))
        return "Done."

    runner = make(store, work=work)
    resumed = runner.resume()
    assert [job.id for job in resumed] == ["2-running", "3-queued"]
    assert all(job.items == () for job in resumed), "they are found out anew"
    for job in resumed:
        assert finished(runner, job.id).state == "done"
    assert seen == [("2-running", True), ("3-queued", False)]
    over = runner.job("1-over")
    assert over is not None and over.items == (result("a.pdf"),)
    assert runner.resume() == [], "each only once"
    assert {job.id: job.attempts for job in store.jobs()} == {
        "1-over": 1,
        "2-running": 2,
        "3-queued": 1,
    }


def test_a_job_that_ended_three_processes_is_given_up(make: Make, store: SqliteJobs) -> None:
    kept(store, "poison", JobState.RUNNING, attempts=3)
    kept(store, "behind", JobState.QUEUED)
    cleaned: list[str] = []
    runner = JobRunner({"work": do_nothing}, store, cleaned.append)
    with closing(runner):
        assert [job.id for job in runner.resume()] == ["behind"]
        poison = runner.job("poison")
        assert poison is not None and (poison.state, poison.code) == ("failed", "INTERRUPTED")
        assert "3 times" in poison.message
        finished(runner, "behind")
    assert cleaned == ["poison", "behind"]
    assert {job.state for job in store.jobs()} == {JobState.FAILED, JobState.DONE}


def test_a_job_of_a_kind_that_is_gone_has_failed(make: Make, store: SqliteJobs) -> None:
    kept(store, "old", JobState.QUEUED, kind="of-another-version")
    runner = make(store, work=do_nothing)
    assert runner.resume() == []
    job = runner.job("old")
    assert job is not None and (job.state, job.code) == ("failed", "INTERRUPTED")


def test_closing_stops_the_running_job_and_the_next_start_goes_on(
    make: Make, store: SqliteJobs
) -> None:
    work = UntilCancelled()
    cleaned: list[str] = []
    runner = JobRunner({"work": work}, store, cleaned.append)
    first, second = runner.submit("work", "first"), runner.submit("work", "second")
    assert work.begun.wait(WAIT)
    runner.close()
    assert cleaned == [], "their uploads are needed at the next start"
    assert [(job.id, job.state, job.attempts) for job in store.jobs()] == [
        (first, "queued", 0),
        (second, "queued", 0),
    ]
    after = make(store, work=do_nothing)
    assert [job.id for job in after.resume()] == [first, second]
    assert finished(after, second).state == "done" and finished(after, first).state == "done"


def test_a_job_that_ends_while_the_runner_closes_has_ended(make: Make, store: SqliteJobs) -> None:
    begun = threading.Event()

    def work(control: JobControl) -> str:
        begun.set()
        while not control.cancelled():
            threading.Event().wait(0.001)
        return "Done all the same."

    runner = make(store, work=work)
    runner.submit("work", "first")
    assert begun.wait(WAIT)
    runner.close()
    assert [(job.state, job.message) for job in store.jobs()] == [("done", "Done all the same.")]


def test_a_job_that_is_not_kept_is_not_begun_again(make: Make, store: SqliteJobs) -> None:
    runner = make(store)
    finished(runner, runner.submit("nothing", "sample", keep=False))
    assert store.jobs() == []


def test_closing_without_any_job(make: Make) -> None:
    make().close()


# -- questions, and what is forgotten --------------------------------------------------------------


def asking(control: JobControl) -> str:
    control.item(result("good.pdf"))
    control.item(result("one.pdf", "question", "NAME_EXISTS"))
    control.item(result("two.pdf", "question", "PASSWORD_REQUIRED"))
    return "To be decided."


def test_uploads_are_kept_until_nothing_is_asked_any_more(store: SqliteJobs) -> None:
    cleaned: list[str] = []
    with closing(JobRunner({"asking": asking, "nothing": do_nothing}, store, cleaned.append)) as (
        runner
    ):
        quiet = runner.submit("nothing", "no question")
        job = finished(runner, runner.submit("asking", "two questions"))
        assert cleaned == [quiet]
        assert [item.file for item in job.questions] == ["one.pdf", "two.pdf"]
        runner.answer(job.id, "/uploads/one.pdf")
        assert cleaned == [quiet]
        runner.answer(job.id, "/uploads/two.pdf")
        assert cleaned == [quiet, job.id]
        left = runner.job(job.id)
        assert left is not None and left.items == (result("good.pdf"),)
    assert {item.file for job in store.jobs() for item in job.items} == {"good.pdf"}


def test_uploads_of_a_job_that_was_over_when_the_process_died_are_removed_at_the_next_start(
    store: SqliteJobs,
) -> None:
    kept(store, "asking", JobState.DONE, items=(result("one.pdf", "question", "NAME_EXISTS"),))
    kept(store, "over", JobState.DONE, items=(result("a.pdf"),))
    cleaned: list[str] = []
    with closing(JobRunner({"work": do_nothing}, store, cleaned.append)) as runner:
        assert runner.resume() == []
    assert cleaned == ["over"]


def test_a_job_of_questions_only_is_forgotten_with_the_last_answer(
    make: Make, store: SqliteJobs
) -> None:
    def ask_once(control: JobControl) -> str:
        control.item(result("one.pdf", "question", "NAME_EXISTS"))
        return "To be decided."

    runner = make(store, work=ask_once)
    job = finished(runner, runner.submit("work", "one.pdf"))
    runner.answer(job.id, "/uploads/other.pdf")
    assert runner.job(job.id) is not None
    runner.answer(job.id, "/uploads/one.pdf")
    assert runner.jobs() == [] and store.jobs() == []


def test_a_question_can_be_answered_while_its_job_still_runs(make: Make) -> None:
    asked, go = threading.Event(), threading.Event()

    def work(control: JobControl) -> str:
        control.item(result("one.pdf", "question", "NAME_EXISTS"))
        asked.set()
        assert go.wait(WAIT)
        control.item(result("two.pdf"))
        return "Done."

    runner = make(work=work)
    job_id = runner.submit("work", "files")
    assert asked.wait(WAIT)
    runner.answer(job_id, "/uploads/one.pdf")
    go.set()
    assert [item.file for item in finished(runner, job_id).items] == ["two.pdf"]


def test_dismissing_keeps_what_asks_and_what_runs(make: Make, store: SqliteJobs) -> None:
    step = Step()
    runner = make(store, asking=asking, step=step)
    quiet = finished(runner, runner.submit("nothing", "quiet"))
    question = finished(runner, runner.submit("asking", "asking"))
    running = runner.submit("step", "running")
    assert step.begun.wait(WAIT)
    runner.dismiss_finished()
    assert {job.id for job in runner.jobs()} == {question.id, running}
    runner.dismiss(running)
    runner.dismiss(question.id)
    assert {job.id for job in runner.jobs()} == {running} == {job.id for job in store.jobs()}
    assert runner.wait(quiet.id, WAIT) is None
    step.go.set()
    finished(runner, running)


def test_old_finished_jobs_are_forgotten_but_no_question(make: Make, store: SqliteJobs) -> None:
    runner = make(store, asking=asking)
    question = finished(runner, runner.submit("asking", "asking"))
    for number in range(60):
        finished(runner, runner.submit("nothing", str(number)))
    names = [job.name for job in runner.jobs()]
    assert len(names) <= 52 and question.name in names
    assert names[0] == "59" and "0" not in names
    assert {job.id for job in store.jobs()} == {job.id for job in runner.jobs()}


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
