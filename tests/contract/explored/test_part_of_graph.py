"""A part of the graph over every store: what is computed in it is what its entities have among themselves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.plans import Condition, Named, Plan, Selection, Want
from core.domain.provenance.within import Within
from core.evidence.computed import compute, told_of_part
from core.evidence.computing.part_of_graph import part_of
from core.graph.induced import InducedGraph, induced
from core.graph.knowledge import KnowledgeGraph
from core.graph.projection import Projection
from core.graph.store import GraphStore
from core.questions.planned import ReadPlan
from tests.contract.known_graph import BY_IMPORTANCE, ENTITIES, RELATIONSHIPS, keys
from tests.support.graphs import graph_data

PAIN = Named("pain", ("P1",), "Pain", "Phenotype")
CAUSES = Plan(
    Want.LIST,
    (Selection(("Drug",), ((Condition(("CAUSES_SIDE_EFFECT",), PAIN, forward=True),),)),),
)


@pytest.fixture
def whole(graph_store: GraphStore) -> KnowledgeGraph:
    graph_store.replace(graph_data(ENTITIES, RELATIONSHIPS))
    return KnowledgeGraph(graph_store)


@pytest.mark.req("KG-19")
def test_lists_have_no_member_outside_and_say_so(whole: KnowledgeGraph) -> None:
    read = ReadPlan(CAUSES, "")
    every = compute(read, whole)
    part = part_of(whole, Within(entities=("D2", "P1", "nobody")))
    found = told_of_part(compute(read, part), part)
    assert every is not None and found is not None
    assert {one.id for one in every.lists[0].members} == {"D1", "D2"}
    assert [one.id for one in found.lists[0].members] == ["D2"]
    assert found.lists[0].title.endswith("(among the 2 entities shown)")
    assert all(one.text.startswith("Among the 2 entities shown: ") for one in found.told)
    assert keys(list(found.facts)) == [("D2", "CAUSES_SIDE_EFFECT", "P1")]
    assert part_of(whole, Within(("doc",))) is whole and told_of_part(every, whole) is every


def test_an_import_changes_the_part_too(whole: KnowledgeGraph) -> None:
    part = InducedGraph(whole, ("D1", "D2"))
    assert keys(part.facts("D1", "INTERACTS_WITH")) == [("D2", "INTERACTS_WITH", "D1")]
    assert part.entities_named("pain") == [] and part.entities_named("warfarin")
    assert part.relationship_counts("D1") == {"INTERACTS_WITH": 1, "RESEMBLES": 1}
    assert part.fingerprint() == whole.fingerprint()
    whole.store.replace(graph_data(ENTITIES, []))
    assert part.facts("D1", "INTERACTS_WITH") == []
    assert InducedGraph(whole, ("nobody",)).projection().ids == ()


@settings(max_examples=100)
@given(chosen=st.sets(st.sampled_from([one.id for one in BY_IMPORTANCE])))
def test_a_part_has_all_that_its_entities_have_among_themselves(chosen: set[str]) -> None:
    data = graph_data(ENTITIES, RELATIONSHIPS)
    graph = Projection.from_bytes(data.projection)
    places = [n for n, one in enumerate(graph.ids) if one in chosen]
    part = induced(graph, np.array(places, np.int64))
    found = {
        (part.ids[source], part.relationship_types[kind], part.ids[target])
        for place in range(len(part.ids))
        for edge in range(part.half_edges(place).start, part.half_edges(place).stop)
        for source, kind, target in [part.triple(place, edge)]
    }
    assert set(part.ids) == chosen
    assert found == {one.key for one in RELATIONSHIPS if {one.source, one.target} <= chosen}
