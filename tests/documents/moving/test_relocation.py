"""Documents go to another index and stay whole; an index gets another name, or a model of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.documents.library.loaded_encoders import LoadedEncoders
from core.documents.library.outcomes import Progress
from core.documents.library.shelves import LEAFLETS
from core.documents.moving.relocation import Relocation
from core.domain.documents import Index, Profile
from core.domain.encoder import Encoder
from core.errors import Cancelled, Conflict, InputError, ModelError, NotFound, StoreError
from core.search.options import SearchOptions
from tests.support.fakes import FailingVectors, HashEncoder
from tests.support.pdfs import leaflet_text
from tests.support.shelf import Shelf, open_shelf, text_file

OTHER = "hash-24"
NAMES = ("a.txt", "b.txt", "c.txt")


def make(name: str) -> Encoder:
    if name != OTHER:
        raise ModelError(f"There is no model “{name}”.", code="EMBEDDING_MODEL_MISSING")
    return HashEncoder(OTHER, dimension=24)


MODELS = LoadedEncoders(make)


def own_model(index: Index) -> Encoder:
    return MODELS.of_index(index, HashEncoder())


def with_models(shelf: Shelf) -> Shelf:
    """The shelf with a second model that can be loaded by its name."""
    shelf.library.models = MODELS
    return shelf


@pytest.fixture
def shelf(workspace_dir: Path) -> Shelf:
    """Three texts in the usual index, and an empty one beside it."""
    shelf = with_models(open_shelf(workspace_dir, encoder_of=own_model))
    for name in NAMES:
        text = f"{name[0]}word. {leaflet_text('warfarin', 60)}"
        assert shelf.library.ingest(text_file(workspace_dir / "source", name, text)).code == "OK"
    shelf.indexes.create("archive")
    return shelf


def the(shelf: Shelf, file: str, index: str) -> str:
    (document,) = shelf.store.documents_named(index, file)
    return document.id


def found(shelf: Shelf, word: str, index: str) -> set[str]:
    """Files of an index that a search by meaning or by words finds."""
    return {
        hit.document.file
        for mode in ("lexical", "semantic")
        for hit in shelf.retriever.search(
            word, SearchOptions((index,), k=100, candidates=100, mode=mode)
        ).hits
    }


def whole(shelf: Shelf) -> None:
    assert shelf.verifier.run().findings == ()
    assert not list((shelf.folder / "incoming").glob("*"))


def test_a_moved_document_keeps_its_id_text_and_vectors(shelf: Shelf) -> None:
    moved = the(shelf, "a.txt", LEAFLETS)
    before = shelf.rows()
    chunks = shelf.store.document_chunks(moved)
    vectors = shelf.vectors.vectors(LEAFLETS, [one.id for one in chunks])
    done = Relocation(shelf.library).move(moved, "archive")
    assert (done.state, done.code, done.document_id) == ("ready", "MOVED", moved)
    assert shelf.rows() == before, "nothing came, nothing went"
    assert shelf.store.document_chunks(moved) == chunks
    kept = shelf.vectors.vectors("archive", [one.id for one in chunks])
    assert all(kept[key] == pytest.approx(vectors[key]) for key in vectors)
    assert found(shelf, "aword", "archive") == {"a.txt"}
    assert found(shelf, "aword", LEAFLETS) == {"b.txt", "c.txt"}
    assert shelf.library.original(moved) is not None
    again = Relocation(shelf.library).move(moved, "archive")
    assert (again.state, again.code) == ("ready", "ALREADY_THERE")
    whole(shelf)


def test_an_index_of_another_cut_and_model_gets_its_own_chunks(shelf: Shelf) -> None:
    shelf.indexes.create("papers", Profile.ABSTRACT)
    shelf.indexes.re_embed("papers", OTHER)
    moved, before = the(shelf, "a.txt", LEAFLETS), shelf.store.chunk_ids(LEAFLETS)
    done = Relocation(shelf.library).move(moved, "papers")
    assert done.code == "MOVED" and done.chunks != sum(one == moved for one in before.values())
    chunks = shelf.store.document_chunks(moved)
    assert done.chunks == len(chunks) == shelf.vectors.count("papers@1")
    vector = HashEncoder(OTHER, dimension=24).encode([chunks[0].embedding_text])[0]
    assert shelf.vectors.query("papers@1", vector, 1)[0][1] == pytest.approx(1, abs=1e-4)
    assert shelf.store.mentions_of_document(moved) == {"DB:warfarin": done_mentions(shelf, moved)}
    whole(shelf)


def done_mentions(shelf: Shelf, document_id: str) -> int:
    return sum(
        one.text.casefold().count("warfarin") for one in shelf.store.document_chunks(document_id)
    )


def test_a_copy_lives_by_itself(shelf: Shelf) -> None:
    original, relocation = the(shelf, "a.txt", LEAFLETS), Relocation(shelf.library)
    done = relocation.copy(original, "archive")
    assert (done.state, done.code) == ("ready", "COPIED") and done.document_id != original
    assert relocation.copy(original, "archive").code == "ALREADY_PRESENT"
    refused = relocation.move(original, "archive")
    assert (refused.state, refused.code) == ("refused", "SAME_CONTENT")
    assert "the same content as “a.txt”" in refused.message
    shelf.library.delete(original)
    assert found(shelf, "aword", "archive") == {"a.txt"}
    assert shelf.library.original(done.document_id) is not None
    assert shelf.store.mentions_of_document(done.document_id) == {
        "DB:warfarin": done_mentions(shelf, done.document_id)
    }
    whole(shelf)


def test_a_name_that_is_taken_gets_a_number(shelf: Shelf) -> None:
    path = text_file(shelf.folder.parent / "other", "a.txt", "Another text of aspirin.")
    assert shelf.library.ingest(path, index="archive").code == "OK"
    done = Relocation(shelf.library).move(the(shelf, "a.txt", LEAFLETS), "archive")
    assert done.file == "a (2).txt" and "“a (2).txt”" in done.message


def test_search_goes_on_while_a_document_is_on_its_way(shelf: Shelf) -> None:
    shelf.indexes.re_embed("archive", OTHER)
    seen = []

    def look(_progress: Progress) -> None:
        seen.append(found(shelf, "aword", LEAFLETS))
        assert not shelf.retriever.search("aword", SearchOptions(("archive",))).hits

    Relocation(shelf.library).move(the(shelf, "a.txt", LEAFLETS), "archive", report=look)
    assert seen and all("a.txt" in one for one in seen)


@pytest.mark.parametrize("copy", [False, True])
def test_what_fails_on_the_way_leaves_everything_as_it_was(workspace_dir: Path, copy: bool) -> None:
    vectors = FailingVectors(open_shelf(workspace_dir / "x").vectors)
    shelf = with_models(open_shelf(workspace_dir, vectors=vectors))
    path = text_file(workspace_dir / "source", "a.txt", leaflet_text("warfarin", 40))
    shelf.library.ingest(path)
    shelf.indexes.create("archive")
    before = shelf.rows()
    vectors.at_add = vectors.adds + 1
    relocation = Relocation(shelf.library)
    work = relocation.copy if copy else relocation.move
    done = work(the(shelf, "a.txt", LEAFLETS), "archive")
    assert done.state == "failed"
    assert shelf.rows() == before
    whole(shelf)


def test_what_cannot_be_moved_is_refused_before_anything_is_done(shelf: Shelf) -> None:
    relocation, moved = Relocation(shelf.library), the(shelf, "a.txt", LEAFLETS)
    with pytest.raises(NotFound):
        relocation.check([moved], "nowhere")
    with pytest.raises(NotFound):
        relocation.check(["nobody"], "archive")
    shelf.indexes.create("abstracts", Profile.ABSTRACT)
    with pytest.raises(InputError) as caught:
        relocation.check([moved], "abstracts")
    assert caught.value.code == "NOT_AN_ABSTRACT"
    assert relocation.move("nobody", "archive").code == "DOCUMENT_NOT_FOUND"
    stopped = relocation.move(moved, "archive", cancelled=lambda: True)
    assert stopped.state in ("cancelled", "ready"), "same model: nothing takes time"


# -- renamed ---------------------------------------------------------------------------------------


def test_a_renamed_index_is_found_by_either_name(shelf: Shelf) -> None:
    before, ids = shelf.rows(), set(shelf.store.chunk_ids(LEAFLETS))
    during = []
    shelf.indexes.rename(
        LEAFLETS, "labels", report=lambda _: during.append(found(shelf, "aword", LEAFLETS))
    )
    assert during and all("a.txt" in one for one in during)
    assert shelf.rows() == before and set(shelf.store.chunk_ids("labels")) == ids
    assert [one.name for one in shelf.store.indexes()] == ["archive", "labels"]
    assert found(shelf, "aword", "labels") == found(shelf, "aword", LEAFLETS) == set(NAMES)
    path = text_file(shelf.folder.parent / "source", "d.txt", f"dword. {leaflet_text('aspirin')}")
    added = shelf.library.ingest(path, index=LEAFLETS)
    assert added.code == "OK" and the(shelf, "d.txt", "labels")
    shelf.indexes.rename("labels", "archive-2")
    assert shelf.store.present_name(LEAFLETS) == shelf.store.present_name("labels") == "archive-2"
    shelf.indexes.create("labels")
    assert found(shelf, "aword", "labels") == set(), "what has the name now is what is meant"
    whole(shelf)


def test_a_name_that_is_taken_or_none_is_refused(shelf: Shelf) -> None:
    before = shelf.store.indexes()
    for name, code in ((" ", "INVALID_INDEX_NAME"), ("Archive", "INDEX_EXISTS")):
        with pytest.raises((InputError, Conflict)) as caught:
            shelf.indexes.rename(LEAFLETS, name)
        assert caught.value.code == code
    shelf.indexes.create("abstracts", Profile.ABSTRACT)
    with pytest.raises(InputError, match="keeps its name"):
        shelf.indexes.rename("abstracts", "papers")
    with pytest.raises(Cancelled):
        shelf.indexes.rename(LEAFLETS, "labels", cancelled=lambda: True)
    assert shelf.store.indexes()[1:] == before
    whole(shelf)


def test_a_document_deleted_while_its_index_is_renamed_is_gone(shelf: Shelf) -> None:
    gone = the(shelf, "a.txt", LEAFLETS)
    deleted: list[int] = []

    def delete(_progress: Progress) -> None:
        if not deleted:
            deleted.append(shelf.library.delete(gone).left)

    shelf.indexes.rename(LEAFLETS, "labels", report=delete)
    assert deleted == [0] and "a.txt" not in shelf.names()
    whole(shelf)


# -- a model of its own ----------------------------------------------------------------------------


@pytest.mark.req("KG-1")
def test_an_index_with_a_model_of_its_own_is_searched_and_filled_with_it(shelf: Shelf) -> None:
    index = shelf.indexes.re_embed(LEAFLETS, OTHER)
    assert (index.model, index.dimension) == (OTHER, 24)
    path = text_file(shelf.folder.parent / "source", "d.txt", f"dword. {leaflet_text('aspirin')}")
    assert shelf.library.ingest(path).code == "OK"
    document = the(shelf, "d.txt", LEAFLETS)
    shelf.library.retitle(document, "Dolorin tablets")
    chunk = shelf.store.document_chunks(document)[0]
    options = SearchOptions((LEAFLETS,), k=1, mode="semantic")
    (hit,) = shelf.retriever.search(chunk.embedding_text, options).hits
    assert hit.chunk == chunk and hit.similarity == pytest.approx(1, abs=1e-4)
    shelf.vectors.delete_chunks(index.collection, [chunk.id])
    assert shelf.verifier.run(repair=True).consistent
    whole(shelf)


def test_a_model_that_cannot_be_loaded_changes_nothing(shelf: Shelf) -> None:
    before = shelf.store.indexes(), shelf.rows()
    for refused in (shelf.indexes.check_model, shelf.indexes.re_embed):
        with pytest.raises(ModelError) as caught:
            refused(LEAFLETS, "no/such-model")
        assert caught.value.code == "EMBEDDING_MODEL_MISSING"
    assert (shelf.store.indexes(), shelf.rows()) == before


def test_a_store_that_fails_while_renaming_leaves_the_index_as_it_was(workspace_dir: Path) -> None:
    vectors = FailingVectors(open_shelf(workspace_dir / "x").vectors)
    shelf = open_shelf(workspace_dir, vectors=vectors)
    shelf.library.ingest(text_file(workspace_dir / "source", "a.txt", leaflet_text("warfarin")))
    before = shelf.store.indexes(), shelf.rows()
    vectors.at_add = vectors.adds + 1
    with pytest.raises(StoreError):
        shelf.indexes.rename(LEAFLETS, "labels")
    assert (shelf.store.indexes(), shelf.rows()) == before
    whole(shelf)
