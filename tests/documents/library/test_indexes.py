"""Named indexes: made once, counted truly, removed without a trace, whatever stops it on the way."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.documents.jobs.tasks import files_of
from core.documents.library.indexes import check_name, total
from core.documents.library.outcomes import Progress
from core.documents.library.shelves import LEAFLETS
from core.domain.documents import Document, IndexCounts, Profile
from core.errors import Conflict, InputError, MateriaError, NotFound, StoreError
from core.search.options import MODES, SearchOptions
from core.stores.chroma.chunks import ChromaVectors
from tests.support.fakes import FailingVectors, HashEncoder
from tests.support.pdfs import leaflet_text
from tests.support.shelf import NOTHING, Shelf, open_shelf, text_file

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def shelf(workspace_dir: Path) -> Shelf:
    return open_shelf(workspace_dir)


def put(shelf: Shelf, index: str, name: str, text: str = "") -> Document:
    """A text file about warfarin in an index."""
    path = text_file(shelf.folder.parent / "source", name, text or f"{name} warfarin. " * 60)
    document_id = shelf.library.ingest(path, index=index).document_id
    document = shelf.store.document(document_id)
    assert document is not None
    return document


def fill(shelf: Shelf) -> None:
    """Two documents in the default index, two in the index ``papers``."""
    shelf.indexes.create("papers", Profile.SEMANTIC)
    for index in (LEAFLETS, "papers"):
        for number in range(2):
            put(shelf, index, f"{index}{number}.txt")


# -- made ------------------------------------------------------------------------------------------


@pytest.mark.req("KB-1")
def test_an_index_that_exists_is_a_conflict_and_stays_as_it_is(shelf: Shelf) -> None:
    fill(shelf)
    before, rows, found = shelf.store.indexes(), shelf.rows(), shelf.found("warfarin")
    for name in (LEAFLETS, "papers"):
        for profile in Profile:
            with pytest.raises(Conflict) as caught:
                shelf.indexes.create(name, profile)
            assert (caught.value.code, caught.value.status) == ("INDEX_EXISTS", 409)
            assert name in caught.value.message and caught.value.advice
    assert (shelf.store.indexes(), shelf.rows(), shelf.found("warfarin")) == (before, rows, found)
    assert shelf.verifier.run().findings == ()


@pytest.mark.req("KB-1")
def test_an_index_of_another_model_is_a_conflict_too(shelf: Shelf) -> None:
    shelf.indexes.create("papers")
    before = shelf.store.index("papers")
    other = open_shelf(shelf.folder, encoder=HashEncoder("other", dimension=8))
    with pytest.raises(Conflict) as caught:
        other.indexes.create("papers", Profile.ABSTRACT)
    assert caught.value.code == "INDEX_EXISTS" and shelf.store.index("papers") == before


def test_an_index_whose_deletion_was_begun_still_has_its_name(shelf: Shelf) -> None:
    fill(shelf)
    shelf.store.mark_index_deleting("papers")
    with pytest.raises(Conflict):
        shelf.indexes.create("papers")
    assert shelf.library.recover() == ["papers"]
    assert shelf.indexes.create("papers").generation == 0


RULE = re.compile(r"^[a-zA-Z][a-zA-Z0-9_-]{0,99}\Z", re.ASCII)


@pytest.mark.req("KB-2")
@given(
    name=st.text(max_size=8)
    | st.text("aZ09_-", max_size=103)
    | st.from_regex(r"[a-zA-Z][a-zA-Z0-9_-]{0,101}", fullmatch=True)
    | st.sampled_from("éßДäK０²").map(lambda letter: f"a{letter}")
)
@example("")
@example("a\n")
@example("a" * 100)
@example("a" * 101)
@example("../a")
@example("a.b")
@example("a@1")
@example("'; DROP TABLE indexes; --")
def test_names_are_those_of_the_rule(name: str) -> None:
    if RULE.match(name):
        check_name(name)
        return
    with pytest.raises(InputError) as caught:
        check_name(name)
    assert (caught.value.code, caught.value.status) == ("INVALID_INDEX_NAME", 400)


@pytest.mark.req("KB-2")
@pytest.mark.parametrize("name", ["", "1a", "a b", "ä", "a\n", "a@1", "../a", "a" * 101])
def test_a_name_against_the_rule_makes_no_index(shelf: Shelf, name: str) -> None:
    with pytest.raises(InputError):
        shelf.indexes.create(name)
    assert shelf.store.indexes() == [] and shelf.vectors.collections() == set()


@pytest.mark.req("KB-2", "KB-7")
@pytest.mark.parametrize("name", ["a", "Z-", "a_b", "A" * 100])
def test_a_name_of_the_rule_makes_an_index_that_works(shelf: Shelf, name: str) -> None:
    index = shelf.indexes.create(name)
    assert shelf.store.index(name) == index and shelf.store.indexes() == [index]
    put(shelf, name, "a.txt")
    assert shelf.found("warfarin", name) == {mode: ["a.txt"] for mode in MODES}
    assert shelf.indexes.delete(name).left == 0 and shelf.rows() == NOTHING


@pytest.mark.req("KB-6")
def test_an_index_file_or_folder_that_does_not_exist(shelf: Shelf, tmp_path: Path) -> None:
    fill(shelf)
    before = shelf.rows()
    for call in (
        lambda: shelf.indexes.describe("nobody"),
        lambda: shelf.indexes.delete("nobody"),
        lambda: shelf.indexes.re_embed("nobody"),
        lambda: shelf.library.index_for_adding("nobody"),
        lambda: shelf.retriever.search("warfarin", SearchOptions(("nobody",))),
        lambda: shelf.library.delete("nobody"),
        lambda: shelf.library.page_image("nobody", 1),
        lambda: files_of(tmp_path / "nowhere"),
        lambda: files_of(text_file(tmp_path, "a-file.txt", "no folder")),
    ):
        with pytest.raises(NotFound) as caught:
            call()
        error: MateriaError = caught.value
        assert error.status == 404 and error.message and str(tmp_path) not in str(error)
    result = shelf.library.ingest(text_file(tmp_path, "a.txt", "x"), index="nobody")
    assert (result.state, result.code) == ("refused", "INDEX_NOT_FOUND")
    assert shelf.rows() == before


# -- counted ---------------------------------------------------------------------------------------


@pytest.mark.req("KB-5")
def test_an_index_says_what_it_holds(shelf: Shelf) -> None:
    fill(shelf)
    for description in shelf.indexes.all():
        name = description.index.name
        documents = shelf.store.documents(name)
        chunks = sum(document.chunks for document in documents)
        size = sum(document.bytes for document in documents)
        assert description.counts == IndexCounts(2, 0, chunks, size)
        assert description.vectors == chunks == shelf.vectors.count(name) > 0
        assert shelf.indexes.describe(name) == description and not description.needs_embedding
    assert [d.index.profile for d in shelf.indexes.all()] == [Profile.LEAFLET, Profile.SEMANTIC]
    other = open_shelf(shelf.folder, encoder=HashEncoder("other"))
    assert [description.needs_embedding for description in other.indexes.all()] == [True, True]


def test_vectors_that_are_missing_are_said(shelf: Shelf) -> None:
    fill(shelf)
    shelf.vectors.drop("papers")
    with pytest.raises(StoreError) as caught:
        shelf.indexes.describe("papers")
    assert caught.value.code == "VECTORS_MISSING"


# -- removed ---------------------------------------------------------------------------------------


@pytest.mark.req("KB-7", "PR-5")
def test_a_deleted_index_leaves_nothing_and_takes_nothing_else(shelf: Shelf) -> None:
    put(shelf, LEAFLETS, "kept.txt", "keptword warfarin")
    before, kept = shelf.rows(), shelf.found("warfarin")
    shelf.indexes.create("papers")
    documents = [put(shelf, "papers", f"{n}.txt", f"goneword{n} warfarin " * 90) for n in range(3)]
    held = {key: count - before[key] for key, count in shelf.rows().items()}
    receipt = shelf.indexes.delete("papers")
    assert (receipt.file, receipt.document_id, receipt.documents) == ("papers", "", 3)
    assert receipt.chunks == receipt.vectors == receipt.text_rows == held["vectors"] > 3
    assert (receipt.files, receipt.mentions) == (3, held["mentions"])
    assert receipt.left == 0 and shelf.rows() == before
    assert shelf.store.count_index_rows("papers") == 0
    assert shelf.vectors.collections() == {LEAFLETS}
    assert shelf.found("warfarin") == kept and shelf.store.index("papers") is None
    for document in documents:
        assert shelf.store.document(document.id) is None
        assert shelf.library.original(document.id) is None
    stored = b"".join(p.read_bytes() for p in shelf.folder.glob("materia.db*"))
    assert b"goneword" not in stored and b"keptword" in stored
    assert shelf.verifier.run().findings == ()
    assert shelf.indexes.create("papers") and put(shelf, "papers", "0.txt").chunks > 0


def test_an_index_whose_vectors_are_gone_can_still_be_deleted(shelf: Shelf) -> None:
    fill(shelf)
    shelf.vectors.drop("papers")
    receipt = shelf.indexes.delete("papers")
    assert (receipt.vectors, receipt.documents, receipt.left) == (0, 2, 0)
    assert shelf.verifier.run().findings == ()


def test_everything(shelf: Shelf) -> None:
    fill(shelf)
    rows = shelf.rows()
    receipts = shelf.indexes.delete_everything()
    assert [receipt.file for receipt in receipts] == [LEAFLETS, "papers"]
    added = total(receipts)
    assert (added.documents, added.files, added.left) == (4, 4, 0)
    assert added.chunks == added.vectors == added.text_rows == rows["vectors"]
    assert shelf.rows() == NOTHING and shelf.vectors.collections() == set()
    assert shelf.indexes.all() == [] and shelf.indexes.delete_everything() == []
    assert put(shelf, LEAFLETS, "again.txt").chunks > 0


def test_an_index_that_is_being_filled_is_not_deleted(shelf: Shelf) -> None:
    fill(shelf)
    codes = []

    def try_to_delete(progress: Progress) -> None:
        if progress.stage == "embedding":
            for call in (shelf.indexes.delete, shelf.indexes.re_embed):
                with pytest.raises(Conflict) as caught:
                    call("papers")
                codes.append(caught.value.code)
            assert shelf.indexes.describe("papers").counts.documents == 2

    path = text_file(shelf.folder.parent / "source", "new.txt", leaflet_text("warfarin"))
    result = shelf.library.ingest(path, index="papers", report=try_to_delete)
    assert set(codes) == {"INDEX_BUSY"} and result.code == "OK"
    assert shelf.indexes.delete("papers").documents == 3


def test_a_crash_in_the_middle_of_a_deletion_is_finished_at_the_next_start(shelf: Shelf) -> None:
    fill(shelf)
    shelf.store.mark_index_deleting("papers")
    again = open_shelf(shelf.folder)
    assert again.found("warfarin")["hybrid"] == ["leaflets0.txt", "leaflets1.txt"]
    with pytest.raises(NotFound):
        again.retriever.search("warfarin", SearchOptions(("papers",)))
    assert again.library.recover() == ["papers"] and again.library.recover() == []
    assert again.store.count_index_rows("papers") == 0 and len(again.files()) == 2
    assert again.vectors.collections() == {LEAFLETS} and again.verifier.run().findings == ()


def test_a_vector_store_that_is_away_postpones_a_deletion(workspace_dir: Path) -> None:
    vectors = FailingVectors(ChromaVectors(workspace_dir / "chroma"))
    shelf = open_shelf(workspace_dir, vectors=vectors)
    fill(shelf)
    vectors.down = True
    asked: list[str] = []
    shelf.library.removal.put_off = lambda: asked.append("finish")
    receipt = shelf.indexes.delete("papers")
    assert (receipt.unfinished, receipt.vectors, asked) == (1, 0, ["finish"])
    with pytest.raises(StoreError):
        shelf.library.finish_removals()
    vectors.down = False
    assert shelf.store.index("papers") is None and not shelf.found("papers0")["hybrid"]
    shelf.library.finish_removals()
    assert shelf.library.recover() == []
    assert shelf.vectors.collections() == {LEAFLETS} and shelf.verifier.run().findings == ()


_KILLED = """
import os, sys
from pathlib import Path
from core.stores.chroma.chunks import ChromaVectors
from tests.support.shelf import open_shelf

