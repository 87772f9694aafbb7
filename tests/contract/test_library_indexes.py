"""Whole indexes, proven on every store: made once, removed alone, served by other vectors at once."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.documents.store.library import LibraryStore
from core.domain.documents import Index, IndexCounts, Profile
from core.errors import Conflict
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


def test_repair_of_what_is_right_changes_nothing(two: LibraryStore) -> None:
    before = [two.document_chunks(name) for name in ("a1", "b1")]
    two.repair_text()
    assert [two.document_chunks(name) for name in ("a1", "b1")] == before
    assert len(two.search_text("warfarin", ["a", "b"], 9)) == 4 == two.count_text_rows()
    assert two.problems() == []
