"""Names found in texts."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.graph import Entity, Mention
from core.graph.linker import EntityLinker, LinkerCache, count_mentions
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph

NAMES = [
    ("Metformin", "metformin", "Drug"),
    ("Glucophage", "metformin", "Drug"),
    ("ASPIRIN", "aspirin", "Drug"),
    ("Insulin", "insulin drug", "Drug"),
    ("insulin", "insulin protein", "Protein"),
    ("Gold", "gold", "Drug"),
    ("diabetes", "diabetes", "Disease"),
    ("type 2 diabetes mellitus", "t2d", "Disease"),
    ("Headache", "headache", "Phenotype"),
    ("Pain", "pain", "Phenotype"),
    ("nausea", "nausea", "Phenotype"),
    ("Ache", "ache", "Phenotype"),
    ("ACHE", "acetylcholinesterase", "Protein"),
    ("ACE", "ACE", "Protein"),
    ("CAT", "CAT", "Protein"),
    ("MAX", "MAX", "Protein"),
    ("WAS", "WAS", "Protein"),
    ("SET", "SET", "Protein"),
    ("REST", "REST", "Protein"),
    ("Rest", "REST", "Protein"),
    ("IMPACT", "IMPACT", "Protein"),
    ("HIV", "hiv", "Disease"),
    ("COVID-19", "covid", "Disease"),
    ("II", "two", "Protein"),
    ("2019", "year", "Drug"),
    ("Disease", "all diseases", "Pathway"),
    ("<img src=x onerror=alert(1)>", "markup", "Drug"),
    ("'; DROP TABLE entities; --", "sql", "Drug"),
    ("Ménière disease", "meniere", "Disease"),
]
LINKER = EntityLinker(NAMES)


def found(text: str) -> list[tuple[str, str]]:
    return [(mention.text, mention.entity_id) for mention in LINKER.find(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Metformin, METFORMIN and metformin", ["Metformin", "METFORMIN", "metformin"]),
        ("metforminum, premetformin, metformin_x, metformin2", []),
        ("(metformin)/metformin-based", ["metformin", "metformin"]),
        ("aspirin", ["aspirin"]),
        ("drug for headaches, headache's cause", ["headaches", "headache"]),
        ("pain and nausea; pains", ["pain", "nausea"]),
        ("type 2 diabetes mellitus or diabetes", ["type 2 diabetes mellitus", "diabetes"]),
        ("type 2\ndiabetes mellitus", ["type 2\ndiabetes mellitus"]),
        ("The ACE inhibitor; ace of base, Ace", ["ACE"]),
        ("It was set to rest; the impact on a cat. Was, Set, Rest, Impact, Cat, Max.", []),
        ("max dose, Max, MAX binds MYC", ["MAX"]),
        ("catalase (CAT) falls", ["CAT"]),
        ("HOW IT WAS SET OUT", []),
        ("hiv HIV covid-19 COVID-19 COVID\u201119", ["HIV", "COVID-19", "COVID\u201119"]),
        ("stage II in 2019", []),
        ("this disease, Disease, diseases", []),
        ("gold", ["gold"]),
        ("take <img src=x onerror=alert(1)> daily", ["<img src=x onerror=alert(1)>"]),
        ("or '; DROP TABLE entities; --", ["'; DROP TABLE entities; --"]),
        ("M\u00e9ni\u00e8re disease", ["M\u00e9ni\u00e8re disease"]),
        ("\u0130\u0130 metformin \U0001f48a metformin", ["metformin", "metformin"]),
        ("", []),
    ],
)
def test_names_in_texts(text: str, expected: list[str]) -> None:
    assert [name for name, _ in found(text)] == expected


def test_who_gets_a_shared_name() -> None:
    assert found("Insulin") == [("Insulin", "insulin drug")]
    assert found("ache and ACHE") == [("ache", "ache"), ("ACHE", "acetylcholinesterase")]
    by_importance = EntityLinker([("TIP1", "first", "Protein"), ("TIP1", "second", "Protein")])
    assert [mention.entity_id for mention in by_importance.find("TIP1")] == ["first"]
    by_type = EntityLinker([("asthma", "a", "Phenotype"), ("Asthma", "b", "ClinicalDisease")])
    assert [mention.entity_id for mention in by_type.find("asthma")] == ["b"]


def test_a_linker_without_names_finds_nothing() -> None:
    assert EntityLinker([]).find("metformin") == []


def test_counts() -> None:
    mentions = LINKER.find("Pain, metformin, Glucophage.")
    assert count_mentions(mentions) == {"metformin": 2, "pain": 1}
    assert count_mentions([]) == {}


SOME_NAMES = [name for name, _, _ in NAMES]
PIECES = st.one_of(
    st.sampled_from(SOME_NAMES),
    st.sampled_from(SOME_NAMES).map(str.upper),
    st.text(max_size=6),
    st.sampled_from([" ", "-", "s", "\u0130", "\u1e9e", "\ufb01", "\U0001f48a", "e\u0301", "\n"]),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(PIECES, max_size=20).map("".join))
def test_offsets_are_exact_and_words_whole(text: str) -> None:
    end = 0
    for mention in LINKER.find(text):
        assert text[mention.start : mention.end] == mention.text
        assert mention.start >= end, "mentions overlap or are out of order"
        end = mention.end
        around = text[: mention.start][-1:] + text[mention.end :][:1]
        assert not any(character.isalnum() for character in around)


@settings(max_examples=100, deadline=None)
@given(
    st.text(st.characters(categories=["L"]), min_size=5, max_size=12),
    st.text(max_size=20),
    st.text(max_size=20),
)
def test_a_name_between_blanks_is_found_where_it_is(name: str, before: str, after: str) -> None:
    linker = EntityLinker([(name, "it", "Drug")])
    text = f"{before} {name} {after}"
    start = len(before) + 1
    assert Mention("it", start, start + len(name), name) in linker.find(text)


def test_the_cache_follows_the_store(tmp_path: Path) -> None:
    store = SqliteGraph(Database(tmp_path / "library.db"))
    cache = LinkerCache(store)
    assert cache.linker().find("metformin") == []
    store.replace_graph([Entity("D1", "Drug", "Metformin")], [])
    linker = cache.linker()
    assert [mention.entity_id for mention in linker.find("metformin")] == ["D1"]
    assert cache.linker() is linker

    seen: list[EntityLinker] = []
    threads = [threading.Thread(target=lambda: seen.append(cache.linker())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [linker] * 4
