"""An amount of another substance than the document's, and what a contraindication does not hold for."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.domain.answers import State
from core.domain.plans import Named
from core.evidence.patients.beside.amount_of import _naming_all
from core.evidence.patients.beside.other_patients import without_exceptions
from core.workspace import Workspace
from tests.support.pdfs import make_pdf_of
from tests.support.records import a_row

LABEL = (
    "Ostrelunib 5 mg tablets",
    "4.1 Therapeutic indications",
    "Ostrelunib is for the prevention of stroke in adults with atrial fibrillation.",
    "4.2 Posology",
    "The recommended dose of Ostrelunib in atrial fibrillation is 5 mg twice daily.",
    "Folic acid 1 mg is taken once a day beside Ostrelunib.",
    "4.3 Contraindications",
    "Ostrelunib is contraindicated with any other anticoagulant, except when heparin is given during an "
    "ablation for atrial fibrillation.",
    "Ostrelunib must not be given to patients with active bleeding.",
    "4.9 Overdose",
    "An overdose of Ostrelunib may cause bleeding. Treatment is stopped. Vitamin K has no effect. "
    "Glucagon 2 mg is injected where the heart is slow.",
)
TEXT = "5 Conversion between opioids\n\nThe factors for changing from one opioid to another are in the table."
CHART = (
    "Write the time and the dose into the chart of the ward, and ask the pharmacist where in doubt."
)


@pytest.fixture
def library(own_workspace: Workspace, tmp_path: Path) -> Workspace:
    make_pdf_of(tmp_path / "ostrelunib.pdf", *LABEL)
    assert own_workspace.library.ingest(tmp_path / "ostrelunib.pdf").state == "ready"
    return own_workspace


def test_what_a_contraindication_does_not_hold_for_is_no_caution(library: Workspace) -> None:
    answer = library.chat.answer("What is the dose of Ostrelunib in atrial fibrillation?")
    assert "5 mg twice daily" in answer.sentences[0].text
    assert "any other anticoagulant" not in answer.text
    forbidden = library.chat.answer("What is the dose of Ostrelunib in active bleeding?")
    assert "must not be given to patients with active bleeding" in forbidden.sentences[0].text


def test_a_time_after_another_ones_last_dose_is_no_amount_of_it(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    told = "Ostrelunib is started 12 to 24 hours after the last dose of ciclosporin."
    make_pdf_of(tmp_path / "ostrelunib.pdf", *LABEL[:5], told, *LABEL[6:])
    assert own_workspace.library.ingest(tmp_path / "ostrelunib.pdf").state == "ready"
    ask = "How long after the last ciclosporin dose is Ostrelunib started?"
    assert told in own_workspace.chat.answer(ask).text
    assert "12 to 24" not in own_workspace.chat.answer("Ciclosporin dose with Ostrelunib?").text


def test_the_amount_of_another_substance_is_told_where_it_is_named_beside_one(
    library: Workspace,
) -> None:
    chat = library.chat
    assert "Folic acid 1 mg" in chat.answer("How much folic acid is taken with Ostrelunib?").text
    assert "Glucagon 2 mg" in chat.answer("Glucagon dose in an overdose of Ostrelunib?").text
    for question in (
        "How many mg of vitamin K does the leaflet of Ostrelunib advise for bleeding?",
        "How many mg of protamine are given after an overdose of Ostrelunib?",
    ):
        answer = chat.answer(question)
        assert answer.state is State.NOT_IN_LIBRARY, question
    assert (
        "5 mg twice daily"
        in chat.answer("How much Ostrelunib is taken in atrial fibrillation?").text
    )


def test_the_dose_of_a_medicine_that_no_document_is_on_is_no_others(
    library: Workspace, tmp_path: Path
) -> None:
    """A guideline names it where it has no dose of it."""
    guideline = make_pdf_of(
        tmp_path / "guideline.pdf",
        "Fits in hospital",
        f"1. Valproate\n\nLoading dose: 40 mg/kg intravenously over 10 minutes. Not after phenytoin. {CHART}",
        f"2. Lacosamide\n\nLoading dose: 400 mg intravenously over 15 minutes. {CHART}",
    )
    assert library.library.ingest(guideline).state == "ready"
    assert (
        library.chat.answer("What is the loading dose of phenytoin?").state is State.NOT_IN_LIBRARY
    )
    assert "40 mg/kg" in library.chat.answer("What is the loading dose of valproate?").text
    assert "400 mg" in library.chat.answer("What is the loading dose of lacosamide?").text


def test_of_a_table_of_conversions_the_row_from_the_one_to_the_other(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    table = (
        ("From", "To", "Factor"),
        ("Oral morphine", "Subcutaneous morphine", "divide by 2"),
        ("Oral morphine", "Oral oxycodone", "divide by 1.5"),
        ("Oral tramadol", "Oral morphine", "divide by 10"),
    )
    made = make_pdf_of(tmp_path / "opioids.pdf", "Opioids in hospital", TEXT, table)
    assert own_workspace.library.ingest(made).state == "ready"
    answer = own_workspace.chat.answer(
        "By which factor is oral morphine converted to oral oxycodone?"
    )
    assert "divide by 1.5" in answer.text
    assert "divide by 2" not in answer.text and "divide by 10" not in answer.text


def test_what_a_row_forbids_is_the_medicine_that_it_is_called_by(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    table = (
        ("Medicine", "CrCl 30 to 50 mL/min", "CrCl 10 to 29 mL/min"),
        ("Nitrofurantoin", "At most 5 days", "Do not use"),
        ("Meropenem", "1 g every 12 hours", "500 mg every 12 hours"),
    )
    text = f"4 Doses in impaired kidneys\n\nThe first dose is never lowered. {CHART}"
    made = make_pdf_of(tmp_path / "kidneys.pdf", "Antibiotics in hospital", text, table)
    assert own_workspace.library.ingest(made).state == "ready"
    ask = own_workspace.chat.answer
    for question in (
        "What is the dose of meropenem at a CrCl of 22 mL/min?",
        "82 y, 48 kg, CrCl 22: meropenem dose once the first day of sepsis is over?",
    ):
        told = ask(question).text
        assert "Do not use" not in told and "Nitrofurantoin" not in told
    assert "Do not use" in ask("What is the dose of nitrofurantoin at a CrCl of 22 mL/min?").text


def test_a_row_that_another_medicine_is_called_by_has_no_dose_of_this_one(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    """A guideline on several: what is added to allopurinol has its own dose."""
    table = (
        ("Medicine", "Place", "Highest dose"),
        ("Probenecid", "Added to allopurinol", "2 g a day"),
        ("Febuxostat", "Where allopurinol is not borne", "120 mg a day"),
        ("Allopurinol", "First choice", "900 mg a day"),
    )
    made = make_pdf_of(
        tmp_path / "gout.pdf", "Gout in hospital", f"1 Long-term care. {CHART}", table
    )
    assert own_workspace.library.ingest(made).state == "ready"
    ask = own_workspace.chat.answer
    told = ask("What is the highest dose of allopurinol?").text
    assert "900 mg" in told and "2 g" not in told and "120 mg" not in told
    assert "2 g" in ask("What is the highest dose of probenecid beside allopurinol?").text
    assert "120 mg" in ask("Which medicine where allopurinol is not borne?").text


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("Never with X, except in gout.", "Never with X, ."),
        ("Not with X, unless stopped before, and in asthma.", "Not with X, , and in asthma."),
        (
            "Not with X, unless a doctor says so, if you have gout.",
            "Not with X, , if you have gout.",
        ),
        ("Unless it outweighs the risk, not in gout.", ", not in gout."),
        ("Asthma, außer bei Kindern", "Asthma, "),
        ("Niet bij astma, tenzij mild", "Niet bij astma, "),
        ("Exceptional bleeding", "Exceptional bleeding"),
    ],
)
def test_what_stands_behind_an_exception_is_left_out(said: str, holds: str) -> None:
    assert without_exceptions(said) == holds


def test_rows_that_name_one_medicine_stay_where_others_name_two() -> None:
    """It is no table of conversions in which a row is on the kidneys."""
    named = [
        Named(text=one, ids=(), name=one, type="") for one in ("lisinopril", "hydrochlorothiazide")
    ]
    rows = [
        a_row("Patients: Starting dose", "Dose: lisinopril 10 mg"),
        a_row("Patients: With hydrochlorothiazide", "Dose: lisinopril 5 mg"),
        a_row("Patients: Severe renal impairment", "Dose: lisinopril 2.5 mg"),
    ]
    assert _naming_all(named, rows) == [0, 1, 2]
    twice = [Named(text=one, ids=(), name=one, type="") for one in ("apixaban", "Eliquis")]
    of_one = [a_row("To: Eliquis", "Dose: 5 mg"), a_row("To: Eliquis, apixaban", "Dose: 2.5 mg")]
    assert _naming_all(twice, of_one) == [0, 1]
