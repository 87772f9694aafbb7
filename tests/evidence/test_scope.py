"""Where an answer is looked for: the indexes of answers, some of them, or everything; and what is told
when nothing is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.documents.library.shelves import ABSTRACTS
from core.domain.answers import DocumentCitation
from core.domain.serial import answer_from_json, answer_to_json, answer_to_public
from core.errors import InputError, NotFound
from core.evidence.asked_sections import sections_asked
from core.evidence.retrieval import EvidenceFinder
from core.maintenance.sample import SAMPLE
from core.questions.clauses import read_clauses
from core.workspace import Workspace
from tests.support.asking import UNANSWERABLE, WHEN_NOT, documents, relationships

QUESTION = "When must Quolvane not be taken?"


@pytest.fixture
def two_indexes(own_workspace: Workspace, tmp_path: Path) -> Workspace:
    """Metformin in the leaflets; in an index of its own, a medicine whose section says nothing."""
    assert own_workspace.library.ingest(SAMPLE / "leaflets" / "Metformin.pdf").state == "ready"
    own_workspace.indexes.create("papers", "semantic")
    path = tmp_path / "quolvane.txt"
    path.write_text("About Quolvane\n\nQuolvane must not be taken by people with gout.")
    assert own_workspace.library.ingest(path, index="papers").state == "ready"
    return own_workspace


def files(citations: tuple[DocumentCitation, ...] | list[DocumentCitation]) -> set[str]:
    return {citation.file for citation in citations}


def test_named_indexes_are_all_that_is_searched(two_indexes: Workspace) -> None:
    chat = two_indexes.chat
    found = chat.answer(QUESTION, indexes=("papers",))
    assert found.scope == ("papers",) and not found.wider
    assert files(documents(found)) == {"quolvane.txt"}
    missed = chat.answer(QUESTION, indexes=("leaflets",))
    assert missed.refused and missed.scope == ("leaflets",)
    assert files(missed.nearest) <= {"Metformin.pdf"}
    with pytest.raises(NotFound) as caught:
        chat.answer(QUESTION, indexes=("nowhere",))
    assert caught.value.code == "INDEX_NOT_FOUND"


def test_a_wider_search_leaves_no_index_out(two_indexes: Workspace) -> None:
    names = {index.name for index in two_indexes.library_store.indexes()}
    wider = two_indexes.chat.answer(QUESTION, indexes=("leaflets",), wider=True)
    assert wider.wider and set(wider.scope) == names
    assert files(documents(wider)) == {"quolvane.txt"}
    usual = two_indexes.chat.answer(QUESTION)
    assert set(usual.scope) == names - {ABSTRACTS} and not usual.wider


def test_no_index_chosen_is_never_all_of_them(two_indexes: Workspace) -> None:
    before = two_indexes.conversations.list()
    with pytest.raises(InputError) as caught:
        two_indexes.chat.answer(QUESTION, indexes=())
    assert caught.value.code == "NO_INDEX" and caught.value.advice
    assert two_indexes.conversations.list() == before
    wider = two_indexes.chat.answer(QUESTION, indexes=(), wider=True)
    assert files(documents(wider)) == {"quolvane.txt"}


def test_no_index_brings_no_passage(workspace: Workspace) -> None:
    """The retriever alone would take none for all."""
    finder = EvidenceFinder(
        sources=workspace.sources,
        retriever=workspace.retriever,
        similar_to=lambda _vector: [],
        top_k=4,
        candidates=20,
        per_entity=25,
        limit=200,
    )
    clauses = read_clauses(WHEN_NOT, workspace.names.entities_in)
    (nothing,) = finder.retrieve(clauses, (), all_of_them=True).parts
    (something,) = finder.retrieve(clauses, ("leaflets",), all_of_them=True).parts
    assert nothing.hits == () != something.hits


def test_without_any_index_the_graph_alone_answers(own_workspace: Workspace) -> None:
    for wider in (True, False):
        refused = own_workspace.chat.answer(QUESTION, wider=wider)
        assert refused.refused and refused.scope == () and refused.nearest == ()
    told = own_workspace.chat.answer("List the drugs that treat asthma")
    assert relationships(told) and not documents(told)


def test_abstracts_answer_where_there_is_nothing_else(
    own_workspace: Workspace, tmp_path: Path
) -> None:
    own_workspace.indexes.create(ABSTRACTS, "semantic")
    path = tmp_path / "quolvane.txt"
    path.write_text("About Quolvane\n\nQuolvane must not be taken by people with gout.")
    assert own_workspace.library.ingest(path, index=ABSTRACTS).state == "ready"
    found = own_workspace.chat.answer(QUESTION)
    assert found.scope == (ABSTRACTS,) and files(documents(found)) == {"quolvane.txt"}
    assert own_workspace.library.ingest(SAMPLE / "leaflets" / "Metformin.pdf").state == "ready"
    again = own_workspace.chat.answer(QUESTION)
    assert again.refused and again.scope == ("leaflets",)


@pytest.mark.req("KG-E")
@pytest.mark.parametrize("question", UNANSWERABLE)
def test_nothing_found_is_told_with_what_may_help(question: str, workspace: Workspace) -> None:
    answer = workspace.chat.answer(question)
    assert answer.refused and answer.suggestions
    assert any("Search wider" in words for words in answer.suggestions)
    told = answer_to_public(answer)["no_results"]
    assert told["type"] == "NO_RESULTS" and told["message"] == answer.text
    assert told["details"] == {"query": question, "suggestions": list(answer.suggestions)}
    assert told["correlation_id"] == answer.correlation_id != ""
    assert answer_from_json(answer_to_json(answer)) == answer
    wider = workspace.chat.answer(question, wider=True)
    assert wider.refused and not any("Search wider" in words for words in wider.suggestions)


def test_an_answer_is_no_error(workspace: Workspace) -> None:
    answer = workspace.chat.answer(WHEN_NOT)
    assert answer_to_public(answer)["no_results"] is None and answer.suggestions == ()


def test_a_misspelt_name_is_suggested(workspace: Workspace) -> None:
    answer = workspace.chat.answer("What is the dose of metfromine?")
    if answer.refused:
        assert "etformin" in answer.suggestions[0]


def test_passages_of_the_section_that_is_likeliest_asked_for_come_first(
    workspace: Workspace,
) -> None:
    reader, question = workspace.chat._reader, "Wie lange ist Metformin haltbar?"
    (clause,) = reader.planned(question, reader.planner.read(question))
    assert list(sections_asked(clause)) == ["storage", "posology"], "a dose is asked so too"
