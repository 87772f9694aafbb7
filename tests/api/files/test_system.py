"""Errors by their id and backups over HTTP, and who may have them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx
from starlette.applications import Starlette

from core.api import routes
from core.api.users import Login
from core.maintenance.backup.writing import backup_place, write_backup
from core.workspace import Workspace, share_workspace
from tests.api.serving import served


def test_errors_by_the_id_of_a_message_and_a_backup_as_a_file(
    make_workspace: Callable[..., Workspace], tmp_path: Path
) -> None:
    workspace = make_workspace()
    share_workspace(workspace)
    login = Login(lambda: True, lambda cookies: {"sub": cookies.get("who", ""), "iss": "x"})
    with (
        served(Starlette(routes=routes())) as url,
        served(Starlette(routes=routes(login))) as shared,
        httpx.Client(base_url=url, timeout=60) as client,
        httpx.Client(base_url=shared, timeout=60, cookies={"who": "anna"}) as anna,
    ):
        refused = client.post("/api/chat", json={"question": ""}).json()
        found = client.get("/api/system/errors", params={"id": refused["correlationId"]}).json()
        assert [one["code"] for one in found["errors"]] == [refused["code"]]
        assert client.get("/api/system/errors").status_code == 200
        assert client.get("/api/system/errors", params={"id": "../x"}).status_code == 400
        assert client.get("/api/system/errors", params={"limit": "0"}).status_code == 400

        place = backup_place(workspace.settings)
        write_backup(workspace, place, lambda *_: None)
        got = client.get(f"/api/system/backups/{place.name}")
        assert (
            got.content == place.read_bytes() and place.name in got.headers["content-disposition"]
        )
        for name in ("materia.db", "..%2Fmateria.db", ".lock", "snapshot-x"):
            assert client.get(f"/api/system/backups/{name}").status_code == 404

        # Of several users nobody gets what is about all, but everybody what their own message names.
        assert anna.get("/api/system/errors").status_code == 403
        assert anna.get(f"/api/system/backups/{place.name}").status_code == 403
        own = anna.get("/api/system/errors", params={"id": refused["correlationId"]})
        assert own.status_code == 200
    share_workspace(None)


def test_usage_and_import_are_listed_once() -> None:
    listed = [
        (route.path, method)
        for route in routes()
        for method in sorted(getattr(route, "methods", None) or ())
    ]
    assert len(listed) == len(set(listed))
