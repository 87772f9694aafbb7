"""A small store with a conversation that has everything an answer can have."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from core.conversations.exporting.exports import Exports
from core.conversations.exporting.record import Record
from core.conversations.store import ConversationStore
from core.domain.answers import (
    Answer,
    DocumentCitation,
    Failure,
    GraphCitation,
    Sentence,
    Support,
    Usage,
)
from core.domain.conversations import Session, Turn
from core.domain.documents import Document, DocumentState, Index, Profile
from core.domain.plans import AnswerList, Member
from core.domain.provenance.trace import (
    DocumentVersion,
    GraphVersion,
    IndexVersion,
    PromptEvidence,
    Trace,
    TracedPassage,
)
from tests.domain.answers import an_answer

WHEN = datetime(2026, 5, 3, 14, 5, 9, 123456, tzinfo=UTC)
HASH = "ec1099ed9d674bf49d7b831ea0126ace5389810a4febb15423f9e4dfc6a65307"
SESSION = "5e55" * 8
# Everything that a format could take for its own.
HOSTILE = (
    "| a | b | # no heading <script>alert(1)</script> **bold** [link](http://evil.example) "
    "https://evil.example/x www.evil.example `code` ![i](x) &amp; $x^2$ {pages} {nb} ~~s~~ 1. 2) - + > \\ \" '"
)


def a_full_answer(quote: str = "Do not exceed 3,000 mg a day.") -> Answer:
    """An answer with a quote, a relationship, a list, doubts, a failure and a trace."""
    quoted = DocumentCitation(
        1, "d1", "d1:0", "Metformin.pdf", 3, "posology", "3. How to take", quote, 4, 4 + len(quote), 0.87
    )  # fmt: skip
    fact = GraphCitation(
        2, "DB00331", "Metformin", "Drug", "TREATS", "DOID:9352", "type 2 diabetes", "Disease", 1.0,
        {"source_of_fact": "Hetionet (CC0)"},
    )  # fmt: skip
    return replace(
        an_answer("How much of it may be taken?"),
        read_as="How much of Metformin may be taken?",
        understood="Dose of Metformin",
        sentences=(
            Sentence("At most 3,000 mg a day.", Support.DOCUMENT, (1,)),
            Sentence("It treats type 2 diabetes.", Support.GRAPH, (2,)),
            Sentence("Or 35 mg.", Support.UNSUPPORTED, (), ("35 mg is not in the evidence",)),
        ),
        citations=(quoted, fact),
        lists=(
            AnswerList(
                "Drugs that treat type 2 diabetes",
                (Member("DB00331", "Drug", "Metformin", (("DB00331", "TREATS", "DOID:9352"),)),),
                {"DOID:9352": "type 2 diabetes"},
            ),
        ),
        model="gpt-4o-mini",
        notice="One mark was removed.",
        confidence=0.8125,
        usage=Usage(1200, 90, 0.00042),
        failure=Failure("RATE_LIMITED", "Too many requests.", "Wait a moment.", True),
        scope=("leaflets",),
        correlation_id="c0ffee123456",
        trace=a_trace(),
    )


def a_trace() -> Trace:
    return Trace(
        program="0.1.0",
        clauses=("How much of Metformin may be taken?",),
        probabilities=(0.91,),
        threshold=0.5,
        passages=(
            TracedPassage(
                0,
                "d1",
                "d1:0",
                "Metformin.pdf",
                3,
                "posology",
                "3. How to take",
                0.91,
                0.55,
                0.62,
                1,
            ),
            TracedPassage(0, "d1", "d1:1", "Metformin.pdf", 4, "", "Other", 0.31, 0.6, 0.41),
        ),
        prompt=(PromptEvidence(1, "Metformin.pdf, p. 3", 1), PromptEvidence(2, "left aside")),
        earlier_turns=2,
        entities=12,
        relationships=34,
        documents=(DocumentVersion("d1", "Metformin.pdf", "Metformin", "leaflets", HASH),),
        indexes=(IndexVersion("leaflets", "all-MiniLM-L6-v2", 384, 0),),
        graph=GraphVersion(1, 886, 4316, "af" * 32),
        settings={"relevance_threshold": "0.5", "embedding_model": "all-MiniLM-L6-v2"},
    )


def fill(store: ConversationStore, *answers: Answer, title: str = "About metformin") -> Session:
    """Keep a conversation with these answers."""
    session = Session(SESSION, title, WHEN, WHEN, len(answers))
    for place, answer in enumerate(answers):
        kept = replace(answer, session=SESSION)
        store.restore_turn(session, Turn(f"{place:032x}", SESSION, place, kept, WHEN))
    return session


class NoDocuments:
    """A registry in which every document is gone; `named` are files that it has in another version."""

    def __init__(self, *named: str) -> None:
        self.named = named

    def document(self, document_id: str) -> Document | None:
        return None

    def documents_named(self, index: str, file: str) -> list[Document]:
        if file not in self.named:
            return []
        ready = DocumentState.READY
        return [Document("d2", index, file, file, "0", 1, 1, 1, ready, WHEN)]

    def indexes(self, *, include_deleting: bool = False) -> list[Index]:
        return [Index("leaflets", Profile.LEAFLET, "m", 3, WHEN)]


def a_record(store: ConversationStore, *answers: Answer, title: str = "About metformin") -> Record:
    """The record of a conversation with these answers."""
    session = fill(store, *answers, title=title)
    return Exports(store, NoDocuments()).record(session.id)
