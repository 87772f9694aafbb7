"""A backup of a real library that is in use, restored, asked and verified; over another library; refused."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.domain.documents import Document, DocumentState, Kind
from core.domain.encoder import Encoder
from core.domain.jobs import JobState
from core.encoders.sentence_transformer import BUNDLED
from core.errors import Conflict, InputError, MateriaError
from core.maintenance.backup import jobs, swap
from core.maintenance.backup.archive import opened as opened_archive
from core.maintenance.backup.archive import unpack
from core.maintenance.backup.manifest import NAME
from core.maintenance.backup.restoring import stage
from core.maintenance.backup.writing import write_backup
from core.reserve import disk_full
from core.settings import Settings
from core.stores.sqlite.schema import MIGRATIONS
from core.workspace import Workspace, open_workspace

QUESTION = "How should Zolvetrin be taken?"
Make = Callable[..., Workspace]


def silent(_stage: str, _done: int, _whole: int) -> None:
    return None


@pytest.fixture
def filled(make_workspace: Make, pdf: Callable[..., Path], tmp_path: Path) -> Workspace:
    """Two leaflets, a graph with vectors, a conversation, and a document in the middle of its ingestion."""
    workspace = make_workspace()
    for name in ("Zolvetrin", "Quolvane"):
        text = (
            f"3. How to take {name}\nThe recommended dose of {name} is 20 mg once daily with water."
        )
        assert workspace.library.ingest(pdf(f"{name}.pdf", text)).state == "ready"
    graph = tmp_path / "graph"
    graph.mkdir()
    (graph / "nodes.csv").write_text("id,type,name\nA,Drug,Zolvetrin\nB,Disease,gout\n")
    (graph / "relationships.csv").write_text("source,type,target\nA,TREATS,B\n")
    workspace.graph_tasks.import_folder(graph)
    workspace.jobs.wait(workspace.graph_tasks.submit_embed())
    workspace.chat.answer(QUESTION)
    workspace.library_store.begin_documents([_in_work(workspace)])
    files = workspace.settings.root / "files"
    (files / "inwork.pdf").write_bytes(b"%PDF half")
    return workspace


def _in_work(workspace: Workspace) -> Document:
    (known, *_) = workspace.library_store.documents()
    return replace(
        known,
        id="inwork",
        file="half.pdf",
        sha256="0" * 64,
        state=DocumentState.INGESTING,
        kind=Kind.PDF,
        created_at=datetime.now(UTC),
    )


def opened(settings: Settings, encoder: Encoder) -> Workspace:
    workspace = open_workspace(settings)
    workspace._encoders[BUNDLED] = encoder
    return workspace


def told(workspace: Workspace) -> list[tuple[str, tuple[int, ...]]]:
    answer = workspace.chat.answer(QUESTION)
    return [(one.text, tuple(one.citations)) for one in answer.sentences]


def test_what_is_restored_answers_alike_and_verifies(
    filled: Workspace, make_settings: Callable[..., Settings], encoder: Encoder, tmp_path: Path
) -> None:
    before = told(filled)
    place = tmp_path / "kept.zip"
    made = write_backup(filled, place, silent)
    assert (made.counts["documents"], made.counts["files"], made.counts["vectors"]) == (2, 2, 2)
    assert made.counts["entity vectors"] == 2 and made.counts["missing files"] == 0
    assert not any("inwork" in name for name in made.entries)
    assert not list((filled.settings.root / "backups").glob("snapshot-*")), "nothing is left behind"
    assert place.stat().st_mode & 0o077 == 0
    filled.library.delete(filled.library_store.documents()[0].id)

    # Over a library that holds something else.
    settings = make_settings(data_dir=tmp_path / "other")
    with closing(opened(settings, encoder)) as other:
        other.conversations.open(None, "Something else")
        other.chat.answer("What else?")
    stage(settings, place, Workspace, silent)
    assert swap.is_staged(settings.root)
    with pytest.raises(Conflict) as caught:
        stage(settings, place, Workspace, silent)
    assert caught.value.code == "RESTORE_STAGED"
    with closing(opened(settings, encoder)) as restored:
        assert not (settings.root / swap.FOLDER).exists()
        assert [one.title for one in restored.conversations.list()] == [
            one.title for one in filled.conversations.list()
        ]
        assert sorted(one.file for one in restored.library_store.documents()) == [
            "Quolvane.pdf",
            "Zolvetrin.pdf",
        ]
        assert told(restored) == before
        report = restored.verifier.run()
        assert report.consistent and report.findings == () and report.vectors == 2
        assert restored.entity_vectors.counts()["Drug"] == 1
        unknown = {one.name for one in settings.root.iterdir()} - set(swap.CONTENTS)
        assert unknown <= {"logs", "models", "writer.lock", "backups", "reserve"}


@pytest.fixture
def archive(make_workspace: Make, pdf: Callable[..., Path], tmp_path: Path) -> Path:
    workspace = make_workspace()
    workspace.library.ingest(pdf("Zolvetrin.pdf", "Zolvetrin is taken with water."))
    place = tmp_path / "kept.zip"
    write_backup(workspace, place, silent)
    return place


def _rewritten(place: Path, change: Callable[[dict[str, bytes]], None]) -> None:
    with zipfile.ZipFile(place) as before:
        files = {name: before.read(name) for name in before.namelist()}
    change(files)
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as after:
        for name, data in files.items():
            after.writestr(name, data)


def _manifest(files: dict[str, bytes], **fields: object) -> None:
    files[NAME] = json.dumps({**json.loads(files[NAME]), **fields}).encode()


def _with_entry(files: dict[str, bytes], name: str, data: bytes) -> None:
    entries = json.loads(files[NAME])["entries"]
    entries[name] = {"bytes": len(data), "sha256": "0" * 64}
    _manifest(files, entries=entries)
    files[name] = data


def _with_less(files: dict[str, bytes]) -> None:
    """Whole by its hashes, but with a document less than it says."""
    counts = json.loads(files[NAME])["counts"]
    _manifest(files, counts={**counts, "documents": counts["documents"] + 1})


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda files: files.pop(NAME), "NOT_A_BACKUP"),
        (lambda files: _manifest(files, version=99), "NEWER_BACKUP"),
        (lambda files: _manifest(files, schema_version=len(MIGRATIONS) + 1), "NEWER_BACKUP"),
        (lambda files: _with_entry(files, "../../evil.db", b"x"), "BACKUP_UNSAFE"),
        (lambda files: _with_entry(files, "files/a/../../b.pdf", b"x"), "BACKUP_UNSAFE"),
        (lambda files: _with_entry(files, "graph/7.db", bytes(60_000_000)), "BACKUP_UNSAFE"),
        (lambda files: _with_entry(files, "graph/7.db", b"x"), "BACKUP_DAMAGED"),
        (lambda files: files.update({"files/more.pdf": b"x"}), "BACKUP_UNSAFE"),
        (lambda files: files.update({"materia.db": files["materia.db"][:-1]}), "BACKUP_DAMAGED"),
        (_with_less, "BACKUP_NOT_VERIFIED"),
    ],
)
def test_what_cannot_be_trusted_changes_nothing(
    archive: Path,
    make_settings: Callable[..., Settings],
    tmp_path: Path,
    change: Callable[[dict[str, bytes]], None],
    code: str,
) -> None:
    _rewritten(archive, change)
    settings = make_settings(data_dir=tmp_path / "present")
    settings.root.mkdir()
    (settings.root / "language_model.json").write_text("{}")
    with pytest.raises(MateriaError) as caught:
        stage(settings, archive, Workspace, silent)
    assert caught.value.code == code and caught.value.advice
    assert [one.name for one in settings.root.iterdir()] == ["language_model.json"]
    assert not (tmp_path / "evil.db").exists()


def test_bytes_that_changed_are_found(archive: Path, tmp_path: Path) -> None:
    data = bytearray(archive.read_bytes())
    with zipfile.ZipFile(archive) as opened_:
        start = opened_.getinfo("vectors.db").header_offset + 200
    data[start] ^= 1
    archive.write_bytes(data)
    with (
        pytest.raises(InputError) as caught,
        opened_archive(archive, len(MIGRATIONS)) as (zipped, manifest),
    ):
        unpack(zipped, manifest, tmp_path / "unpacked", silent)
    assert caught.value.code == "BACKUP_DAMAGED"


def test_a_damaged_database_is_not_backed_up(make_workspace: Make, tmp_path: Path) -> None:
    workspace = make_workspace()
    workspace.database.checkpoint()
    with closing(sqlite3.connect(workspace.settings.root / "materia.db")) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET rootpage = 3 WHERE name = 'documents_by_name'")
        connection.commit()
    with pytest.raises(MateriaError) as caught:
        write_backup(workspace, tmp_path / "b.zip", silent)
    assert caught.value.code in ("DATABASE_DAMAGED", "STORE_UNAVAILABLE")
    assert not list(tmp_path.glob("*.zip")) and not list(tmp_path.glob(".*.part"))


def test_a_job_that_finds_no_room_fails_at_once(
    make_workspace: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise disk_full()

    monkeypatch.setattr(jobs, "write_backup", full)
    workspace = make_workspace()
    job = workspace.jobs.wait(workspace.jobs.submit(jobs.BACKUP, "Backup", keep=False), 30)
    assert job is not None and (job.state, job.code) == (JobState.FAILED, "DISK_FULL")
