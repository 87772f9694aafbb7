"""A comparison in the fields that scripts rely on: what `--json` and the API print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from core.domain.documents import Document
from core.versions.differences import (
    CHANGES,
    Difference,
    DifferenceKind,
    SectionDifferences,
    Side,
    VersionComparison,
)
from core.versions.resting import RestingAnswer


def comparison_to_public(
    comparison: VersionComparison,
    answers: Sequence[RestingAnswer],
    *,
    same: bool = False,
    numbers_only: bool = False,
) -> dict[str, Any]:
    """Both documents, the counts, and the differences by section.

    Args:
        same: also text that is the same in both.
        numbers_only: only differences with changed numbers.
    """

    def told(one: Difference) -> bool:
        return bool(one.numbers) if numbers_only else same or one.kind is not DifferenceKind.SAME

    return {
        "old": _document(comparison.old),
        "new": _document(comparison.new),
        "counts": _counts(comparison.counts, comparison.numbers),
        "sections": [
            _section(section, [one for one in section.differences if told(one)])
            for section in comparison.sections
        ],
        "answers": [_answer(one) for one in answers],
    }


def _document(document: Document) -> dict[str, Any]:
    return {
        "id": document.id,
        "filename": document.file,
        "title": document.title,
        "sha256": document.sha256,
    }


def _counts(counts: Counter[DifferenceKind], numbers: int) -> dict[str, int]:
    return {
        **{str(kind): counts[kind] for kind in (DifferenceKind.SAME, *CHANGES)},
        "numbers": numbers,
    }


def _section(section: SectionDifferences, told: Sequence[Difference]) -> dict[str, Any]:
    return {
        "section": section.code,
        "heading": section.heading,
        "counts": _counts(section.counts, section.numbers),
        "differences": [
            {
                "kind": str(one.kind),
                "old": _side(one.old),
                "new": _side(one.new),
                "numbers": [{"old": number.old, "new": number.new} for number in one.numbers],
            }
            for one in told
        ],
    }


def _side(side: Side | None) -> dict[str, Any] | None:
    if side is None:
        return None
    return {
        "text": side.text,
        "page": side.page,
        "section": side.section,
        "heading": side.heading,
        "tableRow": side.row,
        "under": side.lead,
        "marks": [list(mark) for mark in side.marks],
    }


def _answer(one: RestingAnswer) -> dict[str, Any]:
    return {
        "conversationId": one.session_id,
        "turnId": one.turn_id,
        "question": one.question,
        "askedAt": one.asked_at.isoformat(),
        "evidence": [
            {
                "citation": cited.citation.n,
                "page": cited.citation.page,
                "sentences": list(cited.sentences),
                "removed": cited.is_removed,
                "numbers": cited.has_numbers,
            }
            for cited in one.citations
        ],
        "claims": [
            {
                "kind": str(claim.difference.kind),
                "old": claim.difference.old.text if claim.difference.old else "",
                "new": claim.difference.new.text if claim.difference.new else "",
                "sentences": list(claim.sentences),
                "citations": list(claim.citations),
            }
            for claim in one.claims
        ],
    }
