"""A disk that is really full: a small file system that is filled to its last byte."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from core.domain.jobs import Job, JobState
from core.errors import DiskFull
from core.logs import get_logger
from core.maintenance.sample import SAMPLE
from core.reserve import Reserve
from core.workspace import Workspace
from tests.support.needs import MOUNT

RESERVE = 24  # megabytes
QUESTION = "When must metformin not be taken?"
_WAIT = 60.0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    subprocess.run([*MOUNT, place], check=True)
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)


@pytest.fixture
def workspace(make_workspace: Callable[..., Workspace], small_disk: Path) -> Workspace:
    opened = make_workspace(data_dir=small_disk / "data", reserve_mb=RESERVE)
    until(lambda: opened.reserve.held)
    return opened


def fill(disk: Path) -> Path:
    """Write until nothing more goes in, byte by byte at the end."""
    filler = disk / "filler"
    with filler.open("ab", buffering=0) as writer:
        for block in (1 << 20, 1 << 12, 1):
            with suppress(OSError):
                while writer.write(bytes(block)):
                    pass
    assert os.statvfs(disk).f_bavail == 0
    return filler


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + _WAIT
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def leaflet(name: str) -> Path:
    return SAMPLE / "leaflets" / f"{name}.pdf"


def test_on_a_full_disk_deleting_asking_and_reading_go_on(
    workspace: Workspace, small_disk: Path, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kept = workspace.library.ingest(leaflet("Metformin"))
    gone = workspace.library.ingest(leaflet("Ibuprofen"))
    before = workspace.chat.answer(QUESTION)
    filler = fill(small_disk)

    for _ in range(200):  # until the log finds no room either
        get_logger("test").info("x" * 300)
    answer = workspace.chat.answer(QUESTION, before.session)
    assert answer.text == before.text
    assert len(workspace.conversations.history(before.session)) == 2
    assert not workspace.reserve.held
    assert workspace.verifier.run().consistent
    fill(small_disk)
    # What is handed in is refused in words, or waits where its bytes are elsewhere.
    with pytest.raises(DiskFull, match="The disk is full"):
        workspace.submissions.uploads([("Warfarin.pdf", leaflet("Warfarin").read_bytes() * 50)])
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "Lisinopril.pdf").write_bytes(leaflet("Lisinopril").read_bytes())
    job = workspace.submissions.folder(folder)

    def now() -> Job:
        found = workspace.jobs.job(job)
        assert found is not None
        return found

    until(lambda: now().waits)
    assert "The disk is full" in now().progress.stage
    filler.unlink()
    done = workspace.jobs.wait(job, _WAIT)
    assert done is not None and done.state is JobState.DONE
    until(lambda: workspace.reserve.held)

    filler = fill(small_disk)
    (receipt,) = workspace.deletion.documents([gone.document_id], quotes=True)
    assert (receipt.left, receipt.unfinished) == (0, 0) and receipt.vectors > 0
    assert workspace.verifier.run().consistent
    filler.unlink()
    until(lambda: workspace.reserve.held)
    files = {one.file for one in workspace.catalogue.documents()}
    assert files == {"Metformin.pdf", "Lisinopril.pdf"}
    assert workspace.library_store.document(kept.document_id) is not None
    assert "Traceback" not in capfd.readouterr().err


def test_a_file_that_fills_the_disk_waits_and_leaves_the_rest_as_it_was(
    workspace: Workspace, small_disk: Path, tmp_path: Path
) -> None:
    workspace.library.ingest(leaflet("Metformin"))
    large = tmp_path / "large"
    large.mkdir()
    (large / "Warfarin.pdf").write_bytes(leaflet("Warfarin").read_bytes())
    os.truncate(large / "Warfarin.pdf", 160_000_000)
    job = workspace.submissions.folder(large)

    def waits() -> bool:
        found = workspace.jobs.job(job)
        return found is not None and found.waits

    until(waits)
    answer = workspace.chat.answer(QUESTION)
    assert answer.citations
    workspace.jobs.cancel(job)
    done = workspace.jobs.wait(job, _WAIT)
    assert done is not None and done.state is JobState.CANCELLED
    assert workspace.verifier.run().consistent
    assert [one.file for one in workspace.catalogue.documents()] == ["Metformin.pdf"]
    until(lambda: workspace.reserve.held)


@pytest.mark.parametrize("megabytes", [0, 8])
def test_a_reserve_is_real_room_and_comes_back(small_disk: Path, megabytes: int) -> None:
    reserve = Reserve(small_disk, megabytes)
    free = os.statvfs(small_disk).f_bavail * 4096
    assert reserve.hold() and reserve.held is bool(megabytes)
    assert free - os.statvfs(small_disk).f_bavail * 4096 >= megabytes * 1_000_000
    filler = fill(small_disk)
    reserve.give_way()
    assert not reserve.held
    if megabytes:
        with pytest.raises(DiskFull):
            reserve.ask()
        filler.unlink()
    reserve.ask()
    assert reserve.held is bool(megabytes)
