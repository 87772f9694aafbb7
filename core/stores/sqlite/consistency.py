"""Whether registry, chunks and full text agree, and how they are made to."""

from __future__ import annotations

import sqlite3

_COUNTS_DIFFER = (
    "SELECT documents.id, abs(documents.chunks - count(chunks.row)) AS difference FROM documents "
    "LEFT JOIN chunks ON chunks.document_id = documents.id WHERE documents.state = 'ready' "
    "GROUP BY documents.id HAVING documents.chunks <> count(chunks.row)"
)


def find_problems(connection: sqlite3.Connection) -> list[tuple[str, str, int]]:
    """(kind, document id or "", count) of every disagreement within the database.

    Args:
        connection: in a write transaction, which FTS5's check asks for.
    """
    found: list[tuple[str, str, int]] = []
    damage = [row[0] for row in connection.execute("PRAGMA quick_check")]
    if damage != ["ok"]:
        found.append(("damaged_database", "", len(damage)))
    for row in connection.execute(_COUNTS_DIFFER):
        found.append(("chunk_count", row[0], row[1]))
    if not _text_agrees(connection):
        found.append(("full_text", "", 1))
    return found


def _text_agrees(connection: sqlite3.Connection) -> bool:
    """FTS5's own check of the full text against the chunks (rank 1: compare with the content)."""
    try:
        connection.execute(
            "INSERT INTO chunks_text (chunks_text, rank) VALUES ('integrity-check', 1)"
        )
    except sqlite3.DatabaseError:
        return False
    return True


def repair(connection: sqlite3.Connection) -> None:
    """Make the full text from the chunks anew; let each document report the chunks it has."""
    connection.execute("INSERT INTO chunks_text (chunks_text) VALUES ('rebuild')")
    connection.execute(
        "UPDATE documents SET chunks = "
        "(SELECT count(*) FROM chunks WHERE chunks.document_id = documents.id) "
        "WHERE state = 'ready'"
    )
