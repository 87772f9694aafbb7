"""Saved views of the graph in SQLite; implements `core.graph.views.store.SavedViewStore`."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from core.domain.explored.views import SavedView, view_from_json, view_to_json
from core.stores.library.refusals import view_id_taken
from core.stores.library.rows import written
from core.stores.sqlite.database import Database

_OWN = "(:user IS NULL OR user_id = :user)"


class SqliteGraphViews:
    """The views' side of the embedded store.

    Args:
        user: whose views are seen; None: everybody's.
    """

    def __init__(self, database: Database, user: str | None = None) -> None:
        self._database = database
        self._user = user

    def of_user(self, user: str) -> SqliteGraphViews:
        return SqliteGraphViews(self._database, user)

    def views(self) -> list[SavedView]:
        rows = self._database.connection.execute(
            f"SELECT * FROM graph_views WHERE {_OWN} ORDER BY name, id", {"user": self._user}
        )
        return [_read(row) for row in rows]

    def view(self, view_id: str) -> SavedView | None:
        row = self._database.connection.execute(
            f"SELECT * FROM graph_views WHERE id = :id AND {_OWN}",
            {"id": view_id, "user": self._user},
        ).fetchone()
        return _read(row) if row else None

    def keep(self, view: SavedView) -> None:
        row = {
            "id": view.id,
            "user": self._user or view.user,
            "name": view.name,
            "view": view_to_json(view.view),
            "created_at": written(view.created_at),
            "updated_at": written(view.updated_at),
        }
        with self._database.write() as connection:
            connection.execute("INSERT OR IGNORE INTO users (id) VALUES (:user)", row)
            kept = connection.execute(
                "INSERT INTO graph_views (id, user_id, name, view, created_at, updated_at) "
                "VALUES (:id, :user, :name, :view, :created_at, :updated_at) "
                "ON CONFLICT (id) DO UPDATE SET name = :name, view = :view, "
                "created_at = :created_at, updated_at = :updated_at WHERE user_id = :user",
                row,
            )
            if kept.rowcount == 0:
                raise view_id_taken()

    def remove(self, view_id: str) -> bool:
        with self._database.write() as connection:
            gone = connection.execute(
                f"DELETE FROM graph_views WHERE id = :id AND {_OWN}",
                {"id": view_id, "user": self._user},
            )
        return gone.rowcount > 0


def _read(row: sqlite3.Row) -> SavedView:
    return SavedView(
        row["id"],
        row["name"],
        view_from_json(row["view"]),
        datetime.fromisoformat(row["created_at"]),
        datetime.fromisoformat(row["updated_at"]),
        row["user_id"],
    )
