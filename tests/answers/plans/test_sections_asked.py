"""Questions that name a medicine and ask for one section of its leaflet, and for nothing else."""

from __future__ import annotations

import pytest

from core.domain.answers import Answer, DocumentCitation
from core.workspace import Workspace

MEDICINES = (
    "metformin", "ibuprofen", "warfarin", "levothyroxine", "methotrexate", "amoxicillin", "sertraline",
    "lisinopril", "atorvastatin", "salbutamol",
)  # fmt: skip


def quoted_sections(answer: Answer) -> set[tuple[str, str]]:
    """File and section of what the deciding sentences quote."""
    passages = {one.n: one for one in answer.citations if isinstance(one, DocumentCitation)}
    return {
        (passages[n].file, passages[n].section)
        for sentence in answer.sentences
        if sentence.decisive
        for n in sentence.citations
        if n in passages
    }


@pytest.mark.parametrize(
    ("question", "section"),
    [
        ("How should {} be taken?", "posology"),
        ("What does {} interact with?", "interactions"),
        ("What are the side effects of {}?", "adverse_reactions"),
        ("How is {} stored?", "storage"),
    ],
)
def test_the_section_that_alone_is_asked_for_answers(
    sample_workspace: Workspace, question: str, section: str
) -> None:
    for medicine in MEDICINES:
        answer = sample_workspace.chat.answer(question.format(medicine))
        quoted = quoted_sections(answer)
        assert (f"{medicine.capitalize()}.pdf", section) in quoted, medicine
        # Another leaflet may tell of it too, in that section.
        assert {one for _, one in quoted} == {section}, medicine
