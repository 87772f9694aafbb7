"""Uploads, questions and the next start, through the workspace that the pages are handed."""

from __future__ import annotations

import io
import json
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from core.domain.documents import IngestResult, OnConflict
from core.domain.encoder import Encoder
from core.domain.jobs import Job, JobState
from core.search.options import SearchOptions
from core.settings import Settings
from core.stores.sqlite.jobs import SqliteJobs
from core.workspace import Workspace
from tests.support.fakes import HashEncoder
from tests.support.pdfs import leaflet_text, make_pdf

WAIT = 60.0  # seconds until a stuck test gives up
PASSWORD = "correct-horse-battery"


class LightWorkspace(Workspace):
    """A workspace with a model that costs nothing, and can be held up."""

    gate: threading.Event | None = None

    def encoder(self) -> Encoder:
        if self.gate is not None:
            assert self.gate.wait(WAIT)
        return HashEncoder()


Open = Callable[[], LightWorkspace]


@pytest.fixture
def open_(make_settings: Callable[..., Settings]) -> Iterator[Open]:
    """Opens workspaces on one data folder, one after the other, and closes them after the test."""
    opened: list[LightWorkspace] = []

    def open_one() -> LightWorkspace:
        opened.append(LightWorkspace(make_settings()))
        return opened[-1]

    yield open_one
    for workspace in opened:
        workspace.close()


def finished(workspace: Workspace, job_id: str) -> Job:
    job = workspace.jobs.wait(job_id, WAIT)
    assert job is not None and not job.active, "the job did not end"
    return job


def settled(workspace: Workspace) -> None:
    """Wait for every job."""
    for job in workspace.jobs.jobs():
        workspace.jobs.wait(job.id, WAIT)


def upload(workspace: Workspace, name: str, data: bytes, **options: object) -> Job:
    """One uploaded file's job at its end."""
    (job_id,) = workspace.submissions.uploads([(name, data)], **options)  # type: ignore[arg-type]
    return finished(workspace, job_id)


def question(job: Job) -> IngestResult:
    (item,) = job.questions
    return item


def texts(workspace: Workspace) -> dict[str, str]:
    """File -> its text, of all documents."""
    store = workspace.library_store
    return {
        document.file: " ".join(page.text for page in store.pages(document.id))
        for document in store.documents()
    }


def uploads(workspace: Workspace) -> set[str]:
    return {path.name for path in (workspace.settings.root / "uploads").glob("*")}


def text_of(drug: str) -> bytes:
    return leaflet_text(drug, 3).encode()


def protected_pdf(folder: Path) -> bytes:
    path = make_pdf(folder / "p.pdf", leaflet_text("lockamine"), password=PASSWORD)
    return path.read_bytes()


# -- uploads ---------------------------------------------------------------------------------------


def test_uploads_are_on_disk_when_they_are_submitted_and_gone_when_they_are_in(
    open_: Open, tmp_path: Path
) -> None:
    workspace = open_()
    workspace.gate = threading.Event()
    moved = tmp_path / "moved"
    moved.write_bytes(text_of("betamine"))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("c.txt", text_of("gammamine"))
    ids = workspace.submissions.uploads(
        [("a.txt", text_of("alphamine")), ("more.ZIP", buffer.getvalue()), ("../b.txt", moved)]
    )
    stored = {path.read_bytes() for path in (workspace.settings.root / "uploads").rglob("*.upload")}
    assert stored == {text_of("alphamine"), buffer.getvalue(), text_of("betamine")}
    assert uploads(workspace) == set(ids) and len(ids) == 2
    assert not moved.exists()
    workspace.gate.set()
    jobs = [finished(workspace, job_id) for job_id in ids]
    assert [(job.kind, job.name, job.state) for job in jobs] == [
        ("files", "2 files", "done"),
        ("archive", "more.ZIP", "done"),
    ]
    assert set(texts(workspace)) == {"a.txt", "b.txt", "c.txt"}
    assert uploads(workspace) == set()


def test_what_was_submitted_is_taken_in_after_the_next_start(open_: Open) -> None:
    first = open_()
    first.gate = threading.Event()
    ids = first.submissions.uploads(
        [("a.txt", text_of("alphamine")), ("b.txt", text_of("betamine"))]
    )
    ids.append(first.submissions.abstracts("x.json", json.dumps([_abstract()]).encode()))
    threading.Timer(0.1, first.gate.set).start()
    first.close()

    second = open_()
    assert uploads(second) >= {ids[1]}
    second.resume_jobs()
    settled(second)
    assert set(texts(second)) == {"a.txt", "b.txt", "arXiv 1"}
    assert all(job.state == "done" for job in second.jobs.jobs())
    assert uploads(second) == set()
    assert second.verifier.run().findings == ()


