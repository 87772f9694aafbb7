"""A line over a paragraph that names an illness or patients says whose dose stands below it: the dose is found
by it, told with it, and told to nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.domain.answers import Answer
from core.questions.leaflets.reader import says_ages, says_for_whom
from core.text.layout.lines_over import LineOver, telling_over
from core.workspace import Workspace
from tests.support.pdfs import make_pdf

_LABEL = (
    "VELTRAXONE- veltraxone injection\n\n"
    "DOSAGE AND ADMINISTRATION\n\n"
    "Multiple Sclerosis\n\n"
    "The recommended dosage is 12 mg given as a short intravenous infusion every 3 months. The heart should "
    "be examined before the first infusion and before all later ones.\n\n"
    "Prostate Cancer\n\n"
    "Based on two comparative trials, the recommended dosage is 14 mg given as a short intravenous infusion "
    "every 21 days.\n\n"
    "Severe Hepatic Impairment\n\n"
    "The recommended dosage is 6 mg given as a short intravenous infusion every 6 months.\n\n"
    "HOW SUPPLIED\n\nVials of 20 mg are kept below 25 degrees in the carton."
)


@pytest.fixture
def label(own_workspace: Workspace, tmp_path: Path) -> Workspace:
    """A label on a medicine that no graph knows, with a dose for each of two illnesses."""
    assert own_workspace.library.ingest(make_pdf(tmp_path / "label.pdf", _LABEL)).state == "ready"
    return own_workspace


def _under(answer: Answer) -> set[str]:
    return {one.under for one in answer.blocks}


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("question", "dose", "line"),
    [
        ("veltraxone dose for multiple sclerosis", "12 mg", "Multiple Sclerosis"),
        ("What is the dose of Veltraxone in prostate cancer?", "14 mg", "Prostate Cancer"),
    ],
)
def test_the_dose_of_an_illness_is_found_by_the_line_over_it_and_told_with_it(
    label: Workspace, question: str, dose: str, line: str
) -> None:
    answer = label.chat.answer(question)
    assert dose in answer.text and line in _under(answer)
    for other in {"12 mg", "14 mg", "6 mg"} - {dose}:
        assert f" {other}" not in answer.text


@pytest.mark.req("PR-3")
def test_the_dose_of_another_illness_is_told_to_nobody(label: Workspace) -> None:
    answer = label.chat.answer("veltraxone dose for breast cancer every 21 days")
    assert "14 mg" not in answer.text and "12 mg" not in answer.text


@pytest.mark.req("PR-3")
def test_a_line_over_a_dose_says_which_patients_it_is_for(label: Workspace) -> None:
    for more in ("", " for multiple sclerosis"):  # the line names no other illness
        answer = label.chat.answer(
            f"How much Veltraxone is given{more} with a severely impaired liver?"
        )
        assert " 6 mg" in answer.text and "Severe Hepatic Impairment" in _under(answer)


_GERMAN = (
    "Ramivelin 5 mg Tabletten\n\n"
    "3. Wie ist Ramivelin einzunehmen?\n\n"
    "Behandlung von Bluthochdruck\n\n"
    "Die übliche Anfangsdosis beträgt 2,5 mg einmal täglich.\n\n"
    "Behandlung einer Herzschwäche\n\n"
    "Die übliche Anfangsdosis beträgt 1,25 mg einmal täglich.\n\n"
    "Behandlung nach einem Herzinfarkt\n\n"
    "Die übliche Anfangsdosis beträgt 0,6 mg einmal täglich.\n\n"
    "5. Wie ist Ramivelin aufzubewahren?\n\nNicht über 25 Grad lagern."
)


@pytest.mark.req("PR-3")
def test_doses_under_other_lines_are_no_rivals(own_workspace: Workspace, tmp_path: Path) -> None:
    """In German too, also of illnesses that are called by one word ("Herzinfarkt")."""
    path = make_pdf(tmp_path / "leaflet.pdf", _GERMAN)
    assert own_workspace.library.ingest(path).state == "ready"
    ask = "Wie hoch ist die Anfangsdosis von Ramivelin {}?"
    for illness, dose in (("bei Herzschwäche", "1,25 mg"), ("nach einem Herzinfarkt", "0,6 mg")):
        answer = own_workspace.chat.answer(ask.format(illness))
        assert f" {dose} " in answer.text and " 2,5 mg " not in answer.text
        assert not any(one.problems for one in answer.sentences)


_NESTED = (
    "Fluvorin 50 mg capsules\n\n"
    "3. How to take Fluvorin\n\n"
    "Adults\n\nMeningitis\n\nThe dose is 412 mg on the first day, then 203 mg once a day.\n\n"
    "Vaginal candidiasis\n\nThe dose is 151 mg, taken once.\n\n"
    "Children\n\nThe dose is 6 mg/kg once a day.\n\n"
    "5. How to store Fluvorin\n\nStore Fluvorin below 25 degrees."
)


@pytest.mark.req("PR-3")
def test_a_line_on_ages_holds_for_the_lines_on_illnesses_below_it(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    path = make_pdf(tmp_path / "leaflet.pdf", _NESTED)
    assert own_workspace.library.ingest(path).state == "ready"
    chat = own_workspace.chat
    answer = chat.answer("What is the dose of Fluvorin in meningitis for an adult?")
    assert "412 mg" in answer.text and "Adults · Meningitis" in _under(answer)
    answer = chat.answer("What is the dose of Fluvorin for a child of 5 years?")
    assert "6 mg/kg" in answer.text
    assert "412 mg" not in answer.text and "151 mg" not in answer.text
    # Where an illness is, is no way in which something is given.
    answer = chat.answer("What is the dose of Fluvorin in vaginal candidiasis?")
    assert "151 mg" in answer.text and "412 mg" not in answer.text


@pytest.mark.parametrize(
    ("lines", "over"),
    [
        (["Adults", ">Meningitis"], ("Adults", "Meningitis")),
        (["Adults", ">Meningitis", "Gout"], ("Adults", "Gout")),
        (["Adults", ">Meningitis", "Special groups", ">Kidney disease"], ("Kidney disease",)),
        (["Adults", ">Meningitis", "Children"], ("Children",)),
        (["Adults", "Meningitis"], ("Meningitis",)),
        (["Adults", ">Meningitis", "Storage"], ("Adults",)),
        (["Storage"], ()),
    ],
)
def test_which_lines_tell_for_whom(lines: list[str], over: tuple[str, ...]) -> None:
    """A mark says that a line stands directly below the one before it."""
    told = [LineOver(one.removeprefix(">"), one.startswith(">")) for one in lines]
    assert telling_over(told, says_for_whom, says_ages) == over
