"""The SQLite file itself: schema and migrations, broken files, transactions, threads."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import SchemaTooNew, StoreError
from core.stores.sqlite.database import Database
from core.stores.sqlite.schema import MIGRATIONS

ROOT = Path(__file__).resolve().parents[2]


def session_ids(database: Database) -> list[str]:
    rows = database.connection.execute("SELECT id FROM sessions ORDER BY id")
    return [row["id"] for row in rows]


def add_session(connection: sqlite3.Connection, name: str) -> None:
    connection.execute(
        "INSERT INTO sessions (id, user_id, title, created_at, updated_at) "
        "VALUES (?, 'analyst', '', '', '')",
        (name,),
    )


def test_an_empty_folder_gets_the_newest_schema(tmp_path: Path) -> None:
    database = Database(tmp_path / "new" / "folder" / "materia.db")
    assert database.schema_version == len(MIGRATIONS) >= 1
    tables = {row[0] for row in database.connection.execute("SELECT name FROM sqlite_schema")}
    assert {"documents", "pages", "chunks", "text_places", "counters", "sessions"} <= tables
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


# A made-up history: what a first and a second change of the schema will look like.
LATER = (
    MIGRATIONS[0],
    "CREATE TABLE notes (id TEXT PRIMARY KEY, words INTEGER NOT NULL) STRICT;\n"
    "INSERT INTO notes SELECT id, length(title) FROM sessions;\n",
    "ALTER TABLE sessions ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;\n"
    "CREATE TRIGGER notes_follow AFTER DELETE ON sessions BEGIN\n"
    "    DELETE FROM notes WHERE id = old.id;\n"
    "    DELETE FROM notes WHERE words < 0;\n"
    "END;\n",
)


def of_version(version: int, path: Path) -> None:
    """A library with one conversation, as the Materia of a version leaves it."""
    database = Database(path, LATER[:version])
    with database.write() as connection:
        columns = "id, user_id, title, created_at, updated_at"
        connection.execute(
            f"INSERT INTO sessions ({columns}) VALUES ('s1', 'analyst', 'Äther', '', '')"
        )
    database.close()


def rows(database: Database, query: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in database.connection.execute(query)]


def test_an_earlier_version_is_brought_to_the_newest_with_what_it_holds(tmp_path: Path) -> None:
    for version in (1, 2):
        path = tmp_path / f"{version}.db"
        of_version(version, path)
        database = Database(path, LATER)
        assert database.schema_version == 3
        assert rows(database, "SELECT id, title, pinned FROM sessions") == [("s1", "Äther", 0)]
        # The second script ran once, when it was due: version 2 had no conversation at that time.
        noted = [("s1", 5)] if version == 1 else []
        assert rows(database, "SELECT id, words FROM notes") == noted
        with database.write() as connection:
            connection.execute("DELETE FROM sessions")
        assert rows(database, "SELECT * FROM notes") == []
        database.close()


@pytest.mark.parametrize(
    ("version", "statement"),
    [(0, "CREATE TABLE mentions"), (1, "INTO notes"), (2, "TRIGGER notes")],
)
def test_an_upgrade_that_is_killed_leaves_the_old_version(
    tmp_path: Path, version: int, statement: str
) -> None:
    """The process dies in the middle of it: the file is as it was, and can be upgraded later."""
    path = tmp_path / "materia.db"
    if version:
        of_version(version, path)
    program = (
        "import json, os, sys\n"
        "from contextlib import contextmanager\n"
        "from pathlib import Path\n"
        "from core.stores.sqlite.database import Database\n"
        "def die(statement):\n"
        "    if sys.argv[2] in statement:\n"
        "        os._exit(9)\n"
        "class Dying(Database):\n"
        "    @contextmanager\n"
        "    def write(self):\n"
        "        with super().write() as connection:\n"
        "            connection.set_trace_callback(die)\n"
        "            yield connection\n"
        "Dying(Path(sys.argv[1]), json.loads(sys.argv[3]))\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, str(path), statement, json.dumps(LATER)],
        cwd=ROOT, timeout=60, check=False,
    )  # fmt: skip
    assert ended.returncode == 9
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] == version
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}
        assert ("sessions" in tables, "notes" in tables) == (version > 0, version > 1)
    database = Database(path, LATER)
    assert database.schema_version == len(LATER)
    assert session_ids(database) == (["s1"] if version else [])


def test_a_script_that_fails_leaves_the_old_version(tmp_path: Path) -> None:
    path = tmp_path / "materia.db"
    of_version(1, path)
    with pytest.raises(StoreError):
        Database(path, (*LATER[:2], "DROP TABLE no_such_table;\n"))
    database = Database(path, LATER[:1])
    assert database.schema_version == 1 and session_ids(database) == ["s1"]


def test_a_document_of_the_first_version_is_one_that_nobody_looked_for_orders_in(
    tmp_path: Path,
) -> None:
    path = tmp_path / "materia.db"
    first = Database(path, MIGRATIONS[:1])
    with first.write() as connection:
        connection.execute("INSERT INTO indexes VALUES ('leaflets', 'leaflet', 'm', 3, '', 0, 0)")
        connection.execute(
            "INSERT INTO documents VALUES ('d', 'leaflets', 'A.pdf', 'A', 'x', 1, 1, 1, 'ready', "
            "'2026-01-01T00:00:00+00:00', '{}', 'pdf', 0, 0)"
        )
    first.close()
    database = Database(path)
    assert rows(database, "SELECT id, orders FROM documents") == [("d", -1)]


@pytest.mark.parametrize("version", [0, 1, 2, 4, 9])
def test_a_database_from_before_the_first_release_is_left_alone(
    tmp_path: Path, version: int
) -> None:
    """Whatever version it calls itself, and also another program's file."""
    path = tmp_path / "materia.db"
    with closing(sqlite3.connect(path)) as made:
        made.executescript(
            "PRAGMA journal_mode = WAL;\nCREATE TABLE documents (id TEXT);\n"
            "INSERT INTO documents VALUES ('d1');\n"
            f"PRAGMA user_version = {version};"
        )
    before = path.read_bytes()
    with pytest.raises(StoreError) as caught:
        Database(path)
    assert caught.value.code == "SCHEMA_UNKNOWN" and not caught.value.retryable
    assert "MATERIA_DATA_DIR" in caught.value.advice
    assert str(tmp_path) not in str(caught.value)
    assert path.read_bytes() == before


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
    has_begun, goes_on = threading.Event(), threading.Event()
    held: list[list[str]] = []

    def outlast_the_others() -> None:
        session_ids(database)
        has_begun.set()
        goes_on.wait()
        held.append(session_ids(database))

    def open_files() -> int:
        links = Path("/proc/self/fd").iterdir()
        return sum(str(tmp_path) in str(link.resolve()) for link in links)

    lasting = threading.Thread(target=outlast_the_others)
    lasting.start()
    has_begun.wait()
    before = open_files()
    for _ in range(300):
        drawing = threading.Thread(target=session_ids, args=(database,))
        drawing.start()
        drawing.join()
    after = open_files()
    goes_on.set()
    lasting.join()
    assert after <= before + 4, "those of the last thread are closed by the next one"
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
        "from core.stores.sqlite.database import Database\n"
        "database = Database(Path(sys.argv[1]))\n"
        "columns = 'id, user_id, title, created_at, updated_at'\n"
        "insert = f\"INSERT INTO sessions ({columns}) VALUES (?, 'analyst', '', '', '')\"\n"
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
