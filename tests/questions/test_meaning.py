"""Plans that ask the same, and plans that do not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.plans import Condition, Named, Plan, Selection, Want
from core.questions.closest.meaning import same_meaning

GOUT = Named("gout", ("S1",), "gout", "Disease")
ADRB1 = Named("ADRB1", ("P1",), "ADRB1", "Protein")
TREATS = Condition(("TREATS",), GOUT)
TARGETS = Condition(("TARGETS",), ADRB1)
BOTH = Plan(Want.LIST, (Selection(("Drug",), ((TREATS,), (TARGETS,))),))


@pytest.mark.parametrize(
    "same",
    [
        replace(BOTH, everything=True),
        Plan(Want.LIST, (Selection(("Drug",), ((TARGETS,), (TREATS,))),)),
        Plan(Want.SHARE, BOTH.sets),
        replace(BOTH, sets=(replace(BOTH.sets[0], types=("Drug", "Drug")),)),
    ],
)
def test_order_and_how_it_is_said_change_nothing(same: Plan) -> None:
    assert same_meaning(BOTH, same) and same_meaning(same, BOTH)


@pytest.mark.parametrize(
    "other",
    [
        Plan(Want.COUNT, BOTH.sets),
        Plan(Want.LIST, (Selection(("Drug",), ((TREATS, TARGETS),)),)),
        Plan(Want.LIST, (Selection(("Drug",), ((TREATS,),)),)),
        Plan(Want.LIST, (Selection(("Drug",), ((TREATS,), (replace(TARGETS, negated=True),))),)),
        Plan(
            Want.LIST,
            (Selection(("Drug",), ((Condition(("PALLIATES",), GOUT),), (TARGETS,))),),
        ),
    ],
)
def test_another_condition_is_another_question(other: Plan) -> None:
    assert not same_meaning(BOTH, other)


def test_either_end_of_a_yes_or_no_may_be_its_subject() -> None:
    drug = Named("Metformin", ("D1",), "Metformin", "Drug")
    forth = Plan(Want.YES_NO, (Selection(("Drug",), ((TREATS,),)),), (drug,))
    back = Plan(
        Want.YES_NO,
        (Selection(("Disease",), ((Condition(("TREATS",), drug),),)),),
        (GOUT,),
    )
    assert same_meaning(forth, back)
    assert not same_meaning(forth, replace(back, subjects=(replace(GOUT, ids=("S2",)),)))


def test_what_is_compared_first_stays_first() -> None:
    one, two = (
        Selection(("Protein",), ((Condition(("TARGETS",), each),),)) for each in (GOUT, ADRB1)
    )
    plan = Plan(Want.COMPARE, (one, two))
    assert not same_meaning(plan, replace(plan, sets=(two, one)))
    assert same_meaning(replace(plan, want=Want.LIST), Plan(Want.LIST, (two, one)))
