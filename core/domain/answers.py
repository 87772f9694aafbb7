"""An answer, its sentences, and the evidence that each of them shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, Self

from core.domain.documents import Hit
from core.domain.leaflets.plan import DocumentPlan
from core.domain.plans import AnswerList, ClausePlan, Plan
from core.domain.provenance.trace import Trace
from core.domain.provenance.within import EVERYTHING, Within


class Support(StrEnum):
    """What a sentence of an answer rests on."""

    DOCUMENT = "document"
    GRAPH = "graph"
    BOTH = "both"
    UNSUPPORTED = "unsupported"


class State(StrEnum):
    """How far an answer can be relied on."""

    ANSWERED = "answered"
    MAY_NOT_ANSWER = "may_not_answer"  # the closest passages, told for what they are
    NOT_IN_LIBRARY = "not_in_library"  # the refusal
    GRAPH_UNAVAILABLE = "graph_unavailable"  # it asks for what only the graph has, which is away


REFUSAL_CODES = {
    State.NOT_IN_LIBRARY: "NO_RESULTS",
    State.GRAPH_UNAVAILABLE: "GRAPH_UNAVAILABLE",  # retryable, and the code of the error of the graph
}


def state_of(*, refused: bool, may_not_answer: bool, graph_away: bool) -> State:
    """The state of an answer with these marks."""
    if refused:
        return State.GRAPH_UNAVAILABLE if graph_away else State.NOT_IN_LIBRARY
    return State.MAY_NOT_ANSWER if may_not_answer else State.ANSWERED


@dataclass(frozen=True, slots=True)
class DocumentCitation:
    """A passage of a page: ``page_text[start:end]`` is `quote` up to white space.

    Attributes:
        relevance: search score of the passage, in [0, 1].
        orders: the quote has sentences that are addressed to a language model; they are no evidence.
        product: of a file with several products, the one that the passage tells of.
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
    product: str = ""

    @property
    def place(self) -> str:
        """File and page, as a source line names them, with the product where the file has several; the file
        alone when it has no pages."""
        where = place(self.file, self.page)
        return f"{where} ({self.product})" if self.product else where


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
class NamedEntity:
    """An entity that ``text[start:end]`` of a sentence names; `name` and `type` are the graph's."""

    start: int
    end: int
    id: str
    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence without citation marks; `citations` are the numbers it rests on.

    Attributes:
        problems: in words, what the check found wrong (a number that no cited passage has, ...).
        block: the number of the block that it is quoted with; 0 for what is not quoted.
        decisive: it was found to answer; the others of its block are told with it.
        items: where the items of a list stand in `text`, [start, end), behind the words that lead it in.
        entities: what it names, in order, of the graph as it was when the answer was made; None where that
            was not kept.
        others: it has the items of a list that hold for other patients than those asked about.
        row: it is a row of a table.
    """

    text: str
    support: Support
    citations: tuple[int, ...]
    problems: tuple[str, ...] = ()
    block: int = 0
    decisive: bool = False
    items: tuple[tuple[int, int], ...] = ()
    entities: tuple[NamedEntity, ...] | None = None
    others: bool = False
    row: bool = False

    @property
    def marks(self) -> str:
        """The citation marks, like ``[1][2]``."""
        return "".join(f"[{n}]" for n in self.citations)

    @property
    def marked(self) -> str:
        """The text followed by its citation marks."""
        return " ".join(filter(None, (self.text, self.marks)))


@dataclass(frozen=True, slots=True)
class Block:
    """What is quoted together of one document: a paragraph, a list, or single items of one.

    Attributes:
        n: from 1; blocks of one document stand together for each part of a question.
        subject: what the document is about.
        page: of what answers; 0 when the text has no pages.
        section, heading: where it stands; "" where that is not known.
        boxed_warning: it is the document's boxed warning, told with a dose.
        under: the line below the heading that says for whom it is ("Multiple sclerosis"); "" without any.
        less_certain: of what each document says, it meets the question's words so much less than others do that
            it may say something else.
    """

    n: int
    document_id: str
    subject: str
    file: str
    page: int
    section: str
    heading: str
    boxed_warning: bool = False
    under: str = ""
    less_certain: bool = False

    @classmethod
    def of(cls, n: int, hit: Hit, *, boxed_warning: bool = False, under: str = "") -> Self:
        """The block of what a passage has."""
        chunk, document = hit.chunk, hit.document
        return cls(
            n,
            document.id,
            document.title,
            document.file,
            chunk.page,
            chunk.section,
            chunk.heading,
            boxed_warning,
            under,
        )

    @property
    def place(self) -> str:
        """File and page; the file alone when it has no pages."""
        return place(self.file, self.page)


@dataclass(frozen=True, slots=True)
class Leaflet:
    """One of several documents of the library on the medicine that a question names.

    Attributes:
        subject: what it is about; of a file with several products, the one.
        issued: holder, country and date, as far as the document tells them.
        told: the answer quotes it.
        same: it is not quoted, and has what answers in the same words.
    """

    document_id: str
    subject: str
    file: str
    issued: str = ""
    told: bool = False
    same: bool = False


@dataclass(frozen=True, slots=True)
class EntityLink:
    """An entity that the answer names or was made from.

    Attributes:
        relevance: in [0, 1].
        reason: why it is here, in words.
        excerpt: the quote, fact or question that speaks of it.
        properties: what the graph said of it when the answer was made.
    """

    id: str
    type: str
    name: str
    relevance: float
    reason: str
    excerpt: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)


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
        plan: what the question asked of the graph, the first clause that asked anything; None where it
            asked nothing of it.
        understood: the plans in words; of a question to documents alone, their plan.
        plans: of each clause that asked something of the graph, where several did, or one was not read word
            by word.
        corrected: which of them the analyst changed, where `plan_as_read` is there.
        document_plans: what each clause of the question asked of documents.
        plan_as_read: of a corrected plan, what the question was read as; None where nobody corrected it.
        understood_as_read: that plan in words.
        lists: sets that the graph was asked for, complete.
        instead: questions that can be answered, where this one was not understood, or was answered by the
            graph alone and can be asked of the documents.
        blocks: what is quoted, in the order of the sentences; empty where a language model wrote them.
        may_not_answer: the evidence is too unlikely to answer for the answer to be called one, see
            `core.answers.confidence`.
        trace: how it came about; None for answers from before it was kept, and for one from the hits of
            one search alone.
        offer: the plan without the words that were not understood, which may be carried out in its place.
        offered: that plan in words.
        offer_is_closest: it is what the question most likely asks, not the rest of its words.
        within: the documents and sections that the analyst asked it of.
        leaflets: on the medicine that is asked about, where the library has several; those that are quoted
            first.
        unasked: documents, and products of them, that something was not asked of although it is asked of each,
            as there are more than are asked in one go.
        graph_away: of what is asked, only the graph has some, and it could not be reached.
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
    blocks: tuple[Block, ...] = ()
    may_not_answer: bool = False
    trace: Trace | None = None
    offer: Plan | None = None
    offered: str = ""
    offer_is_closest: bool = False
    within: Within = EVERYTHING
    leaflets: tuple[Leaflet, ...] = ()
    plans: tuple[ClausePlan, ...] = ()
    corrected: int = 0
    graph_away: bool = False
    unasked: Within = EVERYTHING

    @property
    def each_plan(self) -> tuple[ClausePlan, ...]:
        """What each clause asked of the graph."""
        alone = (ClausePlan(self.plan, self.understood),) if self.plan is not None else ()
        return self.plans or alone

    @property
    def state(self) -> State:
        """Answered, closest passages that may not answer, or why there is no answer."""
        return state_of(
            refused=self.refused, may_not_answer=self.may_not_answer, graph_away=self.graph_away
        )

    @property
    def refusal_code(self) -> str:
        """For scripts, why there is no answer; "" where there is one."""
        return REFUSAL_CODES.get(self.state, "")

    @property
    def text(self) -> str:
        """The answer as plain text, each sentence followed by its citation marks."""
        return " ".join(sentence.marked for sentence in self.sentences)

    @property
    def document_ids(self) -> frozenset[str]:
        """The documents that the answer quotes."""
        return frozenset(c.document_id for c in self.citations if isinstance(c, DocumentCitation))

    @property
    def cited_files(self) -> dict[str, str]:
        """Document id -> file of the documents that the answer quotes."""
        return {c.document_id: c.file for c in self.citations if isinstance(c, DocumentCitation)}

    def citation(self, n: int) -> Citation | None:
        """The citation with number `n`, or None."""
        return next((c for c in self.citations if c.n == n), None)
