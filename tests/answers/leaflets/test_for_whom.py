"""Whether a medicine may be taken, by whom, and in place of what: the leaflet's own statement on just that."""

from __future__ import annotations

import pytest

from core.domain.answers import State
from core.evidence.patients.beside.switching import is_opposed
from core.text.leads import must_hold
from core.workspace import Workspace
from tests.support.answering import Open

LABEL = """# Apixaban 5 mg film-coated tablets

## WARNING: BLEEDING

Bleeding may be fatal. See full prescribing information for complete boxed warning.

## 4.1 Therapeutic indications

Apixaban prevents stroke in adults with atrial fibrillation.

## BOXED WARNING

Stopping apixaban too early raises the risk of stroke. Do not stop it without another anticoagulant.

## 4.2 Posology and method of administration

The recommended dose of apixaban is 5 mg twice a day.

The recommended dose of apixaban is 2.5 mg twice a day in patients with at least two of the following:

- age of 80 years or more
- body weight of 60 kg or less
- serum creatinine of 1.5 mg/dL or more

When patients are switched from warfarin to apixaban, warfarin is stopped and apixaban begun when the INR is \
below 2.

When patients are switched from apixaban to warfarin, apixaban is continued for at least 2 days after warfarin \
was begun. An INR is obtained before the next dose.

In patients with mild or moderate hepatic impairment (Child-Pugh class A or B) start with 2.5 mg a day. After \
one week, the recommended dose of apixaban in these patients is 3.75 mg a day.

## 4.3 Contraindications

Apixaban must not be taken in active bleeding.

## 4.4 Special warnings

The dose is adjusted in patients with mild or moderate hepatic impairment (Child-Pugh class A or B), and \
use of apixaban in patients with severe hepatic impairment (Child-Pugh class C) is not recommended.

Apixaban is not recommended in patients with a creatinine clearance below 15 mL/min.

## WARNING: SPINAL HAEMATOMA

It may occur where the spinal canal is punctured.

## 4.8 Undesirable effects

The following have been seen with apixaban.

Very common (may affect more than 1 in 10 people):

- bruising

Common (may affect up to 1 in 10 people):

- nausea
- anaemia

Rare (may affect up to 1 in 1,000 people):

- bleeding in the brain

Very rare (may affect up to 1 in 10,000 people):

- hair loss

If you get any side effects, talk to your doctor.
"""
NO_DOSE = """# Zorvexil 5 mg tablets

## Dosage and administration

Adults

The recommended dose of Zorvexil is 5 mg once a day.

Elderly

The effect may last longer. Do not take more than 2.5 mg a day.

## Warnings and precautions

The dose is adjusted in patients with mild or moderate hepatic impairment, and \
use of Zorvexil in patients with severe hepatic impairment (Child-Pugh class C) is not recommended.
"""
PROPHYLAXIS = """# Nemarin 0.6 mg tablets

## 1 INDICATIONS AND USAGE

Nemarin is indicated for gout and familial fever.

## 2 DOSAGE AND ADMINISTRATION

Take it with or without food.

## 2.1 Dose Modification in Renal Impairment

Gout prophylaxis:

- Mild (creatinine clearance 50 to 80 mL/min) and moderate (30 to 50 mL/min) impairment: no adjustment required.
- Severe impairment (below 30 mL/min): starting dose 0.3 mg/day.
- Dialysis: 0.3 mg given twice a week.

Treatment of gout flares:

- Severe impairment: the dose need not be adjusted, but it is repeated no more than once every two weeks.
- Dialysis: a single dose of 0.6 mg.

Familial fever:

- Severe impairment or dialysis: start with 0.9 mg/day.

## 4 CONTRAINDICATIONS

Patients with renal impairment should not be given Nemarin in conjunction with clarithromycin.
"""
ADDRESSED = """# Cefalor oral suspension

## What you need to know before your child takes Cefalor

Do not give Cefalor if your child:

- suffers from porphyria (a rare disorder)
- has ever had a severe reaction to penicillin

Talk to your doctor before giving this medicine if your child:

- has had a mild reaction, such as a rash, to penicillin

## How to give Cefalor

Babies of 1 month to 11 months get 5 ml twice a day. Children of 1 to 4 years get 5 ml three times a day.
"""
CHILDREN = "# Cefdinir for oral suspension\n\n## Dosage and administration\n\n" + "\n\n".join(
    f"A child who weighs {kilos} kg/{round(kilos * 2.2)} lbs gets {kilos / 4} mL of cefdinir every 12 hours. "
    "The bottle is shaken before each use, and the spoon that comes with it is rinsed with water after it."
    for kilos in range(9, 60)
)
CHILDREN += "\n\nWith a creatinine clearance below 30 mL/min, children get 7 mg/kg of cefdinir once a day.\n"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, open_shared: Open) -> Workspace:
    folder = tmp_path_factory.mktemp("labels")
    opened = open_shared(tmp_path_factory.mktemp("data"), writer=True)
    labels = {"apixaban.md": LABEL, "cefdinir.md": CHILDREN, "zorvexil.md": NO_DOSE}
    labels |= {"nemarin.md": PROPHYLAXIS, "cefalor.md": ADDRESSED}
    for name, text in labels.items():
        (folder / name).write_text(text, "utf-8")
        assert opened.library.ingest(folder / name).state == "ready"
    return opened


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("question", "told", "untold"),
    [
        (
            "Can a patient with Child-Pugh class C liver disease take apixaban?",
            "not recommended",
            "3.75 mg",
        ),
        (
            "apixaban dose in moderate hepatic impairment",
            "in these patients is 3.75 mg a day",
            "twice a day",
        ),
        (
            "What is the dose of apixaban in severe hepatic impairment?",
            "not recommended",
            "3.75 mg",
        ),
    ],
)
def test_a_sentence_on_two_kinds_of_patients_forbids_to_one_of_them(
    workspace: Workspace, question: str, told: str, untold: str
) -> None:
    answer = workspace.chat.answer(question)
    assert told in answer.text and untold not in answer.text
    assert ("No dose is told" in answer.notice) == ("the dose of" in question)


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(("degree", "forbidden"), [("moderate", False), ("severe", True)])
def test_nobody_is_told_that_a_medicine_is_not_for_them_that_is_not_for_others(
    workspace: Workspace, degree: str, forbidden: bool
) -> None:
    answer = workspace.chat.answer(f"What is the dose of Zorvexil in {degree} hepatic impairment?")
    assert "is not recommended" in answer.text
    assert ("stands first" in answer.notice) == forbidden
    assert (answer.state is State.ANSWERED) == forbidden


