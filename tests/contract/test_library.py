"""What a registry of documents promises, proven on every store: whatever a person types is only words,
and a document is there as a whole or not at all."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.documents.store.library import LibraryStore
from core.domain.documents import DocumentState, Filling, Kind, Page
from core.errors import Conflict, NotFound
from tests.contract.documents import REMOVED, TEXTS, add, an_index, chunks_of, document, filling

HOSTILE = (
    '"', "'", "*", "-", "^", "(", ")", "{", "}", ":", "+", "NEAR(", "AND", "OR", "NOT", "context:",
    "text : metformin", '" OR 1=1 --', "'; DROP TABLE chunks; --", "metformin*", "NEAR(a b, 3)",
    "\x00", "%", "_", "\\", "a\x00b", "--", "/*", "?1", "\u202e", "*:*", "words:[* TO *]", "~2", "&&",
    "||", "!", "/.*/", "}) DETACH DELETE n //", "$match", "`", "warfarn~",
)  # fmt: skip
SECTIONS = ("posology", "", "interactions", "posology")


@pytest.fixture
def store(library_store: LibraryStore) -> LibraryStore:
    """Two indexes; ``leaflets`` holds one document of three chunks, ``other`` is for the test."""
    for name in ("leaflets", "other"):
        library_store.create_index(an_index(name))
    add(library_store, document("d1"), *TEXTS)
    return library_store


# -- full text -------------------------------------------------------------------------------------


@given(
    query=st.text(max_size=60)
    | st.lists(st.sampled_from([*HOSTILE, "metformin", "warfarin"]), max_size=8).map(" ".join)
)
@example('metformin" OR "')
@example("_ __ ___")
@example("²½Ⅻ ₂")
@example("a" * 40_000)
@example(" ".join(f"word{n}" for n in range(10_000)))
@example("metformin\\")
def test_whatever_is_typed_is_words(store: LibraryStore, query: str) -> None:
    found = store.search_text(query, ["leaflets"], 10)
    assert {chunk_id for chunk_id, _ in found} <= {"d1:0", "d1:1", "d1:2"}
    scores = [score for _, score in found]
    assert scores == sorted(scores, reverse=True)
    assert 0 <= store.chunks_with_word(query, ["leaflets"]) <= 3
    assert store.count_chunks(["leaflets"]) == 3


@given(before=st.sampled_from(HOSTILE), after=st.sampled_from(HOSTILE))
def test_syntax_around_a_word_does_not_hide_it(
    store: LibraryStore, before: str, after: str
) -> None:
    found = store.search_text(f"{before} warfarin {after}", ["leaflets"], 10)
    assert "d1:1" in [chunk_id for chunk_id, _ in found]


def test_operators_are_words(store: LibraryStore) -> None:
    assert [i for i, _ in store.search_text("NEAR", ["leaflets"], 9)] == ["d1:2"]
    assert store.search_text("metformin NOT glucose", ["leaflets"], 9)[0][0] == "d1:0"
    assert store.search_text("metfor*", ["leaflets"], 9) == []
    assert store.search_text("text:warfarin", ["leaflets"], 9)[0][0] == "d1:1"


def test_words_are_stemmed_and_case_folded(store: LibraryStore) -> None:
    assert store.search_text("INTERACTION", ["leaflets"], 9)[0][0] == "d1:1"
    assert store.chunks_with_word("interacting", ["leaflets"]) == 1
    assert store.chunks_with_word("", ["leaflets"]) == 0
    assert store.search_text("...", ["leaflets"], 9) == []


def test_words_end_where_letters_and_digits_end(store: LibraryStore) -> None:
    add(store, document("d2", "other"), "Swallow the tablets.Store at 2.5 °C; Ärzte: warfarin_x")
    for word in ("tablets", "stored", "5", "2.5", "arzte", "warfarin", "warfarin_x"):
        assert store.search_text(word, ["other"], 9) != [], word
    assert store.search_text("tablet", ["leaflets"], 9) == []


def test_the_words_in_front_of_a_chunk_are_searched_too(store: LibraryStore) -> None:
    add(store, document("d2", "other"), "Store below 25 °C.", context="Glucophage - Storage")
    assert [i for i, _ in store.search_text("glucophage", ["other"], 9)] == ["d2:0"]
    assert store.chunks_with_word("Glucophage", ["other"]) == 1


def test_rare_words_and_more_of_them_come_first(store: LibraryStore) -> None:
    texts = ["common word here"] * 6 + ["common rare here", "common rare rare", "other rare here"]
    add(store, document("d2", "other"), *texts)
    found = [i for i, _ in store.search_text("common rare", ["other"], 9)]
    assert found[:3] == ["d2:7", "d2:6", "d2:8"] and len(found) == 9


def test_scope_and_limit(store: LibraryStore) -> None:
    assert store.search_text("metformin", [], 9) == []
    assert store.search_text("metformin", ["nobody's"], 9) == []
    assert len(store.search_text("only words metformin warfarin", ["leaflets"], 2)) == 2
    hostile = "leaflets') OR 1=1 --"
    assert store.search_text("metformin", [hostile], 9) == [] and store.count_chunks([hostile]) == 0


def test_sections_narrow_a_search_by_words(store: LibraryStore) -> None:
    new = document("d", "other")
    chunks = [
        replace(chunk, section=section)
        for chunk, section in zip(chunks_of("d", *["warfarin"] * 4), SECTIONS, strict=True)
    ]
    store.begin_documents([new])
    store.finish_documents([Filling(new, [Page(1, "warfarin")], chunks, {})])

    def found(*wanted: str, limit: int = 9) -> list[str]:
        return [i for i, _ in store.search_text("warfarin", ["other"], limit, wanted)]

    assert found() == ["d:0", "d:1", "d:2", "d:3"]
    assert found("posology") == ["d:0", "d:3"] and found("interactions") == ["d:2"]
    assert found("posology", "interactions", limit=2) == ["d:0", "d:2"]
    assert found("storage") == [] == found("posology') OR 1=1 --")


# -- what is kept ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "'; DROP TABLE documents; --", '" OR ""="', "Robert'); --", "%", "a_b%", "<script>x</script>",
        "'}) MATCH (n) DETACH DELETE n //", "`) DELETE", "$id", "{.*}", "\\u0027",
    ],
)  # fmt: skip
def test_names_that_look_like_statements(store: LibraryStore, name: str) -> None:
    new = add(store, document(name, "other", file=name), "Some text.")
    kept = store.document(name)
    assert kept is not None and kept.file == name and kept.title == name
    assert kept.metadata == new.metadata and kept.state is DocumentState.READY
    assert store.document_by_hash("other", new.sha256) == kept
    assert [found.id for found in store.documents("other")] == [name]
    assert [found.id for found in store.documents_named("other", name)] == [name]
    assert store.remove_document(name) == REMOVED
    assert store.count_document_rows(name) == 0 and store.documents("other") == []
    assert store.count_chunks(["leaflets"]) == 3


@given(text=st.text(min_size=1, max_size=200).filter(lambda text: "\x00" not in text))
def test_any_text_comes_back_unchanged(store: LibraryStore, text: str) -> None:
    add(store, document("any", "other"), text, context=text[:50])
    try:
        (chunk,) = store.document_chunks("any")
        assert (chunk.text, chunk.context) == (text, text[:50])
        page = store.page("any", 1)
        assert page is not None and page.text == text
        assert store.page("any", 2) is None
    finally:
        store.remove_document("any")


def test_chunks_come_back_as_they_went_in(store: LibraryStore) -> None:
    assert store.document_chunks("d1") == chunks_of("d1", *TEXTS)
    assert store.pages("d1") == [Page(1, "\n".join(TEXTS))]
    found = store.chunks_by_id(["d1:2", "nobody:0"])
    assert list(found) == ["d1:2"] and found["d1:2"][0].text == TEXTS[2]
    assert found["d1:2"][1].chunks == 3 and found["d1:2"][1].pages == 1
    assert list(store.all_chunks()) == chunks_of("d1", *TEXTS) == list(store.all_chunks("leaflets"))
    assert list(store.all_chunks("other")) == []
    assert store.chunk_ids("leaflets") == {f"d1:{n}": "d1" for n in range(3)}


def test_what_a_file_is_comes_back(store: LibraryStore) -> None:
    new = replace(document("kind", "other"), kind=Kind.DOCX)
    store.begin_documents([new])
    read = replace(new, pages=3, blank_pages=1, ocr_pages=2, metadata={"title": "Ü"})
    store.finish_documents([Filling(read, [Page(0, "text")], chunks_of("kind", "text"), {})])
    kept = store.document("kind")
    assert kept == replace(read, chunks=1, state=DocumentState.READY)


@pytest.mark.parametrize("orders", [-1, 0, 3])
def test_a_document_keeps_how_often_it_speaks_to_models(store: LibraryStore, orders: int) -> None:
    """Wherever it is read from; -1 says that nobody has looked."""
    new = document("talks", "other")
    store.begin_documents([new])
    filled = filling(new, "warfarin")
    store.finish_documents([replace(filled, document=replace(filled.document, orders=orders))])
    found = [
        store.document("talks"),
        store.document_by_hash("other", new.sha256),
        *store.documents("other"),
        *store.documents_named("other", "a.pdf"),
        store.chunks_by_id(["talks:0"])["talks:0"][1],
        *(one for one, _ in store.documents_mentioning("E1") if one.id == "talks"),
    ]
    assert [one.orders for one in found if one] == [orders] * 6


def test_newest_documents_first(store: LibraryStore) -> None:
    for name in ("old", "middle", "new"):
        add(store, document(name, "other"), "text")
    assert [found.id for found in store.documents("other")] == ["new", "middle", "old"]
    assert [found.id for found in store.documents()] == ["new", "middle", "old", "d1"]
    assert [found.id for found in store.documents_named("other", "a.pdf")] == [
        "new", "middle", "old",
    ]  # fmt: skip


# -- in and out ------------------------------------------------------------------------------------


def test_a_document_is_invisible_until_it_is_ready(store: LibraryStore) -> None:
    new = document("new", "other")
    store.begin_documents([new])
    assert store.documents("other") == [] and store.present(["new"]) == set()
    assert store.unfinished() == store.unfinished("other") == [new]
    assert store.unfinished("leaflets") == [] and store.hashes("other") == {new.sha256}
    assert store.documents("other", include_unfinished=True) == [new]
    store.finish_documents([filling(new, "warfarin", "aspirin")])
    assert store.present(["new"]) == {"new"} and store.unfinished() == []
    assert store.count_chunks(["other"]) == 2 and store.has_documents()
    store.mark_deleting(["new", "nobody"])
    assert store.search_text("warfarin", ["other"], 9) == [] == store.documents("other")
    assert store.chunks_by_id(["new:0"]) == {} == store.chunk_ids("other")
    assert store.count_chunks(["other"]) == 0 == store.chunks_with_word("warfarin", ["other"])
    assert list(store.all_chunks("other")) == [] == store.documents_named("other", "a.pdf")
    assert [found.id for found in store.unfinished()] == ["new"]
    assert [found.id for found, _ in store.documents_mentioning("E1")] == ["d1"]


def test_nothing_is_left_of_a_removed_document(store: LibraryStore) -> None:
    store.mark_deleting(["d1"])
    assert not store.has_documents()
    assert store.count_document_rows("d1") == 1 + 1 + 3 + 3 + 1
    removed = store.remove_document("d1")
    assert removed == {"documents": 1, "pages": 1, "chunks": 3, "text": 3, "mentions": 1}
    store.purge()
    assert store.count_document_rows("d1") == 0 == store.count_text_rows()
    assert store.document("d1") is None and store.document_chunks("d1") == [] == store.pages("d1")
    assert store.mentions_of_chunks(["d1:0"]) == {} and store.documents_mentioning("E1") == []
    assert store.hashes("leaflets") == set() and store.problems() == []
    assert store.remove_document("d1") == dict.fromkeys(removed, 0)


def test_the_same_bytes_twice_in_one_index(store: LibraryStore) -> None:
    same = replace(document("d2"), sha256="hash of d1")
    with pytest.raises(Conflict) as caught:
        store.begin_documents([document("d3"), same])
    assert caught.value.code == "IN_WORK"
    assert store.document("d2") is store.document("d3") is None, "all or none"
    store.begin_documents([replace(same, index="other")])
    assert store.hashes("other") == {"hash of d1"}


def test_a_document_of_an_index_that_is_gone(store: LibraryStore) -> None:
    with pytest.raises(NotFound) as caught:
        store.begin_documents([document("d1b"), document("d2", "nobody")])
    assert caught.value.code == "INDEX_NOT_FOUND"
    assert store.document("d2") is None is store.document("d1b")


def test_a_document_is_finished_as_a_whole(store: LibraryStore) -> None:
    new = document("broken", "other")
    store.begin_documents([new])
    twice = chunks_of("broken", "one") * 2
    with pytest.raises(Exception, match=r"UNIQUE|already exists"):
        store.finish_documents([Filling(new, [Page(1, "one")], twice, {})])
    kept = store.document("broken")
    assert kept is not None and kept.state is DocumentState.INGESTING
    assert store.pages("broken") == [] and store.search_text("one", ["other"], 9) == []


def test_documents_are_finished_together_or_not_at_all(store: LibraryStore) -> None:
    first, second = document("first", "other"), document("second", "other")
    store.begin_documents([first, second])
    store.remove_document("second")
    with pytest.raises(NotFound) as caught:
        store.finish_documents([filling(first, "one"), filling(second, "two")])
    assert caught.value.code == "DOCUMENT_NOT_FOUND"
    assert store.documents("other") == [] and store.count_text_rows() == 3
    store.finish_documents([filling(first, "one")])
    with pytest.raises(NotFound):
        store.finish_documents([filling(first, "one")])
    assert [found.id for found in store.documents("other")] == ["first"]
    assert store.mentions_of_document("first") == {"E1": 2}


def test_a_new_version_takes_the_place_of_the_old_in_one_moment(store: LibraryStore) -> None:
    old, new = document("old", "other"), document("new", "other")
    add(store, old, "ibuprofen 200 mg")
    store.begin_documents([new])
    assert [found.id for found in store.documents_named("other", "a.pdf")] == ["new", "old"]
    assert [found.id for found in store.documents("other")] == ["old"]
    store.finish_documents([filling(new, "ibuprofen 400 mg", replaces=("old",))])
    assert [i for i, _ in store.search_text("ibuprofen", ["other"], 9)] == ["new:0"]
    assert [found.id for found in store.documents_named("other", "a.pdf")] == ["new"]
    kept = store.document("old")
    assert kept is not None and kept.state is DocumentState.DELETING
    assert store.present(["old", "new", "nobody"]) == {"new"}
    for name in ("old", "new"):
        assert store.remove_document(name) == REMOVED


def at_once(*works: Callable[[], object]) -> list[Exception]:
    """What failed of works that run at the same time."""
    failed: list[Exception] = []

    def run(work: Callable[[], object]) -> None:
        try:
            work()
        except (Conflict, NotFound) as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failed


def test_of_two_who_add_the_same_bytes_one_does(store: LibraryStore) -> None:
    for turn in range(10):
        rivals = [
            replace(document(f"{name}{turn}", "other"), sha256=f"hash {turn}") for name in "abc"
        ]
        failed = at_once(*(lambda one=one: store.begin_documents([one]) for one in rivals))
        assert [type(error) for error in failed] == [Conflict, Conflict]
    assert len(store.unfinished("other")) == 10 == len(store.hashes("other"))


def test_a_document_removed_while_it_becomes_ready_is_gone(store: LibraryStore) -> None:
    for turn in range(10):
        new = document(f"raced{turn}", "other")
        store.begin_documents([new])
        fill = filling(new, *["warfarin"] * 20)
        at_once(
            lambda f=fill: store.finish_documents([f]), lambda n=new: store.remove_document(n.id)
        )
        assert store.count_document_rows(new.id) == 0
    assert store.count_text_rows() == 3 and store.problems() == []


# -- moving between stores -------------------------------------------------------------------------


def test_a_document_is_restored_as_it_was(store: LibraryStore) -> None:
    moved = replace(
        document("moved", "other"),
        created_at=datetime(2024, 2, 3, 4, 5, 6, 789, tzinfo=UTC),
        state=DocumentState.READY,
        kind=Kind.PDF,
        blank_pages=1,
        ocr_pages=1,
        orders=2,
        corrections=3,
    )
    given_ = filling(moved, "ibuprofen 200 mg", "warfarin")
    for _ in range(2):
        store.restore_document(given_)
        assert store.document("moved") == replace(given_.document, chunks=2)
        assert (
            store.pages("moved") == given_.pages and store.document_chunks("moved") == given_.chunks
        )
        assert store.mentions_of_chunks(["moved:0", "moved:1"]) == {"moved:0": {"E1": 2}}
        assert [i for i, _ in store.search_text("ibuprofen", ["other"], 9)] == ["moved:0"]
        assert store.unfinished() == [] == store.problems()


def test_a_document_that_cannot_be_restored_leaves_nothing(store: LibraryStore) -> None:
    with pytest.raises(NotFound) as caught:
        store.restore_document(filling(document("x", "nobody"), "text"))
    assert caught.value.code == "INDEX_NOT_FOUND"
    same = replace(document("x"), sha256="hash of d1")
    with pytest.raises(Conflict):
        store.restore_document(filling(same, "text"))
    assert store.count_document_rows("x") == 0 and store.count_text_rows() == 3


# -- mentions --------------------------------------------------------------------------------------


def test_mentions_are_read_from_both_ends(store: LibraryStore) -> None:
    new = document("m", "other", file="b.pdf")
    store.begin_documents([new])
    mentions = {"m:0": {"E1": 1, "E2": 3}, "m:1": {"E2": 4, "E'}) //": 1}}
    store.finish_documents([Filling(new, [Page(1, "x")], chunks_of("m", "one", "two"), mentions)])
    assert store.mentions_of_chunks(["m:0", "m:1", "d1:0", "d1:1"]) == {
        **mentions, "d1:0": {"E1": 2},
    }  # fmt: skip
    assert list(store.mentions_of_document("m").items()) == [("E2", 7), ("E'}) //", 1), ("E1", 1)]
    assert list(store.mentions_of_document("m", limit=1)) == ["E2"]
    found = [(one.id, times) for one, times in store.documents_mentioning("E1")]
    assert found == [("d1", 2), ("m", 1)] and len(store.documents_mentioning("E1", limit=1)) == 1
    assert [(one.id, times) for one, times in store.documents_mentioning("E2")] == [("m", 7)]
    assert [one.id for one, _ in store.documents_mentioning("E'}) //")] == ["m"]
    assert store.documents_mentioning("nobody") == [] and store.mentions_of_document("x") == {}


def test_mentions_can_be_found_anew(store: LibraryStore) -> None:
    assert store.mentions_of_chunks(["d1:0"]) == {"d1:0": {"E1": 2}}
    store.replace_mentions({"d1:1": {"E2": 1, "E3": 4}, "gone:0": {"E3": 1}, "d1:2": {}})
    assert store.mentions_of_chunks(["d1:0", "d1:1"]) == {"d1:1": {"E2": 1, "E3": 4}}
    assert store.documents_mentioning("E1") == []
    ((found, times),) = store.documents_mentioning("E3")
    assert (found.id, times) == ("d1", 4)
    store.replace_mentions({})
    assert store.mentions_of_document("d1") == {}
    assert store.remove_document("d1")["mentions"] == 0
