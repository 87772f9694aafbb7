"""The fourth design document's search."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from core.answers.prompts import REFUSAL
from core.documents.library.shelves import ABSTRACTS
from core.encoders.sentence_transformer import BUNDLED
from core.errors import ModelError, RateLimited
from core.maintenance.sample import SAMPLE
from core.workspace import Workspace, share_workspace
from tests.support.fake_openai import FakeOpenAI, error
from tests.support.fakes import FailingEncoder

QUERY = {"q": "What do spontaneous reports show?", "k": 3}


@pytest.fixture
def sample(client: httpx.Client, sample_workspace: Workspace) -> Workspace:
    """The server answers from the sample."""
    share_workspace(sample_workspace)
    return sample_workspace


def problem(answered: httpx.Response, status: int, code: str) -> dict[str, object]:
    """The error, in the fields that the document gives it."""
    told: dict[str, object] = answered.json()["error"]
    assert (answered.status_code, told["code"]) == (status, code)
    assert set(told) - {"fallback"} == {"code", "message", "details", "retry_after"}
    return told


@pytest.mark.req("AX-1", "AX-6", "AX-8", "AX-9", "AX-10", "AX-12")
@pytest.mark.parametrize("k", [3, 5, 10, 15])
def test_papers_with_an_answer_from_them(client: httpx.Client, sample: Workspace, k: int) -> None:
    body = client.post("/search", json={**QUERY, "k": k}).json()
    records = {
        one["id"]: one for one in json.loads((SAMPLE / "abstracts/arxivData.json").read_bytes())
    }
    ids = [hit["paper_id"] for hit in body["hits"]]
    assert len(ids) == len(set(ids)) == k
    scores = [hit["relevance_score"] for hit in body["hits"]]
    assert scores == sorted(scores, reverse=True)
    for hit in body["hits"]:
        record = records[hit["paper_id"]]
        assert (hit["title"], hit["summary"]) == (record["title"], record["summary"])
        assert hit["arxiv_url"] in record["link"] and hit["arxiv_url"].startswith("http")
        assert hit["matched_chunks"]
    assert body["answer"] and body["answer"] != REFUSAL
    assert body["citations"] and {one["paper_id"] for one in body["citations"]} <= set(ids)
    assert all(f"[{one['n']}]" in body["answer"] for one in body["citations"])
    assert body["query_time_ms"] >= 0 and body["failure"] is None
    (index,) = [one for one in sample.indexes.all() if one.index.name == ABSTRACTS]
    assert body["total_chunks_searched"] == index.counts.chunks


@pytest.mark.req("AX-13")
def test_papers_are_ranked_by_embedding_similarity_alone(
    client: httpx.Client, sample: Workspace
) -> None:
    found = client.post("/search", json=QUERY).json()
    assert found["mode"] == "semantic"
    same = client.post("/search", json={**QUERY, "mode": "semantic"}).json()
    assert same["hits"] == found["hits"]
    lexical = client.post("/search", json={**QUERY, "mode": "lexical"}).json()
    assert lexical["mode"] == "lexical"
    nothing = client.post("/search", json={"q": "qqqq", "mode": "lexical"}).json()
    assert (nothing["hits"], nothing["citations"], nothing["answer"]) == ([], [], REFUSAL)
    assert len(client.post("/search", json={"q": QUERY["q"]}).json()["hits"]) == 5


@pytest.mark.req("AX-14")
def test_wrong_requests_are_told_in_the_documents_form(
    client: httpx.Client, sample: Workspace, make_workspace: Callable[..., Workspace]
) -> None:
    for wrong, code in (
        ({"q": " "}, "EMPTY_QUERY"),
        ({"k": 3}, "INVALID_REQUEST"),
        ({"query": "x"}, "INVALID_REQUEST"),
        *(({"q": "x", "k": k}, "INVALID_K") for k in (0, 101, -1, "3", 2.5, True, None)),
        ({"q": "x", "mode": "magic"}, "INVALID_MODE"),
    ):
        told = problem(client.post("/search", json=wrong), 400, code)
        assert told["retry_after"] is None and told["details"]
    problem(client.post("/search", content=b"{"), 415, "JSON_REQUIRED")
    broken = {"Content-Type": "application/json"}
    problem(client.post("/search", content=b"{", headers=broken), 400, "INVALID_REQUEST")
    share_workspace(make_workspace())
    problem(client.post("/search", json=QUERY), 404, "INDEX_NOT_FOUND")


@pytest.mark.req("AX-14")
def test_an_embedding_model_that_fails(
    client: httpx.Client, make_workspace: Callable[..., Workspace], tmp_path: Path
) -> None:
    workspace = make_workspace()
    share_workspace(workspace)
    path = tmp_path / "arxivData.json"
    records = json.loads((SAMPLE / "abstracts/arxivData.json").read_bytes())
    path.write_text(json.dumps(records[:2]))
    workspace.jobs.wait(workspace.submissions.abstracts("arxivData.json", path))
    for failure, status, seconds in (
        (RateLimited("The limit is reached."), 429, 60),
        (ModelError("It cannot be loaded."), 503, None),
    ):
        kept = workspace.encoder()
        failing = FailingEncoder(1, failure, kept.name)
        failing.dimension = kept.dimension
        workspace._encoders[BUNDLED] = failing
        answered = client.post("/search", json=QUERY)
        told = problem(answered, status, "EMBEDDING_FAILURE")
        assert told["message"] == "Failed to generate query embedding"
        assert told["retry_after"] == seconds and "partial_results" not in answered.json()
        workspace._encoders[BUNDLED] = kept


@pytest.mark.req("AX-14")
def test_hits_are_shown_although_the_answer_fails(
    client: httpx.Client,
    sample: Workspace,
    with_provider: Workspace,
    provider: FakeOpenAI,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(with_provider, "retriever", sample.retriever)
    monkeypatch.setattr(with_provider, "catalogue", sample.catalogue)
    generator = sample.hit_answerer._generator
    monkeypatch.setattr(generator, "_model", lambda: with_provider.models.current)
    provider.play(error(400, "No."))
    quoted = client.post("/search", json=QUERY)
    assert quoted.status_code == 200 and quoted.json()["failure"]["code"] == "MODEL_FAILED"
    assert quoted.json()["citations"]
    for reply, status, code in (
        (error(400, "No."), 503, "MODEL_FAILED"),
        (error(429, "Slowly.", code="insufficient_quota"), 429, "MODEL_QUOTA"),
    ):
        provider.play(reply)
        failed = client.post("/search", json={**QUERY, "modelOnly": True})
        told = problem(failed, status, code)
        assert told["fallback"] and (told["retry_after"] == 60) == (status == 429)
        partial = failed.json()["partial_results"]
        assert partial["answer"] == "Search completed but synthesis unavailable"
        assert partial["hits"] == quoted.json()["hits"]
