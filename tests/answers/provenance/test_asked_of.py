"""Questions that are asked of some documents and sections alone."""

from __future__ import annotations

import pytest

from core.answers.provenance.asked_of import within_line
from core.domain.answers import DocumentCitation
from core.domain.provenance.within import EVERYTHING, Within
from core.domain.serial import answer_from_json, answer_to_json, answer_to_public
from core.errors import InputError, NotFound
from core.workspace import Workspace


def _document(workspace: Workspace, file: str) -> str:
    store = workspace.library_store
    documents = [one for index in store.indexes() for one in store.documents(index.name)]
    return next(one.id for one in documents if one.file == file)


def test_every_quote_is_from_the_chosen_document_and_section(sample_workspace: Workspace) -> None:
    metformin = _document(sample_workspace, "Metformin.pdf")
    within = Within((metformin,), sections=("contraindications",))
    for question in (
        "When must metformin not be taken?",
        "How should levothyroxine be taken?",
        "Which drugs treat type 2 diabetes, and when must metformin not be taken?",
    ):
        answer = sample_workspace.chat.answer(question, within=within)
        quoted = [one for one in answer.citations if isinstance(one, DocumentCitation)]
        for one in (*quoted, *answer.nearest):
            assert (one.document_id, one.section) == (metformin, "contraindications")
        assert within_line(answer) == "in: Metformin.pdf, Contraindications"
        assert answer_from_json(answer_to_json(answer)).within == answer.within


def test_lists_of_the_graph_stay_whole(sample_workspace: Workspace) -> None:
    question = "Which drugs treat type 2 diabetes?"
    within = Within((_document(sample_workspace, "Warfarin.pdf"),))
    narrowed = sample_workspace.chat.answer(question, within=within)
    whole = sample_workspace.chat.answer(question)
    assert narrowed.lists == whole.lists and narrowed.lists


def test_run_again_asks_of_the_same_documents(sample_workspace: Workspace) -> None:
    within = Within((_document(sample_workspace, "Ibuprofen.pdf"),))
    first = sample_workspace.chat.answer("How should it be stored?", within=within)
    turn = sample_workspace.conversations.history(first.session)[0]
    again = sample_workspace.chat.again(first.session, turn.id)
    assert again.within == first.within and again.text == first.text


def test_searching_wider_goes_beyond_them(sample_workspace: Workspace) -> None:
    within = Within((_document(sample_workspace, "Metformin.pdf"),))
    answer = sample_workspace.chat.answer(
        "How should levothyroxine be taken?", within=within, wider=True
    )
    assert answer.within == EVERYTHING and within_line(answer) == ""
    assert "Levothyroxine.pdf" in answer.cited_files.values()


def _ids(workspace: Workspace, *names: str) -> tuple[str, ...]:
    return tuple(workspace.graph.entities_named(name)[0].id for name in names)


@pytest.mark.req("KG-19")
def test_a_part_of_the_graph_alone_is_evidence(sample_workspace: Workspace) -> None:
    metformin, diabetes, gout = _ids(
        sample_workspace, "metformin", "type 2 diabetes mellitus", "gout"
    )
    within = Within(entities=(metformin, diabetes, gout, metformin))
    chat = sample_workspace.chat
    answer = chat.answer("Which drugs treat type 2 diabetes?", within=within)
    (listed,) = answer.lists
    assert [one.id for one in listed.members] == [metformin]
    assert "Among the 3 entities shown" in answer.text and "3 entities shown" in listed.title
    assert within_line(answer) == "in: 3 entities of the graph"
    assert answer_from_json(answer_to_json(answer)).within.entities == (metformin, diabetes, gout)
    assert list(answer_to_public(answer)["within"]["entities"]) == [metformin, diabetes, gout]
    turn = sample_workspace.conversations.history(answer.session)[0]
    again = chat.again(answer.session, turn.id)
    assert again.within == answer.within and again.lists == answer.lists
    wider = chat.answer("Which drugs treat type 2 diabetes?", within=within, wider=True)
    assert len(wider.lists[0].members) > 1 and wider.within == EVERYTHING
    # "These" are the entities shown, and no list that was told of others before.
    before = chat.answer("Which drugs treat hypertension?").session
    these = chat.answer("Which of these drugs treat type 2 diabetes?", before, within=within)
    assert [one.id for one in these.lists[0].members] == [metformin]


def test_passages_are_of_documents_that_mention_one_of_them(sample_workspace: Workspace) -> None:
    (warfarin,) = _ids(sample_workspace, "warfarin")
    mentioning = {
        one.file for one, _ in sample_workspace.catalogue.documents_mentioning(warfarin, 100)
    }
    answer = sample_workspace.chat.answer(
        "How should the tablets be stored?", within=Within(entities=(warfarin,))
    )
    assert set(answer.cited_files.values()) <= mentioning
    nothing = sample_workspace.chat.answer(
        "How should metformin be stored?", within=Within(entities=("nobody",))
    )
    assert nothing.refused and not nothing.nearest and "No document mentions" in nothing.notice
    with pytest.raises(InputError) as many:
        sample_workspace.chat.answer("Why?", within=Within(entities=tuple(map(str, range(301)))))
    assert many.value.code == "TOO_MANY_ENTITIES"


def test_what_is_not_there_is_said(sample_workspace: Workspace) -> None:
    with pytest.raises(NotFound) as missing:
        sample_workspace.chat.answer("How is it taken?", within=Within(("nobody",)))
    assert missing.value.code == "DOCUMENT_NOT_FOUND"
    with pytest.raises(InputError) as wrong:
        sample_workspace.chat.answer("How is it taken?", within=Within(sections=("nothing",)))
    assert wrong.value.code == "INVALID_SECTION"
