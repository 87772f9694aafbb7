"""Documents deleted together with what kept answers quote of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from core.conversations.service import Conversations
from core.documents.library.indexes import Indexes
from core.documents.library.library import Library
from core.domain.answers import DocumentCitation
from core.domain.documents import DeletionReceipt, DocumentState
from core.errors import MateriaError
from core.logs import get_logger

_log = get_logger("deletion")


class Waiting(Protocol):
    """Ids of documents whose quotes are still to be removed, kept on disk."""

    def add(self, document_ids: Collection[str]) -> None: ...
    def all(self) -> list[str]: ...
    def remove(self, document_ids: Collection[str]) -> None: ...


@dataclass(frozen=True, slots=True)
class QuoteCount:
    """How many kept answers have text of some documents, in how many conversations."""

    answers: int
    conversations: int


class Deletion:
    """Deletes documents; on request, their text goes from kept answers too.

    What is to be removed is written down before the document goes: when the process ends in between, or
    the conversations' store cannot be reached, `finish` does the rest.

    What is being answered meanwhile may still quote what goes: then `finish` looks once more.
    """

    def __init__(
        self,
        library: Library,
        indexes: Indexes,
        conversations: Conversations,
        waiting: Waiting,
    ) -> None:
        self._library = library
        self._indexes = indexes
        self._conversations = conversations
        self._waiting = waiting

    def quoted(self, document_ids: Sequence[str]) -> QuoteCount:
        """How many kept answers quote these documents.

        Raises:
            StoreUnavailable: the store of conversations cannot be reached.
        """
        found = self._conversations.quoting(document_ids)
        return QuoteCount(len(found), len({one.session_id for one in found}))

    def documents_of(self, index: str | None = None) -> list[str]:
        """Ids of all documents of an index, or of every index."""
        listed = self._library.store.documents(index, include_unfinished=True)
        return [document.id for document in listed]

    def documents(self, document_ids: Sequence[str], *, quotes: bool) -> list[DeletionReceipt]:
        """Remove documents, a receipt for each; all of them are known, or none is removed.

        With `quotes`, a document that was deleted before counts as known where kept answers quote it.

        Raises:
            NotFound: one of them is not in the library.
        """
        if not quotes:
            return self._library.delete_many(document_ids)
        before = [one for one in document_ids if self._is_only_quoted(one)]
        there = [one for one in document_ids if one not in before]
        files = {one: self._cited_as(one) for one in before}

        def delete() -> list[DeletionReceipt]:
            receipts = self._library.delete_many(there) if there else []
            gone = [DeletionReceipt(one, files[one], 0, 0, 0, 0, 0, 0, 0, 0) for one in before]
            return [*receipts, *gone]

        return self._with_quotes(document_ids, delete)

    def index(self, name: str, *, quotes: bool) -> DeletionReceipt:
        """Remove an index with all its documents.

        Raises:
            NotFound: no such index.
            Conflict: documents are being added to it (``INDEX_BUSY``).
        """
        if not quotes:
            return self._indexes.delete(name)
        (receipt,) = self._with_quotes(
            self.documents_of(name), lambda: [self._indexes.delete(name)]
        )
        return receipt

    def everything(self, *, quotes: bool) -> list[DeletionReceipt]:
        """Remove every index with all documents; a receipt for each.

        Raises:
            Conflict: documents are being added to one of them (``INDEX_BUSY``); nothing is removed.
        """
        if not quotes:
            return self._indexes.delete_everything()
        return self._with_quotes(self.documents_of(), self._indexes.delete_everything)

    def finish(self) -> int:
        """Take out of kept answers what earlier deletions left there; the number of quotes.

        Raises:
            StoreUnavailable: a store cannot be reached; the next start tries again.
        """
        self._forget_deletions_that_never_began(self._waiting.all())
        due = self._waiting.all()
        if not due:
            return 0
        removed = self._conversations.remove_quotes(due).total()
        if not self._conversations.in_use():
            self._waiting.remove(due)
        _log.info("quotes_removed", documents=len(due), quotes=removed)
        return removed

    def _with_quotes(
        self, document_ids: Sequence[str], delete: Callable[[], list[DeletionReceipt]]
    ) -> list[DeletionReceipt]:
        self._waiting.add(document_ids)
        try:
            receipts = delete()
        except BaseException:
            self._forget_deletions_that_never_began(document_ids)
            raise
        try:
            removed = self._conversations.remove_quotes(document_ids)
        except MateriaError as error:
            _log.warning("quotes_postponed", documents=len(document_ids), code=error.code)
            return [replace(receipt, quotes_later=1) for receipt in receipts]
        later = bool(self._conversations.in_use())
        if not later:
            self._waiting.remove(document_ids)
        return _counted(receipts, removed, later)

    def _forget_deletions_that_never_began(self, document_ids: Collection[str]) -> None:
        found = (self._library.store.document(one) for one in document_ids)
        ready = [one.id for one in found if one and one.state is DocumentState.READY]
        if ready:
            self._waiting.remove(ready)

    def _is_only_quoted(self, document_id: str) -> bool:
        return self._library.store.document(document_id) is None and bool(
            self._conversations.quoting([document_id])
        )

    def _cited_as(self, document_id: str) -> str:
        """The file of a document that is gone, as an answer cites it."""
        for one in self._conversations.quoting([document_id]):
            answer = self._conversations.turn(one.session_id, one.turn_id).answer
            for citation in (*answer.citations, *answer.nearest):
                if isinstance(citation, DocumentCitation) and citation.document_id == document_id:
                    return citation.file
        return document_id


def _counted(
    receipts: Sequence[DeletionReceipt], removed: Counter[str], later: bool
) -> list[DeletionReceipt]:
    """Receipts with the quotes of each; those of whole indexes stand with the first of them."""
    rest = removed.total() - sum(removed[receipt.document_id] for receipt in receipts)
    counted = []
    for receipt in receipts:
        quotes = removed[receipt.document_id]
        if not receipt.document_id:
            quotes, rest = rest, 0
        counted.append(replace(receipt, quotes=quotes, quotes_later=int(later)))
    return counted
