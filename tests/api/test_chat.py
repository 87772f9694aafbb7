"""Where `POST /api/chat` looks: some indexes, the usual ones, or everything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from core.answers.prompts import REFUSAL
from core.documents.library.shelves import ABSTRACTS
from core.workspace import Workspace, share_workspace
from tests.support.answering import settings_without_environment

QUESTION = "When must Quolvane not be taken?"
TEXT = "About Quolvane\n\nQuolvane must not be taken by people with gout."
OTHER = "About Zolvetrin\n\nZolvetrin is taken with water."


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, onnx_models: Path) -> Iterator[Workspace]:
    """Quolvane stands in an abstract alone, Zolvetrin among the leaflets and the papers."""
    folder = tmp_path_factory.mktemp("chat")
    workspace = Workspace(
        settings_without_environment(
            data_dir=folder / "data", models_dir=onnx_models, sample=False, warm_up=False
        )
    )
    for index, profile, name, text in (
        ("leaflets", "leaflet", "zolvetrin.txt", OTHER),
        ("papers", "semantic", "zolvetrin.txt", OTHER),
        (ABSTRACTS, "semantic", "quolvane.txt", TEXT),
    ):
        workspace.indexes.create(index, profile)
        (folder / name).write_text(text)
        assert workspace.library.ingest(folder / name, index=index).state == "ready"
    yield workspace
    workspace.close()


@pytest.fixture
def library(client: httpx.Client, filled: Workspace) -> None:
    """The server answers from these indexes."""
    share_workspace(filled)


def ask(client: httpx.Client, **fields: object) -> dict[str, Any]:
    answered = client.post("/api/chat", json={"question": QUESTION, **fields})
    assert answered.status_code == 200
    found: dict[str, Any] = answered.json()
    return found


@pytest.mark.usefixtures("library")
def test_the_usual_indexes_are_all_but_the_abstracts(client: httpx.Client) -> None:
    for usual in (ask(client), ask(client, indexes=[], wider=False)):
        assert usual["refused"] and usual["answer"] == REFUSAL and usual["wider"] is False
        assert set(usual["scope"]) == {"leaflets", "papers"}
    assert {one["file"] for one in usual["nearest"]} <= {"zolvetrin.txt"}
    told = usual["no_results"]["details"]["suggestions"]
    assert any("Search wider" in words for words in told)


@pytest.mark.usefixtures("library")
def test_wider_looks_everywhere(client: httpx.Client) -> None:
    for fields in ({}, {"indexes": ["papers"]}, {"indexes": []}):
        wider = ask(client, wider=True, **fields)
        assert wider["sources"] == [{"document": "quolvane.txt", "page": 0}] and wider["wider"]
        assert set(wider["scope"]) == {"leaflets", "papers", ABSTRACTS}
    assert ask(client, wider=False)["refused"]


@pytest.mark.usefixtures("library")
def test_named_indexes_are_all_that_is_searched(client: httpx.Client) -> None:
    found = ask(client, indexes=[ABSTRACTS])
    assert found["scope"] == [ABSTRACTS] and "gout" in found["answer"]
    missed = ask(client, indexes=["papers", "leaflets"])
    assert missed["refused"] and set(missed["scope"]) == {"papers", "leaflets"}


def test_named_documents_are_all_that_is_quoted(
    client: httpx.Client, filled: Workspace, library: None
) -> None:
    by_index = {
        index.name: [one.id for one in filled.library_store.documents(index.name)]
        for index in filled.library_store.indexes()
    }
    quolvane, zolvetrin = by_index[ABSTRACTS][0], by_index["leaflets"][0]
    found = ask(client, documents=[quolvane], products=["quolvane"])  # a document brings its index
    assert found["scope"] == [ABSTRACTS] and "gout" in found["answer"]
    assert found["within"] == {
        "documents": [quolvane],
        "files": ["quolvane.txt"],
        "sections": [],
        "entities": [],
        "products": ["quolvane"],
    }
    assert found["unasked"]["documents"] == []
    missed = ask(client, documents=[zolvetrin])
    assert missed["refused"]
    assert {one["document_id"] for one in missed["nearest"]} <= {zolvetrin}
    wider = ask(client, documents=[zolvetrin], wider=True)
    assert "gout" in wider["answer"] and wider["within"]["documents"] == []


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"indexes": ["nobody"]}, 404, "INDEX_NOT_FOUND"),
        ({"indexes": "papers"}, 400, "INVALID_REQUEST"),
        ({"indexes": [7]}, 400, "INVALID_REQUEST"),
        ({"indexes": None}, 400, "INVALID_REQUEST"),
        ({"documents": ["nobody"]}, 404, "DOCUMENT_NOT_FOUND"),
        ({"documents": "nobody"}, 400, "INVALID_REQUEST"),
        ({"sections": ["nothing"]}, 400, "INVALID_SECTION"),
        ({"wider": "yes"}, 400, "INVALID_REQUEST"),
        ({"wider": 1}, 400, "INVALID_REQUEST"),
    ],
)
def test_what_cannot_be_searched_is_said(
    fields: dict[str, object], status: int, code: str, client: httpx.Client
) -> None:
    refused = client.post("/api/chat", json={"question": QUESTION, **fields})
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert refused.json()["details"]


def test_a_corrected_plan_is_carried_out_and_both_are_answered(
    client: httpx.Client, workspace: Workspace
) -> None:
    share_workspace(workspace)
    question = {"question": "Which drugs treat hypertension?"}
    first = client.post("/api/chat", json=question).json()
    plan = {**first["plan"], "want": "count"}
    sent = {**question, "plan": plan, "conversationId": first["conversationId"]}
    found = client.post("/api/chat", json=sent).json()
    assert found["understood"] == "The number of drugs that treat hypertension"
    assert (found["plan"], found["plan_as_read"]) == (plan, first["plan"])
    assert found["understood_as_read"] == first["understood"]
    assert first["plan_as_read"] is None and first["understood_as_read"] == ""
    condition = {**plan["sets"][0]["conditions"][0][0], "relationships": ["CURES"]}
    wrong = {**plan, "sets": [{"types": ["Drug"], "conditions": [[condition]]}]}
    for bad in (wrong, {}, [], "plan", {"want": "list"}, {**plan, "want": "everything"}):
        refused = client.post("/api/chat", json={**question, "plan": bad})
        assert (refused.status_code, refused.json()["code"]) == (400, "INVALID_PLAN")
    assert "CURES" in client.post("/api/chat", json={**sent, "plan": wrong}).json()["details"]
    (added,) = client.post(
        "/api/chat", json={"question": "Which drugs do not target ADRB1?"}
    ).json()["plan"]["sets"][0]["conditions"]
    conditions = [*first["plan"]["sets"][0]["conditions"], added]
    more = {**first["plan"], "sets": [{"types": ["Drug"], "conditions": conditions}]}
    said = client.post("/api/chat", json={**sent, "plan": more}).json()["understood"]
    assert said == "Drugs that treat hypertension and are not said in the graph to target ADRB1"
    both = {"question": "Which drugs treat hypertension, and which drugs target ADRB1?"}
    two = client.post("/api/chat", json=both).json()["plans"]
    number = {**both, "plan": {**two[1]["plan"], "want": "count"}, "planNumber": 2}
    of_both = client.post("/api/chat", json=number).json()["plans"]
    assert [one["plan"]["want"] for one in of_both] == ["list", "count"]
    for wrong_number in (0, "2", None):
        refused = client.post("/api/chat", json={**number, "planNumber": wrong_number})
        assert (refused.status_code, refused.json()["code"]) == (400, "INVALID_REQUEST")
    asked = client.post(
        "/api/chat", json={"question": "When must metformin not be taken?", "plan": plan}
    )
    assert (asked.status_code, asked.json()["code"]) == (400, "NO_PLAN")
