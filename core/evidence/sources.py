"""What answers are made from, as one thing that every step of a question's way is handed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core.documents.store.library import EvidenceStore
from core.domain.encoder import Encoder
from core.encoders.fine_tuned import paper_model, statement_model
from core.evidence.blocks import BlockCache
from core.evidence.passages import PassageReader
from core.evidence.reading.pairs import PairReader
from core.evidence.reading.statement_tokens import StatementTokens
from core.evidence.relevance import NamingShares, Relevance
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.questions.leaflets.reader import LeafletReader


@dataclass(frozen=True, slots=True)
class Sources:
    """The library and the graph, and what understands texts.

    Attributes:
        names: finds the graph's entities in texts.
        encoder: the embedding model; may load it, and raises ModelError when it cannot.
        tokens: questions and statements with the vectors of their tokens.
        blocks: what was read of documents' pages.
        shares: how many of documents' passages have names that were asked for.
        leaflets: reads what a question asks of documents.
        pairs: reads statements beside a question.
    """

    library: EvidenceStore
    graph: KnowledgeGraph
    names: EntityNames
    encoder: Callable[[], Encoder]
    tokens: StatementTokens
    leaflets: LeafletReader
    pairs: PairReader = field(
        default_factory=lambda: PairReader(statement_model().scores, paper_model().scores)
    )
    blocks: BlockCache = field(default_factory=BlockCache)
    shares: NamingShares = field(default_factory=NamingShares)

    def passages(self) -> PassageReader:
        """A reader of passages, for one question."""
        return PassageReader(self.library, self.blocks)

    def relevance(self, indexes: Sequence[str]) -> Relevance:
        """The relevance of texts, with word rarity taken from these indexes; made for one question.

        Raises:
            StoreError: the library cannot be read.
        """
        # Late, because only few questions need tokens counted.
        return Relevance(
            self.library,
            indexes,
            lambda texts: self.encoder().count_tokens(texts),
            self.shares,
        )