def test_an_item_for_other_patients_is_no_measure_of_the_one_that_is_asked_for(
    workspace: Workspace,
) -> None:
    """The first item has more of the question's words, and is for others."""
    answer = workspace.chat.answer(
        "Nemarin dose for prophylaxis in a patient with a creatinine clearance of 20 mL/min"
    )
    assert "starting dose 0.3 mg/day" in answer.text and "0.9 mg" not in answer.text


def test_what_forbids_it_to_such_organs_is_told_beside_what_else_is_taken(
    workspace: Workspace,
) -> None:
    answer = workspace.chat.answer(
        "Patient with CrCl 25 mL/min and clarithromycin - can Nemarin be given?"
    )
    assert "should not be given Nemarin in conjunction" in answer.sentences[0].text


@pytest.mark.parametrize(
    ("question", "dose"),
    [
        ("cefalor dose 8 month old baby", "5 ml twice a day"),
        ("How much Cefalor for a 2 year old?", "5 ml three times a day"),
    ],
)
def test_what_a_leaflet_asks_of_every_child_keeps_none_from_its_dose(
    workspace: Workspace, question: str, dose: str
) -> None:
    answer = workspace.chat.answer(question)
    assert dose in answer.text and "porphyria" not in answer.text
    assert "No dose is told" not in answer.notice


@pytest.mark.req("PR-3")
def test_what_a_line_says_of_old_people_stands_before_the_dose_of_adults(
    workspace: Workspace,
) -> None:
    answer = workspace.chat.answer("What is the dose of Zorvexil for an 81 year old?")
    decisive = [one.text for one in answer.sentences if one.decisive]
    assert decisive[0] == "Do not take more than 2.5 mg a day."


