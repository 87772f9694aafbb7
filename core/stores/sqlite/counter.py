"""A number that is kept under a name in the library's database."""

from __future__ import annotations

from core.stores.sqlite.database import Database


class Counter:
    """One row of the table of counters."""

    def __init__(self, database: Database, name: str) -> None:
        self._database = database
        self._name = name

    def value(self) -> int:
        """The number; 0 before the first `set`."""
        row = self._database.connection.execute(
            "SELECT value FROM counters WHERE name = ?", (self._name,)
        ).fetchone()
        return int(row[0]) if row else 0

    def set(self, value: int) -> None:
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO counters (name, value) VALUES (?, ?) "
                "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                (self._name, value),
            )
