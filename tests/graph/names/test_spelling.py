"""Misspelt names in questions."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.domain.graph import Entity
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.misspelt import NearWord
from core.graph.names.spelling import Reading, Speller, Spelling, Suggestion
from core.graph.names.versioned import FromNames
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from tests.support.graphs import graph_data

NAMES = [
    ("Metformin", "D1", "Drug"),
    ("Glucophage", "D1", "Drug"),
    ("DB00331", "D1", "Drug"),
    ("D1", "D1", "Drug"),
    ("Metformin hydrochloride", "D2", "Drug"),
    ("Prednisone", "D3", "Drug"),
    ("Prednisolone", "D4", "Drug"),
    ("Warfarin", "D5", "Drug"),
    ("Amoxicillin", "D6", "Drug"),
    ("Amoxycillin", "D6", "Drug"),
    ("Estradiol", "D7", "Drug"),
    ("Estradioll", "D8", "Drug"),
    ("ulcerative colitis", "M1", "Disease"),
    ("Crohn disease", "M2", "ClinicalDisease"),
    ("asthma", "M3", "Disease"),
    ("CALCRL", "P1", "Protein"),
    ("Interleukin-6", "P2", "Protein"),
    ("albumin", "P3", "Protein"),
    ("bradycardia", "E1", "Phenotype"),
    ("warfaran", "warfaran", "Exposure"),
]
SPELLER = Speller(NAMES)


def no_library(_word: str) -> bool:
    return False


def readings(question: str) -> list[tuple[str, str]]:
    return [(one.written, one.read) for one in SPELLER.check(question, no_library).readings]


def suggestions(question: str) -> dict[str, tuple[str, ...]]:
    return {one.written: one.names for one in SPELLER.check(question, no_library).suggestions}


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("metfromin", "metformin"),
        ("Metfrmin", "Metformin"),
        ("METFORMINN", "METFORMIN"),
        ("metformim", "metformin"),
        ("glucophaje", "glucophage"),
        ("ulcerativ", "ulcerative"),
        ("asthmaa", "asthma"),
        ("albumni", "albumin"),
        ("hydrochlorid", "hydrochloride"),
        ("interleukim", "interleukin"),
    ],
)
def test_one_error_is_read_as_the_name(question: str, read: str) -> None:
    assert readings(f"What is {question}?") == [(question, read)]


@pytest.mark.parametrize(
    "question",
    [
        "metformin, Glucophage, warfaran and bradycardia: what do they do?",  # names
        "patients receiving treatment without improvement",  # English
        "asthm or astma or asthmas",  # fewer than six letters, and a plural
        "bradicardia",  # of a type whose names are not read
        "metfromin2, metfromin_x, x2metfromin",  # no words of letters alone
        "varfarin, Netformin",  # another first letter
        "CALCRT or calcrt",  # symbols differ by a letter as a rule
        "D2 DB00332 MONDO:5148",
        "",
    ],
)
def test_what_is_not_read_otherwise(question: str) -> None:
    assert readings(question) == []


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("glucofage", "glucophage"),
        ("Warfferin", "Warfarin"),
        ("metfrmn", "metformin"),
        ("hydroclorid", "hydrochloride"),
    ],
)
def test_two_errors_are_read_where_no_other_name_is_near(written: str, read: str) -> None:
    assert readings(f"What is {written}?") == [(written, read)]


def test_two_errors_are_only_suggested_where_two_names_are_as_near() -> None:
    assert suggestions("prednisoln or calcrt") == {
        "prednisoln": ("Prednisolone", "Prednisone"),
        "calcrt": ("CALCRL",),
    }
    assert suggestions("varfarin") == {"varfarin": ("Warfarin",)}
    assert readings("prednisone and prednisolone") == []
    assert suggestions("prednisone and prednisolone") == {}


def test_two_names_as_near_are_only_suggested() -> None:
    assert readings("estradiollo estradiolm") == [("estradiollo", "estradioll")]
    assert suggestions("estradiolm") == {"estradiolm": ("Estradioll", "Estradiol")}


def test_a_medicine_that_only_the_list_of_all_knows_is_nobodys_misspelling() -> None:
    nifedipine = Speller([("Nifedipine", "D1", "Drug"), ("Fluoxetine", "D2", "Drug")])
    assert nifedipine.check("the dose of nimodipine", no_library) == Spelling()
    # Nor is what is nearer to it, or as near.
    assert nifedipine.check("the dose of nimodipne", no_library).readings == ()
    # The same substance under a name of another language is.
    (one,) = nifedipine.check("Welche Dosis Fluoxetin?", no_library).readings
    assert (one.written, one.read) == ("Fluoxetin", "Fluoxetine")


def test_the_commoner_word_of_the_library_is_read() -> None:
    beside = [
        NearWord("dosage", "dosage", is_name=False),
        NearWord("docile", "docile", is_name=False),
    ]
    found = SPELLER.check(
        "dosege", no_library, lambda _: beside, lambda word: 12 * (word == "dosage")
    )
    assert [one.read for one in found.readings] == ["dosage"]


def test_two_spellings_of_one_entity_are_one_name() -> None:
    assert readings("amoxacillin") == [("amoxacillin", "amoxicillin")]


def test_a_word_of_the_library_stays() -> None:
    asked: list[str] = []

    def in_library(word: str) -> bool:
        asked.append(word)
        return word == "metfromin"

    found = SPELLER.check("Metfromin with warfarim in patients", in_library)
    assert [one.written for one in found.readings] == ["warfarim"]
    assert asked == ["metfromin", "warfarim"]


def test_offsets_and_the_question_as_it_is_read() -> None:
    question = "Is metfromin-induced colittis “Warfrin”-like? metfrmn"
    found = SPELLER.check(question, no_library)
    assert found.readings == (
        Reading(3, 12, "metfromin", "metformin"),
        Reading(21, 29, "colittis", "colitis"),
        Reading(31, 38, "Warfrin", "Warfarin"),
        Reading(46, 53, "metfrmn", "metformin"),
    )
    assert found.applied(question) == "Is metformin-induced colitis “Warfarin”-like? metformin"
    assert Spelling().applied(question) == question
    two = SPELLER.check("predniisolne", no_library).suggestions
    assert two == (Suggestion(0, 12, "predniisolne", ("Prednisolone", "Prednisone")),)


def test_names_for_a_search_that_found_nothing() -> None:
    assert SPELLER.suggest("metfromin") == ["D1"]
    assert SPELLER.suggest("Crohns desease") == ["M2"]
    assert SPELLER.suggest("prednisolon")[:2] == ["D4", "D3"]
    assert SPELLER.suggest("prednisolon", limit=1) == ["D4"]
    assert SPELLER.suggest("amoxicilin") == ["D6"]
    assert SPELLER.suggest("qqqq") == SPELLER.suggest("") == []


def test_a_speller_without_names_finds_nothing() -> None:
    empty = Speller([])
    assert empty.check("metfromin", no_library) == Spelling()
    assert empty.suggest("metfromin") == []


LETTERS = st.characters(min_codepoint=ord("a"), max_codepoint=ord("z"))
LONG_NAMES = ["metformin", "glucophage", "warfarin", "ulcerative", "colitis", "hydrochloride"]


@st.composite
def one_error(draw: st.DrawFn, names: st.SearchStrategy[str]) -> tuple[str, str]:
    """A name and the same name with one letter wrong, missing, too many, or two exchanged."""
    name = draw(names)
    place = draw(st.integers(0, len(name) - 1))
    kind = draw(st.sampled_from(["wrong", "missing", "many", "exchanged"]))
    letter = draw(LETTERS)
    before, at, after = name[:place], name[place], name[place + 1 :]
    if kind == "wrong":
        return name, before + letter + after
    if kind == "missing":
        return name, before + after
    if kind == "many":
        return name, before + letter + at + after
    return name, before + after[:1] + at + after[1:]


@given(one_error(st.sampled_from(LONG_NAMES)))
def test_every_single_error_in_a_long_name_is_found(pair: tuple[str, str]) -> None:
    name, written = pair
    assume(written != name and len(written) >= 6 and written != "warfaran")
    assume(written.removesuffix("s") not in LONG_NAMES and written != "colpitis")  # English
    question = f"about {written}, please"
    if written[1:] == name[1:] or not readings(question):  # "colctis" may be Colcris, too
        (names,) = suggestions(question).values()
        assert name in [one.lower() for one in names]
    else:
        assert readings(question) == [(written, name)]


@given(
    st.lists(
        st.text(st.characters(categories=["L"]), min_size=1, max_size=14), min_size=1, max_size=30
    ),
    st.data(),
)
def test_a_name_that_exists_is_never_changed(names: list[str], data: st.DataObject) -> None:
    speller = Speller([(name, f"D{n}", "Drug") for n, name in enumerate(names)])
    question = " ".join(data.draw(st.lists(st.sampled_from(names), max_size=6)))
    assert speller.check(question, no_library) == Spelling()


@given(st.lists(st.one_of(st.text(max_size=12), one_error(st.sampled_from(LONG_NAMES)).map(max))))
def test_offsets_are_exact_and_in_order(parts: list[str]) -> None:
    question = " ".join(parts)
    found = SPELLER.check(question, no_library)
    for group in (found.readings, found.suggestions):
        assert all(question[one.start : one.end] == one.written for one in group)
        starts = [one.start for one in group]
        assert starts == sorted(set(starts))
    assert not {one.start for one in found.readings} & {one.start for one in found.suggestions}


def test_the_cache_follows_the_store(tmp_path: Path) -> None:
    store = SqliteGraph(Database(tmp_path / "materia.db"), tmp_path / "graph")
    cache = FromNames(KnowledgeGraph(store), Speller)
    assert cache.get().suggest("metfromin") == []
    store.replace(graph_data([Entity("D1", "Drug", "Metformin")], []))
    assert cache.get().suggest("metfromin") == ["D1"]
    assert cache.get() is cache.get()
