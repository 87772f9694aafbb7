"""Parts of papers: which heading begins one, and what stands under it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.cutting.parts import goes_on_under, part_in, part_of, with_part
from core.documents.cutting.sections import sections
from core.domain.documents import Page

PAPER = """A trial of larvexin

1. Background

Larvexin is new.

2. Methods

2.1 Sample size

We assumed a response of 33%.

3. Results

The response was 39%.

4. Discussion

Others found 28%.

5. Other information

Funding came from nobody.
"""
LEAFLET = """Larvexin

Methods

Swallow it.

Discussion

Ask a doctor.
"""


def parts(text: str) -> dict[str, str]:
    """Heading -> the heading of the part that it stands under."""
    return {one.heading: one.part for one in sections([Page(1, text)])[1]}


@pytest.mark.parametrize(
    ("heading", "code"),
    [
        ("Methods", "methods"),
        ("2. Patients and methods", "methods"),
        ("MATERIALS AND METHODS", "methods"),
        ("2 | MATERIALS AND METHODS", "methods"),
        ("Results", "results"),
        ("Case 2", "results"),
        ("Ergebnisse", "results"),
        ("Discussion and conclusions", "discussion"),
        ("IV. Conclusion", "discussion"),
        ("Introduction", "background"),
        ("Funding and conflicts of interest", "administrative"),
        ("Acknowledgements:", "administrative"),
        ("Method of administration", ""),
        ("Results of laboratory tests may change", ""),
        ("Sample size", ""),
        ("", ""),
    ],
)
def test_headings_begin_parts(heading: str, code: str) -> None:
    assert part_of(heading) == code


def test_what_stands_below_a_part_is_of_it_and_what_stands_beside_it_is_not() -> None:
    found = parts(PAPER)
    assert found["2.1 Sample size"] == "2. Methods"
    assert found["3. Results"] == "3. Results"
    assert found["5. Other information"] == "5. Other information"
    assert found[""] == ""
    assert {one.code for one in sections([Page(1, PAPER)])[1]} == {""}


@pytest.mark.parametrize(
    ("heading", "runs_on"),
    [
        ("Sample size", "2. Methods"),
        ("2.1 Sample size", "2. Methods"),
        ("IV administration", "2. Methods"),
        ("10 mg arm", "2. Methods"),
        ("3 Annex", ""),
        ("3 | ANNEX", ""),
        ("2.3 | Outcomes", "2. Methods"),
        ("IV. Annex", ""),
        ("Results", "Results"),
    ],
)
def test_a_part_ends_at_a_number_of_its_own_level(heading: str, runs_on: str) -> None:
    assert goes_on_under("2. Methods", heading) == runs_on


def test_a_document_without_results_has_no_parts() -> None:
    assert set(parts(LEAFLET).values()) == {""}


def test_the_part_runs_on_over_pages() -> None:
    first, second = PAPER.split("4. Discussion")
    found = sections([Page(1, first), Page(2, "On the next page.\n\n4. Discussion" + second)])
    assert found[2][0].part == "3. Results"


@given(st.text(st.characters(exclude_characters="·"), max_size=60))
def test_a_part_is_known_by_the_headings_of_a_chunk(title: str) -> None:
    assert part_in(f"{title} · {with_part('2. Methods', '2.1 Sample size')}") == "methods"
    assert part_in(f"{title} · {with_part('', 'Sample size')}") == ""
