"""Chat over the graph as the first design document has it: ``/api/chat/message`` and
``/api/chat/conversations/{id}``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from core.api import conversations
from core.api.guard import (
    Body,
    Served,
    declared_json,
    flag_of,
    in_thread,
    optional_text,
    seconds_to_wait,
    text_of,
    with_json,
)
from core.domain.answers import Answer, DocumentCitation, State
from core.domain.conversations import Turn
from core.domain.events import Answered
from core.domain.graph import Entity
from core.errors import MateriaError, ModelError, RateLimited
from core.graph.knowledge import KnowledgeGraph
from core.logs import current_correlation_id
from core.workspace import Workspace

_MOST_RELATIONSHIPS = 500  # of a graph that is sent along
_FOUND_NOTHING = "none"  # the type of a question to which nothing was found


def message(workspace: Workspace, body: Body) -> Response:
    """POST `message`; to go on with one, `conversationId`; `includeGraph` true for the part of the graph
    that the answer speaks of; `modelOnly` true for an error where the language model fails."""
    include_graph = flag_of(body, "includeGraph")
    events = workspace.chat.ask(
        text_of(body, "message"),
        optional_text(body, "conversationId"),
        model_only=flag_of(body, "modelOnly"),
    )
    done = next(event for event in events if isinstance(event, Answered))
    answer, graph = done.answer, workspace.graph
    found: dict[str, Any] = {
        "answer": answer.text,
        "sources": sources(answer, _entities_of(graph, [answer])),
        "conversationId": answer.session,
        "queryType": _FOUND_NOTHING if answer.refused else answer.query_type,
        "turnId": done.turn_id,
        "confidence": answer.confidence,
        "notice": answer.notice,
        "disclaimer": answer.disclaimer,
        "failure": _failure(answer),
    }
    if include_graph:
        found["graphData"] = graph_data(graph, answer)
    if answer.refused:
        found["error"] = {
            "type": answer.refusal_code,
            "message": answer.text,
            "details": {
                "query": answer.question,
                "suggestions": list(answer.suggestions),
                "retryable": answer.state is State.GRAPH_UNAVAILABLE,
            },
            "correlationId": answer.correlation_id,
        }
    return JSONResponse(found)


def conversation(workspace: Workspace, request: Request) -> Response:
    """GET: a conversation as messages, two a turn, in order."""
    session = workspace.conversations.get(str(request.path_params["conversation_id"]))
    turns = workspace.conversations.history(session.id)
    entities = _entities_of(workspace.graph, [turn.answer for turn in turns])
    return JSONResponse(
        {
            "id": session.id,
            "messages": [one for turn in turns for one in _messages(turn, entities)],
            "createdAt": session.created_at.isoformat(),
            "updatedAt": session.updated_at.isoformat(),
        }
    )


def sources(answer: Answer, entities: Mapping[str, Entity]) -> list[dict[str, Any]]:
    """What an answer was made from, each once, in descending relevance (KG-9, KG-27, KG-29, KG-30): the
    entities of its facts and quotes, and the passages it quotes, as entities of the type Document. A
    refusal has none.

    Args:
        entities: by id; those that the graph has no more have no properties.
    """
    if answer.refused:
        return []
    found = [
        {
            "entityType": link.type,
            "entityName": link.name,
            "nodeId": link.id,
            "relevanceScore": link.relevance,
            "excerpt": link.excerpt,
            "properties": dict(entities[link.id].properties) if link.id in entities else {},
        }
        for link in answer.entities
        # The question is nothing that an answer is made from.
        if link.excerpt != answer.question
    ]
    passages = {
        (one.chunk_id, one.quote): one
        for one in answer.citations
        if isinstance(one, DocumentCitation)
    }
    found += [
        {
            "entityType": "Document",
            "entityName": one.file,
            "nodeId": one.document_id,
            "relevanceScore": one.relevance,
            "excerpt": one.quote,
            "properties": {
                "page": one.page,
                "section": one.section,
                "heading": one.heading,
                "chunkId": one.chunk_id,
            },
        }
        for one in passages.values()
    ]
    return sorted(found, key=lambda source: -float(source["relevanceScore"]))


def graph_data(graph: KnowledgeGraph, answer: Answer) -> dict[str, Any]:
    """The part of the graph that "Show in graph" opens: nodes, and the relationships among them."""
    ids = list(answer.subgraph.get("entities", ()))
    facts = graph.facts_between(ids, _MOST_RELATIONSHIPS)
    return {
        "nodes": [_node(entity) for entity in graph.entities(ids).values()],
        "relationships": [
            {
                "id": "|".join(fact.key),
                "type": fact.type,
                "startNodeId": fact.source.id,
                "endNodeId": fact.target.id,
                "properties": dict(fact.properties),
            }
            for fact in facts
        ],
    }


def _node(entity: Entity) -> dict[str, Any]:
    own = {"name": entity.name, "synonyms": list(entity.synonyms)}
    return {"id": entity.id, "labels": [entity.type], "properties": {**entity.properties, **own}}


def _entities_of(graph: KnowledgeGraph, answers: Iterable[Answer]) -> dict[str, Entity]:
    return graph.entities(dict.fromkeys(link.id for one in answers for link in one.entities))


def _messages(turn: Turn, entities: Mapping[str, Entity]) -> list[dict[str, Any]]:
    at = turn.created_at.isoformat()
    answer = turn.answer
    return [
        {"role": "user", "content": answer.question, "timestamp": at},
        {
            "role": "assistant",
            "content": answer.text,
            "timestamp": at,
            "sources": sources(answer, entities),
        },
    ]


def _failure(answer: Answer) -> dict[str, Any] | None:
    failure = answer.failure
    if failure is None:
        return None
    return {"code": failure.code, "message": failure.message, "advice": failure.advice}


def error_told(error: MateriaError) -> JSONResponse:
    """An error as ``{error: {type, message, details, correlationId}}``."""
    kind = error.code
    details: dict[str, Any] = {
        "code": error.code,
        "advice": error.advice,
        "retryable": error.retryable,
    }
    headers = {}
    if isinstance(error, RateLimited):
        kind = "OPENAI_RATE_LIMIT"
        details["retryAfter"] = seconds_to_wait(error)
        headers["Retry-After"] = str(details["retryAfter"])
    elif isinstance(error, ModelError):
        kind = "OPENAI_ERROR"
    if isinstance(error, ModelError):
        details["fallback"] = error.fallback
    body = {
        "type": kind,
        "message": error.message,
        "details": details,
        "correlationId": current_correlation_id(),
    }
    return JSONResponse({"error": body}, status_code=error.status, headers=headers)


_CONVERSATION = "/api/chat/conversations/{conversation_id}"
TABLE = (
    Served("POST", "/api/chat/message", declared_json(with_json(message)), error_told),
    Served("GET", _CONVERSATION, in_thread(conversation), error_told),
    Served("DELETE", _CONVERSATION, in_thread(conversations.delete), error_told),
)
