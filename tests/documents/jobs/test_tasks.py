"""What jobs do: files, a folder, an index embedded anew; the bad ones among them stop nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from core.documents.jobs import tasks
from core.documents.jobs.index_work import RE_EMBED
from core.documents.jobs.runner import JobRunner
from core.documents.jobs.tasks import FILES, FOLDER, Tasks, files_of
from core.domain.vectors import Vectors
from core.errors import Cancelled, NotFound
from tests.documents.jobs.work import Work
from tests.support.fakes import HashEncoder
from tests.support.pdfs import leaflet_text, make_pdf
from tests.support.shelf import NOTHING, open_shelf, text_file

WAIT = 60.0  # seconds until a stuck test gives up


# -- a folder --------------------------------------------------------------------------------------


@pytest.mark.req("KB-10")
def test_a_folder_is_one_job_with_progress_and_one_bad_file_does_not_stop_the_others(
    work: Work, tmp_path: Path
) -> None:
    folder = tmp_path / "leaflets"
    (folder / "more").mkdir(parents=True)
    make_pdf(folder / "a.pdf", leaflet_text("alphamine"), leaflet_text("alphase"))
    (folder / "b.pdf").write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 40)
    (folder / "c.pdf").write_bytes(b"")
    make_pdf(folder / "more" / "d.PDF", leaflet_text("deltamine"))
    text_file(folder, "e.txt", leaflet_text("epsilamine"))
    (folder / "table.xlsx").write_bytes(b"other")
    (folder / ".hidden.pdf").write_bytes(b"hidden")

    job = work.run(FOLDER, path=str(folder))

    assert (job.state, job.code) == ("done", "OK")
    assert [(item.file, item.state) for item in job.items] == [
        ("a.pdf", "ready"),
        ("b.pdf", "refused"),
        ("c.pdf", "refused"),
        ("e.txt", "ready"),
        ("d.PDF", "ready"),
    ]
    assert all(item.message and item.code for item in job.items)
    assert "3 of 5 files" in job.message and "2 refused" in job.message
    assert "1 of other formats left out" in job.message
    assert work.shelf.names() == ["a.pdf", "d.PDF", "e.txt"]
    for word, name in (("alphase", "a.pdf"), ("deltamine", "d.PDF"), ("epsilamine", "e.txt")):
        assert set(map(tuple, work.shelf.found(word).values())) == {(name,)}
    fractions = [progress.fraction for progress in work.told]
    assert fractions == sorted(fractions) and any(0 < fraction < 1 for fraction in fractions)
    assert {progress.files for progress in work.told[1:]} == {5}
    assert job.progress.fraction == 1.0 and job.progress.done == 5
    assert job.progress.pages == 3
    assert job.progress.chunks == sum(item.chunks for item in job.items)


def test_a_folder_that_is_added_again_changes_nothing(work: Work, tmp_path: Path) -> None:
    folder = tmp_path / "leaflets"
    text_file(folder, "a.txt", leaflet_text("alphamine"))
    text_file(folder, "b.txt", leaflet_text("betamine"))
    work.run(FOLDER, path=str(folder))
    before = work.shelf.rows()
    job = work.run(FOLDER, path=str(folder))
    assert [item.code for item in job.items] == ["ALREADY_PRESENT"] * 2
    assert work.shelf.rows() == before
    assert (folder / "a.txt").exists(), "a folder of the analyst's is never cleaned up"


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda folder: None, "FOLDER_NOT_FOUND"),
        (lambda folder: folder.mkdir(), "NO_FILES"),
        (lambda folder: folder.write_text("a file"), "FOLDER_NOT_FOUND"),
    ],
)
def test_a_folder_without_files_to_read_fails(
    work: Work, tmp_path: Path, make: Callable[[Path], object], code: str
) -> None:
    make(tmp_path / "folder")
    job = work.run(FOLDER, path=str(tmp_path / "folder"))
    assert (job.state, job.code) == ("failed", code)
    assert str(tmp_path) not in job.message


def test_an_index_that_does_not_exist_refuses_every_file(work: Work, tmp_path: Path) -> None:
    path = text_file(tmp_path / "f", "a.txt", "Some text about a medicine.")
    job = work.run(FILES, files=[{"path": str(path), "name": "a.txt"}], index="unknown")
    assert [item.code for item in job.items] == ["INDEX_NOT_FOUND"]


def test_links_are_not_followed(tmp_path: Path) -> None:
    outside = text_file(tmp_path / "outside", "private.txt", "x")
    folder = tmp_path / "folder"
    kept = text_file(folder, "b.txt", "x")
    (folder / "link.txt").symlink_to(outside)
    (folder / ".git").mkdir()
    text_file(folder / ".git", "a.txt", "x")
    assert files_of(folder) == ([kept], 0)
    with pytest.raises(NotFound, match="no such folder"):
        files_of(folder / "missing")


# -- cancelling ------------------------------------------------------------------------------------


def test_a_cancelled_job_keeps_the_files_before_and_nothing_of_the_one_in_work(
    work: Work, tmp_path: Path
) -> None:
    folder = tmp_path / "many"
    for number in range(30):
        text_file(folder, f"{number:02}.txt", leaflet_text(f"drug{number}amine", 3))
    job_id = work.runner.submit(FOLDER, "many", {"index": "leaflets", "path": str(folder)})
    while (job := work.runner.job(job_id)) is not None and len(job.items) < 2:
        assert job.active
        work.runner.wait(job_id, 0.002)
    work.runner.cancel(job_id)
    job = work.runner.wait(job_id, WAIT)
    assert job is not None and (job.state, job.code) == ("cancelled", "CANCELLED")
    ready = [item.file for item in job.items if item.state == "ready"]
    assert 2 <= len(ready) < 30 and f"{len(ready)} of 30" in job.message
    assert work.shelf.names() == ready
    assert work.shelf.verifier.run().findings == ()
    assert list((work.shelf.folder / "incoming").glob("*")) == []


def test_a_walk_through_a_folder_can_be_cancelled(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "_LOOK_SECONDS", 0.0)
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(300):
        (folder / f"{number}.txt").touch()
    seen: list[int] = []

    def look(found: int) -> None:
        seen.append(found)
        if found >= 10:
            raise Cancelled("It was cancelled.")

    with pytest.raises(Cancelled):
        files_of(folder, look)
    assert seen == list(range(11))
    job = work.run(FOLDER, path=str(folder))
    assert any(told.stage.startswith("looking through the folder") for told in work.told)
    assert job.state == "done"


def test_a_file_can_be_cancelled_while_it_is_cut(work: Work, tmp_path: Path) -> None:
    stages: list[str] = []
    long = text_file(tmp_path, "long.txt", leaflet_text("warfarin", 300))

    def stop() -> bool:
        return "cutting into chunks" in stages

    done = work.shelf.library.ingest(
        long, report=lambda told: stages.append(told.stage), cancelled=stop
    )
    assert done.state == "cancelled" and stages[-1] == "cutting into chunks"
    assert work.shelf.rows() == NOTHING


class Gate(HashEncoder):
    """A model that waits before its first batch until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()
        self.first: list[str] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        assert self.go.wait(WAIT)
        self.first = self.first or list(texts)
        return super().encode(texts)


