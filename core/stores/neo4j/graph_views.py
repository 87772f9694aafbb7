"""Saved views of the graph in Neo4j; implements `core.graph.views.store.SavedViewStore`.

(:User)-[:HAS_VIEW]->(:GraphView {id, name, view, created_at, updated_at}); `view` is JSON.
"""

from __future__ import annotations

from datetime import datetime

from core.domain.explored.views import SavedView, view_from_json, view_to_json
from core.stores.library.refusals import view_id_taken
from core.stores.library.rows import now, written
from core.stores.neo4j.connection import Neo4j, Row
from core.stores.neo4j.conversation_statements import LOCK
from core.stores.neo4j.schema import Schema, unique

_SCHEMA = (unique("user_id", "User", "id"), unique("graph_view_id", "GraphView", "id"))
_FOUND = "MATCH (u:User)-[:HAS_VIEW]->(v:GraphView) WHERE ($owner IS NULL OR u.id = $owner) "
_RETURN = "RETURN v {.*} AS view, u.id AS user "
_VIEWS = f"{_FOUND}{_RETURN}ORDER BY v.name, v.id"
_VIEW = f"{_FOUND}AND v.id = $id {_RETURN}"
_OWNER = "MATCH (u:User)-[:HAS_VIEW]->(v:GraphView {id: $id}) RETURN u.id AS user"
_KEEP = (
    "MERGE (u:User {id: $user}) MERGE (v:GraphView {id: $view.id}) SET v = $view "
    "MERGE (u)-[:HAS_VIEW]->(v)"
)
_REMOVE = f"{_FOUND}AND v.id = $id DETACH DELETE v RETURN count(*) AS gone"


class Neo4jGraphViews:
    """The views' side of the store on a server.

    Args:
        user: whose views are seen; None: everybody's.
    """

    def __init__(self, neo4j: Neo4j, user: str | None = None, schema: Schema | None = None) -> None:
        self._server = neo4j
        self._schema = schema or Schema(neo4j, _SCHEMA)
        self._user = user

    def of_user(self, user: str) -> Neo4jGraphViews:
        return Neo4jGraphViews(self._server, user, self._schema)

    def views(self) -> list[SavedView]:
        rows = self._schema.ensure().read(_VIEWS, {"owner": self._user})
        return [_read(row) for row in rows]

    def view(self, view_id: str) -> SavedView | None:
        rows = self._schema.ensure().read(_VIEW, {"owner": self._user, "id": view_id})
        return _read(rows[0]) if rows else None

    def keep(self, view: SavedView) -> None:
        user = self._user or view.user
        row = {
            "id": view.id,
            "name": view.name,
            "view": view_to_json(view.view),
            "created_at": written(view.created_at),
            "updated_at": written(view.updated_at),
        }

        def check(results: list[list[Row]]) -> None:
            if any(one["user"] != user for one in results[1]):
                raise view_id_taken()

        self._schema.ensure().write_all(
            [
                (LOCK, {"moment": now()}),
                (_OWNER, {"id": view.id}),
                (_KEEP, {"user": user, "view": row}),
            ],
            check,
        )

    def remove(self, view_id: str) -> bool:
        named = {"owner": self._user, "id": view_id}
        results = self._schema.ensure().write_all([(LOCK, {"moment": now()}), (_REMOVE, named)])
        return bool(results[1][0]["gone"])


def _read(row: Row) -> SavedView:
    view = row["view"]
    return SavedView(
        view["id"],
        view["name"],
        view_from_json(view["view"]),
        datetime.fromisoformat(view["created_at"]),
        datetime.fromisoformat(view["updated_at"]),
        row["user"],
    )
