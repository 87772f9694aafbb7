"""The API over real HTTP on loopback."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.answers.prompts import CLOSING, REFUSAL
from core.api import routes
from core.api.guard import guarded
from core.errors import MateriaError, ModelError, RateLimited
from core.workspace import Workspace, share_workspace
from tests.api.serving import served
from tests.support.pdfs import make_pdf


async def _failing(request: Request) -> Response:
    """A handler whose model or program fails; what surrounds it is the real thing."""
    raise {
        "rate": RateLimited("The provider's limit is reached."),
        "model": ModelError("The provider does not answer."),
        "bug": ZeroDivisionError("secret detail"),
        "own": MateriaError("It went wrong."),
    }[request.path_params["kind"]]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(Starlette(routes=[*routes(), Route("/failing/{kind}", guarded(_failing))])) as url:
        yield url


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=60) as opened:
        yield opened
    share_workspace(None)


def test_entities_of_one_name(
    client: httpx.Client, make_workspace: Callable[..., Workspace], tmp_path: Path
) -> None:
    workspace = make_workspace()
    nodes = "id,type,name,synonyms\nD1,ClinicalDisease,gout,podagra\nE1,Phenotype,Gout,\nB1,Drug,Alpha,\n"
    (tmp_path / "nodes.csv").write_text(nodes)
    relationships = "source,type,target\nB1,TREATS,D1\nB1,CAUSES_SIDE_EFFECT,E1\n"
    (tmp_path / "relationships.csv").write_text(relationships)
    workspace.graph_tasks.import_folder(tmp_path)
    share_workspace(workspace)

    def ids(**asked: str) -> list[str]:
        found = client.get("/api/entities", params=asked)
        assert found.status_code == 200
        return [one["id"] for one in found.json()["entities"]]

    found = client.get("/api/entities", params={"name": "GOUT"}).json()["entities"]
    told = {one["id"]: (one["type"], one["synonyms"], one["relationships"]) for one in found}
    assert told == {
        "D1": ("ClinicalDisease", ["podagra"], {"TREATS": 1}),
        "E1": ("Phenotype", [], {"CAUSES_SIDE_EFFECT": 1}),
    }
    assert ids(name="gout", type="disease") == ids(name="gout (Disease)") == ["D1"]
    assert ids(name="podagra") == ["D1"] and ids(name="gou") == ids(name="gout", type="Drug") == []
    assert client.get("/api/entities").json()["code"] == "EMPTY_NAME"


def test_upload_list_ask_delete(
    client: httpx.Client, make_workspace: Callable[..., Workspace], tmp_path: Path
) -> None:
    share_workspace(make_workspace())
    pdf = make_pdf(
        tmp_path / "z.pdf", "The recommended dose of Zolvetrin is 37 mg once a day for adults."
    )
    uploaded = client.post("/api/upload", files={"file": ("Zolvetrin.pdf", pdf.read_bytes())})
    assert uploaded.status_code == 200
    body = uploaded.json()
    assert body["success"] and body["chunkCount"] == 1 and body["documentId"]

    listed = client.get("/api/documents").json()["documents"]
    assert [d["filename"] for d in listed] == ["Zolvetrin.pdf"]

    answer = client.post("/api/chat", json={"question": "What is the dose of Zolvetrin?"}).json()
    assert "37 mg" in answer["answer"]
    assert answer["sources"] == [{"document": "Zolvetrin.pdf", "page": 1}]
    ranked = [one for one in answer["ranked_sources"] if one["kind"] == "document"]
    assert [(one["type"], one["name"], one["id"], one["page"]) for one in ranked] == [
        ("Document", "Zolvetrin.pdf", body["documentId"], 1)
    ]
    assert "37 mg" in ranked[0]["excerpt"] and 0 < ranked[0]["relevance"] <= 1
    assert answer["disclaimer"] == CLOSING

    deleted = client.delete(f"/api/documents/{body['documentId']}").json()
    assert deleted["success"] and deleted["receipt"]["left"] == 0
    again = client.post(
        "/api/chat",
        json={
            "question": "What is the dose of Zolvetrin?",
            "conversationId": answer["conversationId"],
        },
    ).json()
    assert again["refused"] and again["answer"] == REFUSAL
    assert again["conversationId"] == answer["conversationId"]


def test_what_a_document_is_about_is_corrected(
    client: httpx.Client, make_workspace: Callable[..., Workspace], tmp_path: Path
) -> None:
    workspace = make_workspace()
    share_workspace(workspace)
    (tmp_path / "nodes.csv").write_text("id,type,name\nB1,Drug,Quintaxol\nB2,Drug,Zolvetrin\n")
    (tmp_path / "relationships.csv").write_text("source,type,target\nB1,INTERACTS_WITH,B2\n")
    workspace.graph_tasks.import_folder(tmp_path)
    for job in workspace.jobs.jobs():
        workspace.jobs.wait(job.id)
    text = b"Take one tablet of 37 mg each morning, with a glass of water."
    body = client.post("/api/upload", files={"file": ("document_01.txt", text)}).json()
    assert (body["filename"], body["title"]) == ("document_01.txt", "document 01")
    (before,) = client.get("/api/documents").json()["documents"]
    assert (before["title"], before["titleCorrected"]) == ("document 01", False)
    place = f"/api/documents/{before['id']}"
    changed = client.patch(place, json={"title": " Quintaxol 37 mg\n"})
    assert changed.status_code == 200
    after = {**before, "title": "Quintaxol 37 mg", "titleCorrected": True}
    assert changed.json() == {
        "document": after,
        "entities": [{"id": "B1", "type": "Drug", "name": "Quintaxol"}],
    }
    assert client.get("/api/documents").json()["documents"] == [after]
    asked = {"question": "What is the dose of Quintaxol?"}
    assert "37 mg" in client.post("/api/chat", json=asked).json()["answer"]
    codes = {
        "EMPTY_TITLE": client.patch(place, json={"title": "\u0000 "}),
        "TITLE_TOO_LONG": client.patch(place, json={"title": "x" * 121}),
        "NO_PRODUCT": client.patch(place, json={"title": "Quintaxol", "product": 0}),
        "INVALID_REQUEST": client.patch(place, json={"name": "Quintaxol"}),
        "DOCUMENT_NOT_FOUND": client.patch("/api/documents/nobody", json={"title": "x"}),
    }
    assert {code: answer.json()["code"] for code, answer in codes.items()} == {c: c for c in codes}
    assert workspace.verifier.run().findings == ()


def test_errors_have_the_seeds_bodies(
    client: httpx.Client, make_workspace: Callable[..., Workspace]
) -> None:
    share_workspace(make_workspace())
    no_pdf = client.post("/api/upload", files={"file": ("x.pdf", b"hello")})
    assert no_pdf.status_code == 400
    assert no_pdf.json()["error"] == "Invalid PDF file" and no_pdf.json()["details"]
    missing = client.delete("/api/documents/nothing")
    assert missing.status_code == 404
    assert missing.json()["error"] == "Document not found"
    assert client.post("/api/chat", content=b"{" * 70_000).status_code == 413
    for body in (b"", b"[]", b'{"question": 7}', b"{" * 60_000):
        wrong = client.post("/api/chat", content=body)
        assert wrong.status_code == 400
        assert wrong.json()["code"] == "INVALID_REQUEST"
    empty = client.post("/api/chat", json={"question": "  "})
    assert (empty.status_code, empty.json()["code"]) == (400, "EMPTY_QUESTION")
    assert empty.headers["x-correlation-id"] == empty.json()["correlationId"]
    assert client.post("/api/upload", data={"other": "1"}).json()["code"] == "NO_FILE"


def test_unusable_vector_store_is_503_and_health_says_so(
    client: httpx.Client, make_workspace: Callable[..., Workspace], workspace_dir: Path
) -> None:
    (workspace_dir / "chroma").write_text("not a folder")
    workspace = make_workspace()
    share_workspace(workspace)
    assert client.get("/api/health").json()["status"] in ("ok", "degraded")
    pdf = make_pdf(workspace_dir / "z.pdf", "Some text about a medicine that is long enough.")
    refused = client.post("/api/upload", files={"file": ("z.pdf", pdf.read_bytes())})
    assert refused.status_code in (500, 503)
    assert refused.json()["code"] == "VECTOR_STORE_UNAVAILABLE"
    assert workspace.library_store.documents(include_unfinished=True) == []


def test_another_site_in_the_browser_is_refused(
    client: httpx.Client, make_workspace: Callable[..., Workspace]
) -> None:
    share_workspace(make_workspace())
    foreign = {"Origin": "http://evil.example"}
    assert client.get("/api/documents", headers=foreign).status_code == 403
    own = {"Origin": str(client.base_url).rstrip("/")}
    assert client.get("/api/documents", headers=own).status_code == 200


@pytest.mark.req("PR-9")
def test_every_endpoint_and_every_error_of_the_seed(
    client: httpx.Client, make_workspace: Callable[..., Workspace], tmp_path: Path
) -> None:
    share_workspace(make_workspace())
    assert client.get("/api/health").status_code == 200
    pdf = make_pdf(tmp_path / "z.pdf", "The dose of Zolvetrin is 37 mg a day.").read_bytes()
    uploaded = client.post("/api/upload", files={"file": ("z.pdf", pdf)}).json()
    listed = client.get("/api/documents").json()["documents"]
    assert [one["id"] for one in listed] == [uploaded["documentId"]]
    answer = client.post("/api/chat", json={"question": "What is the dose of Zolvetrin?"})
    assert "37 mg" in answer.json()["answer"]
    assert client.delete(f"/api/documents/{uploaded['documentId']}").json()["success"]
    bad = client.post("/api/upload", files={"file": ("x.pdf", b"hello")})
    assert (bad.status_code, bad.json()["error"]) == (400, "Invalid PDF file")
    gone = client.delete(f"/api/documents/{uploaded['documentId']}")
    assert (gone.status_code, gone.json()["error"]) == (404, "Document not found")
    limited = client.get("/failing/rate")
    assert (limited.status_code, limited.json()["error"]) == (429, "Rate limit exceeded")
    assert limited.json()["retryAfter"] == int(limited.headers["retry-after"]) > 0
    model = client.get("/failing/model")
    assert (model.status_code, model.json()["error"]) == (503, "AI service unavailable")
    assert model.json()["fallback"]
    for kind in ("bug", "own"):
        broken = client.get(f"/failing/{kind}")
        assert broken.status_code == 500 and broken.json()["details"]
        assert "secret" not in broken.text


def test_a_file_of_ours_that_cannot_be_kept_is_500(
    client: httpx.Client, make_workspace: Callable[..., Workspace], tmp_path: Path
) -> None:
    workspace = make_workspace()
    share_workspace(workspace)
    incoming = workspace.settings.root / "incoming"
    if incoming.exists():
        incoming.rmdir()
    incoming.write_text("not a folder")
    pdf = make_pdf(tmp_path / "z.pdf", "Some text about a medicine.").read_bytes()
    failed = client.post("/api/upload", files={"file": ("z.pdf", pdf)})
    assert (failed.status_code, failed.json()["error"]) == (500, "Document processing failed")


def test_a_known_name_is_a_question(
    client: httpx.Client, make_workspace: Callable[..., Workspace], tmp_path: Path
) -> None:
    workspace = make_workspace()
    share_workspace(workspace)

    def send(dose: int, **fields: str) -> httpx.Response:
        pdf = make_pdf(tmp_path / f"{dose}.pdf", f"The dose of Zolvetrin is {dose} mg a day.")
        return client.post("/api/upload", files={"file": ("Z.pdf", pdf.read_bytes())}, data=fields)

    first = send(37).json()["documentId"]
    asked = send(41)
    assert (asked.status_code, asked.json()["code"]) == (409, "NAME_EXISTS")
    assert "on_conflict" in asked.json()["details"]
    assert not any(job.questions for job in workspace.jobs.jobs())
    assert list((workspace.settings.root / "uploads").iterdir()) == []
    assert send(41, on_conflict="shrug").json()["code"] == "INVALID_ON_CONFLICT"
    assert send(43, on_conflict="keep-both").json()["filename"] != "Z.pdf"
    assert send(41, on_conflict="replace").status_code == 200
    ids = [one["id"] for one in client.get("/api/documents").json()["documents"]]
    assert len(ids) == 2 and first not in ids


def test_passwords_and_archives(
    client: httpx.Client, make_workspace: Callable[..., Workspace], tmp_path: Path
) -> None:
    share_workspace(make_workspace())
    locked = make_pdf(tmp_path / "l.pdf", "Zolvetrin is kept in the fridge.", password="x")
    files = {"file": ("l.pdf", locked.read_bytes())}
    refused = client.post("/api/upload", files=files)
    assert (refused.status_code, refused.json()["code"]) == (400, "PASSWORD_REQUIRED")
    assert client.post("/api/upload", files=files, data={"password": "x"}).status_code == 200
    archive = tmp_path / "a.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("good.txt", "Zolvetrin is taken with water.")
        packed.writestr("bad.pdf", "no PDF")
    body = client.post("/api/upload", files={"file": ("a.zip", archive.read_bytes())}).json()
    assert [(one["file"], one["state"]) for one in body["files"]] == [
        ("good.txt", "ready"),
        ("bad.pdf", "refused"),
    ]
    assert body["success"] is False
    broken = client.post("/api/upload", files={"file": ("b.zip", b"PK nonsense")})
    assert (broken.status_code, broken.json()["code"]) == (400, "NOT_A_ZIP")


@pytest.mark.req("KB-1")
def test_an_index_that_exists_is_a_conflict(
    client: httpx.Client, make_workspace: Callable[..., Workspace]
) -> None:
    share_workspace(make_workspace())
    made = client.post("/api/indexes", json={"name": "papers", "profile": "semantic"})
    assert made.status_code == 201 and made.json()["profile"] == "semantic"
    text = {"file": ("z.txt", b"Zolvetrin is taken with water.")}
    assert client.post("/api/upload", files=text, data={"index": "papers"}).status_code == 200
    before = client.get("/api/indexes/papers").json()
    again = client.post("/api/indexes", json={"name": "papers", "profile": "leaflet"})
    assert (again.status_code, again.json()["code"]) == (409, "INDEX_EXISTS")
    assert "papers" in again.json()["details"]
    assert client.get("/api/indexes/papers").json() == before and before["documents"] == 1
    assert client.get("/api/indexes").json() == {"indexes": [before]}
    receipt = client.delete("/api/indexes/papers").json()["receipt"]
    assert receipt["left"] == 0 and receipt["documents"] == 1
    assert client.get("/api/indexes/papers").status_code == 404


@pytest.mark.req("KB-2")
def test_only_names_of_the_pattern_make_an_index(
    client: httpx.Client, make_workspace: Callable[..., Workspace]
) -> None:
    share_workspace(make_workspace())
    pattern = re.compile(r"[a-zA-Z][a-zA-Z0-9_-]{0,99}")

    @given(st.one_of(st.text(st.characters(exclude_categories=["Cs"])), st.just("a" * 101)))
    def check(name: str) -> None:
        answered = client.post("/api/indexes", json={"name": name})
        if pattern.fullmatch(name):
            assert answered.status_code in (201, 409)
            client.delete(f"/api/indexes/{name}")
        else:
            assert (answered.status_code, answered.json()["code"]) == (400, "INVALID_INDEX_NAME")

    check()
    for name in ("a" * 100, "Z-_9"):
        assert client.post("/api/indexes", json={"name": name}).status_code == 201
    for body in ({"name": "b", "profile": "poem"}, {"name": 7}, {}):
        assert client.post("/api/indexes", json=body).status_code == 400


@pytest.mark.req("KB-6")
def test_what_does_not_exist_is_404(
    client: httpx.Client, make_workspace: Callable[..., Workspace], tmp_path: Path
) -> None:
    share_workspace(make_workspace(folder_roots=str(tmp_path)))
    text = {"file": ("z.txt", b"Zolvetrin is taken with water.")}
    folder = {"path": str(tmp_path), "index": "nobody"}
    answers = {
        "INDEX_NOT_FOUND": [
            client.get("/api/indexes/nobody"),
            client.delete("/api/indexes/nobody"),
            client.get("/api/documents", params={"index": "nobody"}),
            client.post("/api/upload", files=text, data={"index": "nobody"}),
            client.post("/api/search", json={"query": "x", "indexes": ["nobody"]}),
            client.post("/api/folders", json=folder),
        ],
        "DOCUMENT_NOT_FOUND": [client.delete("/api/documents/nobody")],
        "FOLDER_NOT_FOUND": [
            client.post("/api/folders", json={"path": path})
            for path in (str(tmp_path / "nowhere"), str(tmp_path / "a" / ".." / "b"))
        ],
        "JOB_NOT_FOUND": [client.get("/api/jobs/nobody"), client.delete("/api/jobs/nobody")],
    }
    for code, answered in answers.items():
        for one in answered:
            assert (one.status_code, one.json()["code"]) == (404, code)
    assert client.get("/api/jobs").json() == {"jobs": []}


@pytest.mark.req("KB-10")
def test_a_folder_is_one_job_and_a_bad_file_stops_no_other(
    client: httpx.Client, make_workspace: Callable[..., Workspace], tmp_path: Path
) -> None:
    workspace = make_workspace(folder_roots=f"/nowhere, {tmp_path}")
    share_workspace(workspace)
    folder = tmp_path / "stack"
    folder.mkdir()
    for number in (1, 3):
        make_pdf(folder / f"{number}.pdf", f"Zolvetrin {number} is taken with water.")
    (folder / "2.pdf").write_bytes(b"no PDF")
    begun = client.post("/api/folders", json={"path": str(folder)})
    assert begun.status_code == 202
    (listed,) = client.get("/api/jobs").json()["jobs"]
    assert listed["id"] == begun.json()["job_id"]
    workspace.jobs.wait(listed["id"])
    job = client.get(begun.json()["status"]).json()
    assert job["state"] == "done" and job["progress"]["fraction"] == 1.0
    assert (job["progress"]["done"], job["progress"]["files"]) == (3, 3)
    states = {one["file"]: one["state"] for one in job["files"]}
    assert states == {"1.pdf": "ready", "2.pdf": "refused", "3.pdf": "ready"}
    assert str(tmp_path) not in str(job)
    assert client.delete(begun.json()["status"]).json()["state"] == "done"


def test_search_over_http(client: httpx.Client, make_workspace: Callable[..., Workspace]) -> None:
    share_workspace(make_workspace())
    for number in range(4):
        text = f"Zolvetrin {number} is taken with water.".encode()
        client.post("/api/upload", files={"file": (f"{number}.txt", text)})
    found = client.post("/api/search", json={"query": "Zolvetrin with water", "k": 3}).json()
    scores = [hit["score"] for hit in found["hits"]]
    assert len(scores) == 3 and scores == sorted(scores, reverse=True)
    assert found["mode"] == "hybrid" and found["searched"] == 4
    for body, code in (
        ({"query": " "}, "EMPTY_QUERY"),
        ({"k": 3}, "INVALID_REQUEST"),
        ({"query": "x", "sections": ["gossip"]}, "INVALID_SECTION"),
        ({"query": "x", "mode": "magic"}, "INVALID_MODE"),
        ({"query": "x", "indexes": "leaflets"}, "INVALID_REQUEST"),
        ({"query": "x", "documents": "d"}, "INVALID_REQUEST"),
        ({"query": "x", "rerank": "no"}, "INVALID_REQUEST"),
        ({"query": "x", "since": "yesterday"}, "INVALID_DATE"),
        ({"query": "x", "since": "2020-01-02", "until": "2020-01-01"}, "INVALID_DATE"),
        *(({"query": "x", "k": k}, "INVALID_K") for k in (0, 101, -1, True, "3", 2.5, None)),
    ):
        refused = client.post("/api/search", json=body)
        assert (refused.status_code, refused.json()["code"]) == (400, code), body
    gone = client.post("/api/search", json={"query": "x", "documents": ["nobody"]})
    assert (gone.status_code, gone.json()["code"]) == (404, "DOCUMENT_NOT_FOUND")


def test_scope_and_answer_over_http(
    client: httpx.Client, make_workspace: Callable[..., Workspace]
) -> None:
    workspace = make_workspace(reranker="/no/such/model")
    share_workspace(workspace)
    for name, text in (
        ("a", "Zolvetrin is taken with water."),
        ("b", "Zolvetrin, taken with tea."),
    ):
        client.post("/api/upload", files={"file": (f"{name}.txt", text.encode())})

    def search(**body: object) -> dict[str, Any]:
        answered = client.post("/api/search", json={"query": "How is Zolvetrin taken?", **body})
        assert answered.status_code == 200
        found: dict[str, Any] = answered.json()
        return found

    first, second = search(k=2)["hits"]
    assert "answer" not in search() and "RERANKER_FAILED" in search()["notice"]
    assert search(rerank=False)["notice"] == ""
    only = search(documents=[second["document_id"]])
    assert [hit["document_id"] for hit in only["hits"]] == [second["document_id"]]
    assert search(until="2001-01-01")["hits"] == [] != search(since="2001-01-01")["hits"]
    exact = search(query="taken with water", mode="exact")
    assert [hit["file"] for hit in exact["hits"]] == ["a.txt"] and exact["mode"] == "exact"
    answered = search(documents=[first["document_id"]], answer=True)
    assert answered["answerError"] is None
    cited = {one["document_id"] for one in answered["answer"]["citations"]}
    assert cited == {first["document_id"]} and "Zolvetrin" in answered["answer"]["answer"]
