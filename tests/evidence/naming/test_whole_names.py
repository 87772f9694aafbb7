"""Whose documents answer where names are alike, have several words, or are other names of one substance."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.workspace import Workspace

Made = Callable[..., Workspace]


def _label(brand: str, substance: str, dose: str, storage: str) -> str:
    return (
        f"{brand} ({substance}) injection\n\n"
        f"2 DOSAGE AND ADMINISTRATION\nThe recommended dosage of {brand} is {dose}.\n\n"
        f"11 DESCRIPTION\n{brand} contains {substance}. What {substance} does is not known.\n\n"
        f"16.2 Storage and Handling\nStore {brand} {storage}."
    )


_1A = _label("ORVEXA", "interferon beta-1a", "30 mcg once a week", "in a refrigerator")
_1B = _label("TALVEXA", "interferon beta-1b", "250 mcg every other day", "at room temperature")
_DIROXIMEL = _label("VUMEXA", "diroximel fumarate", "462 mg twice a day", "below 30 degrees")


@pytest.fixture
def library_of(own_workspace: Workspace, tmp_path: Path) -> Made:
    def made(*texts: str) -> Workspace:
        for number, text in enumerate(texts):
            file = tmp_path / f"{number}.txt"
            file.write_text(text, "utf-8")
            assert own_workspace.library.ingest(file).state == "ready"
        return own_workspace

    return made


@pytest.mark.req("PR-4")
@pytest.mark.parametrize(
    "question",
    [
        "How is interferon beta-1b stored?",
        "What is the dose of interferon β-1b?",
        "What is the dose of interferon beta-1c?",
        "How is peginterferon beta-1a stored?",
        "How is dimethyl fumarate stored?",
        "What is the dose of monomethyl fumarate?",
        "What is the dose of zorbimel fumarate?",
    ],
)
def test_of_a_medicine_that_is_absent_nothing_of_its_like_is_told(
    library_of: Made, question: str
) -> None:
    assert library_of(_1A, _DIROXIMEL).chat.answer(question).refused


_TABLETS = _label("QUOLMEX", "quolmafinil", "200 mg in the morning", "at 20 to 25 degrees")


@pytest.mark.req("PR-4")
def test_of_two_words_that_stand_nowhere_nothing_is_told(library_of: Made) -> None:
    """No document has either word, and each tells how its medicine is stored."""
    chat = library_of(_1A, _TABLETS).chat
    assert chat.answer("How is dimethyl fumarate stored?").refused
    assert "20 to 25 degrees" in chat.answer("How is quolmafinil stored?").text


@pytest.mark.req("PR-3")
def test_of_medicines_that_are_alike_each_has_its_own(library_of: Made) -> None:
    chat = library_of(_1A, _1B, _DIROXIMEL).chat
    told = chat.answer("How is interferon beta-1b stored?").text
    assert "room temperature" in told and "refrigerator" not in told
    told = chat.answer("How is interferon β-1a stored?").text
    assert "refrigerator" in told and "room temperature" not in told
    told = chat.answer("How is diroximel fumarate stored?").text
    assert "below 30 degrees" in told and "room temperature" not in told


_CAPLETS = (
    "Orvanel - meperidine tablet\n\nDrug Facts\nActive ingredient (in each caplet)\n"
    "Meperidine 50 mg\n\nUses\nmeperidine relieves severe pain\n\n"
    "Directions\nTake 2 caplets of meperidine every 6 hours. Do not take more than 6 caplets in 24 hours."
)
_TRIAL = (
    "Low-dose ketamine for pain after knee surgery\n\nMethods\nAll patients received pethidine 25 mg four times"
    " daily and celecoxib 200 mg twice daily.\n\nResults\nPain did not differ."
)


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    "question",
    [
        "How many caplets of pethidine may I take in 24 hours?",
        "Hoeveel pethidine 50 mg caplets mag ik maximaal per dag?",
        "Wie viel Pethidine darf ich höchstens in 24 Stunden nehmen?",
    ],
)
def test_a_document_that_calls_a_substance_otherwise_is_on_it(
    library_of: Made, question: str
) -> None:
    """Another document has the word that is asked with, and is on something else."""
    answer = library_of(_CAPLETS, _TRIAL).chat.answer(question)
    assert "6 caplets in 24 hours" in answer.text
    assert "ethidine” “meperidine”" in answer.notice


_INFUSION = (
    "Zelmatrone Injection\n\nDOSAGE AND ADMINISTRATION\n\nMultiple Sclerosis\n\n"
    "The recommended dosage of zelmatrone is 12 mg/m2 given as a short intravenous infusion every 3 months. "
    + "A pharmacist fills the bag under a hood, labels it and keeps it from light until it is hung. "
    * 7
    + "\n\n"
    + "\n\n".join(
        f"In trial {number} those with multiple sclerosis had a test of the heart before zelmatrone. "
        + "Nurses wrote down what they saw during the infusion, and rang the doctor on duty at night. "
        * 8
        for number in range(1, 13)
    )
    + "\n\nProstate Cancer\n\nThe recommended dosage of zelmatrone is 14 mg/m2 given every 21 days."
)


@pytest.mark.req("PR-3")
def test_the_dose_under_the_illness_that_is_asked_about_is_told(
    library_of: Made,
) -> None:
    answer = library_of(_INFUSION).chat.answer("zelmatrone dose in multiple sclerosis")
    assert "12 mg/m2" in answer.text and "14 mg/m2" not in answer.text


_PAPER = (
    "Dexamethasone for pain after knee arthroplasty\n\nAbstract\n"
    "ORTHODEX tested dexamethasone after knee arthroplasty.\n\n"
    "Methods\nORTHODEX was a trial of 300 patients. Dexamethasone 16 mg was given once.\n\n"
    + "Nurses asked for the pain at rest and during walking, and wrote down each dose of an opioid. "
    * 12
    + "\n\nResults\nDexamethasone lowered pain during walking at 24 h by 11.0 mm."
    " Patients with anti-TIF1γ antibodies had a response in 50.0% of cases."
)


@pytest.mark.req("PR-3")
def test_every_passage_of_a_paper_is_of_the_study_that_it_reports(library_of: Made) -> None:
    chat = library_of(_PAPER).chat
    question = "What effect did dexamethasone have on pain during walking at 24 h in ORTHODEX?"
    answer = chat.answer(question)
    assert "11.0 mm" in answer.text and "names" not in answer.notice
    other = chat.answer(question.replace("ORTHODEX", "HIPSODEX"))
    assert other.refused or "HIPSODEX" in other.notice


@pytest.mark.req("PR-3")
def test_a_greek_letter_is_found_by_its_name(library_of: Made) -> None:
    chat = library_of(_PAPER, _TRIAL).chat
    letter, name = (
        chat.answer(f"What was the response in patients with anti-TIF1{one} antibodies?")
        for one in ("γ", "gamma")
    )
    assert "50.0%" in letter.text and name.text == letter.text
    assert "TIF1γ" in name.text, "shown as it is written"
