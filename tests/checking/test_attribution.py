"""Whether a number is given to what the evidence gives it to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.checking.amounts import EvidenceStatement, parts_of, spoken_part
from core.checking.attribution import attribution_problems
from tests.checking.test_support import ids_in

PARA = (
    "Children from 6 years: 10 to 15 mg per kg per dose; no more than 60 mg per kg in 24 hours. "
    "Adults over 50 kg: 500 mg to 1,000 mg per dose, at most 4,000 mg in 24 hours."
)
ACID = (
    "Acetylsalicylic acid, 75 mg to 100 mg a day, is taken with it; pantoprazole 40 mg may be used."
)
SHARES = (
    "Common (may affect up to 1 in 10 people): headache, dizziness. "
    "Uncommon (may affect up to 1 in 100 people): insomnia, tremor."
)
HEPARIN = "For thrombosis 150 IU/kg once daily or 100 IU/kg twice daily are given."
START = "The usual starting dose is 10 mg a day, the usual maintenance dose 20 mg. The highest dose is 80 mg."
LIMITS = "The dose range is 10 mg to 80 mg. In patients taking ciclosporin the dose should not exceed 10 mg."
COURSES = "Cystitis: 250 mg twice daily for 3 days. Infections of the lung: 500 mg twice daily for 14 days."
CHOICE = "Die Anfangsdosis beträgt 1,25 mg oder 2,5 mg einmal täglich. Die Tagesdosis ist 5 mg bis 10 mg."


@pytest.mark.parametrize(
    ("said", "evidence", "problem"),
    [
        ("Children take 10-15 mg/kg per dose.", PARA, ""),
        ("Children take 500 mg per dose.", PARA, "500 mg per dose is for adults"),
        ("Adults take up to 1 g per dose; children 15 mg/kg.", PARA, ""),
        ("Up to 60 mg/kg per dose.", PARA, "which has 60 mg per kg in 24 hours"),
        ("The usual dose is 4,000 mg in 24 hours.", PARA, "is the highest dose"),
        ("The maximum is 4 g in 24 hours.", PARA, ""),
        ("Clopidogrel 100 mg a day is taken.", ACID, "100 mg a day is of Acetylsalicylic acid"),
        ("Clopidogrel 40 mg is taken.", ACID, "40 mg is of pantoprazole"),
        ("Clopidogrel is taken with 75-100 mg of acetylsalicylic acid.", ACID, ""),
        ("Pantoprazole is used at 40 mg.", ACID, ""),
        ("Headache affects up to 1 in 100.", SHARES, "is not what the cited evidence gives there"),
        ("Headache affects up to 10%.", SHARES, ""),
        ("Insomnia and tremor affect 1% at most.", SHARES, ""),
        ("For thrombosis 150 IU/kg twice daily.", HEPARIN, "is taken once daily"),
        ("For thrombosis 100 IU/kg twice daily.", HEPARIN, ""),
        (
            "Take 7.5 mg daily.",
            "Start with 7.5 mg once a week. Never take it daily.",
            "once a week",
        ),
        ("Take 500 mg a day.", "Take 500 mg two or three times a day.", "is taken two"),
        ("Take 500 mg three times a day.", "Take 500 mg two or three times a day.", ""),
        ("Start with 10 mg a day.", START, ""),
        ("Start with 20 mg.", START, "20 mg is the maintenance dose"),
        ("The usual dose is 20 mg.", START, ""),
        ("The usual dose is 80 mg.", START, "80 mg is the highest dose"),
        ("The highest dose is 20 mg.", START, "not the highest one"),
        ("With ciclosporin take at least 10 mg.", LIMITS, "other way round"),
        ("With ciclosporin take 10 mg at most.", LIMITS, ""),
        ("For cystitis 3 days are enough.", COURSES, ""),
        ("For cystitis 14 days are needed.", COURSES, "gives there: 3 days"),
        ("1,25 bis 2,5 mg einmal täglich.", CHOICE, "no range"),
        ("1,25 oder 2,5 mg einmal täglich.", CHOICE, ""),
        ("5-10 mg am Tag.", CHOICE, ""),
    ],
)
def test_a_number_belongs_to_what_it_stands_by(said: str, evidence: str, problem: str) -> None:
    found = attribution_problems(said, [EvidenceStatement(evidence, "Clopidogrel")], ids_in)
    assert problem in " ".join(found)
    assert bool(found) is bool(problem), found


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("The highest dose of metformin is 3,000 mg, that of warfarin 9 mg.", ""),
        ("Metformin's highest dose is 9 mg and warfarin's is 3,000 mg.", "9 mg is of another drug"),
        ("Metformin goes up to 9 mg a day.", "another drug in the cited evidence: Warfarin"),
        ("Warfarin is taken at 9 mg a day; metformin at up to 3 g.", ""),
        ("The doses are 9 mg and 3,000 mg a day.", ""),
    ],
)
def test_of_two_leaflets_a_number_is_of_its_own(said: str, problem: str) -> None:
    evidence = [
        EvidenceStatement("The highest dose is 3,000 mg a day.", "Metformin Dose"),
        EvidenceStatement("The dose is 3 mg to 9 mg a day.", "Warfarin Dose"),
    ]
    found = attribution_problems(said, evidence, ids_in)
    assert problem in " ".join(found) and bool(found) is bool(problem), found


@given(
    st.lists(
        st.tuples(
            st.sampled_from(("Adults", "Children", "Older people", "Clopidogrel users")),
            st.sampled_from(
                ("take", "start with", "take at most", "need at least", "usually take")
            ),
            st.integers(1, 900),
            st.sampled_from(("mg", "ml", "mg/kg", "%", "days")),
            st.sampled_from(("", " a day", " twice daily", " per dose")),
        ),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from((". ", "; ")),
)
def test_what_is_copied_has_no_problem(
    rows: list[tuple[str, str, int, str, str]], separator: str
) -> None:
    told = [f"{who} {verb} {n} {unit}{period}" for who, verb, n, unit, period in rows]
    evidence = [EvidenceStatement(f"{separator.join(told)}.", "Leaflet")]
    for one in told:
        assert attribution_problems(f"{one}.", evidence, ids_in) == [], one


_PIECES = st.sampled_from(
    "10 mg|20 mg|40 mg|10 mg a day|twice daily|5 %|48 hours|at most|start with|adults|children|"
    "metformin|warfarin|to|or|für|,|;|.|: |\n".split("|")
)
_TEXTS = st.lists(_PIECES | _PIECES | _PIECES | st.text(max_size=20), max_size=12).map(" ".join)


@given(_TEXTS, st.lists(_TEXTS, max_size=3))
def test_of_any_text_only_numbers_that_the_evidence_has_are_objected_to(
    said: str, texts: list[str]
) -> None:
    evidence = [EvidenceStatement(text, text[:9]) for text in texts]
    parts = parts_of(evidence)
    known = [
        one.written
        for one in spoken_part(said, evidence).found
        if any(part.has(one) for part in parts)
    ]
    for problem in attribution_problems(said, evidence, ids_in):
        assert any(written in problem for written in known), problem
