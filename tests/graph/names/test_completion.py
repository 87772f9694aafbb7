"""Entities found by what is being typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.names import name_key
from core.graph.names.completion import LONGEST_QUERY, Completed, Completer

NAMES = [
    ("type 2 diabetes mellitus", "M1", "Disease"),
    ("NIDDM", "M1", "Disease"),
    ("MONDO:0005148", "M1", "Disease"),
    ("M1", "M1", "Disease"),
    ("Metformin", "DB00331", "Drug"),
    ("Glucophage", "DB00331", "Drug"),
    ("DB00331", "DB00331", "Drug"),
    ("diabetes insipidus", "M2", "Disease"),
    ("Haemorrhage", "E1", "Phenotype"),
    ("Gout", "D1", "Disease"),
    ("gout", "E2", "Phenotype"),
    ("esophageal cancer", "M3", "Disease"),
    ("diabetes", "M4", "Disease"),
    ("MET", "P1", "Protein"),
    ("prometaphase", "W1", "Pathway"),
    ("10% & _ <b>", "X1", "Exposure"),
]
COMPLETER = Completer(NAMES)


@pytest.mark.req("KG-17")
@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("met", ["P1", "DB00331", "W1"]),  # called so, beginning so, containing it
        ("Metf", ["DB00331"]),
        ("glucoph", ["DB00331"]),
        ("niddm", ["M1"]),
        ("diab", ["M2", "M4", "M1"]),  # names that begin so before words that do
        ("diabetes", ["M4", "M2", "M1"]),
        ("diabetes mell", ["M1"]),
        ("mellitus type 2", ["M1"]),
        ("GOUT", ["D1", "E2"]),
        ("db003", ["DB00331"]),
        ("0005148", ["M1"]),
        ("mondo:0005", ["M1"]),
        ("hemorr", ["E1"]),
        ("haemorr", ["E1"]),
        ("oesophag", ["M3"]),
        ("10%", ["X1"]),
        ("_", ["X1"]),
        ("zz", []),
        ("   ", []),
        ("x" * (LONGEST_QUERY + 1), []),
    ],
)
def test_what_is_typed_finds(typed: str, found: list[str]) -> None:
    completion = COMPLETER.complete(typed, 8)
    assert list(completion.entity_ids) == found
    assert not completion.read_as


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("metfromin", "DB00331"),
        ("metfomi", "DB00331"),
        ("diabtes insip", "M2"),
        ("hemorhage", "E1"),
        ("haemorhage", "E1"),
        ("glucofage", "DB00331"),
    ],
)
def test_misspelt_names_are_read_only_where_nothing_is_called_so(typed: str, found: str) -> None:
    completion = COMPLETER.complete(typed, 8)
    assert completion.entity_ids[0] == found and completion.read_as


def test_the_limit_holds_and_an_empty_graph_has_none() -> None:
    assert COMPLETER.complete("diab", 2).entity_ids == ("M2", "M4")
    assert COMPLETER.complete("gout", 1) == Completed(("D1",), exact=1)
    assert Completer(()).complete("met", 8) == Completed()


@given(st.lists(st.text(max_size=12), min_size=1, max_size=30), st.data())
def test_every_beginning_of_every_name_finds_it(texts: list[str], data: st.DataObject) -> None:
    """Whatever characters names have; what cannot be compared has no key."""
    names = [(text, f"id {number}", "Drug") for number, text in enumerate(texts)]
    completer = Completer(names)
    name, entity_id, _ = data.draw(st.sampled_from(names))
    key = name_key(name)
    typed = key[: data.draw(st.integers(1, max(len(key), 1)))]
    if name_key(typed) and ":" not in name:
        assert entity_id in completer.complete(typed, len(names)).entity_ids
