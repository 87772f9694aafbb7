"""Health, answers and passages."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from core.answers.provenance.asked_of import check_sections
from core.api.guard import Body, flag_of, optional_text, text_of, texts_of, whole_number, wrong
from core.api.history import turns_of
from core.documents.public import search_to_public
from core.domain.answers import DocumentCitation
from core.domain.documents import SearchResult
from core.domain.events import Answered
from core.domain.plans import Correction
from core.domain.provenance.within import Within
from core.domain.serial import answer_to_public, plan_from_public
from core.errors import InputError, MateriaError
from core.graph.namesakes import name_and_type, namesakes, of_types
from core.graph.public import namesake_to_public
from core.search.options import MAX_K, SearchOptions, read_day
from core.suggestions.candidates import to_public
from core.suggestions.service import Offered
from core.workspace import Workspace


def health(workspace: Workspace, _request: Request) -> Response:
    """GET: every part with its state; 503 when one does not work."""
    found = workspace.health()
    body = {
        "status": "ok" if found.ok else "degraded",
        "parts": [asdict(part) for part in found.parts],
    }
    return JSONResponse(body, status_code=200 if found.ok else 503)


def chat(workspace: Workspace, body: Body) -> Response:
    """POST `question`; to go on with one, `conversationId`, or the turns themselves, `conversationHistory`
    (then nothing is kept); `indexes` to look in (none: the usual ones), ids of `documents` and codes of
    `sections` to take passages from (none: all), of these documents titles of the `products` to ask each of,
    `within` with ids of the `entities` that it is asked of, or `wider` true for all indexes and
    sections; a corrected `plan` in place of the one that is read, `planNumber` tells which of several, from 1;
    `modelOnly` true for an error where the language model fails; `followUps` true to wait for what may be
    asked next."""
    question, session = text_of(body, "question"), optional_text(body, "conversationId")
    before = None
    if "conversationHistory" in body:
        if session is not None:
            raise wrong("Send “conversationId” or “conversationHistory”, not both.")
        before = turns_of(body, workspace.names.entities_in)
    events = workspace.chat.ask(
        question,
        session,
        wider=flag_of(body, "wider", False),
        indexes=texts_of(body, "indexes") or None,
        within=Within(
            texts_of(body, "documents"),
            sections=texts_of(body, "sections"),
            entities=_entities_of(body),
            products=texts_of(body, "products"),
        ),
        correction=_correction(body),
        model_only=flag_of(body, "modelOnly"),
        before=before,
    )
    # To the end: a question that is not over holds back what is made when nobody asks.
    (done,) = (event for event in events if isinstance(event, Answered))
    answer = done.answer
    follow_ups = _follow_ups(workspace, answer.session) if flag_of(body, "followUps") else ()
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
            "turnId": done.turn_id,
            "queryType": answer.query_type,
            "follow_ups": to_public(follow_ups),
        }
    )


def suggestions(workspace: Workspace, request: Request) -> Response:
    """GET: questions to begin with; ``?conversationId=``: what may be asked after its newest answer. Each was
    answered when it was tried, without a language model."""
    session = request.query_params.get("conversationId")
    if session is None:
        found = workspace.suggestions.starters().result()
    else:
        found = _follow_ups(workspace, workspace.conversations.get(session).id)
    return JSONResponse({"suggestions": to_public(found)})


def _follow_ups(workspace: Workspace, session: str) -> Offered:
    turns = workspace.conversations.history(session)
    return workspace.suggestions.follow_ups(turns).result() if turns else ()


def entities(workspace: Workspace, request: Request) -> Response:
    """GET ``?name=``, and ``&type=`` as often as there are types that may be meant: all entities that are
    called exactly so, by name, synonym or id, the most important first, and what tells them apart."""
    name = request.query_params.get("name", "").strip()
    if not name:
        raise InputError("The name is empty.", advice="Give a name or an id.", code="EMPTY_NAME")
    graph = workspace.graph
    types = tuple(filter(None, request.query_params.getlist("type")))
    found = graph.entities_named(name)
    if not found and not types:
        name, types = name_and_type(name, graph.counts_by_type())
        found = graph.entities_named(name)
    listed = namesakes(graph, of_types(found, types))
    return JSONResponse({"entities": [namesake_to_public(one) for one in listed]})


def search(workspace: Workspace, body: Body) -> Response:
    """POST `query` and what `SearchOptions` names: the hits, best first; with `answer` true, an answer
    from these hits alone, or why there is none."""
    query = text_of(body, "query")
    result = workspace.retriever.search(query, _options(body, workspace.settings.candidates))
    found = search_to_public(query, result)
    if flag_of(body, "answer", False):
        found |= _answered(workspace, query, result)
    return JSONResponse(found)


def _answered(workspace: Workspace, query: str, result: SearchResult) -> dict[str, Any]:
    """An answer from hits; the hits are worth as much when it fails."""
    try:
        answer = workspace.hit_answerer.answer(query, result.hits)
    except MateriaError as error:
        problem = {"code": error.code, "details": str(error), "retryable": error.retryable}
        return {"answer": None, "answerError": problem}
    return {"answer": answer_to_public(answer), "answerError": None}


def _options(body: Body, candidates: int) -> SearchOptions:
    options = SearchOptions(
        indexes=texts_of(body, "indexes"),
        k=k_of(body),
        candidates=candidates,
        mode=text_of(body, "mode", "hybrid"),
        sections=texts_of(body, "sections"),
        documents=texts_of(body, "documents"),
        since=read_day(text_of(body, "since", "")),
        until=read_day(text_of(body, "until", "")),
        diverse=flag_of(body, "diverse", True),
        rerank=flag_of(body, "rerank", True),
    )
    check_sections(options.sections)
    return options


def _entities_of(body: Body) -> tuple[str, ...]:
    """The entities of ``within``: of the graph, and for passages, these alone."""
    within = body.get("within", {})
    if not isinstance(within, dict) or within.keys() - {"entities"}:
        raise wrong("“within” must be an object with a list of “entities”, and nothing else.")
    return texts_of(within, "entities")


def _correction(body: Body) -> Correction | None:
    number = whole_number(body.get("planNumber", 1))
    if number is None or number < 1:
        raise wrong("“planNumber” must be a whole number from 1: which of the answer's “plans”.")
    if body.get("plan") is None:
        return None
    try:
        return Correction(plan_from_public(body["plan"]), number=number - 1)
    except ValueError:
        raise InputError(
            "“plan” is no plan.",
            advice="Send the plan of an answer with your changes in it.",
            code="INVALID_PLAN",
        ) from None


def k_of(body: Body, field: str = "k") -> int:
    """A number of hits.

    Raises:
        InputError: it is no whole number (``INVALID_K``).
    """
    k = whole_number(body.get(field, SearchOptions().k))
    if k is None:
        raise InputError(f"{field} must be a whole number between 1 and {MAX_K}.", code="INVALID_K")
    return k
