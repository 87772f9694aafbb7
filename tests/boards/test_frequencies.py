"""Frequencies as labels, brackets and cells say them, in four languages."""

from __future__ import annotations

import pytest

from core.domain.boards.records import FrequencyClass
from core.evidence.reading.frequencies import (
    in_brackets,
    label,
    of_cell,
    of_number,
    opener,
    predicate,
)

VERY_COMMON, COMMON, UNCOMMON, RARE, VERY_RARE, NOT_KNOWN = FrequencyClass


@pytest.mark.parametrize(
    ("text", "level", "rest"),
    [
        ("Common (may affect up to 1 in 10 people): headache", COMMON, "headache"),
        ("Common: may affect up to 1 in 10 people", COMMON, ""),
        ("Very common side effects (may affect more than 1 in 10 people):", VERY_COMMON, ""),
        ("Uncommon (≥1/1,000 to <1/100)", UNCOMMON, ""),
        ("The following side effects are very rare: coma", VERY_RARE, "coma"),
        ("Not known (cannot be estimated from the available data): a rash", NOT_KNOWN, "a rash"),
        (
            "Sehr selten (kann bis zu 1 von 10.000 Behandelten betreffen): Tinnitus",
            VERY_RARE,
            "Tinnitus",
        ),
        ("Häufig: kann bis zu 1 von 10 Behandelten betreffen", COMMON, ""),
        (
            "Soms (komen voor bij minder dan 1 op de 100 gebruikers): hoofdpijn",
            UNCOMMON,
            "hoofdpijn",
        ),
        ("Peu fréquent (peut affecter jusqu’à 1 personne sur 100) : nausées", UNCOMMON, "nausées"),
        ("Rare", RARE, ""),
    ],
)
def test_labels(text: str, level: FrequencyClass, rest: str) -> None:
    found = label(text)
    assert found is not None
    assert (found.frequency.level, text[found.end :]) == (level, rest)


@pytest.mark.parametrize(
    "text",
    ["Common sense is needed.", "Commonly used doses are 5 mg and 10 mg", "Rare instances of coma"],
)
def test_what_begins_so_and_is_no_label(text: str) -> None:
    assert label(text) is None


def test_rates_stand_as_they_are() -> None:
    assert [in_brackets(one) and in_brackets(one).said for one in ("10%-63%", "≥ 5%")] == [  # type: ignore[union-attr]
        "10%-63%",
        "≥ 5%",
    ]
    assert in_brackets("see section 4.4") is None and in_brackets("200 mg") is None
    assert of_number("12", "Drug (N=400) %").said == "12%"  # type: ignore[union-attr]
    assert of_number("12", "Patients") is None
    assert of_cell("Very rare").level is VERY_RARE  # type: ignore[union-attr]
    assert of_cell("Very rare disorders of the skin") is None


def test_words_outside_the_convention_get_no_class() -> None:
    opened, told = opener("and, rarely, euphoria"), predicate("Coma has been reported rarely.")
    assert opened is not None and (opened.frequency.said, opened.frequency.level) == (
        "rarely",
        None,
    )
    assert told is not None and (told.said, told.level) == ("rarely", None)