def _abstract() -> dict[str, str]:
    return {"id": "1", "title": "A title", "summary": "A summary of a paper about a drug."}


def test_uploads_that_a_crash_left_are_taken_in_or_removed_as_a_job_knows_them_or_not(
    open_: Open,
) -> None:
    first = open_()
    folder = first.settings.root / "uploads"
    for name in ("stray", "kept"):
        (folder / name).mkdir(parents=True)
        (folder / name / "0.upload").write_bytes(text_of(f"{name}amine"))
    params = {
        "files": [{"path": str(folder / "kept" / "0.upload"), "name": "kept.txt"}],
        "index": "leaflets",
        "on_conflict": "ask",
    }
    SqliteJobs(first.database).save(Job("kept", "files", "kept.txt", params, JobState.RUNNING))
    first.close()
    second = open_()
    assert uploads(second) == {"kept"}
    second.resume_jobs()
    assert [job.id for job in second.resumed] == ["kept"]
    assert finished(second, "kept").state == "done"
    assert set(texts(second)) == {"kept.txt"} and uploads(second) == set()


def test_what_a_crash_left_of_a_document_goes_with_every_file_of_it(open_: Open) -> None:
    first = open_()
    upload(first, "a.txt", text_of("alphamine"))
    (document,) = first.library_store.documents()
    first.library_store.mark_deleting([document.id])
    first.close()
    files = first.settings.root / "files"
    for name in (".copy.pdf", ".copy.pdf.part"):
        (files / f"{document.id}{name}").write_bytes(b"half a copy")
    second = open_()
    assert second.recovered == ["a.txt"]
    assert list(files.iterdir()) == [] and second.verifier.run().findings == ()


def test_vectors_of_an_index_that_a_crash_kept_from_being_made_are_removed(open_: Open) -> None:
    first = open_()
    first.vectors.ensure("trial", 16, "hash-16")
    with first.library.files.rebuilding():
        incoming = first.settings.root / "incoming"
        (mark,) = [path.name for path in incoming.iterdir()]
    (incoming / mark).touch()
    first.close()
    second = open_()
    assert second.vectors.collections() == set() and second.verifier.run().findings == ()


# -- the same name, other bytes --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("decision", "names", "words"),
    [
        (OnConflict.REPLACE, {"a.txt"}, {"newamine"}),
        (OnConflict.KEEP_BOTH, {"a.txt", "a (2).txt"}, {"newamine", "oldamine"}),
        (None, {"a.txt"}, {"oldamine"}),
    ],
)
def test_a_file_of_a_known_name_is_a_question_and_the_answer_is_done(
    open_: Open, decision: OnConflict | None, names: set[str], words: set[str]
) -> None:
    workspace = open_()
    upload(workspace, "a.txt", text_of("oldamine"))
    job = upload(workspace, "a.txt", text_of("newamine"))
    item = question(job)
    assert (item.code, item.file) == ("NAME_EXISTS", "a.txt")
    assert set(texts(workspace)) == {"a.txt"} and "oldamine" in texts(workspace)["a.txt"]
    assert uploads(workspace) == {job.id}, "its bytes wait for the answer"

    workspace.submissions.decide(job.id, item, decision)
    settled(workspace)

    assert workspace.jobs.job(job.id) is None, "it was nothing but the question"
    there = texts(workspace)
    assert set(there) == names
    assert {word for word in ("newamine", "oldamine") if word in " ".join(there.values())} == words
    assert uploads(workspace) == set()
    assert workspace.verifier.run().findings == ()


def test_a_question_can_be_answered_only_once(open_: Open) -> None:
    workspace = open_()
    upload(workspace, "a.txt", text_of("oldamine"))
    job = upload(workspace, "a.txt", text_of("newamine"))
    item = question(job)
    for _ in range(3):
        workspace.submissions.decide(job.id, item, OnConflict.KEEP_BOTH)
    settled(workspace)
    assert set(texts(workspace)) == {"a.txt", "a (2).txt"}


