"""Work in the background: a queue that outlives the process, one worker thread, cancellation.

A job is a kind and parameters; the handler of its kind does it. Jobs are kept in a `JobStore`, so
that what was queued or running when a process died is begun again by the next one (`resume`).
"""

from __future__ import annotations

import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from core.documents.jobs.control import JobControl
from core.documents.store.jobs import JobStore
from core.domain.documents import IngestResult
from core.domain.jobs import WAITING, Job, JobProgress, JobState
from core.errors import WAITED_FOR, Cancelled, MateriaError
from core.logs import correlation, get_logger

_KEPT = 50  # finished jobs that stay listed
_MOST_ATTEMPTS = 3  # a job that ends the process each time must not do so for ever
_INTERRUPTED = "INTERRUPTED"
_PAUSE = 0.5  # seconds between two looks whether what a job waits for has passed
_log = get_logger("jobs")

Handler = Callable[[JobControl], str]  # returns what was done, in words


class JobRunner:
    """Runs one job after the other; embedding uses all cores as it is.

    Args:
        handlers: by kind of job.
        store: None keeps jobs in memory only.
        clean_up: removes what a job needs on disk; called when it is over and asks nothing more.

    Attributes:
        over: called after each job.
        is_short: whether a job may pass a long one that runs.
        met: told of what a job has to wait for.
        ask_stores: raises what jobs have to wait for, one of `WAITED_FOR`.
        is_needed: whether somebody waits for an answer, so that a job that runs gives way.
        leads: whether this process is the one that works on kept jobs.
    """

    leads = True

    def __init__(
        self,
        handlers: Mapping[str, Handler],
        store: JobStore | None = None,
        clean_up: Callable[[str], None] = lambda _job_id: None,
    ) -> None:
        self._handlers = dict(handlers)
        self._store = store
        self._clean_up = clean_up
        self.over: Callable[[], None] = lambda: None
        self.is_short: Callable[[Job], bool] = lambda _job: False
        self.met: Callable[[MateriaError], None] = lambda _error: None
        self.is_needed: Callable[[], bool] = lambda: False
        self.ask_stores: Callable[[], None] = lambda: None
        self._jobs: dict[str, Job] = {}
        self._queue: deque[str] = deque()
        self._secrets: dict[str, str] = {}
        self._begun: dict[str, float] = {}
        # The one begun last works; the others let it have its turn in their middle.
        self._running: list[JobControl] = []
        self._unkept: set[str] = set()
        self._changed = threading.Condition(threading.RLock())
        self._thread: threading.Thread | None = None
        self._closing = False

    # -- what callers do ---------------------------------------------------------------------------

    def submit(
        self,
        kind: str,
        name: str,
        params: Mapping[str, Any] | None = None,
        *,
        job_id: str = "",
        secret: str = "",
        keep: bool = True,
    ) -> str:
        """Queue a piece of work; the job's id.

        Args:
            name: what is shown.
            params: what the handler needs, JSON values only; kept on disk, so never a password.
            secret: a password for the handler; lives in memory only.
            keep: whether the job is begun again after a crash.
        """
        if kind not in self._handlers:
            raise ValueError(f"no handler for jobs of kind {kind}")
        job = Job(job_id or uuid.uuid4().hex, kind, name, dict(params or {}), submitted=time.time())
        with self._changed:
            self._jobs[job.id] = job
            if secret:
                self._secrets[job.id] = secret
            if not keep:
                self._unkept.add(job.id)
            self._save(job)
            self._forget_old()
            self._enqueue(job.id)
        return job.id

    def resume(self) -> list[Job]:
        """Queue again what a dead process left queued or running; those jobs.

        A job that was begun `_MOST_ATTEMPTS` times without an end has failed.
        """
        if self._store is None:
            return []
        resumed = []
        with self._changed:
            for job in self._store.jobs():
                if job.id not in self._jobs and self._take_up(job):
                    resumed.append(self._jobs[job.id])
        return resumed

    def _take_up(self, job: Job) -> bool:
        """Go on with a kept job, or clean up after it; whether it is queued again."""
        if job.active and (job.attempts >= _MOST_ATTEMPTS or job.kind not in self._handlers):
            message = (
                f"Materia ended {job.attempts} times while working on this; it was given "
                "up and rolled back. The log says more."
            )
            job = job.ended(JobState.FAILED, message, _INTERRUPTED)
            self._save(job)
        self._jobs[job.id] = job
        if job.active:
            self._jobs[job.id] = replace(job, state=JobState.QUEUED, items=())
            _log.info("job_resumed", job=job.id, kind=job.kind, attempts=job.attempts)
            self._enqueue(job.id)
        elif not job.questions:
            # The process may have died between the job's end and this.
            self._clean_up(job.id)
        return job.active

    def of_leader(self, work: Callable[[], object]) -> Callable[[], object]:
        """`work`, which does nothing in a process that is not the one that works on jobs."""
        return lambda: work() if self.leads else None

    def when_leading(self, work: Callable[[], list[str]]) -> list[str]:
        """Do something, here and now, that only the one may do that works on jobs; what it returns."""
        return work()

    def bring(self, job_id: str) -> None:
        """Have the bytes of a job's uploads on this machine."""

    def jobs(self) -> list[Job]:
        """All known jobs, newest first."""
        with self._changed:
            return sorted(map(self._timed, self._jobs.values()), key=lambda job: -job.submitted)

    @property
    def busy(self) -> bool:
        """Whether a job runs or waits."""
        with self._changed:
            return bool(self._running) or bool(self._queue)

    def job(self, job_id: str) -> Job | None:
        with self._changed:
            job = self._jobs.get(job_id)
            return self._timed(job) if job is not None else None

    def cancel(self, job_id: str) -> None:
        """Stop a job: at once when it waits, at its next step when it runs."""
        with self._changed:
            job = self._jobs.get(job_id)
            if job is None or not job.active:
                return
            for control in self._running:
                if control.id == job_id:
                    control.stop()
                    return
            self._queue.remove(job_id)
            self._end(job_id, JobState.CANCELLED, "It was cancelled before it began.", "CANCELLED")

    def answer(self, job_id: str, source: str) -> None:
        """Forget a question of a job: it was decided. A job that was nothing else is forgotten."""
        with self._changed:
            job = self._jobs.get(job_id)
            if job is not None:
                items = tuple(
                    item
                    for item in job.items
                    if not (item.state == "question" and item.source == source)
                )
                self._update(job_id, items=items)
                self._save(self._jobs[job_id])
                if not job.active and not items:
                    self._forget([job_id])
                elif not job.active and not self._jobs[job_id].questions:
                    self._clean_up(job_id)

    def dismiss_finished(self) -> None:
        """Forget the jobs that are over and ask nothing."""
        with self._changed:
            self._forget(self._finished())

    def dismiss(self, job_id: str) -> None:
        """Forget one job that is over."""
        with self._changed:
            job = self._jobs.get(job_id)
            if job is not None and not job.active:
                self._forget([job_id])

    def wait(
        self, job_id: str, timeout: float | None = None, *, or_waits: bool = False
    ) -> Job | None:
        """Block until a job is over (or `timeout` seconds passed, or it waits for a server); its last
        state."""

        def settled() -> bool:
            job = self._jobs.get(job_id)
            return job is None or not job.active or (or_waits and self._waits(job))

        with self._changed:
            self._changed.wait_for(settled, timeout)
        return self.job(job_id)

    def _waits(self, job: Job) -> bool:
        """Whether it, or the one before it, can only go on when a server is back."""
        running = [self._jobs.get(control.id) for control in self._running]
        return job.waits or any(one is not None and one.waits for one in running)

    def close(self) -> None:
        """Stop the running job at its next step; it and what is queued go on at the next start."""
        with self._changed:
            self._closing = True
            for control in self._running:
                control.stop()
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(timeout=60)

    # -- the worker --------------------------------------------------------------------------------

    def _enqueue(self, job_id: str) -> None:
        self._queue.append(job_id)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="jobs", daemon=True)
            self._thread.start()
        self._changed.notify_all()

    def _run(self) -> None:
        while (control := self._next()) is not None:
            with correlation(control.id[:12]):
                self._work(control)
            self.over()

    def _next(self) -> JobControl | None:
        with self._changed:
            self._changed.wait_for(lambda: self._queue or self._closing)
            if self._closing:
                return None
            return self._begun_job(self._queue.popleft())

    def _begun_job(self, job_id: str) -> JobControl:
        job = self._jobs[job_id]
        self._begun[job_id] = time.monotonic()
        self._update(job_id, state=JobState.RUNNING, attempts=job.attempts + 1)
        self._save(self._jobs[job_id])
        control = JobControl(
            self._jobs[job_id],
            self._secrets.pop(job_id, ""),
            lambda progress: self._update(job_id, progress=progress),
            partial(self._add_item, job_id),
            partial(self._let_short_job_pass, job_id),
            lambda: self.is_needed(),
        )
        self._running.append(control)
        return control

    def _let_short_job_pass(self, job_id: str) -> None:
        """Do the first short job that waits, in the middle of a long one; none in the middle of a short
        one."""
        with self._changed:
            if self._closing or [one.id for one in self._running] != [job_id]:
                return
            short = next((one for one in self._queue if self.is_short(self._jobs[one])), None)
            if short is None:
                return
            self._queue.remove(short)
            control = self._begun_job(short)
        with correlation(control.id[:12]):
            self._work(control)

    def _work(self, control: JobControl) -> None:
        state, code = JobState.DONE, "OK"
        try:
            message = self._handled(control)
        except Cancelled as error:
            state, message, code = JobState.CANCELLED, str(error), error.code
        except MateriaError as error:
            state, message, code = JobState.FAILED, str(error), error.code
            _log.warning("job_failed", code=error.code)
        except Exception:  # the worker must outlive any one job
            _log.exception("job_crashed")
            state, code = JobState.FAILED, "INTERNAL"
            message = (
                "Something went wrong inside Materia. Nothing half-done was kept; the log has the "
                f"details under {control.id[:12]}."
            )
        with self._changed:
            self._running.remove(control)
            if self._goes_on_later(control.id, state):
                self._update(control.id, state=JobState.QUEUED, attempts=0)
                self._save(self._jobs[control.id])
                return
            self._end(control.id, state, message, code)

    def _goes_on_later(self, _job_id: str, state: JobState) -> bool:
        """Whether it was stopped by the end of the process, not by the analyst: it is begun again."""
        return self._closing and state is JobState.CANCELLED

    def _handled(self, control: JobControl) -> str:
        """What the handler did; begun anew, as after a crash, when what ended it in its middle
        has passed: a server that was away, a full disk."""
        while True:
            try:
                return self._handlers[self._jobs[control.id].kind](control)
            except tuple(WAITED_FOR.values()) as error:
                self._wait_until_it_passed(control, error)

    def _wait_until_it_passed(self, control: JobControl, error: MateriaError) -> None:
        _log.warning("job_waits", job=control.id, code=error.code)
        self._update(control.id, items=())
        self.met(error)
        while True:
            control.report(JobProgress(f"{WAITING}{error.message}"))
            control.pause(_PAUSE)
            try:
                self.ask_stores()
            except tuple(WAITED_FOR.values()) as again:
                error = again
            else:
                return

    def _end(self, job_id: str, state: JobState, message: str, code: str) -> None:
        job = self._timed(self._jobs[job_id])
        self._begun.pop(job_id, None)
        self._secrets.pop(job_id, None)
        self._jobs[job_id] = job.ended(state, message, code)
        self._save(self._jobs[job_id])
        if not job.questions:
            self._clean_up(job_id)
        self._changed.notify_all()

    # -- keeping -----------------------------------------------------------------------------------

    def _update(self, job_id: str, **changes: Any) -> None:
        with self._changed:
            job = self._jobs.get(job_id)
            if job is not None:
                self._jobs[job_id] = replace(job, **changes)
            self._changed.notify_all()

    def _add_item(self, job_id: str, result: IngestResult) -> None:
        with self._changed:
            job = self._jobs.get(job_id)
            if job is not None:
                self._update(job_id, items=(*job.items, result))

    def _timed(self, job: Job) -> Job:
        begun = self._begun.get(job.id)
        return job if begun is None else replace(job, seconds=time.monotonic() - begun)

    def _save(self, job: Job) -> None:
        if self._store is None or job.id in self._unkept:
            return
        try:
            self._store.save(job)
        except MateriaError as error:
            # The job itself goes on; only its place after a restart is lost.
            _log.warning("job_not_kept", code=error.code)

    def _forget_old(self) -> None:
        self._forget(self._finished()[:-_KEPT])

    def _finished(self) -> list[str]:
        """Ids of the jobs that are over and ask nothing, oldest first."""
        return [job.id for job in self._jobs.values() if not job.active and not job.questions]

    def _forget(self, job_ids: list[str]) -> None:
        # The kept row first: bytes without a job are removed at the next start, a question whose
        # bytes are gone could never be answered.
        if self._store is not None and job_ids:
            self._store.forget(job_ids)
        for job_id in job_ids:
            del self._jobs[job_id]
            self._unkept.discard(job_id)
            self._clean_up(job_id)
        self._changed.notify_all()
