"""Backups of a library whose originals lie in an S3-compatible store, restored to a folder and to a store."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from core.domain.encoder import Encoder
from core.errors import FilesUnavailable, StoreError
from core.maintenance.backup import swap
from core.maintenance.backup.restoring import stage
from core.maintenance.backup.writing import write_backup
from core.settings import Settings
from core.stores.objects.s3 import S3Objects
from core.workspace import Workspace
from tests.maintenance.backup.test_round_trip import opened, silent
from tests.support.scale.s3_server import Bucket

NOBODY = "http://127.0.0.1:9"


@pytest.fixture
def filled(
    make_workspace: Callable[..., Workspace], bucket: Bucket, pdf: Callable[..., Path]
) -> Workspace:
    """Two leaflets, one of them with a reading copy."""
    workspace = make_workspace(files_url=bucket.url)
    for name, password in (("Zolvetrin", ""), ("Quolvane", "open")):
        text = f"3. How to take {name}\nThe recommended dose of {name} is 20 mg once daily."
        path = pdf(f"{name}.pdf", text, password=password or None)
        done = workspace.library.ingest(path, password=password)
        assert done.state == "ready", done
    return workspace


def originals(workspace: Workspace) -> dict[str, tuple[bytes, bytes]]:
    """The bytes of the original and of what is drawn, by file."""
    found = {}
    for one in workspace.library_store.documents():
        original, readable = (
            workspace.library.original(one.id),
            workspace.library.files.readable(one.id),
        )
        assert original is not None and readable is not None
        found[one.file] = original.read_bytes(), readable.read_bytes()
    return found


def is_whole(workspace: Workspace) -> bool:
    report = workspace.verifier.run()
    return report.findings == () and report.documents == 2 and report.files == 3


@pytest.mark.req("KB-10")
def test_originals_come_along_and_go_where_the_settings_say(
    filled: Workspace,
    make_settings: Callable[..., Settings],
    encoder: Encoder,
    bucket: Bucket,
    pdf: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept, place = originals(filled), tmp_path / "kept.zip"
    made = write_backup(filled, place, silent)
    assert made.counts["files"] == 2 and made.counts["missing files"] == 0
    assert sum(name.startswith("files/") for name in made.entries) == 3
    assert not list((filled.settings.root / "backups").glob("snapshot-*")), "nothing is left behind"

    folder = make_settings(data_dir=tmp_path / "folder")
    stage(folder, place, Workspace, silent)
    with closing(opened(folder, encoder)) as workspace:
        assert originals(workspace) == kept and is_whole(workspace)

    # Over the library itself, which has changed since, and whose store is away when it is to happen.
    (gone, *_) = filled.library_store.documents()
    filled.library.delete(gone.id)
    assert filled.library.ingest(pdf("Later.pdf", "Later is taken later.")).state == "ready"
    (later,) = filled.library_store.documents_named("leaflets", "Later.pdf")
    filled.close()
    settings = filled.settings
    stage(settings, place, Workspace, silent)
    with monkeypatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", NOBODY)
        with pytest.raises(FilesUnavailable):
            opened(settings, encoder)
    assert swap.is_staged(settings.root), "the next start goes on"
    with closing(opened(settings, encoder)) as workspace:
        assert originals(workspace) == kept and is_whole(workspace)
        assert not (settings.root / "files").exists()
        assert not S3Objects(bucket.url).names(f"files/{later.id}")


def test_what_is_not_as_it_was_kept_or_cannot_be_had_is_told(
    filled: Workspace,
    make_settings: Callable[..., Settings],
    bucket: Bucket,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = tmp_path / "kept.zip"
    write_backup(filled, place, silent)
    (first, *_) = S3Objects(bucket.url).names("files")
    bucket.put(first, b"%PDF other bytes")
    with pytest.raises(StoreError) as caught:
        write_backup(filled, tmp_path / "again.zip", silent)
    assert caught.value.code == "FILE_DAMAGED" and not (tmp_path / "again.zip").exists()
    for name in S3Objects(bucket.url).names(f"files/{first.split('/')[1]}"):
        S3Objects(bucket.url).remove(name)
    made = write_backup(filled, tmp_path / "again.zip", silent)
    assert made.counts["missing files"] == 1, "as of a file that is gone from a folder"
    monkeypatch.setenv("AWS_ENDPOINT_URL", NOBODY)
    settings = make_settings(data_dir=tmp_path / "other", files_url=bucket.url)
    settings.root.mkdir()
    with pytest.raises(FilesUnavailable):
        stage(settings, place, Workspace, silent)
    assert not (settings.root / swap.FOLDER).exists()
