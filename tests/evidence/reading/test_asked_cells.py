"""Rows that a question names by row and column."""

from __future__ import annotations

import pytest

from core.evidence.passages import Quote
from core.evidence.reading.asked_cells import _is_named, cells_asked

HEADS = ("Drug (n=10): 1 (10%)", "HR (95% CI): 0.72 (0.39-1.31)")


def row(first: str, *others: str) -> Quote:
    parts = (first, *(others or HEADS))
    return Quote(hit=None, text="; ".join(parts), start=0, end=0, source="", row=True, parts=parts)  # type: ignore[arg-type]


ROWS = [
    row("Outcome: Myocardial infarction"),
    row("Outcome: Ischaemic stroke"),
    row("Subgroup: Coronary artery disease: yes"),
    row("Subgroup: Coronary artery disease: no"),
    row("Myocardial infarction", "Patients: 18"),
    row("A sentence of more than six words that is told in a row"),
]


@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("What was the hazard ratio for myocardial infarction?", [0]),
        ("hazard ratio in patients with coronary artery disease", [2]),
        ("HR of ischaemic strokes", [1]),
        ("Was the hazard ratio reported for infarction?", []),
        ("How many patients had a myocardial infarction?", [4]),
        ("What is said of myocardial infarction?", []),
        ("What was the hazard ratio?", []),
    ],
)
def test_a_row_is_asked_for_by_its_name_and_a_columns(question: str, places: list[int]) -> None:
    assert cells_asked(question, ROWS) == places


def test_what_is_no_row_is_never_one() -> None:
    text = "Myocardial infarction: HR 0.72"
    sentence = Quote(hit=None, text=text, start=0, end=0, source="")  # type: ignore[arg-type]
    assert cells_asked("hazard ratio for myocardial infarction", [sentence]) == []


@pytest.mark.parametrize(
    ("question", "first", "named"),
    [
        ("What was the primary outcome result?", "Primary endpoint", True),
        ("What was the primary end point?", "Outcome: Primary outcome", True),
        ("What was the result for stroke?", "Primary endpoint", False),
        ("dose in week 5", "Week 1", False),
        ("dose in week 5", "Week 5", True),
        ("dose in moderate renal impairment", "Moderate", True),
        ("dose in moderate renal impairment", "Severe", False),
        ("What is the dose?", "30 to 39", False),
    ],
)
def test_a_row_is_named_by_all_words_and_numbers_of_its_name(
    question: str, first: str, named: bool
) -> None:
    assert _is_named(question, first) is named
