"""What the steps before the last have brought."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.documents import Hit
from core.evidence.evidence import Evidence
from core.evidence.relevance import Relevance
from core.graph.names.spelling import Spelling
from core.questions.planned import ReadPlan
from core.questions.routing import QueryType


@dataclass(frozen=True, slots=True)
class Found:
    """A question as it was read, and the evidence for it.

    Attributes:
        scope: names of the indexes that were searched.
        timings: milliseconds of each step.
        as_read: of a corrected plan, what the question was read as.
        corrected: which of the plans that is, from 0.
    """

    read_as: str
    query_type: QueryType
    spelling: Spelling
    hits: tuple[Hit, ...]
    evidence: Evidence
    relevance: Relevance
    timings: dict[str, float]
    scope: tuple[str, ...]
    notices: tuple[str, ...]
    as_read: ReadPlan | None = None
    corrected: int = 0
