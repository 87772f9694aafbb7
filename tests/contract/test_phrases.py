"""What full text promises of phrases and of a search within some documents, proven on every store."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.documents.store.library import LibraryStore
from tests.contract.documents import TEXTS, add, an_index, document
from tests.contract.test_library import HOSTILE


@pytest.fixture
def store(library_store: LibraryStore) -> LibraryStore:
    """Two indexes; ``leaflets`` holds one document of three chunks, ``other`` is for the test."""
    for name in ("leaflets", "other"):
        library_store.create_index(an_index(name))
    add(library_store, document("d1"), *TEXTS)
    return library_store


def test_documents_narrow_a_search_by_words(store: LibraryStore) -> None:
    for name in ("d2", "d3", "d4"):
        add(store, document(name, "other"), "warfarin first", "warfarin second")

    def found(*documents: str, limit: int = 9) -> list[str]:
        hits = store.search_text("warfarin", ["other"], limit, (), documents)
        return [chunk_id for chunk_id, _ in hits]

    assert found("d3") == ["d3:0", "d3:1"] and found("d4", "d2", limit=3) == [
        "d2:0",
        "d2:1",
        "d4:0",
    ]
    assert found() == found("d1") == found("d3') OR 1=1 --") == [], "d1 is in another index"
    assert len(store.search_text("warfarin", ["other"], 9, (), None)) == 6


PASSAGES = (
    "In mild renal impairment the dose is halved.",
    "Impairment that is renal: the dose is not halved.",
    "Renal, impairment of any kind; a dose is given.",
    "Nothing of it.",
)


def test_a_phrase_is_words_in_their_order(store: LibraryStore) -> None:
    add(store, document("d2", "other"), *PASSAGES)

    def found(*phrases: str, query: str = "renal impairment dose halved") -> set[str]:
        return {i for i, _ in store.search_text(query, ["other"], 9, (), None, phrases)}

    assert found("renal impairment") == {"d2:0", "d2:2"}, "signs between words do not count"
    assert found("Renal  IMPAIRMENT") == found("renal impairment")
    assert found("impairment renal") == set(), "nor does the other order"
    assert found("renal impairments") == found("renal impairment"), "words are stemmed"
    assert found("mild renal", "dose is halved") == {"d2:0"}, "every phrase must be there"
    assert found("halved") == {"d2:0", "d2:1"}
    assert found("%", "_") == found(), "a phrase without a letter or digit does not count"
    assert found("dose", query="nothing") == set(), "the query's words count beside it"


@given(phrases=st.lists(st.sampled_from(HOSTILE) | st.text(max_size=20), max_size=3))
@example(['renal" OR "x'])
@example(["a" * 5_000])
@example(["word " * 500])
def test_whatever_is_typed_as_a_phrase_is_words(store: LibraryStore, phrases: list[str]) -> None:
    found = store.search_text("metformin warfarin words", ["leaflets"], 9, (), None, phrases)
    assert {chunk_id for chunk_id, _ in found} <= {"d1:0", "d1:1", "d1:2"}
    assert store.count_chunks(["leaflets"]) == 3
