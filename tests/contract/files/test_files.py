"""Originals and reading copies, in the data folder and in an S3-compatible store."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.documents.library.files import FileStore
from core.documents.library.shared.files import SharedFiles
from core.domain.documents import Kind
from core.stores.objects.s3 import S3Objects
from tests.support.needs import S3

MakeStore = Callable[[Path], FileStore]


@pytest.fixture(params=["folder", pytest.param("s3", marks=pytest.mark.needs(S3))])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> FileStore:
    """An empty store of files."""
    if request.param == "folder":
        return FileStore(tmp_path / "data")
    bucket = request.getfixturevalue("bucket")
    return SharedFiles(tmp_path / "data", S3Objects(bucket.url), 1_000_000_000)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    place = tmp_path / "source"
    place.write_bytes(b"bytes" * 300_000)
    return place


def kept(store: FileStore, source: Path, document_id: str, kind: Kind) -> Path:
    taken, _ = store.take_in(source)
    return store.keep(taken, document_id, kind)


@pytest.mark.parametrize("kind", [Kind.PDF, Kind.TEXT])
def test_an_original_comes_back(store: FileStore, source: Path, kind: Kind) -> None:
    kept(store, source, "d1", kind)
    kept(store, source, "d10", kind)
    original = store.original("d1")
    assert original is not None and original.read_bytes() == source.read_bytes()
    assert store.readable("d1") == (original if kind is Kind.PDF else None)
    assert store.owners() == {"d1": 1, "d10": 1} and store.originals() == {"d1", "d10"}
    assert store.remove("d1") == 1 and store.remove("d1") == 0
    assert store.original("d1") is None and store.readable("d1") is None and not original.exists()
    assert store.owners() == {"d10": 1} and store.count("d1") == 0 and store.count("d10") == 1


def test_a_reading_copy_is_drawn_and_goes_with_its_document(store: FileStore, source: Path) -> None:
    original = kept(store, source, "d1", Kind.PDF)
    store.copy_place("d1").write_bytes(b"%PDF copy")
    store.keep_copy("d1")
    assert store.original("d1") == original
    readable = store.readable("d1")
    assert readable is not None and readable.read_bytes() == b"%PDF copy"
    assert store.owners() == {"d1": 2} and store.originals() == {"d1"}
    assert store.remove("d1") == 2 and not store.owners() and store.readable("d1") is None


def test_a_duplicate_outlives_its_source(store: FileStore, source: Path) -> None:
    kept(store, source, "d1", Kind.PDF)
    store.duplicate("d1", "d2")
    assert store.owners() == {"d1": 1, "d2": 1}
    store.remove("d1")
    original = store.original("d2")
    assert original is not None and original.read_bytes() == source.read_bytes()


def test_nothing_is_there_at_first(store: FileStore) -> None:
    assert store.original("d") is None and store.readable("d") is None
    assert store.owners() == {} and store.originals() == set() and store.remove("d") == 0
    store.ask()
