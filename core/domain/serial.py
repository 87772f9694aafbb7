"""Answers to and from JSON: what the conversation store keeps and what `--json` and the API print."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from core.domain.answers import (
    Answer,
    Citation,
    DocumentCitation,
    EntityLink,
    Failure,
    GraphCitation,
    Sentence,
    Support,
    Usage,
)


def answer_to_dict(answer: Answer) -> dict[str, Any]:
    """An answer as plain JSON values, losslessly."""
    return asdict(answer)


def answer_from_dict(data: dict[str, Any]) -> Answer:
    """The answer that `answer_to_dict` wrote."""
    return Answer(
        **{
            **data,
            "sentences": tuple(
                Sentence(
                    text=item["text"],
                    support=Support(item["support"]),
                    citations=tuple(item["citations"]),
                    problems=tuple(item["problems"]),
                )
                for item in data["sentences"]
            ),
            "citations": tuple(_citation(item) for item in data["citations"]),
            "entities": tuple(EntityLink(**item) for item in data["entities"]),
            "nearest": tuple(DocumentCitation(**item) for item in data["nearest"]),
            "usage": Usage(**data["usage"]) if data.get("usage") else None,
            "failure": Failure(**data["failure"]) if data.get("failure") else None,
            "scope": tuple(data.get("scope", ())),
            "suggestions": tuple(data.get("suggestions", ())),
        }
    )


def _citation(data: dict[str, Any]) -> Citation:
    return DocumentCitation(**data) if data["kind"] == "document" else GraphCitation(**data)


def answer_to_public(answer: Answer) -> dict[str, Any]:
    """An answer in the fields that scripts rely on (README, "Command line")."""
    return {
        "question": answer.question,
        "read_as": answer.read_as,
        "answer": answer.text,
        "refused": answer.refused,
        "query_type": answer.query_type,
        "sentences": [
            {
                "text": sentence.text,
                "support": str(sentence.support),
                "citations": list(sentence.citations),
                "problems": list(sentence.problems),
            }
            for sentence in answer.sentences
        ],
        "citations": [citation_to_public(citation) for citation in answer.citations],
        "entities": [asdict(entity) for entity in answer.entities],
        "nearest": [citation_to_public(citation) for citation in answer.nearest],
        "timings_ms": {name: round(value, 1) for name, value in answer.timings_ms.items()},
        "model": answer.model,
        "confidence": None if answer.confidence is None else round(answer.confidence, 4),
        "usage": asdict(answer.usage) if answer.usage else None,
        "failure": asdict(answer.failure) if answer.failure else None,
        "scope": list(answer.scope),
        "wider": answer.wider,
        "stopped": answer.stopped,
        "no_results": _no_results(answer) if answer.refused else None,
        "correlation_id": answer.correlation_id,
        "session": answer.session,
        "notice": answer.notice,
        "disclaimer": answer.disclaimer,
    }


def _no_results(answer: Answer) -> dict[str, Any]:
    """A refusal as an error with suggestions (KG-E)."""
    return {
        "type": "NO_RESULTS",
        "message": answer.text,
        "details": {"query": answer.question, "suggestions": list(answer.suggestions)},
        "correlation_id": answer.correlation_id,
    }


def citation_to_public(citation: Citation) -> dict[str, Any]:
    """One citation; a graph citation's ends are objects with id, name and type."""
    if isinstance(citation, DocumentCitation):
        return asdict(citation)
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
