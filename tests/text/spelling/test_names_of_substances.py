"""Names of substances that are more than a word, and letters that are written in two ways."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.search.coverage import coverage, query_stems
from core.text.spelling.greek import GREEK_NAMES, spelt_out, written_forms
from core.text.spelling.medicines import (
    is_medicine,
    of_the_same,
    places_of_words,
    substances,
    substances_in,
)
from core.text.stems import stems


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("How is interferon beta-1b stored?", ["interferon beta-1b"]),
        ("Interferon β-1b und interferon alfa 2b", ["Interferon β-1b", "interferon alfa 2b"]),
        ("interferon beta-1c", ["interferon beta-1c"]),  # of a kind that the list has
        ("dimethyl fumarate or diroximel\nfumarate", ["dimethyl fumarate", "diroximel\nfumarate"]),
        ("trastuzumab deruxtecan, trastuzumab", ["trastuzumab deruxtecan"]),
        ("metformin hydrochloride 500 mg", []),  # its first word tells it
        ("dimethyl, fumarate", []),
        ("ibuprofen alpha-2 times", []),
    ],
)
def test_names_of_several_words_are_found_whole(text: str, names: list[str]) -> None:
    assert [text[start:end] for start, end in places_of_words(text)] == names


@given(st.text(st.sampled_from("interferon beta-1b α dimethyl fumarate_.,\n"), max_size=80))
def test_places_of_names_are_in_order_and_apart(text: str) -> None:
    places = list(places_of_words(text))
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert all(one[1] <= other[0] for one, other in pairwise(places))


def test_a_name_of_several_words_is_another_medicine_than_its_like() -> None:
    of_a, of_b = substances("interferon beta-1a"), substances("interferon beta-1b")
    assert of_a and of_b and of_a.isdisjoint(of_b)
    assert of_b == substances("interferon β-1b") == substances("betaseron")
    assert substances("dimethyl fumarate") == substances("dimethylfumarat")
    assert is_medicine("diroximel fumarate") and not is_medicine("diroximel")
    conjugate = substances_in("trastuzumab deruxtecan")
    assert conjugate and conjugate.isdisjoint(substances("trastuzumab"))


def test_other_names_of_one_word_alone_are_told() -> None:
    assert "acetaminophen" in of_the_same("paracetamol")
    assert not any(" " in one or "_" in one for one in of_the_same("tecfidera"))


def test_greek_letters_are_their_names_where_words_are_compared() -> None:
    assert len(GREEK_NAMES) == 23 and "mu" not in GREEK_NAMES and "lambda" in GREEK_NAMES
    assert stems("anti-TIF1γ") & stems("anti-TIF1gamma") >= stems("TIF1gamma")
    assert stems("interferon β") == stems("Interferon beta")
    assert spelt_out("alfa-2b") == "alpha-2b" and spelt_out("alfalfa") == "alfalfa"
    assert spelt_out("20 μg") == "20 μg"


@pytest.mark.parametrize(
    ("word", "other"),
    [("TIF1gamma", "tif1γ"), ("TIF1γ", "tif1gamma"), ("β2", "beta2"), ("TNF-alpha", "tnf-α")],
)
def test_texts_may_write_either(word: str, other: str) -> None:
    assert other in written_forms(word) and written_forms(word)[0] == word
    assert coverage(query_stems(word), f"patients with {other}") == 1.0


@pytest.mark.parametrize("word", ["menu", "hepatitis", "20 μg", "Alphabet"])
def test_other_words_are_written_in_one_way(word: str) -> None:
    assert written_forms(word) == (word,)


@pytest.mark.req("PR-1")
def test_a_substance_with_a_plural_is_a_medicine_and_a_class_is_none() -> None:
    for name in ("morphine", "gentamicin", "lansoprazole", "atropine", "insulin", "cyclosporine"):
        assert is_medicine(name), name
    for name in ("antibiotic", "statin", "diuretic", "penicillin", "benzodiazepine", "sulfate"):
        assert not is_medicine(name), name


@pytest.mark.parametrize("name", ["sertralin", "amlodipin", "duloxetin", "furosemid"])
def test_german_names_are_those_of_the_english_ones(name: str) -> None:
    assert is_medicine(name) and substances(name) == substances(f"{name}e")


@pytest.mark.parametrize("word", ["regain", "pancreas", "ananas", "breez"])
def test_no_other_word_is_a_name_for_its_last_letter(word: str) -> None:
    assert not is_medicine(word) and not substances(word)
