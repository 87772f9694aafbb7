"""Whether what a text says of patients fits the patients that a question is about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.leaflets.conditions import (
    Age,
    AgeGroup,
    Degree,
    DocumentCondition,
    Illness,
    KidneyFunction,
    LiverFunction,
    PatientGroup,
    Range,
    Weight,
)
from core.domain.leaflets.plan import DocumentPlan
from core.domain.plans import Named
from core.evidence.patients.conditions import Fit, fit, told_of, unasked_organs
from core.evidence.patients.contrasts import (
    BASIS,
    RESEARCH,
    arms_of,
    contrasts_of,
    contrasts_told,
    is_understood,
    label_of,
    opposed,
)
from core.evidence.patients.special import is_unmet
from core.questions.clauses import Clause
from core.questions.leaflets.reader import conditions_of, conditions_told
from core.questions.leaflets.wording import who_said

MET, AT_ODDS, SILENT = Fit(1, 0), Fit(0, 1, other_patient=True), Fit(0, 0)
_TWO_SIGNS = "30 mL/min/1.73 m² ≤ eGFR <90 mL/min/1.73 m²"
_ON_DIALYSIS = "Patients on hemodialysis should receive a supplemental dose."


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("asked", "told", "expected"),
    [
        ("my son of 8 years", "Children from 6 to 12 years: 200 mg", MET),
        ("my son of 8 years", "Adults: 400 mg", AT_ODDS),
        ("Kind von 15 Jahren", "Kinder bis 12 Jahre: 5 ml", AT_ODDS),
        ("kind van 6 jaar", "kinderen en jongeren tot 18 jaar: 5 ml", MET),
        ("my son of 8 years", "Cystic fibrosis, 1 month–17 years: 10 mg/kg", MET),
        ("my son of 8 years", "Neonate (under 15 days): 5 mg; 15 days–11 years: 80 mg/kg", MET),
        ("a newborn of 3 days", "Interval, postnatal age 0 to 7 days: 36 hours", MET),
        ("a patient of 40 years", "Child-Pugh score between 5 and 15: 80 mg", SILENT),
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
        (
            "CrCl of 20 mL/min",
            "Plasma clearance (CL/F) decreased from 190 mL/min to 20 mL/min",
            SILENT,
        ),
        ("CrCl of 20 mL/min", "Gabapentin clearance was 20 mL/min.", SILENT),
        ("CrCl of 20 mL/min", "The clearance of gabapentin is 20 mL/min.", SILENT),
        ("CrCl of 20 mL/min", "renal clearance about 10 mL/min (<30 mL/min group), CrCl", MET),
        ("CrCl of 20 mL/min", "Infuse it at a rate of 20 mL/min.", SILENT),
        ("CrCl of 50 mL/min", "moderate or severe renal impairment (CrCl≤50 mL/min)", MET),
        ("CrCl of 20 mL/min", "CrCl >15-29 mL/min: 200 to 700 mg", MET),
        ("CrCl of 45 mL/min", "CrCl >15-29 mL/min: 200 to 700 mg", AT_ODDS),
        ("CrCl of 20 mL/min", f"CrCl <15 mL/min: 100 mg. {_ON_DIALYSIS}", AT_ODDS),
        ("mild renal impairment", f"CrCl <15 mL/min: 100 mg. {_ON_DIALYSIS}", AT_ODDS),
        ("CrCl of 20 mL/min", f"Mild renal impairment: 100 mg. {_ON_DIALYSIS}", AT_ODDS),
        ("CrCl of 10 mL/min", f"CrCl <15 mL/min: 100 mg. {_ON_DIALYSIS}", MET),
        ("haemodialysis", f"CrCl <15 mL/min: 100 mg. {_ON_DIALYSIS}", MET),
        # Who is on dialysis has a clearance below 15; a limit that is no part of its range is none of it.
        ("haemodialysis", "Creatinine clearance 30 or more: 500 mg", AT_ODDS),
        ("haemodialysis", "Creatinine clearance less than 30: 250 mg", MET),
        ("haemodialysis", "moderate renal impairment: 250 mg", AT_ODDS),
        ("CrCl of 25 mL/min", "Post-Hemodialysis Supplemental Dose: 125 mg", AT_ODDS),
        (
            "CrCl of 25 mL/min",
            "patients with renal impairment or undergoing hemodialysis: 1 mg",
            MET,
        ),
        ("CrCl of 30 mL/min", "CrCl >30 to 59 mL/min: 400 to 1,400 mg", AT_ODDS),
        ("CrCl of 30 mL/min", "CrCl <30 mL/min: 100 mg", AT_ODDS),
        ("CrCl of 30 mL/min", "CrCl ≤30 mL/min: 100 mg", MET),
        ("CrCl of 31 mL/min", "CrCl >30 to 59 mL/min: 400 to 1,400 mg", MET),
        (
            "CrCl of 45 mL/min",
            "Creatinine Clearance (mL/min) Daily Dose (mg) Regimen ≥ 60 900 to 3,600 300 TID Hemodialysis 125",
            MET,
        ),
        ("eGFR below 15", f"moderate impairment ({_TWO_SIGNS})", AT_ODDS),
        ("eGFR of 45 mL/min", f"mild or moderate impairment ({_TWO_SIGNS})", MET),
        ("eGFR of 95 mL/min", f"mild impairment ({_TWO_SIGNS})", AT_ODDS),
        ("eGFR of 70 mL/min", "eGFR 30 mL/min/1.73 m² to 60 mL/min/1.73 m²: 5 mg", AT_ODDS),
        ("25 kg", "10 kg < body weight ≤ 20 kg: 5 mg", AT_ODDS),
        ("moderate cirrhosis", "Moderate liver disease: 3 tablets", MET),
        ("leichte Leberzirrhose", "Schwere Leberfunktionsstörung: 5 mg", AT_ODDS),
        ("levercirrose Child-Pugh B", "Child-Pugh B: 5 mg", MET),
        ("CrCl of 8", "Creatinine clearance (mL/min): less than 10; Dose: 250 mg once daily", MET),
        ("a patient of 3 kg", "a mean weight gain of 3 kg", SILENT),
        ("in pregnancy", "Do not use during pregnancy.", MET),
        ("in pregnancy", "Take one tablet with water.", SILENT),
        ("a patient of 70 years", "Elderly patients: half of the dose", MET),
        ("a patient of 70 years", "Adults: 400 mg", MET),
        ("a boy of 4 years", "Weight (age): 16-19 kg (4-5 years); Dose: 3 ml", MET),
        ("17 kg", "Age (weight): 4-5 years (16-19 kg); Dose: 3 ml", MET),
        (
            "a boy of 7 years",
            "Körpergewicht (Alter): 16 – 19 kg (4 – 5 Jahre); Dosis: 3 ml",
            AT_ODDS,
        ),
        ("20 kg", "Alter (Körpergewicht): 4 – 5 Jahre (16 – 19 kg); Dosis: 3 ml", AT_ODDS),
        ("a patient of 10 years", "Kinder von 2 bis einschließlich 12 Jahren: 5 ml", MET),
        ("a patient of 13 years", "Kinder von 2 bis einschließlich 12 Jahren: 5 ml", AT_ODDS),
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
    own = conditions_told("The highest dose is 2,000 mg.")
    told = told_of(own, before, "Dose", conditions_told)
    assert fit(conditions_of("adults"), told) == AT_ODDS
    assert fit(conditions_of("a boy of 12 years"), told).met
    adults = conditions_told("Adults take 3,000 mg at most.")
    told = told_of(adults, before, "Use in children", conditions_told)
    assert fit(conditions_of("adults"), told).met == 1


@pytest.mark.parametrize(
    ("text", "whom"),
    [
        ("Do not give it if your child has asthma.", ()),
        ("Geben Sie es nicht, wenn Ihr Kind Asthma hat.", ()),
        ("Niet geven als uw kind astma heeft.", ()),
        ("Do not give it to children with asthma.", (PatientGroup(AgeGroup.CHILD),)),
        (
            "Do not give it if your child is under 2 years.",
            (Age(Range(None, 2.0), "year"),),
        ),
    ],
)
def test_your_child_is_every_patient_of_a_leaflet(
    text: str, whom: tuple[DocumentCondition, ...]
) -> None:
    told = [one for one in conditions_told(text) if isinstance(one, Age | PatientGroup)]
    assert tuple(told) == whom
    assert PatientGroup(AgeGroup.CHILD) in conditions_of("if my child has asthma")


@pytest.mark.parametrize(
    ("text", "impaired"),
    [
        ("dose with normal kidney function", False),
        ("her kidneys are fine", False),
        ("Patients with normal renal and hepatic function", False),
        ("without renal impairment", False),
        ("Dosis bei normaler Nierenfunktion", False),
        ("dosering bij een normale leverfunctie", False),
        ("kidney function is not normal", True),
        ("reduced kidney function", True),
        ("Dosis bei eingeschränkter Nierenfunktion", True),
    ],
)
def test_an_organ_that_works_is_no_state_of_a_patient(text: str, impaired: bool) -> None:
    for found in (conditions_of(text), conditions_told(text)):
        assert any(isinstance(one, KidneyFunction | LiverFunction) for one in found) is impaired


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
        ("the dose for an adult", "Adults with a clearance below 30 mL/min: 5 mg a day.", True),
        (
            "the dose for an adult",
            "Adults with normal kidneys (eGFR of 90 mL/min or more): 5 mg.",
            False,
        ),
        ("the dose for an adult", "Adults with an eGFR of 60 to 89 mL/min: 5 mg.", True),
        (
            "a patient of 118 kg",
            "CrCl (mL/min): 30 or more; Weight: 101 to 150 kg; Dose: 40 mg",
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
    "text",
    [
        "It can harm the unborn child's heart.",
        "If you are pregnant or plan to have a baby, ask your doctor.",
        "Small amounts pass into breast milk; if the baby gets diarrhoea, stop.",
        "Used by many pregnant women without harm to the child.",
        "In der Stillzeit: der Säugling kann müde werden.",
        "Het kan het ongeboren kind schaden.",
    ],
)
def test_the_child_of_a_pregnant_or_nursing_patient_is_no_patient(text: str) -> None:
    assert not any(isinstance(one, PatientGroup | Age) for one in conditions_told(text))
    for of_children in (
        "Give the child 5 mL.",
        "Not for pregnant women and children.",
        "Babys: 5 mg.",
    ):
        assert any(isinstance(one, PatientGroup) for one in conditions_told(of_children))


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
        ("the lowest dose", "The maximum is 80 mg.", {"extent"}),
        ("die höchste Dosis", "Mindestens 5 mg", {"extent"}),
        ("the dose", "Men, at the start: 5 mg", set()),
        ("checks before starting it", "Check sodium 2 weeks after starting.", {"moment"}),
        ("monitoring while on therapy", "Before initiating treatment: an ECG", {"moment"}),
        ("monitoring on treatment", "Symptoms after stopping include nausea.", {"moment"}),
        ("at baseline", "before and during treatment: an ECG", set()),
        ("vor Behandlungsbeginn", "Während der Behandlung: Blutdruck", {"moment"}),
        ("nach dem Absetzen", "Während der Behandlung: Blutdruck", {"moment"}),
        ("vóór de eerste dosis", "tijdens de behandeling: bloeddruk", {"moment"}),
        ("before the operation", "Check sodium during treatment.", set()),
    ],
)
def test_what_is_said_of_one_is_not_said_of_the_other(
    asked: str, told: str, kinds: set[str]
) -> None:
    assert set(opposed(contrasts_of(asked), contrasts_of(told))) == kinds


def test_of_a_clearance_alone_the_section_says_whose_it_is() -> None:
    asked = conditions_of("CrCl of 20 mL/min")
    assert fit(asked, conditions_told("On average 20 mL/min.")) == MET
    assert fit(asked, conditions_told("On average 20 mL/min.", of_medicine=True)) == SILENT


def test_doses_of_groups_are_read() -> None:
    assert arms_of("the trough at the 100 mg dose") == arms_of("in the 0.1 g group") == {100}
    assert not arms_of("may I take 100 mg?")


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("text", "basis"),
    [
        ("Patients received 340 mg per day.", {"studied"}),
        ("In a controlled study 200 mg were no better.", {"studied"}),
        ("The recommended dose is 200 mg.", {"recommended"}),
        ("Patients who received it before should take 200 mg.", {"recommended", "studied"}),
    ],
)
def test_what_was_given_in_a_study_is_told_from_what_to_take(text: str, basis: set[str]) -> None:
    assert contrasts_of(text)[BASIS] - {RESEARCH} == basis


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Adults and children 12 years and older", "for an adult and a child of at least 12 years"),
        ("severe renal impairment (severe)", "with severe kidney impairment"),
        ("mild or moderate renal impairment", "with mild or moderate kidney impairment"),
        ("severe hepatic impairment (Child-Pugh C)", "with severe liver impairment (Child-Pugh C)"),
    ],
)
def test_patients_are_said_once(text: str, said: str) -> None:
    assert who_said(conditions_told(text)) == said


def test_an_illness_that_says_how_severe_it_is_is_said_once() -> None:
    name = Named("severe infection", (), "severe infection", "")
    assert who_said([Illness(name, Degree.SEVERE)]) == "with severe infection"


def test_a_statement_on_one_organ_is_on_no_other() -> None:
    text = "AUC is 15% and 50% higher in moderate and severe hepatic impairment."
    before = ["Hemodialysis was not studied."]
    told = told_of(conditions_told(text), before, "Renal impairment", conditions_told)
    assert fit(conditions_of("severe renal impairment"), told).other_patient


def test_a_contrast_is_that_of_the_nearest_words() -> None:
    before = ["For first occurrence: withhold it.", "For second occurrence: withhold it."]
    told = contrasts_told("Resume at 10 mg.", before, "Study 2")
    assert told == {"occurrence": {"2"}, "study": {"2"}}
    assert "extent" not in contrasts_told("It is 5 mg.", ["The lowest dose works best."], "")


def test_words_of_terms_that_exclude_each_other_are_understood() -> None:
    for question, left, understood in (
        ("Starting dose in epilepsy?", ("Starting",), True),
        ("Starting dose in epilepsy?", ("Starting", "epilepsy"), False),
        ("Erhaltungsdosis bei schwerer Gicht", ("Erhaltungsdosis", "schwerer"), True),
        ("Starting it on Tuesdays", ("Starting",), False),
    ):
        plan = DocumentPlan((), (), (), None, left)
        assert is_understood(Clause(question, leaflet=plan)) is understood
    assert not is_understood(Clause("Starting dose?"))


def test_several_illnesses_before_a_colon_are_one_label() -> None:
    label = "Rheumatoid arthritis, psoriatic arthritis and ankylosing spondylitis in older adults"
    assert label_of(f"{label}: start with 2 mg a day.") == label
    assert label_of(f"{'They take it with food, and ' * 4}then: wait.") == ""


def test_what_one_cell_of_a_row_is_headed_is_not_said_of_the_row() -> None:
    parts = ["Weeks 1 and 2: 25 mg", "Maintenance dose: 100 to 200 mg"]
    row = "; ".join(["Epilepsy – with valproate and without any other medicine", *parts])
    assert contrasts_told(row, [], "", parts) == {}
    assert contrasts_told("; ".join(parts), [], "") == {}
    # Its caption names the one alone: the row has both.
    assert "phase" not in contrasts_told(
        row, ["Table 1: maintenance regimen"], "Maintenance dose", parts
    )
    assert contrasts_told("Maintenance dose: 100 mg; Maintenance dose, elderly: 50 mg", [], "")
    assert contrasts_told("The maintenance dose is 100 mg; it is taken at 8: 50 mg first.", [], "")


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
