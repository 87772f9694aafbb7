"""Earlier answers to questions close to a new one, with what changed since (CG-3)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from core.answers.provenance.since import Change, Changed, changed_since
from core.conversations.recall import Recall
from core.conversations.service import Conversations
from core.documents.library.catalogue import Catalogue
from core.domain.answers import Answer, GraphCitation
from core.domain.conversations import SimilarTurn, Turn
from core.domain.provenance.trace import GraphVersion
from core.errors import NotFound, StoreError


@dataclass(frozen=True, slots=True)
class EarlierAnswer:
    """An earlier question that is close to another one, and what changed since it was answered."""

    found: SimilarTurn
    changed: tuple[Changed, ...]

    @property
    def is_quotable(self) -> bool:
        """Whether a language model may be given it: it is an answer, and its sources are all still there."""
        gone = {Change.SOURCE_DELETED, Change.SOURCE_REPLACED}
        return not self.found.refused and gone.isdisjoint(each.what for each in self.changed)


@dataclass(frozen=True, slots=True)
class EarlierAnswers:
    """Finds them, and looks at what they rest on.

    Args:
        graph: the graph as it is now; raises StoreError where it cannot be reached.
    """

    recall: Recall
    conversations: Conversations
    catalogue: Catalogue
    graph: Callable[[], GraphVersion]

    def like(self, question: str) -> list[EarlierAnswer]:
        """The earlier questions that are close to a question, the closest first.

        Raises:
            ModelError, StoreError: the embedding model or a store cannot be used.
        """
        return self._with_changes(self.recall.similar(question), None)

    def beside(self, turn: Turn) -> list[EarlierAnswer]:
        """The earlier questions that are close to one that is answered; not those whose answer rests on other
        things alone, all of them still there: the same was asked of another medicine.

        Raises:
            ModelError, StoreError: see `like`.
        """
        return self._with_changes(self.recall.similar_to(turn), turn.answer)

    def _with_changes(
        self, found: Sequence[SimilarTurn], now: Answer | None
    ) -> list[EarlierAnswer]:
        graph = self._graph() if found else None
        told = []
        for one in found:
            try:
                before = self.conversations.turn(one.session_id, one.turn_id).answer
            except NotFound:  # deleted meanwhile
                continue
            deleted, replaced = self.catalogue.lost_sources(before.cited_files)
            if now is not None and not (deleted or replaced) and _rest_apart(before, now):
                continue
            same = now if now is not None and _asks_the_same(before, now) else None
            told.append(EarlierAnswer(one, changed_since(before, deleted, replaced, graph, same)))
        return told

    def _graph(self) -> GraphVersion | None:
        try:
            return self.graph()
        except StoreError:
            return None


def _asks_the_same(one: Answer, other: Answer) -> bool:
    """Whether both answer one question, asked of the same: what becomes of a question that is merely close, or
    is asked of other documents, says nothing of it."""
    words, other_words = (
        " ".join(each.read_as.casefold().split()).rstrip(" ?.!") for each in (one, other)
    )
    return (words, one.scope, one.within, one.wider, one.corrected) == (
        other_words,
        other.scope,
        other.within,
        other.wider,
        other.corrected,
    )


def _rest_apart(one: Answer, other: Answer) -> bool:
    """Whether both rest on something of one kind, and have none of it in common: files, or else entities."""
    for ones, others in (
        ({*one.cited_files.values()}, {*other.cited_files.values()}),
        (_ends(one), _ends(other)),
    ):
        if ones and others:
            return ones.isdisjoint(others)
    return False


def _ends(answer: Answer) -> set[str]:
    facts = (one for one in answer.citations if isinstance(one, GraphCitation))
    return {end for fact in facts for end in (fact.source_id, fact.target_id)}


def as_context(
    conversations: Conversations,
    turn_ids: Collection[str],
    present: Callable[[Collection[str]], Collection[str]],
) -> list[Turn]:
    """Earlier turns that a language model is to be given beside the conversation's own; but for what refused
    or is gone, or cites what is.

    Args:
        present: of ids of documents, those that are in the library.
    """
    found = (conversations.find_turn(one) for one in dict.fromkeys(turn_ids))
    told = [turn for turn in found if turn is not None and not turn.answer.refused]
    there = present(frozenset[str]().union(*(turn.answer.document_ids for turn in told)))
    return [turn for turn in told if turn.answer.document_ids <= frozenset(there)]


def earlier_to_public(one: EarlierAnswer) -> dict[str, Any]:
    """An earlier question in the fields that scripts rely on."""
    found = one.found
    return {
        "turnId": found.turn_id,
        "conversationId": found.session_id,
        "question": found.question,
        "askedAt": found.asked_at.isoformat(),
        "similarity": round(found.similarity, 4),
        "refused": found.refused,
        "changed": [{"what": str(each.what), "text": each.text} for each in one.changed],
    }
