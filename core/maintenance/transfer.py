"""The parts of a move between stores: graph, conversations, saved views, documents.

Each part tells what the target holds that the source does not (`foreign`), removes that on request,
and copies. What the target has already, alike, is left as it is; what it has otherwise is written
anew, so that a copy can be begun again after a crash at any point.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import islice
from typing import Protocol

from core.conversations.store import ConversationStore
from core.documents.store.library import EvidenceStore, LibraryStore
from core.domain.documents import Document
from core.graph.store import Check, EntityVectors, GraphStore
from core.graph.views.store import SavedViewStore
from core.maintenance.contents import Contents, add_graph, all_sessions, filling_of
from core.maintenance.graph_copy import read_graph

_VECTORS = 1_000  # vectors written at a time
Tell = Callable[[str, int, int], None]  # stage, done, of how many (0: not known); may end the move


class Part(Protocol):
    """One part of a move."""

    def foreign(self) -> list[str]:
        """What the target holds and the source does not, in words."""
        ...

    def remove_foreign(self) -> None: ...
    def copy(self, tell: Tell) -> None: ...


class GraphTransfer:
    """The graph: replaced as a whole.

    Args:
        contents: empty; the graph of the source is added to it.
    """

    def __init__(
        self, source: GraphStore, target: GraphStore, contents: Contents, check: Check
    ) -> None:
        self._graph = read_graph(source, contents, check)
        self._there = Contents()
        add_graph(self._there, target, check)
        self._target = target
        self._same = self._there == contents
        self._check = check
        self.entity_ids = frozenset(entity.id for entity in self._graph.entities)

    def foreign(self) -> list[str]:
        if self._same or not self._there.counts.total():
            return []
        return [f"another graph of {self._there.total('entities'):,} entities"]

    def remove_foreign(self) -> None:
        """Nothing to do: readers have the target's old graph until the copy takes its place."""

    def copy(self, tell: Tell) -> None:
        """Store the graph, unless it is there."""
        if not self._same:
            self._target.replace(
                self._graph,
                lambda fraction: tell("storing the graph", round(100 * fraction), 100),
                self._check,
            )


def copy_vectors(source: EntityVectors, target: EntityVectors, tell: Tell) -> tuple[int, int]:
    """Copy the entity vectors that the target lacks or has otherwise.

    Returns:
        How many were copied, and how many the target did not take: those of entities that are gone
        or have another type since they were embedded.
    """
    missing = dict(source.hashes().items() - target.hashes().items())
    wanted = (vector for vector in source.stored() if vector.entity_id in missing)
    copied = 0
    while batch := list(islice(wanted, _VECTORS)):
        if not copied:
            target.ensure(len(batch[0].vector))
        target.put(batch)
        copied += len(batch)
        tell("copying entity vectors", copied, len(missing))
    target.settle(copied)
    left = len(source.hashes().items() - target.hashes().items())
    return copied - left, left


class ConversationTransfer:
    """Conversations, one after the other."""

    def __init__(self, source: ConversationStore, target: ConversationStore) -> None:
        self._source = source
        self._target = target
        self._foreign = [
            session.id for session in all_sessions(target) if not self._covered(session.id)
        ]

    def _covered(self, session_id: str) -> bool:
        """Whether the source has every turn that the target has."""
        known = {turn.id for turn in self._source.turns(session_id)}
        return all(turn.id in known for turn in self._target.turns(session_id))

    def foreign(self) -> list[str]:
        count = len(self._foreign)
        return [f"{count:,} other conversation{'' if count == 1 else 's'}"] if count else []

    def remove_foreign(self) -> None:
        """Remove these conversations."""
        for session_id in self._foreign:
            self._target.delete_session(session_id)

    def copy(self, tell: Tell) -> None:
        """Write every conversation that the target has not, or not alike."""
        sessions = all_sessions(self._source)
        for number, session in enumerate(sessions):
            tell("copying conversations", number, len(sessions))
            turns = self._source.turns(session.id)
            there = self._target.session(session.id)
            summary = self._source.summary(session.id)
            if there is not None:
                told = self._target.summary(session.id)
                kept = Contents().conversation(there, self._target.turns(session.id), told)
                if kept == Contents().conversation(session, turns, summary):
                    continue
                self._target.delete_session(session.id)
            for turn in turns:
                self._target.restore_turn(session, turn)
            self._target.keep_summary(session.id, summary)


class ViewTransfer:
    """Saved views of the graph."""

    def __init__(self, source: SavedViewStore, target: SavedViewStore) -> None:
        self._target = target
        self._views = source.views()
        known = {view.id for view in self._views}
        self._foreign = [view.id for view in target.views() if view.id not in known]

    def foreign(self) -> list[str]:
        count = len(self._foreign)
        return [f"{count:,} other saved view{'' if count == 1 else 's'}"] if count else []

    def remove_foreign(self) -> None:
        """Remove these views."""
        for view_id in self._foreign:
            self._target.remove(view_id)

    def copy(self, tell: Tell) -> None:
        """Write every view that the target has not, or not alike."""
        for number, view in enumerate(self._views):
            tell("copying saved views", number, len(self._views))
            there = self._target.view(view.id)
            if there is not None and there.user != view.user:
                self._target.remove(view.id)
            if there != view:
                self._target.keep(view)


class DocumentTransfer:
    """Indexes and ready documents with pages, chunks and mentions; files and chunk vectors lie in the
    data folder whichever store has the registry.

    Args:
        known: ids of the graph's entities, see `filling_of`.
    """

    def __init__(self, source: EvidenceStore, target: LibraryStore, known: Collection[str]) -> None:
        self._source = source
        self._target = target
        self._known = known
        self._indexes = {index.name: index for index in source.indexes()}
        ready = {document.id for document in source.documents()}
        self._foreign_indexes = [
            index.name
            for index in target.indexes(include_deleting=True)
            if index.name not in self._indexes
        ]
        self._foreign_documents = [
            document.id
            for document in target.documents(include_unfinished=True)
            if document.id not in ready
        ]

    def foreign(self) -> list[str]:
        found = []
        if count := len(self._foreign_documents):
            found.append(f"{count:,} other document{'' if count == 1 else 's'}")
        if names := self._foreign_indexes:
            shown = ", ".join(f"“{name}”" for name in names)
            found.append(f"the index{'' if len(names) == 1 else 'es'} {shown}")
        return found

    def remove_foreign(self) -> None:
        """Remove these documents and indexes from the registry."""
        for document_id in self._foreign_documents:
            self._target.remove_document(document_id)
        for name in self._foreign_indexes:
            self._target.remove_index(name)
        if self._foreign_documents or self._foreign_indexes:
            self._target.purge()

    def copy(self, tell: Tell) -> None:
        """Write every index and document that the target has not, or not alike."""
        there = {index.name: index for index in self._target.indexes(include_deleting=True)}
        for name, index in self._indexes.items():
            if there.get(name) != index:
                if name in there:
                    self._target.remove_index(name)
                self._target.create_index(index)
        documents = self._source.documents()
        for number, document in enumerate(documents):
            tell("copying documents", number, len(documents))
            self._copy(document)

    def _copy(self, document: Document) -> None:
        filling = filling_of(self._source, document, self._known)
        there = self._target.document(document.id)
        if there is not None:
            kept = filling_of(self._target, there, self._known)
            if Contents().document(kept) == Contents().document(filling):
                return
            self._target.remove_document(document.id)
        self._target.restore_document(filling)