@pytest.mark.req("PR-3")
def test_whether_it_may_be_taken_is_answered_by_what_is_said_of_such_patients(
    workspace: Workspace,
) -> None:
    answer = workspace.chat.answer("Is apixaban allowed with a GFR of 10?")
    assert answer.state is State.ANSWERED
    assert "creatinine clearance below 15 mL/min" in answer.sentences[0].text


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("question", "reduced"),
    [
        ("apixaban dose for a patient of 84 years, 75 kg, creatinine 1.0 mg/dL", True),
        ("apixaban dose for a patient of 70 years who weighs 80 kg", False),
    ],
)
def test_of_criteria_that_must_hold_together_none_is_told_alone(
    workspace: Workspace, question: str, reduced: bool
) -> None:
    """With one of them met the dose that they lower is told as well; with two unmet they are for others."""
    answer = workspace.chat.answer(question)
    assert ("2.5 mg twice a day" in answer.text) == reduced
    assert ("60 kg or less" in answer.text and "1.5 mg/dL or more" in answer.text) == reduced
    assert "apixaban is 5 mg twice a day" in answer.text or not reduced
    assert "creatinine clearance" not in answer.text, "a value of creatinine is no clearance"


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("lead", "needed"),
    [
        ("in patients with at least two of the following characteristics:", 2),
        ("wenn mindestens zwei der folgenden Kriterien vorliegen:", 2),
        ("als alle volgende punten gelden:", 4),
        ("at least one of the following:", 1),
        ("Do not take it if you have:", 1),
        ("Take it at least 2 hours before:", 1),
        ("Children aged 3 or more years:", 1),
        ("It must not be used in all of the following cases:", 1),
        ("if two or more risk factors are present:", 2),
        ("who meet all of the following criteria:", 4),
    ],
)
def test_a_lead_in_says_how_many_items_must_hold(lead: str, needed: int) -> None:
    assert must_hold(lead, items=4) == needed


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("question", "told", "untold"),
    [
        ("switching from apixaban to warfarin", "continued for at least 2 days", "INR is below 2"),
        (
            "A patient on apixaban needs to start warfarin. What to do?",
            "continued for at least 2 days",
            "below 2",
        ),
        (
            "How do I switch a patient from warfarin to apixaban?",
            "when the INR is below 2",
            "2 days",
        ),
    ],
)
def test_a_change_of_treatment_has_a_direction(
    workspace: Workspace, question: str, told: str, untold: str
) -> None:
    answer = workspace.chat.answer(question)
    assert told in answer.sentences[0].text and untold not in answer.text


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("text", "opposed"),
    [
        ("When converting patients from VKA therapy to Eliquis, warfarin is stopped.", True),
        ("Umstellung von Marcumar auf Eliquis", True),
        ("Bij overstap van warfarine naar apixaban", True),
        ("When converting from Eliquis to VKA therapy, Eliquis is continued.", False),
        ("Umstellung von Apixaban auf Marcumar", False),
        ("Switching from parenteral anticoagulants to apixaban (and vice versa)", False),
        ("Switching from apixaban to rivaroxaban", False),
        ("Warfarin may be taken with food.", False),
    ],
)
def test_a_text_on_the_way_back_is_told_by_what_it_names(text: str, opposed: bool) -> None:
    assert is_opposed("switching from Eliquis to warfarin", text) is opposed
    assert not is_opposed("Can I take Eliquis and warfarin?", text)


@pytest.mark.req("PR-1")
def test_a_section_asked_for_as_a_list_is_told_with_the_lists_that_go_on(
    workspace: Workspace,
) -> None:
    answer = workspace.chat.answer("What are the side effects of apixaban?")
    for said in ("bruising", "nausea", "bleeding in the brain", "hair loss"):
        assert said in answer.text
    assert "talk to your doctor" not in answer.text


@pytest.mark.req("PR-1")
def test_a_boxed_warning_that_is_asked_for_is_told_whole_and_alone(workspace: Workspace) -> None:
    answer = workspace.chat.answer("What is the boxed warning of apixaban?")
    assert answer.state is State.ANSWERED
    assert "raises the risk of stroke" in answer.text and "another anticoagulant" in answer.text
    assert "See full prescribing" not in answer.text and "fatal" not in answer.text
    assert "spinal" in answer.text, "another one, below"
    assert all(block.boxed_warning for block in answer.blocks)


@pytest.mark.req("AX-6")
def test_which_medicines_have_a_boxed_warning(workspace: Workspace) -> None:
    answer = workspace.chat.answer("Which of my medicines have a boxed warning?")
    assert answer.state is State.ANSWERED
    assert {one.subject.split()[0] for one in answer.blocks} == {"Apixaban"}
    without = "“Cefalor oral suspension”, “Cefdinir for oral suspension”, “Nemarin” and “Zorvexil”"
    assert answer.notice == f"Nothing further was found for {without}."


@pytest.mark.req("PR-3")
@pytest.mark.parametrize("kilos", [18, 27, 44])
def test_the_dose_of_a_weight_is_found_among_many_like_it(workspace: Workspace, kilos: int) -> None:
    answer = workspace.chat.answer(f"What is the dose of cefdinir for a child of {kilos} kg?")
    assert f"{kilos} kg/" in answer.sentences[0].text
    assert f"gets {kilos / 4} mL" in answer.text and "7 mg/kg" not in answer.text
