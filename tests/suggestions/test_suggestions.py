"""Offered questions: every one is asked, and every one is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import pytest

from core.documents.library.shelves import answered_from
from core.domain.answers import State
from core.graph.importing.importer import import_graph
from core.maintenance.sample import SAMPLE
from core.suggestions.candidates import OFFERED, AskedOf, OfferedQuestion
from core.suggestions.phrases import Phrases
from core.suggestions.service import Offered, Suggestions
from core.workspace import Workspace
from tests.support.fake_openai import FakeOpenAI

WAIT = 120.0  # seconds until a stuck test gives up
REAL_LEAFLETS = ("mahi_Amoxicillin", "aia4p_adalimumab", "aia4p_DrugB")


def starters(workspace: Workspace) -> Offered:
    return workspace.suggestions.starters().result(WAIT)


def follow_ups(workspace: Workspace, session: str) -> Offered:
    turns = workspace.conversations.history(session)
    return workspace.suggestions.follow_ups(turns).result(WAIT)


def questions(offered: Iterable[OfferedQuestion]) -> list[str]:
    return [one.question for one in offered]


def assert_answered(workspace: Workspace, offered: Offered) -> None:
    """Each is answered as the first of a conversation, and read as it is written."""
    for one in offered:
        answer = workspace.chat.answer(one.question)
        assert (answer.state, answer.read_as) == (State.ANSWERED, one.question)
        if one.source is not AskedOf.GRAPH:
            assert answer.document_ids
        if one.source is not AskedOf.DOCUMENTS:
            assert answer.lists and answer.lists[0].members


def assert_clicks_are_answered(workspace: Workspace, question: str, least: int = 1) -> None:
    """Each follow-up is answered in the conversation that it is offered in."""
    first = workspace.chat.answer(question)
    offered = follow_ups(workspace, first.session)
    assert least <= len(offered) <= OFFERED, question
    assert question not in questions(offered)
    assert len(set(questions(offered))) == len(offered)
    for one in offered:
        before = workspace.chat.answer(question).session
        assert workspace.chat.answer(one.question, before).state is State.ANSWERED, one.question


@pytest.mark.req("KG-F")
def test_starters_are_of_documents_of_the_graph_and_of_both_and_each_is_answered(
    sample_workspace: Workspace,
) -> None:
    offered = starters(sample_workspace)
    assert [one.source for one in offered] == [AskedOf.BOTH, AskedOf.DOCUMENTS, AskedOf.GRAPH]
    assert_answered(sample_workspace, offered)
    answered = partial(answered_from, sample_workspace.library_store)
    again = Suggestions(lambda: sample_workspace.chat, sample_workspace.sources, answered)
    try:
        assert again.starters().result(WAIT) == offered, "the same from run to run"
    finally:
        again.close()


@pytest.mark.req("KG-F")
@pytest.mark.parametrize(
    "question",
    [
        "How should metformin be taken?",
        "Which drugs treat hypertension?",
        "Which drugs treat type 2 diabetes, and when must metformin not be taken?",
        "What are the side effects of ibuprofen?",
        "Does ibuprofen interact with warfarin?",
        "Wie soll Metformin eingenommen werden?",
        "Hoe moet ibuprofen worden bewaard?",
    ],
)
def test_every_follow_up_is_answered(sample_workspace: Workspace, question: str) -> None:
    assert_clicks_are_answered(sample_workspace, question, least=OFFERED)


def test_follow_ups_are_in_the_language_of_the_question(sample_workspace: Workspace) -> None:
    session = sample_workspace.chat.answer("Wie soll Metformin eingenommen werden?").session
    offered = questions(follow_ups(sample_workspace, session))
    german = {"Wann", "Welche", "Bei", "Was", "Wie", "Wofür", "Darf"}
    assert len(offered) == OFFERED and {one.split()[0] for one in offered} <= german


def test_what_was_asked_is_not_offered_again(sample_workspace: Workspace) -> None:
    session = sample_workspace.chat.answer("How should metformin be stored?").session
    seen: list[str] = []
    for _ in range(4):
        offered = questions(follow_ups(sample_workspace, session))
        assert offered and not set(offered) & set(seen)
        seen.append(offered[0])
        assert sample_workspace.chat.answer(offered[0], session).state is State.ANSWERED


def test_after_a_refusal_stands_what_is_known_of_its_subject_or_else_the_starters(
    sample_workspace: Workspace,
) -> None:
    known = sample_workspace.chat.answer("What is the maximum daily dose of Xarelto?")
    assert known.refused
    offered = follow_ups(sample_workspace, known.session)
    assert offered and any("rivaroxaban" in one for one in questions(offered))
    assert_answered(sample_workspace, offered)
    nothing = sample_workspace.chat.answer("What is the capital of France?")
    assert follow_ups(sample_workspace, nothing.session) == starters(sample_workspace)


def test_a_question_that_stands_in_place_of_another_is_answered(
    sample_workspace: Workspace,
) -> None:
    answer = sample_workspace.chat.answer("Which drugs treat juvenile gout?")
    assert answer.instead
    for question in answer.instead:
        assert sample_workspace.chat.answer(question).state is State.ANSWERED


def test_an_empty_library_offers_nothing_and_a_change_is_seen(
    make_workspace: Callable[..., Workspace],
) -> None:
    workspace = make_workspace()
    assert starters(workspace) == ()
    import_graph(SAMPLE / "graph", workspace.graph.store)
    of_graph = starters(workspace)
    assert {one.source for one in of_graph} == {AskedOf.GRAPH} and len(of_graph) == OFFERED
    assert_answered(workspace, of_graph)
    kept = workspace.suggestions.starters()
    assert kept is workspace.suggestions.starters(), "kept as long as nothing changes"
    assert workspace.library.ingest(SAMPLE / "leaflets" / "Metformin.pdf").state == "ready"
    assert workspace.suggestions.starters() is not kept
    offered = starters(workspace)
    assert offered[0].source is AskedOf.BOTH and "metformin" in offered[0].question
    (document,) = workspace.catalogue.documents()
    workspace.deletion.documents([document.id], quotes=False)
    assert starters(workspace) == of_graph


def test_documents_alone_are_enough(make_workspace: Callable[..., Workspace]) -> None:
    workspace = make_workspace()
    assert workspace.library.ingest(SAMPLE / "leaflets" / "Ibuprofen.pdf").state == "ready"
    offered = starters(workspace)
    assert [one.source for one in offered] == [AskedOf.DOCUMENTS] * OFFERED
    assert_answered(workspace, offered)
    assert_clicks_are_answered(workspace, offered[0].question)


def test_no_language_model_is_asked_for_them(
    with_provider: Workspace, provider: FakeOpenAI
) -> None:
    assert starters(with_provider)
    turns = with_provider.conversations.history(
        with_provider.chat.answer("What is the capital of France?").session
    )
    assert with_provider.suggestions.follow_ups(turns).result(WAIT)
    assert not provider.requests


@pytest.mark.req("KG-F")
def test_over_real_leaflets_each_is_answered(
    make_workspace: Callable[..., Workspace], shared_data: Path
) -> None:
    workspace = make_workspace()
    import_graph(SAMPLE / "graph", workspace.graph.store)
    for name in REAL_LEAFLETS:
        file = shared_data / "pdfs" / "drug" / f"{name}.pdf"
        assert workspace.library.ingest(file).state == "ready"
    offered = starters(workspace)
    assert len(offered) == OFFERED
    assert_answered(workspace, offered)
    for question in questions(offered):
        assert_clicks_are_answered(workspace, question)


def test_a_name_is_put_into_a_question_as_it_is() -> None:
    hostile = "{name} {0} **x** <b>"
    assert Phrases.of("en").of_section("storage", hostile) == f"How should {hostile} be stored?"
    assert Phrases.of("xx") == Phrases.of("en") == Phrases.of("order")
    assert Phrases.of("en").of_section("nothing", "x") == ""
    assert Phrases.of("en").of_relationship("NOTHING", "x", is_source=True) == ""
