"""Sentences against the relationships that they cite."""

from __future__ import annotations

import pytest

from core.checking.graph_claims import graph_problems
from core.domain.answers import GraphCitation
from core.domain.graph import Fact
from tests.support.records import DIABETES, METFORMIN, WARFARIN, with_fact

TREATS = Fact(METFORMIN, "TREATS", DIABETES)
INTERACTS = Fact(METFORMIN, "INTERACTS_WITH", WARFARIN)
FORBIDDEN = Fact(METFORMIN, "CONTRAINDICATED_IN", DIABETES)


def problems(said: str, fact: Fact, documents: str = "") -> list[str]:
    (citation,) = with_fact(fact=fact)
    assert isinstance(citation, GraphCitation)
    return graph_problems(said, [citation], documents)


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("Metformin treats type 2 diabetes mellitus.", TREATS),
        ("Metformin is used to treat type 2 diabetes mellitus.", TREATS),
        ("Type 2 diabetes mellitus is treated by metformin.", TREATS),
        ("Type 2 diabetes mellitus can be treated with metformin.", TREATS),
        ("Drugs that treat type 2 diabetes mellitus include metformin.", TREATS),
        ("Metformin and warfarin interact.", INTERACTS),
        ("Warfarin interacts with metformin.", INTERACTS),
        ("During treatment with metformin, warfarin interacts with it.", INTERACTS),
        ("Metformin is contraindicated in type 2 diabetes mellitus.", FORBIDDEN),
        ("Type 2 diabetes mellitus is a contraindication of metformin.", FORBIDDEN),
    ],
)
def test_a_relationship_told_as_it_is(said: str, fact: Fact) -> None:
    assert problems(said, fact) == []


@pytest.mark.parametrize(
    ("said", "fact", "problem"),
    [
        ("Metformin treats warfarin.", INTERACTS, "something else"),
        ("Metformin is contraindicated in type 2 diabetes mellitus.", TREATS, "something else"),
        ("Metformin treats type 2 diabetes mellitus.", FORBIDDEN, "something else"),
        ("Metformin causes type 2 diabetes mellitus.", TREATS, "something else"),
        ("Type 2 diabetes mellitus treats metformin.", TREATS, "other way round"),
        ("Metformin is treated by type 2 diabetes mellitus.", TREATS, "other way round"),
    ],
)
def test_another_type_or_direction_is_a_problem(said: str, fact: Fact, problem: str) -> None:
    (found,) = problems(said, fact)
    assert problem in found and "Metformin" in found


def test_a_passage_cited_beside_it_may_say_the_rest() -> None:
    said = "With warfarin, metformin causes nausea."
    assert problems(said, INTERACTS) != []
    assert problems(said, INTERACTS, "It can cause nausea.") == []
