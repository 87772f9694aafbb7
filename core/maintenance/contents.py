"""What a set of stores holds, counted and summed, so that two sets can be compared item by item."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Self

from core.conversations.store import ConversationStore
from core.documents.store.library import EvidenceStore
from core.domain.conversations import Session, Summary, Turn
from core.domain.documents import Document, Filling, Index
from core.domain.explored.views import SavedView
from core.domain.graph import Entity, Relationship
from core.graph.store import Check, GraphStore, checked
from core.graph.views.store import SavedViewStore

_ALL = 1_000_000_000  # sessions; the store's method has a limit, a move has none


class Contents:
    """Counts by name, and for each kind of item a sum over the contents of all, in whatever order
    they came.

    Attributes:
        counts: ``entities Drug``, ``relationships TREATS``, ``turns``, ``pages``, ... -> how many.
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._sums: Counter[str] = Counter()

    def entity(self, entity: Entity) -> None:
        self.counts[f"entities {entity.type}"] += 1
        self._add("entities", asdict(entity))

    def relationship(self, one: Relationship) -> None:
        self.counts[f"relationships {one.type}"] += 1
        self._add("relationships", [*one.key, dict(one.properties)])

    def conversation(
        self, session: Session, turns: Iterable[Turn], summary: Summary | None
    ) -> Self:
        self.counts["conversations"] += 1
        self._add("conversations", asdict(session))
        for turn in turns:
            self.counts["turns"] += 1
            if turn.feedback is not None:
                self.counts["ratings"] += 1
            self._add(
                "turns",
                [turn.id, turn.session_id, turn.position, turn.created_at],
                asdict(turn.answer),
                asdict(turn.feedback) if turn.feedback else None,
            )
        if summary is not None:
            self.counts["summaries"] += 1
            self._add("summaries", session.id, asdict(summary))
        return self

    def view(self, view: SavedView) -> None:
        self.counts["views"] += 1
        self._add("views", asdict(view))

    def index(self, index: Index) -> None:
        self.counts["indexes"] += 1
        self._add("indexes", asdict(index))

    def document(self, filling: Filling) -> Self:
        self.counts["documents"] += 1
        self.counts["pages"] += len(filling.pages)
        self.counts["chunks"] += len(filling.chunks)
        self.counts["mentions"] += sum(
            count for entities in filling.mentions.values() for count in entities.values()
        )
        self._add("documents", asdict(filling.document))
        for page in filling.pages:
            self._add("pages", filling.document.id, asdict(page))
        for chunk in filling.chunks:
            self._add("chunks", asdict(chunk))
        for chunk_id, entities in filling.mentions.items():
            self._add("mentions", chunk_id, dict(entities))
        return self

    def _add(self, kind: str, *values: object) -> None:
        text = json.dumps(values, sort_keys=True, default=_plain)
        digest = hashlib.blake2b(text.encode(), digest_size=16).digest()
        self._sums[kind] += int.from_bytes(digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Contents) and not self.differences(other)

    __hash__ = None  # type: ignore[assignment]

    def differences(self, other: Contents) -> dict[str, tuple[int, int]]:
        """Name -> number here and number there, of all that is not the same; where the numbers are
        equal, some of the items differ."""
        found = {
            name: (self.counts[name], other.counts[name])
            for name in sorted({*self.counts, *other.counts})
            if self.counts[name] != other.counts[name]
        }
        counted = {name.partition(" ")[0] for name in found}
        for kind in sorted({*self._sums, *other._sums} - counted):
            if self._sums[kind] != other._sums[kind]:
                found[kind] = (self.total(kind), other.total(kind))
        return found

    def total(self, kind: str) -> int:
        """How many there are of a kind: ``entities``, ``turns``, ..."""
        return sum(n for name, n in self.counts.items() if name.partition(" ")[0] == kind)

    def as_json(self) -> dict[str, Any]:
        """Totals by kind; of entities and relationships also by type."""
        by_type: dict[str, dict[str, int]] = {"entities": {}, "relationships": {}}
        totals: dict[str, Any] = {}
        for name, number in sorted(self.counts.items()):
            kind, _, type_ = name.partition(" ")
            if type_:
                by_type[kind][type_] = number
            else:
                totals[kind] = number
        return {**by_type, **totals}


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} cannot be compared")


def add_graph(contents: Contents, store: GraphStore, check: Check) -> None:
    """Add all entities and relationships of a store."""
    for entity in checked(store.all_entities(), check):
        contents.entity(entity)
    for relationship in checked(store.all_relationships(), check):
        contents.relationship(relationship)


def all_sessions(store: ConversationStore) -> list[Session]:
    """Every conversation with at least one turn."""
    return store.sessions(limit=_ALL)


def add_conversations(contents: Contents, store: ConversationStore, check: Check) -> None:
    """Add all conversations of a store."""
    for session in all_sessions(store):
        check()
        contents.conversation(session, store.turns(session.id), store.summary(session.id))


def add_views(contents: Contents, store: SavedViewStore) -> None:
    """Add all saved views of a store."""
    for view in store.views():
        contents.view(view)


def filling_of(store: EvidenceStore, document: Document, known: Collection[str]) -> Filling:
    """A ready document with all that belongs to it.

    Args:
        known: ids of the graph's entities; mentions of others are left out, as a graph that keeps
            mentions as relationships has no place for them.
    """
    chunks = store.document_chunks(document.id)
    found = store.mentions_of_chunks([chunk.id for chunk in chunks])
    mentions = {
        chunk_id: {entity: count for entity, count in entities.items() if entity in known}
        for chunk_id, entities in found.items()
    }
    return Filling(
        document,
        store.pages(document.id),
        chunks,
        {chunk_id: entities for chunk_id, entities in mentions.items() if entities},
    )


def add_documents(
    contents: Contents, store: EvidenceStore, known: Collection[str], check: Check
) -> None:
    """Add all indexes and ready documents of a store."""
    for index in store.indexes():
        contents.index(index)
    for document in store.documents():
        check()
        contents.document(filling_of(store, document, known))
