"""The ledger of a conversation: every claim, what it rests on, and what became of that since."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from core.conversations.exporting.blocks import Block, Grid, Heading
from core.conversations.exporting.record import Record, Standing
from core.documents.cutting.sections import section_title
from core.domain.answers import Answer, Citation, DocumentCitation, Sentence, State
from core.domain.conversations import Session, Turn
from core.domain.evidence.doubts import is_contradicted
from core.domain.provenance.trace import GraphVersion
from core.graph.phrases import relationship_phrase
from core.text.tables.csv_file import csv_file

CLOSEST = "closest passages, may not answer"  # of an answer, in its files
_OTHER_GRAPH = "the graph was imported anew, with other relationships"
_HEAD = (
    "Claim", "Question", "Said", "Rests on", "Doubts", "Source", "Page", "Section", "Quote", "Relevance",
    "State of the answer", "Confidence of the answer", "Changed since", "Asked", "Answer id",
)  # fmt: skip
_WIDTHS = (7, 37, 13, 27, 16)


class Basis(StrEnum):
    """What a claim rests on; contradicted: something speaks against it, whatever it rests on."""

    DOCUMENT = "document"
    GRAPH = "graph"
    BOTH = "both"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"


class LedgerFormat(StrEnum):
    """As which a ledger can be told."""

    JSON = "json"
    CSV = "csv"


@dataclass(frozen=True, slots=True)
class LedgerSource:
    """A piece of evidence of a claim; `changed` says what became of it since, "" where nothing did."""

    citation: Citation
    changed: str

    @property
    def name(self) -> str:
        """File and page, or "Graph"."""
        one = self.citation
        return one.place if isinstance(one, DocumentCitation) else "Graph"

    @property
    def said(self) -> str:
        """The quote, or the relationship as a sentence; "" where the quote was taken out."""
        one = self.citation
        if isinstance(one, DocumentCitation):
            return " ".join(one.quote.split())
        return f"{one.source} {relationship_phrase(one.relationship, True)} {one.target}"

    @property
    def section(self) -> str:
        """Of a document's passage; "" where it is not known."""
        one = self.citation
        if not isinstance(one, DocumentCitation):
            return ""
        return section_title(one.section) if one.section else one.heading


@dataclass(frozen=True, slots=True)
class LedgerClaim:
    """A sentence of an answer.

    Attributes:
        number: of the question and of the sentence in its answer, both from 1: ``3.2``.
        confidence: of the answer, in [0, 1]; None where it has none.
    """

    number: str
    turn: Turn
    text: str
    basis: Basis
    problems: tuple[str, ...]
    sources: tuple[LedgerSource, ...]
    confidence: float | None

    @property
    def question(self) -> str:
        return self.turn.question

    @property
    def asked_at(self) -> datetime:
        return self.turn.created_at

    @property
    def state(self) -> State:
        """Of its answer: what the closest passages say is quoted, and may still be no answer."""
        return self.turn.answer.state

    @property
    def caution(self) -> str:
        """What the reader must know of its answer; "" of one that answers."""
        return CLOSEST if self.state is State.MAY_NOT_ANSWER else ""

    @property
    def changed(self) -> tuple[str, ...]:
        """What became of its sources since, each once."""
        return tuple(dict.fromkeys(one.changed for one in self.sources if one.changed))


@dataclass(frozen=True, slots=True)
class Ledger:
    """The claims of a conversation, in order; `refused` counts the questions that claim nothing."""

    session: Session
    claims: tuple[LedgerClaim, ...]
    questions: int
    refused: int

    @property
    def counts(self) -> Counter[Basis]:
        return Counter(claim.basis for claim in self.claims)

    @property
    def unsure(self) -> int:
        """How many claims are of answers that may not answer."""
        return sum(bool(claim.caution) for claim in self.claims)

    def only(
        self,
        bases: Collection[Basis] = (),
        words: str = "",
        *,
        changed: bool = False,
        unsure: bool | None = None,
    ) -> Ledger:
        """The claims on these bases (all where none is named) that have all `words` in them, their question,
        a source or a quote; with `changed`, those whose sources changed since; with `unsure`, those of
        answers that may not answer, without it those of others, with None both."""
        wanted = words.casefold().split()
        return replace(
            self,
            claims=tuple(
                claim
                for claim in self.claims
                if (not bases or claim.basis in bases)
                and (not changed or claim.changed)
                and (unsure is None or bool(claim.caution) is unsure)
                and all(word in _searched(claim) for word in wanted)
            ),
        )


