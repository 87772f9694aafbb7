"""The graph over HTTP: entities, facts, surroundings, paths, names in a text, import and vectors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from core.maintenance.sample import SAMPLE
from core.workspace import Workspace, share_workspace

NODES = "id,type,name,indication\nB1,Drug,Alpha,Gout.\nB2,Drug,Beta,\nD1,Disease,Gout,\n"
RELATIONSHIPS = "source,type,target\nB1,TREATS,D1\nB2,TREATS,D1\nB1,INTERACTS_WITH,B2\n"
FILES = {"nodes.csv": NODES, "relationships.csv": RELATIONSHIPS}


@pytest.fixture
def imported(
    client: httpx.Client, make_workspace: Callable[..., Workspace], tmp_path: Path
) -> Workspace:
    """The server answers from a graph of three entities, and a leaflet that mentions two."""
    root = tmp_path / "root"
    root.mkdir()
    for name, content in FILES.items():
        (root / name).write_text(content)
    workspace = make_workspace(folder_roots=str(root))
    share_workspace(workspace)
    begun = client.post("/api/graph/import", json={"path": str(root)})
    assert begun.status_code == 202
    workspace.jobs.wait(begun.json()["job_id"])
    assert client.get(begun.json()["status"]).json()["state"] == "done"
    text = b"Alpha is taken for gout. Alpha is taken with water."
    assert client.post("/api/upload", files={"file": ("a.txt", text)}).status_code == 200
    return workspace


def test_what_the_graph_holds(client: httpx.Client, imported: Workspace) -> None:
    for job in imported.jobs.jobs():
        imported.jobs.wait(job.id)
    assert client.get("/api/graph").json() == {
        "entities": {"Drug": 2, "Disease": 1},
        "relationships": 3,
        "relationshipTypes": ["INTERACTS_WITH", "TREATS"],
        "embedded": imported.entity_vectors.counts(),
    }
    entity = client.get("/api/graph/entity", params={"id": "B1"}).json()
    assert (entity["name"], entity["properties"]) == ("Alpha", {"indication": "Gout."})
    assert entity["relationships"] == {"INTERACTS_WITH": 1, "TREATS": 1}
    (document,) = entity["documents"]
    assert (document["file"], document["mentions"], document["pages"]) == ("a.txt", 2, [])
    none = client.get("/api/graph/entity", params={"id": "B1", "documents": 0}).json()
    assert (none["documents"], none["moreDocuments"]) == ([], True)


def test_facts_neighbours_and_paths(client: httpx.Client, imported: Workspace) -> None:
    facts = client.get("/api/graph/facts", params={"id": "D1"}).json()
    assert facts["total"] == 2 and facts["entity"]["name"] == "Gout"
    assert {one["source"]["id"] for one in facts["facts"]} == {"B1", "B2"}
    one = client.get("/api/graph/facts", params={"id": "B1", "type": "TREATS"}).json()
    assert [fact["target"]["id"] for fact in one["facts"]] == ["D1"]
    assert len(client.get("/api/graph/facts", params={"id": "B1", "limit": 1}).json()["facts"]) == 1

    around = client.get("/api/graph/neighbours", params={"id": ["B1"], "hops": 1}).json()
    assert [seed["id"] for seed in around["seeds"]] == ["B1"]
    assert {one["id"]: one["hops"] for one in around["entities"]} == {"B1": 0, "B2": 1, "D1": 1}
    drugs = {"id": ["B1", "D1"], "entityType": "Drug", "type": ["TREATS", "INTERACTS_WITH"]}
    only = client.get("/api/graph/neighbours", params=drugs).json()
    assert {one["id"] for one in only["entities"]} == {"B1", "B2", "D1"}

    ways = client.get("/api/graph/paths", params={"source": "B1", "target": "B2"}).json()
    assert [path["hops"] for path in ways["paths"]] == [1, 2] and ways["complete"] is True
    assert ways["paths"][0]["words"] == ["Alpha interacts with Beta."]
    short = {"source": "B1", "target": "B2", "maxHops": 1, "type": "TREATS"}
    assert client.get("/api/graph/paths", params=short).json()["paths"] == []

    linked = client.post("/api/graph/link", json={"text": "Beta, not alpha."}).json()
    assert [(one["text"], one["start"], one["entity"]["id"]) for one in linked["mentions"]] == [
        ("Beta", 0, "B2"),
        ("alpha", 10, "B1"),
    ]


@pytest.mark.parametrize(
    ("path", "asked", "status", "code"),
    [
        ("entity", {}, 400, "INVALID_REQUEST"),
        ("entity", {"id": "nobody"}, 404, "ENTITY_NOT_FOUND"),
        ("entity", {"id": "B1", "documents": "many"}, 400, "INVALID_REQUEST"),
        ("facts", {"id": "B1", "type": "CURES"}, 400, "UNKNOWN_TYPE"),
        ("facts", {"id": "B1", "limit": 0}, 400, "INVALID_REQUEST"),
        ("neighbours", {"id": ["B1", "nobody"]}, 404, "ENTITY_NOT_FOUND"),
        ("neighbours", {"id": "B1", "hops": 3}, 400, "INVALID_REQUEST"),
        ("neighbours", {"id": "B1", "entityType": "Planet"}, 400, "UNKNOWN_TYPE"),
        ("neighbours", {"id": [str(one) for one in range(21)]}, 400, "INVALID_REQUEST"),
        ("paths", {"source": "B1"}, 400, "INVALID_REQUEST"),
        ("paths", {"source": "B1", "target": "B1"}, 400, "INVALID_INPUT"),
        ("paths", {"source": "B1", "target": "B2", "maxHops": 5}, 400, "INVALID_REQUEST"),
    ],
)
def test_what_cannot_be_asked_is_said(
    path: str,
    asked: dict[str, object],
    status: int,
    code: str,
    client: httpx.Client,
    workspace: Workspace,
) -> None:
    share_workspace(workspace)
    known = {"B1": "DB00331", "B2": "DOID:9352"}
    for field, value in asked.items():
        if isinstance(value, str):
            asked[field] = known.get(value, value)
        elif isinstance(value, list):
            asked[field] = [known.get(one, one) for one in value]
    refused = client.get(f"/api/graph/{path}", params=asked)
    assert (refused.status_code, refused.json()["code"]) == (status, code)


def test_files_of_a_graph_are_handed_in(
    client: httpx.Client, make_workspace: Callable[..., Workspace]
) -> None:
    workspace = make_workspace()
    share_workspace(workspace)
    sent = [("file", (name, content.encode())) for name, content in FILES.items()]
    begun = client.post("/api/graph/files", files=sent)
    assert begun.status_code == 202
    workspace.jobs.wait(begun.json()["job_id"])
    assert client.get("/api/graph").json()["entities"] == {"Drug": 2, "Disease": 1}
    less = [("file", ("nodes.csv", NODES.replace("B2,Drug,Beta,\n", "").encode()))]
    less += [("file", ("relationships.csv", b"source,type,target\nB1,TREATS,D1\n"))]
    for remove, drugs in (("false", 2), ("true", 1)):
        begun = client.post("/api/graph/files", files=less, data={"removeMissing": remove}).json()
        workspace.jobs.wait(begun["job_id"])
        assert client.get("/api/graph").json()["entities"]["Drug"] == drugs
    jobs = len(workspace.jobs.jobs())
    for refused, code in (
        (client.post("/api/graph/files", files=[("file", ("../a.csv", b"x"))]), "GRAPH_FORMAT"),
        (client.post("/api/graph/files", files=[sent[0], sent[0]]), "GRAPH_FORMAT"),
        (client.post("/api/graph/files", data={"removeMissing": "true"}), "NO_FILE"),
        (
            client.post("/api/graph/files", files=sent, data={"removeMissing": "yes"}),
            "INVALID_REQUEST",
        ),
    ):
        assert (refused.status_code, refused.json()["code"]) == (400, code)
    assert len(workspace.jobs.jobs()) == jobs


def test_a_graph_is_read_only_under_the_roots(
    client: httpx.Client, make_workspace: Callable[..., Workspace], tmp_path: Path
) -> None:
    workspace = make_workspace(folder_roots=str(tmp_path))
    share_workspace(workspace)
    for place in (str(SAMPLE / "graph"), "/etc", "relative", ""):
        refused = client.post("/api/graph/import", json={"path": place})
        assert (refused.status_code, refused.json()["code"]) == (403, "PATH_NOT_ALLOWED")
    missing = client.post("/api/graph/import", json={"path": str(tmp_path / "nowhere")})
    assert (missing.status_code, missing.json()["code"]) == (404, "FOLDER_NOT_FOUND")
    assert workspace.jobs.jobs() == []


def test_vectors_are_made_as_jobs(client: httpx.Client, imported: Workspace) -> None:
    begun = client.post("/api/graph/embed")
    assert begun.status_code == 202
    imported.jobs.wait(begun.json()["job_id"])
    assert client.get("/api/graph").json()["embedded"]["Drug"] == 2
    begun = client.post("/api/indexes/leaflets/re-embed")
    assert begun.status_code == 202
    imported.jobs.wait(begun.json()["job_id"])
    assert client.get(begun.json()["status"]).json()["state"] == "done"
    missing = client.post("/api/indexes/nobody/re-embed")
    assert (missing.status_code, missing.json()["code"]) == (404, "INDEX_NOT_FOUND")


def test_entities_are_suggested_as_one_types(client: httpx.Client, imported: Workspace) -> None:
    def suggested(q: str, **more: object) -> list[dict[str, object]]:
        answer = client.get("/api/graph/suggest", params={"q": q, **more})
        assert answer.status_code == 200
        found: list[dict[str, object]] = answer.json()["suggestions"]
        return found

    (gout,) = suggested("gou")
    assert gout == {
        "id": "D1",
        "type": "Disease",
        "name": "Gout",
        "alsoCalled": "",
        "readAs": "",
        "exact": False,
        "toldApart": "",
    }
    assert suggested("b1")[0]["alsoCalled"] == "B1" and suggested("GOUT")[0]["exact"] is True
    assert [one["id"] for one in suggested("a", limit=1)] == ["B1"]
    assert suggested("") == suggested("nothing so called") == []
    for params in ({}, {"q": "x" * 201}, {"q": "a", "limit": 0}, {"q": ["a", "b"]}):
        assert client.get("/api/graph/suggest", params=params).json()["code"] == "INVALID_REQUEST"


@pytest.mark.req("KG-19")
def test_views_are_kept_read_renamed_and_removed(client: httpx.Client, imported: Workspace) -> None:
    view = {"shown": ["B1", "D1", "gone"], "selected": "B1", "pinned": {"D1": [1, -2.5]}}
    put = client.put("/api/graph/views/mine", json={"name": "Mine", "view": view})
    assert put.status_code == 200 and put.json()["entities"] == 3
    read = client.get("/api/graph/views/mine").json()
    assert (read["gone"], read["view"]["shown"]) == (1, ["B1", "D1"])
    assert read["view"]["pinned"] == {"D1": [1, -2.5]} and read["view"]["layout"] == "force"
    assert client.put("/api/graph/views/mine", json={"name": "Ours"}).json()["name"] == "Ours"
    assert [one["name"] for one in client.get("/api/graph/views").json()["views"]] == ["Ours"]
    for path, body, status, code in (
        ("other", {"name": "Ours", "view": {"shown": ["B1"]}}, 409, "VIEW_EXISTS"),
        ("other", {"name": "x"}, 404, "VIEW_NOT_FOUND"),
        ("other", {"name": "x", "view": {"shown": []}}, 400, "INVALID_VIEW"),
        ("other", {"name": " ", "view": {"shown": ["B1"]}}, 400, "INVALID_VIEW"),
        ("o%20r", {"name": "x", "view": {"shown": ["B1"]}}, 400, "INVALID_VIEW"),
        ("other", {"name": "x", "view": []}, 400, "INVALID_REQUEST"),
    ):
        refused = client.put(f"/api/graph/views/{path}", json=body)
        assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert client.delete("/api/graph/views/mine").json() == {"success": True}
    assert client.delete("/api/graph/views/mine").status_code == 404
    assert client.get("/api/graph/views").json() == {"views": []}
