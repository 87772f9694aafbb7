"""Plans said in German and Dutch: read back, they are the same plans."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.graph import Entity
from core.domain.plans import Condition, Named, Plan, Rank, Selection, Want
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.graph.schema import GraphSchema
from core.questions.lexicon.reading import languages, said
from core.questions.planning import Planner
from core.questions.spoken import plan_said
from core.questions.wording import Wording
from core.resources import read_table
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from tests.contract.test_plans import (
    DISEASES,
    DRUGS,
    EFFECTS,
    ENTITIES,
    KINDS,
    PROTEINS,
    RELATIONSHIPS,
    drugs,
    of,
)
from tests.contract.test_plans import said as meant
from tests.support.graphs import graph_data

SPOKEN = ("de", "nl")
DENYING = ("but not", "neither")
# What says itself that something is not, or not which way: denied it would say nothing clear.
UNSAID = {"LACKS_PHENOTYPE", "ANATOMY_PROTEIN_ABSENT", "IS_PARENT_OR_CHILD_OF"}


@pytest.fixture(scope="module")
def planner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Planner]:
    folder: Path = tmp_path_factory.mktemp("spoken")
    with closing(Database(folder / "materia.db")) as database:
        store = SqliteGraph(database, folder / "graph")
        store.replace(graph_data(ENTITIES, RELATIONSHIPS))
        graph = KnowledgeGraph(store)
        yield Planner(graph, EntityNames(graph))


@given(
    language=st.sampled_from(SPOKEN),
    kind=st.sampled_from(sorted(KINDS)),
    pair=st.permutations(DISEASES),
    protein=st.sampled_from(PROTEINS),
    effect=st.sampled_from(EFFECTS[:2]),
)
def test_what_is_said_is_read_back(
    planner: Planner,
    language: str,
    kind: str,
    pair: list[Entity],
    protein: Entity,
    effect: Entity,
) -> None:
    plan = KINDS[kind].plan(pair[0], pair[1], protein, effect)
    text = plan_said(plan, GraphSchema.of(planner.graph.projection()), language)
    read = planner.read(text)
    assert read is not None, text
    assert (meant(read.plan), read.language) == (meant(plan), language), (text, read.understood)
    assert read.understood == text


@pytest.mark.parametrize("kind", DENYING)
def test_english_is_read_back_where_the_graph_lacks_something(planner: Planner, kind: str) -> None:
    plan = KINDS[kind].plan(DISEASES[0], DISEASES[1], PROTEINS[0], EFFECTS[0])
    turned = replace(plan, sets=(drugs(*reversed(plan.sets[0].conditions)),))
    text = plan_said(turned, GraphSchema.of(planner.graph.projection()), "en")
    assert "are not said in the graph to target" in text
    read = planner.read(text)
    assert read is not None and (meant(read.plan), read.understood) == (meant(plan), text)


@pytest.mark.parametrize("language", SPOKEN)
def test_a_language_says_all_that_a_graph_may_have(language: str) -> None:
    table = said(language)
    assert table is not None and set(SPOKEN) <= set(languages())
    phrases = Path(Wording.__init__.__code__.co_filename).parents[1] / "graph" / "phrases.toml"
    known = set(read_table(str(phrases), "phrases.toml"))
    assert set(table["relationships"]) == known - UNSAID
    english = read_table(Wording.__init__.__code__.co_filename, "nouns.toml")
    assert set(table["nouns"]) == set(english["nouns"])
    assert {name: one[0] for name, one in table["called"].items()} == {
        name: one[0] for name, one in english["called"].items()
    }
    for ways in table["relationships"].values():
        assert all("{not} " in way and ("{of}" in way or "{to}" in way) for way in ways)


def test_what_is_wanted_is_said(planner: Planner) -> None:
    schema = GraphSchema.of(planner.graph.projection())
    drug, other, *_ = (Named(one.name, (one.id,), one.name, one.type) for one in DRUGS)
    gout = DISEASES[2]
    treating = drugs((of("TREATS", gout),))
    denied = drugs((of("TREATS", gout, negated=True),))
    nested = drugs(
        (Condition(("TREATS",), Selection(("Disease",), ((of("ASSOCIATED_WITH", PROTEINS[0]),),))),)
    )
    plans = {
        "Alle Arzneimittel, die gout behandeln": Plan(Want.LIST, (treating,), everything=True),
        "Arzneimittel, von denen der Graph nicht sagt, dass sie gout behandeln": Plan(Want.LIST, (denied,)),
        "Arzneimittel, die Krankheiten, die mit ADRB1 assoziiert sind, behandeln": Plan(
            Want.LIST, (nested,)
        ),
        "Ob Metformin gout behandelt": Plan(Want.YES_NO, (treating,), (drug,)),
        "Arzneimittel, die gout behandeln, mit den wenigsten Zielproteinen": Plan(
            Want.LEAST, (treating,), rank=Rank(("TARGETS",), ("Protein",))
        ),
        "Was Metformin ähnlich ist": Plan(Want.SIMILAR, (), (drug,)),
        "Unter den Arzneimitteln, die gout behandeln: was Metformin ähnlich ist": Plan(
            Want.SIMILAR, (treating,), (drug,)
        ),
        "Wie Metformin und alpha-lipoic acid verbunden sind": Plan(Want.PATH, (), (drug, other)),
        "Was Metformin und alpha-lipoic acid gemeinsam haben": Plan(Want.SHARE, (), (drug, other)),
    }  # fmt: skip
    for text, plan in plans.items():
        assert plan_said(plan, schema, "de") == text
    assert plan_said(plans["Alle Arzneimittel, die gout behandeln"], schema, "nl") == (
        "Alle geneesmiddelen die gout behandelen"
    )


def test_what_a_language_lacks_is_said_in_english_as_a_whole(planner: Planner) -> None:
    schema = GraphSchema.of(planner.graph.projection())
    kept = drugs((of("TREATS", DISEASES[2]),))
    for lacking in (
        Plan(Want.LIST, (replace(kept, types=("GeneFamily",)),)),
        Plan(Want.LIST, (drugs((of("LACKS_PHENOTYPE", EFFECTS[0]),)),)),
    ):
        assert plan_said(lacking, schema, "de") == Wording(schema).plan(lacking)
    assert plan_said(Plan(Want.LIST, (kept,)), schema, "en") == "Drugs that treat gout"


@given(name=st.text(min_size=1, max_size=12))
def test_a_name_is_put_in_as_it_is(planner: Planner, name: str) -> None:
    schema = GraphSchema.of(planner.graph.projection())
    for written in (name, "{to} {0} {not}", "one/several"):
        end = Named(written, ("S3",), written, "Disease")
        plan = Plan(Want.LIST, (drugs((Condition(("TREATS",), end, negated=True),)),))
        assert plan_said(plan, schema, "de") == (
            f"Arzneimittel, von denen der Graph nicht sagt, dass sie {written} behandeln"
        )


def test_common_is_no_filler_between_alternatives(planner: Planner) -> None:
    read = planner.read("Which common drugs treat gout or Crohn's disease?")
    assert read is not None and [one.text for one in read.plan.left_over] == ["common"]
    assert read.offered == "Drugs that treat gout or treat Crohn's disease"
    both = planner.read("Which drugs are common to gout and Crohn's disease?")
    assert both is None or "or" not in both.understood.split()
