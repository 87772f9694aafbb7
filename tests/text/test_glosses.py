"""German and Dutch questions word by word in English."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.resources import read_text
from core.text.glosses import in_english as module
from core.text.glosses.in_english import GLOSSED, in_english
from core.text.glosses.parted_verbs import with_whole_verbs
from core.text.language import language

ROOT = Path(__file__).parents[2]
LISTED = {
    code: [
        tuple(line.split("\t")) for line in read_text(module.__file__, f"{code}.tsv").splitlines()
    ]
    for code in GLOSSED
}
ASKING = {
    "de": "Wie ist das mit der {} und von der {}?",
    "nl": "Hoe is het met de {} en van de {}?",
}
LONG = {
    code: [word for word, _ in words if len(word) >= 5 and word.isalpha()]
    for code, words in LISTED.items()
}
codes = st.sampled_from(sorted(GLOSSED))


@pytest.mark.parametrize(
    ("question", "english"),
    [
        ("Wie lange ist Metformin haltbar?", "how long is Metformin stable?"),
        ("Natalizumab Halbwertszeit", "Natalizumab half-life"),
        ("Dosis bei Leberfunktionsstörung", "dose with hepatic impairment"),
        ("Dosis bei Leberfunktionsstoerungen", "dose with hepatic impairment"),
        ("Hoe lang mag de opgeloste poeder worden bewaard?", "how long may the dissolve powder be stored?"),
        ("ozanimod bijwerkingen", "ozanimod side effects"),
        ("Welche Hautreaktionen hat Baclofen?", "which skin reactions has Baclofen?"),
        ("How long can metformin be stored?", ""),
        ("gift baclofen", ""),
        ("DrugA kon value", ""),
        ("Comment conserver la metformine et les comprimés ?", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_what_a_question_says_in_english(question: str, english: str) -> None:
    assert in_english(question) == english


def test_names_of_medicines_stay() -> None:
    assert in_english("Wie wird Ruhe gelagert?") == "how will rest stored?"
    assert in_english("Wie wird Ruhe gelagert?", ["Ruhe"]) == "how will Ruhe stored?"


@pytest.mark.parametrize("code", sorted(GLOSSED))
def test_the_lists_are_whole(code: str) -> None:
    words = LISTED[code]
    assert len(words) > 1_500
    assert all(len(row) == 2 and all(part.strip() == part != "" for part in row) for row in words)
    assert len({word for word, _ in words}) == len(words)
    assert all(word == word.lower() for word, _ in words)
    # A number in a question is always the asker's.
    assert not [english for _, english in words if re.search(r"\d", english)]


def test_english_questions_are_left_as_they_are() -> None:
    """Those to labels that may be looked at."""
    files = [ROOT / "bench/questions" / f"labels_judge{n}.jsonl" for n in (1, 2)]
    asked = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    english = [one["question"] for one in asked if one["lang"] == "en"]
    assert len(english) > 100
    assert [one for one in english if in_english(one)] == []


@given(code=codes, data=st.data())
@settings(max_examples=200, deadline=None)
def test_listed_words_are_put_into_english_and_numbers_stay(code: str, data: st.DataObject) -> None:
    words = st.sampled_from(LONG[code])
    first, second = data.draw(words), data.draw(words)
    amount = data.draw(st.integers(1, 9_999))
    told = in_english(f"{ASKING[code].format(first.capitalize(), second)} {amount} mg")
    english = dict(LISTED[code])
    assert english[first] in told and english[second] in told
    assert re.findall(r"\d+", told) == [str(amount)]


@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_umlauts_may_be_spelt_out(data: st.DataObject) -> None:
    question = ASKING["de"].format(*(data.draw(st.sampled_from(LONG["de"])) for _ in range(2)))
    spelt = question
    for umlaut, letters in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss")):
        spelt = spelt.replace(umlaut, letters)
    assert in_english(spelt) == in_english(question)


@given(text=st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_text_is_read(text: str) -> None:
    asked = f"Wie ist das und {text}"
    told = in_english(asked)
    assert re.findall(r"\d", told) == (re.findall(r"\d", asked) if told else [])
    # A text with more words of another language is not read.
    assert bool(told) == (language(asked) == "de")


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("Wie setzt man Metoprolol richtig ab?", "Wie man Metoprolol richtig absetzen?"),
        ("Setze ich es vor der Operation ab?", "Setze ich es vor der Operation absetzen?"),
        ("Wann nehme ich es ein, und wie oft?", "Wann ich es einnehmen, und wie oft?"),
        ("Nimmt man es nüchtern ein?", "Nimmt man es nüchtern einnehmen?"),
        ("Hoe bouw ik prednison af?", "Hoe ik prednison afbouwen?"),
        ("Ist es ab 12 Jahren zugelassen?", "Ist es ab 12 Jahren zugelassen?"),
        ("Kommt man davon ab?", "Kommt man davon ab?"),
        ("How do I take it in?", "How do I take it in?"),
        ("", ""),
    ],
)
def test_a_verb_in_two_parts_is_whole(question: str, whole: str) -> None:
    assert with_whole_verbs(question) == whole


@settings(max_examples=200)
@given(st.text(alphabet="abe nmit?,.äzu", max_size=200))
def test_any_text_may_be_asked(text: str) -> None:
    assert isinstance(with_whole_verbs(text), str)


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("Was kostet Natalizumab?", "what cost Natalizumab?"),
        ("Was Natalizumab used?", ""),
        ("Was so the Natalizumab trial?", ""),
    ],
)
def test_a_word_of_both_languages_says_nothing_against_either(text: str, english: str) -> None:
    assert in_english(text) == english
