"""What is like an entity by vectors in a real Chroma folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core.domain.graph import Entity
from core.domain.vectors import EntityVector
from core.graph.knowledge import KnowledgeGraph
from core.graph.vectors.likeness import LIKE_ENOUGH, like_entity
from core.stores.chroma.entities import ChromaEntityVectors
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from tests.support.graphs import graph_data

TOLD = {"description": "what it is"}
# The cosine of each with the first is what it is called.
ENTITIES = [
    Entity("own", "Drug", "1.0", (), TOLD),
    Entity("near", "Drug", "0.9", (), TOLD),
    Entity("bare", "Drug", "0.8"),
    Entity("far", "Drug", "0.3", (), TOLD),
    Entity("ill", "Disease", "0.7", (), TOLD),
    Entity("gene", "Protein", "0.6"),
    Entity("sign", "Phenotype", "0.5"),
]


class Embedded:
    def __init__(self, folder: Path, entities: Sequence[Entity] = ENTITIES) -> None:
        store = SqliteGraph(Database(folder / "materia.db"), folder / "graph")
        store.replace(graph_data(entities, []))
        self.graph = KnowledgeGraph(store)
        self.vectors = ChromaEntityVectors(folder / "chroma")

    def put(self) -> None:
        self.vectors.ensure(2)
        self.vectors.put(
            [
                EntityVector(one.id, one.type, "h", unit(float(one.name)))
                for one in ENTITIES
                if one.type != "Phenotype"
            ]
        )

    def like(self, entity_id: str, *types: str) -> list[str]:
        found = like_entity(self.graph, self.vectors, [entity_id], types)
        assert all(similarity >= LIKE_ENOUGH for _, similarity in found)
        assert found == sorted(found, key=lambda pair: -pair[1])
        return [one for one, _ in found]


def unit(cosine: float) -> np.ndarray:
    return np.array([cosine, np.sqrt(1 - cosine**2)], np.float32)


@pytest.fixture
def embedded(tmp_path: Path) -> Embedded:
    return Embedded(tmp_path)


@pytest.mark.req("KG-41")
def test_those_of_the_wanted_types_that_are_described_come_best_first(embedded: Embedded) -> None:
    embedded.put()
    assert embedded.like("own", "Drug") == ["near"]
    assert embedded.like("own", "Drug", "Disease", "Protein") == ["near", "ill", "gene"]
    assert "own" in embedded.like("near", "Drug")


def test_nothing_is_like_what_has_a_name_alone(embedded: Embedded) -> None:
    embedded.put()
    assert embedded.like("bare", "Drug") == []
    assert embedded.like("nobody", "Drug") == []


def test_types_that_are_not_embedded_have_no_likeness(embedded: Embedded) -> None:
    embedded.put()
    assert embedded.like("own", "Phenotype") == embedded.like("own", "Drug", "Phenotype") == []
    assert embedded.like("own") == []


def test_before_there_are_vectors_nothing_is_like_anything(embedded: Embedded) -> None:
    assert embedded.like("own", "Drug") == []
    embedded.vectors.ensure(2)
    assert embedded.like("own", "Drug") == []
