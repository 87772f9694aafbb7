"""Calendar dates in the ways leaflets and papers write them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.checking.numbers import differences
from core.text.dates import dates

ENGLISH = (
    "January February March April May June July August September October November December"
).split()
GERMAN = (
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
).split()


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_a_date_is_the_same_in_all_spellings(day: date) -> None:
    english, german = ENGLISH[day.month - 1], GERMAN[day.month - 1]
    for written in (
        f"{day.day} {english} {day.year}",
        f"{english} {day.day}, {day.year}",
        f"{day.day} {english[:3]}. {day.year}",
        f"{day.day}. {german} {day.year}",
        f"{day.day}.{day.month}.{day.year}",
        f"{day.day:02}.{day.month:02}.{day.year}",
        day.isoformat(),
    ):
        (found,) = dates(f"Seen on {written}, at noon.")
        assert (found.year, found.month, found.day) == (day.year, day.month, day.day), written
        assert f"Seen on {written}, at noon."[found.start : found.end] == written.replace(
            "Sep.", "Sep."
        )


@pytest.mark.parametrize(
    "text",
    ["you may take 5 mg", "03/04/2018", "2.5 mg", "12.13.2018", "May be", "1.2.3", "32 May x"],
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert [one for one in dates(text) if one.day and one.year] == []


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("It ran from March 12, 2018.", True),
        ("Es begann am 12. März 2018.", True),
        ("It began in March 2018.", True),
        ("It began on 12 March.", True),
        ("It began in 2018.", True),
        ("It began on 12 March 2019.", False),
        ("It began on 4 March 2018.", False),
        ("It began in June 2018.", False),
        ("It began in 2017.", False),
        ("It began on 12 June.", False),
    ],
)
def test_a_date_told_with_less_is_right_and_a_mixed_one_is_not(said: str, right: bool) -> None:
    evidence = "The trial ran from 12 March 2018 to 4 June 2019."
    assert (differences(said, [evidence]).wrong == ()) is right
