"""Conversations as files over real HTTP: out in every format, one answer alone, in again once."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from core.conversations.exporting.exports import MEDIA_TYPES, ExportFormat
from core.workspace import Workspace, share_workspace
from tests.api.test_conversations import ask, code, listed

TEXT = "The recommended dose of Zolvetrin is 37 mg once a day for adults."
QUESTION = "What is the dose of Zolvetrin?"
STARTS = {
    ExportFormat.MARKDOWN: b"# ",
    ExportFormat.PDF: b"%PDF-",
    ExportFormat.WORD: b"PK",
    ExportFormat.JSON: b"{",
}


@pytest.fixture
def conversation(
    client: httpx.Client, make_workspace: Callable[..., Workspace], pdf: Callable[..., Path]
) -> dict[str, str]:
    """The path of a conversation with two answers, and of the first of them."""
    workspace = make_workspace()
    share_workspace(workspace)
    workspace.library.ingest(pdf("Zolvetrin.pdf", TEXT))
    first = ask(client, QUESTION)
    ask(client, "What is the capital of France?", conversationId=first["conversationId"])
    path = f"/api/conversations/{first['conversationId']}"
    return {"path": path, "answer": f"{path}/turns/{first['turnId']}"}


@pytest.mark.req("KG-12")
def test_every_format_of_a_conversation_and_of_one_answer(
    client: httpx.Client, conversation: dict[str, str]
) -> None:
    title = 'Dose"; filename="evil.exe"\r\nSet-Cookie: a=b; ../../Ä Доза 用量 ' + "x" * 20
    assert client.patch(conversation["path"], json={"title": title}).status_code == 200
    for which in ("path", "answer"):
        for form in ExportFormat:
            made = client.get(f"{conversation[which]}/export", params={"format": form.value})
            assert made.status_code == 200 and made.content.startswith(STARTS[form])
            assert made.headers["content-type"].startswith(MEDIA_TYPES[form].partition(";")[0])
            told = made.headers["content-disposition"]
            assert re.fullmatch(rf'attachment; filename="[a-z0-9-]+\.{form}"', told)
            assert made.headers["x-content-type-options"] == "nosniff"
            assert "set-cookie" not in made.headers
    whole, one = (
        client.get(f"{conversation[which]}/export").json() for which in ("path", "answer")
    )
    assert (len(whole["turns"]), len(one["turns"]), one["whole"]) == (2, 1, False)
    assert "37 mg" in client.get(f"{conversation['path']}/export?format=md").text


def test_what_cannot_be_exported(client: httpx.Client, conversation: dict[str, str]) -> None:
    none = "/api/conversations/none/export"
    assert code(client.get(none)) == (404, "CONVERSATION_NOT_FOUND")
    assert code(client.get(f"{conversation['path']}/turns/none/export")) == (
        404,
        "ANSWER_NOT_FOUND",
    )
    wrong = client.get(f"{conversation['path']}/export?format=exe")
    assert code(wrong) == (400, "INVALID_REQUEST") and "docx" in wrong.json()["details"]


@pytest.mark.req("KG-12")
def test_a_file_comes_in_once(client: httpx.Client, conversation: dict[str, str]) -> None:
    path = conversation["path"]
    before = client.get(path).json()
    data = client.get(f"{path}/export").content
    again = client.post("/api/conversations/import", content=data)
    assert (again.status_code, again.json()["new"]) == (200, False)
    assert again.json()["conversation"] == before["conversation"] and len(listed(client)) == 1
    client.delete(path)
    new = client.post("/api/conversations/import", content=data)
    assert (new.status_code, new.json()["new"]) == (201, True)
    assert client.get(path).json() == before
    changed = data.replace(b"37 mg", b"73 mg")
    refused = client.post("/api/conversations/import", content=changed)
    assert code(refused) == (400, "EXPORT_CHANGED")
    assert refused.json()["error"] == "Invalid conversation file"
    for nothing in (b"", b"[]", b"\xff\x00", b'{"format": "materia-conversation"}'):
        assert client.post("/api/conversations/import", content=nothing).status_code == 400
    assert len(listed(client)) == 1
