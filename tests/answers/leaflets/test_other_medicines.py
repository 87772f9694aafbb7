"""What is taken beside a medicine, or must not be: told from the documents on both, and from no other's."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.evidence.patients.beside.classes import classes_in
from core.workspace import Workspace
from tests.support.pdfs import make_pdf_of

ZORVEXIL = """# Zorvexil 5 mg tablets

## Indications and usage

Zorvexil is indicated for the relief of pain from gout in adults.

## Contraindications

Zorvexil is contraindicated in patients taking strong CYP1A2 inhibitors such as fluvoxamine.

## Drug interactions

Tell your doctor if you take a blood thinner, because bleeding becomes more likely.

Oral contraceptives may raise the level of Zorvexil.

## Dosage and administration

The recommended dose of Zorvexil is 5 mg once a day. Do not take more than 10 mg of Zorvexil a day.
"""
WARFARIN = """# Warfarin 3 mg tablets

## Contraindications

Warfarin must not be taken together with miconazole.

## Drug interactions

Zorvexil raises the effect of warfarin: the INR is checked each week.

## Dosage and administration

The recommended dose of warfarin is 3 mg once a day.
"""
OTHERS = """# Bravanol 10 mg tablets

## Contraindications

Do not take Bravanol with blood thinners such as warfarin, or with any other medicine.

## Dosage and administration

The recommended dose of Bravanol is 10 mg once a day.
"""


@pytest.mark.req("PR-3")
def test_classes_and_both_documents_are_asked(own_workspace: Workspace, tmp_path: Path) -> None:
    for name, text in (("Zorvexil", ZORVEXIL), ("Warfarin", WARFARIN), ("Bravanol", OTHERS)):
        (tmp_path / f"{name}.md").write_text(text)
        assert own_workspace.library.ingest(tmp_path / f"{name}.md").state == "ready"
    chat = own_workspace.chat

    beside = chat.answer(
        "What is the recommended dose of Zorvexil for a patient who is on warfarin?"
    )
    before, _, _ = beside.text.partition("5 mg once a day")
    assert "blood thinner" in before and "raises the effect of warfarin" in before
    assert "3 mg once a day" not in beside.text  # warfarin's
    assert {block.subject for block in beside.blocks} == {
        "Zorvexil 5 mg tablets",
        "Warfarin 3 mg tablets",
    }

    barred = chat.answer("Which medicines must not be taken with Zorvexil?")
    assert "strong CYP1A2 inhibitors" in barred.sentences[0].text
    assert "blood thinner" in barred.text and "Oral contraceptives" in barred.text
    assert {block.subject for block in barred.blocks} == {"Zorvexil 5 mg tablets"}

    instead = chat.answer("My patient cannot take warfarin, so how much Zorvexil may he take?")
    assert "3 mg once a day" not in instead.text

    unknown = chat.answer("Which medicines must not be taken with fingolimod?")
    assert not unknown.blocks


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("Avoid blood thinners such as heparin and warfarin.", {"Avoid blood thinners", "blood thinners"}),
        ("Warfarin is an oral anticoagulant for use in adults.", {"oral anticoagulant", "anticoagulant"}),
        ("MAO inhibitors (e.g., selegiline, warfarin)", {"MAO inhibitors", "MAO"}),
        ("the blood thinning drug warfarin", {"thinning drug", "blood thinning drug"}),
        ("Warfarin and other coumarins are", {"coumarins"}),
        ("Antikoagulanzien wie Warfarin", {"Antikoagulanzien"}),
        ("Warfarin is a selective inhibitor of VKORC1.", {"selective inhibitor"}),
        ("Take 200 mg such as warfarin", set()),
        ("Signs such as bleeding were seen. Warfarin was stopped.", set()),
    ],
)  # fmt: skip
def test_what_a_text_says_a_medicine_is(text: str, classes: set[str]) -> None:
    assert set(classes_in(text, ["warfarin"])) == classes


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    "question",
    [
        "Can I take ibuprofen and warfarin?",
        "Can I take warfarin with ibuprofen?",
        "Is it safe to take warfarin and ibuprofen together?",
    ],
)
def test_whether_two_may_be_taken_together_is_told_by_both_leaflets(
    sample_workspace: Workspace, question: str
) -> None:
    answer = sample_workspace.chat.answer(question)
    told = " ".join(one.text for one in answer.sentences)
    assert "avoided or used with great caution" in told  # warfarin's leaflet
    assert "blood thinners such as warfarin" in told  # ibuprofen's
    assert "No dose is told" not in answer.notice


def _told(workspace: Workspace, question: str) -> str:
    answer = workspace.chat.answer(question)
    return "" if answer.refused else " ".join(one.text for one in answer.sentences)


def test_a_medicine_that_a_guideline_or_another_s_leaflet_names_is_told_of_by_them(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    """By a sentence that names it; by its substance where a trade name is asked; and where a word beside it is
    none of a second medicine ("supplement")."""
    leaflet = make_pdf_of(
        tmp_path / "levothyroxine.pdf",
        "Levothyroxine 50 microgram tablets",
        "2. What you need to know before you take Levothyroxine",
        "Warnings and precautions",
        "Biotin may affect the results of thyroid tests. Stop biotin at least 2 days before the blood test.",
        "3. How to take Levothyroxine",
        "The usual dose of levothyroxine is 100 micrograms once a day.",
    )
    guideline = make_pdf_of(
        tmp_path / "guideline.pdf",
        "Status epilepticus and pulmonary embolism in adults",
        "1. Convulsions",
        "Status epilepticus: the loading dose of levetiracetam is 40 mg/kg over 5 minutes.",
        "2. Contrast",
        "Metformin with an eGFR below 30 mL/min: stop it on the day of contrast, restart it after 48 hours.",
        "3. Hip replacement",
        "In aspirin allergy give rivaroxaban 10 mg once daily for 35 days.",
    )
    for path in (leaflet, guideline):
        assert own_workspace.library.ingest(path).state == "ready"
    for question, expected in (
        ("Biotin supplement and thyroid blood test - when stop the biotin?", "2 days"),
        ("What is the loading dose of Keppra in status epilepticus?", "40 mg/kg"),
        ("metformin and contrast: how long to stop it?", "48 hours"),
        ("hip replacement, allergic to aspirin: drug and dose?", "rivaroxaban 10 mg"),
    ):
        assert expected in _told(own_workspace, question), question
