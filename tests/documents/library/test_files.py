"""The kept files: a copy of the bytes under the document's id, and nothing left behind."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.library.files import FileStore
from core.domain.documents import Kind


def kept(store: FileStore, source: Path, document_id: str, kind: Kind) -> Path:
    taken, _ = store.take_in(source)
    return store.keep(taken, document_id, kind)


@given(data=st.binary(max_size=3000))
def test_bytes_come_back_unchanged(tmp_path: Path, data: bytes) -> None:
    source = tmp_path / "source"
    source.write_bytes(data)
    store = FileStore(tmp_path / "data")
    taken, digest = store.take_in(source)
    assert digest == hashlib.sha256(data).hexdigest()
    place = store.keep(taken, "d", Kind.TEXT)
    assert place.read_bytes() == data == source.read_bytes() and not taken.exists()
    assert store.remove("d") == 1


def test_a_file_of_more_than_one_block(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(b"0123456789abcdef" * 200_000)
    taken, digest = FileStore(tmp_path / "data").take_in(source)
    assert taken.stat().st_size == 3_200_000
    assert digest == hashlib.sha256(source.read_bytes()).hexdigest()


@pytest.mark.parametrize("wrong", ["missing", "folder"])
def test_what_cannot_be_read_leaves_nothing(tmp_path: Path, wrong: str) -> None:
    source = tmp_path / "source"
    if wrong == "folder":
        source.mkdir()
    store = FileStore(tmp_path / "data")
    with pytest.raises(OSError):
        store.take_in(source)
    assert not list((tmp_path / "data" / "incoming").iterdir()) and not store.clear_incoming()


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.ABSTRACT])
def test_original_and_reading_copy_belong_to_a_document(tmp_path: Path, kind: Kind) -> None:
    source = tmp_path / "source"
    source.write_bytes(b"bytes")
    store = FileStore(tmp_path / "data")
    place = kept(store, source, "d1", kind)
    other = kept(store, source, "d10", kind)
    assert store.original("d1") == place
    assert store.readable("d1") == (place if kind is Kind.PDF else None)
    store.copy_place("d1").write_bytes(b"%PDF")
    store.copy_place("d1").with_name("d1.copy.pdf.part").write_bytes(b"%PDF half")
    assert store.original("d1") == place and store.readable("d1") == store.copy_place("d1")
    assert store.owners() == {"d1": 3, "d10": 1} and store.count("d1") == 3
    assert store.remove("d1") == 3 and store.count("d1") == 0
    assert store.original("d1") is None and store.readable("d1") is None
    assert store.original("d10") == other and store.owners() == {"d10": 1}
    assert store.remove("d1") == 0


def test_what_a_crash_left_is_told_once(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(b"bytes")
    store = FileStore(tmp_path / "data")
    assert not store.clear_incoming(), "no folder yet"
    store.take_in(source)
    assert store.clear_incoming() and not store.clear_incoming()
    with store.rebuilding():
        pass
    assert not store.clear_incoming(), "a rebuilding that ended is no crash"
    with store.rebuilding(), store.rebuilding():
        again = FileStore(tmp_path / "data")
        assert again.clear_incoming()
    assert not store.clear_incoming()
    kept(store, source, "d", Kind.PDF)
    assert not store.clear_incoming() and store.count("d") == 1
