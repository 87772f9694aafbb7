"""Numbers that another statement of the same source contradicts."""

from __future__ import annotations

import pytest

from core.checking.amounts import EvidenceStatement
from core.checking.rivals import contradicted_numbers
from core.domain.evidence.doubts import RIVAL


def found(said: str, *statements: str) -> list[str]:
    return contradicted_numbers(said, [EvidenceStatement(text, "Zorvexil") for text in statements])


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("The usual dose is 900 mg once a day.", "The usual dose is 7 mg once a day."),
        ("The recommended dose is 900 mg.", "The recommended dose of Zorvexil is 7 mg a day."),
        ("Die empfohlene Dosis beträgt 900 mg.", "Die empfohlene Dosis beträgt 7 mg täglich."),
        ("Take at most 900 mg a day.", "Take no more than 7 mg a day."),
    ],
)
def test_the_same_with_another_number_is_told_with_its_words(said: str, other: str) -> None:
    (problem,) = found(said, said, other)
    assert problem.startswith(RIVAL) and "900 mg" in problem and other in problem
    # The other one is contradicted as well: which of them is right, nobody here knows.
    assert len(found(other, said, other)) == 1


@pytest.mark.parametrize(
    ("said", "others"),
    [
        ("Adults take 900 mg a day.", ["Children take 300 mg a day."]),
        ("The starting dose is 5 mg.", ["The maximum dose is 40 mg."]),
        ("The dose is at least 5 mg.", ["The dose is at most 40 mg."]),
        ("The dose is 7 mg a day.", ["The dose is 5 mg to 10 mg a day."]),
        ("Take 500 mg in the morning.", ["The packet holds 28 mg of lactose."]),
        ("On day 1 the dose is 500 mg.", ["On day 2 the dose is 250 mg."]),
        (
            "The highest dose is 3,000 mg a day.",
            ["Children start with 500 mg.", "The highest dose is 2,000 mg a day."],
        ),
        ("It was seen in 5 % of patients.", ["It was seen in 6 % of patients."]),
        (
            "These patients should receive 500 mg every 24 hours.",
            ["These patients should not receive the 875 mg tablet."],
        ),
        ("Take 500 mg.", ["Don’t take 875 mg."]),
    ],
)
def test_what_is_said_of_something_else_is_no_contradiction(said: str, others: list[str]) -> None:
    assert found(said, f"In adults this holds: {said}" if len(others) > 1 else said, *others) == []


def test_a_unit_in_any_spelling_is_read() -> None:
    """Folding the case of "Sprühstöße" gives a word that nobody writes."""
    text = "Erwachsene nehmen 2 Sprühstöße, SPRÜHSTÖSSE oder 2 sprühstöße."
    assert found(text, text) == []
