"""Runners and a shelf whose jobs run, closed after the test, and a store that keeps jobs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.documents.jobs.runner import Handler, JobRunner
from core.stores.sqlite.database import Database
from core.stores.sqlite.jobs import SqliteJobs
from tests.documents.jobs.handlers import (
    Make,
    do_nothing,
)
from tests.documents.jobs.work import Work


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


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Work]:
    opened = Work(tmp_path / "data")
    with closing(opened.shelf.database), closing(opened.runner):
        yield opened