class Dying(ChromaVectors):
    def drop(self, collection):
        if sys.argv[2] == "before":
            os._exit(9)
        super().drop(collection)
        os._exit(9)

folder = Path(sys.argv[1])
open_shelf(folder, vectors=Dying(folder / "chroma")).indexes.delete("papers")
"""


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_process_killed_while_deleting_an_index(shelf: Shelf, moment: str) -> None:
    fill(shelf)
    shelf.database.close()
    program = [sys.executable, "-c", _KILLED, str(shelf.folder), moment]
    assert subprocess.run(program, cwd=ROOT, timeout=60, check=False).returncode == 9
    again = open_shelf(shelf.folder)
    assert [index.name for index in again.store.indexes()] == [LEAFLETS]
    assert again.library.recover() == ["papers"]
    assert again.store.count_index_rows("papers") == 0 and len(again.files()) == 2
    assert again.verifier.run().findings == ()


def test_a_rename_in_an_outage_leaves_no_vectors_once_it_is_over(tmp_path: Path) -> None:
    vectors = FailingVectors(ChromaVectors(tmp_path / "chroma"))
    shelf = open_shelf(tmp_path, vectors=vectors)
    name, other = "one", "two"
    shelf.indexes.create(name)
    for calls in range(8):
        vectors.down_after = calls
        with contextlib.suppress(StoreError):
            shelf.indexes.rename(name, other)
        vectors.down, vectors.down_after = False, None
        shelf.library.finish_removals()
        assert shelf.verifier.run().findings == () and not shelf.library.files.interrupted
        (present,) = shelf.store.indexes()
        if present.name == other:
            name, other = other, name
