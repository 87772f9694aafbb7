"""Quantities: one normal form for a number, its unit, its period and its limit."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.checking.numbers import differences
from core.text.language import has_decimal_comma
from core.text.limits import AT_LEAST, AT_MOST
from core.text.quantities import numbers, quantities


def amounts(text: str) -> list[tuple[float, str]]:
    return [(float(one.amount), one.unit) for one in quantities(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("500 mg, 500 micrograms and 500 ml", [(500, "mg"), (0.5, "mg"), (500, "ml")]),
        ("50 µg, 50 μg, 50 mcg, 50 Mikrogramm", [(0.05, "mg")] * 4),
        ("1,000 mg, 1000 mg, 1 000 mg, 1\u202f000 mg, 1 g", [(1000, "mg")] * 5),
        ("Die Dosis beträgt 1.000 mg oder 2,5 mg", [(1000, "mg"), (2.5, "mg")]),
        ("Die Dosis ist 1,000 mg und nicht 0.125 mg", [(1, "mg"), (0.125, "mg")]),
        ("the dose is 1.000 mg or 2,5 mg", [(1, "mg"), (2.5, "mg")]),
        ("1,234,567.5 IU", [(1234567.5, "IU")]),
        ("take 2 500 mg tablets", [(2, ""), (500, "mg")]),
        ("10-20 mg, 10 – 20 mg, 10 to 20 mg", [(10, "mg"), (20, "mg")] * 3),
        ("10mg-20mg and 5 mg to 10 mg", [(10, "mg"), (20, "mg"), (5, "mg"), (10, "mg")]),
        ("250, 500 or 1,000 mg", [(250, "mg"), (500, "mg"), (1000, "mg")]),
        ("1/2 tablet, ½ tablet, half a tablet, 0.5 tablets", [(0.5, "tablet")] * 4),
        ("1½ tablets or 1 1/2 tablets", [(1.5, "tablet")] * 2),
        ("120/80 mmHg", [(120, "mmHg"), (80, "mmHg")]),
        ("two tablets, zwei Tabletten, 2 film-coated tablets", [(2, "tablet")] * 3),
        ("twice a day, two times a day, zweimal täglich, 2-mal täglich, 2 x daily", [(2, "time")] * 5),
        ("once daily", [(1, "time")]),
        ("once opened, one of the following, first see a doctor", []),
        ("one tablet and one hour", [(1, "tablet"), (1, "hour")]),
        ("twenty-four hours, 24 hours, 1 day", [(24, "hour")] * 3),
        ("a 12-week course of 5-mg tablets", [(2016, "hour"), (5, "mg")]),
        ("for 2 years or 24 months", [(24, "month"), (24, "month")]),
        ("aged 65 and over, ≥ 65 years", [(780, "month")] * 2),
        ("99 per cent, 99 %, 99% and 99 Prozent", [(99, "%")] * 4),
        ("2° to 8 °C, -20 °C, −20°C", [(2, "°C"), (8, "°C"), (-20, "°C"), (-20, "°C")]),
        ("100 × 10⁹ and 100 x 10^9", [(1e11, "")] * 2),
        ("25 mg/kg/day and 25 mg per kg", [(25e-6, "mg/mg")] * 2),
        ("18 kg/40 lb", [(18e6, "mg"), (18143694.8, "mg")]),
        ("third trimester, 3rd trimester, trimester 3", [(3, "rank trimester")] * 3),
        ("week 3, day 3, third day, 3. Tag", [(3, "rank week"), *[(3, "rank day")] * 2, (3, "")]),
        ("COX-2, 5-HT, CYP3A4, CYP2C9, B12, E132", []),
        ("half-life and a full life", []),
        ("1 in 10,000 people, one in 10,000", [(0.01, "%")] * 2),
        ("1 von 100 Behandelten, >= 1/100, 1 out of 100", [(1, "%")] * 3),
        ("≥ 1/10. Take 1/2 tablet. 1 in 4 hours", [(10, "%"), (0.5, "tablet"), (1, ""), (4, "hour")]),
        ("12 March 2018, March 12th, 2018, 12.03.2018, 2018-03-12", [(20180312, "date")] * 4),
        ("12. März 2018, 12 March, March 2018", [(20180312, "date"), (312, "date"), (20180300, "date")]),
        ("you may 5 mg take 03/04/2018", [(5, "mg"), (3, ""), (4, ""), (2018, "")]),
        ("", []),
    ],
)  # fmt: skip
def test_a_quantity_has_one_normal_form(text: str, found: list[tuple[float, str]]) -> None:
    assert amounts(text) == [(pytest.approx(value), unit) for value, unit in found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1,000 mg", {1000}),
        ("1000 mg", {1000}),
        ("1,234,567", {1234567}),
        ("1,000.50", {1000.5}),
        ("2.5 mg", {2.5}),
        ("2,5 mg", {2.5}),
        ("2.50 mg and 2,5 mg", {2.5}),
        ("10.0 and 10 and 100", {10, 100}),
        ("25 °C, 30 mL/min.", {25, 30}),
        ("7.5-15 mg", {7.5, 15}),
        ("1.000 mg", {1}),
        ("Die Dosis ist 1.000 mg", {1000}),
        ("Metformin Tagesdosis 1.000 mg", {1000}),
        ("De dosis is 1.000 mg", {1000}),
        ("two tablets or 2 capsules", {2}),
        ("CYP2C9 and B12", set()),
        ("none", set()),
    ],
)
def test_numbers_have_one_spelling(text: str, found: set[float]) -> None:
    assert {float(one) for one in numbers(text)} == found


@given(st.integers(0, 10**9))
def test_grouped_and_plain_numbers_are_equal(value: int) -> None:
    assert numbers(f"up to {value:,} mg") == numbers(f"up to {value} mg") == {value}


@given(st.integers(0, 999), st.integers(1, 99))
def test_point_and_comma_are_equal(whole: int, part: int) -> None:
    assert numbers(f"{whole}.{part:02} mg") == numbers(f"{whole},{part:02} mg")


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_different_numbers_stay_different(one: int, other: int) -> None:
    assert (numbers(str(one)) == numbers(str(other))) is (one == other)


@pytest.mark.parametrize(
    ("text", "period", "bound"),
    [
        ("3,000 mg a day", "day", 0),
        ("3,000 mg daily", "day", 0),
        ("3,000 mg in 24 hours", "day", 0),
        ("25 mg pro Woche", "week", 0),
        ("30 ml/min", "minute", 0),
        ("at least 6 hours", "", AT_LEAST),
        ("6 hours or more", "", AT_LEAST),
        ("no less than 6 hours", "", AT_LEAST),
        ("mindestens 6 Stunden", "", AT_LEAST),
        ("do not store above 25 °C", "", AT_MOST),
        ("not more than 4 tablets", "", AT_MOST),
        ("do not take more than 4 tablets", "", AT_MOST),
        ("the dose should not exceed 10 mg", "", AT_MOST),
        ("up to 4 times a day", "day", AT_MOST),
        ("höchstens 4 Tabletten", "", AT_MOST),
        ("contraindicated when it is below 30 ml", "", AT_LEAST),
        ("not in tea; above 25 °C", "", AT_LEAST),
    ],
)
def test_a_quantity_knows_its_period_and_its_limit(text: str, period: str, bound: int) -> None:
    one = quantities(text)[0]
    assert (one.period, one.bound) == (period, bound)


RANGE = "Adults take 5 to 10 mg as a single dose. Leave at least 6 hours between doses."


@pytest.mark.parametrize(
    ("said", "evidence", "wrong"),
    [
        ("5 mg", RANGE, ()),
        ("10 mg", RANGE, ()),
        ("5-10 mg", RANGE, ()),
        ("between 5 and 10 mg", RANGE, ()),
        ("take 10", RANGE, ()),
        ("7 mg", RANGE, ("7 mg is not in the cited evidence",)),
        ("5 ml", RANGE, ("5 ml is not in the cited evidence, which has 5 mg",)),
        ("at most 6 hours", RANGE, ("the limit at 6 hours is the other way round in the cited evidence",)),
        ("a minimum of 6 hours", RANGE, ()),
        ("one tablet", "Take a tablet.", ()),
        ("10 mg a day", "The daily dose is 10 mg.", ()),
        (
            "10 mg a day",
            "The dose is 10 mg a week.",
            ("10 mg a day is not in the cited evidence, which has 10 mg a week",),
        ),
        ("10 mg a day", "The dose is 10 mg.", ("10 mg a day is not in the cited evidence, which has 10 mg",)),
        ("8 tablets in 24 hours", "8 tablets a day", ()),
        ("30 mL/min/1.73 m²", "30 mL/min", ()),
        ("500 mg", "500 is on the pack", ("500 mg is not in the cited evidence",)),
        ("no number", "", ()),
        ("once daily", "One 75 mg tablet a day.", ()),
        ("once daily", "3,000 mg a day in three doses.", ("once daily is not in the cited evidence",)),
        ("three times a day", "Take it every 8 hours.", ()),
        ("twice a day", "Take it every 8 hours.", ("twice a day is not in the cited evidence",)),
        ("at week 26", "It was better at 26 weeks.", ()),
        ("on day 26", "It was better at 26 weeks.", ("26 is not in the cited evidence, which has 26 weeks",)),
        ("reduced by half", "It is halved.", ()),
        ("reduced by 50%", "It is halved.", ()),
        ("60 mg/kg per dose", "60 mg per kg of body weight in 24 hours", (
            "60 mg/kg per dose is not in the cited evidence, which has "
            "60 mg per kg of body weight in 24 hours",
        )),
        ("60 mg/kg per dose", "60 mg/kg as a single dose", ()),
        ("1", "Take 5 mg a day.", ("1 is not in the cited evidence",)),
        ("up to 10%", "may affect up to 1 in 10 people", ()),
    ],
)  # fmt: skip
def test_what_the_evidence_lacks_is_said_in_words(
    said: str, evidence: str, wrong: tuple[str, ...]
) -> None:
    assert differences(said, [evidence]).wrong == wrong


def test_the_same_amount_in_another_unit_is_told() -> None:
    found = differences("The highest dose is 1 g.", ["The highest dose is 1,000 mg."])
    assert found.wrong == () and found.rewritten == ("1 g is 1,000 mg in the cited evidence",)
    assert differences("50 mcg", ["50 micrograms"]).rewritten == ()


def test_a_short_sentence_reads_its_numbers_as_the_evidence_does() -> None:
    german = "Die Höchstdosis beträgt 3.000 mg pro Tag."
    assert has_decimal_comma(german) and has_decimal_comma("3.000 mg") is None
    assert differences("Höchstdosis: 3.000 mg", [german]).wrong == ()
    assert differences("Höchstdosis: 3 mg", [german]).wrong


VALUES = st.integers(1, 10**6)
MASSES = {
    "mg": 1,
    "g": 1000,
    "kg": 10**6,
    "micrograms": Fraction(1, 1000),
    "ng": Fraction(1, 10**6),
}


@given(VALUES, st.sampled_from(sorted(MASSES)), VALUES, st.sampled_from(sorted(MASSES)))
def test_amounts_are_equal_exactly_when_their_masses_are(
    one: int, unit: str, other: int, other_unit: str
) -> None:
    found = differences(f"take {one} {unit}", [f"take {other:,} {other_unit}"])
    assert (not found.wrong) is (one * MASSES[unit] == other * MASSES[other_unit])


@given(st.text(alphabet="0123456789.,/-–^⁹½ mgxulhk%°a×d", max_size=60))
def test_any_text_has_quantities_and_holds_its_own(text: str) -> None:
    assert all(one.amount is not None for one in quantities(text))
    assert differences(text, [text]).wrong == ()


def test_what_is_kept_of_a_text_is_nobody_s_to_change() -> None:
    quantities("Take 20 mg a day.").clear()
    assert [one.value for one in quantities("Take 20 mg a day.")] == [20]
