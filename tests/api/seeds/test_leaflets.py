"""The second design document's endpoints, whose client keeps the conversation itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from core.answers.prompts import CLOSING, REFUSAL
from core.workspace import Workspace, share_workspace
from tests.support.fake_openai import FakeOpenAI, error, text
from tests.support.pdfs import make_pdf

QUESTION = "When must metformin not be taken?"


def told(role: str, content: str) -> dict[str, Any]:
    """A message with all fields of the document."""
    return {
        "id": "m",
        "role": role,
        "content": content,
        "timestamp": "2026-01-02T03:04:05Z",
        "sources": [{"document": "x.pdf", "page": 1}],
    }


@pytest.mark.req("PR-7", "PR-9")
def test_upload_list_ask_and_delete(
    client: httpx.Client, make_workspace: Callable[..., Workspace], tmp_path: Path
) -> None:
    share_workspace(make_workspace())
    assert client.get("/api/health").status_code == 200
    pdf = make_pdf(tmp_path / "z.pdf", "The dose of Zolvetrin is 37 mg a day.").read_bytes()
    uploaded = client.post("/api/upload", files={"file": ("Zolvetrin.pdf", pdf)}).json()
    assert uploaded["success"] is True and uploaded["chunkCount"] == 1
    (listed,) = client.get("/api/documents").json()["documents"]
    assert listed["id"] == uploaded["documentId"] and listed["filename"] == "Zolvetrin.pdf"
    assert (listed["chunkCount"], listed["pageCount"]) == (1, 1) and listed["uploadedAt"]
    asked = {"question": "What is the dose of Zolvetrin?", "conversationHistory": []}
    answer = client.post("/api/chat", json=asked).json()
    assert "37 mg" in answer["answer"] and answer["disclaimer"] == CLOSING
    assert answer["sources"] == [{"document": "Zolvetrin.pdf", "page": 1}]
    assert client.delete(f"/api/documents/{listed['id']}").json()["success"] is True
    assert client.post("/api/chat", json=asked).json()["answer"] == REFUSAL


@pytest.mark.req("PR-6", "PR-9")
def test_the_sent_history_is_read_and_nothing_is_kept(
    client: httpx.Client, workspace: Workspace
) -> None:
    share_workspace(workspace)
    before = client.get("/api/conversations").json()
    history = [
        told("user", "What is metformin taken for?"),
        told("assistant", "Metformin is taken for type 2 diabetes."),
        told("user", "A question that nobody answered"),
    ]
    asked = {"question": "When must it not be taken?", "conversationHistory": history}
    answer = client.post("/api/chat", json=asked).json()
    assert answer["read_as"] == "When must Metformin not be taken?"
    assert {source["document"] for source in answer["sources"]} == {"Metformin.pdf"}
    assert (answer["conversationId"], answer["turnId"]) == ("", "")
    assert client.get("/api/conversations").json() == before
    alone = {**asked, "conversationHistory": history[1:]}  # an answer to no question
    assert client.post("/api/chat", json=alone).json()["read_as"] == asked["question"]
    for wrong in ("x", [7], [{}], [{"role": "system", "content": "x"}], [{"role": "user"}], None):
        refused = client.post("/api/chat", json={**asked, "conversationHistory": wrong})
        assert (refused.status_code, refused.json()["code"]) == (400, "INVALID_REQUEST"), wrong
    both = client.post("/api/chat", json={**asked, "conversationId": "x"})
    assert (both.status_code, both.json()["code"]) == (400, "INVALID_REQUEST")


@pytest.mark.req("PR-6")
def test_the_last_five_turns_of_the_history_go_to_the_model(
    client: httpx.Client, with_provider: Workspace, provider: FakeOpenAI
) -> None:
    share_workspace(with_provider)
    provider.play(text("Metformin must not be taken in severe renal impairment [1]."))
    history = [
        message
        for number in range(7)
        for message in (told("user", f"Question {number}?"), told("assistant", f"Told {number}."))
    ]
    asked = {"question": QUESTION, "conversationHistory": history}
    assert client.post("/api/chat", json=asked).status_code == 200
    (request,) = provider.requests
    assert [f"Told {number}." in request.user for number in range(7)] == [False] * 2 + [True] * 5


@pytest.mark.req("PR-9")
def test_every_error_has_the_documents_body(
    client: httpx.Client, with_provider: Workspace, provider: FakeOpenAI
) -> None:
    share_workspace(with_provider)
    invalid = client.post("/api/upload", files={"file": ("x.pdf", b"hello")})
    assert (invalid.status_code, invalid.json()["error"]) == (400, "Invalid PDF file")
    assert isinstance(invalid.json()["details"], str)
    missing = client.delete("/api/documents/nobody")
    assert (missing.status_code, missing.json()["error"]) == (404, "Document not found")
    provider.play(error(400, "No."))
    failed = client.post("/api/chat", json={"question": QUESTION})
    assert failed.status_code == 200 and failed.json()["failure"]["code"] == "MODEL_FAILED"
    for kept in ({}, {"conversationHistory": []}):
        alone = {"question": QUESTION, "modelOnly": True, **kept}
        provider.play(error(400, "No."))
        failed = client.post("/api/chat", json=alone)
        assert (failed.status_code, failed.json()["error"]) == (503, "AI service unavailable")
        assert failed.json()["fallback"].endswith(CLOSING)
        assert "metformin" in failed.json()["fallback"].casefold()
        provider.play(error(429, "Slowly.", code="insufficient_quota"))
        limited = client.post("/api/chat", json=alone)
        assert (limited.status_code, limited.json()["error"]) == (429, "Rate limit exceeded")
        assert limited.json()["retryAfter"] == int(limited.headers["retry-after"]) > 0
        provider.play(error(429, "Slowly.", retry_after="7000.5"))
        limited = client.post("/api/chat", json=alone)
        assert limited.json()["retryAfter"] == int(limited.headers["retry-after"]) == 7001


@pytest.mark.req("PR-4")
def test_the_model_alone_where_none_is_chosen_or_needed(
    client: httpx.Client, workspace: Workspace
) -> None:
    share_workspace(workspace)
    alone = {"question": QUESTION, "modelOnly": True}
    failed = client.post("/api/chat", json=alone)
    assert (failed.status_code, failed.json()["code"]) == (503, "MODEL_NOT_CHOSEN")
    assert failed.json()["fallback"].endswith(CLOSING)
    nothing = client.post("/api/chat", json={**alone, "question": "Who wrote Hamlet?"})
    assert nothing.status_code == 200 and nothing.json()["refused"]
    refused = client.post("/api/chat", json={**alone, "modelOnly": "yes"})
    assert (refused.status_code, refused.json()["code"]) == (400, "INVALID_REQUEST")
