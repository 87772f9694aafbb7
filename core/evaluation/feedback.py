"""Rated answers as a question set: what the analyst confirmed is expected, what was wrong is to be completed.

An answer that was rated up gives its cited pages, and the members of its list, as what is expected; a refusal
that was rated up must be refused again. Of an answer that was rated down nothing is known but that it was
wrong: it is told with the reason, and no expectation is made up for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from core.domain.answers import Answer, DocumentCitation
from core.domain.conversations import Rating, Turn
from core.evaluation.questions import Question

KIND = "rated"  # of the questions, so that a report counts them apart
_SOURCE_GONE = "a document that it cites is not in the library any more"
_NOTHING_KNOWN = "it cites no page and lists nothing, so that nothing can be expected"


@dataclass(frozen=True, slots=True)
class ToComplete:
    """A rated question without known expectations.

    Attributes:
        reason: why there are none: what is wrong with the answer, or with its sources.
        comment: the analyst's.
    """

    id: str
    question: str
    reason: str
    comment: str


@dataclass(frozen=True, slots=True)
class FeedbackSet:
    """Questions that `evaluate` can ask, and those that a person must complete first."""

    questions: tuple[Question, ...]
    to_complete: tuple[ToComplete, ...]


def feedback_set(turns: Iterable[Turn], present: Collection[str]) -> FeedbackSet:
    """A set from rated turns; of a question that was rated more than once, the latest rating.

    Args:
        turns: the latest rating first.
        present: ids of the documents in the library.
    """
    questions: list[Question] = []
    to_complete: list[ToComplete] = []
    seen: set[str] = set()
    for turn in turns:
        # What follows up is asked alone here: as it was read then.
        asked = turn.answer.read_as or turn.question
        key = " ".join(asked.casefold().split())
        if turn.feedback is None or key in seen or not key:
            continue
        seen.add(key)
        if turn.feedback.rating is Rating.DOWN:
            reason = turn.feedback.fault or "not said"
        elif not turn.answer.document_ids <= set(present):
            reason = _SOURCE_GONE
        elif (question := _question(turn.id, asked, turn.answer)) is not None:
            questions.append(question)
            continue
        else:
            reason = _NOTHING_KNOWN
        to_complete.append(ToComplete(turn.id, asked, str(reason), turn.feedback.comment))
    return FeedbackSet(tuple(questions), tuple(to_complete))


def to_line(question: Question) -> str:
    """A question as a line of the set, without what is not known."""
    return question.model_dump_json(exclude_defaults=True)


def _question(id_: str, asked: str, answer: Answer) -> Question | None:
    """What a confirmed answer says of its question; None where that is nothing."""
    if answer.refused:
        return Question(id=id_, question=asked, answerable=False, kind=KIND)
    pages: dict[str, set[int]] = {}
    for citation in answer.citations:
        if isinstance(citation, DocumentCitation) and citation.page:
            pages.setdefault(citation.file, set()).add(citation.page)
    files = sorted(pages, key=lambda file: -len(pages[file]))
    entities = tuple(member.name for member in answer.lists[0].members) if answer.lists else None
    if not files and (entities is None or len(answer.lists) > 1):
        return None
    return Question(
        id=id_,
        question=asked,
        document=files[0] if files else None,
        pages=tuple(sorted(pages[files[0]])) if files else (),
        also={file: tuple(sorted(pages[file])) for file in files[1:]},
        entities=entities if len(answer.lists) == 1 else None,
        kind=KIND,
    )
