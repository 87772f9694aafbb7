"""An answer, its sentences, and the evidence that each of them shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from core.domain.leaflets.plan import DocumentPlan
from core.domain.plans import AnswerList, Plan


class Support(StrEnum):
    """What a sentence of an answer rests on."""

    DOCUMENT = "document"
    GRAPH = "graph"
    BOTH = "both"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class DocumentCitation:
    """A passage of a page: ``page_text[start:end]`` is `quote` up to white space.

    Attributes:
        relevance: search score of the passage, in [0, 1].
        orders: the quote has sentences that are addressed to a language model; they are no evidence.
    """

    n: int
    document_id: str
    chunk_id: str
    file: str
    page: int
    section: str
    heading: str
    quote: str
    start: int
    end: int
    relevance: float
    kind: Literal["document"] = "document"
    orders: bool = False

    @property
    def place(self) -> str:
        """File and page, as a source line names them; the file alone when it has no pages."""
        return place(self.file, self.page)


@dataclass(frozen=True, slots=True)
class GraphCitation:
    """A relationship of the graph, its ends by id and name."""

    n: int
    source_id: str
    source: str
    source_type: str
    relationship: str
    target_id: str
    target: str
    target_type: str
    relevance: float
    properties: Mapping[str, str] = field(default_factory=dict)
    kind: Literal["graph"] = "graph"


def place(file: str, page: int) -> str:
    """``Metformin.pdf, p. 3``; page 0 means that the text has no pages."""
    return f"{file}, p. {page}" if page else file


Citation = DocumentCitation | GraphCitation


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence without citation marks; `citations` are the numbers it rests on.

    `problems` says in words what the check found wrong (a number that no cited passage has, ...).
    """

    text: str
    support: Support
    citations: tuple[int, ...]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EntityLink:
    """An entity that the answer names or was made from.

    Attributes:
        relevance: in [0, 1].
        reason: why it is here, in words.
        excerpt: the quote, fact or question that speaks of it.
    """

    id: str
    type: str
    name: str
    relevance: float
    reason: str
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """What one call of a language model used.

    Attributes:
        prompt_tokens, completion_tokens: as the provider counts them.
        cost: in US dollars; None when the model's price is not known.
        counted: False when the provider did not say and the numbers are an estimate.
    """

    prompt_tokens: int
    completion_tokens: int
    cost: float | None = None
    counted: bool = True


@dataclass(frozen=True, slots=True)
class Failure:
    """A language model that failed; the answer beside it was made without.

    Attributes:
        code: of the error (``RATE_LIMITED``, ``MODEL_TIMEOUT``, ...).
        message, advice: in plain words.
        retryable: whether the same question may work in a moment.
    """

    code: str
    message: str
    advice: str
    retryable: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """A checked answer.

    Attributes:
        question: as it was asked.
        read_as: how it was read after references were resolved; equal to `question` when nothing was.
        query_type: ``semantic``, ``structural``, ``exact`` or ``hybrid``.
        nearest: for a refusal, the nearest passages found ("not enough").
        timings_ms: ``retrieve``, ``expand``, ``generate``, and ``model`` where one was called: the
            time spent waiting for it, which is no part of ``generate``.
        model: name of the language model, or ``extractive``.
        notice: something the reader must know (a model that failed, citations that were removed).
        confidence: in [0, 1], see `core.answers.confidence`; None for a refusal, and for an answer from the
            hits of one search alone.
        usage: of the language model; None without one.
        failure: of the language model, when the answer is quoted evidence instead.
        scope: names of the indexes that were searched.
        wider: the analyst asked to search wider.
        stopped: the analyst stopped the model; the answer is its finished sentences.
        suggestions: for a refusal, what may help: words to try, other places to look.
        correlation_id: finds the question in the log.
        plan: what the question asked of the graph; None where it asked nothing of it.
        understood: the plan in words; of a question to documents alone, their plan.
        document_plans: what each clause of the question asked of documents.
        plan_as_read: of a corrected plan, what the question was read as; None where nobody corrected it.
        understood_as_read: that plan in words.
        lists: sets that the graph was asked for, complete.
        instead: questions that can be answered, where this one was not understood.
        offer: the plan without the words that were not understood, which may be carried out in its place.
        offered: that plan in words.
    """

    question: str
    read_as: str
    query_type: str
    refused: bool
    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    entities: tuple[EntityLink, ...]
    nearest: tuple[DocumentCitation, ...]
    timings_ms: Mapping[str, float]
    model: str
    session: str
    disclaimer: str
    notice: str = ""
    subgraph: Mapping[str, Any] = field(default_factory=dict)
    confidence: float | None = None
    usage: Usage | None = None
    failure: Failure | None = None
    scope: tuple[str, ...] = ()
    wider: bool = False
    stopped: bool = False
    suggestions: tuple[str, ...] = ()
    correlation_id: str = ""
    plan: Plan | None = None
    understood: str = ""
    document_plans: tuple[DocumentPlan, ...] = ()
    lists: tuple[AnswerList, ...] = ()
    instead: tuple[str, ...] = ()
    plan_as_read: Plan | None = None
    understood_as_read: str = ""
    offer: Plan | None = None
    offered: str = ""

    @property
    def text(self) -> str:
        """The answer as plain text, each sentence followed by its citation marks."""
        return " ".join(
            " ".join(
                part
                for part in (sentence.text, "".join(f"[{n}]" for n in sentence.citations))
                if part
            )
            for sentence in self.sentences
        )

    @property
    def document_ids(self) -> frozenset[str]:
        """The documents that the answer quotes."""
        return frozenset(c.document_id for c in self.citations if isinstance(c, DocumentCitation))

    def citation(self, n: int) -> Citation | None:
        """The citation with number `n`, or None."""
        return next((c for c in self.citations if c.n == n), None)
