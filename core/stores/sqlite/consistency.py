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
    """(kind, document id or "", count) of every disagreement within the database.

    Args:
        connection: in a write transaction, so that nobody changes what is compared.
    """
    found: list[tuple[str, str, int]] = []
    damage = [row[0] for row in connection.execute("PRAGMA quick_check")]
    if damage != ["ok"]:
        found.append(("damaged_database", "", len(damage)))
    for row in connection.execute(_COUNTS_DIFFER):
        found.append(("chunk_count", row[0], row[1]))
    if not all(places.agrees(connection, part) for part in places.parts(connection)):
        found.append(("full_text", "", 1))
    return found


def repair(connection: sqlite3.Connection) -> None:
    """Make the full text from the chunks anew; let each document report the chunks it has."""
    for part in places.parts(connection):
        places.rebuild(connection, part)
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
