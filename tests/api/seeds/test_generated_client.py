"""A client that is made from the served OpenAPI document alone asks every route of the design documents,
and reads every answer into the types that the document describes."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiopenapi3
import httpx
import pytest
from aiopenapi3.errors import HTTPError

from core.api.seeds import graph_chat, knowledge_base, literature
from core.maintenance.sample import SAMPLE
from core.workspace import Workspace, share_workspace

_LEAFLETS = ("chat", "upload", "documents", "deleteDocument", "health")  # of the second document


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder that may be read over HTTP."""
    folder = tmp_path / "root"
    folder.mkdir()
    (folder / "zolvetrin.txt").write_text("Zolvetrin is taken with water.")
    return folder


@pytest.fixture
def api(
    client: httpx.Client, make_workspace: Callable[..., Workspace], root: Path, tmp_path: Path
) -> aiopenapi3.OpenAPI:
    """The client, of a server with a leaflet and some abstracts."""
    workspace = make_workspace(folder_roots=str(root))
    share_workspace(workspace)
    records = json.loads((SAMPLE / "abstracts" / "arxivData.json").read_bytes())[:3]
    abstracts = tmp_path / "arxivData.json"
    abstracts.write_text(json.dumps(records))
    workspace.jobs.wait(workspace.submissions.abstracts("arxivData.json", abstracts))
    return aiopenapi3.OpenAPI.load_sync(f"{client.base_url}/api/openapi.json")


class Asking:
    """Asks by the names of operations, and notes which were asked."""

    def __init__(self, api: aiopenapi3.OpenAPI) -> None:
        self._api = api
        self.asked: set[str] = set()

    def __call__(self, name: str, body: object = None, **places: object) -> Any:
        self.asked.add(name)
        return getattr(self._api._, name)(data=body, parameters=places or None)


@pytest.mark.req("PR-9", "AX-6", "KB-5", "KG-12")
def test_every_route_of_the_design_documents_is_asked(
    api: aiopenapi3.OpenAPI, client: httpx.Client, root: Path
) -> None:
    ask = Asking(api)
    assert ask("health").status in ("ok", "degraded")

    for prefix in ("", "UnderApi"):
        name = f"index{prefix}"
        assert ask(f"create{prefix}", {"index_name": name}).status == "created"
        place = str(root / "zolvetrin.txt")
        done = ask(f"encodeDoc{prefix}", {"document_path": place, "index_name": name})
        assert (done.status, done.chunks_created) == ("success", 1)
        begun = ask(f"encodeBatch{prefix}", {"directory_path": str(root), "index_name": name})
        assert ask("job", job_id=begun.job_id).id == begun.job_id
        found = ask(f"query{prefix}", {"query": "water", "index_name": name, "top_k": 1})
        assert [one.source_document for one in found.results] == ["zolvetrin.txt"]
        with pytest.raises(HTTPError):
            ask(f"create{prefix}", {"index_name": name})

    papers = ask("searchPapers", {"q": "What do spontaneous reports show?", "k": 2})
    assert len(papers.hits) == 2 and papers.answer and papers.hits[0].title

    leaflet = io.BytesIO(b"Zolvetrin is white.")
    uploaded = ask("upload", [("file", ("a.txt", leaflet, "text/plain"))])
    assert uploaded.success and uploaded.chunkCount == 1
    told = [{"role": "user", "content": "Zolvetrin?"}, {"role": "assistant", "content": "A drug."}]
    answer = ask("chat", {"question": "What colour has Zolvetrin?", "conversationHistory": told})
    assert answer.answer and answer.conversationId == ""
    assert uploaded.documentId in {one.id for one in ask("documents").documents}
    assert ask("deleteDocument", document_id=uploaded.documentId).success

    reply = ask("chatMessage", {"message": "How is Zolvetrin taken?", "includeGraph": True})
    assert reply.sources[0].entityType == "Document" and reply.graphData is not None
    kept = ask("chatConversation", conversation_id=reply.conversationId)
    assert [one.role for one in kept.messages] == ["user", "assistant"]
    assert ask("clearChatConversation", conversation_id=reply.conversationId).success

    document = client.get("/api/openapi.json").json()
    wanted = {
        document["paths"][one.path][one.method.casefold()]["operationId"]
        for one in (*graph_chat.TABLE, *literature.TABLE, *knowledge_base.TABLE)
    }
    assert ask.asked >= wanted | set(_LEAFLETS)
