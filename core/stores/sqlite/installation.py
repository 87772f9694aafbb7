"""Which installation a data folder is: on a shared Chroma server its collections have this in their names."""

from __future__ import annotations

import secrets

from core.stores.sqlite.counter import Counter
from core.stores.sqlite.database import Database

_NAME = "installation"
_BITS = 62


def installation_of(database: Database) -> str:
    """Letters and digits that no other data folder has; "" of one from before there were any."""
    number = Counter(database, _NAME).value()
    return f"{number:x}" if number else ""


def make_anew(database: Database) -> None:
    """Make a copy of a data folder an installation of its own."""
    Counter(database, _NAME).set(secrets.randbits(_BITS) | 1)
