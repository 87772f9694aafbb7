"""What a document says of the patient whose dose is asked comes first; others' doses are not told then."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.domain.answers import State
from core.domain.leaflets.conditions import AgeGroup, KidneyFunction, LiverFunction, PatientGroup
from core.evidence.patients.beside.other_patients import is_of_some
from core.evidence.patients.cautions import says_against
from core.evidence.patients.footnotes import has_dose
from core.evidence.patients.states import PatientState
from core.workspace import Workspace

LABEL = """# Zorvexil 5 mg tablets

## Indications and usage

Zorvexil is indicated for the relief of pain from gout in adults.

## Contraindications

A history of allergic reaction to any of the penicillins is a contraindication.

Active HBV infection is a contraindication.

Zorvexil must not be given to men with untreated sleep apnoea.

## Warnings

Hepatitis B virus (HBV) may become active again.

Patients aged 65 years or older who have chicken pox should \
not use Zorvexil.

## Ask a doctor before use if you have

liver disease

## Drug interactions

Zorvexil should be avoided in patients who take warfarin.

## Dosage and administration

The recommended dose of Zorvexil is 5 mg once a day. Do not take more than 10 mg of Zorvexil a day.

## Pediatric use

Safety and effectiveness of Zorvexil in pediatric patients below the age of 18 years have not been established.
"""
BY_WEIGHT = """# Marvoline oral suspension

## Indications

Marvoline is for fever in children and adults.

It is also for the treatment of migraine in adults.

## Dosage

The dose of Marvoline for children of 10 to 15 kg is 2.5 ml three times a day.

The dose of Marvoline for children of 20 to 29 kg is 5 ml three times a day.

Marvoline must not be used in children under 6 months or under 8 kg.

## Pediatric use

Safety and effectiveness in the treatment of migraine have not been established in pediatric patients.
"""
LIVER = "Ask a doctor before use if you have liver disease"
DOSE = "5 mg once a day"


@pytest.mark.req("PR-3")
def test_what_is_said_of_the_patient_comes_first_and_nobody_elses_dose(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "Zorvexil.md").write_text(LABEL)
    assert own_workspace.library.ingest(tmp_path / "Zorvexil.md").state == "ready"
    chat = own_workspace.chat
    told, unknown = State.ANSWERED, State.MAY_NOT_ANSWER
    for patient, said, state in (
        ("for a patient with liver disease", LIVER, told),
        ("in a patient with penicillin allergy", "any of the penicillins is a contraind", told),
        (
            "for a patient who is on warfarin",
            "should be avoided in patients who take warfarin",
            told,
        ),
        ("for a man with untreated sleep apnoea", "men with untreated sleep apnoea", told),
        ("for a patient with hepatitis B", "Active HBV infection is a contraindication", told),
        ("for a 70-year-old with chickenpox", "chicken pox should not use Zorvexil", told),
        ("for a child of 8 years", "below the age of 18 years have not been established", unknown),
    ):
        answer = chat.answer(f"What is the recommended dose of Zorvexil {patient}?")
        assert said in answer.sentences[0].text and answer.sentences[0].decisive
        assert answer.sentences[0].citations and answer.blocks[0].heading
        assert DOSE not in answer.text
        assert answer.state is state
        assert answer.notice.startswith("No dose is told") and "Zorvexil.md" in answer.notice
    whole = chat.answer("What is the recommended dose of Zorvexil for gout?")
    assert DOSE in whole.text and LIVER not in whole.text
    _, asked = chat.prompt("What dose of Zorvexil may be taken with liver disease?", 4_000)
    first = asked["content"].index("liver disease")
    assert first < asked["content"].index(DOSE)


@pytest.mark.req("PR-3")
def test_a_week_of_pregnancy_is_no_dose() -> None:
    assert not has_dose("From week 20 on, in the 3rd trimester, it can harm the kidneys.")
    assert has_dose("From week 20 on take 5 mg at most.")
    assert not has_dose("Do not use it below a creatinine clearance of 30 mL/min: 5% had fits.")
    assert has_dose("Below a creatinine clearance of 30 mL/min take it once a day.")


RUN_TOGETHER = """# Pelvatin 100 mg capsules

## 2.3 Dosage adjustment in patients with renal impairment

Pelvatin dosage based on renal function: a For patients with creatinine clearance <15 mL/min, reduce the daily \
dose in proportion to clearance. b Patients on hemodialysis should receive a supplemental dose of Pelvatin.

Renal function creatinine clearance (mL/min) Total daily dose of Pelvatin (mg/day) ≥ 60 900 to 3,600 > 30 to \
59 400 to 1,400 > 15 to 29 200 to 700.
"""


@pytest.mark.req("PR-3")
def test_a_rule_for_a_lower_clearance_and_dialysis_is_no_answer_for_a_higher_one(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "Pelvatin.md").write_text(RUN_TOGETHER)
    assert own_workspace.library.ingest(tmp_path / "Pelvatin.md").state == "ready"
    ask = "What is the dose of Pelvatin for a patient with {}?"
    answer = own_workspace.chat.answer(ask.format("a creatinine clearance of 20 mL/min"))
    assert "> 15 to 29 200 to 700" in answer.text and "<15 mL/min" not in answer.text
    assert "No dose is told" not in answer.notice
    lower = own_workspace.chat.answer(ask.format("a creatinine clearance of 10 mL/min"))
    assert "<15 mL/min" in lower.text


@pytest.mark.req("PR-3")
def test_what_is_said_of_others_weights_and_of_another_illness_forbids_nothing(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "Marvoline.md").write_text(BY_WEIGHT)
    assert own_workspace.library.ingest(tmp_path / "Marvoline.md").state == "ready"
    chat = own_workspace.chat
    for patient, dose in (("12 kg", "2.5 ml"), ("25 kg", "5 ml")):
        answer = chat.answer(f"What is the dose of Marvoline for a child of {patient} with fever?")
        assert dose in answer.text and "No dose is told" not in answer.notice
        assert "must not be used" not in answer.text
    for small in ("a child of 7 kg", "a baby of 4 months weighing 9 kg"):
        answer = chat.answer(f"What is the dose of Marvoline for {small}?")
        assert "must not be used in children" in answer.text


BY_WEIGHT_AND_KIDNEYS = """# Dabigatran capsules

