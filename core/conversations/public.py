"""Conversations in the fields that scripts rely on: what `--json` and the API print."""

from __future__ import annotations

from typing import Any

from core.domain.conversations import Feedback, QuotingTurn, Session, Summary, Turn
from core.domain.serial import answer_to_public


def session_to_public(session: Session) -> dict[str, Any]:
    """A conversation without its turns."""
    return {
        "id": session.id,
        "title": session.title,
        "createdAt": session.created_at.isoformat(),
        "updatedAt": session.updated_at.isoformat(),
        "questions": session.turns,
        "pinned": session.pinned,
        "tags": list(session.tags),
        "ratedUp": session.rated_up,
        "ratedDown": session.rated_down,
    }


def feedback_to_public(feedback: Feedback | None) -> dict[str, Any] | None:
    """A rating."""
    if feedback is None:
        return None
    return {
        "rating": feedback.rating,
        "fault": feedback.fault,
        "comment": feedback.comment,
        "ratedAt": feedback.rated_at.isoformat(),
    }


def turn_to_public(turn: Turn) -> dict[str, Any]:
    """A question with its answer and the rating of it."""
    return {
        "id": turn.id,
        "position": turn.position,
        "askedAt": turn.created_at.isoformat(),
        "feedback": feedback_to_public(turn.feedback),
        "answer": answer_to_public(turn.answer),
    }


def quoting_to_public(found: QuotingTurn) -> dict[str, Any]:
    """Where an answer that quotes a document is kept."""
    return {
        "conversationId": found.session_id,
        "turnId": found.turn_id,
        "question": found.question,
        "cited": found.cited,
    }


def summary_to_public(summary: Summary | None) -> dict[str, Any] | None:
    """A summary; the positions of the turns that it covers count from 0, as theirs do."""
    if summary is None:
        return None
    return {
        "text": summary.text,
        "first": summary.first,
        "last": summary.last,
        "madeAt": summary.made_at.isoformat(),
    }
