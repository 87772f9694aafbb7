"""How an answer came about: what was found, with which scores, settings and versions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TracedPassage:
    """A passage that was found for a clause of the question.

    Attributes:
        clause: place of the clause among the question's, from 0.
        score: as it counted in the end, in [0, 1]; the reranker's where there was one.
        before_reranking: the score of the first search, in [0, 1]; None where nothing was reranked.
        similarity: cosine of question and passage, in [-1, 1].
        citation: its number in the answer; 0 where the answer does not cite it.
    """

    clause: int
    document_id: str
    chunk_id: str
    file: str
    page: int
    section: str
    heading: str
    score: float
    before_reranking: float | None
    similarity: float
    citation: int = 0


@dataclass(frozen=True, slots=True)
class PromptEvidence:
    """A numbered piece of evidence of a language model's prompt.

    Attributes:
        number: in the prompt.
        what: file and page, or the relationship in words.
        citation: its number in the answer; 0 where the answer does not cite it.
    """

    number: int
    what: str
    citation: int = 0


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """A document as it was: `sha256` is the hash of the bytes that were uploaded."""

    id: str
    file: str
    title: str
    index: str
    sha256: str


@dataclass(frozen=True, slots=True)
class IndexVersion:
    """An index as it was searched: `generation` counts its embeddings."""

    name: str
    model: str
    dimension: int
    generation: int


@dataclass(frozen=True, slots=True)
class GraphVersion:
    """The graph as it was: `generation` counts its imports, `sha256` is the hash of its connections."""

    generation: int
    entities: int
    relationships: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Trace:
    """What an answer was made with.

    Attributes:
        program: Materia's version.
        clauses: the parts of the question, as they were searched.
        probabilities: that the best statement found for a clause answers it, in [0, 1]; of the clauses
            that were looked at, in their order.
        threshold: the probability below which nothing is told.
        passages: best first within each clause; `passages_left_out` more were found.
        prompt: evidence that a language model was given; empty without one. `prompt_left_out` more pieces
            are not listed.
        earlier_turns: of the conversation, offered to the prompt.
        entities, relationships: how many of the graph were found around the question.
        documents: those of passages and citations.
        indexes: those that were searched.
        graph: None where it could not be reached.
        indexes_chosen: whoever asked named the indexes.
        settings: those that bear on an answer, by name.
        context: ids of turns of other conversations that the analyst had given to the prompt, as data; they
            count among `earlier_turns`.
    """

    program: str
    clauses: tuple[str, ...] = ()
    probabilities: tuple[float, ...] = ()
    threshold: float = 0.0
    passages: tuple[TracedPassage, ...] = ()
    passages_left_out: int = 0
    prompt: tuple[PromptEvidence, ...] = ()
    prompt_left_out: int = 0
    earlier_turns: int = 0
    entities: int = 0
    relationships: int = 0
    documents: tuple[DocumentVersion, ...] = ()
    indexes: tuple[IndexVersion, ...] = ()
    indexes_chosen: bool = False
    graph: GraphVersion | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    context: tuple[str, ...] = ()

    def document(self, document_id: str) -> DocumentVersion | None:
        """A document as it was, or None."""
        return next((one for one in self.documents if one.id == document_id), None)
