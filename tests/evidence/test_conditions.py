"""Whether what a text says of patients fits the patients that a question is about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.leaflets.conditions import (
    Age,
    AgeGroup,
    DocumentCondition,
    KidneyFunction,
    PatientGroup,
    Range,
    Weight,
)
from core.domain.leaflets.plan import DocumentPlan
from core.evidence.patients.conditions import Fit, fit, told_of, unasked_organs
from core.evidence.patients.contrasts import (
    contrasts_of,
    contrasts_told,
    label_of,
    opposed,
)
from core.evidence.patients.special import is_unmet
from core.questions.leaflets.reader import conditions_of, conditions_told

MET, AT_ODDS, SILENT = Fit(1, 0), Fit(0, 1, other_patient=True), Fit(0, 0)


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("asked", "told", "expected"),
    [
        ("my son of 8 years", "Children from 6 to 12 years: 200 mg", MET),
        ("my son of 8 years", "Adults: 400 mg", AT_ODDS),
        ("a patient of 25 kg", "Weight of 20 to 29 kg: 200 mg", MET),
        ("a patient of 25 kg", "Weight of 30 to 40 kg: 300 mg", AT_ODDS),
        ("eGFR of 20 mL/min", "creatinine clearance below 30 mL/min: do not take", MET),
        ("eGFR of 50 mL/min", "creatinine clearance below 30 mL/min: do not take", AT_ODDS),
        ("severe renal impairment", "mild renal impairment: no adjustment", AT_ODDS),
        ("severe renal impairment", "severe renal impairment: 10 mg", MET),
        ("eGFR of 50 mL/min", "30 to 59 mL/min: 1,000 mg; below 30 mL/min: not at all", MET),
        ("eGFR of 20 mL/min", "severe renal impairment: 10 mg", MET),
        ("eGFR of 50 mL/min", "severe renal impairment: 10 mg", AT_ODDS),
        ("moderate renal impairment", "not in moderate or severe renal impairment", MET),
        ("Child-Pugh C", "not in Child-Pugh class B or C", MET),
        ("Child-Pugh A", "not in Child-Pugh class B or C", AT_ODDS),
        ("adults", "Children from 10 years and adolescents: 500 mg", AT_ODDS),
        ("adults", "Adults and children from 10 years: 500 mg", MET),
        ("a newborn", "Infants: half of it", MET),
        ("a newborn", "Adults: 400 mg", AT_ODDS),
        ("8 months pregnant", "Children of 8 months: 100 mg", SILENT),
        ("in pregnancy", "Do not use during pregnancy.", MET),
        ("in pregnancy", "Take one tablet with water.", SILENT),
        ("a patient of 70 years", "Elderly patients: half of the dose", MET),
        ("a patient of 70 years", "Adults: 400 mg", MET),
    ],
)
def test_a_text_meets_a_condition_or_is_at_odds_with_it(
    asked: str, told: str, expected: Fit
) -> None:
    assert fit(conditions_of(asked), conditions_told(told)) == expected


_VALUES = st.floats(0.5, 100, allow_nan=False)
_RANGES = st.tuples(_VALUES, _VALUES).map(lambda ends: Range(min(ends), max(ends)))
_CONDITIONS: st.SearchStrategy[DocumentCondition] = st.one_of(
    _RANGES.map(Age),
    _RANGES.map(Weight),
    st.sampled_from(AgeGroup).map(PatientGroup),
    _RANGES.map(lambda value: KidneyFunction(clearance=value)),
)


@given(_CONDITIONS)
def test_a_condition_is_met_by_itself(one: DocumentCondition) -> None:
    assert fit([one], [one]) == MET


@given(_CONDITIONS, _CONDITIONS)
def test_it_does_not_matter_which_is_asked(
    one: DocumentCondition, other: DocumentCondition
) -> None:
    assert fit([one], [other]) == fit([other], [one])


@given(st.lists(_CONDITIONS, max_size=4))
def test_a_text_that_says_nothing_of_patients_is_never_at_odds(
    asked: list[DocumentCondition],
) -> None:
    assert fit(asked, []) == fit([], asked) == SILENT


def test_what_a_paragraph_began_with_is_said_of_its_later_sentences() -> None:
    before = ["Adults start with 850 mg.", "Children from 10 years start with 500 mg."]
    told = told_of("The highest dose is 2,000 mg.", before, "Dose", conditions_told)
    assert fit(conditions_of("adults"), told) == AT_ODDS
    assert fit(conditions_of("a boy of 12 years"), told).met
    own = told_of("Adults take 3,000 mg at most.", before, "Use in children", conditions_told)
    assert fit(conditions_of("adults"), own).met == 1


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("asked", "told", "expected"),
    [
        (
            "the highest dose",
            "In mild renal impairment (CrCl 51 to 80 mL/min) as after 15 mg",
            True,
        ),
        ("the highest dose", "The maximum is 10 mg twice daily.", False),
        ("the highest dose", "Check the kidneys first; the maximum is 10 mg.", False),
        ("the dose in renal impairment", "Severe renal impairment: 5 mg once daily.", False),
        (
            "a child of 4 years",
            "Children from 2 years: 5 ml, in severe renal impairment 2 ml.",
            False,
        ),
    ],
)
def test_the_dose_of_impaired_organs_is_told_to_who_asks_of_them(
    asked: str, told: str, expected: bool
) -> None:
    assert unasked_organs(conditions_of(asked), conditions_told(told)) is expected


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("asked", "told", "kinds"),
    [
        ("the relapse rate in Study 1", "Table 3: Clinical results of Study 2", {"study"}),
        ("the relapse rate in Study 1", "In Studies 1 and 2 it was 0.2.", set()),
        ("the second time", "For first occurrence: withhold it.", {"occurrence"}),
        ("CYP2C9*2/*2", "In patients with a CYP2C9 *1/*3 or *2/*3 genotype: 1 mg", {"genotype"}),
        ("CYP2C9 *3/*1", "In patients with a CYP2C9*1/*3 genotype: 1 mg", set()),
        ("maintenance dose", "The starting dose is 120 mg.", {"phase"}),
        ("die Erhaltungsdosis", "Die Anfangsdosis beträgt 120 mg.", {"phase"}),
        ("de onderhoudsdosering", "De startdosering is 120 mg.", {"phase"}),
        ("patients treated before", "previously untreated patients: 42%", {"prior_treatment"}),
        ("a severe infection", "Severity: Mild/Moderate; Dose: 500 mg", {"severity"}),
        ("mild infection", "Severity: Mild/Moderate; Dose: 500 mg", set()),
        ("in women", "Men: 21% higher", {"sex"}),
        ("without asking a doctor", "prescribed by a doctor: 1,200 mg", {"supervision"}),
        ("the dose", "Men, at the start: 5 mg", set()),
    ],
)
def test_what_is_said_of_one_is_not_said_of_the_other(
    asked: str, told: str, kinds: set[str]
) -> None:
    assert set(opposed(contrasts_of(asked), contrasts_of(told))) == kinds


def test_a_contrast_is_that_of_the_nearest_words() -> None:
    before = ["For first occurrence: withhold it.", "For second occurrence: withhold it."]
    told = contrasts_told("Resume at 10 mg.", before, "Study 2")
    assert told == {"occurrence": {"2"}, "study": {"2"}}


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Heart failure: start with 2.5 mg once a day.", "Heart failure"),
        ("In adults with epilepsy, the dose is 300 mg.", "In adults with epilepsy"),
        ("Take it in the morning, with water.", ""),
    ],
)
def test_what_a_dose_is_labelled_with(text: str, label: str) -> None:
    assert label_of(text) == label


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("question", "told", "expected"),
    [
        ("the dose for a child of 9 years", "The recommended dose is 30 micrograms.", True),
        ("the dose for a child of 9 years", "Children over 6 years: 5 ml", False),
        ("the dose for a child of 9 years", "From 20 to 30 kg body weight: 5 ml", False),
        ("the dose for adults", "The recommended dose is 30 micrograms.", False),
        ("the dose with a GFR of 20 mL/min", "The recommended dose is 30 mg.", True),
        ("the dose with a GFR of 20 mL/min", "Renal impairment: 15 mg", False),
        ("the dose in hepatic impairment", "Renal impairment: 15 mg", True),
    ],
)
def test_everybodys_dose_is_not_that_of_a_child_or_of_impaired_organs(
    question: str, told: str, expected: bool
) -> None:
    plan = DocumentPlan(conditions=conditions_of(question))
    assert is_unmet(plan, conditions_told(told)) is expected


def test_a_dose_in_impaired_kidneys_is_not_that_of_an_impaired_liver() -> None:
    told = conditions_told("moderate and severe hepatic impairment: 15% and 50% higher")
    assert fit(conditions_of("severe renal impairment"), told).other_patient
