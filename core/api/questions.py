"""Health, answers and passages."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from core.api.guard import json_object, text_of, texts_of, workspace_of_server
from core.documents.public import search_to_public
from core.documents.sections import SECTION_CODES
from core.domain.answers import DocumentCitation
from core.domain.serial import answer_to_public
from core.errors import InputError
from core.search.retriever import MAX_K, SearchOptions


async def health(_request: Request) -> Response:
    """GET: every part with its state; 503 when one does not work."""
    workspace = await workspace_of_server()
    found = await run_in_threadpool(workspace.health)
    body = {
        "status": "ok" if found.ok else "degraded",
        "parts": [asdict(part) for part in found.parts],
    }
    return JSONResponse(body, status_code=200 if found.ok else 503)


async def chat(request: Request) -> Response:
    """POST `question` and, to go on with one, `conversationId`."""
    body = await json_object(request)
    question = text_of(body, "question")
    session = body.get("conversationId")
    workspace = await workspace_of_server()
    answer = await run_in_threadpool(
        workspace.chat.answer, question, session if isinstance(session, str) else None
    )
    sources = {
        (c.file, c.page): {"document": c.file, "page": c.page}
        for c in answer.citations
        if isinstance(c, DocumentCitation)
    }
    return JSONResponse(
        {
            **answer_to_public(answer),
            "sources": list(sources.values()),
            "conversationId": answer.session,
            "queryType": answer.query_type,
        }
    )


async def search(request: Request) -> Response:
    """POST `query`, `k` (1 to 100), `mode`, `indexes`, `sections`: the hits, best first."""
    body = await json_object(request)
    workspace = await workspace_of_server()
    query = text_of(body, "query")
    options = SearchOptions(
        texts_of(body, "indexes"),
        _k(body),
        workspace.settings.candidates,
        text_of(body, "mode", "hybrid"),
        texts_of(body, "sections"),
    )
    unknown = [code for code in options.sections if code not in SECTION_CODES]
    if unknown:
        raise InputError(
            f"“{unknown[0][:80]}” is no section.",
            advice=f"The codes are {', '.join(SECTION_CODES)}.",
            code="INVALID_SECTION",
        )
    result = await run_in_threadpool(workspace.retriever.search, query, options)
    return JSONResponse(search_to_public(query, result))


def _k(body: dict[str, Any]) -> int:
    k = body.get("k", SearchOptions().k)
    # In JSON `true` is no number, in Python it is 1.
    if not isinstance(k, int) or isinstance(k, bool):
        raise InputError(f"k must be a whole number between 1 and {MAX_K}.", code="INVALID_K")
    return k
