"""What answers are made from, as one thing that every step of a question's way is handed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.documents.store.library import EvidenceStore
from core.domain.encoder import Encoder
from core.domain.vectors import TokenVectors
from core.evidence.relevance import Relevance
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.questions.leaflets.reader import LeafletReader


@dataclass(frozen=True, slots=True)
class Sources:
    """The library and the graph, and what understands texts.

    Attributes:
        names: finds the graph's entities in texts.
        encoder: the embedding model; may load it, and raises ModelError when it cannot.
        read: texts with the vectors of their tokens, by the bundled model, whatever is configured; the
            same holds for it.
        leaflets: reads what a question asks of documents.
    """

    library: EvidenceStore
    graph: KnowledgeGraph
    names: EntityNames
    encoder: Callable[[], Encoder]
    read: Callable[[Sequence[str]], Sequence[TokenVectors]]
    leaflets: LeafletReader

    def relevance(self, indexes: Sequence[str]) -> Relevance:
        """The relevance of texts, with word rarity taken from these indexes; made for one question.

        Raises:
            StoreError: the library cannot be read.
        """
        # Late, because only few questions need tokens counted.
        return Relevance(self.library, indexes, lambda texts: self.encoder().count_tokens(texts))
