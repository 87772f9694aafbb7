"""Search in the abstracts as the fourth design document has it: ``POST /search``."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from starlette.responses import JSONResponse, Response

from core.api.guard import Body, Served, declared_json, flag_of, seconds_to_wait, text_of, with_json
from core.api.questions import k_of
from core.documents.library.catalogue import Catalogue
from core.documents.library.shelves import ABSTRACTS
from core.domain.answers import Answer, DocumentCitation
from core.domain.evidence.notices import joined
from core.errors import MateriaError, ModelError, RateLimited
from core.search.options import SearchOptions
from core.search.papers import Paper, search_papers
from core.workspace import Workspace

_NO_SYNTHESIS = "Search completed but synthesis unavailable"


def search(workspace: Workspace, body: Body) -> Response:
    """POST `q` and `k`: at most k papers, best first by `mode` (without one, by embedding similarity
    alone), and an answer from their passages; `modelOnly` true for an error where the language model
    fails."""
    started = time.perf_counter()
    query = text_of(body, "q")
    options = SearchOptions(
        indexes=(ABSTRACTS,),
        k=k_of(body),
        candidates=workspace.settings.candidates,
        mode=text_of(body, "mode", "semantic"),
    )
    model_only = flag_of(body, "modelOnly")
    try:
        result, papers = search_papers(workspace.retriever, query, options)
    except ModelError as error:
        return error_told(error, code="EMBEDDING_FAILURE")
    hits = [_hit(paper, workspace.catalogue) for paper in papers]
    try:
        answer = workspace.hit_answerer.answer(query, result.hits, model_only=model_only)
    except MateriaError as error:
        return error_told(error, hits=hits)
    return JSONResponse(
        {
            "answer": answer.text,
            "hits": hits,
            "query_time_ms": round((time.perf_counter() - started) * 1000),
            "total_chunks_searched": result.searched,
            "mode": result.mode,
            "citations": _citations(answer, papers),
            "notice": joined((result.notice, answer.notice)),
            "disclaimer": answer.disclaimer,
            "failure": {"code": answer.failure.code, "message": answer.failure.message}
            if answer.failure
            else None,
        }
    )


def _hit(paper: Paper, catalogue: Catalogue) -> dict[str, Any]:
    """A paper: title and summary as its record has them, its passages best first."""
    document = paper.document
    abstract = catalogue.page(document.id, 0)
    return {
        "paper_id": _paper_id(paper),
        "title": document.metadata.get("title", document.title),
        "summary": abstract.text if abstract is not None else "",
        "arxiv_url": document.metadata.get("url", ""),
        "relevance_score": round(paper.score, 4),
        "matched_chunks": [hit.chunk.text for hit in paper.hits],
    }


def _paper_id(paper: Paper) -> str:
    return paper.document.file.removeprefix("arXiv ")


def _citations(answer: Answer, papers: Sequence[Paper]) -> list[dict[str, Any]]:
    """What the marks of the answer stand for."""
    known = {paper.document.id: _paper_id(paper) for paper in papers}
    return [
        {"n": one.n, "paper_id": known[one.document_id], "quote": one.quote}
        for one in answer.citations
        if isinstance(one, DocumentCitation) and one.document_id in known
    ]


def error_told(
    error: MateriaError, hits: Sequence[dict[str, Any]] | None = None, code: str = ""
) -> JSONResponse:
    """An error as ``{error: {code, message, details, retry_after}, partial_results: {hits, answer}}``; the
    latter where the search succeeded.

    Args:
        code: in place of the error's own.
    """
    wait = seconds_to_wait(error) if isinstance(error, RateLimited) else None
    told: dict[str, Any] = {
        "code": code or error.code,
        "message": "Failed to generate query embedding" if code else error.message,
        "details": str(error),
        "retry_after": wait,
    }
    body: dict[str, Any] = {"error": told}
    if isinstance(error, ModelError) and error.fallback:
        told["fallback"] = error.fallback
    if hits is not None:
        body["partial_results"] = {"hits": hits, "answer": _NO_SYNTHESIS}
    headers = {"Retry-After": str(wait)} if wait else None
    return JSONResponse(body, status_code=error.status, headers=headers)


TABLE = (Served("POST", "/search", declared_json(with_json(search)), error_told),)
