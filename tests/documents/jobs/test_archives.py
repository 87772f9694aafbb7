"""A job over an archive: what leaves its folder, is too large, encrypted or damaged stops nothing else."""

from __future__ import annotations

import io
import shutil
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.jobs import tasks
from core.documents.jobs.tasks import ARCHIVE, unpack
from core.errors import Cancelled, DocumentError, TooLarge
from tests.documents.jobs.work import Work
from tests.support.pdfs import leaflet_text, make_pdf

MEGABYTE = 1_000_000


def zipped(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return path


def pdf_bytes(folder: Path, *pages: str) -> bytes:
    return make_pdf(folder / "made.pdf", *pages).read_bytes()


def nothing() -> None:
    """Nobody cancels."""


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
