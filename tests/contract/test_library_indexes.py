"""Whole indexes and documents cut anew, proven on every store: what changes, changes at once."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.documents.store.library import LibraryStore
from core.domain.documents import (
    Chunk,
    Document,
    DocumentState,
    Index,
    IndexCounts,
    Product,
    Profile,
    chunk_id,
)
from core.errors import Conflict, NotFound
from tests.contract.documents import add, an_index, chunks_of, document


@pytest.fixture
def two(library_store: LibraryStore) -> LibraryStore:
    """Two indexes with one document each."""
    for name in ("b", "a"):
        library_store.create_index(an_index(name))
        add(library_store, document(f"{name}1", name), "warfarin one", "warfarin two")
    return library_store


def test_an_index_comes_back(library_store: LibraryStore) -> None:
    made = Index("leaflets", Profile.SEMANTIC, "model", 384, datetime.now(UTC), 7)
    library_store.create_index(made)
    assert library_store.index("leaflets") == made and library_store.indexes() == [made]
    assert library_store.index("nobody's") is None and not library_store.has_documents()
    assert library_store.count_index("leaflets") == IndexCounts()


@pytest.mark.req("KB-1")
def test_an_index_that_exists_stays_as_it_is(two: LibraryStore) -> None:
    before = two.index("a")
    with pytest.raises(Conflict) as caught:
        two.create_index(Index("a", Profile.SEMANTIC, "other", 9, datetime.now(UTC), 4))
    assert (caught.value.code, caught.value.status) == ("INDEX_EXISTS", 409)
    assert two.index("a") == before and two.count_index("a").documents == 1
    assert [index.name for index in two.indexes()] == ["a", "b"]


def test_an_index_is_counted_and_removed_alone(two: LibraryStore) -> None:
    assert two.count_index("a") == IndexCounts(documents=1, pages=1, chunks=2, bytes=10)
    assert two.count_index_rows("a") == 1 + 1 + 1 + 2 + 2 + 1
    two.begin_documents([document("a2", "a")])
    assert two.count_index("a").documents == 1, "only what is ready counts"
    two.mark_index_deleting("a")
    assert two.index("a") is None and [index.name for index in two.indexes()] == ["b"]
    assert [index.deleting for index in two.indexes(include_deleting=True)] == [True, False]
    assert two.search_text("warfarin", ["a"], 9) == [] and two.count_index("a") == IndexCounts()
    removed = two.remove_index("a")
    assert removed == {"documents": 2, "pages": 1, "chunks": 2, "text": 2, "mentions": 1}
    assert two.count_index_rows("a") == 0 and two.count_text_rows() == 2
    assert len(two.search_text("warfarin", ["a", "b"], 9)) == 2 and two.problems() == []
    assert two.remove_index("a") == dict.fromkeys(removed, 0)
    two.create_index(an_index("a"))
    assert two.count_index("a") == IndexCounts() and two.hashes("a") == set()


def test_an_index_of_many_documents_goes_whole(two: LibraryStore) -> None:
    two.begin_documents([document(f"many{n}", "a", f"{n}.pdf") for n in range(450)])
    assert len(two.unfinished("a")) == 450 == len(two.hashes("a")) - 1
    assert two.remove_index("a")["documents"] == 451
    assert two.count_index_rows("a") == 0 == len(two.unfinished())
    assert two.count_index("b").documents == 1


def test_an_index_goes_over_to_other_vectors_with_its_new_chunks(two: LibraryStore) -> None:
    index = two.index("a")
    assert index is not None
    new = replace(index, model="n", dimension=5, generation=1)
    recut = chunks_of("a1", "warfarin", "one", "warfarin", "two")
    two.swap_index(new, {"a1": recut}, {"a1:2": {"E7": 3}})
    assert two.index("a") == new and new.collection == "a@1"
    assert two.document_chunks("a1") == recut and two.count_chunks(["a"]) == 4
    assert two.mentions_of_document("a1") == {"E7": 3}
    assert two.problems() == [] and two.count_text_rows() == 6
    assert len(two.document_chunks("b1")) == 2


def test_a_swap_that_fails_changes_nothing(two: LibraryStore) -> None:
    index = two.index("a")
    assert index is not None
    before = two.document_chunks("a1")
    new = replace(index, model="n", dimension=5, generation=1)
    with pytest.raises(Exception, match=r"FOREIGN KEY|chunk that does not exist"):
        two.swap_index(new, {"a1": chunks_of("a1", "one")}, {"a1:9": {"E7": 3}})
    assert two.index("a") == index and two.document_chunks("a1") == before
    assert two.mentions_of_document("a1") == {"E1": 2} and two.problems() == []


# -- a document under another title ---------------------------------------------------------------


def retitled(store: LibraryStore, title: str, *texts: str) -> tuple[Document, list[Chunk]]:
    """The document ``a1`` as it is to become, with its chunks."""
    now = store.document("a1")
    assert now is not None
    products = (Product(title, 1, 0), Product("Another", 2, 40))
    new = replace(now, title=title, corrections=now.corrections + 1, products=products)
    chunks = [
        replace(chunk, id=chunk_id("a1", chunk.position, new.corrections))
        for chunk in chunks_of("a1", *texts, context=title)
    ]
    return new, chunks


def test_a_document_gets_its_title_and_new_chunks_at_once(two: LibraryStore) -> None:
    page = two.page("a1", 1)
    for title, texts in (("Aspirin", ("one", "two", "three")), ("Ibuprofen", ("one two",))):
        before = two.document_chunks("a1")
        new, chunks = retitled(two, title, *texts)
        two.retitle_document(new, chunks, {chunks[-1].id: {"E7": 3}})
        assert two.document("a1") == replace(new, chunks=len(texts))
        assert two.document_chunks("a1") == chunks and two.page("a1", 1) == page
        assert two.mentions_of_document("a1") == {"E7": 3}
        assert two.chunks_by_id([chunk.id for chunk in before]) == {}
        found = [i for i, _ in two.search_text(title, ["a", "b"], 9)]
        assert sorted(found) == sorted(chunk.id for chunk in chunks)
        assert two.chunks_with_word("title", ["a"]) == 0, "what stood in front of them before"
        assert two.count_chunks(["a"]) == len(texts) == two.count_index("a").chunks
        assert two.count_text_rows() == len(texts) + 2 and two.problems() == []
    assert [chunk.id for chunk in two.document_chunks("a1")] == ["a1:0.2"]
    assert [i for i, _ in two.search_text("warfarin", ["a", "b"], 9)] == ["b1:0", "b1:1"]
    counts = two.remove_document("a1")
    assert counts == {"documents": 1, "pages": 1, "chunks": 1, "text": 1, "mentions": 1}
    assert two.count_document_rows("a1") == 0 and two.problems() == []


def test_a_title_that_cannot_be_given_changes_nothing(two: LibraryStore) -> None:
    first, chunks = retitled(two, "Aspirin", "one")
    late, late_chunks = retitled(two, "Ibuprofen", "two")

    def everything() -> object:
        mentions = two.mentions_of_document("a1"), two.mentions_of_document("b1")
        return two.documents(), list(two.all_chunks()), mentions, two.count_text_rows()

    before = everything()
    with pytest.raises(Exception, match=r"FOREIGN KEY|chunk that does not exist"):
        two.retitle_document(first, chunks, {"a1:9": {"E7": 3}})
    with pytest.raises(Exception, match=r"UNIQUE|already exists"):
        two.retitle_document(first, chunks * 2, {})
    assert everything() == before and two.problems() == []
    two.retitle_document(first, chunks, {})
    before = everything()
    with pytest.raises(Conflict) as caught:
        two.retitle_document(late, late_chunks, {})
    assert caught.value.code == "IN_WORK" and "Aspirin" in str(caught.value)
    assert everything() == before


@pytest.mark.parametrize("state", ["ingesting", "deleting", "gone"])
def test_only_a_ready_document_gets_a_title(two: LibraryStore, state: str) -> None:
    new = replace(document("x", "a"), title="Aspirin", corrections=1, state=DocumentState.READY)
    if state != "gone":
        two.begin_documents([document("x", "a")])
    if state == "deleting":
        two.mark_deleting(["x"])
    with pytest.raises(NotFound) as caught:
        two.retitle_document(new, chunks_of("x", "one"), {})
    assert caught.value.code == "DOCUMENT_NOT_FOUND"
    kept = two.document("x")
    assert kept is None or kept.corrections == 0
    assert two.document_chunks("x") == [] and two.problems() == []


def test_repair_of_what_is_right_changes_nothing(two: LibraryStore) -> None:
    before = [two.document_chunks(name) for name in ("a1", "b1")]
    two.repair_text()
    assert [two.document_chunks(name) for name in ("a1", "b1")] == before
    assert len(two.search_text("warfarin", ["a", "b"], 9)) == 4 == two.count_text_rows()
    assert two.problems() == []


def test_sections_and_mentions_of_some_documents_are_counted(two: LibraryStore) -> None:
    ids = ["a1", "b1", "nobody's"]
    assert two.count_sections(ids) == {"posology": 2} and two.count_sections([]) == {}
    assert two.most_mentioned(ids, 9) == {"E1": (4, 2)} and two.most_mentioned(ids, 0) == {}
    assert two.count_mentions(ids) == {"a1": 2, "b1": 2} and two.count_mentions(["x"]) == {}


def test_a_renamed_index_keeps_its_documents_and_its_earlier_names(two: LibraryStore) -> None:
    index = two.index("a")
    assert index is not None and two.present_name("a") is None
    two.rename_index("a", replace(index, name="c", generation=0))
    assert [one.name for one in two.indexes()] == ["b", "c"]
    (moved,) = two.documents("c")
    assert (moved.id, moved.index) == ("a1", "c") and two.documents("a") == []
    assert set(two.chunk_ids("c")) == {"a1:0", "a1:1"} and two.chunk_ids("a") == {}
    assert (
        len(two.search_text("warfarin", ["c"], 9)) == 2 and two.search_text("one", ["a"], 9) == []
    )
    assert two.count_index("c").chunks == 2 and two.mentions_of_document("a1") == {"E1": 2}
    assert two.present_name("a") == "c" and two.problems() == []
    two.rename_index("c", replace(index, name="d"))
    assert (two.present_name("a"), two.present_name("c")) == ("d", "d")
    two.rename_index("d", replace(index, name="a"))
    assert two.present_name("a") is None and two.present_name("d") == "a"
    two.create_index(an_index("d"))  # which was another one's name
    two.rename_index("d", replace(an_index("d"), name="f"))
    assert two.present_name("d") == "f" and two.present_name("c") == "a"
    with pytest.raises(Conflict) as taken:
        two.rename_index("a", replace(index, name="b"))
    with pytest.raises(NotFound) as gone:
        two.rename_index("nobody's", replace(index, name="e"))
    assert (taken.value.code, gone.value.code) == ("INDEX_EXISTS", "INDEX_NOT_FOUND")
    two.remove_index("a")
    assert two.present_name("c") is None and two.present_name("d") == "f"


def test_a_document_goes_to_another_index_with_its_chunks_or_with_others(two: LibraryStore) -> None:
    moved = two.document("a1")
    assert moved is not None
    two.move_document(replace(moved, index="b", file="b (2).pdf"), None, {})
    there = two.document("a1")
    assert there is not None and (there.index, there.file) == ("b", "b (2).pdf")
    assert (two.count_index("a"), two.count_index("b").chunks) == (IndexCounts(), 4)
    assert len(two.search_text("warfarin", ["b"], 9)) == 4 and two.chunk_ids("a") == {}
    chunks = chunks_of("a1", "aspirin alone")
    two.move_document(replace(there, index="a"), chunks, {chunks[0].id: {"E2": 1}})
    assert two.document_chunks("a1") == chunks and two.count_index("a").chunks == 1
    assert two.mentions_of_document("a1") == {"E2": 1} and two.problems() == []
    two.begin_documents([replace(document("twin", "b"), sha256=moved.sha256)])
    refused = {
        "IN_WORK": replace(there, index="b"),
        "INDEX_NOT_FOUND": replace(there, index="nowhere"),
        "DOCUMENT_NOT_FOUND": replace(there, id="nobody", sha256="none", index="b"),
    }
    for code, wanted in refused.items():
        with pytest.raises((Conflict, NotFound)) as caught:
            two.move_document(wanted, None, {})
        assert caught.value.code == code
    assert two.document_chunks("a1") == chunks and two.count_index("a").chunks == 1
