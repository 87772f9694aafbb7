"""Vectors of entities, kept in step with the graph in a real store and a real Chroma folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.domain.graph import EmbedReport, Entity, Relationship
from core.domain.vectors import VECTOR_INDEXES, EntityVector, Vectors
from core.errors import Cancelled, InputError, ModelError, StoreError
from core.graph.knowledge import KnowledgeGraph
from core.graph.vectors.embedding import EntityEmbedder, similar_entities
from core.graph.vectors.texts import entity_text
from core.stores.chroma.entities import ChromaEntityVectors
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from tests.support.fakes import HashEncoder
from tests.support.graphs import graph_data

ENTITIES = [
    Entity("D1", "Drug", "Metformin", (), {"indication": "diabetes"}, importance=0.9),
    Entity("D2", "Drug", "Warfarin", (), {"indication": "thrombosis"}, importance=0.8),
    Entity("M1", "Disease", "diabetes", importance=0.7),
    Entity("M2", "ClinicalDisease", "asthma", (), {"symptoms": "wheeze"}, importance=0.6),
    Entity("P1", "Protein", "PRKAA1", ("AMPK",), importance=0.5),
    Entity("E1", "Phenotype", "nausea", importance=0.4),
]
EDGES = [
    Relationship("D1", "TARGETS", "P1"),
    Relationship("P1", "ASSOCIATED_WITH", "M1"),
    Relationship("D1", "TREATS", "M1"),
]


class CountingEncoder(HashEncoder):
    """Remembers what it was given; refuses batches in which a word stands."""

    def __init__(self, name: str = "hash-16", dimension: int = 16, refused: str = "") -> None:
        super().__init__(name, dimension)
        self.texts: list[str] = []
        self.refused = refused

    def encode(self, texts: Sequence[str]) -> Vectors:
        if self.refused and any(self.refused in text for text in texts):
            raise ModelError("The model refuses this.", code="EMBEDDING_FAILURE")
        self.texts.extend(texts)
        return super().encode(texts)


class Bench:
    """A graph, its vectors, and an encoder that can be exchanged."""

    def __init__(self, folder: Path) -> None:
        self.store = SqliteGraph(Database(folder / "materia.db"), folder / "graph")
        self.graph = KnowledgeGraph(self.store)
        self.vectors = ChromaEntityVectors(folder / "chroma")
        self.encoder = CountingEncoder()
        self.use(ENTITIES)

    def use(self, entities: Iterable[Entity], edges: Iterable[Relationship] = EDGES) -> None:
        self.store.replace(graph_data(entities, edges))

    def run(
        self,
        types: Sequence[str] = tuple(VECTOR_INDEXES),
        report: Callable[[int, int], None] = lambda _done, _total: None,
        check: Callable[[], None] = lambda: None,
    ) -> EmbedReport:
        self.encoder.texts.clear()
        return EntityEmbedder(self.graph, self.vectors, lambda: self.encoder).run(
            types, report, check
        )

    def counts(self, report: EmbedReport) -> tuple[int, ...]:
        return (
            report.total,
            report.processed,
            report.unchanged,
            report.removed,
            report.failed,
        )


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def drugs(count: int, first: int = 0) -> list[Entity]:
    return [
        Entity(f"D{n}", "Drug", f"drug {n}", importance=1 - n / 10_000)
        for n in range(first, first + count)
    ]


def with_property(entity_id: str, **properties: str) -> list[Entity]:
    return [
        replace(one, properties={**one.properties, **properties}) if one.id == entity_id else one
        for one in ENTITIES
    ]


@pytest.mark.req("KG-7")
def test_only_changed_entities_are_embedded_again(bench: Bench) -> None:
    first = bench.run()
    assert bench.counts(first) == (5, 5, 0, 0, 0)
    assert first.tokens == sum(bench.encoder.count_tokens(bench.encoder.texts)) > 0
    assert first.cost_usd == 0.0 and first.seconds > 0
    before = bench.vectors.hashes()
    assert set(before) == {"D1", "D2", "M1", "M2", "P1"}
    asthma = bench.encoder.encode([entity_text(ENTITIES[3])])[0]
    assert bench.vectors.query(asthma, "ClinicalDisease", 1)[0][1] == pytest.approx(1, abs=1e-5)

    again = bench.run()
    assert bench.counts(again) == (5, 0, 5, 0, 0)
    assert (bench.encoder.texts, again.tokens) == ([], 0)

    bench.use(with_property("M2", causes="allergens", mayo_see_doc="soon"))
    changed = bench.run()
    assert bench.counts(changed) == (5, 1, 4, 0, 0)
    assert [text.splitlines()[1] for text in bench.encoder.texts] == ["Name: asthma"]
    after = bench.vectors.hashes()
    assert {one for one in after if after[one] != before[one]} == {"M2"}
    assert bench.vectors.query(asthma, "ClinicalDisease", 1)[0][1] < 0.999

    bench.use(with_property("M2", causes="allergens", half_life="6 hours"))
    assert bench.counts(bench.run()) == (5, 0, 5, 0, 0)


@pytest.mark.req("KG-7")
def test_a_report_of_cost_and_failures(bench: Bench) -> None:
    bench.use(drugs(200), [])
    bench.encoder = CountingEncoder("text-embedding-3-large", refused="drug 70\n")
    seen: list[tuple[int, int]] = []
    report = bench.run(report=lambda done, total: seen.append((done, total)))
    assert bench.counts(report) == (200, 136, 0, 0, 64)
    assert report.cost_usd == pytest.approx(report.tokens * 0.13 / 1_000_000)
    assert report.tokens == sum(bench.encoder.count_tokens(bench.encoder.texts))
    assert seen == sorted(seen) and seen[-1] == (200, 200)
    assert len(bench.vectors.hashes()) == 136

    bench.encoder.refused = ""
    assert bench.counts(bench.run()) == (200, 64, 136, 0, 0)
    assert len(bench.encoder.texts) == 64


def test_a_model_that_is_not_there_is_asked_three_times(bench: Bench) -> None:
    bench.use(drugs(64 * 6), [])
    asked: list[int] = []

    class Refusing(CountingEncoder):
        def encode(self, texts: Sequence[str]) -> Vectors:
            asked.append(len(texts))
            raise ModelError("The provider does not accept the key.", code="EMBEDDING_KEY_REFUSED")

    bench.encoder = Refusing()
    assert bench.counts(bench.run()) == (384, 0, 0, 0, 384)
    assert asked == [64, 64, 64]


def test_a_stopped_run_is_gone_on_with(bench: Bench) -> None:
    bench.use(drugs(200), [])
    batches = 0

    def stop_at_the_third() -> None:
        nonlocal batches
        batches += 1
        if batches == 3:
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        bench.run(check=stop_at_the_third)
    assert set(bench.vectors.hashes()) == {f"D{n}" for n in range(128)}, "the most important first"
    assert bench.counts(bench.run()) == (200, 72, 128, 0, 0)


def test_vectors_of_entities_that_are_gone_are_removed(bench: Bench) -> None:
    bench.run()
    bench.use([one for one in ENTITIES if one.id not in ("D2", "M2")])
    report = bench.run(types=["Drug"])
    assert bench.counts(report) == (1, 0, 1, 2, 0)
    assert set(bench.vectors.hashes()) == {"D1", "M1", "P1"}
    assert bench.vectors.counts() == {"Drug": 1, "Disease": 1, "ClinicalDisease": 0, "Protein": 1}


def test_an_entity_of_another_type_moves(bench: Bench) -> None:
    bench.run()
    bench.use([replace(one, type="ClinicalDisease") if one.id == "M1" else one for one in ENTITIES])
    # A protein's text names diseases of both types alike.
    assert bench.counts(bench.run()) == (5, 1, 4, 0, 0)
    assert bench.vectors.counts() == {"Drug": 2, "Disease": 0, "ClinicalDisease": 2, "Protein": 1}


def test_a_protein_follows_its_diseases_and_drugs(bench: Bench) -> None:
    bench.run()
    (text,) = [text for text in bench.encoder.texts if "Type: Protein" in text]
    assert "Synonyms: AMPK" in text
    assert "Associated diseases: diabetes\nInteracting drugs: Metformin" in text
    bench.use(ENTITIES, [*EDGES, Relationship("D2", "TARGETS", "P1")])
    assert bench.counts(bench.run()) == (5, 1, 4, 0, 0)
    assert "Interacting drugs: Metformin, Warfarin" in bench.encoder.texts[0]


@pytest.mark.parametrize(("name", "dimension"), [("other-16", 16), ("hash-24", 24)])
def test_another_model_begins_anew(bench: Bench, name: str, dimension: int) -> None:
    bench.run()
    bench.encoder = CountingEncoder(name, dimension)
    report = bench.run(types=["Drug"])
    assert bench.counts(report) == (2, 2, 0, 0, 0)
    assert set(bench.vectors.hashes()) == {"D1", "D2"}, "no vector of the other model is left"
    assert bench.counts(bench.run()) == (5, 3, 2, 0, 0)


def test_a_type_that_is_not_embedded_is_refused(bench: Bench) -> None:
    with pytest.raises(InputError) as caught:
        bench.run(types=["Phenotype"])
    assert caught.value.code == "UNKNOWN_TYPE" and "ClinicalDisease" in str(caught.value)


def test_an_empty_graph(bench: Bench) -> None:
    bench.use([], [])
    assert bench.counts(bench.run()) == (0, 0, 0, 0, 0)
    bench.use(ENTITIES)
    bench.run()
    bench.use([], [])
    assert bench.counts(bench.run()) == (0, 0, 0, 5, 0)


@pytest.mark.req("KG-2")
def test_the_most_similar_of_all_types_first(bench: Bench) -> None:
    bench.run()
    question = bench.encoder.encode([entity_text(ENTITIES[1]).replace("thrombosis", "clots")])[0]
    found = similar_entities(bench.vectors, question, 3)
    assert len(found) == 3 and found[0][0] == "D2"
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    only = similar_entities(bench.vectors, question, 3, ["Disease", "Protein"])
    assert {entity_id for entity_id, _ in only} == {"M1", "P1"}


def test_no_index_yet(bench: Bench) -> None:
    with pytest.raises(StoreError) as caught:
        similar_entities(bench.vectors, bench.encoder.encode(["x"])[0], 3)
    assert caught.value.code == "VECTOR_INDEX_MISSING" and "embed-graph" in caught.value.advice
    assert bench.vectors.hashes() == bench.vectors.counts() == {}
    with pytest.raises(StoreError) as unmade:
        bench.vectors.put([EntityVector("D1", "Drug", "h", np.ones(16, np.float32) / 4)])
    assert unmade.value.code == "VECTOR_INDEX_MISSING"
    bench.run()
    with pytest.raises(StoreError) as other:
        similar_entities(bench.vectors, np.ones(24, np.float32), 3)
    assert other.value.code == "VECTOR_INDEX_MISSING" and "24" in other.value.message
