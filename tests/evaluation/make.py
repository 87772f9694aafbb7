"""Small answers with citations, and outcomes of questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.domain.answers import Answer, Citation, DocumentCitation, GraphCitation, Sentence, Support
from core.evaluation.judging import Outcome
from core.evaluation.questions import Question
from tests.domain.answers import an_answer


def passage(n: int, quote: str, file: str = "Metformin.pdf", page: int = 3) -> DocumentCitation:
    """A citation of a passage."""
    return DocumentCitation(
        n=n,
        document_id="d",
        chunk_id="c",
        file=file,
        page=page,
        section="posology",
        heading="Dose",
        quote=quote,
        start=0,
        end=len(quote),
        relevance=0.9,
    )


def fact(n: int, source: str, target: str, target_type: str = "Disease") -> GraphCitation:
    """A citation of a drug's relationship."""
    return GraphCitation(
        n=n,
        source_id=f"id:{source}",
        source=source,
        source_type="Drug",
        relationship="TREATS",
        target_id=f"id:{target}",
        target=target,
        target_type=target_type,
        relevance=1.0,
    )


def told(text: str, citations: Sequence[Citation], *, refused: bool = False) -> Answer:
    """An answer of one sentence that cites everything given."""
    kinds = {citation.kind for citation in citations}
    support = Support(kinds.pop()) if len(kinds) == 1 else Support.BOTH
    if not citations:
        support = Support.UNSUPPORTED
    return replace(
        an_answer("What?"),
        refused=refused,
        sentences=(Sentence(text, support, tuple(c.n for c in citations)),),
        citations=tuple(citations),
    )


def outcome(question: Question, answer: Answer | None, *places: tuple[str, int]) -> Outcome:
    """An outcome that took ten milliseconds."""
    return Outcome(question, answer, places, 10.0, "" if answer else "it broke")
