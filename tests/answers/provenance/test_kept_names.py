"""What an answer names stays as it was when it was made, whatever graph comes later."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.domain.graph import Entity
from core.workspace import Workspace
from pages.parts.chat.answer_view import answer_data
from tests.support.graphs import graph_data

TEXT = "The recommended dose of Zolvetrin is 37 mg once a day for adults with Quolvane."


@pytest.mark.req("KG-13")
def test_a_graph_that_is_imported_later_moves_nothing(
    make_workspace: Callable[..., Workspace], pdf: Callable[..., Path]
) -> None:
    workspace = make_workspace()
    drug = Entity("D1", "Drug", "Zolvetrin")
    workspace.graph.store.replace(graph_data([drug], []))
    workspace.library.ingest(pdf("Zolvetrin.pdf", TEXT))
    workspace.names.linker()
    answer = workspace.chat.answer("What is the dose of Zolvetrin?")
    named = [one for sentence in answer.sentences for one in sentence.entities or ()]
    assert named and {(one.id, one.name, one.type) for one in named} == {
        ("D1", "Zolvetrin", "Drug")
    }
    for sentence in answer.sentences:
        for one in sentence.entities or ():
            assert sentence.text[one.start : one.end] == "Zolvetrin"
    (turn,) = workspace.conversations.history(answer.session)
    before = answer_data(turn.answer, workspace.names.mentions_in)
    workspace.graph.store.replace(graph_data([Entity("T2", "Disease", "Quolvane")], []))
    workspace.names.linker()  # today "Quolvane" is a name, and "Zolvetrin" is none
    assert [one.entity_id for one in workspace.names.mentions_in(TEXT)] == ["T2"]
    (turn,) = workspace.conversations.history(answer.session)
    assert answer_data(turn.answer, workspace.names.mentions_in) == before
    assert "'entity': 'D1'" in str(before) and "T2" not in str(before)