## 2 Dosage

### 2.2 Dosage in children

The dose of Dabigatran for children of 20 to 39 kg is 75 mg twice daily.

The dose of Dabigatran for children of 40 to 60 kg is 110 mg twice daily.

Avoid use in children with an eGFR below 50 mL/min.

In children, the safety of warfarin has not been established.
"""


@pytest.mark.req("PR-3")
def test_what_forbids_it_to_some_of_them_does_not_to_all(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    """Children with impaired kidneys are told of where the child has them; what is said of another medicine's
    safety is nothing against this one."""
    (tmp_path / "Dabigatran.md").write_text(BY_WEIGHT_AND_KIDNEYS)
    assert own_workspace.library.ingest(tmp_path / "Dabigatran.md").state == "ready"
    ask = "What is the dose of Dabigatran for a child of 45 kg{}?"
    answer = own_workspace.chat.answer(ask.format(""))
    assert "110 mg" in answer.text and " 75 mg" not in answer.text
    first = answer.text.index("110 mg")
    assert "Avoid use" not in answer.text[:first] and "warfarin" not in answer.text
    answer = own_workspace.chat.answer(ask.format(" with an eGFR of 30 mL/min"))
    assert "Avoid use in children" in answer.text and "110 mg" not in answer.text


@pytest.mark.parametrize(
    ("text", "of_some"),
    [
        ("Avoid use in children with an eGFR below 50 mL/min.", True),
        ("Not recommended in children with severe hepatic impairment.", True),
        ("Nicht anwenden bei Kindern mit Nierenfunktionsstörung.", True),
        ("Avoid use in children and in patients with severe renal impairment.", False),
        ("Avoid use in patients with severe renal impairment or in children.", False),
        ("Avoid use in children.", False),
        ("Avoid use in children with asthma.", False),
    ],
)
def test_some_of_the_patients_are_those_whose_organs_are_impaired(text: str, of_some: bool) -> None:
    child = PatientState((PatientGroup(AgeGroup.CHILD),), ())
    assert is_of_some(text, child, child.conditions) is of_some
    assert not is_of_some(text, child, (*child.conditions, KidneyFunction(), LiverFunction()))


FOR_SEIZURES = """# Kelvadin capsules

## 2 Dosage and administration

### 2.1 Dosage for epilepsy with partial onset seizures

The starting dose of Kelvadin is 300 mg three times a day.

### 2.2 Dosage adjustment in patients with renal impairment

Kelvadin is taken as follows with a creatinine clearance of 15 to 29 mL/min: 200 mg once a day.

## 5 Warnings and precautions

Kelvadin should not be abruptly discontinued because of the possibility of increasing seizure frequency.

Safety and effectiveness in partial seizures below the age of 3 years have not been established.
"""


@pytest.mark.req("PR-3")
def test_what_a_dose_is_headed_with_is_no_illness_that_forbids_it(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    """Nor is a heading on kidneys another illness than the one that is asked about."""
    (tmp_path / "Kelvadin.md").write_text(FOR_SEIZURES)
    assert own_workspace.library.ingest(tmp_path / "Kelvadin.md").state == "ready"
    ask = "What is the dose of Kelvadin for partial seizures{}?"
    for more, dose in (("", "300 mg"), (" with a creatinine clearance of 20 mL/min", "200 mg")):
        answer = own_workspace.chat.answer(ask.format(more))
        assert dose in answer.text and "No dose is told" not in answer.notice


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("said", "against"),
    [
        ("It should not be used in gout.", True),
        ("It must never be given to children.", True),
        ("Patients with gout should not be re-exposed to it.", True),
        ("It must not be combined with warfarin.", True),
        ("It should not be abruptly discontinued.", False),
        ("The dose should not be exceeded.", False),
        ("Tablets must not be crushed.", False),
    ],
)
def test_how_it_is_not_taken_is_nothing_against_a_patient(said: str, against: bool) -> None:
    assert says_against(said) is against


OF_KIDNEYS = """# Tervalone 5 mg tablets

## 4.1 Therapeutic indications

Tervalone is for the prevention of stroke in adults and adolescents.

## 4.2 Posology

The recommended dose of Tervalone is 5 mg twice daily.

Renal impairment

Tervalone is not dialysable.

No dose adjustment is needed for patients with renal impairment.

| Creatinine clearance | Dose |
| --- | --- |
| 30 to 59 mL/min | 5 mg once daily |
| 15 to 29 mL/min | 5 mg every other day |

Tervalone is not recommended in children with a glomerular filtration rate below 50 mL/min.
"""


def test_what_speaks_of_such_patients_itself_is_told_of_what_stands_under_their_line(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "Tervalone.md").write_text(OF_KIDNEYS)
    assert own_workspace.library.ingest(tmp_path / "Tervalone.md").state == "ready"
    chat = own_workspace.chat
    impaired = chat.answer("Tervalone dose in renal impairment?").text
    assert "dialysable" not in impaired.split("No dose adjustment")[0]
    child = chat.answer("May a child of 12 years with a GFR of 42 take Tervalone?")
    assert "not recommended in children" in child.text
    assert "5 mg once daily" not in child.text, "a grown-up's"
