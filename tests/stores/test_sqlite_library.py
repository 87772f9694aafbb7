"""The registry in a real SQLite file; what holds for every store is in tests/contract."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from core.stores.sqlite.database import Database
from core.stores.sqlite.library import SqliteLibrary
from tests.contract.documents import add, an_index, chunks_of, document


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(tmp_path / "materia.db")


@pytest.fixture
def library(database: Database) -> SqliteLibrary:
    library = SqliteLibrary(database)
    library.create_index(an_index("leaflets"))
    return library


def test_looking_for_problems_waits_for_a_writer(
    database: Database, library: SqliteLibrary
) -> None:
    found: list[list[tuple[str, str, int]]] = []
    with database.write() as connection:
        looking = threading.Thread(target=lambda: found.append(library.problems()))
        looking.start()
        connection.execute(
            'INSERT INTO documents (id, "index", file, title, sha256, bytes, pages, chunks, state, '
            "created_at, metadata, kind, blank_pages, ocr_pages) "
            "VALUES ('d', 'leaflets', 'f', 't', 'h', 1, 1, 2, 'ready', '2026-01-01', '{}', 'pdf', 0, 0)"
        )
        looking.join(0.2)
        assert found == []
    looking.join()
    assert found == [[("chunk_count", "d", 2)]], "what was written is seen"


def test_what_disagrees_is_found_and_mended(database: Database, library: SqliteLibrary) -> None:
    add(library, document("d"), "warfarin one", "warfarin two")
    with database.write() as connection:
        connection.execute("UPDATE documents SET chunks = 9")
        # Past the triggers: the full text still has the old words.
        connection.execute("UPDATE chunks SET text = 'aspirin one' WHERE position = 0")
    assert library.problems() == [("chunk_count", "d", 7), ("full_text", "", 1)]
    library.repair_text()
    assert library.problems() == [] and library.count_chunks(["leaflets"]) == 2
    assert [i for i, _ in library.search_text("aspirin", ["leaflets"], 9)] == ["d:0"]
    assert [i for i, _ in library.search_text("warfarin", ["leaflets"], 9)] == ["d:1"]


def test_the_words_of_a_removed_document_are_not_in_the_file(
    database: Database, library: SqliteLibrary
) -> None:
    add(library, document("d"), "Xylotetrazine lowers the mood.")
    add(library, document("kept"), *[chunk.text for chunk in chunks_of("kept", "Other words.")])
    library.remove_document("d")
    library.purge()
    files = [one for one in database.path.parent.iterdir() if one.is_file()]
    assert files and not any(b"ylotetrazin" in one.read_bytes().lower() for one in files)