def test_a_question_and_its_bytes_outlive_the_process(open_: Open) -> None:
    first = open_()
    upload(first, "a.txt", text_of("oldamine"))
    job_id = upload(first, "a.txt", text_of("newamine")).id
    first.close()
    second = open_()
    second.resume_jobs()
    assert second.resumed == []
    job = second.jobs.job(job_id)
    assert job is not None
    second.submissions.decide(job_id, question(job), OnConflict.REPLACE)
    settled(second)
    assert "newamine" in texts(second)["a.txt"]


def test_a_question_about_a_file_of_a_folder_leaves_the_folder_alone(
    open_: Open, tmp_path: Path
) -> None:
    workspace = open_()
    upload(workspace, "a.txt", text_of("oldamine"))
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.txt").write_bytes(text_of("newamine"))
    job = finished(workspace, workspace.submissions.folder(folder))
    workspace.submissions.decide(job.id, question(job), OnConflict.REPLACE)
    settled(workspace)
    assert "newamine" in texts(workspace)["a.txt"]
    assert (folder / "a.txt").read_bytes() == text_of("newamine")


# -- passwords -------------------------------------------------------------------------------------


def assert_nowhere_on_disk(root: Path, secret: str) -> None:
    files = [path for path in root.rglob("*") if path.is_file()]
    assert len(files) > 3
    for path in files:
        assert secret.encode() not in path.read_bytes(), path.name


def test_a_protected_file_is_a_question_and_its_password_is_nowhere_on_disk(
    open_: Open, tmp_path: Path
) -> None:
    workspace = open_()
    job = upload(workspace, "p.pdf", protected_pdf(tmp_path))
    assert question(job).code == "PASSWORD_REQUIRED"
    workspace.submissions.decide(job.id, question(job), password="wrong-password")
    settled(workspace)
    (job,) = workspace.jobs.jobs()
    assert question(job).code == "WRONG_PASSWORD" and texts(workspace) == {}
    workspace.submissions.decide(job.id, question(job), password=PASSWORD)
    settled(workspace)
    assert "lockamine" in texts(workspace)["p.pdf"]
    (document,) = workspace.library_store.documents()
    assert workspace.library.page_image(document.id, 1).startswith(b"\x89PNG")
    assert uploads(workspace) == set() and workspace.verifier.run().findings == ()
    workspace.close()
    for secret in (PASSWORD, "wrong-password"):
        assert_nowhere_on_disk(workspace.settings.root, secret)


def test_the_password_can_be_given_with_the_upload(open_: Open, tmp_path: Path) -> None:
    workspace = open_()
    job = upload(workspace, "p.pdf", protected_pdf(tmp_path), password=PASSWORD)
    assert [item.code for item in job.items] == ["OK"]
    workspace.close()
    assert_nowhere_on_disk(workspace.settings.root, PASSWORD)


def test_a_protected_file_that_replaces_another_is_asked_about_each_only_once(
    open_: Open, tmp_path: Path
) -> None:
    workspace = open_()
    old = make_pdf(tmp_path / "old.pdf", leaflet_text("oldamine")).read_bytes()
    upload(workspace, "p.pdf", old)
    job = upload(workspace, "p.pdf", protected_pdf(tmp_path))
    workspace.submissions.decide(job.id, question(job), OnConflict.REPLACE)
    settled(workspace)
    job = workspace.jobs.jobs()[0]
    assert question(job).code == "PASSWORD_REQUIRED"
    assert "oldamine" in texts(workspace)["p.pdf"], "the old version serves until the new is in"
    workspace.submissions.decide(job.id, question(job), password=PASSWORD)
    settled(workspace)
    assert "lockamine" in texts(workspace)["p.pdf"] and len(texts(workspace)) == 1
    assert not any(job.questions for job in workspace.jobs.jobs())


def test_a_closed_workspace_holds_no_file_open(open_: Open, tmp_path: Path) -> None:
    path = tmp_path / "one.txt"
    path.write_text("Aspirin dose: 500 mg once daily.")
    workspace = open_()
    assert workspace.library.ingest(path).state == "ready"
    assert workspace.retriever.search("aspirin", SearchOptions()).hits
    workspace.entity_vectors.ensure(2)
    folder = str(workspace.settings.root)
    assert any("chroma" in one for one in _open_files(folder))
    workspace.close()
    assert not _open_files(folder)


def _open_files(folder: str) -> list[str]:
    """Files under a folder that this process has open."""
    found = []
    for one in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # of the listing itself
            found.append(str(one.readlink()))
    return [one for one in found if one.startswith(folder)]
