"""What the graph brings to answers: misspelt names, complete lists, similar entities, and its absence."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.domain.answers import GraphCitation, State, Support
from core.domain.events import Expanded, Retrieved
from core.domain.graph import NAMED_IN_QUESTION as NAMED
from core.evidence.retrieval import SIMILAR
from core.maintenance.sample import SAMPLE
from core.workspace import Workspace
from tests.support.answering import Open
from tests.support.fake_openai import FakeOpenAI
from tests.support.pdfs import make_pdf

PRINTED = Path(__file__).parents[2] / "bench" / "printed"


@pytest.mark.parametrize(
    ("written", "meant"),
    [("metfromin", "metformin"), ("Metformn", "Metformin"), ("metforminn", "metformin")],
)
def test_a_misspelt_name_is_read_and_said(workspace: Workspace, written: str, meant: str) -> None:
    answer = workspace.chat.answer(f"When must {written} not be taken?")
    assert answer.question == f"When must {written} not be taken?"
    assert answer.read_as == f"When must {meant} not be taken?"
    assert not answer.refused
    assert answer.text == workspace.chat.answer(answer.read_as).text


def test_two_errors_are_read_and_said_where_only_one_name_is_near(workspace: Workspace) -> None:
    answer = workspace.chat.answer("When must metfrominn not be taken?")
    assert not answer.refused
    assert answer.read_as == "When must metformin not be taken?"


def test_what_may_be_two_medicines_is_asked_about_and_never_read(workspace: Workspace) -> None:
    """Prednisone is not prednisolone: what is not certain is not answered."""
    answer = workspace.chat.answer("When must prednisoln not be taken?")
    assert answer.refused
    assert answer.read_as == answer.question
    assert answer.notice.startswith("Did you mean “Prednisolone” or “Prednisone”")


def test_a_name_that_only_a_document_has_is_read_too(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    leaflet = make_pdf(
        tmp_path / "leaflet.pdf",
        "Package leaflet: Information for the user\nZelvantine 20 mg tablets\nRead all of this leaflet\n\n"
        "5. How to store Zelvantine\nStore Zelvantine below 25 degrees in the original carton.",
    )
    assert own_workspace.library.ingest(leaflet).state == "ready"
    answer = own_workspace.chat.answer("How should Zelvantin be stored?")
    assert answer.read_as == "How should Zelvantine be stored?"
    assert "below 25 degrees" in answer.text
    # Names of the graph are nobody's misspelling, whatever stands in the library.
    known = "How should warfarin be stored?"
    assert own_workspace.chat.answer(known).read_as == known


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (
            "At what temperture must metformin be stroed?",
            "At what temperature must metformin be stored?",
        ),
        # Full text takes it for the word that is meant.
        ("Which temperatur is right for metformin?", ""),
        # Another language's word is no misspelling, and what no document says is not guessed.
        ("Bei welcher Temperatur wird Metformin gelagert?", ""),
        ("Does metformin help a zebrra?", ""),
    ],
)
def test_everyday_words_of_the_documents_are_read_when_misspelt(
    workspace: Workspace, written: str, read: str
) -> None:
    assert workspace.chat.answer(written).read_as == (read or written)


def test_words_of_the_library_are_never_corrected(workspace: Workspace) -> None:
    answer = workspace.chat.answer("What helps against lactic acidosis with biguanides?")
    assert answer.read_as == answer.question


def test_a_list_of_all_is_complete_and_counted(workspace: Workspace) -> None:
    answer = workspace.chat.answer("List all drugs that treat asthma")
    (asthma,) = workspace.graph.entities_named("asthma")
    treating = {fact.source.name for fact in workspace.graph.facts(asthma.id, "TREATS")}
    assert len(treating) > 12  # more than a sentence usually names
    (sentence,) = answer.sentences
    assert sentence.text.startswith(f"{len(treating)} drugs treat asthma: ")
    cited = {one.source for one in answer.citations if isinstance(one, GraphCitation)}
    assert cited == treating
    assert all(name in sentence.text for name in treating)


def test_a_complete_list_is_not_left_to_a_model(
    workspace: Workspace, with_provider: Workspace, provider: FakeOpenAI
) -> None:
    answer = with_provider.chat.answer("List all drugs that treat asthma")
    assert answer.text == workspace.chat.answer("List all drugs that treat asthma").text
    assert provider.requests == []


@pytest.mark.req("KG-27", "KG-29")
def test_entities_of_an_answer_say_what_speaks_of_them(workspace: Workspace) -> None:
    for question in ("Which drugs treat asthma?", "When must metformin not be taken?"):
        answer = workspace.chat.answer(question)
        assert answer.entities
        relevances = [entity.relevance for entity in answer.entities]
        assert relevances == sorted(relevances, reverse=True)
        for entity in answer.entities:
            assert entity.id and entity.type and entity.name and entity.excerpt
            assert 0.0 <= entity.relevance <= 1.0
            known = workspace.graph.entity(entity.id)
            assert known is not None and entity.properties == dict(known.properties)
        for entity in answer.entities:
            named = workspace.names.entity_ids_in(entity.excerpt)
            assert entity.id in named or entity.name in entity.excerpt


@pytest.mark.req("KG-22", "KG-23")
def test_similar_entities_are_found_first_and_expanded_then(own_workspace: Workspace) -> None:
    own_workspace.graph_tasks.embed()
    question = "Which medicine slows the splitting of starch and sugars in the gut?"
    events = list(own_workspace.chat.ask(question))
    kinds = [type(event) for event in events]
    assert kinds.index(Retrieved) < kinds.index(Expanded)
    (expanded,) = [event for event in events if isinstance(event, Expanded)]
    ranked = {one.entity.name: one for one in expanded.subgraph.entities}
    acarbose = ranked["Acarbose"]
    assert (acarbose.reason, acarbose.hops) == (SIMILAR, 0)
    around = own_workspace.graph.neighbours([acarbose.entity.id], 5)
    assert around
    assert all({fact.source.name, fact.target.name} <= set(ranked) for fact in around)
    # One that is named comes before the similar ones.
    answer = own_workspace.chat.answer("Which drugs treat asthma?")
    assert answer.entities[0].name == "asthma"
    assert answer.entities[0].reason == NAMED


def test_without_the_graph_documents_answer(open_workspace: Open, tmp_path: Path) -> None:
    """A Neo4j that nobody started: documents come in, answers go on, and both say so."""
    found = open_workspace(tmp_path / "data", writer=True, neo4j_uri="bolt://127.0.0.1:9")
    assert found.library.ingest(SAMPLE / "leaflets" / "Metformin.pdf").state == "ready"
    answer = found.chat.answer("When must metformin not be taken?")
    assert not answer.refused
    assert {citation.kind for citation in answer.citations} == {"document"}
    assert "knowledge graph cannot be reached" in answer.notice
    again = found.chat.answer("And in pregnancy?", answer.session)
    assert again.session == answer.session
    assert [turn.question for turn in found.conversations.history(answer.session)] == [
        "When must metformin not be taken?",
        "And in pregnancy?",
    ]
    states = {part.name: part for part in found.health().parts}
    assert states["Library"].ok
    assert not states["Knowledge graph"].ok
    assert states["Knowledge graph"].facts["code"] == "GRAPH_UNAVAILABLE"
    assert states["Knowledge graph"].facts["server"] == "bolt://127.0.0.1:9"


def test_a_name_of_two_entities_is_both(workspace: Workspace) -> None:
    """Pancreatitis is a disease, and a side effect: who asks for its causes means the latter."""
    named = workspace.graph.entities_named("pancreatitis")
    assert {entity.type for entity in named} > {"Phenotype"}
    (effect,) = (entity for entity in named if entity.type == "Phenotype")
    causing = {fact.source.name for fact in workspace.graph.facts(effect.id, "CAUSES_SIDE_EFFECT")}
    answer = workspace.chat.answer("List all drugs that cause pancreatitis")
    assert answer.text.startswith(f"{len(causing)} drugs can cause pancreatitis: ")
    assert {c.source for c in answer.citations if isinstance(c, GraphCitation)} == causing


def test_no_relationship_is_said_and_not_answered_with_others(workspace: Workspace) -> None:
    answer = workspace.chat.answer("Does metformin interact with warfarin?")
    assert not [c for c in answer.citations if isinstance(c, GraphCitation)]
    assert answer.sentences[-1].text.startswith(
        "The graph does not say that Metformin interacts with Warfarin"
    )


@pytest.mark.req("PR-4")
def test_what_the_graph_does_not_say_needs_no_model(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    """Nothing can be cited, so that a model would have nothing to write from; it is no refusal either."""
    answer = with_provider.chat.answer("Does alteplase treat gout?")
    assert not answer.refused and not answer.citations
    assert answer.text.startswith("The graph does not say that Alteplase treats gout")
    assert answer.state is State.MAY_NOT_ANSWER  # neither a yes nor a no
    assert answer.confidence is not None and answer.confidence <= 0.5
    assert provider.requests == []


def test_a_model_cannot_leave_out_what_the_graph_does_not_say(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    answer = with_provider.chat.answer("Is ibuprofen contraindicated in asthma?")
    assert provider.requests
    assert "The graph does not say that Ibuprofen is contraindicated in asthma" in answer.notice


def test_a_leaflet_answers_beside_a_yes(workspace: Workspace) -> None:
    answer = workspace.chat.answer("Is warfarin contraindicated in pregnancy?")
    assert {one.kind for one in answer.citations} == {"document", "graph"}
    assert answer.sentences[-1].text == "Yes: Warfarin is contraindicated in pregnancy."


@pytest.mark.parametrize(
    "question", ["Can ibuprofen be taken with warfarin?", "Does ibuprofen interact with warfarin?"]
)
def test_an_interaction_is_no_leave_to_take_both(workspace: Workspace, question: str) -> None:
    told = [one.text for one in workspace.chat.answer(question).sentences]
    assert "Ibuprofen interacts with Warfarin." in told
    assert not any(one.startswith("Yes") for one in told)


@pytest.mark.req("KG-41")
def test_likeness_is_by_vectors_once_there_are_any(own_workspace: Workspace) -> None:
    question = "Find drugs similar to Salbutamol"
    assert "By what they share with Salbutamol" in own_workspace.chat.answer(question).text
    own_workspace.graph_tasks.embed()
    answer = own_workspace.chat.answer(question)
    assert answer.text.startswith("By their descriptions these drugs are most like Salbutamol")
    assert answer.lists[0].members[0].name == "Salmeterol"
    assert {one.type for one in answer.lists[0].members} == {"Drug"}
    for member in answer.lists[0].members:
        assert len(member.relationships) == (2 if member.count else 0)
    events = list(own_workspace.chat.ask(question))
    (expanded,) = [event for event in events if isinstance(event, Expanded)]
    reasons = {one.entity.name: one.reason for one in expanded.subgraph.entities}
    assert reasons["Salmeterol"] == "similar to Salbutamol"


@pytest.mark.req("KG-42")
def test_a_mechanism_is_looked_for_along_its_relationships(workspace: Workspace) -> None:
    events = list(workspace.chat.ask("What is the mechanism of salbutamol?"))
    (expanded,) = [event for event in events if isinstance(event, Expanded)]
    kinds = {fact.type for fact in expanded.subgraph.facts}
    assert "TARGETS" in kinds and not kinds & {"TREATS", "INTERACTS_WITH", "CAUSES_SIDE_EFFECT"}


def test_how_two_are_connected_is_told_step_by_step(workspace: Workspace) -> None:
    answer = workspace.chat.answer("How are metformin and warfarin connected?")
    assert not answer.refused
    graph = [c for c in answer.citations if isinstance(c, GraphCitation)]
    ends = {end for c in graph for end in (c.source, c.target)}
    assert {"Metformin", "Warfarin"} < ends
    for citation in graph:
        facts = workspace.graph.facts(citation.source_id, citation.relationship)
        assert citation.target_id in {fact.target.id for fact in facts}


def test_what_the_own_leaflet_says_stands_beside_the_list_of_the_graph(
    own_workspace: Workspace,
) -> None:
    """No side effect of the graph has the name that a Dutch handout has for it."""
    handout = PRINTED / "70" / "document_n.pdf"
    assert own_workspace.library.ingest(handout).state == "ready"
    answer = own_workspace.chat.answer("bijwerkingen amlodipine")
    assert {one.support for one in answer.sentences} >= {Support.GRAPH, Support.DOCUMENT}
    assert "gezwollen enkels" in answer.text
