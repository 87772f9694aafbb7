"""What jobs do: files, a folder, an archive; the bad ones among them stop nothing."""

from __future__ import annotations

import io
import shutil
import threading
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.jobs import tasks
from core.documents.jobs.index_work import RE_EMBED
from core.documents.jobs.runner import JobRunner
from core.documents.jobs.tasks import ARCHIVE, FILES, FOLDER, Tasks, files_of, unpack
from core.domain.jobs import Job, JobProgress
from core.domain.vectors import Vectors
from core.errors import Cancelled, DocumentError, NotFound, TooLarge
from tests.support.fakes import HashEncoder
from tests.support.pdfs import leaflet_text, make_pdf
from tests.support.shelf import NOTHING, Shelf, open_shelf, text_file

WAIT = 60.0  # seconds until a stuck test gives up
MEGABYTE = 1_000_000


class Work:
    """A shelf whose jobs run, with the progress that they told."""

    def __init__(self, folder: Path) -> None:
        self.shelf: Shelf = open_shelf(folder)
        self.tasks = Tasks(self.shelf.library, self.shelf.indexes, folder / "uploads")
        self.told: list[JobProgress] = []
        self.runner = JobRunner(self.tasks.handlers(), clean_up=self.tasks.forget)

    def run(self, kind: str, **params: object) -> Job:
        """A job at its end."""
        job_id = self.runner.submit(kind, "job", {"index": "leaflets", **params})
        job = self.runner.job(job_id)
        while job is not None and job.active:
            if not self.told or self.told[-1] != job.progress:
                self.told.append(job.progress)
            job = self.runner.wait(job_id, 0.002)
        assert job is not None
        return job


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Work]:
    opened = Work(tmp_path / "data")
    with closing(opened.shelf.database), closing(opened.runner):
        yield opened


def zipped(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return path


def pdf_bytes(folder: Path, *pages: str) -> bytes:
    return make_pdf(folder / "made.pdf", *pages).read_bytes()


def nothing() -> None:
    """Nobody cancels."""


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


# -- an archive ------------------------------------------------------------------------------------


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


def test_an_archive_is_one_job_and_its_hidden_and_foreign_members_are_left_out(
    work: Work, tmp_path: Path
) -> None:
    upload = zipped(
        tmp_path / "stack.zip",
        {
            "leaflets/a.pdf": pdf_bytes(tmp_path, leaflet_text("alphamine")),
            "b.txt": leaflet_text("betamine").encode(),
            "broken.pdf": b"%PDF-1.7 broken",
            "table.xlsx": b"other",
            "__MACOSX/._a.pdf": b"resource fork",
            "leaflets/.hidden.pdf": b"hidden",
            "leaflets/": b"",
        },
    )
    job = work.run(ARCHIVE, path=str(upload))
    assert [(item.file, item.state) for item in job.items] == [
        ("a.pdf", "ready"),
        ("b.txt", "ready"),
        ("broken.pdf", "refused"),
    ]
    assert "2 of 3 files" in job.message and "1 of other formats left out" in job.message
    assert work.shelf.names() == ["a.pdf", "b.txt"]
    assert not work.tasks.folder_of(job.id).exists(), "what was unpacked is removed"


HOSTILE = (
    "../outside.txt",
    "../../outside.txt",
    "/outside.txt",
    "a/../../outside.txt",
    "..\\outside.txt",
    "C:\\outside.txt",
    "a\x00b.txt",
    "con.txt",
    "é/’.txt",
)
_NAMES = st.one_of(
    st.sampled_from(HOSTILE),
    st.lists(
        st.sampled_from(["..", "/", "\\", "a", "outside", ".txt", "C:", "~", "\n", "%2e"]),
        max_size=8,
    ).map(lambda parts: "".join(parts) + ".txt"),
)


@given(names=st.lists(_NAMES, min_size=1, max_size=5, unique=True))
def test_no_name_in_an_archive_leaves_the_folder_it_is_unpacked_to(
    tmp_path: Path, names: list[str]
) -> None:
    base = tmp_path / "base"
    shutil.rmtree(base, ignore_errors=True)
    base.mkdir()
    archive = zipped(base / "x.zip", dict.fromkeys(names, b"text"))
    target = base / "deep" / "er" / "unpacked"
    places, others = unpack(archive, target, MEGABYTE, nothing)
    files = {path for path in base.rglob("*") if path.is_file()} - {archive}
    assert files == {place for place, _ in places}
    assert all(path.parent == target and path.stem.isdigit() for path in files)
    assert len(places) + others <= len(names)


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "_LARGEST_ARCHIVE", 2 * MEGABYTE)
    monkeypatch.setattr(tasks, "_MOST_MEMBERS", 20)


