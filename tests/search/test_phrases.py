"""Phrases that must stand in a passage word for word."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.library.shelves import LEAFLETS
from core.search.options import SearchOptions
from core.search.phrases import exact_phrases, has_all, places, quoted_phrases
from tests.search.test_retriever import add
from tests.support.shelf import Shelf, open_shelf

TEXTS = {
    "a": "In mild renal\n  impairment the dose is 2.5 mg/day.",
    "b": "Impairment, renal or not: the dose is 25 mg a day.",
    "c": "Renal, impairment: the dose is 2.5 g/day.",
    "d": "The heart beats; renal impairments are rare.",
}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    made = open_shelf(tmp_path_factory.mktemp("phrases"))
    for name, text in TEXTS.items():
        add(made, LEAFLETS, name, text)
    for number in range(60):
        add(made, LEAFLETS, f"x{number}", f"Renal; impairment {number} and renal, impairment")
    return made


def found(shelf: Shelf, query: str, mode: str, **options: object) -> set[str]:
    chosen = SearchOptions(k=100, mode=mode, **options)  # type: ignore[arg-type]
    hits = shelf.retriever.search(query, chosen).hits
    return {hit.document.file.removesuffix(".pdf") for hit in hits}


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("renal impairment", {"a"}),
        ("RENAL Impairment", {"a"}),
        ('"renal impairment"', {"a"}),
        ('the "dose is" "2.5 mg/day"', {"a"}),
        ("2.5 mg", {"a"}),
        ("the dose is 2.5 g/day", {"c"}),
        ("renal impairments", {"d"}),
        ("art", set()),
        ("impairment the renal", set()),
        ("mg/d", set()),
        ("%", set()),
    ],
)
def test_exact_mode_finds_the_words_as_they_are(shelf: Shelf, query: str, names: set[str]) -> None:
    """Sixty passages have the same words with signs between them; full text takes them for it."""
    assert found(shelf, query, "exact") == names
    first = shelf.retriever.search(query, SearchOptions(k=1, candidates=1, mode="exact"))
    assert {hit.document.file.removesuffix(".pdf") for hit in first.hits} == names
    assert [hit.score for hit in first.hits] == [1.0] * len(names)


@pytest.mark.parametrize("mode", ["hybrid", "lexical"])
def test_a_quoted_phrase_is_required_in_other_modes_too(shelf: Shelf, mode: str) -> None:
    query = 'what dose with "renal impairment"?'
    assert found(shelf, query, mode) == {"a"}
    assert len(found(shelf, query, mode, quotes=False)) > 20
    hits = shelf.retriever.search('"dose is"', SearchOptions(mode=mode)).hits
    assert {hit.document.file[0] for hit in hits} == {"a", "b", "c"}
    if mode == "hybrid":
        assert all(hit.similarity != 0 for hit in hits), "the vectors rank what has the phrase"
    assert len(found(shelf, query, "semantic")) == 64, "meaning alone"


words = st.lists(
    st.sampled_from(["renal", "dose", "2.5", "mg/day", "(x)", "a|b", "ä", "."]), min_size=1
)


@given(phrase=words, before=words, after=words, blank=st.sampled_from([" ", "\n", "  \t"]))
def test_a_phrase_is_found_where_it_stands(
    phrase: list[str], before: list[str], after: list[str], blank: str
) -> None:
    text = blank.join([*before, *(word.upper() for word in phrase), *after])
    start = len(blank.join(before)) + len(blank)
    end = start + len(blank.join(phrase))
    assert has_all([" ".join(phrase)], text)
    spans = places(" ".join(phrase), text)
    assert all(text[s:e].casefold().split() == " ".join(phrase).split() for s, e in spans)
    assert any(s <= start < e or start <= s < end for s, e in spans)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_can_be_asked_for(query: str, text: str) -> None:
    for phrase in (*quoted_phrases(query), *exact_phrases(query)):
        assert phrase.strip() == phrase != ""
        assert has_all([phrase], f"{text} {phrase} {text}")


@pytest.mark.parametrize(
    ("query", "phrases"),
    [
        ('a "b c" d "e"', ("b c", "e")),
        ("„nicht anwenden“ und «ne pas»", ("nicht anwenden", "ne pas")),
        ("“curly quotes” here", ("curly quotes",)),
        ('an open "quote', ()),
        ('"" " " "%" "x" "x"', ("x",)),
        ("5' and 6\" apart", ()),
    ],
)
def test_what_stands_in_quotation_marks(query: str, phrases: tuple[str, ...]) -> None:
    assert quoted_phrases(query) == phrases


def test_a_phrase_in_work_or_deleted_is_not_found(tmp_path: Path) -> None:
    shelf = open_shelf(tmp_path)
    gone = add(shelf, LEAFLETS, "gone", "renal impairment")
    shelf.library.delete(gone)
    assert found(shelf, "renal impairment", "exact") == set()


@pytest.mark.parametrize("mode", ["hybrid", "lexical"])
def test_phrases_that_no_passage_has_do_not_count_and_it_is_said(shelf: Shelf, mode: str) -> None:
    options = SearchOptions(k=100, mode=mode)
    result = shelf.retriever.search('the "dose heart" is', options)
    unquoted = shelf.retriever.search('the "dose heart" is', replace(options, quotes=False))
    assert result.hits == unquoted.hits != () and not unquoted.notice
    assert "“dose heart”" in result.notice and "without the quotation marks" in result.notice
    kept = shelf.retriever.search('the "renal impairment" dose', options)
    assert {hit.document.file for hit in kept.hits} == {"a.pdf"} and not kept.notice
    strict = shelf.retriever.search('"dose heart"', SearchOptions(k=100, mode="exact"))
    assert strict.hits == () and not strict.notice
