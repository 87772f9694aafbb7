"""What happened is told in words of one's own; the section on overdoses answers it."""

from __future__ import annotations

import pytest

from core.workspace import Workspace


@pytest.mark.req("PR-1")
@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("ate 20 of my metformin tablets by accident", "treatment in a hospital straight away"),
        (
            "She took 30 lisinopril tablets at once, what should be done?",
            "removed by haemodialysis",
        ),
        ("My child ate 10 of my sertraline pills", "Go to the nearest hospital"),
        ("I accidentally took my warfarin twice today", "Treatment depends on the INR"),
    ],
)
def test_what_to_do_after_too_much_was_taken_is_told(
    sample_workspace: Workspace, question: str, told: str
) -> None:
    answer = sample_workspace.chat.answer(question)
    assert told in answer.text
    assert {block.section for block in answer.blocks} == {"overdose"}


@pytest.mark.req("PR-4")
def test_what_the_section_does_not_tell_is_not_answered_by_it(sample_workspace: Workspace) -> None:
    """An amount is asked for, not what to do."""
    answer = sample_workspace.chat.answer(
        "From how many mg per kg is an ibuprofen overdose in a child considered toxic?"
    )
    assert answer.refused
