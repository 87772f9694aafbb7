"""Rows that a question names by row and column."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.evidence.passages import Quote
from core.evidence.reading.asked_cells import cells_asked, rows_asked
from tests.support.records import a_hit, a_row

HEADS = ("Drug (n=10): 1 (10%)", "HR (95% CI): 0.72 (0.39-1.31)")


def row(first: str, *others: str) -> Quote:
    return a_row(first, *(others or HEADS))


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
    sentence = Quote(a_hit(text), text, 0, len(text), text)
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
    """Where one of a table's rows is named, the others give way."""
    sentence = Quote(a_hit(first), first, 0, len(first), first)
    kept = rows_asked(question, [row("Another name"), sentence, row(first)])
    assert kept == ([1, 2] if named else [0, 1, 2])


def test_a_row_without_heads_is_called_what_stands_before_its_colon() -> None:
    """Two columns that have no heads: "Digoxin" is one row's name, what it says of levothyroxine is none."""
    rows = [
        a_row("Rifampicin: You may need more levothyroxine"),
        a_row("Sevelamer, lanthanum carbonate: Take this medicine 3 hours after them"),
        a_row("Digoxin: A higher dose of digoxin may be needed"),
    ]
    assert rows_asked("gap between levothyroxine and sevelamer?", rows) == [0, 1, 2]
    assert rows_asked("levothyroxine with digoxin", rows) == [2]


def test_what_the_document_is_on_names_no_row() -> None:
    """A table of changes to and from Rivanel: "Rivanel" begins half of its rows."""
    rows = [
        a_row("From: Vitamin K antagonist", "To: Rivanel", "How: from an INR of 3 on"),
        a_row("From: Rivanel", "To: Vitamin K antagonist", "How: together for 2 days"),
    ]
    asked = "At which INR from a vitamin K antagonist to Rivanel?"
    of_rivanel = replace(rows[0].hit.document, title="Rivanel 15 mg tablets")
    own = [replace(one, hit=replace(one.hit, document=of_rivanel)) for one in rows]
    assert rows_asked("When from warfarin to Rivanel?", rows) == [1]
    assert rows_asked("When from warfarin to Rivanel?", own) == [0, 1]
    assert rows_asked(asked, own) == [0]
