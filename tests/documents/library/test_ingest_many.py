"""Several files in one go: order, name conflicts, cancelling, and the file that is read ahead."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from core.documents.cutting.filling import EMBED_BATCH
from core.documents.library import intake
from core.documents.library.outcomes import Progress, Source
from core.documents.library.shelves import LEAFLETS
from core.domain.documents import IngestResult, Kind, OnConflict
from core.errors import ModelError
from tests.support.fakes import FailingEncoder, until
from tests.support.pdfs import leaflet_text
from tests.support.shelf import NOTHING, Shelf, open_shelf, text_file


@pytest.fixture
def shelf(workspace_dir: Path) -> Shelf:
    return open_shelf(workspace_dir)


@pytest.fixture
def sources(tmp_path: Path) -> Callable[..., list[Source]]:
    """Makes text files: ``sources(("a.txt", "text"), ...)``, each in a folder of its own."""

    def make(*files: tuple[str, str]) -> list[Source]:
        return [
            Source(text_file(tmp_path / f"from{number}", name, text), name)
            for number, (name, text) in enumerate(files)
        ]

    return make


MakeSources = Callable[..., list[Source]]
LONG = leaflet_text("warfarin", 800)  # more than one batch of chunks


def outcomes(results: list[IngestResult]) -> list[tuple[str, str, str]]:
    return [(result.file, result.state, result.code) for result in results]


def agree(shelf: Shelf, documents: int) -> None:
    """All stores hold this number of documents, and the same chunks."""
    rows = shelf.rows()
    assert rows["documents"] == rows["files"] == len(shelf.names()) == documents
    assert rows["vectors"] == rows["chunks"] == rows["full text"]
    assert shelf.verifier.run().findings == ()


def test_results_come_in_the_order_of_the_files(shelf: Shelf, sources: MakeSources) -> None:
    files = sources(*[(f"{n}.txt", f"warfarin text {n} " * (1 + 40 * (n % 3))) for n in range(7)])
    results = list(shelf.library.ingest_many(files))
    assert outcomes(results) == [(f"{n}.txt", "ready", "OK") for n in range(7)]
    assert shelf.found("warfarin")["lexical"] == sorted(f"{n}.txt" for n in range(7))
    agree(shelf, 7)


def test_progress_is_that_of_the_file_in_work(shelf: Shelf, sources: MakeSources) -> None:
    seen: list[tuple[int, str]] = []
    files = sources(*[(f"{n}.txt", f"warfarin {n}") for n in range(4)])
    for number, _ in enumerate(
        shelf.library.ingest_many(files, report=lambda n, p: seen.append((n, p.stage)))
    ):
        assert {n for n, _ in seen} == set(range(number + 1)), "never of a later file"
    assert [n for n, _ in seen] == sorted(n for n, _ in seen)
    assert [n for n, stage in seen if stage == "ready"] == [0, 1, 2, 3]


def test_bad_files_between_good_ones(shelf: Shelf, sources: MakeSources, tmp_path: Path) -> None:
    files = sources(
        ("a.txt", "warfarin a"), ("empty.txt", ""), ("b.txt", "warfarin b"), ("no.pdf", "no PDF"),
        ("blank.txt", " \n "), ("c.txt", "warfarin c"), ("x.exe", "\x00\x01"),
    )  # fmt: skip
    files.insert(3, Source(tmp_path / "nowhere", "nowhere.txt"))
    assert outcomes(list(shelf.library.ingest_many(files))) == [
        ("a.txt", "ready", "OK"),
        ("empty.txt", "refused", "EMPTY_FILE"),
        ("b.txt", "ready", "OK"),
        ("nowhere.txt", "failed", "FILE_UNREADABLE"),
        ("no.pdf", "refused", "NOT_A_PDF"),
        ("blank.txt", "refused", "NO_TEXT"),
        ("c.txt", "ready", "OK"),
        ("x.exe", "refused", "UNSUPPORTED_FORMAT"),
    ]
    assert shelf.names() == ["a.txt", "b.txt", "c.txt"]
    agree(shelf, 3)


def test_no_files(shelf: Shelf) -> None:
    assert list(shelf.library.ingest_many([])) == [] and shelf.rows() == NOTHING


def test_the_same_bytes_twice_in_a_batch(shelf: Shelf, sources: MakeSources) -> None:
    files = sources(*[(name, LONG) for name in ("a.txt", "b.txt", "a.txt")])
    first, second, third = shelf.library.ingest_many(files)
    assert (first.state, first.code) == ("ready", "OK")
    for again, name in ((second, "b.txt"), (third, "a.txt")):
        assert (again.file, again.state, again.code) == (name, "ready", "ALREADY_PRESENT")
        assert (again.document_id, again.chunks) == (first.document_id, first.chunks)
        assert "a.txt" in again.message
    assert shelf.names() == ["a.txt"]
    agree(shelf, 1)


def test_the_same_bytes_after_an_attempt_that_failed(
    workspace_dir: Path, sources: MakeSources
) -> None:
    encoder = FailingEncoder(1, ModelError("The model failed.", code="EMBEDDING_FAILURE"))
    shelf = open_shelf(workspace_dir, encoder=encoder)
    files = sources(("a.txt", "warfarin"), ("b.txt", "warfarin"))
    failed = [("a.txt", "failed", "EMBEDDING_FAILURE"), ("b.txt", "failed", "EMBEDDING_FAILURE")]
    assert outcomes(list(shelf.library.ingest_many(files))) == failed
    assert shelf.rows() == NOTHING


# -- one name, other bytes -------------------------------------------------------------------------


def test_another_file_of_that_name_is_a_question(shelf: Shelf, sources: MakeSources) -> None:
    old, new = sources(("Metformin.txt", "500 mg warfarin"), ("Metformin.txt", "850 mg warfarin"))
    first = shelf.library.ingest(old.path)
    before = shelf.rows()
    asked = shelf.library.ingest(new.path)
    assert (asked.state, asked.code) == ("question", "NAME_EXISTS")
    assert asked.source == str(new.path) and asked.document_id == ""
    assert asked.file == "Metformin.txt" and "of this name" in asked.message
    assert shelf.rows() == before
    assert [document.id for document in shelf.store.documents()] == [first.document_id]


def test_both_can_be_kept(shelf: Shelf, sources: MakeSources) -> None:
    files = sources(*[("Metformin.txt", f"{n} mg warfarin") for n in range(3)])
    results = list(shelf.library.ingest_many(files, on_conflict=OnConflict.KEEP_BOTH))
    names = ["Metformin.txt", "Metformin (2).txt", "Metformin (3).txt"]
    assert [result.file for result in results] == names
    assert shelf.found("warfarin")["hybrid"] == sorted(names)
    agree(shelf, 3)


def test_the_old_version_answers_until_the_new_one_is_ready(
    shelf: Shelf, sources: MakeSources
) -> None:
    old, new = sources(("a.txt", "oldword warfarin"), ("a.txt", f"newword {LONG}"))
    first = shelf.library.ingest(old.path)
    seen: list[str] = []

    def look(progress: Progress) -> None:
        if progress.stage in ("reading", "cutting into chunks", "embedding"):
            seen.append(progress.stage)
            assert all(shelf.found("oldword").values()) and not any(shelf.found("newword").values())
            assert shelf.names() == ["a.txt"]

    second = shelf.library.ingest(new.path, on_conflict=OnConflict.REPLACE, report=look)
    assert {"reading", "embedding"} <= set(seen) and seen.count("embedding") > 1
    assert (second.state, second.code) == ("ready", "OK") and "replaces" in second.message
    assert not any(shelf.found("oldword").values()) and all(shelf.found("newword").values())
    assert shelf.store.document(first.document_id) is None
    assert shelf.store.count_document_rows(first.document_id) == 0
    assert shelf.vectors.count(LEAFLETS, first.document_id) == 0
    agree(shelf, 1)


def test_a_new_version_that_fails_leaves_the_old_one(
    workspace_dir: Path, sources: MakeSources
) -> None:
    old, new = sources(("a.txt", "oldword warfarin"), ("a.txt", "newword warfarin"))
    first = open_shelf(workspace_dir).library.ingest(old.path)
    shelf = open_shelf(workspace_dir, encoder=FailingEncoder(1, ModelError("It failed.")))
    before = shelf.rows()
    assert shelf.library.ingest(new.path, on_conflict=OnConflict.REPLACE).state == "failed"
    assert shelf.rows() == before and shelf.store.document(first.document_id) is not None
    assert all(open_shelf(workspace_dir).found("oldword").values())


def test_two_new_versions_in_one_batch_leave_the_last(shelf: Shelf, sources: MakeSources) -> None:
    files = sources(*[("a.txt", f"word{n} warfarin") for n in range(3)])
    shelf.library.ingest(files[0].path)
    results = list(shelf.library.ingest_many(files[1:], on_conflict=OnConflict.REPLACE))
    assert [result.code for result in results] == ["OK", "OK"]
    assert [any(shelf.found(f"word{n}").values()) for n in range(3)] == [False, False, True]
    agree(shelf, 1)


def test_one_name_in_two_indexes_is_no_conflict(shelf: Shelf, sources: MakeSources) -> None:
    shelf.indexes.create("papers")
    one, other = sources(("a.txt", "warfarin one"), ("a.txt", "warfarin other"))
    assert shelf.library.ingest(one.path).code == "OK"
    assert shelf.library.ingest(other.path, index="papers").code == "OK"
    assert shelf.library.ingest(one.path, index="papers").code == "NAME_EXISTS"
    assert shelf.found("other", LEAFLETS)["lexical"] == []
    agree(shelf, 2)


# -- stopping --------------------------------------------------------------------------------------


def test_closing_early_takes_back_the_file_read_ahead(shelf: Shelf, sources: MakeSources) -> None:
    files = sources(*[(f"{n}.txt", f"warfarin {n}") for n in range(4)])
    results = shelf.library.ingest_many(files)
    assert next(results).file == "0.txt"
    results.close()
    assert shelf.names() == ["0.txt"]
    assert len(shelf.store.documents(include_unfinished=True)) == 1
    agree(shelf, 1)
    assert [result.code for result in shelf.library.ingest_many(files)] == [
        "ALREADY_PRESENT", "OK", "OK", "OK",
    ]  # fmt: skip


def test_cancelling_while_embedding(
    shelf: Shelf, sources: MakeSources, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "ADDED_TOGETHER", EMBED_BATCH)
    files = sources(("a.txt", "warfarin"), ("b.txt", LONG), ("c.txt", "warfarin c"))
    stop = threading.Event()

    def watch(number: int, progress: Progress) -> None:
        if number == 1 and progress.chunks:
            # A part of it must have been stored, or this proves nothing.
            until(lambda: shelf.vectors.count(LEAFLETS) > 1)
            stop.set()

    results = list(shelf.library.ingest_many(files, report=watch, cancelled=stop.is_set))
    assert [(result.file, result.state) for result in results] == [
        ("a.txt", "ready"), ("b.txt", "cancelled"),
    ]  # fmt: skip
    assert results[1].code == "CANCELLED" and results[1].source == ""
    agree(shelf, 1)


def test_cancelling_before_the_first_file(shelf: Shelf, sources: MakeSources) -> None:
    results = list(
        shelf.library.ingest_many(sources(("a.txt", "x"), ("b.txt", "y")), cancelled=lambda: True)
    )
    assert [result.state for result in results] == ["cancelled"] and shelf.rows() == NOTHING


def test_a_failure_nobody_thought_of_takes_back_the_file_read_ahead(
    workspace_dir: Path, sources: MakeSources
) -> None:
    shelf = open_shelf(workspace_dir, encoder=FailingEncoder(2, RuntimeError("out of cheese")))
    files = sources(*[(f"{n}.txt", f"warfarin {n}") for n in range(4)])
    results = shelf.library.ingest_many(files)
    assert next(results).state == "ready"
    with pytest.raises(RuntimeError):
        next(results)
    assert shelf.names() == ["0.txt"]
    agree(shelf, 1)
    assert not shelf.library.in_work.has(shelf.store.documents()[0].id)
    with shelf.library.in_work.alone(LEAFLETS):
        pass  # nothing is thought to be in work any more


def test_a_document_that_is_deleted_while_it_comes_in(shelf: Shelf, sources: MakeSources) -> None:
    (file,) = sources(("a.txt", LONG))

    def delete(progress: Progress) -> None:
        if progress.stage == "embedding" and progress.chunks:
            for document in shelf.store.documents(include_unfinished=True):
                shelf.library.delete(document.id)

    result = shelf.library.ingest(file.path, report=delete)
    assert (result.state, result.code) == ("refused", "DOCUMENT_NOT_FOUND")
    assert shelf.rows() == NOTHING


# -- kinds -----------------------------------------------------------------------------------------


def test_a_text_has_no_pages_and_its_one_text_is_page_0(shelf: Shelf, sources: MakeSources) -> None:
    (file,) = sources(("notes.txt", leaflet_text("warfarin")))
    result = shelf.library.ingest(file.path)
    document = shelf.store.document(result.document_id)
    assert document is not None and (document.kind, document.pages) == (Kind.TEXT, 0)
    assert result.pages == 0 and "page" not in result.message
    assert [page.number for page in shelf.store.pages(document.id)] == [0]
    assert {chunk.page for chunk in shelf.store.document_chunks(document.id)} == {0}
    original = shelf.library.original(document.id)
    assert original is not None and original.name == f"{document.id}.text"


def test_an_index_that_is_not_there(shelf: Shelf, sources: MakeSources) -> None:
    (file,) = sources(("a.txt", "warfarin"))
    result = shelf.library.ingest(file.path, index="nobody")
    assert (result.state, result.code) == ("refused", "INDEX_NOT_FOUND")
    assert shelf.rows() == NOTHING
