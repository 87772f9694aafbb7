"""Whose a row of a table is by what its column is called, by its first cell and by what stands over it."""

from __future__ import annotations

import pytest

from core.domain.answers import State
from core.domain.leaflets.conditions import Age, Form, Range, Route, Weight
from core.evidence.patients.conditions import Fit, fit, routes_over
from core.questions.leaflets.reader import conditions_of, conditions_told
from core.text.tables.told import with_units
from core.workspace import Workspace
from tests.evidence.patients.one_label import open_label
from tests.support.answering import Open

SCHEDULE = (
    ("Age now", "Doses before (age at the last dose)", "Doses needed now"),
    ("3-6 months", "0", "3 doses of 51 mg"),
    ("7-11 months", "0", "2 doses of 52 mg"),
    ("24-59 months", "3 (all before 12 months)", "1 dose of 53 mg"),
)
GROUPS = (
    ("Group", "Vaccine", "Dose"),
    ("Catch-up, 1-10 years", "Velkavax for children", "61 mg"),
    ("Catch-up, 11-15 years", "Velkavax for adults", "62 mg"),
    ("Travellers over 16 years", "Velkavax for adults", "63 mg"),
)
MOUTH = (("Age", "Dose"), ("6-9 years", "71 mg"), ("10-15 years", "72 mg"))
RECTUM = (("Age", "Dose"), ("5-11 years", "81 mg"), ("12-17 years", "82 mg"))


@pytest.fixture(scope="module")
def shelf(open_shared: Open, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return open_label(
        open_shared,
        tmp_path_factory.mktemp("whose"),
        "Velkavax 25 mg suspension and suppositories",
        "fever",
        "Table 1: Catch-up schedule of Velkavax in children",
        SCHEDULE,
        "Table 2: Velkavax by group",
        GROUPS,
        "Table 3: Velkavax in fever, by mouth",
        MOUTH,
        "Table 4: Velkavax in fever, by rectum",
        RECTUM,
    )


@pytest.mark.parametrize(
    ("question", "dose"),
    [
        ("Velkavax catch-up schedule for a 4-month-old: doses needed now?", 51),
        ("Velkavax catch-up schedule for a baby of 9 months: doses needed now?", 52),
        ("Catch-up dose of Velkavax for a 13 year old?", 62),
        ("Velkavax suppository in fever, 8 years old: dose?", 81),
        ("Velkavax by mouth in fever, 8 years old: dose?", 71),
    ],
)
def test_the_row_of_the_patient_is_told_and_no_other(
    shelf: Workspace, question: str, dose: int
) -> None:
    answer = shelf.chat.answer(question)
    assert answer.state is not State.NOT_IN_LIBRARY
    # A row that says nothing of how it is given may stand beside the one that does.
    others = {51, 52, 53, 62, 63, 71, 72, 81, 82} - {dose}
    assert f"{dose} mg" in answer.text
    assert not [other for other in others if f"{other} mg" in answer.text]


def test_a_cell_of_the_patients_row_that_names_others_is_told(shelf: Workspace) -> None:
    told = shelf.chat.answer("Which vaccine and dose of Velkavax for a 13 year old, catch-up?").text
    assert "Velkavax for adults" in told and "62 mg" in told


@pytest.mark.parametrize(
    ("row", "low", "high", "unit"),
    [
        ("Age now: 24–59 months; Dose: 5 mg", 24, 59, "month"),
        ("Age: Under 6 months; Dose: 5 mg", None, 6, "month"),
        ("Age (approximate weight): 12–15 years; Dose: 5 mg", 12, 15, "year"),
        ("Condition and age: reflux, over 2 years; Dose: 5 mg", 2, None, "year"),
        ("Alter: ab 4 Jahren; Dosis: 5 mg", 4, None, "year"),
        ("Aandoening en leeftijd: reflux, ouder dan 2 jaar; Dosering: 5 mg", 2, None, "year"),
        ("Group: Catch-up, 11–15 years; Dose: 5 mg", 11, 15, "year"),
        ("Frail, or over 75 years; Dose: 5 mg", 75, None, "year"),
        ("Struma, unter 60 Jahre; Dosis: 5 mg", None, 60, "year"),
        ("10 tot en met 17 jaar; Dosering: 5 mg", 10, 17, "year"),
    ],
)
def test_an_age_is_read_by_its_column_or_as_the_label_of_a_row(
    row: str, low: float | None, high: float | None, unit: str
) -> None:
    ages = [one for one in conditions_told(row, of_row=True) if isinstance(one, Age)]
    assert [(one.value, one.unit) for one in ages] == [(Range(low, high), unit)]


@pytest.mark.parametrize(
    "row",
    [
        "Time since the last injection: More than 6 years; Dose: 5 mg",
        "Duration: over 5 years; Check: 5 mg",
        "After 2 to 3 years; Dose: 5 mg",
        "nach 2 bis 3 Jahren; Dosis: 5 mg",
        "Doses before (age at the last dose): 3 to 5 doses; Dose: 5 mg",
        "Stage: 2 years; Dose: 5 mg",
        "Test: Chest X-ray; Repeat: every 2 to 3 years",
    ],
)
def test_years_that_last_or_stand_in_another_cell_are_no_age(row: str) -> None:
    assert not [one for one in conditions_told(row, of_row=True) if isinstance(one, Age)]


def test_years_without_a_table_label_nothing() -> None:
    assert not conditions_told("Check the eyes, 1 to 2 years; then 5 mg")


@pytest.mark.parametrize(
    "text", ["aged under 6 months", "Alter unter 6 Monaten", "leeftijd jonger dan 6 maanden"]
)
def test_words_that_limit_stand_between_an_age_and_its_number(text: str) -> None:
    assert conditions_told(text) == (Age(Range(None, 6), "month"),)


def test_a_number_with_more_behind_it_has_the_unit_of_its_column() -> None:
    row = with_units("Weight [kg]: 81 or greater; Dose: 5 mg")
    assert row == "Weight: 81 kg or greater; Dose: 5 mg"
    assert conditions_told(row) == (Weight(Range(81, None)),)
    assert with_units("Weight [kg]: 81 per day; Dose: 5 mg").startswith("Weight [kg]: 81 per day")


def test_what_stands_over_a_row_says_how_it_is_given() -> None:
    over = ("Chickenpox, intravenous", "Chickenpox - by mouth")
    assert routes_over([], over, conditions_told) == [Route("oral")]
    assert routes_over([], over[:1], conditions_told) == [Route("intravenous")]
    assert routes_over([Route("oral")], over[:1], conditions_told) == []
    assert routes_over([], ("Chickenpox",), conditions_told) == []


def test_a_form_that_is_given_in_one_way_is_at_odds_with_another() -> None:
    asked = conditions_of("paracetamol suppository")
    assert asked == (Form("suppository"),)
    assert fit(asked, [Route("oral")]) == Fit(at_odds=1)
    assert fit(asked, [Route("rectal")]) == Fit(met=1)
    assert fit(conditions_of("paracetamol cream"), [Route("oral")]) == Fit()
    assert fit(conditions_of("intravenous infusion"), [Route("intravenous")]) == Fit(met=1)
