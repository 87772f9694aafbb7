"""Which rows are another step of a course than the one that is asked for."""

from __future__ import annotations

import pytest

from core.evidence.passages import Quote
from core.evidence.patients.beside.narrowing import kept_cells
from core.evidence.patients.beside.steps import is_other_step, names_step
from core.evidence.patients.footnotes import heard
from core.evidence.patients.times import times_of
from tests.support.records import a_hit


def row(*parts: str) -> Quote:
    text = "; ".join(parts)
    hit = a_hit(text)
    return Quote(hit, text, 0, len(text), text, row=True, parts=parts)


@pytest.mark.parametrize(
    ("first", "question", "other"),
    [
        ("Step: Step 3", "what is done in step 3?", False),
        ("Step: Step 2", "what is done in step 3?", True),
        ("Cycles 1-6", "dose in cycle 3?", False),
        ("Zyklus 1-4", "Dosis in Zyklus 3?", False),
        ("Cycle 2 onwards", "dose in cycle 3?", False),
        ("Cycles 1 and 2", "cycle 2?", False),
        ("Infusion 3 and subsequent infusions", "infusion 4?", False),
        ("Infusions 2 to 6", "infusion 7?", True),
        ("Stap 2", "wat gebeurt er in stappen 2 en 3?", False),
        # An amount, a stage of an illness and another thing's number are no steps.
        ("Dose 1", "vaccine dose 12 year old?", False),
        ("Stages 3-5", "stage 2 kidney disease", False),
        ("Week 1", "what is done in step 3?", False),
    ],
)
def test_another_step_is_left_out(first: str, question: str, other: bool) -> None:
    assert is_other_step(row(first, "Dose: 10 mg"), question) == other


def test_a_dose_with_a_number_is_no_step() -> None:
    assert not any(map(names_step, ("dose 65 kg", "dose 8 hourly", "Dosis 12 Jahre", "dose 20 mg")))
    assert names_step("step 3 of the switch")


@pytest.mark.parametrize(
    ("cell", "kept"),
    [
        ("Weeks 1 and 2: 5 mg", False),
        ("Weeks 3 and 4: 10 mg", True),
        ("Dose: week 1 10 mg, from week 2: 20 mg", True),
        ("Dose: Weeks 1-2 5 mg. Thereafter: 10 mg", True),
        ("Dosis: Woche 1: 10 mg; danach: 20 mg", True),
    ],
)
def test_the_column_of_other_weeks_is_left_out_and_no_cell_that_names_several(
    cell: str, kept: bool
) -> None:
    quote = row("Weight: 20 kg", cell)
    assert (1 in kept_cells(quote, heard(quote, ()), (), times_of("in week 3"))) == kept
