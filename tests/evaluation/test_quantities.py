"""No dose passes that the evidence does not have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.answers import Sentence, Support
from core.evaluation.quantities import invented_quantities, quantities
from tests.evaluation.make import fact, passage

_UNITS = ["mg", "g", "kg", "micrograms", "mL", "hours", "days", "weeks", "%", "puffs"]
_QUANTITIES = st.tuples(
    st.decimals(min_value="0.1", max_value=9999, places=1), st.sampled_from(_UNITS)
).map(lambda pair: f"{pair[0]} {pair[1]}")


def _invented(text: str, quote: str) -> list[str]:
    return invented_quantities(Sentence(text, Support.DOCUMENT, (1,)), [passage(1, quote)])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,000 mg", "1000 milligrams"),
        ("2,5 mg", "2.50 mg"),
        ("50 µg", "50 micrograms"),
        ("99 per cent", "99 %"),
        ("4-hour", "4 hours"),
        ("12,345,678", "12345678"),
    ],
)
def test_two_spellings_of_one_quantity(one: str, other: str) -> None:
    assert quantities(one) == quantities(other) != []


@pytest.mark.parametrize("text", ["vitamin B12", "P2RY12", "T4", "no number"])
def test_digits_inside_a_word_are_no_number(text: str) -> None:
    assert quantities(text) == []


@given(st.lists(_QUANTITIES, min_size=1, max_size=5))
def test_a_quotation_invents_nothing(written: list[str]) -> None:
    text = f"Take {', then '.join(written)}."
    assert _invented(text, f"Before. {text} After.") == []


@given(_QUANTITIES, _QUANTITIES)
def test_another_quantity_is_found(evidence: str, said: str) -> None:
    same = quantities(evidence) == quantities(said)
    assert bool(_invented(f"Take {said}.", f"Take {evidence}.")) is not same


@pytest.mark.parametrize(
    ("said", "quote", "wrong"),
    [
        ("Take 13 mg.", "Take 3 mg.", ["13 mg"]),
        ("Take 50 mg.", "Take 50 micrograms.", ["50 mg"]),
        ("Take 25 mg.", "Take 2.5 mg.", ["25 mg"]),
        ("Take 20 mg.", "Take 20 to 30 mg.", []),
        ("Take 20 to 30 mg.", "Take 20 mg to 30 mg.", []),
        ("Take 3 mg for 3 weeks.", "Take 3 mg.", ["3 week"]),
    ],
)
def test_doses(said: str, quote: str, wrong: list[str]) -> None:
    assert _invented(said, quote) == wrong


def test_a_number_without_any_citation_is_invented() -> None:
    assert invented_quantities(Sentence("5 mg.", Support.UNSUPPORTED, ()), []) == ["5 mg"]


def test_the_graph_may_count_what_it_cites() -> None:
    facts = [fact(1, "Metformin", "type 2 diabetes mellitus"), fact(2, "Metformin", "obesity")]
    right = "Metformin treats 2 diseases: type 2 diabetes mellitus and obesity."
    wrong = "Metformin treats 3 diseases: type 2 diabetes mellitus and obesity."
    more = "Metformin treats type 2 diabetes mellitus, obesity and 7 more."
    for text, expected in ((right, []), (wrong, ["3"]), (more, [])):
        assert invented_quantities(Sentence(text, Support.GRAPH, (1, 2)), facts) == expected
