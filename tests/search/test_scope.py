"""A search within some documents, sections and days."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.library.shelves import LEAFLETS
from core.domain.documents import Filling, Page, Profile
from core.errors import InputError, NotFound
from core.search.options import MODES, SearchOptions, read_day
from core.search.scope import document_dates, resolve_scope
from tests.contract.documents import chunks_of
from tests.support.fakes import HashEncoder
from tests.support.shelf import Shelf, open_shelf, unfinished

YEARS = {f"y{year}": {"year": str(year)} for year in range(2010, 2020)}
OWN = {
    "pdf": {"creationdate": "D:20150310120000+01'00'"},
    "docx": {"created": "2015-03-10T12:00:00Z"},
    "broken": {"creationdate": "D:20159999", "year": ""},
    "none": {"title": "2015"},
}
ADDED = datetime(2021, 6, 15, 23, 30, tzinfo=UTC)
_PASSAGES = 6


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """Documents of six passages each, half of them in an index of their own; all near the query."""
    made = open_shelf(tmp_path_factory.mktemp("scope"))
    for number, (name, metadata) in enumerate({**YEARS, **OWN}.items()):
        index = LEAFLETS if number % 2 else "papers"
        made.library.ensure_index(index, Profile.LEAFLET)
        document = replace(unfinished(name, index), metadata=metadata, created_at=ADDED)
        texts = [f"warfarin {'bleeding ' * (number % 3)}{name} {n}" for n in range(_PASSAGES)]
        chunks = [
            replace(chunk, section="storage" if chunk.position % 2 else "posology")
            for chunk in chunks_of(name, *texts, context="")
        ]
        made.store.begin_documents([document])
        made.vectors.add(index, chunks, HashEncoder().encode(texts))
        filling = Filling(replace(document, pages=1), [Page(1, "\n".join(texts))], chunks, {})
        made.store.finish_documents([filling])
    return made


names = st.lists(st.sampled_from([*YEARS, *OWN]), max_size=4, unique=True).map(tuple)


@given(
    documents=names,
    indexes=st.sampled_from([(), (LEAFLETS,), ("papers",)]),
    sections=st.sampled_from([(), ("storage",), ("none",)]),
    years=st.tuples(st.integers(2009, 2022), st.integers(2009, 2022)).map(sorted) | st.none(),
    mode=st.sampled_from(MODES),
    k=st.integers(1, 100),
)
def test_exactly_what_is_in_scope_is_found_and_fills_k(
    shelf: Shelf,
    documents: tuple[str, ...],
    indexes: tuple[str, ...],
    sections: tuple[str, ...],
    years: list[int] | None,
    mode: str,
    k: int,
) -> None:
    since = date(years[0], 1, 1) if years else None
    until = date(years[1], 12, 31) if years else None
    options = SearchOptions(
        indexes=indexes,
        documents=documents,
        sections=sections,
        since=since,
        until=until,
        mode=mode,
        k=k,
        candidates=1,
    )
    known = [
        document
        for document in shelf.store.documents()
        if (not documents or document.id in documents)
        and (not indexes or document.index in indexes)
        and (not years or years[0] <= document_dates(document)[0].year <= years[1])
    ]
    there = {
        chunk.id
        for document in known
        for chunk in shelf.store.document_chunks(document.id)
        if not sections or chunk.section in sections
    }
    result = shelf.retriever.search("warfarin", options)
    found = [hit.chunk.id for hit in result.hits]
    assert set(found) <= there and len(found) == len(set(found)) == min(k, len(there))
    assert result.searched == _PASSAGES * len(known)


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("y2012", date(2012, 1, 1), date(2012, 12, 31)),
        ("pdf", date(2015, 3, 10), date(2015, 3, 10)),
        ("docx", date(2015, 3, 10), date(2015, 3, 10)),
        ("broken", date(2021, 6, 15), date(2021, 6, 15)),
        ("none", date(2021, 6, 15), date(2021, 6, 15)),
    ],
)
def test_a_documents_own_date_else_the_day_it_was_added(
    shelf: Shelf, name: str, first: date, last: date
) -> None:
    document = shelf.store.document(name)
    assert document is not None and document_dates(document) == (first, last)
    for since, until, inside in (
        (first, last, True),
        (last, None, True),
        (None, first, True),
        (date(2022, 1, 1), None, False),
        (None, date(2009, 1, 1), False),
    ):
        options = SearchOptions(documents=(name,), since=since, until=until)
        assert bool(shelf.retriever.search("warfarin", options).hits) is inside


@given(st.dictionaries(st.sampled_from(["year", "date", "creationdate"]), st.text(max_size=20)))
def test_whatever_metadata_say_there_is_a_date(metadata: dict[str, str]) -> None:
    first, last = document_dates(replace(unfinished("d"), metadata=metadata))
    assert date(1000, 1, 1) <= first <= last


def test_bad_scopes_have_codes(shelf: Shelf) -> None:
    with pytest.raises(NotFound) as missing:
        shelf.retriever.search("x", SearchOptions(documents=("y2012", "nobody")))
    assert missing.value.code == "DOCUMENT_NOT_FOUND" and "nobody" in str(missing.value)
    turned = SearchOptions(since=date(2020, 1, 2), until=date(2020, 1, 1))
    with pytest.raises(InputError) as order:
        shelf.retriever.search("x", turned)
    assert order.value.code == "INVALID_DATE"
    for text in ("yesterday", "2020-13-01", "20", "2020-02-30", "\x00"):
        with pytest.raises(InputError) as bad:
            read_day(text)
        assert bad.value.code == "INVALID_DATE"
    assert read_day("") is None and read_day("2020-02-29") == date(2020, 2, 29)


def test_an_index_that_comes_while_the_scope_is_read_is_not_asked(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = shelf.store.indexes()
    before = [index for index in now if index.name != LEAFLETS]
    read = iter([before])
    monkeypatch.setattr(shelf.store, "indexes", lambda: next(read, now))
    assert [one.name for one in resolve_scope(shelf.store, SearchOptions()).indexes] == ["papers"]
