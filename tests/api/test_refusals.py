"""What cannot be understood is refused in words, whatever part of the request it is."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest

from core.encoders.sentence_transformer import BUNDLED
from core.errors import RateLimited
from core.workspace import Workspace, share_workspace
from tests.support.fakes import FailingEncoder

TEXT = b"Zolvetrin is taken with water."
DISPOSITION = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'


@pytest.mark.parametrize(
    ("path", "good"),
    [
        ("chat", {"question": "How is Zolvetrin taken?"}),
        ("search", {"query": "Zolvetrin"}),
        ("folders", {"path": "/nowhere"}),
        ("indexes", {"name": "papers"}),
    ],
)
@pytest.mark.parametrize("broken", ['"\\ud800"', '["a\\udfff"]', '{"\\udc00": 1}'])
def test_half_a_character_is_no_text(
    path: str,
    good: dict[str, str],
    broken: str,
    client: httpx.Client,
    make_workspace: Callable[..., Workspace],
) -> None:
    """JSON may hold what neither a store nor an answer can: it cost the connection."""
    share_workspace(make_workspace())
    for field in (*good, "conversationId", "indexes", "documents", "sections", "anything"):
        fields = {name: f'"{value}"' for name, value in good.items()} | {field: broken}
        body = ", ".join(f'"{name}": {value}' for name, value in fields.items())
        refused = client.post(f"/api/{path}", content=f"{{{body}}}")
        assert (refused.status_code, refused.json()["code"]) == (400, "INVALID_TEXT")
    whole = client.post("/api/search", content='{"query": "\\ud835\\udd18 Zolvetrin"}')
    assert whole.status_code == 200 and whole.json()["query"] == "𝔘 Zolvetrin"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data", b""),
        ("multipart/form-data; boundary=b", b"no form"),
        ("multipart/form-data; boundary=b", b"--b\r\n\r\n"),
        ("multipart/form-data; boundary=b", (DISPOSITION + TEXT + b"\r\n") * 2 + b"--b--\r\n"),
        ("application/x-www-form-urlencoded", b"a=b&" * 9),
    ],
)
def test_a_form_that_cannot_be_read_is_the_senders_fault(
    kind: str, body: bytes, client: httpx.Client, make_workspace: Callable[..., Workspace]
) -> None:
    workspace = make_workspace()
    share_workspace(workspace)
    refused = client.post("/api/upload", content=body, headers={"Content-Type": kind})
    assert (refused.status_code, refused.json()["code"]) == (400, "INVALID_REQUEST")
    assert "form" in refused.json()["details"]
    assert workspace.jobs.jobs() == []


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://[", "http://[::1", "//"])
def test_a_foreign_origin_is_told_like_every_error(
    origin: str, client: httpx.Client, make_workspace: Callable[..., Workspace]
) -> None:
    """Also one that is no address: reading it failed outside of what makes errors into bodies."""
    share_workspace(make_workspace())
    refused = client.get("/api/jobs", headers={"Origin": origin})
    body = refused.json()
    assert (refused.status_code, body["code"], body["error"]) == (
        403,
        "FOREIGN_ORIGIN",
        "Foreign origin",
    )
    assert body["details"] and body["retryable"] is False
    assert refused.headers["x-correlation-id"] == body["correlationId"]


def test_a_whole_number_is_one_however_it_is_written(
    client: httpx.Client, make_workspace: Callable[..., Workspace]
) -> None:
    share_workspace(make_workspace())
    for number in range(3):
        client.post("/api/upload", files={"file": (f"{number}.txt", TEXT + b"%d" % number)})
    for k in ("2", "2.0", "2e0"):
        found = client.post("/api/search", content=f'{{"query": "Zolvetrin", "k": {k}}}')
        assert len(found.json()["hits"]) == 2
    for k in ("2.5", "0.0", "1e3", "1e999", "NaN", "true"):
        refused = client.post("/api/search", content=f'{{"query": "Zolvetrin", "k": {k}}}')
        assert (refused.status_code, refused.json()["code"]) == (400, "INVALID_K")


def test_a_conversation_is_named_by_a_text(
    client: httpx.Client, make_workspace: Callable[..., Workspace]
) -> None:
    """Another value was ignored, and the answer began a conversation that nobody had asked for."""
    share_workspace(make_workspace())
    for wrong in (7, ["a"], True, {}):
        refused = client.post("/api/chat", json={"question": "Hm?", "conversationId": wrong})
        assert (refused.status_code, refused.json()["code"]) == (400, "INVALID_REQUEST")
    for none in ({}, {"conversationId": None}):
        assert client.post("/api/chat", json={"question": "Hm?", **none}).status_code == 200


def test_a_providers_limit_during_an_upload_is_429(
    client: httpx.Client, make_workspace: Callable[..., Workspace]
) -> None:
    workspace = make_workspace()
    workspace._encoders[BUNDLED] = FailingEncoder(1, RateLimited("Too many requests."))
    share_workspace(workspace)
    limited = client.post("/api/upload", files={"file": ("a.txt", TEXT)})
    assert (limited.status_code, limited.json()["code"]) == (429, "RATE_LIMITED")
    assert limited.json()["retryAfter"] == int(limited.headers["retry-after"]) > 0
    assert workspace.library_store.documents(include_unfinished=True) == []
