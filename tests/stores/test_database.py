"""The SQLite file itself: schema history, broken files, transactions, threads."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from core.domain.documents import DocumentState, Kind
from core.errors import SchemaTooNew, StoreError
from core.stores.sqlite.database import Database
from core.stores.sqlite.jobs import SqliteJobs
from core.stores.sqlite.library import SqliteLibrary
from core.stores.sqlite.migrations import MIGRATIONS

ROOT = Path(__file__).resolve().parents[2]


def session_ids(database: Database) -> list[str]:
    rows = database.connection.execute("SELECT id FROM sessions ORDER BY id")
    return [row["id"] for row in rows]


def add_session(connection: sqlite3.Connection, name: str) -> None:
    connection.execute("INSERT INTO sessions VALUES (?, 'analyst', '', '', '')", (name,))


def test_an_empty_folder_gets_the_newest_schema(tmp_path: Path) -> None:
    database = Database(tmp_path / "new" / "folder" / "materia.db")
    assert database.schema_version == len(MIGRATIONS) >= 1
    tables = {row[0] for row in database.connection.execute("SELECT name FROM sqlite_schema")}
    assert {"documents", "pages", "chunks", "chunks_text", "counters", "sessions"} <= tables
    assert database.connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert database.connection.execute("PRAGMA foreign_keys").fetchone()[0] == 1


def test_the_schema_is_what_the_history_makes(tmp_path: Path) -> None:
    """The scripts run one after the other by SQLite itself give the same schema."""
    plain = sqlite3.connect(":memory:")
    for script in MIGRATIONS:
        plain.executescript(script)
    schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
    ours = Database(tmp_path / "materia.db").connection.execute(schema)
    assert [tuple(row) for row in ours] == plain.execute(schema).fetchall()


def test_opening_again_keeps_everything(tmp_path: Path) -> None:
    database = Database(tmp_path / "materia.db")
    with database.write() as connection:
        add_session(connection, "s1")
    database.close()
    again = Database(tmp_path / "materia.db")
    assert session_ids(again) == ["s1"] and again.schema_version == len(MIGRATIONS)


def of_version_1(path: Path) -> None:
    """A library as the first Materia wrote it: a leaflet of two pages and an abstract."""
    made = sqlite3.connect(path)
    made.execute("PRAGMA journal_mode = WAL")
    made.executescript(MIGRATIONS[0])
    made.execute("PRAGMA user_version = 1")
    for name, profile in (("leaflets", "leaflet"), ("abstracts", "abstract")):
        made.execute(
            "INSERT INTO indexes VALUES (?, ?, 'm', 3, '2026-01-02T03:04:05+00:00')",
            (name, profile),
        )
    documents = (("d1", "leaflets", "a.pdf", 2), ("x1", "abstracts", "arXiv 1", 1))
    for document_id, index, file, pages in documents:
        made.execute(
            "INSERT INTO documents (id, index_name, file, title, sha256, bytes, pages, chunks, state, "
            "metadata, created_at) VALUES (?, ?, ?, 'T', ?, 9, ?, ?, 'ready', '{\"author\": \"Ä\"}', "
            "'2026-01-02T03:04:05.000006+00:00')",
            (document_id, index, file, document_id, pages, pages),
        )
        for number in range(1, pages + 1):
            text = f"warfarin {file} {number}"
            chunk = f"{document_id}:{number - 1}"
            made.execute("INSERT INTO pages VALUES (?, ?, ?)", (document_id, number, text))
            made.execute(
                "INSERT INTO chunks (id, document_id, index_name, position, page, section, heading, "
                "start, end, context, text) VALUES (?, ?, ?, ?, ?, 'posology', 'Dose', 0, ?, 'T', ?)",
                (chunk, document_id, index, number - 1, number, len(text), text),
            )
            made.execute("INSERT INTO mentions VALUES (?, 'E1', ?)", (chunk, number))
    made.commit()
    made.close()


def test_a_library_of_the_first_version_keeps_its_documents(tmp_path: Path) -> None:
    of_version_1(tmp_path / "materia.db")
    database = Database(tmp_path / "materia.db")
    store = SqliteLibrary(database)
    assert database.schema_version == len(MIGRATIONS) > 1
    leaflet, abstract = store.document("d1"), store.document("x1")
    assert leaflet is not None and abstract is not None
    assert (leaflet.kind, leaflet.file, leaflet.pages, leaflet.chunks) == (Kind.PDF, "a.pdf", 2, 2)
    assert (abstract.kind, abstract.file, abstract.pages, abstract.chunks) == (
        Kind.ABSTRACT, "arXiv 1", 0, 1,
    )  # fmt: skip
    for document in (leaflet, abstract):
        assert document.state is DocumentState.READY and document.metadata == {"author": "Ä"}
        assert (document.blank_pages, document.ocr_pages) == (0, 0)
        assert document.created_at.isoformat() == "2026-01-02T03:04:05.000006+00:00"
    assert [(page.number, page.text) for page in store.pages("d1")] == [
        (1, "warfarin a.pdf 1"), (2, "warfarin a.pdf 2"),
    ]  # fmt: skip
    assert [(page.number, page.text) for page in store.pages("x1")] == [(0, "warfarin arXiv 1 1")]
    assert [chunk.page for chunk in store.document_chunks("d1")] == [1, 2]
    assert [chunk.page for chunk in store.document_chunks("x1")] == [0]
    assert store.mentions_of_document("d1") == {"E1": 3}
    found = store.search_text("warfarin", ["leaflets", "abstracts"], 9, ["posology"])
    assert sorted(chunk_id for chunk_id, _ in found) == ["d1:0", "d1:1", "x1:0"]
    for index in store.indexes():
        assert (index.generation, index.deleting, index.collection) == (0, False, index.name)
    assert store.problems() == [] and SqliteJobs(database).jobs() == []
    assert store.remove_document("x1")["text"] == 1 and store.count_document_rows("x1") == 0


@pytest.mark.parametrize(
    ("version", "statement"),
    [
        (0, "CREATE TABLE mentions"),
        (1, "CREATE TABLE jobs"),
        (2, "ALTER TABLE entities RENAME TO old_entities"),
    ],
)
def test_an_upgrade_that_is_killed_leaves_the_old_version(
    tmp_path: Path, version: int, statement: str
) -> None:
    """The process dies in the middle of it: the file is as it was, and can be upgraded later."""
    path = tmp_path / "materia.db"
    if version:
        of_version_1(path)
    if version > 1:
        with sqlite3.connect(path) as connection:
            connection.executescript(MIGRATIONS[1])
            connection.execute("PRAGMA user_version = 2")
    program = (
        "import os, sys\n"
        "from contextlib import contextmanager\n"
        "from pathlib import Path\n"
        "from core.stores.sqlite import Database\n"
        "def die(statement):\n"
        "    if sys.argv[2] in statement:\n"
        "        os._exit(9)\n"
        "class Dying(Database):\n"
        "    @contextmanager\n"
        "    def write(self):\n"
        "        with super().write() as connection:\n"
        "            connection.set_trace_callback(die)\n"
        "            yield connection\n"
        "Dying(Path(sys.argv[1]))\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, str(path), statement], cwd=ROOT, timeout=30, check=False
    )
    assert ended.returncode == 9
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] == version
    assert Database(path).schema_version == len(MIGRATIONS)
    assert len(SqliteLibrary(Database(path)).documents()) == (2 if version else 0)


def test_a_file_of_a_newer_materia_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "materia.db"
    Database(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    with pytest.raises(SchemaTooNew) as caught:
        Database(path)
    assert caught.value.code == "SCHEMA_TOO_NEW" and "Update Materia" in str(caught.value)
    with sqlite3.connect(path) as connection:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    assert version == len(MIGRATIONS) + 1


@pytest.mark.parametrize("content", [b"this is no database, only text. " * 200, b"SQLite format 3"])
def test_a_file_that_is_no_database(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "materia.db"
    path.write_bytes(content)
    with pytest.raises(StoreError) as caught:
        Database(path)
    words = str(caught.value)
    assert caught.value.code == "STORE_UNAVAILABLE" and "database cannot be opened" in words
    assert str(tmp_path) not in words and "sqlite3." not in words
    assert path.read_bytes() == content, "a broken file must not be overwritten"


def test_a_folder_in_the_files_place(tmp_path: Path) -> None:
    (tmp_path / "materia.db").mkdir()
    with pytest.raises(StoreError) as caught:
        Database(tmp_path / "materia.db")
    assert str(tmp_path) not in str(caught.value)


def test_a_data_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("x")
    with pytest.raises(StoreError) as caught:
        Database(tmp_path / "data" / "materia.db")
    assert str(tmp_path) not in str(caught.value)


def test_an_exception_takes_everything_back(tmp_path: Path) -> None:
    database = Database(tmp_path / "materia.db")
    with database.write() as connection:
        add_session(connection, "kept")
    with pytest.raises(KeyError), database.write() as connection:
        add_session(connection, "gone")
        raise KeyError
    assert session_ids(database) == ["kept"] and not database.connection.in_transaction
    with database.write() as connection:
        add_session(connection, "later")
    assert session_ids(database) == ["kept", "later"]


def test_damage_while_writing_is_a_store_error(tmp_path: Path) -> None:
    database = Database(tmp_path / "materia.db")
    with pytest.raises(StoreError) as caught, database.write() as connection:
        add_session(connection, "gone")
        connection.execute("SELECT * FROM no_such_table")
    assert "refused a write" in str(caught.value) and session_ids(database) == []


def test_a_full_disk_is_a_store_error(tmp_path: Path) -> None:
    database = Database(tmp_path / "materia.db")
    pages = database.connection.execute("PRAGMA page_count").fetchone()[0]
    database.connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError) as caught, database.write() as connection:
        for number in range(5000):
            add_session(connection, f"{number}" * 50)
    assert caught.value.retryable and "full" in str(caught.value)
    assert session_ids(database) == []


def test_two_threads_write_without_losing_anything(tmp_path: Path) -> None:
    database = Database(tmp_path / "materia.db")
    problems: list[BaseException] = []

    def work(name: str) -> None:
        try:
            for number in range(50):
                with database.write() as connection:
                    add_session(connection, f"{name}{number}")
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == [] and len(session_ids(database)) == 100


def test_threads_that_end_leave_no_open_file(tmp_path: Path) -> None:
    """A page is drawn by a new thread each time; one that still runs keeps its connection."""
    database = Database(tmp_path / "materia.db")
    goes_on = threading.Event()
    held: list[list[str]] = []

    def outlast_the_others() -> None:
        session_ids(database)
        goes_on.wait()
        held.append(session_ids(database))

    def open_files() -> int:
        links = Path("/proc/self/fd").iterdir()
        return sum(str(tmp_path) in str(link.resolve()) for link in links)

    lasting = threading.Thread(target=outlast_the_others)
    lasting.start()
    before = open_files()
    for _ in range(300):
        drawing = threading.Thread(target=session_ids, args=(database,))
        drawing.start()
        drawing.join()
    assert open_files() <= before + 4, "those of the last thread are closed by the next one"
    goes_on.set()
    lasting.join()
    assert held == [[]] and session_ids(database) == []
    database.close()
    assert open_files() == 0


def test_readers_see_only_what_is_committed(tmp_path: Path) -> None:
    database = Database(tmp_path / "materia.db")
    seen: list[list[str]] = []
    with database.write() as connection:
        add_session(connection, "s1")
        reader = threading.Thread(target=lambda: seen.append(session_ids(database)))
        reader.start()
        reader.join()
    assert seen == [[]] and session_ids(database) == ["s1"]


def test_many_openers_at_once_of_a_new_file(tmp_path: Path) -> None:
    """The server and a command may both be the first to start."""
    problems: list[str] = []

    def work() -> None:
        try:
            Database(tmp_path / "materia.db")
        except StoreError as error:
            problems.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []


def test_a_killed_writer_leaves_the_last_commit(tmp_path: Path) -> None:
    program = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from core.stores.sqlite import Database\n"
        "database = Database(Path(sys.argv[1]))\n"
        "insert = \"INSERT INTO sessions VALUES (?, 'analyst', '', '', '')\"\n"
        "with database.write() as connection:\n"
        "    connection.execute(insert, ('kept',))\n"
        "with database.write() as connection:\n"
        "    connection.execute(insert, ('gone',))\n"
        "    os._exit(9)\n"
    )
    path = tmp_path / "materia.db"
    ended = subprocess.run(
        [sys.executable, "-c", program, str(path)], cwd=ROOT, timeout=30, check=False
    )
    assert ended.returncode == 9
    assert session_ids(Database(path)) == ["kept"]


def test_what_is_deleted_leaves_neither_file_nor_log(tmp_path: Path) -> None:
    database = Database(tmp_path / "materia.db")
    with database.write() as connection:
        for number in range(300):
            add_session(connection, f"zyxomab {number} " + "x" * 200)
    assert b"zyxomab" in (tmp_path / "materia.db-wal").read_bytes()
    with database.write() as connection:
        connection.execute("DELETE FROM sessions")
    database.checkpoint()
    assert (tmp_path / "materia.db-wal").stat().st_size == 0
    assert b"zyxomab" not in (tmp_path / "materia.db").read_bytes()
