"""Conversations over real HTTP: listed, read, changed, deleted; answers rated and found by what they quote."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from core.workspace import Workspace, share_workspace, shared_workspace

TEXT = "The recommended dose of Zolvetrin is 37 mg once a day for adults."
QUESTION = "What is the dose of Zolvetrin?"


@pytest.fixture
def document(
    client: httpx.Client, make_workspace: Callable[..., Workspace], pdf: Callable[..., Path]
) -> str:
    """The one document of a library that is served."""
    workspace = make_workspace()
    share_workspace(workspace)
    return workspace.library.ingest(pdf("Zolvetrin.pdf", TEXT)).document_id


def ask(client: httpx.Client, question: str, **more: object) -> dict[str, Any]:
    answered = client.post("/api/chat", json={"question": question, **more})
    assert answered.status_code == 200
    found: dict[str, Any] = answered.json()
    return found


def listed(client: httpx.Client, **asked: object) -> list[str]:
    found = client.get("/api/conversations", params=asked)  # type: ignore[arg-type]
    assert found.status_code == 200, found.text
    return [one["id"] for one in found.json()["conversations"]]


def code(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["code"]


@pytest.mark.req("CG-4", "KG-15")
def test_a_conversation_is_listed_read_changed_and_deleted(
    client: httpx.Client, document: str
) -> None:
    first = ask(client, QUESTION)
    session = first["conversationId"]
    second = ask(client, "What is the capital of France?", conversationId=session)
    path = f"/api/conversations/{session}"
    whole = client.get(path).json()
    assert [turn["id"] for turn in whole["turns"]] == [first["turnId"], second["turnId"]]
    assert [turn["position"] for turn in whole["turns"]] == [0, 1]
    assert whole["turns"][0]["answer"]["answer"] == first["answer"]
    told = whole["conversation"]
    assert (told["title"], told["questions"], told["pinned"]) == (QUESTION, 2, False)
    changed = client.patch(path, json={"title": " Dose ", "pinned": True, "tags": ["b", "a", ""]})
    assert changed.json() == {
        **told,
        "title": "Dose",
        "pinned": True,
        "tags": ["a", "b"],
    }
    assert client.patch(path, json={"pinned": False}).json()["tags"] == ["a", "b"]
    gone = client.delete(path)
    assert gone.json() == {"success": True, "questions": 2, "ratings": 0}
    for missing in (client.get(path), client.delete(path), client.patch(path, json={"title": "x"})):
        assert code(missing) == (404, "CONVERSATION_NOT_FOUND")
        assert missing.json()["error"] == "Conversation not found"


@pytest.mark.parametrize(
    "body",
    [{}, {"title": " "}, {"title": 1}, {"pinned": "yes"}, {"tags": "a"}, {"tags": ["x" * 41]}],
)
def test_a_change_that_is_none_is_refused(
    client: httpx.Client, document: str, body: dict[str, object]
) -> None:
    session = ask(client, QUESTION)["conversationId"]
    refused = client.patch(f"/api/conversations/{session}", json=body)
    assert refused.status_code == 400 and refused.json()["code"].startswith("INVALID_")
    assert client.get(f"/api/conversations/{session}").json()["conversation"]["title"] == QUESTION


def test_an_answer_is_rated_and_the_rating_taken_back(client: httpx.Client, document: str) -> None:
    answer, other = ask(client, QUESTION), ask(client, "What is the capital of France?")
    session = answer["conversationId"]
    path = f"/api/conversations/{session}/turns/{answer['turnId']}/feedback"
    kept = client.post(path, json={"rating": "down", "fault": "number", "comment": " 73 mg "})
    assert kept.status_code == 200
    assert {**kept.json(), "ratedAt": ""} == {
        "rating": "down", "fault": "number", "comment": "73 mg", "ratedAt": "",
    }  # fmt: skip
    (turn,) = client.get(f"/api/conversations/{session}").json()["turns"]
    assert turn["feedback"] == kept.json()
    assert listed(client, rating="down") == [session] and listed(client, rating="up") == []
    assert client.post(path, json={"rating": "up"}).json()["comment"] == ""
    assert listed(client, rating="up") == [session]
    assert client.delete(path).json() == {"success": True} == client.delete(path).json()
    assert listed(client, rating="up") == []
    for body in ({}, {"rating": "best"}, {"rating": "down", "fault": "colour"}, {"rating": 1}):
        assert code(client.post(path, json=body)) == (400, "INVALID_REQUEST")
    wrong = client.post(path, json={"rating": "up", "fault": "page"})
    assert code(wrong) == (400, "INVALID_RATING")
    long = client.post(path, json={"rating": "down", "comment": "x" * 2_001})
    assert code(long) == (400, "COMMENT_TOO_LONG")
    elsewhere = f"/api/conversations/{other['conversationId']}/turns/{answer['turnId']}/feedback"
    for missing in (elsewhere, elsewhere.replace(answer["turnId"], "nobody")):
        for refused in (client.post(missing, json={"rating": "up"}), client.delete(missing)):
            assert code(refused) == (404, "ANSWER_NOT_FOUND")


def test_conversations_are_searched_and_filtered(client: httpx.Client, document: str) -> None:
    told, refused = ask(client, QUESTION), ask(client, "What is the capital of France?")
    told_id, refused_id = told["conversationId"], refused["conversationId"]
    assert listed(client) == [refused_id, told_id] and listed(client, limit=1) == [refused_id]
    assert client.get("/api/conversations?limit=1").json()["more"] is True
    assert client.get("/api/conversations?limit=2").json()["more"] is False
    assert listed(client, search="37 MG") == [told_id] == listed(client, document=document)
    assert listed(client, refused="true") == [refused_id]
    assert listed(client, refused="false") == [told_id]
    client.patch(f"/api/conversations/{told_id}", json={"tags": ["signal"], "pinned": True})
    assert listed(client) == [told_id, refused_id] and listed(client, tag="signal") == [told_id]
    assert listed(client, tag="signal", refused="true") == []
    bad = ("limit=0", "limit=1001", "limit=x", "limit=1&limit=2", "refused=1", "rating=")
    for query in bad:
        refusal = client.get(f"/api/conversations?{query}")
        assert code(refusal) == (400, "INVALID_REQUEST"), query


@pytest.mark.req("PR-5")
def test_the_answers_of_a_document_and_its_quotes_removed(
    client: httpx.Client, document: str
) -> None:
    answer = ask(client, QUESTION)
    path = f"/api/documents/{document}"
    assert client.get(f"{path}/answers").json()["answers"] == [
        {
            "conversationId": answer["conversationId"],
            "turnId": answer["turnId"],
            "question": QUESTION,
            "cited": True,
        }
    ]
    kept = client.delete(path).json()
    assert (kept["receipt"]["documents"], kept["receipt"]["quotes"]) == (1, 0)
    assert len(client.get(f"{path}/answers").json()["answers"]) == 1
    assert code(client.delete(path)) == (404, "DOCUMENT_NOT_FOUND")
    assert code(client.delete(f"{path}?quotes=yes")) == (400, "INVALID_REQUEST")
    removed = client.delete(f"{path}?quotes=true").json()
    assert removed["success"] and removed["receipt"]["quotes"] == 1
    assert code(client.get(f"{path}/answers")) == (404, "DOCUMENT_NOT_FOUND")
    (turn,) = client.get(f"/api/conversations/{answer['conversationId']}").json()["turns"]
    assert "37 mg" not in str(turn) and turn["answer"]["citations"][0]["file"] == "Zolvetrin.pdf"
    assert listed(client, search="37 mg") == []


@pytest.mark.req("CG-3")
def test_earlier_questions_are_found_by_their_meaning(client: httpx.Client, document: str) -> None:
    asked = ask(client, QUESTION)
    path = "/api/recall"
    assert client.get(path, params={"q": QUESTION}).json() == {"similar": []}
    shared_workspace().recall.embed_missing()
    (found,) = client.get(path, params={"q": "Which dose of Zolvetrin is right?"}).json()["similar"]
    assert (found["turnId"], found["conversationId"]) == (asked["turnId"], asked["conversationId"])
    assert (found["question"], found["refused"], found["changed"]) == (QUESTION, False, [])
    assert 0.7 <= found["similarity"] <= 1
    assert client.delete(f"/api/documents/{document}").status_code == 200
    (found,) = client.get(path, params={"q": QUESTION}).json()["similar"]
    assert found["changed"] == [{"what": "source_deleted", "text": "Zolvetrin.pdf was deleted"}]
    assert code(client.get(path)) == (400, "EMPTY_QUESTION")
    shared_workspace().recall.turn(False)
    assert client.get(path, params={"q": QUESTION}).json() == {"similar": []}
