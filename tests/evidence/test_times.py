"""When in a course of treatment a statement holds, and with which partner."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.leaflets.conditions import Partner, Range
from core.domain.plans import Named
from core.evidence.patients.partners import with_others
from core.evidence.patients.times import at_one_time, times_of, times_told
from core.questions.leaflets.names import medicines, read_names
from core.questions.leaflets.question_text import QuestionText


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Days 1-4: 0.23 mg; Days 5-7: 0.46 mg", [(1, 4), (5, 7)]),
        ("Day 8 and thereafter: 0.92 mg", [(8, None)]),
        ("Days 1 and 2", [(1, 1), (2, 2)]),
        ("from day 5 on", [(5, None)]),
        ("2 mg once daily starting on Day 6", [(6, None)]),
        ("during Weeks 3 and 4", [(15, 21), (22, 28)]),
        ("after the first 2 weeks of treatment", [(15, None)]),
        ("in the fifth month", [(121, 150)]),
        ("until day 4", [(None, 4)]),
        ("ab Tag 5", [(5, None)]),
        ("in der dritten Woche", [(15, 21)]),
        ("dag 3 tot 5", [(3, 5)]),
        # Durations, intervals, and the days of something else.
        ("95 mg twice a day for 7 days", []),
        ("every 4 weeks", []),
        ("every third day", []),
        ("week 20 of pregnancy", []),
        ("Day 84 after the last dose", []),
    ],
)
def test_days_of_treatment_are_read(text: str, days: list[tuple[int, int]]) -> None:
    assert times_of(text) == tuple(Range(*one) for one in days)


_DAYS = st.integers(1, 60)
_SPANS = st.tuples(_DAYS, _DAYS).map(sorted)


def _said(ends: list[int], form: int) -> tuple[str, set[int]]:
    """A time in words, and the days that it is."""
    low, high = ends
    return [
        (f"Days {low} to {high}", set(range(low, high + 1))),
        (f"from day {low} on", set(range(low, 500))),
        (f"day {low} and thereafter", set(range(low, 500))),
        (f"Days {low} and {high}", {low, high}),
        (f"until day {high}", set(range(1, high + 1))),
        (f"week {low}", set(range(7 * low - 6, 7 * low + 1))),
        (f"after the first {low} days", set(range(low + 1, 500))),
    ][form]


@given(_SPANS, st.integers(0, 6), _SPANS, st.integers(0, 6))
def test_two_times_meet_where_they_have_a_day_in_common(
    one: list[int], form: int, other: list[int], other_form: int
) -> None:
    (asked, mine), (told, others) = _said(one, form), _said(other, other_form)
    assert at_one_time(times_of(asked), times_of(told)) == bool(mine & others), (asked, told)


def test_a_time_is_that_of_the_nearest_label() -> None:
    assert times_told("0.46 mg once daily", ["Week 3", "Day 5"]) == (Range(5, 5),)
    assert times_told("Day 8: 0.92 mg", ["Day 5"]) == (Range(8, 8),)


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("question", "subjects", "partners"),
    [
        (
            "How often amoxicillin with lansoprazole without clarithromycin?",
            ["amoxicillin"],
            {"lansoprazole": True, "clarithromycin": False},
        ),
        (
            "Patient can't take clarithromycin, so amoxicillin + lansoprazole only?",
            ["amoxicillin"],
            {"lansoprazole": True, "clarithromycin": False},
        ),
        (
            "Why must ibuprofen not be taken with methotrexate?",
            ["ibuprofen"],
            {"methotrexate": True},
        ),
        (
            "Dose of lamotrigine without valproate, carbamazepine or phenytoin?",
            ["lamotrigine"],
            {"valproate": False, "carbamazepine": False, "phenytoin": False},
        ),
        (
            "For an adult not on valproate, lamotrigine in week 1?",
            ["lamotrigine"],
            {"valproate": False},
        ),
        (
            "Amoxicillin ohne Clarithromycin und Ibuprofen?",
            ["Amoxicillin"],
            {"Clarithromycin": False, "Ibuprofen": False},
        ),
        ("Can I not take ibuprofen?", ["ibuprofen"], {}),
        ("Amoxicillin ohne Clarithromycin?", ["Amoxicillin"], {"Clarithromycin": False}),
    ],
)
def test_what_is_not_taken_is_no_subject(
    question: str, subjects: list[str], partners: dict[str, bool]
) -> None:
    marked = QuestionText.of(question)
    found = read_names(marked, medicines(marked, lambda _: []), together=True)
    assert [one.text for one in found] == subjects
    taken = [one for _, one in marked.conditions if isinstance(one, Partner)]
    assert {one.name.text: one.taken for one in taken} == partners


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("taken", "texts", "expected"),
    [
        (False, ["1 g amoxicillin and 500 mg clarithromycin twice daily"], True),
        (False, ["1 g amoxicillin three times daily, without clarithromycin"], False),
        (False, ["1 g amoxicillin three times daily"], False),
        (False, ["1 g twice daily", "Triple therapy with clarithromycin"], True),
        (True, ["1 g three times daily, without clarithromycin"], True),
        (True, ["1 g twice daily with clarithromycin"], False),
        (True, ["not taking rifampicin(a), clarithromycin, or erythromycin: 1 g"], True),
        (False, ["not taking rifampicin(a), phenytoin, or clarithromycin: 1 g"], False),
        (True, ["taking rifampicin, and not taking clarithromycin: 1 g"], True),
        (True, ["not taking rifampicin, so that clarithromycin: 1 g"], False),
    ],
)
def test_a_dose_with_a_partner_is_none_without(
    taken: bool, texts: list[str], expected: bool
) -> None:
    name = Named("clarithromycin", (), "clarithromycin", "")
    assert with_others(Partner(name, taken), texts) is expected


@pytest.mark.parametrize("join", ["/", ", ", " , ", ", plus ", " plus ", ", and or nor "])
def test_a_list_of_any_length_that_is_no_list_of_what_is_not_taken_is_soon_read(join: str) -> None:
    """Whatever a document writes there: a pattern that tried all ways to part it would not come to an end."""
    name = Named("warfarin", (), "warfarin", "")
    listed = join.join(["xy"] * (170 // len(f"xy{join}")))
    assert with_others(Partner(name, taken=False), [f"For those not on {listed}! warfarin"])
