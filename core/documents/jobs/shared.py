"""One queue for several processes: each takes uploads in, one at a time works on them.

Who works has a lease in the store of jobs and renews it; when it is gone another takes it, rolls back what
was half done, as a start after a crash does, and begins the lost jobs anew. Whoever has lost the lease and does
not know it can change nothing any more: the documents that it had in work are gone from the registry.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from core.documents.jobs.control import JobControl
from core.documents.jobs.runner import Handler, JobRunner
from core.documents.store.jobs import SharedJobStore
from core.documents.store.objects import ObjectStore
from core.domain.jobs import Job, JobState
from core.errors import MateriaError
from core.logs import get_logger

LEASE_SECONDS = 10.0
_LOOK_SECONDS = 0.5
_UPLOADS = "uploads"
_log = get_logger("jobs")


class SharedRunner(JobRunner):
    """A runner over a queue that others have too.

    Args:
        folder_of: where the bytes of a job's uploads lie on this machine.
        clean_up: removes them there.
        objects: where they lie for all.
    """

    def __init__(
        self,
        handlers: Mapping[str, Handler],
        store: SharedJobStore,
        clean_up: Callable[[str], None],
        folder_of: Callable[[str], Path],
        objects: ObjectStore,
    ) -> None:
        self._folder_of = folder_of
        self._objects = objects
        self._forget_here = clean_up
        ready = {kind: partial(self._with_uploads, work) for kind, work in handlers.items()}
        super().__init__(ready, store, self._forget_uploads)
        self._shared = store
        self.leads = False
        self._submitting = ""
        self._lost: set[str] = set()  # jobs that were in work when the lease was lost
        self._on_lead: Callable[[], object] = lambda: None
        self._watcher: threading.Thread | None = None
        self._ending = threading.Event()

    # -- what callers do ---------------------------------------------------------------------------

    def when_leading(self, work: Callable[[], list[str]]) -> list[str]:
        self._on_lead = work
        return []

    def resume(self) -> list[Job]:
        self._watch()
        return []

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
        self._watch()
        if not keep:
            return super().submit(kind, name, params, job_id=job_id, secret=secret, keep=False)
        job_id = job_id or uuid.uuid4().hex
        try:
            self._send(job_id)
            with self._changed:
                self._submitting = job_id
                try:
                    return super().submit(kind, name, params, job_id=job_id, secret=secret)
                finally:
                    self._submitting = ""
        except BaseException:
            self._forget_uploads(job_id)
            with self._changed:
                self._jobs.pop(job_id, None)
            raise

    def cancel(self, job_id: str) -> None:
        with self._changed:
            here = self._works_on(job_id)
        if here:
            super().cancel(job_id)
        else:
            self._shared.ask_cancel(job_id)

    def job(self, job_id: str) -> Job | None:
        self._hear_of(job_id)
        return super().job(job_id)

    def wait(
        self, job_id: str, timeout: float | None = None, *, or_waits: bool = False
    ) -> Job | None:
        self._hear_of(job_id)
        return super().wait(job_id, timeout, or_waits=or_waits)

    def _hear_of(self, job_id: str) -> None:
        """Another took it in since this process looked last."""
        with self._changed:
            if job_id not in self._jobs:
                try:
                    self._agree()
                except MateriaError as error:
                    _log.warning("queue_away", code=error.code)

    def bring(self, job_id: str) -> None:
        folder = self._folder_of(job_id)
        for name in self._objects.names(f"{_UPLOADS}/{job_id}"):
            place = folder / PurePosixPath(name).relative_to(f"{_UPLOADS}/{job_id}")
            if not place.exists():
                place.parent.mkdir(parents=True, exist_ok=True)
                part = place.with_name(f"{place.name}.part")
                self._objects.get(name, part)
                part.rename(place)

    def close(self) -> None:
        self._ending.set()
        super().close()
        if self._watcher is not None:
            self._watcher.join(timeout=60)
            try:
                self._shared.release()
            except MateriaError as error:
                _log.warning("lease_not_released", code=error.code)  # it ends by itself

    # -- the lease ---------------------------------------------------------------------------------

    def _watch(self) -> None:
        with self._changed:
            if self._watcher is None and not self._closing:
                self._watcher = threading.Thread(target=self._look, name="lease", daemon=True)
                self._watcher.start()

    def _look(self) -> None:
        held_until = 0.0
        while not self._ending.is_set():
            asked = time.monotonic()
            try:
                claimed = self._shared.claim(LEASE_SECONDS)
                if claimed:
                    held_until = asked + LEASE_SECONDS
                if claimed and not self.leads:
                    _log.info("lease_taken")
                    self._on_lead()
                    self.leads = True
                elif not claimed:
                    self._lose()
                self._agree()
            except MateriaError as error:
                _log.warning("queue_away", code=error.code)
                if time.monotonic() > held_until:
                    self._lose()
            except Exception:  # the thread must outlive what it meets
                _log.exception("queue_crashed")
            self._ending.wait(_LOOK_SECONDS)

    def _lose(self) -> None:
        with self._changed:
            if not self.leads:
                return
            _log.warning("lease_lost", running=len(self._running))
            for job_id in [one for one in self._queue if one not in self._unkept]:
                self._queue.remove(job_id)
            for control in self._running:
                if control.id not in self._unkept:
                    self._lost.add(control.id)
                    control.stop()
            self.leads = False  # last: whoever sees it may rely on all that ran being stopped

    def _agree(self) -> None:
        """Take over what others wrote, and tell them how far this process is."""
        with self._changed:
            kept = {job.id: self._of_here(job) for job in self._shared.jobs()}
            to_cancel = self._shared.to_cancel()
            for job_id in set(self._jobs) - set(kept) - self._unkept:
                if not self._works_on(job_id):
                    del self._jobs[job_id]
            for job in kept.values():
                if self._works_on(job.id):
                    if self._jobs[job.id].progress != job.progress:
                        self._save(self._timed(self._jobs[job.id]))
                elif self.leads and job.active:
                    self._take_up(job)
                else:
                    self._jobs[job.id] = job
                # Before it is begun: this thread has the queue.
                if job.id in to_cancel and self._works_on(job.id):
                    super().cancel(job.id)
            self._changed.notify_all()

    def _save(self, job: Job) -> None:
        if job.id == self._submitting:
            self._shared.save(job)  # without that nobody would ever work on it
        else:
            super()._save(job)

    def _works_on(self, job_id: str) -> bool:
        return job_id in self._queue or any(one.id == job_id for one in self._running)

    def _enqueue(self, job_id: str) -> None:
        if self.leads or job_id in self._unkept:
            super()._enqueue(job_id)
        else:
            self._changed.notify_all()

    def _goes_on_later(self, job_id: str, state: JobState) -> bool:
        if job_id in self._lost:
            self._lost.discard(job_id)
            return True
        return super()._goes_on_later(job_id, state)

    # -- the bytes of uploads ----------------------------------------------------------------------

    def _send(self, job_id: str) -> None:
        folder = self._folder_of(job_id)
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                name = path.relative_to(folder).as_posix()
                self._objects.put(path, f"{_UPLOADS}/{job_id}/{name}")

    def _with_uploads(self, work: Handler, control: JobControl) -> str:
        self.bring(control.id)
        done = work(control)
        job = self.job(control.id)
        if job is not None and job.questions:  # about what was unpacked, too
            self._send(control.id)
        return done

    def _forget_uploads(self, job_id: str) -> None:
        self._forget_here(job_id)
        try:
            for name in self._objects.names(f"{_UPLOADS}/{job_id}"):
                self._objects.remove(name)
        except MateriaError as error:
            _log.warning("uploads_left", job=job_id, code=error.code)

    def _of_here(self, job: Job) -> Job:
        """A job whose uploads are named as they lie on this machine."""
        mark, folder = f"/{job.id}/", self._folder_of(job.id)

        def here(value: Any) -> Any:
            if isinstance(value, str) and mark in value:
                return str(folder / value.partition(mark)[2])
            if isinstance(value, Mapping):
                return {key: here(one) for key, one in value.items()}
            return [here(one) for one in value] if isinstance(value, list) else value

        items = tuple(replace(item, source=here(item.source)) for item in job.items)
        return replace(job, params=here(dict(job.params)), items=items)
