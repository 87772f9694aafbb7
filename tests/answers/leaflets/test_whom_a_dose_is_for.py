"""Whom a dose is for: nobody's special dose for everybody, and no part of the patients asked about left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.domain.answers import Answer
from core.workspace import Workspace
from tests.support.pdfs import make_pdf


@pytest.fixture
def asked(sample_workspace: Workspace, request: pytest.FixtureRequest) -> Answer:
    return sample_workspace.chat.answer(request.param)


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    "asked",
    [
        "How much amoxicillin may an adult take per day?",
        "What is the dose of amoxicillin for adults?",
    ],
    indirect=True,
)
def test_an_adult_is_told_the_dose_of_adults_and_not_that_of_impaired_kidneys(
    asked: Answer,
) -> None:
    told = " ".join(one.text for one in asked.sentences)
    assert "250 mg to 500 mg three times a day" in told
    assert "bladder infection" in told and "prevention of endocarditis" in told
    assert "creatinine clearance" not in told and "Children under 40 kg" not in told


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    "asked", ["What is the dose of amoxicillin for severe infections for children?"], indirect=True
)
def test_each_part_of_the_patients_asked_about_is_told(asked: Answer) -> None:
    told = " ".join(one.text for one in asked.sentences)
    assert "children who weigh 40 kg or more" in told and "Children under 40 kg" in told


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    "asked",
    ["What is the maximum daily dose of metformin?", "How much metformin may I take?"],
    indirect=True,
)
def test_who_names_no_patient_is_told_everybodys_dose_before_the_childrens(asked: Answer) -> None:
    decisive = [one.text for one in asked.sentences if one.decisive]
    assert "3,000 mg" in decisive[0]
    assert any("2,000 mg" in one for one in decisive[1:])


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    "asked",
    ["12-year-old on metformin, what is the top dose and how is it split?"],
    indirect=True,
)
def test_who_is_introduced_is_the_patient_of_all_that_follows(asked: Answer) -> None:
    told = " ".join(one.text for one in asked.sentences)
    assert "2,000 mg" in told and "3,000 mg" not in told


@pytest.mark.req("PR-3")
@pytest.mark.parametrize("asked", ["How much ibuprofen may an 8 year old take?"], indirect=True)
def test_what_harms_the_unborn_is_no_caution_for_a_child(asked: Answer) -> None:
    told = " ".join(one.text for one in asked.sentences)
    assert "Children under 12 years" in told and "pregnancy" not in told


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    "asked", ["What is the dose of ibuprofen for older people?"], indirect=True
)
def test_what_the_dosing_section_says_of_old_people_stands_before_the_dose_of_adults(
    asked: Answer,
) -> None:
    assert asked.sentences[0].text.startswith("Older people do not need another dose")
    assert "200 mg to 400 mg as a single dose" in asked.text


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    "asked",
    ["What is the dose of ibuprofen for a 70 year old with kidney problems?"],
    indirect=True,
)
def test_beside_what_forbids_stands_what_the_dosing_section_says_of_each_state(
    asked: Answer,
) -> None:
    assert "severe kidney failure" in asked.sentences[0].text
    assert "the lowest dose that works" in asked.text and "Older people" in asked.text
    assert "400 mg" not in asked.text


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    "asked",
    ["My dad is 78 and has angina, what should his first dose of levothyroxine be?"],
    indirect=True,
)
def test_no_dose_is_said_to_be_missing_that_is_there(asked: Answer) -> None:
    assert "start with 12.5 micrograms a day" in asked.text and "No dose" not in asked.notice


CARRIERS = (
    "Zorvexil 1 mg tablets\n\n"
    "12.3 Pharmacokinetics\nThe apparent elimination half-life of zorvexil is approximately 30 hours.\n\n"
    "12.5 Pharmacogenomics\nThe mean half-life of zorvexil is prolonged in CYP2C9*2/*3 and CYP2C9*3/*3 "
    "carriers, to 51 hours and 126 hours."
)


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What is the half-life of zorvexil?", "30 hours"),
        ("Zorvexil half-life", "30 hours"),
        ("What is the half-life of zorvexil in CYP2C9*3/*3 carriers?", "126 hours"),
    ],
)
def test_a_genotypes_amount_stands_behind_everybodys(
    own_workspace: Workspace, tmp_path: Path, question: str, first: str
) -> None:
    assert own_workspace.library.ingest(make_pdf(tmp_path / "z.pdf", CARRIERS)).state == "ready"
    answer = own_workspace.chat.answer(question)
    assert first in next(one.text for one in answer.sentences if one.decisive)


_BY_AGE = """# Coldivel oral solution

## 3. How to take Coldivel

The dose of Coldivel by age is:

- 6 to 12 months: 2 ml three times a day
- 1 to 5 years: 4 ml three times a day
- 6 to 11 years: 8 ml three times a day
- 12 years and over: 16 ml three times a day

Do not use Coldivel if:

» you have gout

» your kidneys have failed

## 5. How to store Coldivel

Store below 25 degrees. It keeps for 2 years.
"""


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("patient", "dose"),
    [("a baby of 8 months", 2), ("a 4 year old", 4), ("a 7 year old", 8), ("a man of 40", 16)],
)
def test_a_dose_that_years_label_is_theirs(
    own_workspace: Workspace, tmp_path: Path, patient: str, dose: int
) -> None:
    (tmp_path / "Coldivel.md").write_text(_BY_AGE)
    assert own_workspace.library.ingest(tmp_path / "Coldivel.md").state == "ready"
    answer = own_workspace.chat.answer(f"What is the dose of Coldivel for {patient}?")
    own = " ".join(one.text for one in answer.sentences if not one.others)
    assert [ml for ml in (2, 4, 8, 16) if f" {ml} ml" in own] == [dose]


@pytest.mark.req("PR-4")
def test_items_of_any_sign_are_one_list(own_workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "Coldivel.md").write_text(_BY_AGE)
    assert own_workspace.library.ingest(tmp_path / "Coldivel.md").state == "ready"
    answer = own_workspace.chat.answer("Who must not take Coldivel?")
    assert "if you have gout; your kidneys have failed." in answer.text
