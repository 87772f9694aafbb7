"""Questions in German and Dutch by the names that illnesses have there, and names that are unknown."""

from __future__ import annotations

import pytest

from core.domain.answers import Answer, GraphCitation
from core.domain.plans import Gap
from core.workspace import Workspace


def listed(answer: Answer) -> set[str]:
    return {one.name for one in answer.lists[0].members}


@pytest.mark.parametrize(
    ("question", "of_english"),
    [
        ("Welche Medikamente behandeln Morbus Crohn?", "Which drugs treat Crohn's disease?"),
        ("Welke medicijnen behandelen jicht?", "Which drugs treat gout?"),
        ("Wie viele Medikamente behandeln Hypertonie?", "How many drugs treat hypertension?"),
    ],
)
def test_a_list_by_a_german_or_dutch_name_is_the_english_one(
    workspace: Workspace, question: str, of_english: str
) -> None:
    answer, english = workspace.chat.answer(question), workspace.chat.answer(of_english)
    assert listed(answer) == listed(english) != set()
    assert answer.state == "answered" and answer.confidence == pytest.approx(
        english.confidence, abs=0.1
    )
    assert isinstance(answer.citations[0], GraphCitation), "the list stands first"


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Which drugs treat diabetes?", "diabetes"),
        ("Welche Medikamente behandeln die Zuckerkrankheit?", "Zuckerkrankheit"),
    ],
)
def test_a_part_of_several_names_is_asked_back_and_no_leaflet_is_sure(
    workspace: Workspace, question: str, name: str
) -> None:
    answer = workspace.chat.answer(question)
    assert answer.state == "may_not_answer" and not answer.lists
    assert answer.plan is not None and [one.gap for one in answer.plan.left_over] == [Gap.UNKNOWN]
    assert f"nothing that is called “{name}” alone" in answer.notice
    assert "Did you mean “type 2 diabetes mellitus”" in answer.notice
    again = workspace.chat.answer(answer.instead[0])
    assert again.understood and listed(again)


def test_an_unknown_name_is_named_as_such(workspace: Workspace) -> None:
    answer = workspace.chat.answer("Which drugs cause hiccups?")
    assert answer.state in ("may_not_answer", "not_in_library") and not answer.instead
    assert "The graph has nothing that is called “hiccups”" in answer.notice


def test_a_narrower_german_name_is_told_so(workspace: Workspace) -> None:
    answer = workspace.chat.answer("Welche Medikamente behandeln juvenile Gicht?")
    assert answer.state != "answered" and "“juvenile Gicht”" in answer.notice
    assert answer.instead == ("Welche Medikamente behandeln Gicht?",)
