"""One guess of a text's language, for word lists and for numbers."""

from __future__ import annotations

import pytest

from core.text.language import has_decimal_comma, language, may_be_alike


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Die Tabletten sind nicht mit Alkohol zu nehmen und", "de"),
        ("De tabletten zijn niet voor het kind, en u moet van", "nl"),
        ("Do not take the tablets with alcohol", "en"),
        ("Les comprimés ne sont pas pour les enfants", "fr"),
        ("Los comprimidos no son para el niño", "es"),
        ("Le compresse non sono per gli anziani", "it"),
        ("Quelle est la dose chez l'enfant ?", "fr"),
        ("¿Cuándo se debe tomar?", "es"),
        ("Qual è la dose massima nei bambini?", "it"),
        ("Mag je het zomaar doorknippen?", "nl"),
        ("Sind alle im Haus, die du kennst?", "de"),
        ("How long does her hay fever last, and is the car safe to drive after an MI?", "en"),
        ("Metformin Tagesdosis", "de"),
        ("Tagesdosis: 3.000 mg", "de"),
        ("Metformin daily dose", "en"),
        ("Dosering: 1.000 mg per dag", "nl"),
        ("Wie wird Ramipril in der Schwangerschaft bewertet?", "de"),
        ("Was Warfarin withdrawn?", ""),
        ("What is Ramipril for?", "en"),
        ("Hoe wordt metformine ingenomen?", "nl"),
        ("Metformin 500 mg", ""),
        ("3.000 mg", ""),
        ("", ""),
    ],
)
def test_the_common_words_tell_the_language(text: str, found: str) -> None:
    assert language(text) == found


@pytest.mark.parametrize(
    ("text", "comma"),
    [
        ("Die Höchstdosis ist 1.000 mg.", True),
        ("De maximale dosis is 2,5 mg.", True),
        ("The highest dose is 1,000 mg.", False),
        ("1.000 mg", None),
    ],
)
def test_the_language_tells_how_numbers_are_written(text: str, comma: bool | None) -> None:
    assert has_decimal_comma(text) is comma


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("What is the dose?", "How often is it taken?", True),
        ("What is the dose?", "Wie oft ist es zu nehmen?", False),
        ("Metformin 500 mg", "Wie oft ist es zu nehmen?", True),
    ],
)
def test_texts_may_be_in_one_language(one: str, other: str, *, alike: bool) -> None:
    assert may_be_alike(one, other) is alike
