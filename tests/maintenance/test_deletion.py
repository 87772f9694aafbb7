"""A document deleted with what kept answers quote of it: nothing of its text is left in the whole folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.conversations.service import Conversations
from core.domain.answers import DocumentCitation
from core.domain.documents import DeletionReceipt
from core.errors import NotFound, StoreUnavailable
from core.maintenance.deletion import Deletion, QuoteCount
from core.stores.sqlite.conversations import SqliteConversations
from core.stores.sqlite.waiting_quotes import WaitingQuotes
from core.workspace import Workspace

TEXT = (
    "The recommended dose of Zolvetrin is 37 mg once a day, swallowed whole beside an open window."
)
SECRET = "swallowed whole beside an open window"
QUESTION = "What is the dose of Zolvetrin?"


@pytest.fixture
def workspace(make_workspace: Callable[..., Workspace]) -> Workspace:
    return make_workspace()


@pytest.fixture
def document(workspace: Workspace, pdf: Callable[..., Path]) -> str:
    """A document that two answers of two conversations quote."""
    document_id = workspace.library.ingest(pdf("Zolvetrin.pdf", TEXT)).document_id
    for _ in range(2):
        answer = workspace.chat.answer(QUESTION)
        assert SECRET in answer.text and answer.document_ids == {document_id}
    return document_id


def places_with(folder: Path, text: str) -> list[str]:
    """Files of a folder that hold a text."""
    return [
        path.name
        for path in folder.rglob("*")
        if path.is_file() and text.encode() in path.read_bytes()
    ]


@pytest.mark.req("PR-5")
def test_quotes_stay_unless_they_are_to_go(workspace: Workspace, document: str) -> None:
    assert workspace.deletion.quoted([document]) == QuoteCount(2, 2)
    (receipt,) = workspace.deletion.documents([document], quotes=False)
    assert (receipt.quotes, receipt.quotes_later, receipt.left) == (0, 0, 0)
    assert workspace.deletion.quoted([document]) == QuoteCount(2, 2)
    assert len(workspace.conversations.list(SECRET)) == 2
    # It is not too late.
    (receipt,) = workspace.deletion.documents([document], quotes=True)
    assert (receipt.file, receipt.documents, receipt.quotes) == ("Zolvetrin.pdf", 0, 2)
    assert workspace.conversations.list(SECRET) == []
    for quotes in (True, False):
        with pytest.raises(NotFound):
            workspace.deletion.documents([document], quotes=quotes)


@pytest.mark.req("PR-5")
def test_nothing_of_the_text_is_left_in_the_data_folder(
    workspace: Workspace, document: str
) -> None:
    folder = workspace.settings.root
    assert places_with(folder, SECRET)
    (receipt,) = workspace.deletion.documents([document], quotes=True)
    assert (receipt.quotes, receipt.quotes_later, receipt.left) == (2, 0, 0)
    assert places_with(folder, SECRET) == []
    assert len(workspace.conversations.list()) == 2 and workspace.conversations.list(SECRET) == []
    for session in workspace.conversations.list():
        (turn,) = workspace.conversations.history(session.id)
        (citation,) = turn.answer.citations
        assert isinstance(citation, DocumentCitation)
        assert (citation.file, citation.page, citation.quote) == ("Zolvetrin.pdf", 1, "")
        assert turn.question == QUESTION
    assert workspace.chat.answer(QUESTION, session.id).refused, "the conversation goes on"


def test_a_whole_index_and_everything(workspace: Workspace, document: str) -> None:
    assert workspace.deletion.quoted(workspace.deletion.documents_of("leaflets")) == QuoteCount(
        2, 2
    )
    receipt = workspace.deletion.index("leaflets", quotes=True)
    assert (receipt.documents, receipt.quotes) == (1, 2)
    assert places_with(workspace.settings.root, SECRET) == []
    assert [one.quotes for one in workspace.deletion.everything(quotes=True)] == []


class Interrupted(Exception):
    """The process is killed."""


class Breaking:
    """A service whose method dies, and may first do its work: the end of the process."""

    def __init__(self, service: Any, method: str, after: bool) -> None:
        self._service, self._method, self._after = service, method, after

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._service, name)
        if name != self._method:
            return found

        def die(*values: Any, **options: Any) -> None:
            if self._after:
                found(*values, **options)
            raise Interrupted

        return die


@pytest.mark.parametrize("after", [False, True])
def test_what_a_killed_process_left_is_done_by_the_next_start(
    workspace: Workspace, document: str, make_workspace: Callable[..., Workspace], after: bool
) -> None:
    """Killed before the document was marked, it stays with its quotes; later, both go."""
    waiting = WaitingQuotes(workspace.database)
    # Between the deletion and the quotes the waiting list is all that knows of them.
    store = SqliteConversations(workspace.database)
    deletion = Deletion(
        workspace.library,
        workspace.indexes,
        Conversations(Breaking(store, "quoting", after=False)),  # type: ignore[arg-type]
        waiting,
    )
    if after:
        with pytest.raises(Interrupted):
            deletion.documents([document], quotes=True)
        assert workspace.catalogue.document(document) is None
    else:
        waiting.add([document])
    workspace.close()
    again = make_workspace()
    assert WaitingQuotes(again.database).all() == []
    assert len(again.conversations.list(SECRET)) == (0 if after else 2)
    assert (again.catalogue.document(document) is None) == after


class Away:
    """A store on a server that cannot be reached, as far as quotes are concerned."""

    def __init__(self, store: SqliteConversations) -> None:
        self._store = store

    def quoting(self, document_ids: object) -> None:
        raise StoreUnavailable("away")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def test_quotes_that_cannot_be_reached_wait(workspace: Workspace, document: str) -> None:
    store = SqliteConversations(workspace.database)
    waiting = WaitingQuotes(workspace.database)
    deletion = Deletion(
        workspace.library,
        workspace.indexes,
        Conversations(Away(store)),  # type: ignore[arg-type]
        waiting,
    )
    with pytest.raises(StoreUnavailable):
        deletion.quoted([document])
    receipts = deletion.documents([document], quotes=True)
    assert [(one.left, one.quotes, one.quotes_later) for one in receipts] == [(0, 0, 1)]
    assert waiting.all() == [document] and len(workspace.conversations.list(SECRET)) == 2
    assert workspace.deletion.finish() == 2 and waiting.all() == []
    assert workspace.conversations.list(SECRET) == [] and workspace.deletion.finish() == 0


@pytest.fixture
def answering(workspace: Workspace) -> Iterator[set[str]]:
    running: set[str] = set()
    workspace.conversations.in_use = lambda: running
    yield running


def test_an_answer_that_is_made_meanwhile_is_looked_at_afterwards(
    workspace: Workspace, document: str, answering: set[str]
) -> None:
    late = workspace.chat.answer(QUESTION)
    workspace.conversations.delete(late.session)
    answering.add("running")
    receipts: list[DeletionReceipt] = workspace.deletion.documents([document], quotes=True)
    assert [(one.quotes, one.quotes_later) for one in receipts] == [(2, 1)]
    session, _ = workspace.conversations.open(None, QUESTION)
    workspace.conversations.keep(session.id, late)
    answering.clear()
    assert workspace.deletion.finish() == 1 and workspace.conversations.list(SECRET) == []