def test_a_short_job_passes_a_long_one(tmp_path: Path) -> None:
    encoder = Gate()
    shelf = open_shelf(tmp_path / "data", encoder=encoder)
    made = Tasks(shelf.library, shelf.indexes, tmp_path / "data" / "uploads")
    ended: list[str] = []
    runner = JobRunner(made.handlers(), clean_up=ended.append)
    runner.is_short = made.is_short
    long = text_file(tmp_path, "long.txt", leaflet_text("warfarin", 2_000))
    short = text_file(tmp_path, "short.txt", "Aspirin is taken with water.")
    with closing(shelf.database), closing(runner):
        first, second, third = (
            runner.submit(FILES, "job", {"index": "leaflets", "files": files})
            for files in (
                [{"path": str(long), "name": "long.txt"}],
                [{"path": str(long), "name": "as long.txt"}] * 400,
                [{"path": str(short), "name": "short.txt"}],
            )
        )
        assert not made.is_short(runner.jobs()[1])
        runner.cancel(second)
        encoder.go.set()
        done = runner.wait(first, WAIT)
        assert done is not None and done.state == "done" and done.progress.chunks > 128
        assert ended == [second, third, first]
        assert "Aspirin" in encoder.first[0], "it passes before the long one is cut"
        assert [item.state for job in runner.jobs() for item in job.items] == ["ready", "ready"]
        assert shelf.verifier.run().consistent


# -- an index embedded anew ------------------------------------------------------------------------


def test_an_index_is_embedded_anew_as_a_job(work: Work, tmp_path: Path) -> None:
    path = text_file(tmp_path / "f", "a.txt", leaflet_text("alphamine"))
    work.run(FILES, files=[{"path": str(path), "name": "a.txt"}])
    job = work.run(RE_EMBED)
    assert job.state == "done" and "hash-16" in job.message
    index = work.shelf.store.index("leaflets")
    assert index is not None and index.generation == 1
    assert work.shelf.found("alphamine")["semantic"] == ["a.txt"]
    assert work.run(RE_EMBED, index="unknown").code == "INDEX_NOT_FOUND"
