"""Names found in texts."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.graph import Entity, Mention
from core.errors import StoreUnavailable
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.linker import EntityLinker, count_mentions
from core.graph.names.ordinary_words import NEVER_NAMES
from core.graph.names.versioned import FromNames
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from tests.support.graphs import graph_data

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
    # The emptiest words are nobody's name.
    st.text(st.characters(categories=["L"]), min_size=5, max_size=12).filter(
        lambda name: name.lower() not in NEVER_NAMES
    ),
    st.text(max_size=20),
    st.text(max_size=20),
)
def test_a_name_between_blanks_is_found_where_it_is(name: str, before: str, after: str) -> None:
    linker = EntityLinker([(name, "it", "Drug")])
    text = f"{before} {name} {after}"
    start = len(before) + 1
    assert Mention("it", start, start + len(name), name) in linker.find(text)


IDENTIFIERS = EntityLinker(
    [
        ("Metformin", "DB00331", "Drug"),
        ("UniProt:P23219", "DB00331", "Drug"),
        ("MESH:D008687", "DB00331", "Drug"),
        ("CHEBI:6801", "DB00331", "Drug"),
        ("DB00331", "DB00331", "Drug"),
        ("type 2 diabetes mellitus", "MONDO:5148", "Disease"),
        ("UMLS:C0011860", "MONDO:5148", "Disease"),
        ("MONDO:5148", "MONDO:5148", "Disease"),
        ("long QT syndrome", "MONDO:0002442", "Disease"),
        ("MONDO:0002442", "MONDO:0002442", "Disease"),
        ("gold", "and", "Drug"),
        ("and", "and", "Drug"),
        ("PTGS1", "NCBI:5742", "Protein"),
        ("NCBI:5742", "NCBI:5742", "Protein"),
        ("Dolor", "pain-1", "Phenotype"),
        ("pain-1", "pain-1", "Phenotype"),
        ("ACE", "ACE", "Protein"),
    ]
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("DB00331 (DrugBank:DB00331)", ["DB00331", "DB00331"]),
        ("db00331, DB003311, XDB00331, DB00331s, DB00331_a", []),
        ("MONDO:5148, MONDO:0005148; ID:MONDO:0005148.", ["MONDO:5148", *["MONDO:0005148"] * 2]),
        ("mondo:5148 MONDO:51480 MONDO:5148a XMONDO:5148 MONDO: 5148 DOID:5148", []),
        ("MONDO:2442/MONDO:0002442 (MONDO:00)", ["MONDO:2442", "MONDO:0002442"]),
        ("UniProt:P23219, P23219, p23219, P232190", ["UniProt:P23219", "P23219"]),
        ("MESH:D008687; MeSH D008687; UMLS C0011860", ["MESH:D008687", "D008687", "C0011860"]),
        ("CHEBI:6801 and CHEBI:06801; 6801", ["CHEBI:6801", "CHEBI:06801"]),
        ("salt and pepper, gold and DB00331", ["gold", "DB00331"]),
        (
            "NCBI:5742 at 12:30, ratio 1:5742, https://x.org/MONDO:0005148",
            ["NCBI:5742", "MONDO:0005148"],
        ),
        ("pain-1 and Pain-1", ["pain-1"]),
        ("ACE, ace", ["ACE"]),
    ],
)
def test_identifiers_are_names(text: str, expected: list[str]) -> None:
    assert [mention.text for mention in IDENTIFIERS.find(text)] == expected


def test_an_identifier_names_its_own_entity() -> None:
    two = EntityLinker(
        [
            ("a disease", "X:7", "Disease"),
            ("X:7", "X:7", "Disease"),
            ("another disease", "X:007", "Disease"),
            ("X:007", "X:007", "Disease"),
        ]
    )
    found = [(mention.text, mention.entity_id) for mention in two.find("X:7 X:007 X:07")]
    assert found == [("X:7", "X:7"), ("X:007", "X:007"), ("X:07", "X:7")]


PROSE = """Angiotensin converting enzyme (ACE) inhibitors had an impact on a cat's rest; the cast of
the face was set. In type 2 diabetes mellitus (MONDO:0005148) metformin (DB00331, CHEBI:6801) is the
first choice; in 4:1 of cases, by 10:30, PTGS1 (NCBI:5742) did not matter. Ace pilots and others."""


def test_identifiers_in_prose() -> None:
    assert [(mention.text, mention.entity_id) for mention in IDENTIFIERS.find(PROSE)] == [
        ("ACE", "ACE"),
        ("type 2 diabetes mellitus", "MONDO:5148"),
        ("MONDO:0005148", "MONDO:5148"),
        ("metformin", "DB00331"),
        ("DB00331", "DB00331"),
        ("CHEBI:6801", "DB00331"),
        ("PTGS1", "NCBI:5742"),
        ("NCBI:5742", "NCBI:5742"),
    ]


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(["MONDO", "HP", "DOID", "NCBI", "MONDO_grouped"]),
    st.integers(min_value=1, max_value=99_999_999),
    st.integers(min_value=0, max_value=4),
    st.integers(min_value=0, max_value=4),
)
def test_zeros_before_a_number_make_no_difference(
    prefix: str, number: int, stored: int, written: int
) -> None:
    entity_id = f"{prefix}:{'0' * stored}{number}"
    linker = EntityLinker([("a disease", entity_id, "Disease"), (entity_id, entity_id, "Disease")])
    name = f"{prefix}:{'0' * written}{number}"
    assert linker.find(f"see {name}.") == [Mention(entity_id, 4, 4 + len(name), name)]
    assert linker.find(f"see {name}1 and {number}.") == []


def test_the_cache_follows_the_store(tmp_path: Path) -> None:
    store = SqliteGraph(Database(tmp_path / "materia.db"), tmp_path / "graph")
    cache = FromNames(KnowledgeGraph(store), EntityLinker)
    assert cache.get().find("metformin") == []
    store.replace(graph_data([Entity("D1", "Drug", "Metformin")], []))
    linker = cache.get()
    assert [mention.entity_id for mention in linker.find("metformin")] == ["D1"]
    assert cache.get() is linker
    assert (cache.version, cache.stale) == (store.version(), False)

    seen: list[EntityLinker] = []
    threads = [threading.Thread(target=lambda: seen.append(cache.get())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [linker] * 4


class FarGraph(SqliteGraph):
    """A store behind a connection that can be cut."""

    cut_before: str = ""

    def version(self) -> int:
        self._reach("version")
        return super().version()

    def all_names(self) -> Iterator[tuple[str, str, str]]:
        yield from itertools.islice(super().all_names(), 1)
        self._reach("second name")
        yield from itertools.islice(super().all_names(), 1, None)

    def _reach(self, what: str) -> None:
        if self.cut_before == what:
            raise StoreUnavailable("The graph cannot be reached.", retryable=True)


@pytest.mark.parametrize("what", ["version", "second name"])
def test_the_last_linker_goes_on_while_the_store_is_away(tmp_path: Path, what: str) -> None:
    store = FarGraph(Database(tmp_path / "materia.db"), tmp_path / "graph")
    store.replace(graph_data([Entity("D1", "Drug", "Metformin")], []))
    store.cut_before = what
    cache = FromNames(KnowledgeGraph(store), EntityLinker)
    assert cache.get().find("metformin") == []
    assert (cache.version, cache.stale) == (None, True)

    store.cut_before = ""
    linker = cache.get()
    assert (len(linker.find("metformin")), cache.stale) == (1, False)
    version = cache.version
    store.replace(graph_data([Entity("D2", "Drug", "Warfarin")], []))
    store.cut_before = what
    assert cache.get() is linker
    assert (cache.version, cache.stale) == (version, True)

    store.cut_before = ""
    assert [mention.entity_id for mention in cache.get().find("warfarin")] == ["D2"]
    assert (cache.version, cache.stale) == (store.version(), False)
