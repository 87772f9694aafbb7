"""Rows for a range of a finding that their cell names, held against the number that a question gives of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evidence.patients.beside.findings import change_in, of_change, of_finding
from core.evidence.patients.beside.measures import is_for_finding
from core.text.tables.told import whole_range, with_units
from tests.support.records import a_row


@pytest.mark.parametrize(
    ("cell", "question", "held"),
    [
        ("Result: ALT or AST 50 to 100 U/L", "ALT 78 on azathioprine", [True]),
        ("Result: ALT or AST above 100 U/L", "ALT 78 on azathioprine", [False]),
        ("Value (cells/mm³): ALC 500–750", "5 mg bd, ALC 620 twice in a row", [True]),
        ("Value (cells/mm³): ALC less than 500", "5 mg bd, ALC 620 twice in a row", [False]),
        ("Neutrophils below 1.6 × 10⁹/L", "his neutrophils are now 1.2", [True]),
        ("Platelets below 140 × 10⁹/L", "platelets 150, what now?", [False]),
        ("ALC less than or equal to 500", "ALC of 500", [True]),
        # Clinical short forms, in the cell or in the question.
        ("ANC: less than 500 cells/mm3", "neutrophils are 420 cells/mm3, what now?", [True]),
        ("ANC: 500 to 1000 cells/mm3", "neutrophils are 420 cells/mm3, what now?", [False]),
        ("Body surface area: 0.98 to 1.19 m²", "newly diagnosed, BSA 1.05 m2", [True]),
        ("Body surface area: 1.20 to 1.38 m²", "newly diagnosed, BSA 1.05 m2", [False]),
        ("Body surface area: 0.98 to 1.19 m²", "newly diagnosed, BMI 1.05", []),
        # A dose, a time and the number of something else are no such numbers.
        ("ALT above 100 U/L", "ALT after 200 mg of it", []),
        ("ALT above 100 U/L", "bilirubin 200", []),
        ("Creatinine rise over 30% in 12 months", "creatinine 120", []),
        ("Dose: 5 to 10 mg once daily", "dose 7", []),
        ("ALT above 100 U/L", "What dose with raised ALT in a 65-year-old?", []),
        ("ALT above 100 U/L", "erhöhte ALT bei 65 Jahre altem Mann", []),
        ("ALT above 100 U/L", "ALT 65 g", []),
        # Nor is what is told in another unit, or as times a limit.
        ("ALT > 5 x ULN", "ALT is 150 U/L", []),
        ("ALT 3 to 5 × ULN", "ALT 4", []),
        ("Haemoglobin above 100 g/L", "Haemoglobin 12 g/dL", []),
        ("Haemoglobin above 10 g/dL", "Haemoglobin 12 g/dL", [True]),
        ("Platelets: 50 to 75 x 10^9/L", "Platelets 60000/mm3", []),
        ("Platelets: 50 to 75 x 10^9/L", "platelets 60000", []),
        ("ANC: less than 500 cells/mm3", "ANC 1,200 cells/mm3", [False]),
        ("ANC: 1,000 to 1,500 cells/mm3", "ANC 1,200 cells/mm3", [True]),
        ("ALT 50 bis 100 U/l", "ALT liegt bei 78 unter der Therapie", [True]),
        # Ends that are none of a range, decimals with a comma, and comparing words.
        ("Body surface area: 1.2 m² to less than 1.6 m²", "BSA 1.6", [False]),
        ("Body surface area: 1.2 m² to less than 1.6 m²", "BSA 1.2", [True]),
        ("Kalium: unter 3,5 mmol/l", "Kalium 3,2 mmol/l", [True]),
        ("Kalium: 3,5 bis 5,0 mmol/l", "Kalium 3,2 mmol/l", [False]),
        ("Kalium: lager dan 3,5 mmol/l", "Kalium 3,6 mmol/l", [False]),
        ("APTT ratio: Above 3.5", "aPTT ratio 3.9 on heparin", [True]),
        ("INR on day -1: 1.9 to 2.5", "the INR on day -1 comes back at 2.9", [False]),
        ("Dose: 1,000 to 2,000 units", "1,500 units of it", []),
        ("Potassium greater than 5.5 to 6", "potassium 5.5", [False]),
        ("Kalium zonder 5 mmol/l", "Kalium 3 mmol/l", []),
        ("Kalium: 1,2 tot lager dan 1,6", "Kalium 1,6", [False]),
        # Multiples of the upper limit of normal.
        ("Bilirubin > 3 x ULN", "bilirubin is normal and ALT is four times the upper limit", []),
        ("ALT > 3 x ULN", "with raised ALT took 4 times the normal dose", []),
        ("ALT or AST 2–3 times the upper limit of normal", "ALT 2.5 x ULN", [True]),
        ("ALT or AST more than 3 times the upper limit of normal", "ALT 2.5 x ULN", [False]),
        ("ALT or AST >3 to 5 x ULN", "AST is 6x ULN", [False]),
        ("ALT > 5 × ULN", "ALT four times the upper limit", [False]),
        ("ALT > 5 × ULN", "ALT was tested four times", []),
        ("Bilirubin > 5 × ULN", "ALT 6x ULN", []),
    ],
)
def test_a_finding_is_held_against_its_range(cell: str, question: str, held: list[bool]) -> None:
    assert list(of_finding(cell, question)) == held


@pytest.mark.parametrize(
    ("cell", "holds"),
    [
        ("Value (g/dL): Less than or equal to 2 g/dL decrease and 9.0 g/dL or more", False),
        ("Value (g/dL): Greater than 2 g/dL decrease or less than 8.0 g/dL", True),
        ("Value (g/dL): Greater than 2 g/dL increase", False),
    ],
)
def test_a_fall_is_held_against_what_a_row_says_of_falls(cell: str, holds: bool) -> None:
    change = change_in("Haemoglobin fell from 12.9 to 10.1 g/dL. Carry on?")
    assert change is not None
    assert list(of_change(cell, change, named=True)) == [holds]
    assert list(of_change(cell, change, named=False)) == [], "of another finding"


def test_a_change_of_dose_is_no_change_of_a_finding() -> None:
    assert change_in("How do I switch from 5 to 10 mg?") is None
    assert change_in("dose increased from 5 mg to 10 mg daily, ALT 150 U/L?") is None
    assert change_in("increase from 2 to 4 tablets") is None
    assert change_in("") is None


@given(st.integers(30, 500), st.integers(30, 500), st.integers(1, 90))
def test_a_number_lies_in_one_of_the_ranges_that_follow_each_other(
    number: int, low: int, more: int
) -> None:
    high = low + more
    cells = (f"ALT below {low}", f"ALT {low} to {high}", f"ALT above {high}")
    assert sum(held for cell in cells for held in of_finding(cell, f"ALT {number}")) == 1


@pytest.mark.parametrize(
    ("cell", "held"),
    [
        ("1 to " * 5_000, []),
        ("ALT " * 5_000 + "below 5", [False]),
        ("< " * 10_000, []),
        ("9" * 20_000, []),
    ],
)
def test_long_hostile_cells_are_read_to_their_end(cell: str, held: list[bool]) -> None:
    assert list(of_finding(cell, "ALT 78")) == held
    change = change_in("fell from 2 to 1 " + cell)
    assert change is not None and change.after == 1
    assert not list(of_change(cell, change, named=True))


def test_the_ends_of_a_range_in_two_cells_are_one() -> None:
    parts = ("Weight: greater than: 6.7 kg", "And less than: 14 kg", "Weeks 1 and 2: 2 mg")
    assert with_units("; ".join(parts)).startswith(
        "Weight: greater than 6.7 kg And less than 14 kg;"
    )
    told = [whole_range(parts, place) for place in range(3)]
    assert told[0] == told[1] == "Weight: greater than 6.7 kg And less than 14 kg"
    assert told[2] == parts[2]


@pytest.mark.parametrize(
    ("first", "is_for_it"),
    [("ALT (U/L): 30 to 44", True), ("eGFR (ml/min/1.73 m2): 30 to 44", False), ("Weight: 30 to 44 kg", False)],
)  # fmt: skip
def test_a_row_for_patients_is_for_no_finding(first: str, is_for_it: bool) -> None:
    """Its dose is not what "how often is creatinine measured at an eGFR of 41?" asks."""
    row = a_row(first, "Dose: 50 mg", "Step: 50 mg")
    question = f"How often is creatinine measured? {first.partition(' ')[0].rstrip(':')} 41"
    assert is_for_finding(row, question) is is_for_it
