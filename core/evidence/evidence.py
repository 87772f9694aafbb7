"""What an answer may be made from: passages and facts, clause by clause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from core.domain.documents import Document, Hit
from core.domain.graph import Entity, Fact, Subgraph
from core.domain.leaflets.conditions import DocumentCondition
from core.domain.provenance.within import EVERYTHING, Within
from core.domain.vectors import Vector
from core.errors import MateriaError
from core.evidence.computed import Computed
from core.evidence.passages import Quote
from core.questions.clauses import Clause
from core.text.spelling.short_forms import AskedForms


@dataclass(frozen=True, slots=True)
class FactGroup:
    """Facts of one type around one entity, told in one sentence.

    Attributes:
        forward: whether the subject is the facts' source.
        total: how many there are; `facts` may hold fewer.
    """

    subject: Entity
    type: str
    forward: bool
    facts: tuple[Fact, ...]
    total: int

    def neighbour(self, fact: Fact) -> Entity:
        return fact.target if self.forward else fact.source


class OfPatient(Protocol):
    """One thing that a question says of its patient; see `core.evidence.patients.states`."""

    @property
    def conditions(self) -> tuple[DocumentCondition, ...]: ...

    def met_by(self, text: str, heading: str) -> bool:
        """Whether a statement speaks of such patients."""
        ...


@dataclass(frozen=True, slots=True)
class Caution:
    """What a medicine's document says of patients like the one whose dose is asked for.

    Attributes:
        state: what the question says of the patient.
        forbids: the medicine is not for such patients, or not before a doctor was asked.
        of_other: the document of what else is taken says it.
        limits: it says in numbers from which age on, or up to which, the medicine is for somebody.
    """

    state: OfPatient
    quote: Quote
    forbids: bool
    of_other: bool = False
    limits: bool = False


@dataclass(frozen=True, slots=True)
class ToldWhole:
    """A paragraph, list or row that is told whole.

    Attributes:
        quote: what decides in it.
    """

    quote: Quote
    whole: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class ClauseEvidence:
    """What was found for one clause: passages best first, fact groups, the clause's vector.

    Attributes:
        further: the passages that come next, for a language model with room for them: of papers alone
            statements are chosen from these, too.
        similar: entities whose text resembles the clause, id -> cosine similarity.
        computed: what the plan of the clause led to; there are no groups then.
        unanswerable: it asks for what only the graph has, which is away: nothing is put in its place.
        cautions: where a dose is asked for, what is said of such patients, the weightiest first.
        combined: where it is asked what a medicine must not be taken with, what its documents say; else None.
        reworded: the clause in the words of the documents, where these are in another language.
        forms: the short forms of the documents that it has, or the words that these stand for.
        studies: ids of the documents that report a study which it names, with its name.
        unsaid: where a dose is asked for, the illnesses of which no document on the medicine has a word,
            each with the ids of these documents.
    """

    clause: Clause
    vector: Vector
    hits: tuple[Hit, ...]
    groups: tuple[FactGroup, ...] = ()
    further: tuple[Hit, ...] = ()
    similar: Mapping[str, float] = field(default_factory=dict)
    computed: Computed | None = None
    unanswerable: bool = False
    cautions: tuple[Caution, ...] = ()
    combined: tuple[ToldWhole, ...] | None = None
    reworded: Clause | None = None
    forms: AskedForms = field(default_factory=AskedForms)
    studies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unsaid: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def called(self, document: Document) -> str:
        """What every passage of a document is of: what it is called, and the study of the clause that it
        reports."""
        return " ".join((document.called, *self.studies.get(document.id, ())))

    @property
    def told_first(self) -> tuple[Quote, ...]:
        """What is told before all else."""
        return (*(one.quote for one in self.combined or ()), *(one.quote for one in self.cautions))

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts that answer the clause."""
        if self.computed is not None:
            return self.computed.facts
        return tuple(fact for group in self.groups for fact in group.facts)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A relationship of the graph, and a statement of a document that says otherwise.

    Attributes:
        text: both in one sentence.
    """

    text: str
    fact: Fact
    quote: Quote


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an answer may be made from.

    Attributes:
        graph_missing: the graph could not be reached; there are passages only.
        exact: each clause has been computed whole, and no model has anything to add.
        disagreements: between the graph and documents, on what is asked.
        within: the documents and sections that passages are taken from.
    """

    question: str
    clauses: tuple[ClauseEvidence, ...]
    subgraph: Subgraph = field(default_factory=Subgraph)
    graph_missing: bool = False
    exact: bool = False
    disagreements: tuple[Disagreement, ...] = ()
    within: Within = EVERYTHING


def best_hits(hits: Iterator[Hit]) -> tuple[Hit, ...]:
    best: dict[str, Hit] = {}
    for hit in hits:
        if hit.chunk.id not in best or hit.score > best[hit.chunk.id].score:
            best[hit.chunk.id] = hit
    return tuple(sorted(best.values(), key=lambda hit: (-hit.score, hit.chunk.id)))


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An index that could not be searched, and why."""

    index: str
    error: MateriaError


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search brought for each clause.

    Attributes:
        indexes: those that were looked in.
        left_out: those that could not be searched.
        notices: what else the reader must know of the search.
    """

    parts: tuple[ClauseEvidence, ...]
    indexes: tuple[str, ...]
    notices: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
