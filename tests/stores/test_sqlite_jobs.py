"""Kept jobs: they come back as they were saved."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.documents import IngestResult
from core.domain.jobs import Job, JobProgress, JobState
from core.stores.sqlite.database import Database
from core.stores.sqlite.jobs import SqliteJobs

# Half of a surrogate pair is no text; SQLite's texts end at a NUL.
_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
_NUMBER = st.integers(0, 10**6)
_SECONDS = st.floats(0, 10**9, allow_nan=False)
_ITEM = st.builds(
    IngestResult, _TEXT, _TEXT, _TEXT, _TEXT, _NUMBER, _NUMBER, _SECONDS, _TEXT, _TEXT
)
_JSON = st.recursive(
    st.none() | st.booleans() | _NUMBER | _TEXT,
    lambda part: st.lists(part, max_size=3) | st.dictionaries(_TEXT, part, max_size=3),
    max_leaves=6,
)
_JOB = st.builds(
    Job,
    id=st.uuids().map(lambda value: value.hex),
    kind=_TEXT,
    name=_TEXT,
    params=st.dictionaries(_TEXT, _JSON, max_size=4),
    state=st.sampled_from(JobState),
    items=st.lists(_ITEM, max_size=3).map(tuple),
    message=_TEXT,
    code=_TEXT,
    attempts=_NUMBER,
    submitted=_SECONDS,
    seconds=_SECONDS,
)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(Database(tmp_path / "materia.db")) as opened:
        yield opened


@given(job=_JOB)
def test_a_job_comes_back_as_it_was_saved(database: Database, job: Job) -> None:
    store = SqliteJobs(database)
    store.save(job)
    try:
        assert store.jobs() == [job]
    finally:
        store.forget([job.id])
    assert store.jobs() == []


def test_another_process_finds_the_last_state(database: Database) -> None:
    store = SqliteJobs(database)
    job = Job("1", "files", "a.pdf", {"files": [{"path": "/x", "name": "a.pdf"}]}, submitted=1.0)
    store.save(job)
    done = job.ended(JobState.FAILED, "It is damaged.", "CORRUPT")
    store.save(done)
    with closing(Database(database.path)) as second:
        assert SqliteJobs(second).jobs() == [done]


def test_jobs_come_oldest_first_and_only_the_named_ones_are_forgotten(database: Database) -> None:
    store = SqliteJobs(database)
    for number in (3, 1, 2):
        store.save(Job(f"id-{number}", "files", "x", submitted=float(number)))
    assert [job.id for job in store.jobs()] == ["id-1", "id-2", "id-3"]
    store.forget(["id-2", "unknown"])
    store.forget([])
    assert [job.id for job in store.jobs()] == ["id-1", "id-3"]


def test_progress_is_not_kept(database: Database) -> None:
    store = SqliteJobs(database)
    store.save(Job("1", "files", "x", progress=JobProgress("embedding", fraction=0.5)))
    assert store.jobs()[0].progress == JobProgress()
