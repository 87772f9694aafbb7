"""Which words of a question are surely a medicine's name, though no list has them."""

from __future__ import annotations

import pytest

from core.domain.plans import Named
from core.questions.leaflets.names import is_surely_name


@pytest.mark.parametrize(
    ("name", "text", "sure"),
    [
        ("Zolvetrin", "What is the dose of Zolvetrin?", True),
        ("Zolvetrin", "Zolvetrin and alcohol? May Zolvetrin be crushed?", True),
        ("Premedication", "Wheezing after contrast. Premedication?", False),
        ("Premedication", "Premedication before contrast?", False),
        ("Premedication", "Which Premedication is given before contrast?", True),
        ("Ibuprofen", "Ibuprofen?", True),
        ("premedication", "Which premedication is given?", False),
    ],
)
def test_a_capital_that_begins_a_sentence_makes_no_name(name: str, text: str, sure: bool) -> None:
    assert is_surely_name(Named(name, (), name, ""), text) is sure
    assert is_surely_name(Named(name, (), name, "")) is (sure or name[0].isupper())
