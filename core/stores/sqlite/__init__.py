"""The embedded store: registry, full text, graph and conversations in one SQLite file.

`Database` opens the file and runs migrations; the other modules each implement one protocol on it.
"""

from core.stores.sqlite.conversations import SqliteConversations
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from core.stores.sqlite.jobs import SqliteJobs
from core.stores.sqlite.library import SqliteLibrary

__all__ = ["Database", "SqliteConversations", "SqliteGraph", "SqliteJobs", "SqliteLibrary"]