def test_an_archive_that_unpacks_to_too_much_is_refused(
    work: Work, tmp_path: Path, small_limits: None
) -> None:
    bomb = zipped(tmp_path / "b.zip", {f"{n}.txt": bytes(MEGABYTE) for n in range(5)})
    assert bomb.stat().st_size < 20_000
    job = work.run(ARCHIVE, path=str(bomb))
    assert (job.state, job.code, job.items) == ("failed", "ARCHIVE_TOO_LARGE", ())
    assert not work.tasks.folder_of(job.id).exists()


def test_a_member_is_unpacked_up_to_the_limit_of_a_file_whatever_its_header_says(
    tmp_path: Path,
) -> None:
    bomb = zipped(tmp_path / "b.zip", {"big.txt": bytes(5 * MEGABYTE), "small.txt": b"text"})
    places, _ = unpack(bomb, tmp_path / "unpacked", MEGABYTE, nothing)
    assert [place.stat().st_size for place, _ in places] == [MEGABYTE + 1, 4]


def test_a_file_that_is_too_large_for_the_library_does_not_stop_the_others(
    work: Work, tmp_path: Path
) -> None:
    upload = zipped(
        tmp_path / "x.zip",
        {"big.txt": b"word " * MEGABYTE, "small.txt": leaflet_text("smallamine").encode()},
    )
    job = work.run(ARCHIVE, path=str(upload))
    assert [(item.file, item.code) for item in job.items] == [
        ("big.txt", "TOO_LARGE"),
        ("small.txt", "OK"),
    ]


def test_an_archive_of_too_many_files_is_refused(tmp_path: Path, small_limits: None) -> None:
    crowd = zipped(tmp_path / "c.zip", {f"{n}.txt": b"x" for n in range(21)})
    with pytest.raises(TooLarge, match="too much"):
        unpack(crowd, tmp_path / "unpacked", MEGABYTE, nothing)


def encrypted(data: bytes) -> bytes:
    """The archive with the mark of encryption on its first member."""
    local, central = data.index(b"PK\x03\x04"), data.index(b"PK\x01\x02")
    marked = bytearray(data)
    marked[local + 6] |= 1
    marked[central + 8] |= 1
    return bytes(marked)


def test_an_encrypted_archive_says_so(work: Work, tmp_path: Path) -> None:
    upload = zipped(tmp_path / "x.zip", {"a.txt": b"text"})
    upload.write_bytes(encrypted(upload.read_bytes()))
    job = work.run(ARCHIVE, path=str(upload))
    assert (job.state, job.code) == ("failed", "PASSWORD_REQUIRED")


def test_an_archive_packed_in_an_unknown_way_is_no_question_of_a_password(tmp_path: Path) -> None:
    path = zipped(tmp_path / "x.zip", {"a.txt": b"text"})
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x03\x04") + 8] = data[data.index(b"PK\x01\x02") + 10] = 97
    path.write_bytes(data)
    with pytest.raises(DocumentError) as caught:
        unpack(path, tmp_path / "unpacked", MEGABYTE, nothing)
    assert caught.value.code == "NOT_A_ZIP"


@pytest.mark.parametrize("broken_at", [30, 31, 32])
def test_a_name_that_is_no_text_makes_a_damaged_archive(tmp_path: Path, broken_at: int) -> None:
    path = zipped(tmp_path / "x.zip", {"é’é.txt": b"text"})
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x03\x04") + broken_at] = 0xFF
    path.write_bytes(data)
    with pytest.raises(DocumentError) as caught:
        unpack(path, tmp_path / "unpacked", MEGABYTE, nothing)
    assert caught.value.code == "NOT_A_ZIP"


def whole_archive() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(3):
            archive.writestr(f"{number}.txt", f"text {number} " * 50)
    return buffer.getvalue()


WHOLE = whole_archive()


@given(data=st.data())
def test_a_damaged_archive_is_refused_or_read_but_never_a_crash(
    tmp_path: Path, data: st.DataObject
) -> None:
    broken = bytearray(WHOLE[: data.draw(st.integers(0, len(WHOLE)))])
    for _ in range(data.draw(st.integers(0, 4))):
        if broken:
            broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path / "x.zip"
    path.write_bytes(broken)
    try:
        places, _ = unpack(path, tmp_path / "unpacked", MEGABYTE, nothing)
    except DocumentError as error:
        assert error.code in ("NOT_A_ZIP", "PASSWORD_REQUIRED", "ARCHIVE_TOO_LARGE")
    else:
        assert all(place.is_file() for place, _ in places)


def test_unpacking_stops_when_it_is_cancelled_and_begins_anew_later(tmp_path: Path) -> None:
    path, target = tmp_path / "x.zip", tmp_path / "unpacked"
    path.write_bytes(WHOLE)
    asked = 0

    def check() -> None:
        nonlocal asked
        asked += 1
        if asked == 2:
            raise Cancelled("It was cancelled.")

    with pytest.raises(Cancelled):
        unpack(path, target, MEGABYTE, check)
    (target / "left.over").touch()
    places, _ = unpack(path, target, MEGABYTE, nothing)
    assert sorted(target.iterdir()) == sorted(place for place, _ in places)


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
