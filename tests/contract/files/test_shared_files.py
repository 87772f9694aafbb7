"""Originals in an S3-compatible store: what another machine sees, and what goes wrong on the way."""

from __future__ import annotations

import os
import time
from contextlib import closing
from pathlib import Path

import pytest

from core.documents.library.shared.files import SharedFiles
from core.documents.library.shared.local_copies import LocalCopies
from core.domain.documents import Kind
from core.errors import FilesUnavailable, StoreError
from core.settings import ConfigError, load_settings
from core.stores.objects.s3 import S3Objects
from tests.contract.files.test_files import kept
from tests.support.pdfs import leaflet_text, make_pdf
from tests.support.scale.s3_server import ACCESS, Bucket
from tests.support.shelf import open_shelf


def shared(folder: Path, bucket: Bucket) -> SharedFiles:
    return SharedFiles(folder, S3Objects(bucket.url), 1_000_000)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    place = tmp_path / "source"
    place.write_bytes(b"%PDF bytes")
    return place


def test_another_machine_reads_and_removes(tmp_path: Path, bucket: Bucket, source: Path) -> None:
    here, there = shared(tmp_path / "a", bucket), shared(tmp_path / "b", bucket)
    mine = kept(here, source, "d1", Kind.PDF)
    theirs = there.readable("d1")
    assert theirs is not None and theirs != mine and theirs.read_bytes() == b"%PDF bytes"
    there.remove("d1")
    assert here.original("d1") is None and not mine.exists(), "its copy goes too"


def test_other_bytes_than_were_kept_are_not_read(
    tmp_path: Path, bucket: Bucket, source: Path
) -> None:
    kept(shared(tmp_path / "a", bucket), source, "d1", Kind.PDF)
    (name,) = S3Objects(bucket.url).names("files")
    bucket.put(name, b"%PDF other")
    there = shared(tmp_path / "b", bucket)
    with pytest.raises(StoreError) as refused:
        there.original("d1")
    assert refused.value.code == "FILE_DAMAGED"
    assert not list((tmp_path / "b" / "copies").iterdir())


def test_what_a_kill_left_in_the_middle_of_an_upload_is_no_original(
    tmp_path: Path, bucket: Bucket
) -> None:
    bucket.put("arriving/files/d1/0.pdf", b"%PDF ha")
    files = shared(tmp_path / "a", bucket)
    assert files.original("d1") is None and not files.originals()
    assert files.owners() == {"d1": 1} and files.remove("d1") == 1 and not files.owners()


def test_copies_that_were_not_used_for_long_make_room(tmp_path: Path) -> None:
    copies, now = LocalCopies(tmp_path, 25), time.time()
    for number in range(4):
        place = tmp_path / str(number)
        place.write_bytes(b"0123456789")
        os.utime(place, (now, now - 1000 + number))
    copies.used(tmp_path / "0")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0", "3"]
    copies.used(tmp_path / "3")
    LocalCopies(tmp_path, 1).used(tmp_path / "0")
    assert len(list(tmp_path.iterdir())) == 2, "what is in use stays"


def test_a_store_that_is_away_or_refuses_says_so(
    tmp_path: Path, bucket: Bucket, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = SharedFiles(tmp_path / "b", S3Objects("s3://no-such-bucket/library"), 1)
    with pytest.raises(StoreError) as refused:
        nowhere.owners()
    assert refused.value.code == "FILES_REFUSED" and not refused.value.retryable
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    files = shared(tmp_path / "a", bucket)
    with pytest.raises(FilesUnavailable) as away:
        files.ask()
    assert away.value.retryable and bucket.name not in str(away.value)
    with pytest.raises(FilesUnavailable):
        kept(files, source, "d1", Kind.PDF)
    assert ACCESS["AWS_SECRET_ACCESS_KEY"] not in str(away.value)


@pytest.mark.req("PR-5")
def test_a_library_keeps_finds_and_removes_its_files_there(tmp_path: Path, bucket: Bucket) -> None:
    leaflet = make_pdf(tmp_path / "Warfarin.pdf", leaflet_text("Warfarin"))
    shelf = open_shelf(tmp_path / "a", files=shared(tmp_path / "a", bucket))
    with closing(shelf.database):
        done = shelf.library.ingest(leaflet)
        assert done.state == "ready" and not (tmp_path / "a" / "files").exists()
        assert shelf.verifier.run().consistent
        assert shelf.library.page_image(done.document_id, 1).startswith(b"\x89PNG")
        bucket.put("files/foreign/1.pdf", b"%PDF")
        assert [one.kind for one in shelf.verifier.run(repair=True).findings] == ["orphan_file"]
        assert shelf.verifier.run().consistent
        shelf.library.files.remove(done.document_id)
        assert [one.kind for one in shelf.verifier.run().findings] == ["missing_file"]
        again = shelf.library.delete(done.document_id)
        assert again.left == 0 and not S3Objects(bucket.url).names("")


@pytest.mark.parametrize("url", ["s3://key:secret@bucket", "/data", "s3://", "s3://bucket/a b"])
def test_a_place_that_is_none_is_refused(isolated: Path, url: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load_settings(files_url=url)
    assert "secret" not in str(refused.value)
