"""English questions in the words that German and Dutch documents have."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.text.glosses.of_documents import DocumentWords

GERMAN = """Dosierung: Die empfohlene Dosis beträgt 200 mg. Die Tabletten werden während der Mahlzeiten
eingenommen. Gegenanzeigen: Bei Hautreaktionen darf das Arzneimittel nicht eingenommen werden. Hypertension.
Aufbewahrung: Nicht über 25 °C aufbewahren. Antidot: keines. Die INR ist zu kontrollieren. Nach dem Stillen."""
DUTCH = """Gebruik: de aanbevolen dosis is 200 mg per dag. Bewaren in de koelkast. Bij nierproblemen is de dosis
lager. Bijwerkingen: hoofdpijn."""


@pytest.fixture(scope="module")
def german() -> DocumentWords:
    return DocumentWords.of([GERMAN], "de")


@pytest.mark.parametrize(
    ("question", "put"),
    [
        # Of several words for a thing the one that stands there, in the form that it has there.
        ("How should X be stored?", "wie soll X werden aufbewahren?"),
        ("contraindications of X", "Gegenanzeigen von X"),
        ("skin reactions with X", "Hautreaktionen mit X"),
        ("What's the dose?", "was die Dosis?"),
        ("Can I take X during breast feeding?", "kann ich nehme X während Stillen?"),
        # Spelt nearly alike; what means another thing is not.
        ("Is there an antidote?", "gibts an Antidot?"),
        ("Does X cause hypotension?", "tut X verursachen blutdruckabfall?"),
        # What stands there as it is asked stays, and so does what nobody knows.
        ("INR with X 5 mg", "INR mit X 5 mg"),
        # A word is one with the next only where nothing but a space or a hyphen parts them.
        ("breast-feeding", "Stillen"),
        ("G0O", "G0O"),
        ("zzyzxavir", "zzyzxavir"),
        ("", ""),
    ],
)
def test_a_question_in_the_words_of_a_german_document(
    german: DocumentWords, question: str, put: str
) -> None:
    assert german.put(question, ["X"]) == put


def test_and_of_a_dutch_one() -> None:
    words = DocumentWords.of([DUTCH], "nl")
    assert words.put("side effects of Lamovira", ["Lamovira"]) == "Bijwerkingen van Lamovira"
    assert words.put("store X in the refrigerator?", ["X"]) == "Bewaren X in de koelkast?"


def test_a_medicine_stays_as_it_is_named(german: DocumentWords) -> None:
    assert german.put("dose of Tablets", ["Tablets"]) == "Dosis von Tablets"
    assert german.put("dose of Tablets") == "Dosis von Tabletten"


@settings(max_examples=200)
@given(st.text(max_size=80))
def test_numbers_stay_whatever_is_asked(text: str) -> None:
    words = DocumentWords.of([GERMAN], "de")
    assert re.findall(r"[0-9]+", words.put(text)) == re.findall(r"[0-9]+", text)
