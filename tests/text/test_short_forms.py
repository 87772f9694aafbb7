"""Short forms that a document gives or need not give, and words in use on both sides of the Atlantic."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.spelling.everyday import english_frequency, is_everyday
from core.text.spelling.short_forms import AskedForms, short_forms
from core.text.spelling.standard_forms import forms_in, is_meant_short, standard_forms

PAPER = (
    "Patients with pulmonary embolism (PE), deep vein thrombosis (DVT) or non-valvular atrial fibrillation "
    "(NVAF) were included. The estimated glomerular filtration rate (eGFR) was measured. "
    "PE was rarer than DVT. In NVAF the eGFR mattered. "
)


@pytest.mark.parametrize(
    ("text", "given_forms"),
    [
        (
            PAPER,
            {
                "PE": "pulmonary embolism",
                "DVT": "deep vein thrombosis",
                "NVAF": "non-valvular atrial fibrillation",
                "eGFR": "estimated glomerular filtration rate",
            },
        ),
        (
            "Serious adverse events (SAEs) were rare. Two SAEs led to death.",
            {"SAE": "Serious adverse events"},
        ),
        # One that is used nowhere else stands for nothing.
        ("The Global Safety Report Repository (GSRR) was searched.", {}),
        ("A dose (see Table 2) of 5 mg (10 tablets) was given. See Table 2.", {}),
        ("Take it once (twice if ill). It was given to Anna (AB). AB took it.", {}),
        ("The rate fell. Patients (PR) were seen. PR fell.", {}),
    ],
)
def test_what_a_text_gives_in_brackets(text: str, given_forms: dict[str, str]) -> None:
    assert {one.short: one.words for one in short_forms(text)} == given_forms


@pytest.mark.parametrize(
    ("question", "statement", "read_as"),
    [
        ("risk of pulmonary embolism", "The hazard ratio for PE was 1.89.",
         "The hazard ratio for pulmonary embolism was 1.89."),
        ("Risk of PE?", "Pulmonary embolism was rare.", "PE was rare."),
        # What it is a kind of is asked for.
        ("dose for atrial fibrillation", "In NVAF: 5 mg.", "In atrial fibrillation: 5 mg."),
        ("dose for fibrillation", "In NVAF: 5 mg.", "In NVAF: 5 mg."),
        # The question has both, or neither.
        ("PE (pulmonary embolism)?", "PE was rare.", "PE was rare."),
        ("risk of stroke", "PE was rare.", "PE was rare."),
        # Within another word it stands for nothing.
        ("risk of pulmonary embolism", "PEG is contained.", "PEG is contained."),
    ],
)  # fmt: skip
def test_a_statement_is_read_in_the_words_of_the_question(
    question: str, statement: str, read_as: str
) -> None:
    assert AskedForms.of(question, short_forms(PAPER)).put(statement) == read_as


@given(st.text(max_size=200), st.text(max_size=60), st.text(max_size=60))
def test_any_text_is_survived(text: str, question: str, statement: str) -> None:
    """Texts of documents are data: neither patterns nor templates."""
    known = short_forms(f"{text} {PAPER} {statement}")
    assert AskedForms.of(question, known).put(r"\1 \g<0> {}") == r"\1 \g<0> {}"
    assert all(one.short and one.words for one in known)


@pytest.mark.parametrize(
    ("word", "is_known"),
    [
        ("randomised", True),
        ("tumour", True),
        ("hospitalised", True),
        ("dose-response", True),
        ("brelunapant", False),
    ],
)
def test_british_words_are_in_everyday_use(word: str, is_known: bool) -> None:
    assert is_everyday(word, "en") is is_known


def test_words_of_another_language_have_a_list_of_their_own() -> None:
    assert is_everyday("Leitlinie", "de") and not is_everyday("randomised", "de")
    assert english_frequency("Tumour") == english_frequency("tumor") > 0


def test_each_standard_form_has_its_words_and_stands_once() -> None:
    forms = standard_forms()
    assert len(forms) > 100
    assert all(short == short.casefold() and words for short, words in forms.items())
    assert not any(short == one.casefold() for short, words in forms.items() for one in words)


@pytest.mark.parametrize(
    ("question", "statement", "read_as"),
    [
        ("max dose with a GFR of 25?", "At a glomerular filtration rate of 15 to 29: 5 mg.",
         "At a GFR of 15 to 29: 5 mg."),
        ("dose at CrCl 40", "Creatinine clearance below 50 mL/min: 5 mg.", "CrCl below 50 mL/min: 5 mg."),
        ("risk of uti", "Urinary tract infections were common.", "uti were common."),
        # Nothing has the words, or the question has them itself.
        ("risk of UTI", "Pneumonia was common.", "Pneumonia was common."),
        ("UTI (urinary tract infection)?", "Urinary tract infection: 3%.", "Urinary tract infection: 3%."),
    ],
)  # fmt: skip
def test_a_question_has_a_standard_form_and_a_document_the_words(
    question: str, statement: str, read_as: str
) -> None:
    forms = AskedForms.of(question, (), forms_in(question), statement)
    assert forms.put(statement) == read_as
    assert bool(forms.stood_for) == (statement != read_as)


@pytest.mark.parametrize(
    ("word", "text", "meant"),
    [
        ("GFR", "dose with a GFR of 25", True),
        ("uti", "risk of uti", True),
        ("AF", "Mag ik dit bij AF nemen?", True),
        # They are words of a language of the text.
        ("af", "Mag ik dit af en toe nemen?", False),
        ("alt", "Mein Vater ist 80 Jahre alt, welche Dosis?", False),
        ("im", "Welche Dosis im Alter?", False),
        ("cap", "one cap of syrup", False),
    ],
)
def test_a_word_of_the_language_is_no_short_form(word: str, text: str, meant: bool) -> None:
    assert is_meant_short(word, text) is meant
    assert any(one.short == word for one in forms_in(text)) is meant
