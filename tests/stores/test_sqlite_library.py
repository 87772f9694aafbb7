"""Registry and full text in a real SQLite file; whatever a person types is only words."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.domain.documents import (
    Chunk,
    Document,
    DocumentState,
    Filling,
    Index,
    IndexCounts,
    Kind,
    Page,
    Profile,
)
from core.errors import Conflict, NotFound
from core.stores.sqlite import Database, SqliteLibrary

TEXTS = (
    "Metformin lowers blood glucose. Do not take it with severe kidney disease.",
    "Warfarin interacts with aspirin; bleeding is possible.",
    'NEAR AND OR NOT are only words here, as is the star * and the quote " and col:umn.',
)
REMOVED = {"documents": 1, "pages": 1, "chunks": 1, "text": 1, "mentions": 1}
HOSTILE = (
    '"', "'", "*", "-", "^", "(", ")", "{", "}", ":", "+", "NEAR(", "AND", "OR", "NOT", "context:",
    "text : metformin", '" OR 1=1 --', "'; DROP TABLE chunks; --", "metformin*", "NEAR(a b, 3)",
    "\x00", "%", "_", "\\", "a\x00b", "--", "/*", "?1", "\u202e",
)  # fmt: skip


def document(identifier: str, index: str = "leaflets", file: str = "a.pdf") -> Document:
    return Document(
        id=identifier,
        index=index,
        file=file,
        title=file,
        sha256=f"hash of {identifier}",
        bytes=10,
        pages=0,
        chunks=0,
        state=DocumentState.INGESTING,
        created_at=datetime.now(UTC),
        metadata={"author": "Ärztin <b>", "url": "http://arxiv.org/abs/1"},
    )


def chunks_of(identifier: str, *texts: str, context: str = "Title") -> list[Chunk]:
    return [
        Chunk(
            f"{identifier}:{n}", identifier, n, 1, "posology", "Dose", 0, len(text), text, context
        )
        for n, text in enumerate(texts)
    ]


def filling(
    new: Document, *texts: str, context: str = "Title", replaces: tuple[str, ...] = ()
) -> Filling:
    chunks = chunks_of(new.id, *texts, context=context)
    pages = [Page(1, "\n".join(texts))]
    return Filling(replace(new, pages=1), pages, chunks, {chunks[0].id: {"E1": 2}}, replaces)


def add(store: SqliteLibrary, new: Document, *texts: str, context: str = "Title") -> Document:
    store.begin_documents([new])
    store.finish_documents([filling(new, *texts, context=context)])
    return new


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> SqliteLibrary:
    """Read by most tests; those that write use ids of their own in the index ``other``."""
    library = SqliteLibrary(Database(tmp_path_factory.mktemp("db") / "materia.db"))
    for name in ("leaflets", "other"):
        library.create_index(Index(name, Profile.LEAFLET, "m", 3, datetime.now(UTC)))
    add(library, document("d1"), *TEXTS)
    return library


@given(
    query=st.text(max_size=60)
    | st.lists(st.sampled_from([*HOSTILE, "metformin", "warfarin"]), max_size=8).map(" ".join)
)
@example('metformin" OR "')
@example("_ __ ___")
@example("²½Ⅻ ₂")
@example("a" * 5000)
@example(" ".join(f"word{n}" for n in range(500)))
def test_whatever_is_typed_is_words(store: SqliteLibrary, query: str) -> None:
    found = store.search_text(query, ["leaflets"], 10)
    assert {chunk_id for chunk_id, _ in found} <= {"d1:0", "d1:1", "d1:2"}
    scores = [score for _, score in found]
    assert scores == sorted(scores, reverse=True)
    assert 0 <= store.chunks_with_word(query, ["leaflets"]) <= 3
    assert store.count_chunks(["leaflets"]) == 3


@given(before=st.sampled_from(HOSTILE), after=st.sampled_from(HOSTILE))
def test_syntax_around_a_word_does_not_hide_it(
    store: SqliteLibrary, before: str, after: str
) -> None:
    found = store.search_text(f"{before} warfarin {after}", ["leaflets"], 10)
    assert "d1:1" in [chunk_id for chunk_id, _ in found]


def test_operators_are_words(store: SqliteLibrary) -> None:
    assert [i for i, _ in store.search_text("NEAR", ["leaflets"], 9)] == ["d1:2"]
    assert store.search_text("metformin NOT glucose", ["leaflets"], 9)[0][0] == "d1:0"
    assert store.search_text("metfor*", ["leaflets"], 9) == []
    assert store.search_text("text:warfarin", ["leaflets"], 9)[0][0] == "d1:1"


def test_words_are_stemmed_and_case_folded(store: SqliteLibrary) -> None:
    assert store.search_text("INTERACTION", ["leaflets"], 9)[0][0] == "d1:1"
    assert store.chunks_with_word("interacting", ["leaflets"]) == 1
    assert store.chunks_with_word("", ["leaflets"]) == 0
    assert store.search_text("...", ["leaflets"], 9) == []


def test_scope_and_limit(store: SqliteLibrary) -> None:
    assert store.search_text("metformin", [], 9) == []
    assert store.search_text("metformin", ["nobody's"], 9) == []
    assert len(store.search_text("only words metformin warfarin", ["leaflets"], 2)) == 2
    hostile = "leaflets') OR 1=1 --"
    assert store.search_text("metformin", [hostile], 9) == [] and store.count_chunks([hostile]) == 0


@pytest.mark.parametrize(
    "name",
    ["'; DROP TABLE documents; --", '" OR ""="', "Robert'); --", "%", "a_b%", "<script>x</script>"],
)
def test_names_that_look_like_sql(store: SqliteLibrary, name: str) -> None:
    new = add(store, document(name, "other", file=name), "Some text.")
    kept = store.document(name)
    assert kept is not None and kept.file == name and kept.title == name
    assert kept.metadata == new.metadata and kept.state is DocumentState.READY
    assert store.document_by_hash("other", new.sha256) == kept
    assert [found.id for found in store.documents("other")] == [name]
    assert store.remove_document(name) == REMOVED
    assert store.count_document_rows(name) == 0 and store.documents("other") == []
    assert store.count_chunks(["leaflets"]) == 3


@given(text=st.text(min_size=1, max_size=200).filter(lambda text: "\x00" not in text))
def test_any_text_comes_back_unchanged(store: SqliteLibrary, text: str) -> None:
    add(store, document("any", "other"), text, context=text[:50])
    try:
        (chunk,) = store.document_chunks("any")
        assert (chunk.text, chunk.context) == (text, text[:50])
        page = store.page("any", 1)
        assert page is not None and page.text == text
        assert store.page("any", 2) is None
    finally:
        store.remove_document("any")


def test_chunks_come_back_as_they_went_in(store: SqliteLibrary) -> None:
    assert store.document_chunks("d1") == chunks_of("d1", *TEXTS)
    found = store.chunks_by_id(["d1:2", "nobody:0"])
    assert list(found) == ["d1:2"] and found["d1:2"][0].text == TEXTS[2]
    assert found["d1:2"][1].chunks == 3 and found["d1:2"][1].pages == 1
    assert list(store.all_chunks()) == chunks_of("d1", *TEXTS)


def test_the_same_bytes_twice_in_one_index(store: SqliteLibrary) -> None:
    same = replace(document("d2"), sha256="hash of d1")
    with pytest.raises(Conflict) as caught:
        store.begin_documents([document("d3"), same])
    assert caught.value.code == "IN_WORK"
    assert store.document("d2") is store.document("d3") is None, "all or none"
    store.begin_documents([replace(same, index="other")])
    assert store.hashes("other") == {"hash of d1"}
    store.remove_document("d2")


def test_a_document_of_an_index_that_is_gone(store: SqliteLibrary) -> None:
    with pytest.raises(NotFound) as caught:
        store.begin_documents([document("d2", "nobody")])
    assert caught.value.code == "INDEX_NOT_FOUND" and store.document("d2") is None


def test_a_document_is_finished_as_a_whole(store: SqliteLibrary) -> None:
    new = document("broken", "other")
    store.begin_documents([new])
    twice = chunks_of("broken", "one") * 2
    with pytest.raises(Exception, match="UNIQUE"):
        store.finish_documents([Filling(new, [Page(1, "one")], twice, {})])
    kept = store.document("broken")
    assert kept is not None and kept.state is DocumentState.INGESTING
    assert store.pages("broken") == [] and store.search_text("one", ["other"], 9) == []
    store.remove_document("broken")


def test_documents_are_finished_together_or_not_at_all(store: SqliteLibrary) -> None:
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
    store.remove_document("first")


def test_a_new_version_takes_the_place_of_the_old_in_one_moment(store: SqliteLibrary) -> None:
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


def test_what_a_file_is_comes_back(store: SqliteLibrary) -> None:
    new = replace(document("kind", "other"), kind=Kind.DOCX)
    store.begin_documents([new])
    read = replace(new, pages=3, blank_pages=1, ocr_pages=2, metadata={"title": "Ü"})
    store.finish_documents([Filling(read, [Page(0, "text")], chunks_of("kind", "text"), {})])
    kept = store.document("kind")
    assert kept == replace(read, chunks=1, state=DocumentState.READY)
    store.remove_document("kind")


def test_mentions_can_be_found_anew(store: SqliteLibrary) -> None:
    assert store.mentions_of_chunks(["d1:0"]) == {"d1:0": {"E1": 2}}
    store.replace_mentions({"d1:1": {"E2": 1, "E3": 4}})
    assert store.mentions_of_chunks(["d1:0", "d1:1"]) == {"d1:1": {"E2": 1, "E3": 4}}
    assert store.documents_mentioning("E1") == []
    ((found, times),) = store.documents_mentioning("E3")
    assert (found.id, times) == ("d1", 4)


def test_indexes(store: SqliteLibrary) -> None:
    assert [index.name for index in store.indexes()] == ["leaflets", "other"]
    index = store.index("leaflets")
    assert index is not None and (index.model, index.dimension) == ("m", 3)
    assert index.profile is Profile.LEAFLET and store.index("nobody's") is None


def test_newest_documents_first(tmp_path: Path) -> None:
    library = SqliteLibrary(Database(tmp_path / "materia.db"))
    library.create_index(Index("leaflets", Profile.LEAFLET, "m", 3, datetime.now(UTC)))
    for name in ("old", "middle", "new"):
        add(library, document(name), "text")
    assert [found.id for found in library.documents()] == ["new", "middle", "old"]


def test_sections_narrow_a_search_by_words(tmp_path: Path) -> None:
    library = SqliteLibrary(Database(tmp_path / "materia.db"))
    library.create_index(Index("leaflets", Profile.LEAFLET, "m", 3, datetime.now(UTC)))
    new = document("d")
    sections = ("posology", "", "interactions", "posology")
    chunks = [
        replace(chunk, section=section)
        for chunk, section in zip(chunks_of("d", *["warfarin"] * 4), sections, strict=True)
    ]
    library.begin_documents([new])
    library.finish_documents([Filling(new, [Page(1, "warfarin")], chunks, {})])

    def found(*wanted: str, limit: int = 9) -> list[str]:
        return [i for i, _ in library.search_text("warfarin", ["leaflets"], limit, wanted)]

    assert found() == ["d:0", "d:1", "d:2", "d:3"]
    assert found("posology") == ["d:0", "d:3"] and found("interactions") == ["d:2"]
    assert found("posology", "interactions", limit=2) == ["d:0", "d:2"]
    assert found("storage") == [] == found("posology') OR 1=1 --")


def test_looking_for_problems_waits_for_a_writer(tmp_path: Path) -> None:
    database = Database(tmp_path / "materia.db")
    library = SqliteLibrary(database)
    library.create_index(Index("leaflets", Profile.LEAFLET, "m", 3, datetime.now(UTC)))
    found: list[list[tuple[str, str, int]]] = []
    with database.write() as connection:
        looking = threading.Thread(target=lambda: found.append(library.problems()))
        looking.start()
        connection.execute(
            "INSERT INTO documents (id, index_name, file, title, sha256, bytes, pages, chunks, "
            "state, metadata, created_at) "
            "VALUES ('d', 'leaflets', 'f', 't', 'h', 1, 1, 2, 'ready', '{}', '2026-01-01')"
        )
        looking.join(0.2)
        assert found == []
    looking.join()
    assert found == [[("chunk_count", "d", 2)]], "what was written is seen"


# -- whole indexes ---------------------------------------------------------------------------------


@pytest.fixture
def two(tmp_path: Path) -> SqliteLibrary:
    """Two indexes with one document each."""
    library = SqliteLibrary(Database(tmp_path / "materia.db"))
    for name in ("a", "b"):
        library.create_index(Index(name, Profile.LEAFLET, "m", 3, datetime.now(UTC)))
        add(library, document(f"{name}1", name), "warfarin one", "warfarin two")
    return library


@pytest.mark.req("KB-1")
def test_an_index_that_exists_stays_as_it_is(two: SqliteLibrary) -> None:
    before = two.index("a")
    with pytest.raises(Conflict) as caught:
        two.create_index(Index("a", Profile.SEMANTIC, "other", 9, datetime.now(UTC), 4))
    assert (caught.value.code, caught.value.status) == ("INDEX_EXISTS", 409)
    assert two.index("a") == before and two.count_index("a").documents == 1


def test_an_index_is_counted_and_removed_alone(two: SqliteLibrary) -> None:
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


def test_an_index_goes_over_to_other_vectors_with_its_new_chunks(two: SqliteLibrary) -> None:
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


def test_a_swap_that_fails_changes_nothing(two: SqliteLibrary) -> None:
    index = two.index("a")
    assert index is not None
    before = two.document_chunks("a1")
    new = replace(index, model="n", dimension=5, generation=1)
    with pytest.raises(Exception, match="FOREIGN KEY"):
        two.swap_index(new, {"a1": chunks_of("a1", "one")}, {"a1:9": {"E7": 3}})
    assert two.index("a") == index and two.document_chunks("a1") == before
    assert two.problems() == []
