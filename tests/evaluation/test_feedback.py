"""Rated answers as a question set: nothing is expected that nobody confirmed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.domain.answers import Answer, DocumentCitation
from core.domain.conversations import Fault, Feedback, Rating, Turn
from core.domain.plans import AnswerList, Member
from core.evaluation.feedback import feedback_set, to_line
from core.evaluation.questions import Question, read_questions
from tests.domain.answers import an_answer

AT = datetime(2026, 5, 4, tzinfo=UTC)


def cited(*places: tuple[str, int]) -> Answer:
    citations = tuple(
        DocumentCitation(n, f"id of {file}", "c", file, page, "", "", "q", 0, 1, 0.5)
        for n, (file, page) in enumerate(places, start=1)
    )
    return replace(an_answer("And its dose?"), read_as="Metformin dose?", citations=citations)


def rated(answer: Answer, rating: Rating, fault: Fault | None = None, comment: str = "") -> Turn:
    feedback = Feedback(rating, fault, comment, AT)
    return Turn(f"id of {answer.read_as}", "s", 0, answer, AT, feedback)


def listing(*names: str) -> AnswerList:
    return AnswerList("Drugs", tuple(Member(name, "Drug", name, (), 0) for name in names))


def test_what_was_confirmed_is_expected(tmp_path: Path) -> None:
    turns = [
        rated(cited(("B.pdf", 4), ("A.pdf", 2), ("A.pdf", 1), ("A.pdf", 2)), Rating.UP),
        rated(replace(an_answer("Which drugs?"), lists=(listing("Ä", "B"),)), Rating.UP),
        rated(replace(an_answer("France?"), refused=True), Rating.UP),
    ]
    found = feedback_set(turns, {"id of A.pdf", "id of B.pdf"})
    assert found.to_complete == () and found.questions == (
        Question(
            id="id of Metformin dose?",
            question="Metformin dose?",
            document="A.pdf",
            pages=(1, 2),
            also={"B.pdf": (4,)},
            kind="rated",
        ),
        Question(
            id="id of Which drugs?", question="Which drugs?", entities=("Ä", "B"), kind="rated"
        ),
        Question(id="id of France?", question="France?", answerable=False, kind="rated"),
    )
    path = tmp_path / "set.jsonl"
    path.write_text("\n".join(map(to_line, found.questions)), "utf-8")
    assert tuple(read_questions(path)) == found.questions


@pytest.mark.parametrize(
    ("turn", "reason"),
    [
        (rated(cited(("A.pdf", 1)), Rating.DOWN, Fault.PAGE, "p. 2"), "page"),
        (rated(cited(("A.pdf", 1)), Rating.DOWN, None, "p. 2"), "not said"),
        (
            rated(cited(("A.pdf", 1), ("gone.pdf", 1)), Rating.UP, None, "p. 2"),
            "not in the library",
        ),
        (rated(cited(("A.pdf", 0)), Rating.UP, None, "p. 2"), "no page"),
        (
            rated(replace(an_answer("Q?"), refused=True), Rating.DOWN, Fault.MISSING, "p. 2"),
            "missing",
        ),
    ],
)
def test_nothing_is_made_up(turn: Turn, reason: str) -> None:
    found = feedback_set([turn], {"id of A.pdf"})
    assert found.questions == ()
    (one,) = found.to_complete
    assert reason in one.reason and one.comment == "p. 2" and one.question == turn.answer.read_as


def test_the_latest_rating_of_a_question_counts() -> None:
    up, down = rated(cited(("A.pdf", 1)), Rating.UP), rated(cited(("A.pdf", 1)), Rating.DOWN)
    assert len(feedback_set([up, down], {"id of A.pdf"}).questions) == 1
    assert feedback_set([down, up], {"id of A.pdf"}).questions == ()
    assert feedback_set([replace(up, feedback=None)], ()).to_complete == ()
