"""Which line of a list and which row of a table answers: how often a finding comes, the range that a measure
lies in, the grade and the time of a toxicity, all steps of one course."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.answers import State
from core.domain.leaflets.conditions import Amount
from core.evidence.patients.beside.measures import in_range
from core.evidence.patients.contrasts import GRADE, contrasts_of, contrasts_told
from core.questions.leaflets.reader import LeafletReader
from core.text.tables.told import with_units
from core.workspace import Workspace
from tests.support.pdfs import make_pdf_of
from tests.support.records import a_row

GERMAN = (
    "Ramivelin 5 mg Tabletten",
    "3. Wie ist Ramivelin einzunehmen?",
    (
        ("Woche", "Dosis einmal täglich"),
        ("1. Woche", "1,25 mg"),
        ("2. Woche", "2,5 mg"),
        ("3. Woche", "3,75 mg"),
        ("4. bis 7. Woche", "5 mg"),
        ("8. bis 11. Woche", "7,5 mg"),
    ),
    "4. Welche Nebenwirkungen sind möglich?",
    "Häufig (kann bis zu 1 von 10 Behandelten betreffen)\n- Müdigkeit, Schwindel\n- Durchfall",
    "Selten (kann bis zu 1 von 1 000 Behandelten betreffen)\n- Nierenentzündung\n- Albträume",
)
DUTCH = (
    "Ramivelin 5 mg tabletten",
    "4. Mogelijke bijwerkingen",
    "Vaak (komen voor bij minder dan 1 op de 10 gebruikers)\n- hoofdpijn\n- misselijkheid",
    "Zelden (komen voor bij minder dan 1 op de 1.000 gebruikers)\n- haaruitval\n- problemen met de nieren",
)
ENGLISH = (
    "Veltraxone 150 mg tablets",
    "4.2 Posology and method of administration",
    (
        ("Body surface area (m²)", "Dose twice daily"),
        ("< 1.27", "1500 mg"),
        ("1.27 - 1.38", "1650 mg"),
        ("1.39 - 1.52", "1800 mg"),
        ("1.53 - 1.66", "2000 mg"),
        ("> 1.66", "2150 mg"),
    ),
    "The next table is for toxicity.",
    (
        ("Toxicity", "During treatment", "Next dose"),
        ("Grade 2, 1st appearance", "Interrupt until resolved to grade 0-1", "100%"),
        ("Grade 2, 2nd appearance", "Interrupt until resolved to grade 0-1", "75%"),
        ("Grade 3, 1st appearance", "Interrupt until resolved to grade 0-1", "75%"),
        ("Grade 3, 2nd appearance", "Interrupt until resolved to grade 0-1", "50%"),
        ("Grade 4, 1st appearance", "Discontinue permanently", "Not applicable"),
    ),
    "4.8 Undesirable effects",
    (
        ("System organ class", "Common", "Uncommon"),
        ("Nervous system disorders", "Headache, dizziness", "Vertigo"),
        ("Respiratory disorders", "Non-productive tickling cough", "Bronchospasm"),
        ("Gastrointestinal disorders", "Diarrhoea, nausea", "Pancreatitis"),
    ),
)

FOR_GOUT = (
    "Ostrelunib 10 mg tablets",
    "4.2 Posology and method of administration",
    "The recommended dose of Ostrelunib in gout is 10 mg once daily.",
)
FOR_ECZEMA = (
    "Pelvarotib 20 mg tablets",
    "4.1 Therapeutic indications",
    "Pelvarotib is indicated for the treatment of adults with eczema.",
    "4.2 Posology and method of administration",
    "The recommended dose of Pelvarotib is 20 mg twice daily, taken with a meal.",
)


@pytest.fixture
def library(own_workspace: Workspace, tmp_path: Path) -> Workspace:
    return own_workspace


def added(
    library: Workspace, folder: Path, name: str, parts: Sequence[str | Sequence[Sequence[str]]]
) -> Workspace:
    assert library.library.ingest(make_pdf_of(folder / name, *parts)).state == "ready"
    return library


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("question", "told", "not_told"),
    [
        ("Wie häufig sind Albträume unter Ramivelin?", "Selten", "Häufig"),
        # Whoever asks of kidneys that are ill is no patient whose kidneys are.
        ("Wie häufig ist eine Nierenentzündung unter Ramivelin?", "Selten", "Häufig"),
        ("Wie häufig ist Durchfall unter Ramivelin?", "Häufig", "Selten"),
        # "Hoe", "voor" and "bij" are no words of the finding.
        ("Hoe vaak komt haaruitval voor bij Ramivelin?", "Zelden", "Vaak"),
        ("Hoe vaak komt misselijkheid voor bij Ramivelin?", "Vaak", "Zelden"),
    ],
)
def test_how_often_a_finding_comes_is_told_by_the_line_that_names_it(
    library: Workspace, tmp_path: Path, question: str, told: str, not_told: str
) -> None:
    text = DUTCH if question.startswith("Hoe") else GERMAN
    answer = added(library, tmp_path, "ramivelin.pdf", text).chat.answer(question)
    assert told in answer.text and f"{not_told} (" not in answer.text


@pytest.mark.req("PR-3")
@pytest.mark.parametrize("asking", ["How common is", "How often is", "How frequent is"])
def test_how_common_something_is_asks_for_no_list_of_what_is_shared(
    library: Workspace, tmp_path: Path, asking: str
) -> None:
    chat = added(library, tmp_path, "veltraxone.pdf", ENGLISH).chat
    answer = chat.answer(f"{asking} cough with Veltraxone?")
    assert "tickling cough" in answer.text and "Headache" not in answer.text


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("area", "dose"), [("1.20", "1500"), ("1.38", "1650"), ("1.60", "2000"), ("1.9", "2150")]
)
def test_the_row_is_told_in_whose_range_the_measure_lies(
    library: Workspace, tmp_path: Path, area: str, dose: str
) -> None:
    chat = added(library, tmp_path, "veltraxone.pdf", ENGLISH).chat
    answer = chat.answer(f"What is the dose of Veltraxone for a body surface area of {area} m²?")
    assert f"{dose} mg" in answer.text
    others = {"1500", "1650", "1800", "2000", "2150"} - {dose}
    assert not any(f"{one} mg" in answer.text for one in others)


@pytest.mark.req("PR-3")
def test_grade_and_time_of_a_toxicity_tell_rows_apart(library: Workspace, tmp_path: Path) -> None:
    chat = added(library, tmp_path, "veltraxone.pdf", ENGLISH).chat
    answer = chat.answer("What to do at the second appearance of grade 3 toxicity with Veltraxone?")
    assert "50%" in answer.text
    assert "100%" not in answer.text and "75%" not in answer.text and "Grade 4" not in answer.text


@pytest.mark.req("PR-3")
def test_steps_of_one_course_are_told_whole_and_in_order(
    library: Workspace, tmp_path: Path
) -> None:
    chat = added(library, tmp_path, "ramivelin.pdf", GERMAN).chat
    whole = chat.answer("Wie wird Ramivelin dosiert?").text
    places = [whole.find(f": {dose} mg") for dose in ("1,25", "2,5", "3,75", "5", "7,5")]
    assert -1 not in places and places == sorted(places)
    one = chat.answer("Welche Dosis Ramivelin in der 2. Woche?").text
    assert "2,5 mg" in one and "7,5 mg" not in one


@pytest.mark.req("PR-3")
def test_a_dose_for_an_illness_that_no_document_names_is_said_to_be_for_something_else(
    library: Workspace, tmp_path: Path
) -> None:
    chat = added(library, tmp_path, "pelvarotib.pdf", FOR_ECZEMA).chat
    answer = chat.answer("What is the dose of Pelvarotib in gout?")
    assert "“pelvarotib.pdf” does not name “gout”" in answer.notice
    assert "20 mg" in answer.text and answer.state is State.MAY_NOT_ANSWER
    known = chat.answer("What is the dose of Pelvarotib in eczema?")
    assert "20 mg" in known.text and "does not name" not in known.notice


@pytest.mark.req("PR-3")
def test_the_document_is_named_that_has_no_word_of_the_illness(
    library: Workspace, tmp_path: Path
) -> None:
    """And not one that is quoted before it, which has."""
    added(library, tmp_path, "ostrelunib.pdf", FOR_GOUT)
    chat = added(library, tmp_path, "pelvarotib.pdf", FOR_ECZEMA).chat
    asked = "What is the dose of {} in gout?"
    answer = chat.answer(f"{asked.format('Ostrelunib')} {asked.format('Pelvarotib')}")
    assert "10 mg" in answer.text and "20 mg" in answer.text
    assert "“pelvarotib.pdf” does not name “gout”" in answer.notice
    assert "“ostrelunib.pdf” does not name" not in answer.notice


@settings(max_examples=200)
@given(
    ends=st.lists(st.integers(10, 400), min_size=3, max_size=6, unique=True).map(sorted),
    number=st.integers(0, 420),
)
def test_a_number_lies_in_one_row_of_a_table_at_most(ends: list[int], number: int) -> None:
    low, high = ends[0] / 100, ends[-1] / 100
    cells = [f"< {low:.2f}"]
    cells += [f"{a / 100:.2f} - {(b - 1) / 100:.2f}" for a, b in pairwise(ends)]
    cells += [f"≥ {high:.2f}"]
    asked = [Amount(amount=number / 100, unit="m2", period="", written=f"{number / 100} m2")]
    rows = [a_row(f"Body surface area (m²): {cell}", "Dose: 1 mg") for cell in cells]
    own = [place for place, row in enumerate(rows) if in_range(row, asked, "") is not False]
    assert own == [sum(end <= number for end in ends)]


@pytest.mark.parametrize(
    ("question", "unit", "amount", "cells", "expected"),
    [
        # What is done next has other numbers than what the row is for.
        (
            "potassium of 6.3 mmol/l",
            "mmol/ml",
            0.0063,
            ("Serum potassium (mmol/l): 6.0 or above", "Action: Stop. Restart once below 5.0 mmol/l"),
            True,
        ),
        (
            "potassium of 5.3 mmol/l",
            "mmol/ml",
            0.0053,
            ("Serum potassium (mmol/l): 6.0 or above", "Action: Stop. Restart once below 5.5 mmol/l"),
            False,
        ),
        # Columns that are called by ranges: one of them is the patient's.
        (
            "systolic 110 mmHg",
            "mmHg",
            110,
            ("Time: after 48 hours", "Systolic above 120 mmHg: 10 mg", "Systolic 100 to 120 mmHg: 2.5 mg"),
            True,
        ),
        ("glucose of 1.9", "", 0, ("Patient: fitting", "Treatment: glucose 20% over 15 minutes"), None),
    ],
)  # fmt: skip
def test_a_row_is_for_what_its_first_cells_say(
    question: str, unit: str, amount: float, cells: tuple[str, ...], expected: bool | None
) -> None:
    asked = [Amount(amount=amount, unit=unit, period="", written=question)] if unit else []
    assert in_range(a_row(*cells), asked, question) is expected


def test_the_first_cell_of_a_table_without_heads_says_what_a_row_is_for() -> None:
    row = replace(
        a_row("above 8.0, no bleeding: stop; restart when INR below 5.0"), labels=("INR – ",)
    )
    assert in_range(row, [], "INR 9.1, which dose?") is True
    assert in_range(row, [], "INR 6.1, which dose?") is False


def test_doses_and_times_of_a_question_are_no_measures() -> None:
    row = a_row("Week: 5 to 8 weeks", "Dose: 20 to 30 mg", "Taken: 2 to 3 times a day")
    for unit in ("mg", "hour", "ml", "%", "time"):
        asked = [Amount(amount=1, unit=unit, period="", written="1")]
        assert in_range(row, asked, "") is None


@pytest.mark.parametrize(
    ("question", "own"),
    [
        ("Phenytoin level 25?", "20-30"),
        ("The level came back at 35, what now?", "30-40"),
        ("level of 8", "below 10"),
        ("level of 8 mg/kg", ""),
        ("Phenytoin 25?", ""),
    ],
)
def test_a_number_behind_what_a_column_is_called_lies_in_one_row(question: str, own: str) -> None:
    cells = ("below 10", "10-20", "20-30", "30-40", "above 40")
    rows = {cell: a_row(f"Level (mg/L): {cell}", "Action: stop") for cell in cells}
    left = [cell for cell, row in rows.items() if in_range(row, [], question) is not False]
    assert left == ([own] if own else list(cells))


@pytest.mark.parametrize(
    ("question", "own"),
    [
        ("The trough came back as 23 mg/L, what next?", "21 to 25"),
        ("level 18 mg/l", "15 to 20"),
        ("level 0.018 mg/ml", "15 to 20"),
        ("a trough of 27 micrograms per ml", "Above 25"),
        ("a dose of 12 mg", ""),
    ],
)
def test_a_level_with_its_unit_lies_in_one_row(question: str, own: str) -> None:
    cells = ("Below 10", "10 to 15", "15 to 20", "21 to 25", "Above 25")
    rows = {cell: a_row(f"Trough level (mg/L): {cell}", "Action: stop") for cell in cells}
    asked = LeafletReader(lambda _text: ()).read(question).conditions
    left = [cell for cell, row in rows.items() if in_range(row, asked, question) is not False]
    assert left == ([own] if own else list(cells))


@pytest.mark.parametrize(
    ("question", "own"),
    [
        ("lithium level 0.5, what now?", "Below 0.6"),
        ("a serum level of 1.6", "1.5 to 1.9"),
        ("lithium level came back 2.8", "Above 2.5"),
        ("potassium level 1.6", ""),
        ("creatinine 1.6", ""),
    ],
)
def test_a_number_behind_a_word_of_the_column_is_no_other_analytes(question: str, own: str) -> None:
    cells = ("Below 0.6", "0.6 to 0.8", "1.5 to 1.9", "2.0 to 2.5", "Above 2.5")
    rows = {cell: a_row(f"Serum level (mEq/L): {cell}", "Action: stop") for cell in cells}
    left = [cell for cell, row in rows.items() if in_range(row, [], question) is not False]
    assert left == ([own] if own else list(cells))


@pytest.mark.parametrize(
    ("question", "own"),
    [
        ("120 mg oral morphine a day: which patch?", "90 mg to 149 mg"),
        ("which patch for morphine 45 mg?", "45 mg to 89 mg"),
        ("400 mg of morphine a day", "360 mg and above"),
        ("10 mg of oral morphine", "Less than 30 mg"),
        ("120 mg oxycodone a day: which patch?", ""),
    ],
)
def test_what_is_taken_already_is_looked_up_in_the_first_column(question: str, own: str) -> None:
    cells = ("Less than 30 mg", "45 mg to 89 mg", "90 mg to 149 mg", "360 mg and above")
    rows = {cell: a_row(f"Oral morphine in 24 hours: {cell}", "Patch: 50") for cell in cells}
    asked = LeafletReader(lambda _text: ()).read(question).conditions
    left = [cell for cell, row in rows.items() if in_range(row, asked, question) is not False]
    assert left == ([own] if own else list(cells))


@pytest.mark.parametrize(
    ("text", "grades"),
    [
        ("grade 3 or 4 diarrhoea", {"3", "4"}),
        ("Interrupt until resolved to grade 0-1", {"0", "1"}),
        ("Grad 2", {"2"}),
        ("graad 4", {"4"}),
        ("grade 12", set()),
        ("upgrade 3", set()),
    ],
)
def test_grades_of_toxicity(text: str, grades: set[str]) -> None:
    assert set(contrasts_of(text).get(GRADE, ())) == grades


def test_what_is_labelled_is_not_said_of_what_another_label_beside_it_is() -> None:
    before = ["Initial dose: 300 mg, and 300 mg two weeks later."]
    assert contrasts_told("Subsequent doses: 600 mg every 6 months.", before, "")["phase"] == {
        "maintenance"
    }
    assert "phase" not in contrasts_told("Children: 100 mg.", before, "")
    assert contrasts_told("It is infused.", before, "")["phase"] == {"start"}


def test_a_range_whose_ends_stand_in_two_columns_is_one() -> None:
    row = "Weight: greater than: 14.1 kg; Weight: and less than: 27 kg; Dose: 2 mg"
    assert with_units(row) == "Weight: greater than 14.1 kg and less than 27 kg; Dose: 2 mg"


@pytest.mark.parametrize("cell", ["1a" * 10_000, "9" * 20_000, "9" * 4_400 + " mg and above"])
def test_any_cell_is_read_in_no_time(cell: str) -> None:
    row = a_row(f"Level (mg/L): {cell}", "Action: stop")
    assert in_range(row, [Amount(amount=5, unit="mg/ml", period="", written="5 mg/ml")], "a" * 20_000) in (
        None, True, False
    )  # fmt: skip
