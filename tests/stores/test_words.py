"""The full text of the embedded store, against FTS5's own: the same passages in the same order."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.stores.sqlite.database import Database
from core.stores.sqlite.full_text import read_query
from core.stores.sqlite.library import SqliteLibrary
from core.stores.sqlite.schema import MIGRATIONS
from core.stores.sqlite.words import places
from core.stores.sqlite.words.ranking import rank
from core.stores.sqlite.words.tokens import (
    COUNT_BITS,
    MOST_COUNTED,
    PART,
    PLACE_BITS,
    key_of,
    places_of,
)
from tests.contract.documents import an_index

_FTS5 = "CREATE VIRTUAL TABLE known USING fts5 (context, text, tokenize = 'porter unicode61')"
_WORDS = "dose dosing warfarin Ärzte 2.5 not taken must mg the of x_y".split()
_REPEATED = st.sampled_from(
    [1, 1, 1, 5, 40]
)  # a word may be in a passage more often than one count holds
texts = st.builds(
    lambda words, times: " ".join(words * times),
    st.lists(st.sampled_from(_WORDS), max_size=12),
    _REPEATED,
)
# Rows of three parts, some of them empty.
rows = st.sampled_from([1, 2, 3, 7, PART - 1, PART, PART + 1, 3 * PART, 3 * PART + 5])
phrases = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=3).map(" ".join)
_SIGNS = (
    "aé\u0301µ·’–\u00ad ̈İ中ⅷ٣\U0001f600.\x00 Tests"  # that part words, are of them, or are neither
)
written = st.builds(
    str.__mul__,
    st.text(st.sampled_from(_SIGNS) | st.characters(exclude_categories=["Cs"]), max_size=30),
    _REPEATED,
)


@pytest.fixture(scope="module")
def empty() -> Iterator[sqlite3.Connection]:
    with sqlite3.connect(":memory:", isolation_level=None) as connection:
        connection.row_factory = sqlite3.Row
        for script in MIGRATIONS:
            connection.executescript(script)
        connection.execute(_FTS5)
        yield connection


def found_by_fts5(
    connection: sqlite3.Connection, words: Sequence[str], phrase: str
) -> list[tuple[int, float]]:
    match = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
    if phrase:
        match = f'({match}) AND "{phrase}"'
    statement = "SELECT rowid, -rank FROM known WHERE known MATCH ? ORDER BY rank, rowid"
    return [tuple(row) for row in connection.execute(statement, (match,))]


@given(
    kept=st.dictionaries(rows, st.tuples(texts, texts), min_size=1),
    gone=st.sets(rows, max_size=4),
    words=st.lists(st.sampled_from(["dose", "warfarin", "taken", "mg"]), min_size=1, max_size=4),
    phrase=phrases | st.just(""),
)
def test_passages_rank_as_in_fts5(
    empty: sqlite3.Connection,
    kept: dict[int, tuple[str, str]],
    gone: set[int],
    words: list[str],
    phrase: str,
) -> None:
    every = [(row, *kept[row]) for row in sorted(kept)]
    left = [one for one in every if one[0] not in gone]
    empty.execute("BEGIN")
    try:
        half = len(every) // 2
        places.add(empty, every[:half])
        places.add(empty, every[half:])
        places.remove(empty, [one for one in every if one[0] in gone])
        empty.executemany("INSERT INTO known (rowid, context, text) VALUES (?, ?, ?)", left)
        known = found_by_fts5(empty, words, phrase.replace(".", " ").replace("_", " "))
        # One phrase: read_query would take its signs as ends of words.
        ranked = rank(empty, read_query(" ".join(words), [phrase] if phrase else []))
        found_rows, scores = ranked.best(1000)
        assert scores.tolist() == pytest.approx(
            sorted((s for _, s in known), reverse=True), rel=1e-5
        )
        assert dict(zip(found_rows.tolist(), scores.tolist(), strict=True)) == pytest.approx(
            dict(known), rel=1e-5
        )
        few = rank(empty, read_query(" ".join(words), [phrase] if phrase else []), wanted=2)
        assert few.best(2)[0].tolist() == found_rows[:2].tolist()
        among, _ = rank(empty, read_query(" ".join(words)), [1, 5 * PART]).best(9)
        assert set(among.tolist()) <= {1}
    finally:
        empty.execute("ROLLBACK")


@given(st.lists(st.tuples(written, written), max_size=4))
def test_words_stand_where_fts5_says(
    empty: sqlite3.Connection, passages: list[tuple[str, str]]
) -> None:
    empty.execute("BEGIN")
    try:
        numbered = [(row, *both) for row, both in enumerate(passages, start=1)]
        empty.executemany("INSERT INTO known (rowid, context, text) VALUES (?, ?, ?)", numbered)
        empty.execute("CREATE VIRTUAL TABLE temp.said USING fts5vocab (main, known, instance)")
        known: dict[int, list[int]] = {}
        for row in empty.execute('SELECT term, doc, col, "offset" AS nth FROM said'):
            place = (row["col"] == "text") << (PLACE_BITS - 1) | row["nth"]
            known.setdefault(key_of(row["term"]), []).append(row["doc"] << PLACE_BITS | place)
        found = places_of(numbered)
        assert list(found) == sorted(found)
        kept = {key: memoryview(one.places).cast("I").tolist() for key, one in found.items()}
        assert kept == known
        for stands in found.values():
            often = Counter[int]()
            for count in memoryview(stands.counts).cast("H"):
                often[count >> COUNT_BITS] += count & MOST_COUNTED
            places_there = memoryview(stands.places).cast("I")
            assert often == Counter(place >> PLACE_BITS for place in places_there)
    finally:
        empty.execute("ROLLBACK")


@pytest.mark.parametrize("version", [9, 10])  # with FTS5's index, and with places alone
def test_a_library_of_an_earlier_materia_is_indexed_when_it_is_opened(
    tmp_path: Path, version: int
) -> None:
    earlier = Database(tmp_path / "materia.db", MIGRATIONS[:version])
    with earlier.write() as connection:
        connection.execute(
            "INSERT INTO indexes VALUES ('leaflets', 'leaflet', 'm', 2, '2026-01-01', 0, 0)"
        )
        connection.execute(
            'INSERT INTO documents (id, "index", file, title, sha256, bytes, pages, chunks, state, '
            "created_at, metadata, kind, blank_pages, ocr_pages) VALUES "
            "('d', 'leaflets', 'f', 't', 'h', 1, 1, 2, 'ready', '2026-01-01', '{}', 'pdf', 0, 0)"
        )
        for position, row in enumerate((7, PART + 7)):
            connection.execute(
                "INSERT INTO chunks VALUES (?, ?, 'd', 'leaflets', ?, 1, '', '', 0, 8, ?, '')",
                (row, f"d:{position}", position, f"warfarin {position}"),
            )
    earlier.close()
    database = Database(tmp_path / "materia.db")
    with database.write() as connection:  # as far as an opening came that was killed
        places.rebuild(connection, 0)
        connection.execute("DELETE FROM text_pending WHERE part = 0")
    library = SqliteLibrary(database)
    found = [key for key, _ in library.search_text("warfarin", ["leaflets"], 9)]
    assert found == ["d:0", "d:1"] and library.problems() == []
    assert (
        library.count_text_rows() == 2 and library.chunks_with_word("warfarin", ["leaflets"]) == 2
    )
    library.create_index(an_index("other"))
    assert library.remove_document("d")["text"] == 2 and library.count_text_rows() == 0
