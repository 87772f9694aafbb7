"""What is told of a paper for what it has: a register's number, a row pointed to, a dose; where tables and
abstracts belong."""

from __future__ import annotations

import pytest

from core.evidence.passages import Quote
from core.evidence.reading.papers import behind_others
from core.evidence.reading.raised import number_asked, raised
from core.workspace import Workspace
from tests.evidence.reading.conftest import WithPaper
from tests.support.records import a_hit

HEADS = "| Outcome | Brelunapant 12.5 mg | Brelunapant 25 mg | Placebo |\n|---|---|---|---|"
PAPER = f"""Brelunapant in adults with resistant hypertension

A. Berg, C. Dahl, Department of Medicine, University Hospital

ABSTRACT

METHODS In this double-blind trial patients received brelunapant 12.5 mg, brelunapant 25 mg or placebo daily.
RESULTS At week 12 the office pressure was lower by 8.7 mm Hg with brelunapant 12.5 mg than with placebo.
CONCLUSIONS Brelunapant lowered the office pressure. (Funded by Castellan; SUMMIT-RH, NCT05918274.)

Methods

Patients with severe renal disease were excluded, and so were those with heart failure in the last six months.

Results

The 24-hour ambulatory pressure was lower with both doses of brelunapant than with placebo (Table 2).

Table 2. Secondary outcomes at week 12

{HEADS}
| Change in 24-hour ambulatory pressure, mm Hg | -12.9 | -15.2 | -4.7 |
| Office pressure below 130 mm Hg, no. (%) | 104 (37.0) | 119 (42.2) | 51 (18.2) |

Discussion

Brelunapant lowered the pressure in an earlier trial, too.

Funding

Castellan paid for the trial of brelunapant.

Table 4. Adverse events in the safety population

{HEADS}
| Hyponatraemia | 23 (8.2) | 34 (12.1) | 12 (4.3) |
| Symptomatic hypotension | 10 (3.6) | 18 (6.4) | 4 (1.4) |
"""


@pytest.fixture(scope="module")
def paper(with_paper: WithPaper) -> Workspace:
    return with_paper("brelunapant.md", PAPER)


@pytest.mark.parametrize(
    ("question", "number", "is_meant"),
    [
        ("NCT number of the trial?", "NCT05918274", True),
        ("clinicaltrials.gov identifier", "NCT05918274", True),
        ("EudraCT number", "2019-004417-26", True),
        ("EudraCT number", "NCT05918274", False),
        ("PROSPERO ID", "CRD42024533190", True),
        ("EU PAS number", "EUPAS48213", True),
        ("trial registration number?", "ISRCTN12345678", True),
        ("trial registration number?", "2.31", False),
        ("Was it a registered trial?", "ISRCTN12345678", True),
    ],
)
def test_how_registers_write_their_numbers(question: str, number: str, is_meant: bool) -> None:
    asked = number_asked(question)
    assert asked is not None and (asked.search(f"({number}).") is not None) is is_meant


@pytest.mark.parametrize(
    "question",
    [
        "How many patients took it?",
        "phone number of the pregnancy registry",
        "registration number of the tablets",
        "dose of X",
    ],
)
def test_other_numbers_are_of_no_register(question: str) -> None:
    assert number_asked(question) is None


@pytest.mark.parametrize(
    "question", ["NCT number of the brelunapant trial?", "trial registration number brelunapant"]
)
def test_the_number_of_a_study_is_told(paper: Workspace, question: str) -> None:
    answer = paper.chat.answer(question)
    assert not answer.refused and "NCT05918274" in answer.text
    assert "(37.0)" not in answer.text


def test_a_number_that_no_document_has_is_told_by_none(paper: Workspace) -> None:
    answer = paper.chat.answer("EudraCT number of the brelunapant trial?")
    assert answer.refused or answer.may_not_answer


def a_row(caption: str, heading: str = "Results") -> Quote:
    text = f"{caption} – Event: Death; Placebo: 2."
    parts = ("Event: Death", "Placebo: 2")
    hit = a_hit(text, heading=heading)
    return Quote(hit, text, 0, len(text), text, row=True, labels=(f"{caption} – ",), parts=parts)


