"""A conversation with what became of its documents: all that a file is made of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from core.domain.conversations import Feedback, Session, Turn
from core.domain.provenance.trace import DocumentVersion, GraphVersion


class Standing(StrEnum):
    """What became of a document since it was cited."""

    PRESENT = "in the library"
    REPLACED = "replaced by another version"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class CitedDocument:
    """A document that answers cite or looked at.

    Attributes:
        version: as it was; its hash is "" where nobody wrote it down and the document is gone.
        turns: numbers of the questions whose answers cite it, from 1.
    """

    version: DocumentVersion
    standing: Standing
    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """What is exported: a conversation, or one of its answers.

    Attributes:
        turns: all, or the one.
        documents: those that are cited, by id, in the order of the first citation.
        sha256: see `content_hash`.
        whole: whether these are all turns of the conversation.
        graph: as it is now, where an answer cites it and it can be reached.
    """

    session: Session
    turns: tuple[Turn, ...]
    documents: Mapping[str, CitedDocument]
    exported_at: datetime
    program: str
    sha256: str
    whole: bool = True
    graph: GraphVersion | None = None

    @property
    def title(self) -> str:
        return self.session.title if self.whole else self.turns[0].question


def session_values(session: Session) -> dict[str, Any]:
    """A session as a JSON file has it."""
    return {
        "id": session.id,
        "title": session.title,
        "created_at": written(session.created_at),
        "updated_at": written(session.updated_at),
        "pinned": session.pinned,
        "tags": list(session.tags),
    }


def turn_values(turns: Sequence[Turn]) -> list[dict[str, Any]]:
    """Turns as a JSON file has them."""
    return [
        {
            "id": turn.id,
            "created_at": written(turn.created_at),
            "answer": asdict(turn.answer),
            "feedback": _feedback_values(turn.feedback),
        }
        for turn in turns
    ]


def _feedback_values(feedback: Feedback | None) -> dict[str, Any] | None:
    if feedback is None:
        return None
    return {
        "rating": str(feedback.rating),
        "fault": str(feedback.fault) if feedback.fault else None,
        "comment": feedback.comment,
        "rated_at": written(feedback.rated_at),
    }


def content_hash(session: Any, turns: Any) -> str:
    """SHA-256 of a conversation's JSON values: keys sorted, no white space, UTF-8.

    The same in every file of one conversation, so that a printed one can be held against a JSON file.
    """
    text = json.dumps(
        {"session": session, "turns": turns},
        ensure_ascii=False,
        sort_keys=True,
        separators=(",", ":"),
    )
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def written(moment: datetime) -> str:
    """A moment in UTC, ISO 8601, with microseconds."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
