"""What an answer keeps of the plans of its question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from core.answers.leaflets.mentioned import looked_for
from core.domain.answers import Answer, Citation, GraphCitation
from core.domain.evidence.notices import joined
from core.domain.plans import ClausePlan, Gap, LeftOver, Named, Plan, words_left_out
from core.domain.provenance.within import EVERYTHING
from core.evidence.evidence import ClauseEvidence, Evidence
from core.questions.asked import may_be_in_leaflets
from core.questions.clauses import Clause
from core.questions.leaflets.wording import said
from core.questions.library.one_by_one import of_mine
from core.questions.planned import ReadPlan

_EACH = (Named("each document", (), "each document", ""),)
_UNNAMED = "The graph has nothing that is called “{name}”, so no list of it is given."
_PART_OF_NAMES = (
    "The graph has nothing that is called “{name}” alone, so no list of it is given. Did you mean "
    "{names}?"
)
_UNKNOWN = (Gap.WORD, Gap.NO_SUCH, Gap.NAME)


def planned(
    evidence: Evidence,
    citations: Sequence[Citation],
    as_read: ReadPlan | None = None,
    corrected: int = 0,
) -> dict[str, Any]:
    """The fields of an answer: its plans, what was understood, the lists, what may be asked instead or further.

    Args:
        citations: of the answer.
        as_read: of a corrected plan, the one that it takes the place of.
        corrected: which of the plans that is.
    """
    plans = tuple(_told(part, part.clause.plan) for part in evidence.clauses if part.clause.plan)
    read = next((part.clause.plan for part in evidence.clauses if part.clause.plan), None)
    lists = tuple(
        one for part in evidence.clauses if part.computed is not None for one in part.computed.lists
    )
    documents = tuple(part.clause.leaflet for part in evidence.clauses if part.clause.leaflet)
    # Where something was asked of the graph and not all of it was understood, nothing is said to be.
    of_documents = dict.fromkeys(
        _understood(part.clause) for part in evidence.clauses if read is None
    )
    return {
        "plan": read.plan if read is not None else None,
        "understood": "; ".join(
            filter(None, dict.fromkeys(one.understood for one in plans) or of_documents)
        ),
        "plans": plans if len(plans) > 1 or any(one.likened for one in plans) else (),
        "corrected": corrected,
        "document_plans": documents,
        "unasked": next(
            (one.unasked for part in evidence.clauses if (one := part.clause.among)), EVERYTHING
        ),
        "lists": lists,
        "instead": tuple(
            dict.fromkeys((*_instead(evidence), *_of_documents_too(evidence, citations)))
        ),
        "plan_as_read": as_read.plan if as_read is not None else None,
        "understood_as_read": as_read.understood if as_read is not None else "",
        "offer": read.offer if read is not None else None,
        "offered": read.offered if read is not None else "",
        "offer_is_closest": read is not None and read.closest,
    }


def _told(part: ClauseEvidence, read: ReadPlan) -> ClausePlan:
    """The plan of a clause as an answer keeps it."""
    listed = part.computed is not None and bool(part.computed.lists)
    said = read.understood if listed or read.plan.complete else ""
    return ClausePlan(read.plan, said, read.likened, read.passed_over)


def _understood(clause: Clause) -> str:
    """What was understood of a clause to documents, where the answer was looked for in that section."""
    plan = clause.leaflet
    if clause.mentioned is not None:
        return looked_for(clause.mentioned)
    if plan is None or not any(one.section in clause.sections for one in plan.aspects[:1]):
        return ""
    # What is asked of each document is said once.
    return said(replace(plan, subjects=_EACH)).understood if clause.titled else plan.understood


def understood_lines(answer: Answer) -> list[str]:
    """What stands above an answer: each of its plans in words, "" where not all was understood, and what
    the analyst changed of it; of a question to documents alone, the one line of what was understood."""
    lines = [_with_likeness(one) for one in answer.each_plan] or [answer.understood]
    if answer.plan_as_read is not None and lines[answer.corrected]:
        lines[answer.corrected] = _with_changes(
            lines[answer.corrected], answer, answer.plan_as_read
        )
    return lines


def _with_likeness(one: ClausePlan) -> str:
    if not (one.likened and one.understood):
        return one.understood
    over = " and ".join(f"“{word}”" for word in one.passed_over)
    without = f"; leaves out {over}" if over else ""
    return f"{one.understood} (told by likeness to such questions, not word by word{without})"


def _with_changes(line: str, answer: Answer, as_read: Plan) -> str:
    changes = ["changed by you"]
    out = words_left_out(as_read, answer.each_plan[answer.corrected].plan)
    if answer.understood_as_read != line:
        changes.append(f"was: {answer.understood_as_read}")
    if left_out := " and ".join(f"“{one}”" for one in out):
        changes.append(f"leaves out {left_out}, not understood")
    return f"{line} ({'; '.join(changes)})"


def _instead(evidence: Evidence) -> Iterator[str]:
    """The question with the wider name that the graph has, or with each that a part of names may stand for."""
    for part in evidence.clauses:
        plan = part.clause.plan
        for one in plan.plan.left_over if plan is not None else ():
            narrower = one.gap is Gap.NARROWER and one.instead is not None
            for text in (one.instead.text,) if narrower and one.instead else _names(one.choices):
                asked = evidence.question.replace(one.text, text)
                if asked != evidence.question:
                    yield asked


def _of_documents_too(evidence: Evidence, citations: Sequence[Citation]) -> Iterator[str]:
    """The question on the library's own medicines, where the graph alone answers which ones there are."""
    of_graph = bool(citations) and all(isinstance(one, GraphCitation) for one in citations)
    for part in evidence.clauses if of_graph and len(evidence.clauses) == 1 else ():
        if part.hits and part.computed is not None and may_be_in_leaflets(part.computed.read.plan):
            yield from filter(None, (of_mine(evidence.question),))


def not_understood(part: ClauseEvidence, refused: bool) -> str:
    """What is said of a question to the graph that has words without a part in its plan."""
    read = part.clause.plan
    told = part.clause.asks_list or refused or (read is not None and read.plan.lacks_name)
    if read is None or read.plan.complete or not told:
        return ""
    return joined(map(_said, read.plan.left_over))


def _said(one: LeftOver) -> str:
    if one.gap is Gap.NARROWER and one.instead is not None:
        return f"The graph has no “{one.text}”; it has “{one.instead.name}”, which was not put in its place."
    if one.gap is Gap.NEGATION:
        return f"How far “{one.text}” reaches is not clear, so no list of the graph is given."
    if one.gap is Gap.NO_SUBJECT:
        return "The question says only what is not wanted, so no list of the graph is given."
    if one.gap is Gap.UNKNOWN:
        return _several(one) if one.choices else _UNNAMED.format(name=one.text)
    if one.gap in _UNKNOWN:
        return f"The graph has no relationship that “{one.text}” could mean here, so no list of it is given."
    return ""


def _several(one: LeftOver) -> str:
    """What is said of a part of several names."""
    *names, last = [f"“{name}”" for name in _names(one.choices)]
    said = " or ".join(filter(None, (", ".join(names), last)))
    return _PART_OF_NAMES.format(name=one.text, names=said)


def _names(choices: tuple[Named, ...]) -> list[str]:
    return [one.name for one in choices]
