"""Kept answers that rest on text which another version of a document changes or no longer has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.conversations.service import Conversations
from core.domain.answers import DocumentCitation
from core.domain.conversations import Turn
from core.versions.differences import Difference, DifferenceKind, VersionComparison
from core.versions.words import unbroken, words

_LEAST_WORDS = 4  # "Ask your doctor" stands in many leaflets


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
class ChangedClaim:
    """A stretch of the old version that differs, and the sentences of an answer that rest on it.

    Attributes:
        sentences: from 1; those that say it, whatever they cite (an item of a list may carry the number of
            a relationship alone), else those that cite the passage.
        citations: the passages of the answer that have it; empty where none does.
    """

    difference: Difference
    sentences: tuple[int, ...]
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RestingAnswer:
    """An answer that cites or says such text.

    Attributes:
        claims: each difference that the answer rests on, in the order of the comparison.
    """

    session_id: str
    turn_id: str
    position: int
    question: str
    asked_at: datetime
    citations: tuple[ChangedCitation, ...]
    claims: tuple[ChangedClaim, ...] = ()


def answers_resting(
    comparison: VersionComparison, conversations: Conversations
) -> list[RestingAnswer]:
    """The answers that cite or say text of the old version which the new one changes or does not have, the
    newest first; what only moved is still there.

    Raises:
        StoreError: the conversations cannot be read.
    """
    found: list[RestingAnswer] = []
    for one in conversations.quoting([comparison.old.id]):
        turn = conversations.find_turn(one.turn_id) if one.cited else None
        if turn is None:
            continue
        citations = tuple(_changed(comparison, turn))
        claims = tuple(_claims(comparison, turn, citations))
        if claims:
            found.append(
                RestingAnswer(
                    turn.session_id,
                    turn.id,
                    turn.position,
                    turn.question,
                    turn.created_at,
                    citations,
                    claims,
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


def _claims(
    comparison: VersionComparison, turn: Turn, citations: Sequence[ChangedCitation]
) -> Iterator[ChangedClaim]:
    said = [_keys(sentence.text) for sentence in turn.answer.sentences]
    for one in filter(_differs, comparison.differences):
        cited = [each for each in citations if one in each.differences]
        text = _keys(one.old.text) if one.old is not None else ()
        saying = tuple(
            number
            for number, sentence in enumerate(said, start=1)
            if len(text) >= _LEAST_WORDS and _has(sentence, text)
        )
        sentences = saying or tuple(sorted({n for each in cited for n in each.sentences}))
        if cited or saying:
            yield ChangedClaim(one, sentences, tuple(each.citation.n for each in cited))


def _keys(text: str) -> tuple[str, ...]:
    return tuple(word.key for word in words(unbroken(text)))


def _has(sentence: tuple[str, ...], text: tuple[str, ...]) -> bool:
    """Whether these words stand in a sentence, one behind the other."""
    size = len(text)
    return any(sentence[at : at + size] == text for at in range(len(sentence) - size + 1))


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
