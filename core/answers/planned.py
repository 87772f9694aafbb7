"""What an answer keeps of the plans of its question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.domain.plans import Gap, LeftOver
from core.evidence.evidence import ClauseEvidence, Evidence

_UNKNOWN = (Gap.WORD, Gap.NO_SUCH, Gap.NAME)


def planned(evidence: Evidence) -> dict[str, Any]:
    """The fields of an answer: its plans, what was understood, the lists, what may be asked instead."""
    read = next((part.clause.plan for part in evidence.clauses if part.clause.plan), None)
    lists = tuple(
        one for part in evidence.clauses if part.computed is not None for one in part.computed.lists
    )
    told = read is not None and (bool(lists) or read.plan.complete)
    documents = tuple(part.clause.leaflet for part in evidence.clauses if part.clause.leaflet)
    # Where something was asked of the graph and not all of it was understood, nothing is said to be.
    of_documents = dict.fromkeys(one.understood for one in documents if read is None)
    return {
        "plan": read.plan if read is not None else None,
        "understood": read.understood
        if read is not None and told
        else "; ".join(filter(None, of_documents)),
        "document_plans": documents,
        "lists": lists,
        "instead": tuple(dict.fromkeys(_instead(evidence))),
    }


def _instead(evidence: Evidence) -> Iterator[str]:
    """The question with the wider name that the graph has."""
    for part in evidence.clauses:
        plan = part.clause.plan
        for one in plan.plan.left_over if plan is not None else ():
            if one.gap is Gap.NARROWER and one.instead is not None:
                asked = evidence.question.replace(one.text, one.instead.text)
                if asked != evidence.question:
                    yield asked


def not_understood(part: ClauseEvidence, refused: bool) -> str:
    """What is said of a question to the graph that has words without a part in its plan."""
    read = part.clause.plan
    if read is None or read.plan.complete or not (part.clause.wanted_types or refused):
        return ""
    return " ".join(dict.fromkeys(filter(None, (_said(one) for one in read.plan.left_over))))


def _said(one: LeftOver) -> str:
    if one.gap is Gap.NARROWER and one.instead is not None:
        return f"The graph has no “{one.text}”; it has “{one.instead.name}”, which was not put in its place."
    if one.gap is Gap.NEGATION:
        return f"How far “{one.text}” reaches is not clear, so no list of the graph is given."
    if one.gap is Gap.NO_SUBJECT:
        return "The question says only what is not wanted, so no list of the graph is given."
    if one.gap in _UNKNOWN:
        return f"The graph has no relationship that “{one.text}” could mean here, so no list of it is given."
    return ""
