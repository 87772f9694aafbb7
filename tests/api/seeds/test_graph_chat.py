"""The first design document's chat, asked and answered in its own words."""

from __future__ import annotations

import httpx
import pytest

from core.answers.prompts import REFUSAL
from core.workspace import Workspace, share_workspace
from tests.support.fake_openai import FakeOpenAI, error

# As the document prints them.
QUESTION = {"message": "What drugs treat diabetes?"}
SIMILAR = {"message": "Find drugs similar to Aspirin", "includeGraph": True}
SOURCE = {"entityType", "entityName", "nodeId", "relevanceScore", "excerpt", "properties"}


@pytest.fixture
def sample(client: httpx.Client, sample_workspace: Workspace) -> Workspace:
    """The server answers from the sample."""
    share_workspace(sample_workspace)
    return sample_workspace


def problem(answered: httpx.Response, status: int, kind: str) -> dict[str, object]:
    """The error, in the fields and no others that the document gives it."""
    body = answered.json()
    assert (answered.status_code, set(body)) == (status, {"error"})
    told: dict[str, object] = body["error"]
    assert set(told) == {"type", "message", "details", "correlationId"}
    assert told["type"] == kind and told["message"]
    assert answered.headers["x-correlation-id"] == told["correlationId"]
    return told


@pytest.mark.req("KG-9", "KG-12", "KG-15", "KG-27", "KG-29")
def test_a_chat_from_its_first_message_to_its_deletion(
    client: httpx.Client, sample: Workspace
) -> None:
    first = client.post("/api/chat/message", json=QUESTION)
    assert first.status_code == 200
    body = first.json()
    assert body["answer"] and body["conversationId"] and body["queryType"] == "hybrid"
    assert "graphData" not in body and "error" not in body and body["disclaimer"]
    assert body["sources"] and all(set(source) == SOURCE for source in body["sources"])
    scores = [source["relevanceScore"] for source in body["sources"]]
    assert scores == sorted(scores, reverse=True) and all(0 <= score <= 1 for score in scores)

    follow_up = client.post(
        "/api/chat/message",
        json={
            "message": "What are the side effects of metformin?",
            "conversationId": body["conversationId"],
        },
    ).json()
    assert follow_up["conversationId"] == body["conversationId"]
    assert {source["entityType"] for source in follow_up["sources"]} >= {"Document"}

    place = f"/api/chat/conversations/{body['conversationId']}"
    kept = client.get(place).json()
    assert set(kept) == {"id", "messages", "createdAt", "updatedAt"}
    assert [one["role"] for one in kept["messages"]] == ["user", "assistant"] * 2
    assert [one["content"] for one in kept["messages"]] == [
        QUESTION["message"],
        body["answer"],
        "What are the side effects of metformin?",
        follow_up["answer"],
    ]
    assert kept["messages"][1]["sources"] == body["sources"]
    assert client.delete(place).json()["success"] is True
    for method in ("GET", "DELETE"):
        problem(client.request(method, place), 404, "CONVERSATION_NOT_FOUND")


@pytest.mark.req("KG-30")
def test_an_excerpt_is_text_that_the_answer_was_made_from(
    client: httpx.Client, sample: Workspace
) -> None:
    body = client.post("/api/chat/message", json={"message": "When is metformin not taken?"})
    found = body.json()["sources"]
    documents = [one for one in found if one["entityType"] == "Document"]
    assert documents
    for source in documents:
        page = sample.catalogue.page(source["nodeId"], source["properties"]["page"])
        assert page is not None and source["excerpt"] in page.text
    (drug,) = [one for one in found if one["entityName"] == "Metformin"]
    assert drug["properties"] == dict(
        sample.graph.entities([drug["nodeId"]])[drug["nodeId"]].properties
    )
    assert drug["excerpt"] != "When is metformin not taken?"


@pytest.mark.req("KG-19")
def test_the_part_of_the_graph_that_an_answer_speaks_of(
    client: httpx.Client, sample: Workspace
) -> None:
    body = client.post("/api/chat/message", json=SIMILAR).json()
    assert body["queryType"] == "semantic"
    graph = body["graphData"]
    ids = {node["id"] for node in graph["nodes"]}
    assert ids
    for node in graph["nodes"]:
        entity = sample.graph.entity(node["id"])
        assert entity is not None and node["labels"] == [entity.type]
        assert node["properties"]["name"] == entity.name
    for one in graph["relationships"]:
        assert {one["startNodeId"], one["endNodeId"]} <= ids and one["type"] and one["id"]
    drug = {"message": "Which drugs treat gout?", "includeGraph": True}
    assert client.post("/api/chat/message", json=drug).json()["graphData"]["relationships"]


@pytest.mark.req("KG-E", "KG-14")
def test_nothing_found_and_no_such_conversation(client: httpx.Client, sample: Workspace) -> None:
    asked = {"message": "xyzabc", "conversationId": "nobody"}
    body = client.post("/api/chat/message", json=asked).json()
    assert (body["answer"], body["sources"], body["queryType"]) == (REFUSAL, [], "none")
    assert body["conversationId"] not in ("", "nobody") and "new" in body["notice"]
    told = body["error"]
    assert set(told) == {"type", "message", "details", "correlationId"}
    assert told["type"] == "NO_RESULTS" and told["details"]["query"] == "xyzabc"
    assert told["details"]["suggestions"]


@pytest.mark.req("KG-E")
def test_wrong_requests_are_told_in_the_documents_form(
    client: httpx.Client, sample: Workspace
) -> None:
    place = "/api/chat/message"
    problem(client.post(place, json={"message": " "}), 400, "EMPTY_QUESTION")
    for wrong in ({}, {"message": 7}, {"message": "x", "conversationId": 7}):
        problem(client.post(place, json=wrong), 400, "INVALID_REQUEST")
    before = client.get("/api/conversations").json()
    for flag in ("includeGraph", "modelOnly"):
        problem(client.post(place, json={"message": "x", flag: 1}), 400, "INVALID_REQUEST")
    assert client.get("/api/conversations").json() == before
    problem(client.post(place, content=b'{"message": "x"}'), 415, "JSON_REQUIRED")
    foreign = {"Origin": "http://evil.example"}
    problem(client.post(place, json=QUESTION, headers=foreign), 403, "FOREIGN_ORIGIN")


@pytest.mark.req("KG-E")
def test_a_model_that_fails(
    client: httpx.Client, with_provider: Workspace, provider: FakeOpenAI
) -> None:
    share_workspace(with_provider)
    question = {"message": "When must metformin not be taken?"}
    provider.play(error(400, "No."))
    quoted = client.post("/api/chat/message", json=question)
    assert quoted.status_code == 200 and quoted.json()["sources"]
    assert quoted.json()["failure"]["code"] == "MODEL_FAILED"
    alone = {**question, "modelOnly": True, "conversationId": quoted.json()["conversationId"]}
    told = problem(client.post("/api/chat/message", json=alone), 503, "OPENAI_ERROR")
    assert "metformin" in str(told["details"]["fallback"]).casefold()
    provider.play(error(429, "Slowly.", code="insufficient_quota"))
    limited = client.post("/api/chat/message", json=alone)
    told = problem(limited, 429, "OPENAI_RATE_LIMIT")
    assert told["details"]["retryAfter"] == int(limited.headers["retry-after"]) > 0
    # What failed is not kept.
    kept = client.get(f"/api/chat/conversations/{alone['conversationId']}").json()["messages"]
    assert [one["role"] for one in kept] == ["user", "assistant"]
