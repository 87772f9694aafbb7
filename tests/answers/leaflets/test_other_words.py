"""German and Dutch questions over English leaflets are put into English word by word."""

from __future__ import annotations

import pytest

from core.domain.answers import DocumentCitation
from core.workspace import Workspace


@pytest.mark.parametrize(
    ("question", "section"),
    [
        ("Wie wird {} gelagert?", "storage"),
        ("Welche Nebenwirkungen hat {}?", "adverse_reactions"),
        ("Wie soll {} eingenommen werden?", "posology"),
        ("Welche bijwerkingen heeft {}?", "adverse_reactions"),
        ("Hoe moet {} bewaard worden?", "storage"),
    ],
)
def test_the_right_section_answers(
    sample_workspace: Workspace, question: str, section: str
) -> None:
    for medicine in ("Metformin", "Warfarin", "Lisinopril"):
        answer = sample_workspace.chat.answer(question.format(medicine))
        cited = {
            (one.file, one.section) for one in answer.citations if isinstance(one, DocumentCitation)
        }
        assert (f"{medicine}.pdf", section) in cited, (medicine, answer.text)


def test_an_exact_thing_is_told_and_said_how_it_was_read(sample_workspace: Workspace) -> None:
    answer = sample_workspace.chat.answer("Bis zu welcher Temperatur wird Metformin aufbewahrt?")
    assert "30 °C" in answer.text and answer.trace is not None
    (read,) = answer.trace.clauses
    assert "temperature" in read and read.startswith("Bis zu welcher Temperatur")


def test_an_english_question_is_searched_as_it_is(sample_workspace: Workspace) -> None:
    answer = sample_workspace.chat.answer("How is metformin stored?")
    assert answer.trace is not None and answer.trace.clauses == ("How is metformin stored",)


def test_a_medicine_that_is_not_there_is_refused(sample_workspace: Workspace) -> None:
    for question in ("Wie wird Zolvetrin gelagert?", "Hoe moet Zolvetrin bewaard worden?"):
        assert sample_workspace.chat.answer(question).refused
