"""Everyday words for findings, and the clinical terms for the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.glosses.lay_terms import terms_for
from core.text.spelling.short_forms import AskedForms


@pytest.mark.parametrize(
    ("text", "said", "other"),
    [
        ("How many had double vision?", "double vision", "diplopia"),
        ("Nosebleeds with it?", "Nosebleeds", "epistaxis"),
        ("is itching common", "itching", "pruritus"),
        ("frequency of epistaxis", "epistaxis", "nosebleed"),
        ("Blood-stained sputum after a week", "Blood-stained sputum", "haemoptysis"),
        ("haemoptysis", "haemoptysis", "blood-stained sputum"),
    ],
)
def test_either_is_found_by_the_other(text: str, said: str, other: str) -> None:
    assert (said, other) in [tuple(one) for one in terms_for(text)]


@pytest.mark.parametrize(
    "text",
    [
        "What is the dose of ibuprofen for a child of 5 years?",
        "Should I boil the water?",
        "a weak acid",
        "for a viral infection",
    ],
)
def test_words_that_are_none_stay_what_they_are(text: str) -> None:
    assert not list(terms_for(text))


def test_a_statement_is_read_in_the_words_of_the_question() -> None:
    question, row = "How many had double vision?", "Diplopia: 28; Placebo: 7."
    forms = AskedForms.of(question, (), terms_for(question), row)
    assert forms.put(row) == "double vision: 28; Placebo: 7."


@given(st.text(max_size=200))
def test_any_text_may_be_asked(text: str) -> None:
    assert all(one.short in text and one.words for one in terms_for(text))
