"""Whether registry, chunks and full text agree, and how they are made to."""

from __future__ import annotations

import sqlite3

from core.logs import get_logger
from core.stores.sqlite.database import Database
from core.stores.sqlite.words import places

_log = get_logger("full_text")
_COUNTS_DIFFER = (
    "SELECT documents.id, abs(documents.chunks - count(chunks.row)) AS difference FROM documents "
    "LEFT JOIN chunks ON chunks.document_id = documents.id WHERE documents.state = 'ready' "
    "GROUP BY documents.id HAVING documents.chunks <> count(chunks.row)"
)


def find_problems(connection: sqlite3.Connection) -> list[tuple[str, str, int]]:
    """(kind, document id or "", count) of every disagreement within the database, full text aside.

    Args:
        connection: in a write transaction, so that nobody changes what is compared.
    """
    found: list[tuple[str, str, int]] = []
    damage = [row[0] for row in connection.execute("PRAGMA quick_check")]
    if damage != ["ok"]:
        found.append(("damaged_database", "", len(damage)))
    for row in connection.execute(_COUNTS_DIFFER):
        found.append(("chunk_count", row[0], row[1]))
    return found


def text_agrees(database: Database) -> bool:
    """Whether the full text says what the chunks do; part after part, so that nobody waits for long."""
    for part in places.parts(database.connection):
        try:
            with database.snapshot():
                agrees = places.agrees(database.connection, part)
        except (sqlite3.DatabaseError, ValueError):  # what cannot be read
            return False
        if not agrees:
            return False
    return True


def repair(database: Database) -> None:
    """Make the full text from the chunks anew, a part at a time; let each document report its chunks."""
    for part in places.parts(database.connection):
        with database.write() as connection:
            places.rebuild(connection, part)
    with database.write() as connection:
        connection.execute(
            "UPDATE documents SET chunks = "
            "(SELECT count(*) FROM chunks WHERE chunks.document_id = documents.id) "
            "WHERE state = 'ready'"
        )


def index_pending(database: Database) -> None:
    """Index what an earlier Materia filled in: a part at a time, so that it goes on where it was ended."""
    waiting = "SELECT part FROM text_pending ORDER BY part LIMIT 1"
    while row := database.connection.execute(waiting).fetchone():
        with database.write() as connection:
            # Another process may have been faster.
            for (part,) in connection.execute(waiting).fetchall():
                places.rebuild(connection, part)
                connection.execute("DELETE FROM text_pending WHERE part = ?", (part,))
        _log.info("full_text_made", part=row["part"])