def ledger_of(record: Record) -> Ledger:
    """The ledger of what a record holds."""
    refused = sum(turn.answer.refused for turn in record.turns)
    claims = (claim for turn in record.turns for claim in _claims(record, turn))
    return Ledger(record.session, tuple(claims), len(record.turns), refused)


def basis_of(sentence: Sentence) -> Basis:
    """What a sentence rests on, or that something speaks against it."""
    return Basis.CONTRADICTED if is_contradicted(sentence) else Basis(sentence.support)


def _claims(record: Record, turn: Turn) -> Iterator[LedgerClaim]:
    answer = turn.answer
    if answer.refused:
        return
    for place, sentence in enumerate(answer.sentences, start=1):
        cited = (answer.citation(n) for n in sentence.citations)
        yield LedgerClaim(
            f"{turn.position + 1}.{place}",
            turn,
            sentence.text,
            basis_of(sentence),
            sentence.problems,
            tuple(
                LedgerSource(one, _changed(record, answer, one)) for one in cited if one is not None
            ),
            answer.confidence,
        )


def _changed(record: Record, answer: Answer, citation: Citation) -> str:
    if isinstance(citation, DocumentCitation):
        known = record.documents.get(citation.document_id)
        return "" if known is None or known.standing is Standing.PRESENT else str(known.standing)
    then = answer.trace.graph if answer.trace is not None else None
    return _OTHER_GRAPH if _is_other(then, record.graph) else ""


def _is_other(then: GraphVersion | None, now: GraphVersion | None) -> bool:
    return then is not None and now is not None and then.sha256 != now.sha256


def _searched(claim: LedgerClaim) -> str:
    sources = (text for one in claim.sources for text in (one.name, one.section, one.said))
    return " ".join((claim.text, claim.question, *claim.problems, *sources)).casefold()


# -- as files and JSON -----------------------------------------------------------------------------


def ledger_grid(ledger: Ledger) -> Iterator[Block]:
    """The blocks of a readable file."""
    if not ledger.claims:
        return
    yield Heading(1, "Ledger: every claim and what it rests on")
    yield Grid(
        ("No.", "Claim", "Rests on", "Sources", "Changed since"),
        tuple(
            (
                claim.number,
                claim.text,
                "\n".join(filter(None, (str(claim.basis), claim.caution))),
                "\n".join(f"[{one.citation.n}] {one.name}" for one in claim.sources),
                "\n".join(claim.changed),
            )
            for claim in ledger.claims
        ),
        _WIDTHS,
    )


def ledger_csv(ledger: Ledger) -> bytes:
    """A row for each source of each claim; one for a claim without any."""
    return csv_file(_HEAD, (row for claim in ledger.claims for row in _rows(claim)))


def _rows(claim: LedgerClaim) -> Iterator[tuple[str, ...]]:
    sure = "" if claim.confidence is None else f"{claim.confidence:.2f}"
    said = (claim.number, claim.question, claim.text, str(claim.basis), "; ".join(claim.problems))
    state = claim.caution or "answered"
    asked = (claim.asked_at.isoformat(), claim.turn.id)
    for one in claim.sources:
        cited = one.citation
        file, page = one.name, ""
        if isinstance(cited, DocumentCitation):
            file, page = cited.file, str(cited.page or "")
        found = (file, page, one.section, one.said, f"{cited.relevance:.2f}")
        yield (*said, *found, state, sure, one.changed, *asked)
    if not claim.sources:
        yield (*said, "", "", "", "", "", state, sure, "", *asked)


def ledger_to_public(ledger: Ledger) -> dict[str, Any]:
    """The fields that scripts rely on."""
    return {
        "conversationId": ledger.session.id,
        "title": ledger.session.title,
        "questions": ledger.questions,
        "refused": ledger.refused,
        "counts": {str(basis): ledger.counts[basis] for basis in Basis},
        "claims": [
            {
                "number": claim.number,
                "turnId": claim.turn.id,
                "askedAt": claim.asked_at.isoformat(),
                "question": claim.question,
                "text": claim.text,
                "restsOn": str(claim.basis),
                "state": str(claim.state),
                "problems": list(claim.problems),
                "confidence": claim.confidence,
                "changed": list(claim.changed),
                "sources": [_source_to_public(one) for one in claim.sources],
            }
            for claim in ledger.claims
        ],
    }


def _source_to_public(source: LedgerSource) -> dict[str, Any]:
    cited = source.citation
    told: dict[str, Any] = {
        "citation": cited.n,
        "kind": cited.kind,
        "said": source.said,
        "relevance": round(cited.relevance, 4),
        "changed": source.changed,
    }
    if isinstance(cited, DocumentCitation):
        told |= {"documentId": cited.document_id, "file": cited.file, "page": cited.page}
        told["section"] = source.section
    return told
