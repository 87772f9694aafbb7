"""Documents whose text is still to be taken out of kept answers; the list outlives the process."""

from __future__ import annotations

import json
from collections.abc import Collection

from core.stores.sqlite.database import Database


class WaitingQuotes:
    """The table of these documents."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, document_ids: Collection[str]) -> None:
        with self._database.write() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO quotes_to_remove (document_id) VALUES (?)",
                [(one,) for one in document_ids],
            )

    def all(self) -> list[str]:
        """The documents' ids."""
        rows = self._database.connection.execute(
            "SELECT document_id FROM quotes_to_remove ORDER BY document_id"
        )
        return [row[0] for row in rows]

    def remove(self, document_ids: Collection[str]) -> None:
        with self._database.write() as connection:
            connection.execute(
                "DELETE FROM quotes_to_remove WHERE document_id IN (SELECT value FROM json_each(?))",
                (json.dumps(list(document_ids)),),
            )
