from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.stores.sqlite.conversations import SqliteConversations
from core.stores.sqlite.database import Database


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteConversations]:
    """A real store without conversations."""
    with closing(Database(tmp_path / "materia.db")) as database:
        yield SqliteConversations(database)
