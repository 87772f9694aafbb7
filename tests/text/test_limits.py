"""Limits of numbers, as labels and leaflets word them: a dose for "40 kg or less" is not one for 40 kg."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.leaflets.conditions import Age, Weight
from core.domain.leaflets.plan import Aspect, DocumentPlan
from core.questions.leaflets.ages import ages_of
from core.questions.leaflets.reader import conditions_of, conditions_told
from core.questions.leaflets.wording import said

AT_LEAST = (
    *(
        "at least {}",
        "more than {}",
        "greater than {}",
        "greater than or equal to {}",
        "≥ {}",
        ">= {}",
    ),
    *(
        "no less than {}",
        "not less than {}",
        "a minimum of {}",
        "over {}",
        "above {}",
        "{} or more",
    ),
    *(
        "{} and above",
        "{} or over",
        "equal to or greater than {}",
        "mindestens {}",
        "mehr als {}",
        "ab {}",
    ),
    *(
        "nicht weniger als {}",
        "größer oder gleich {}",
        "{} oder mehr",
        "{} und darüber",
        "minstens {}",
    ),
    *(
        "ten minste {}",
        "meer dan {}",
        "niet minder dan {}",
        "vanaf {}",
        "{} of meer",
        "{} of zwaarder",
    ),
)
AT_MOST = (
    *(
        "at most {}",
        "less than {}",
        "lower than or equal to {}",
        "less than or equal to {}",
        "≤ {}",
        "<= {}",
    ),
    *(
        "no more than {}",
        "not more than {}",
        "a maximum of {}",
        "under {}",
        "below {}",
        "{} or less",
    ),
    *(
        "{} and below",
        "{} or under",
        "up to {}",
        "up to and including {}",
        "höchstens {}",
        "weniger als {}",
    ),
    *(
        "nicht mehr als {}",
        "kleiner oder gleich {}",
        "bis zu {}",
        "{} oder weniger",
        "{} und darunter",
    ),
    *(
        "hoogstens {}",
        "ten hoogste {}",
        "minder dan {}",
        "niet meer dan {}",
        "{} of minder",
        "{} of lichter",
    ),
)


@pytest.mark.req("PR-3")
@pytest.mark.parametrize("worded", AT_LEAST)
@given(st.integers(3, 150))
def test_at_least(worded: str, kilograms: int) -> None:
    weight = told(worded, kilograms)
    assert (weight.value.low, weight.value.high) == (kilograms, None)


@pytest.mark.req("PR-3")
@pytest.mark.parametrize("worded", AT_MOST)
@given(st.integers(3, 150))
def test_at_most(worded: str, kilograms: int) -> None:
    weight = told(worded, kilograms)
    assert (weight.value.low, weight.value.high) == (None, kilograms)


def told(worded: str, kilograms: int) -> Weight:
    """The weight of a statement on patients with it, in the language of its words."""
    of_patients = {
        "de": "Patienten mit einem Körpergewicht {}",
        "nl": "patiënten met een gewicht van {}",
    }
    own = worded.format(f"{kilograms} kg")
    spoken = of_patients.get(spoken_in(worded), "patients with a body weight of {}")
    (weight,) = (one for one in conditions_told(spoken.format(own)) if isinstance(one, Weight))
    return weight


def spoken_in(worded: str) -> str:
    words = set(worded.split())
    if words & {
        "minstens",
        "ten",
        "dan",
        "vanaf",
        "hoogstens",
        "meer",
        "zwaarder",
        "minder",
        "lichter",
    }:
        return "nl"
    german = {"mindestens", "als", "ab", "oder", "und", "höchstens", "bis"}
    return "de" if words & german else "en"


BETWEEN = (
    *(
        "{a} to less than {b} kg",
        "{a} kg to less than {b} kg",
        "at least {a} kg but less than {b} kg",
    ),
    *("≥ {a} kg and < {b} kg", "{a} kg to <{b} kg", "from {a} kg to under {b} kg", "{a} to {b} kg"),
    *(
        "mindestens {a} kg, aber weniger als {b} kg",
        "{a} bis unter {b} kg",
        "{a} tot minder dan {b} kg",
    ),
)


@pytest.mark.req("PR-3")
@pytest.mark.parametrize("worded", BETWEEN)
@given(st.integers(3, 60), st.integers(1, 60))
def test_both_ends_of_a_range_hold(worded: str, low: int, more: int) -> None:
    """The dose of a child of 10 to less than 18 kg is none for one of 5 kg, nor for one of 30 kg."""
    text = f"patients with a body weight of {worded.format(a=low, b=low + more)}"
    (weight,) = (one for one in conditions_told(text) if isinstance(one, Weight))
    assert (weight.value.low, weight.value.high) == (low, low + more)


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    "worded",
    [
        "children aged {a} months to {b} years",
        "children from {a} months to less than {b} years",
        "Kinder von {a} Monaten bis {b} Jahren",
        "kinderen van {a} maanden tot {b} jaar",
    ],
)
@given(st.integers(1, 11), st.integers(2, 17))
def test_an_age_from_months_to_years_is_one_range(worded: str, months: int, years: int) -> None:
    """ "6 months to 12 years" is none of 6 to 12 months."""
    text = worded.format(a=months, b=years)
    (age,) = (one for one in conditions_told(text) if isinstance(one, Age))
    (told,) = ages_of([age])
    assert told.low == pytest.approx(months / 12) and told.high == pytest.approx(years)


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("text", "ages"),
    [
        ("2 to 5 years: 5 ml three times a day", [(2, 5)]),
        ("1 month to 2 years: 3 ml", [(1 / 12, 2)]),
        ("12 years and over: 10 ml; under 2 years: 2 ml", [(12, None), (None, 2)]),
        ("The dose by age is: 6-12 years: 1 tablet, 2-5 years: 5 ml", [(6, 12), (2, 5)]),
        ("12 jaar en ouder: 2 tabletten", [(12, None)]),
        ("12 months: 35% had a relapse", []),
        ("2 years: store below 25 degrees", []),
        ("Taken for 2 years: 5 mg a day", []),
        ("2 to 4 weeks: 5 mg", []),
    ],
)
def test_years_that_label_a_dose_are_an_age(
    text: str, ages: list[tuple[float | None, float | None]]
) -> None:
    told = ages_of([one for one in conditions_told(text) if isinstance(one, Age)])
    assert [(one.low, one.high) for one in told] == [
        tuple(end if end is None else pytest.approx(end) for end in one) for one in ages
    ]


def test_times_of_a_treatment_are_no_ages() -> None:
    for text in ("for 4 weeks to 6 months", "after 6 months to 2 years of treatment"):
        assert not any(isinstance(one, Age) for one in conditions_told(text))


def test_an_age_from_months_to_years_is_said_in_both() -> None:
    plan = DocumentPlan(
        aspects=(Aspect("posology", 0.9),),
        conditions=conditions_of("a child of 6 months to 12 years"),
    )
    assert "a child of 6 months to 12 years" in said(plan).understood
