"""Registry and full text in a real SQLite file; whatever a person types is only words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.domain.documents import Chunk, Document, DocumentState, Index, Page, Profile
from core.errors import Conflict
from core.stores.sqlite import Database, SqliteLibrary

TEXTS = (
    "Metformin lowers blood glucose. Do not take it with severe kidney disease.",
    "Warfarin interacts with aspirin; bleeding is possible.",
    'NEAR AND OR NOT are only words here, as is the star * and the quote " and col:umn.',
)
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


def add(store: SqliteLibrary, new: Document, *texts: str, context: str = "Title") -> Document:
    store.begin_document(new)
    chunks = chunks_of(new.id, *texts, context=context)
    store.finish_document(new, [Page(1, "\n".join(texts))], chunks, {chunks[0].id: {"E1": 2}})
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
    assert store.remove_document(name) == {"documents": 1, "pages": 1, "chunks": 1, "mentions": 1}
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
    with pytest.raises(Conflict):
        store.begin_document(replace(document("d2"), sha256="hash of d1"))
    assert store.document("d2") is None
    store.begin_document(replace(document("d2", "other"), sha256="hash of d1"))
    store.remove_document("d2")


def test_a_document_is_finished_as_a_whole(store: SqliteLibrary) -> None:
    new = document("broken", "other")
    store.begin_document(new)
    twice = chunks_of("broken", "one") * 2
    with pytest.raises(Exception, match="UNIQUE"):
        store.finish_document(new, [Page(1, "one")], twice, {})
    kept = store.document("broken")
    assert kept is not None and kept.state is DocumentState.INGESTING
    assert store.pages("broken") == [] and store.search_text("one", ["other"], 9) == []
    store.remove_document("broken")


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
