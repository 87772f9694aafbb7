"""Files out, on real stores: every trace goes, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.documents.library.shelves import ABSTRACTS, LEAFLETS
from core.domain.documents import Page, Profile
from core.errors import NotFound
from core.search.options import MODES, SearchOptions
from tests.support.pdfs import leaflet_text
from tests.support.shelf import NOTHING, Shelf, open_shelf, text_file, unfinished

MakePdf = Callable[..., Path]


@pytest.fixture
def shelf(workspace_dir: Path) -> Shelf:
    return open_shelf(workspace_dir)


def searched(shelf: Shelf, word: str) -> dict[str, list[str]]:
    """Mode -> texts of the hits that hold the word."""
    return {
        mode: [
            hit.chunk.text
            for hit in shelf.retriever.search(word, SearchOptions(k=100, mode=mode)).hits
            if word in hit.chunk.text
        ]
        for mode in MODES
    }


@pytest.mark.req("PR-5", "PR-3")
def test_deletion_counts_what_it_removed_and_leaves_nothing(shelf: Shelf, pdf: MakePdf) -> None:
    kept = shelf.library.ingest(pdf("kept.pdf", leaflet_text("aspirin")))
    before = shelf.rows()
    path = pdf("gone.pdf", f"Zyxomab is a made-up word. {leaflet_text('warfarin')}", "Warfarin two")
    gone = shelf.library.ingest(path)
    assert all(searched(shelf, "Zyxomab")[mode] for mode in MODES)
    mentions = shelf.rows()["mentions"] - before["mentions"]
    receipt = shelf.library.delete(gone.document_id)
    assert (receipt.document_id, receipt.file) == (gone.document_id, "gone.pdf")
    assert (receipt.pages, receipt.chunks, receipt.vectors) == (2, gone.chunks, gone.chunks)
    assert (receipt.mentions, receipt.files, receipt.left) == (mentions, 1, 0) and mentions > 0
    assert shelf.rows() == before
    assert searched(shelf, "Zyxomab") == {mode: [] for mode in MODES}
    assert shelf.store.chunks_with_word("Zyxomab", [LEAFLETS]) == 0
    assert shelf.store.documents_mentioning("DB:warfarin") == []
    assert shelf.store.document(gone.document_id) is None
    assert shelf.store.pages(gone.document_id) == []
    assert shelf.library.original(gone.document_id) is None
    assert shelf.store.document(kept.document_id) is not None
    assert shelf.store.problems() == [], "the full text agrees with the table that it indexes"


@pytest.mark.req("PR-5")
def test_an_abstract_is_deleted_as_well(shelf: Shelf) -> None:
    shelf.library.ensure_index(ABSTRACTS, Profile.ABSTRACT)
    page = Page(0, "An abstract about warfarin.")
    shelf.library.add_texts([(unfinished("x", ABSTRACTS), [page])], ABSTRACTS)
    assert shelf.store.pages("x") == [page]
    receipt = shelf.library.delete("x")
    assert (receipt.chunks, receipt.vectors, receipt.files, receipt.left) == (1, 1, 0, 0)
    assert shelf.rows() == NOTHING


def test_deleting_what_is_not_there(shelf: Shelf, pdf: MakePdf) -> None:
    with pytest.raises(NotFound):
        shelf.library.delete("nobody")
    result = shelf.library.ingest(pdf("a.pdf", leaflet_text("warfarin")))
    shelf.library.delete(result.document_id)
    with pytest.raises(NotFound):
        shelf.library.delete(result.document_id)


@pytest.mark.req("PR-5")
def test_the_bytes_of_a_deleted_text_are_gone(shelf: Shelf, tmp_path: Path) -> None:
    """Not only unlinked: no file of the library holds the words any more, other texts are whole."""
    source = tmp_path / "source"
    kept = shelf.library.ingest(text_file(source, "kept.txt", "Quolomab stays. " * 300))
    gone = [
        shelf.library.ingest(
            text_file(source, f"gone{n}.txt", f"{n}. " + "Zyxomab is secret. " * 300)
        ).document_id
        for n in range(3)
    ]
    shelf.database.checkpoint()
    assert holding(shelf, b"zyxomab"), "the words were there, or this proves nothing"
    receipts = shelf.library.delete_many(gone)
    assert [receipt.document_id for receipt in receipts] == gone
    assert all(receipt.left == 0 and receipt.text_rows > 0 for receipt in receipts)
    assert holding(shelf, b"zyxomab") == []
    assert holding(shelf, b"quolomab")
    (page,) = shelf.store.pages(kept.document_id)
    assert page.text.strip() == ("Quolomab stays. " * 300).strip()
    assert searched(shelf, "Quolomab")["lexical"] and shelf.verifier.run().findings == ()


def holding(shelf: Shelf, word: bytes) -> list[str]:
    """Files of the data folder in which the word stands, in any case."""
    paths = [path for path in shelf.folder.rglob("*") if path.is_file()]
    return [path.name for path in paths if word in path.read_bytes().lower()]


def test_all_are_known_or_none_is_deleted(shelf: Shelf, tmp_path: Path) -> None:
    known = shelf.library.ingest(text_file(tmp_path / "source", "a.txt", "Warfarin.")).document_id
    before = shelf.rows()
    with pytest.raises(NotFound) as caught:
        shelf.library.delete_many([known, "nobody"])
    assert caught.value.code == "DOCUMENT_NOT_FOUND" and shelf.rows() == before
    assert shelf.found("Warfarin")["hybrid"] == ["a.txt"]
    assert shelf.library.delete_many([]) == [] and shelf.rows() == before
