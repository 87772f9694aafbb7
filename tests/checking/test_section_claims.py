"""What a statement says of a condition without any limit, and what it leaves open."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.checking.section_claims import claims
from core.domain.graph import Mention

NAMES = {
    "metformin": "drug",
    "warfarin": "other",
    "asthma": "asthma",
    "gout": "gout",
    "multiple sclerosis": "ms",
    "high blood pressure": "bp",
    "hypertension": "bp",
    "hypersensitivity": "allergy",
    "renal impairment": "kidney",
}
HEADINGS = {
    "contraindications": "Contraindications",
    "indications": "Therapeutic indications",
    "interactions": "Interaction with other medicinal products",
}


def mentions(text: str) -> list[Mention]:
    found = re.finditer("|".join(NAMES), text, re.IGNORECASE)
    return [Mention(NAMES[m[0].casefold()], m.start(), m.end(), m[0]) for m in found]


def read(text: str, section: str) -> list[tuple[set[str], bool]]:
    found = claims(text, HEADINGS[section], section, mentions(text), {"drug"})
    return [(set(one.entity_ids), one.denied) for one in found]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Do not take Metformin: if you have asthma.", {"asthma"}),
        ("Metformin must not be used in the following situations: gout.", {"gout"}),
        ("Metformin tablets are contraindicated in patients with gout or asthma.", {"gout", "asthma"}),
        ("Asthma.", {"asthma"}),
        ("Contraindications: asthma, gout, and high blood pressure.", {"asthma", "gout", "bp"}),
        ("Contraindicated in multiple sclerosis (MS) [see Warnings (5.1)].", {"ms"}),
        ("Metformin is contraindicated in asthma, severe gout, or hypertension.", {"asthma"}),
        ("Contraindicated in gout, recent surgery, asthma, or hypertension that is new.", {"gout", "asthma"}),
        ("Metformin darf nicht eingenommen werden bei Asthma.", {"asthma"}),
    ],
)  # fmt: skip
def test_a_contraindication_without_a_limit(text: str, named: set[str]) -> None:
    found = read(text, "contraindications")
    assert set[str]().union(*(ids for ids, _ in found)) == named
    assert all(denied for _, denied in found)


@pytest.mark.parametrize(
    "text",
    [
        "Do not take Metformin: if you have severe asthma.",
        "Do not take Metformin: if you have had asthma in the last month.",
        "Do not take Metformin: if you have asthma and gout.",
        "Do not take Metformin: if you have asthma that is not treated.",
        "Do not take Metformin: if you have renal impairment (eGFR below 30 mL/min).",
        "Do not take Metformin unless you have asthma.",
        "Do not take Metformin: if you do not have asthma.",
        "Do not take Metformin after an attack of asthma.",
        "Do not take Metformin: if aspirin has ever given you asthma.",
        "Do not take Metformin with warfarin if you have asthma.",
        "Metformin is not contraindicated in asthma.",
        "Metformin can be used in patients with asthma who need it.",
        "Hypersensitivity to metformin.",
        "Hypersensitivity.",
        "A history of asthma.",
        "Severe asthma or gout.",
        "Minor aches of: asthma; gout; hypertension.",
        "Symptoms have included asthma.",
        "Uncontrolled hypertension.",
        "",
    ],
)
def test_what_is_narrower_denied_or_of_something_else_is_left_open(text: str) -> None:
    assert [one for one in read(text, "contraindications") if one[1]] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Metformin is indicated for the treatment of gout in adults.", [({"gout"}, False)]),
        ("Metformin is not indicated for asthma.", [({"asthma"}, True)]),
        ("Metformin should not be used to treat asthma.", [({"asthma"}, True)]),
        ("Metformin is indicated for the prevention of gout.", []),
        ("Metformin is indicated for severe gout.", []),
        ("Metformin is not indicated for acute asthma.", []),
        ("It does not treat the inflammation behind asthma.", []),
    ],
)
def test_indications(text: str, found: list[tuple[set[str], bool]]) -> None:
    assert read(text, "indications") == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Metformin does not interact with warfarin.", [({"other"}, True)]),
        ("No interaction with warfarin has been observed.", [({"other"}, True)]),
        ("No clinically relevant interaction with warfarin has been observed.", []),
        ("Metformin interacts with warfarin.", [({"other"}, False)]),
        ("A single dose does not interact with warfarin.", []),
    ],
)
def test_interactions(text: str, found: list[tuple[set[str], bool]]) -> None:
    assert read(text, "interactions") == found


@given(
    st.lists(
        st.sampled_from("asthma gout severe not , ; . ( ) or and if in unless metformin treated".split()),
        max_size=14,
    ).map(" ".join)
    | st.text(max_size=60),
    st.sampled_from([*HEADINGS, "storage", ""]),
)  # fmt: skip
def test_any_text_is_read_and_only_what_is_named_is_claimed(text: str, section: str) -> None:
    found = claims(text, "Heading", section, mentions(text), {"drug"})
    named = {one.entity_id for one in mentions(text)} - {"drug"}
    assert all(one.entity_ids and one.entity_ids <= named for one in found)
