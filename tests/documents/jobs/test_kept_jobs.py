"""What outlives the process: jobs begun again, questions that wait for an answer, uploads."""

from __future__ import annotations

import threading
from contextlib import closing
from typing import Any

from core.documents.jobs.control import JobControl
from core.documents.jobs.runner import JobRunner
from core.domain.jobs import Job, JobState
from core.stores.sqlite.jobs import SqliteJobs
from tests.documents.jobs.handlers import (
    WAIT,
    Make,
    Step,
    UntilCancelled,
    do_nothing,
    finished,
    result,
)

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
