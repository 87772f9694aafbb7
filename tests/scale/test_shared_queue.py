"""One queue of two runners: who works, who takes over, and what the other may not do any more."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.documents.jobs import shared
from core.documents.jobs.control import JobControl
from core.documents.jobs.shared import SharedRunner
from core.domain.documents import IngestResult
from core.domain.jobs import Job, JobProgress, JobState
from core.errors import Conflict, StoreUnavailable
from core.stores.neo4j.connection import Neo4j
from core.stores.neo4j.jobs import Neo4jJobs
from core.stores.objects.s3 import S3Objects
from tests.support.scale.s3_server import Bucket

_LEASE = 1.0
_WAIT = 30.0


class _Cut(Neo4jJobs):
    """The queue over a connection that can be cut."""

    cut = False

    def claim(self, seconds: float) -> bool:
        if self.cut:
            raise StoreUnavailable("It is away.")
        return super().claim(seconds)


class _Process:
    """A runner with what it needs; its jobs count how often they ended."""

    def __init__(self, neo4j: Neo4j, bucket: Bucket, folder: Path) -> None:
        self.store = _Cut(neo4j, folder.name)
        self.folder = folder
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.ended: list[bytes] = []
        self.runner = SharedRunner(
            {"read": self._read, "hold": self._hold},
            self.store,
            lambda job_id: None,
            lambda job_id: folder / job_id,
            S3Objects(bucket.url),
        )

    def upload(self, kind: str, job_id: str) -> str:
        place = self.folder / job_id / "0.upload"
        place.parent.mkdir(parents=True)
        place.write_bytes(b"bytes")
        return self.runner.submit(kind, kind, {"path": str(place)}, job_id=job_id)

    def _read(self, control: JobControl) -> str:
        self.ended.append(Path(control.params["path"]).read_bytes())
        return "It was read."

    def _hold(self, control: JobControl) -> str:
        control.report(JobProgress("holding"))
        self.begun.set()
        while not self.go_on.wait(0.02):
            control.check()
        control.check()  # it may have been stopped while it waited
        return self._read(control)


def soon(true: Callable[[], object]) -> None:
    until = time.monotonic() + _WAIT
    while not true():
        assert time.monotonic() < until, "it does not come"
        time.sleep(0.02)


@pytest.fixture
def processes(
    neo4j: Neo4j, bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[_Process, _Process]]:
    """One that works, and one that does not."""
    monkeypatch.setattr(shared, "LEASE_SECONDS", _LEASE)
    monkeypatch.setattr(shared, "_LOOK_SECONDS", 0.05)
    first, second = (_Process(neo4j, bucket, tmp_path / name) for name in ("first", "second"))
    first.runner.resume()
    soon(lambda: first.runner.leads)
    second.runner.resume()
    yield first, second
    for one in (first, second):
        one.runner.close()


def test_one_works_until_its_time_is_over(neo4j: Neo4j) -> None:
    first, second = Neo4jJobs(neo4j, "first"), Neo4jJobs(neo4j, "second")
    assert first.claim(60) and first.claim(60) and not second.claim(60)
    second.release()
    assert not second.claim(60), "another's is not to be given up"
    first.release()
    assert second.claim(0.2) and not first.claim(0.2)
    time.sleep(0.3)
    assert first.claim(60) and not second.claim(60)


def test_of_many_that_claim_at_once_one_works(neo4j: Neo4j) -> None:
    stores = [Neo4jJobs(neo4j, f"owner-{number}") for number in range(8)]
    stores[0].jobs()
    claimed: list[bool] = []
    together = threading.Barrier(len(stores))

    def claim(store: Neo4jJobs) -> None:
        together.wait()
        claimed.append(store.claim(60))

    threads = [threading.Thread(target=claim, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(claimed) == [False] * 7 + [True]


def test_jobs_come_back_and_only_the_worker_writes_over_one_in_work(neo4j: Neo4j) -> None:
    worker, other = Neo4jJobs(neo4j, "worker"), Neo4jJobs(neo4j, "other")
    item = IngestResult("a.pdf", "question", "NAME_EXISTS", "?", 0, 0, 0.5, source="/x/a")
    job = Job("1", "files", "ä", {"files": [{"path": "/x"}]}, items=(item,), submitted=2.0)
    other.save(job)
    other.save(Job("0", "files", "b", submitted=1.0))
    assert [one.id for one in worker.jobs()] == ["0", "1"] and worker.jobs()[1] == job
    worker.claim(60)
    with pytest.raises(Conflict) as refused:
        other.save(job)
    assert refused.value.code == "LEASE_LOST"
    worker.save(job.ended(JobState.DONE, "It is in."))
    other.save(job.ended(JobState.DONE, "It is decided."))
    other.ask_cancel("0")
    other.ask_cancel("1")
    assert worker.to_cancel() == {"0"}
    other.forget(["1", "unknown"])
    assert [one.id for one in worker.jobs()] == ["0"]


def test_what_one_takes_in_the_other_works_on(
    processes: tuple[_Process, _Process], bucket: Bucket
) -> None:
    first, second = processes
    second.upload("read", "a" * 32)
    done = second.runner.wait("a" * 32, _WAIT)
    assert done is not None and (done.state, done.message) == (JobState.DONE, "It was read.")
    assert first.ended == [b"bytes"] and not second.ended
    soon(lambda: not S3Objects(bucket.url).names("uploads"))


def test_a_job_is_known_elsewhere_at_once(processes: tuple[_Process, _Process]) -> None:
    first, second = processes
    second.runner._ending.set()  # it does not look by itself any more
    second.runner._watcher.join(_WAIT)  # type: ignore[union-attr]
    first.upload("hold", "a" * 32)
    known = second.runner.job("a" * 32)
    assert known is not None and known.active
    assert second.runner.job("b" * 32) is None and second.runner.wait("b" * 32, 0) is None


def test_a_job_is_cancelled_from_elsewhere(processes: tuple[_Process, _Process]) -> None:
    first, second = processes
    second.upload("hold", "a" * 32)
    first.begun.wait(_WAIT)
    soon(lambda: (job := second.runner.job("a" * 32)) and job.progress.stage == "holding")
    second.runner.cancel("a" * 32)
    done = second.runner.wait("a" * 32, _WAIT)
    assert done is not None and done.state is JobState.CANCELLED and not first.ended
    first.store.cut = True
    soon(lambda: second.runner.leads)
    time.sleep(0.3)
    assert not second.begun.is_set(), "nobody takes up what was cancelled"


def test_what_was_to_be_cancelled_is_not_taken_up(processes: tuple[_Process, _Process]) -> None:
    first, second = processes
    first.upload("hold", "a" * 32)
    first.begun.wait(_WAIT)
    first.store.cut = True  # it does not hear of it any more
    second.runner.cancel("a" * 32)
    done = second.runner.wait("a" * 32, _WAIT)
    assert done is not None and done.state is JobState.CANCELLED
    assert not second.begun.is_set() and not first.ended


@pytest.mark.parametrize("queued", [False, True])
def test_a_lost_job_is_done_by_the_other_once(
    processes: tuple[_Process, _Process], queued: bool
) -> None:
    first, second = processes
    recovered: list[str] = []
    second.runner.when_leading(lambda: recovered)
    first.upload("hold", "a" * 32)
    first.begun.wait(_WAIT)
    if queued:
        second.upload("read", "b" * 32)
    first.store.cut = True
    assert second.begun.wait(_WAIT) and second.runner.leads
    soon(lambda: not first.runner.leads)
    second.go_on.set()
    first.go_on.set()
    wanted = [b"bytes"] * (1 + queued)
    soon(lambda: second.ended == wanted)
    soon(lambda: all(job.state is JobState.DONE for job in second.store.jobs()))
    assert not first.ended
    first.store.cut = False
    soon(lambda: all(job.state is JobState.DONE for job in first.runner.jobs()))


def test_what_is_closed_goes_on_at_once_elsewhere(processes: tuple[_Process, _Process]) -> None:
    first, second = processes
    first.upload("hold", "a" * 32)
    first.begun.wait(_WAIT)
    first.runner.close()
    second.go_on.set()
    soon(lambda: second.ended == [b"bytes"])
    assert not first.ended
