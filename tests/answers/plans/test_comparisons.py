"""Medicines compared: nothing that some of them share is dropped, and what the graph knows is told as that."""

from __future__ import annotations

import pytest

from core.domain.answers import Answer, DocumentCitation, Support
from core.domain.graph import Entity, Relationship
from core.domain.plans import Condition, Named, Plan, Selection, Want
from core.evidence.computed import compute
from core.maintenance.sample import SAMPLE
from core.questions.planned import ReadPlan
from core.workspace import Workspace
from tests.support.fake_openai import FakeOpenAI
from tests.support.graphs import stored

_FIVE = ("Metformin", "Ibuprofen", "Warfarin", "Lisinopril", "Methotrexate")


def linked(workspace: Workspace, name: str, kind: str) -> set[str]:
    """Names of what the entities of a name are linked to."""
    return {
        (fact.target if fact.source.id == entity.id else fact.source).name
        for entity in workspace.graph.entities_named(name)
        for fact in workspace.graph.facts(entity.id, kind)
    }


def listed(answer: Answer, title: str) -> set[str]:
    return {one.name for each in answer.lists if each.title == title for one in each.members}


def quoted_files(answer: Answer) -> set[str]:
    return {one.file for one in answer.citations if isinstance(one, DocumentCitation)}


def test_of_three_medicines_what_two_share_is_told_too(workspace: Workspace) -> None:
    answer = workspace.chat.answer(
        "Compare the contraindications of metformin, ibuprofen and methotrexate"
    )
    first, second, third = (
        linked(workspace, name, "CONTRAINDICATED_IN")
        for name in ("Metformin", "Ibuprofen", "Methotrexate")
    )
    parts = {
        "In all": first & second & third,
        "Only Metformin and Ibuprofen": (first & second) - third,
        "Only Metformin and Methotrexate": (first & third) - second,
        "Only Ibuprofen and Methotrexate": (second & third) - first,
        "Only Metformin": first - second - third,
        "Only Ibuprofen": second - first - third,
        "Only Methotrexate": third - first - second,
    }
    assert all(parts.values())
    assert {one.title: listed(answer, one.title) for one in answer.lists} == parts
    assert sum(one.size for one in answer.lists) == len(first | second | third)
    for title, names in parts.items():
        assert any(
            one.text.startswith(f"{title} ({len(names)}): ")
            and all(name in one.text for name in names)
            for one in answer.sentences
        )


def test_of_five_medicines_each_shared_member_says_whose_it_is(workspace: Workspace) -> None:
    answer = workspace.chat.answer(f"Compare the side effects of {', '.join(_FIVE)}")
    sets = {name: linked(workspace, name, "CAUSES_SIDE_EFFECT") for name in _FIVE}
    union = set().union(*sets.values())
    assert sum(one.size for one in answer.lists) == len(union)
    assert set().union(*(listed(answer, one.title) for one in answer.lists)) == union
    for one in union:
        of = [name for name in _FIVE if one in sets[name]]
        if 1 < len(of) < len(_FIVE):
            assert one in listed(answer, f"In {len(of)} of 5")
            text = next(x.text for x in answer.sentences if x.text.startswith(f"In {len(of)} of 5"))
            assert f"({', '.join(of[:-1])} and {of[-1]})" in text
    assert all(one.citations for one in answer.sentences if not one.text.endswith(": none."))


def test_the_rest_of_a_long_part_is_counted_and_listed() -> None:
    drugs = [Entity(f"D{n}", "Drug", f"Drug {n}", importance=0.9) for n in range(4)]
    effects = [Entity(f"E{n}", "Phenotype", f"effect {n}", importance=0.5) for n in range(20)]
    links = [
        Relationship(f"D{n % 2}", "CAUSES_SIDE_EFFECT", one.id) for n in (0, 1) for one in effects
    ]
    links += [Relationship(f"D{n}", "CAUSES_SIDE_EFFECT", "E0") for n in (2, 3)]
    sets = tuple(
        Selection(
            ("Phenotype",),
            ((Condition(("CAUSES_SIDE_EFFECT",), Named(one.name, (one.id,), one.name, "Drug")),),),
        )
        for one in drugs
    )
    computed = compute(ReadPlan(Plan(Want.COMPARE, sets), ""), stored([*drugs, *effects], links))
    assert computed is not None
    said = next(one.text for one in computed.told if one.text.startswith("In 2 of 4"))
    assert said.startswith("In 2 of 4 (19): effect 1, ") and said.endswith(
        " (Drug 0 and Drug 1); and 7 more."
    )
    assert [one.size for one in computed.lists] == [1, 19, 0, 0, 0, 0]


@pytest.mark.req("KG-48")
def test_the_leaflets_of_what_is_compared_are_quoted_beside_the_lists(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    answer = with_provider.chat.answer("Compare the contraindications of ibuprofen and warfarin")
    assert answer.sentences[0].text.startswith("In both (")
    assert quoted_files(answer) == {"Ibuprofen.pdf", "Warfarin.pdf"}
    assert "severe heart failure" in answer.text
    # The lists are told once, and by no model.
    of_graph = [one.text for one in answer.sentences if one.support is Support.GRAPH]
    assert [one.partition(" (")[0] for one in of_graph] == [
        "In both",
        "Only Ibuprofen",
        "Only Warfarin",
    ]
    assert "late pregnancy" in of_graph[1] and not provider.requests
    assert "The lists are what the graph knows; the documents" in answer.notice
    one_has_a_leaflet = with_provider.chat.answer(
        "Compare the contraindications of ibuprofen and methotrexate"
    )
    assert quoted_files(one_has_a_leaflet) == {"Ibuprofen.pdf"}
    assert any(one.text.startswith("Only Methotrexate (") for one in one_has_a_leaflet.sentences)


def test_without_a_leaflet_the_lists_are_said_to_be_the_graphs(workspace: Workspace) -> None:
    answer = workspace.chat.answer("Compare the contraindications of naproxen and celecoxib")
    assert not quoted_files(answer)
    assert (
        answer.notice
        == "The lists are what the graph knows; the document of a medicine may say more."
    )
    effects = workspace.chat.answer("Compare the side effects of ibuprofen and methotrexate")
    assert not effects.notice and not quoted_files(effects)


def test_contraindications_are_more_than_diseases(workspace: Workspace) -> None:
    known = linked(workspace, "Ibuprofen", "CONTRAINDICATED_IN")
    answer = workspace.chat.answer("What are the contraindications of ibuprofen?")
    assert answer.understood == "Contraindications of Ibuprofen"
    assert listed(answer, "Contraindications of Ibuprofen") == known
    assert {"late pregnancy", "dehydration"} < known
    diseases = workspace.chat.answer("Which diseases are contraindications of ibuprofen?")
    (told,) = diseases.lists
    assert told.title == "Diseases that are a contraindication of Ibuprofen"
    assert {one.name for one in told.members} < known - {"late pregnancy", "dehydration"}


def test_an_empty_list_does_not_stand_under_what_the_leaflet_answers(
    own_workspace: Workspace,
) -> None:
    assert own_workspace.library.ingest(SAMPLE / "leaflets" / "Sertraline.pdf").state == "ready"
    assert not linked(own_workspace, "Sertraline", "CONTRAINDICATED_IN")
    answer = own_workspace.chat.answer("What are the contraindications of sertraline?")
    assert quoted_files(answer) == {"Sertraline.pdf"}
    assert all(one.support is Support.DOCUMENT for one in answer.sentences)
    assert answer.notice.startswith(
        "The graph has nothing of this (“Contraindications of Sertraline”)"
    )
