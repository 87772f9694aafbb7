"""What a kept answer speaks of and rests on, as rows; derived from the answer, never the other way."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from core.domain.answers import Answer, DocumentCitation, Support, Usage, state_of
from core.domain.conversations import (
    AnswerSubject,
    Fault,
    Feedback,
    Rating,
    Summary,
    TurnUsage,
)
from core.domain.graph import NAMED_IN_QUESTION
from core.stores.library.rows import Row, written


def mention_rows(answer: Answer) -> list[Row]:
    """``entity_id``, ``type``, ``name`` and ``named``, a row for each entity.

    Named is what the question is about: what it names, and what its plans for documents are about. The others
    were found on the way, most as neighbours in the graph.
    """
    rows: dict[str, Row] = {}

    def add(entity_id: str, kind: str, name: str, named: bool) -> None:
        row = {"entity_id": entity_id, "type": kind, "name": name, "named": False}
        row = rows.setdefault(entity_id, row)
        row["named"] = row["named"] or named

    for entity in answer.entities:
        add(entity.id, entity.type, entity.name, entity.reason == NAMED_IN_QUESTION)
    for subject in (one for plan in answer.document_plans for one in plan.subjects):
        if subject.ids:  # the first; the others only share its name
            add(subject.ids[0], subject.type, subject.name, True)
    return list(rows.values())


def source_rows(answer: Answer) -> list[Row]:
    """``document_id``, ``file``, ``cited`` (not only among a refusal's nearest passages) and ``quoted`` (the
    answer has text of it), a row for each document."""
    rows: dict[str, Row] = {}
    for cited, citations in ((True, answer.citations), (False, answer.nearest)):
        for one in citations:
            if isinstance(one, DocumentCitation):
                row = rows.setdefault(
                    one.document_id,
                    {
                        "document_id": one.document_id,
                        "file": one.file,
                        "cited": False,
                        "quoted": False,
                    },
                )
                row["cited"] = row["cited"] or cited
                row["quoted"] = row["quoted"] or bool(one.quote)
    return list(rows.values())


def feedback_row(feedback: Feedback | None) -> Row:
    """A rating's fields; all None without one."""
    if feedback is None:
        return dict.fromkeys(("rating", "fault", "comment", "rated_at"))
    return {
        "rating": feedback.rating.value,
        "fault": feedback.fault.value if feedback.fault else None,
        "comment": feedback.comment,
        "rated_at": written(feedback.rated_at),
    }


def read_feedback(row: Mapping[str, Any]) -> Feedback | None:
    """The rating that `feedback_row` wrote; what else is in the row is passed over."""
    if row["rating"] is None:
        return None
    return Feedback(
        Rating(row["rating"]),
        Fault(row["fault"]) if row["fault"] else None,
        row["comment"],
        datetime.fromisoformat(row["rated_at"]),
    )


def summary_row(summary: Summary) -> Row:
    """A summary's fields."""
    return {
        "text": summary.text,
        "first": summary.first,
        "last": summary.last,
        "made_at": written(summary.made_at),
    }


def read_summary(row: Mapping[str, Any]) -> Summary:
    """The summary that `summary_row` wrote."""
    return Summary(row["text"], row["first"], row["last"], datetime.fromisoformat(row["made_at"]))


def read_usage(payload: str, asked_at: str, rating: str | None) -> TurnUsage:
    """What a kept answer says about usage; its JSON is read as far as that needs, which takes a tenth of the
    time that the whole answer does."""
    answer: dict[str, Any] = json.loads(payload)
    named = {
        one["id"]: AnswerSubject(one["id"], one["name"], one["type"], 1)
        for one in answer["entities"]
        if one["reason"] == NAMED_IN_QUESTION
    }
    used = answer.get("usage")
    refused = bool(answer["refused"])
    return TurnUsage(
        datetime.fromisoformat(asked_at),
        state_of(
            refused=refused,
            may_not_answer=bool(answer.get("may_not_answer")),
            graph_away=bool(answer.get("graph_away")),
        ),
        Rating(rating) if rating else None,
        tuple(named.values()),
        () if refused else tuple(Support(one["support"]) for one in answer["sentences"]),
        Usage(**used) if used else None,
        sum(answer["timings_ms"].values()) / 1000,
        answer["timings_ms"],
    )
