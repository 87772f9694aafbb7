"""Two versions of a document over HTTP, the answers that rest on the old one, and a conversation's ledger."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from core.workspace import Workspace, share_workspace
from tests.api.test_conversations import ask, code

OLD = "The recommended dose of Zolvetrin is 37 mg once a day for adults. Store it below 25 °C."
NEW = "The recommended dose of Zolvetrin is 41 mg once a day for adults. Store it below 25 °C."
QUESTION = "What is the dose of Zolvetrin?"


@pytest.fixture
def ids(
    client: httpx.Client, make_workspace: Callable[..., Workspace], pdf: Callable[..., Path]
) -> dict[str, str]:
    """Both versions, and a conversation that was held with the old one."""
    workspace = make_workspace()
    share_workspace(workspace)
    old = workspace.library.ingest(pdf("Zolvetrin.pdf", OLD)).document_id
    conversation = ask(client, QUESTION)["conversationId"]
    new = workspace.library.ingest(pdf("Zolvetrin 2026.pdf", NEW)).document_id
    return {"old": old, "new": new, "conversation": conversation}


def test_versions_are_compared_and_answers_on_the_old_one_are_named(
    client: httpx.Client, ids: dict[str, str]
) -> None:
    path, asked = "/api/documents/compare", {"old": ids["old"], "new": ids["new"]}
    found = client.get(path, params=asked).json()
    counts = {"same": 1, "added": 0, "removed": 0, "changed": 1, "moved": 0, "numbers": 1}
    assert found["counts"] == counts
    (one,) = [one for section in found["sections"] for one in section["differences"]]
    assert one["numbers"] == [{"old": "37 mg", "new": "41 mg"}]
    assert one["old"]["page"] == 1
    assert [one["old"]["text"][start:end] for start, end in one["old"]["marks"]] == ["37"]
    (answer,) = found["answers"]
    assert (answer["conversationId"], answer["question"]) == (ids["conversation"], QUESTION)
    assert answer["evidence"][0]["numbers"] and not answer["evidence"][0]["removed"]
    turned = client.get(path, params={"old": ids["new"], "new": ids["old"]}).json()
    assert turned["answers"] == []
    for form, begins in (("csv", "\ufeffSection,"), ("md", "# Zolvetrin.pdf and")):
        made = client.get(path, params={**asked, "format": form})
        assert made.text.startswith(begins) and "37 mg" in made.text and "41 mg" in made.text
        assert made.headers["x-content-type-options"] == "nosniff"
    same = client.get(path, params={"old": ids["old"], "new": ids["old"]})
    assert code(same) == (400, "SAME_DOCUMENT")
    gone = client.get(path, params={"old": ids["old"], "new": "none"})
    assert code(gone) == (404, "DOCUMENT_NOT_FOUND")


def test_the_ledger_tells_each_claim_and_what_became_of_its_source(
    client: httpx.Client, ids: dict[str, str]
) -> None:
    path = f"/api/conversations/{ids['conversation']}/ledger"
    found = client.get(path).json()
    claim = found["claims"][0]
    assert (claim["restsOn"], claim["changed"], found["questions"]) == ("document", [], 1)
    assert claim["sources"][0]["file"] == "Zolvetrin.pdf" and "37 mg" in claim["sources"][0]["said"]
    assert client.get(path, params={"basis": ["graph", "both"]}).json()["claims"] == []
    assert client.get(path, params={"search": "zolvetrin dose"}).json()["claims"]
    assert client.get(path, params={"format": "csv"}).text.startswith("\ufeffClaim,")
    assert code(client.get(path, params={"basis": "luck"})) == (400, "INVALID_REQUEST")
    assert client.delete(f"/api/documents/{ids['old']}").status_code == 200
    (changed,) = client.get(path, params={"changed": "true"}).json()["claims"][:1]
    assert changed["changed"] == ["deleted"]
    missing = client.get("/api/conversations/none/ledger")
    assert code(missing) == (404, "CONVERSATION_NOT_FOUND")
