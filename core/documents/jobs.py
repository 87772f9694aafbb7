"""Ingestion in the background: a queue, one worker thread, and a view of every job for the page."""

from __future__ import annotations

import queue
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace

from core.documents.library import Progress, Report
from core.domain.documents import IngestResult
from core.errors import MateriaError
from core.logs import correlation, get_logger

_KEPT = 50  # finished jobs that stay listed
_log = get_logger("jobs")
Work = Callable[[Report], IngestResult]


@dataclass(frozen=True, slots=True)
class Job:
    """A snapshot. `state`: queued, running, ready, refused or failed."""

    id: str
    name: str
    state: str
    progress: Progress
    message: str = ""
    code: str = ""
    submitted: float = 0.0
    seconds: float = 0.0
    document_id: str = ""

    @property
    def active(self) -> bool:
        return self.state in ("queued", "running")

    @property
    def fraction(self) -> float:
        """How much is done, in [0, 1]: reading counts as a tenth, the rest is embedding."""
        if self.state == "queued":
            return 0.0
        if not self.active:
            return 1.0
        if not self.progress.total:
            return 0.1 if self.progress.pages else 0.05
        return 0.1 + 0.9 * self.progress.chunks / self.progress.total


class JobRunner:
    """Runs one job after the other; embedding uses all cores as it is."""

    def __init__(self) -> None:
        self._queue: queue.Queue[tuple[str, Work] | None] = queue.Queue()
        self._jobs: dict[str, Job] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closing = False

    def submit(self, name: str, work: Work) -> str:
        """Queue a piece of work; the job's id."""
        job = Job(uuid.uuid4().hex, name, "queued", Progress("waiting"), submitted=time.time())
        with self._changed:
            self._jobs[job.id] = job
            finished = [key for key, value in self._jobs.items() if not value.active]
            for key in finished[: max(0, len(finished) - _KEPT)]:
                del self._jobs[key]
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="ingestion", daemon=True)
                self._thread.start()
        self._queue.put((job.id, work))
        return job.id

    def jobs(self) -> list[Job]:
        """All known jobs, newest first."""
        with self._changed:
            return sorted(self._jobs.values(), key=lambda job: -job.submitted)

    def job(self, job_id: str) -> Job | None:
        with self._changed:
            return self._jobs.get(job_id)

    def dismiss_finished(self) -> None:
        """Forget the jobs that are over."""
        with self._changed:
            self._jobs = {key: job for key, job in self._jobs.items() if job.active}

    def wait(self, job_id: str, timeout: float | None = None) -> Job | None:
        """Block until a job is over (or `timeout` seconds passed); its last state."""
        with self._changed:
            self._changed.wait_for(
                lambda: (job := self._jobs.get(job_id)) is None or not job.active, timeout
            )
            return self._jobs.get(job_id)

    def close(self) -> None:
        """Stop after the running job; what is queued behind it is not begun."""
        self._closing = True
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join(timeout=60)

    def _update(self, job_id: str, **changes: object) -> None:
        with self._changed:
            job = self._jobs.get(job_id)
            if job is not None:
                self._jobs[job_id] = replace(job, **changes)  # type: ignore[arg-type]
            self._changed.notify_all()

    def _run(self) -> None:
        while (item := self._queue.get()) is not None and not self._closing:
            job_id, work = item
            with correlation(job_id[:12]):
                self._work(job_id, work)

    def _work(self, job_id: str, work: Work) -> None:
        started = time.perf_counter()
        self._update(job_id, state="running")
        try:
            result = work(lambda progress: self._update(job_id, progress=progress))
        except MateriaError as error:
            self._update(job_id, state="failed", code=error.code, message=str(error))
            _log.warning("job_failed", code=error.code)
            return
        except Exception:  # the worker must outlive any one job
            _log.exception("job_crashed")
            self._update(
                job_id,
                state="failed",
                code="INTERNAL",
                message="Something went wrong inside Materia. Nothing was stored; the log has the "
                f"details under {job_id[:12]}.",
            )
            return
        self._update(
            job_id,
            state=result.state,
            code=result.code,
            message=result.message,
            document_id=result.document_id,
            seconds=time.perf_counter() - started,
            progress=Progress("ready", result.pages, result.chunks, result.chunks),
        )
