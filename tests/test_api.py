"""The API over real HTTP on loopback."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette

from core.answers.prompts import CLOSING, REFUSAL
from core.api import routes
from core.workspace import Workspace, share_workspace
from tests.pdfs import make_pdf


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = uvicorn.Server(
        uvicorn.Config(Starlette(routes=routes()), host="127.0.0.1", port=0, log_level="error")
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(timeout=10)


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=60) as opened:
        yield opened
    share_workspace(None)


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
    for body in (b"", b"[]", b'{"question": 7}', b"{" * 70_000):
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
