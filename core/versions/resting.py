"""Kept answers that rest on text which another version of a document changes or no longer has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from core.conversations.service import Conversations
from core.domain.answers import DocumentCitation
from core.domain.conversations import Turn
from core.versions.differences import Difference, DifferenceKind, VersionComparison


@dataclass(frozen=True, slots=True)
class ChangedCitation:
    """A cited passage, and what became of its text.

    Attributes:
        sentences: of the answer, from 1, that cite it.
        differences: what differs in it.
    """

    citation: DocumentCitation
    sentences: tuple[int, ...]
    differences: tuple[Difference, ...]

    @property
    def has_numbers(self) -> bool:
        """Whether a number in it differs."""
        return any(one.numbers for one in self.differences)

    @property
    def is_removed(self) -> bool:
        """Whether some of it is no longer there."""
        return any(one.kind is DifferenceKind.REMOVED for one in self.differences)


@dataclass(frozen=True, slots=True)
class RestingAnswer:
    """An answer that cites such text."""

    session_id: str
    turn_id: str
    position: int
    question: str
    asked_at: datetime
    citations: tuple[ChangedCitation, ...]


def answers_resting(
    comparison: VersionComparison, conversations: Conversations
) -> list[RestingAnswer]:
    """The answers that cite text of the old version which the new one changes or does not have, the newest
    first; what only moved is still there.

    Raises:
        StoreError: the conversations cannot be read.
    """
    found: list[RestingAnswer] = []
    for one in conversations.quoting([comparison.old.id]):
        turn = conversations.find_turn(one.turn_id) if one.cited else None
        if turn is None:
            continue
        citations = tuple(_changed(comparison, turn))
        if citations:
            found.append(
                RestingAnswer(
                    turn.session_id,
                    turn.id,
                    turn.position,
                    turn.question,
                    turn.created_at,
                    citations,
                )
            )
    return sorted(found, key=lambda one: one.asked_at, reverse=True)


def _changed(comparison: VersionComparison, turn: Turn) -> Iterator[ChangedCitation]:
    for citation in turn.answer.citations:
        if not isinstance(citation, DocumentCitation):
            continue
        if citation.document_id != comparison.old.id or citation.start >= citation.end:
            continue
        differences = tuple(
            one for one in comparison.differences if _differs(one) and _cites(citation, one)
        )
        if differences:
            sentences = tuple(
                number
                for number, said in enumerate(turn.answer.sentences, start=1)
                if citation.n in said.citations
            )
            yield ChangedCitation(citation, sentences, differences)


def _differs(one: Difference) -> bool:
    """Whether text of the old version is not in the new one."""
    if one.kind is DifferenceKind.MOVED and one.new is not None:
        return bool(one.new.marks or (one.old and one.old.marks))
    return one.kind in (DifferenceKind.REMOVED, DifferenceKind.CHANGED)


def _cites(citation: DocumentCitation, one: Difference) -> bool:
    return one.old is not None and any(
        place.page == citation.page and place.start < citation.end and citation.start < place.end
        for place in one.old.places
    )
