"""An exported conversation comes back the same in every store."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.conversations.exporting.exports import ExportFormat, Exports
from core.conversations.exporting.importing import ReadIn
from core.conversations.store import ConversationStore
from tests.conversations.exporting.conversations import (
    HOSTILE,
    SESSION,
    NoDocuments,
    a_full_answer,
    fill,
)


@pytest.mark.req("KG-12", "KG-15")
def test_out_and_in_again(conversation_store: ConversationStore) -> None:
    exports = Exports(conversation_store, NoDocuments())
    session = fill(
        conversation_store, *(replace(a_full_answer(HOSTILE), question=q) for q in "ABC")
    )
    turns = conversation_store.turns(SESSION)
    data = exports.written(SESSION, ExportFormat.JSON).content
    assert exports.read_in(data) == ReadIn(session, new=False)
    copy = exports.of_user("other").read_in(data).session
    copies = conversation_store.turns(copy.id)
    assert copy.id != SESSION and [turn.question for turn in copies] == ["A", "B", "C"]
    assert [replace(turn.answer, session=SESSION) for turn in copies] == [t.answer for t in turns]
    for one in (SESSION, copy.id):
        conversation_store.delete_session(one)
    assert exports.read_in(data) == ReadIn(session, new=True)
    assert conversation_store.turns(SESSION) == turns
