"""Which words are made of words in everyday use."""

from __future__ import annotations

import pytest

from core.resources import read_text
from core.text.spelling import medicines
from core.text.spelling.everyday import is_compound, is_misspelt_everyday
from core.text.spelling.medicines import is_medicine
from core.text.word_lists import word_frequencies


@pytest.mark.parametrize(
    ("word", "code", "made"),
    [
        ("Laborwerte", "de", True),
        ("Dauertherapie", "de", True),
        ("Behandlungsdauer", "de", True),
        ("Nasenbluten", "de", True),
        ("bloedverdunner", "nl", True),
        ("Labor", "de", False),
        ("Torasemid", "de", False),
        ("Laborwerte", "en", False),
    ],
)
def test_compounds(word: str, code: str, made: bool) -> None:
    assert is_compound(word, code) is made


@pytest.mark.parametrize(
    ("word", "code", "misspelt"),
    [
        ("kontrolieren", "de", True),
        ("Schwangerschafft", "de", True),
        ("zwangerschp", "nl", True),
        ("Torasemid", "de", False),
        ("Marcumar", "de", False),
        ("kontrolieren", "en", False),
    ],
)
def test_misspelt_words(word: str, code: str, misspelt: bool) -> None:
    assert is_misspelt_everyday(word, code) is misspelt


@pytest.mark.parametrize(("code", "most"), [("de", 0.01), ("nl", 0.02)])
def test_hardly_any_name_of_a_medicine_is_taken_for_such_a_word(code: str, most: float) -> None:
    names = [
        name
        for name in _names()
        if len(name) > 5 and name not in word_frequencies(code) and is_medicine(name)
    ]
    taken = [name for name in names if is_compound(name, code) or is_misspelt_everyday(name, code)]
    assert len(names) > 4_000 and len(taken) <= most * len(names)


def _names() -> list[str]:
    lines = read_text(medicines.__file__, "medicines.txt").splitlines()
    return [line.strip().casefold() for line in lines if line.strip().isalpha()]
