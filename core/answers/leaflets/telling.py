"""What is told so far of a question's clauses."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.answers.leaflets.of_each import DocumentStanding
from core.domain.answers import Block, Sentence
from core.domain.documents import Document
from core.evidence.citations import CitationBook
from core.evidence.passages import PassageReader
from core.evidence.relevance import Relevance


@dataclass(slots=True)
class Telling:
    """What is told so far.

    Attributes:
        untold: clauses for which nothing is told.
        seen: texts.
        dosed: documents that answered for a dose, by `Document.subject`.
        standings: of what is asked of each document, by number of the block.
    """

    reader: PassageReader
    relevance: Relevance
    book: CitationBook
    sentences: list[Sentence] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    probabilities: list[float] = field(default_factory=list)
    untold: list[str] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    dosed: dict[tuple[str, str], Document] = field(default_factory=dict)
    standings: dict[int, DocumentStanding] = field(default_factory=dict)
