"""Answers to and from JSON: what the conversation store keeps and what `--json` and the API print."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from core.domain.answers import Answer, Citation, DocumentCitation, State
from core.domain.evidence.sources import answer_sources
from core.domain.plans import Plan

_UNCHANGEABLE = frozenset((str, int, float, bool, type(None)))


@cache
def _answers() -> TypeAdapter[Answer]:
    """The reader of answers; made when the first one is read, which takes some milliseconds."""
    return TypeAdapter(Answer)


@cache
def _plans() -> TypeAdapter[Plan]:
    """The reader of plans."""
    return TypeAdapter(Plan)


def answer_to_json(answer: Answer) -> str:
    """An answer as a store keeps it, losslessly but for lists of a whole type (`AnswerList.kept`)."""
    kept = replace(answer, lists=tuple(one.kept() for one in answer.lists))
    return json.dumps(plain(kept), ensure_ascii=False)


def answer_from_json(text: str, *, strict: bool = False) -> Answer:
    """The answer that `answer_to_json` wrote.

    Args:
        strict: take no value for one of another kind, like a number in a text.

    Raises:
        ValueError: it wrote no such text.
    """
    return _answers().validate_json(text, strict=strict)


def answer_to_public(answer: Answer) -> dict[str, Any]:
    """An answer in the fields that scripts rely on (docs/guide/http_api.md)."""
    return {
        "question": answer.question,
        "read_as": answer.read_as,
        "answer": answer.text,
        "refused": answer.refused,
        "state": str(answer.state),
        "query_type": answer.query_type,
        "sentences": [plain(sentence) for sentence in answer.sentences],
        "blocks": [plain(block) for block in answer.blocks],
        "citations": [citation_to_public(citation) for citation in answer.citations],
        "ranked_sources": [plain(source) for source in answer_sources(answer)],
        "entities": [plain(entity) for entity in answer.entities],
        "nearest": [citation_to_public(citation) for citation in answer.nearest],
        "timings_ms": {name: round(value, 1) for name, value in answer.timings_ms.items()},
        "model": answer.model,
        "confidence": None if answer.confidence is None else round(answer.confidence, 4),
        "usage": plain(answer.usage) if answer.usage else None,
        "failure": plain(answer.failure) if answer.failure else None,
        "scope": list(answer.scope),
        "wider": answer.wider,
        "within": plain(answer.within),
        "unasked": plain(answer.unasked),
        "leaflets": [plain(one) for one in answer.leaflets],
        "stopped": answer.stopped,
        "graph_away": answer.graph_away,
        "no_results": _no_results(answer) if answer.refused else None,
        "correlation_id": answer.correlation_id,
        "session": answer.session,
        "notice": answer.notice,
        "disclaimer": answer.disclaimer,
        "plan": plain(answer.plan) if answer.plan else None,
        "understood": answer.understood,
        "plans": [plain(one) for one in answer.plans],
        "plan_as_read": plain(answer.plan_as_read) if answer.plan_as_read else None,
        "understood_as_read": answer.understood_as_read,
        "document_plans": [plain(one) for one in answer.document_plans],
        "lists": [plain(one) for one in answer.lists],
        "instead": list(answer.instead),
        "trace": plain(answer.trace) if answer.trace else None,
        "offer": plain(answer.offer) if answer.offer else None,
        "offered": answer.offered,
        "offer_is_closest": answer.offer_is_closest,
    }


def plan_from_public(value: object) -> Plan:
    """A plan in the fields that `answer_to_public` gives it; those with a default may be missing.

    Raises:
        ValueError: it is none.
    """
    return _plans().validate_json(json.dumps(value), strict=True)


def _no_results(answer: Answer) -> dict[str, Any]:
    """A refusal as an error with suggestions (KG-E)."""
    return {
        "type": answer.refusal_code,
        "message": answer.text,
        "retryable": answer.state is State.GRAPH_UNAVAILABLE,
        "details": {"query": answer.question, "suggestions": list(answer.suggestions)},
        "correlation_id": answer.correlation_id,
    }


def citation_to_public(citation: Citation) -> dict[str, Any]:
    """One citation; a graph citation's ends are objects with id, name and type."""
    if isinstance(citation, DocumentCitation):
        public: dict[str, Any] = plain(citation)
        return public
    return {
        "n": citation.n,
        "kind": citation.kind,
        "source": {
            "id": citation.source_id,
            "name": citation.source,
            "type": citation.source_type,
        },
        "relationship": citation.relationship,
        "target": {
            "id": citation.target_id,
            "name": citation.target,
            "type": citation.target_type,
        },
        "relevance": citation.relevance,
        "properties": dict(citation.properties),
    }


def plain(value: Any) -> Any:
    """What `dataclasses.asdict` makes of a dataclass, at a third of its time: what cannot change is not
    copied. Of any other value its copy, with the dataclasses in its lists, tuples and dicts as dicts."""
    kind: type = type(value)
    if kind in _UNCHANGEABLE:
        return value
    names = _names(kind)
    if names is not None:
        return {name: plain(getattr(value, name)) for name in names}
    if kind is tuple:
        return tuple([plain(one) for one in value])
    if kind is list:
        return [plain(one) for one in value]
    if kind is dict:
        return {plain(key): plain(one) for key, one in value.items()}
    return deepcopy(value)


@cache
def _names(kind: type) -> tuple[str, ...] | None:
    """The fields of a dataclass; None of another type."""
    return tuple(one.name for one in fields(kind)) if is_dataclass(kind) else None
