"""What several purposes together ask for; the whole store, for those who open, move or change it."""

from __future__ import annotations

from typing import Protocol

from core.documents.store.changes import Changes
from core.documents.store.full_text import FullText
from core.documents.store.mentions import MentionStore
from core.documents.store.registry import Registry
from core.documents.store.texts import Texts
from core.documents.store.upkeep import Upkeep


class SearchStore(Registry, Texts, FullText, Protocol):
    """What a search by words, and the reading of what it found, ask for."""


class EvidenceStore(SearchStore, MentionStore, Protocol):
    """All that can be read: documents, their text, and the entities in it."""


class LinkedTexts(Texts, MentionStore, Protocol):
    """Passages whose entities are found anew."""


class LibraryStore(EvidenceStore, Changes, Upkeep, Protocol):
    """Everything that one store keeps of documents, vectors aside.

    Only documents in state ``ready`` are visible to `Texts.chunks_by_id` and to `FullText`.
    """