def a_sentence(text: str, heading: str = "Results", *, of: str = "") -> Quote:
    """A sentence, of a longer text (`of`) where that is given."""
    whole = of or text
    start = whole.index(text)
    return Quote(a_hit(whole, heading=heading), text, start, start + len(text), text)


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        ("The pressure was lower with both doses (Table 2).", [4.0, 3.7, 2.0]),
        ("The pressure was lower with both doses (see table 3).", [4.0, 1.0, 3.7]),
        ("The pressure was lower with both doses.", [4.0, 1.0, 2.0]),
        ("The pressure was lower with both doses (Table 22).", [4.0, 1.0, 2.0]),
    ],
)
def test_a_row_of_the_table_that_is_pointed_to_stands_behind_the_sentence(
    text: str, scores: list[float]
) -> None:
    quotes = [a_sentence(text), a_row("Table 2. Outcomes"), a_row("Table 3. Adverse events")]
    assert raised("How much lower was the pressure?", quotes, [4.0, 1.0, 2.0], []) == scores


def test_what_stands_first_already_is_raised_no_further() -> None:
    quotes = [a_sentence("It is NCT05918274."), a_sentence("It took 12 weeks.")]
    assert raised("NCT number?", quotes, [4.0, 1.0], []) == [4.0, 1.0]
    assert raised("NCT number?", quotes, [0.0, 1.0], []) == [4.0, 1.0]


RESULTS = {"results": 0.9, "methods": 0.1}
ABSTRACT = (
    "METHODS In this trial they took it for weeks. RESULTS At week 12 it was lower by 9 mm Hg."
)


def test_tables_and_abstracts_stand_behind_by_what_they_are() -> None:
    labelled = ABSTRACT.replace(" RESULTS", "\nRESULTS")
    long = "Larvexin once daily lowered the number of days with migraine by four in all patients."
    quotes = [
        a_sentence("It was lower by 9 mm Hg.", "Results"),
        a_sentence("Berg A. Heart 2019.", "References"),
        a_row("Table 4. Adverse events", "References"),
        a_row("Table 1. Patients", "Methods"),
        a_sentence(ABSTRACT.split(" RESULTS")[0], "Abstract", of=labelled),
        a_sentence(ABSTRACT[ABSTRACT.index("RESULTS") :], "Abstract", of=labelled),
        a_sentence(long, ""),
        a_sentence("A. Berg, C. Dahl", ""),
    ]
    behind = behind_others(quotes, "How much lower was it?", lambda: RESULTS)
    assert [bool(one < 0) for one in behind] == [
        False, True, False, False, True, False, False, True,
    ]  # fmt: skip


def test_a_table_where_its_page_has_room_stands_under_the_title_alone() -> None:
    assert a_row("Table 4. Adverse events", "Funding").context == "Metformin"
    assert a_row("Table 4. Adverse events", "Results").context == "Metformin · Results"
    assert a_sentence("They paid for it.", "Funding").context == "Metformin · Funding"


def test_a_number_beyond_what_search_finds_is_told(with_paper: WithPaper) -> None:
    said = "In centre {n} the number of patients in the registered trial of brelunapant was {of}."
    sections = [f"Results {n}\n\n{said.format(n=n, of=7 * n)}\n" for n in range(160)]
    days = [f"On day {n} the gate opens at {n} and the porter leaves at noon." for n in range(40)]
    office = "\n".join(["Office\n", *days, "Letters go to box ISRCTN12345678 at the gate.\n"])
    text = "\n".join([PAPER.partition("(Funded by")[0], *sections, office])
    found = with_paper("brelunapant.md", text)
    assert "ISRCTN12345678" in found.chat.answer("brelunapant trial registration number?").text


def test_the_row_that_a_sentence_points_to_is_told_with_it(paper: Workspace) -> None:
    answer = paper.chat.answer(
        "How much was the 24-hour ambulatory pressure lower with brelunapant 12.5 mg?"
    )
    assert "-12.9" in answer.text


def test_a_table_behind_the_funding_is_of_the_results(paper: Workspace) -> None:
    answer = paper.chat.answer("hyponatraemia rate with brelunapant 25 mg")
    assert not answer.refused and "34 (12.1)" in answer.text


def test_an_abstract_has_parts_by_its_labels(paper: Workspace) -> None:
    answer = paper.chat.answer(
        "By how much was the office pressure lower at week 12 with brelunapant 12.5 mg?"
    )
    assert "8.7 mm Hg" in next(one.text for one in answer.sentences if one.decisive)


@pytest.mark.parametrize(("dose", "is_named"), [("25 mg", True), ("50 mg", False)])
def test_a_dose_that_nothing_quoted_has_is_named(
    paper: Workspace, dose: str, is_named: bool
) -> None:
    answer = paper.chat.answer(f"hyponatraemia rate with brelunapant {dose}")
    said = f"No passage that is quoted names “{dose}”" in answer.notice
    assert said is not is_named
    assert is_named or answer.may_not_answer
