"""Tables whose rows run on in a text: read where heads and numbers leave no doubt."""

from __future__ import annotations

import pytest

from core.boards.reading.flattened import flat_tables

OWN = frozenset({"fingolimod", "aubagio"})


def rows(text: str) -> dict[str, str]:
    """Name -> what it is said of how often."""
    return {
        text[one.start : one.name_end]: one.frequency.said
        for table in flat_tables(text, OWN)
        for one in table.rows
    }


def test_names_then_sizes_and_groups_before_their_first_row() -> None:
    text = (
        "Table 1: Adverse Reactions (Occurring in ≥1% of Patients and at ≥1% Higher Rate Than for Placebo) "
        "Fingolimod 0.5 mg Placebo Adverse Drug Reactions N=783 N=773 % % Infections Influenza 11 8 Herpes "
        "zoster 2 1 Cardiac disorders Bradycardia 3 1 Skin and subcutaneous tissue disorders Alopecia 3 2 "
        "Investigations Liver transaminase elevations (ALT/GGT/AST) 15 4 Odd Heading Cough 12 11 Blood "
        "disorders Lymphopenia 7 <1 Abbreviations: ALT, alanine transaminase. "
        "Reactions of seizure were also reported in Studies 1 and 3."
    )
    assert rows(text) == {
        "Influenza": "11%",
        "Herpes zoster": "2%",
        "Bradycardia": "3%",
        "Alopecia": "3%",
        "Liver transaminase elevations (ALT/GGT/AST)": "15%",
        "Lymphopenia": "7%",
    }, "where “Odd Heading Cough” begins is not known"


def test_a_group_that_a_line_parts_is_no_part_of_its_first_row() -> None:
    """A line's end is a mark and a line feed, each told as a space."""
    text = (
        "Fingolimod N = 543 % Placebo N = 378 % Body as a  Whole Fatigue 11 5 Increased weight 3 2 Digestive "
        "system Dry mouth or throat 2 1 Constipation 2 1 Nervous  system Tremor 7 3 Ataxia 13 6"
    )
    assert rows(text) == {
        "Fatigue": "11%",
        "Increased weight": "3%",
        "Dry mouth or throat": "2%",
        "Constipation": "2%",
        "Tremor": "7%",
        "Ataxia": "13%",
    }


def test_columns_by_their_own_heads_marks_of_notes_and_several_doses() -> None:
    placebo_first = (
        "Adverse Reaction Placebo (N=238) % Fingolimod 10 mg twice daily (N=400) % Headache a 4 7 Back Pain* "
        "2 5 Dry Mouth 1 5 Nausea <1 3"
    )
    assert rows(placebo_first) == {
        "Headache": "7%",
        "Back Pain": "5%",
        "Dry Mouth": "5%",
        "Nausea": "3%",
    }
    doses = (
        "Adverse Reaction AUBAGIO 7 mg (N=1045) AUBAGIO 14 mg (N=1002) Placebo (N=997) Headache 18% 16% 15% "
        "Increase in Alanine aminotransferase 13% 15% 9% Nausea 8% 11% 7% Joint pain 8% 6% 5%"
    )
    assert rows(doses)["Headache"] == "18% / 16%"
    assert rows(doses)["Increase in Alanine aminotransferase"] == "13% / 15%"


@pytest.mark.parametrize(
    "text",
    [
        # No head says which column is the medicine's.
        "Group A N=10 % Group B N=12 % Headache 4 7 Nausea 2 5 Rash 1 5 Coma 1 3",
        # The second column may be another dose of it.
        "Fingolimod 5 mg (N=10) % 10 mg (N=12) % Headache 4 7 Nausea 2 5 Rash 1 5 Coma 1 3",
        # Rows with more numbers than heads, and numbers that are no percentages.
        "Fingolimod N=10 % Placebo N=12 % Headache 4 7 1 Nausea 2 5 1 Rash 1 5 1 Coma 1 3 1",
        "Fingolimod N=10 Placebo N=12 Headache 4 7 Nausea 2 5 Rash 1 5 Coma 1 3",
        "Of Fingolimod (n=10) and Placebo (n=12), 4% had it. Headache 4 7 was seen.",
    ],
)
def test_what_is_not_certain_is_left(text: str) -> None:
    assert rows(text) == {}
