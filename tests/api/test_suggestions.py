"""Offered questions and usage over real HTTP."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest

from core.maintenance.sample import SAMPLE
from core.workspace import Workspace, share_workspace

QUESTION = "How should ibuprofen be taken?"


@pytest.fixture
def library(client: httpx.Client, make_workspace: Callable[..., Workspace]) -> Workspace:
    """One leaflet and no graph."""
    workspace = make_workspace()
    assert workspace.library.ingest(SAMPLE / "leaflets" / "Ibuprofen.pdf").state == "ready"
    share_workspace(workspace)
    return workspace


@pytest.mark.req("KG-F")
def test_offered_questions_are_answered_over_http(client: httpx.Client, library: Workspace) -> None:
    begun = client.get("/api/suggestions").json()["suggestions"]
    assert len(begun) == 3 and {one["source"] for one in begun} == {"documents"}
    plain = client.post("/api/chat", json={"question": QUESTION}).json()
    assert plain["follow_ups"] == [], "an answer does not wait for them"
    session = plain["conversationId"]
    offered = client.get("/api/suggestions", params={"conversationId": session}).json()
    asked = {"question": offered["suggestions"][0]["question"], "conversationId": session}
    then = client.post("/api/chat", json={**asked, "followUps": True}).json()
    assert then["state"] == "answered" and then["follow_ups"]
    missing = client.get("/api/suggestions", params={"conversationId": "nobody"})
    assert (missing.status_code, missing.json()["code"]) == (404, "CONVERSATION_NOT_FOUND")
    assert client.post("/api/chat", json={**asked, "followUps": "yes"}).status_code == 400


@pytest.mark.req("KG-F")
def test_usage_is_counted_over_http(client: httpx.Client, library: Workspace) -> None:
    assert client.get("/api/conversations/usage").json()["questions"] == 0
    asked = client.post("/api/chat", json={"question": QUESTION}).json()
    client.post("/api/chat", json={"question": "What is the capital of France?"})
    library.conversations.tag(asked["conversationId"], ["signal"])
    told = client.get("/api/conversations/usage").json()
    assert (told["questions"], told["refusedShare"]) == (2, 0.5)
    assert [day["questions"] for day in told["days"]] == [2] and told["seconds"]["median"] > 0
    of_tag = client.get("/api/conversations/usage", params={"tag": "signal"}).json()
    others = {"may_not_answer": 0, "not_in_library": 0, "graph_unavailable": 0}
    assert of_tag["states"] == {"answered": 1, **others}
    wrong = client.get("/api/conversations/usage", params={"rating": "five"})
    assert (wrong.status_code, wrong.json()["code"]) == (400, "INVALID_REQUEST")
