"""Limits of numbers, as labels and leaflets word them: a dose for "40 kg or less" is not one for 40 kg."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.leaflets.conditions import Weight
from core.questions.leaflets.reader import conditions_told

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
