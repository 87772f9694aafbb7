"""A number that is kept under a name in the library's database; one is which installation this is: on a shared
Chroma server its collections have it in their names."""

from __future__ import annotations

import secrets

from core.stores.sqlite.database import Database

_INSTALLATION = "installation"
_BITS = 62


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


def installation_of(database: Database) -> str:
    """Letters and digits that no other data folder has; "" of one from before there were any."""
    number = Counter(database, _INSTALLATION).value()
    return f"{number:x}" if number else ""


def make_anew(database: Database) -> None:
    """Make a copy of a data folder an installation of its own."""
    Counter(database, _INSTALLATION).set(secrets.randbits(_BITS) | 1)
