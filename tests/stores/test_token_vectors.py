"""Statements as the model has read them: rounded, bounded, and gone with their documents."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.vectors import StatementVectors
from core.errors import StoreError
from core.stores.sqlite.database import Database
from core.stores.sqlite.token_vectors import SqliteTokenVectors, _packed, _unpacked

DIMENSION = 384


def made(seed: int, tokens: int = 20) -> StatementVectors:
    """A statement of random unit vectors."""
    rows = np.random.default_rng(seed).standard_normal((tokens + 1, DIMENSION))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return StatementVectors(rows[0].astype(np.float32), rows[1:].astype(np.float32))


def ready() -> bool:
    return True


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteTokenVectors]:
    with closing(SqliteTokenVectors(tmp_path / "tokens.db", 3_000_000)) as opened:
        yield opened


@given(st.integers(0, 10_000), st.integers(0, 60))
def test_a_cosine_changes_by_less_than_a_thousandth_of_what_it_is_compared_by(
    seed: int, tokens: int
) -> None:
    one, asked = made(seed, tokens), made(seed + 1, 5)
    kept = _unpacked(*_packed(one))
    assert np.array_equal(kept.vector, one.vector)
    assert kept.tokens.shape == one.tokens.shape
    difference = np.abs(asked.tokens @ kept.tokens.T - asked.tokens @ one.tokens.T)
    assert difference.max(initial=0.0) < 0.01


def test_what_was_kept_is_read_again_and_only_of_its_document(store: SqliteTokenVectors) -> None:
    store.add("a", {b"1": made(1), b"2": made(2)}, ready)
    assert store.read("a", [b"1", b"3"]).keys() == {b"1"}
    assert store.read("b", [b"1"]) == {}
    assert store.missing("a", [b"3", b"1", b"4"]) == [b"3", b"4"]
    store.add("b", {b"1": made(1)}, ready)
    found = store.read_elsewhere([b"1", b"2", b"3"])
    assert found.keys() == {b"1", b"2"} and np.array_equal(found[b"2"].vector, made(2).vector)


def test_nothing_is_kept_of_a_document_that_has_gone(store: SqliteTokenVectors) -> None:
    store.add("a", {b"1": made(1)}, lambda: False)
    store.complete("a", b"k", lambda: False)
    assert store.counts() == {} and not store.is_complete("a", b"k")


def test_a_document_that_goes_while_it_is_added_leaves_nothing(
    store: SqliteTokenVectors, tmp_path: Path
) -> None:
    """The removal waits for the addition that found the document ready, in another process too."""
    other = SqliteTokenVectors(tmp_path / "tokens.db", 3_000_000)
    removal = Thread(target=lambda: other.remove(["a"]))

    def ready_then_removed() -> bool:
        removal.start()
        removal.join(0.2)
        assert removal.is_alive()
        return True

    store.add("a", {b"1": made(1)}, ready_then_removed)
    removal.join()
    other.close()
    assert store.counts() == {}


def test_the_oldest_give_way_when_there_is_no_more_room(store: SqliteTokenVectors) -> None:
    number = 0
    while not store.is_full:
        assert number < 40
        store.add(f"d{number}", {bytes([place]): made(place) for place in range(10)}, ready)
        number += 1
    assert store.count("d0") == 10
    for number in range(40, 80):
        store.add(f"d{number}", {bytes([place]): made(place) for place in range(10)}, ready)
    assert not store.count("d0") and store.count("d79") == 10
    assert Path(store._path).stat().st_size < 4_000_000


def test_a_removal_takes_all_and_leaves_no_byte(store: SqliteTokenVectors, tmp_path: Path) -> None:
    store.add("gone", {b"1": made(1), b"2": made(2)}, ready)
    store.complete("gone", b"k", ready)
    store.add("kept", {b"1": made(3)}, ready)
    assert store.remove(["gone", "unknown"]) == 2
    store.purge()
    assert store.counts() == {"kept": 1} and not store.is_complete("gone", b"k")
    gone, kept = (made(seed).vector.tobytes()[:64] for seed in (1, 3))
    files = list(tmp_path.glob("tokens.db*"))
    assert files and not any(gone in path.read_bytes() for path in files)
    assert any(kept in path.read_bytes() for path in files)


def test_room_is_given_back_when_most_has_gone(store: SqliteTokenVectors, tmp_path: Path) -> None:
    store.add("gone", {str(n).encode(): made(n) for n in range(100)}, ready)
    store.purge()
    before = (tmp_path / "tokens.db").stat().st_size
    store.remove(["gone"])
    store.purge()
    assert (tmp_path / "tokens.db").stat().st_size < before / 5


@pytest.mark.parametrize("content", [b"this is no database at all, but text " * 50, b""])
def test_a_file_that_cannot_be_opened_is_made_anew(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "tokens.db").write_bytes(content)
    with closing(SqliteTokenVectors(tmp_path / "tokens.db", 3_000_000)) as store:
        store.add("a", {b"1": made(1)}, ready)
        assert store.count("a") == 1


def test_a_file_that_is_damaged_later_is_told_and_can_be_made_anew(
    store: SqliteTokenVectors, tmp_path: Path
) -> None:
    store.add("a", {str(n).encode(): made(n) for n in range(20)}, ready)
    store.close()
    path = tmp_path / "tokens.db"
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    with pytest.raises(StoreError):
        store.counts()
    store.reset()
    assert store.counts() == {}


def test_a_file_of_a_newer_release_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "tokens.db"
    Database(path, ("CREATE TABLE a (b);", "CREATE TABLE c (d);")).close()
    before = path.read_bytes()
    with closing(SqliteTokenVectors(path, 3_000_000)) as store, pytest.raises(StoreError):
        store.add("a", {b"1": made(1)}, ready)
    assert path.read_bytes() == before
