"""A question with all that it is asked with; once more as it was asked before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.conversations.service import Conversations
from core.documents.store.library import EvidenceStore
from core.domain.conversations import Turn
from core.domain.plans import Correction
from core.domain.provenance.within import EVERYTHING, Within
from core.domain.stopping import StopSignal
from core.errors import InputError, NotFound
from core.questions.clauses import Clause
from core.questions.library.kinds import part_named, part_spoken_of
from core.questions.planned import ReadPlan
from core.questions.reading import QuestionReader
from core.questions.spoken import ENGLISH


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with what it was asked with.

    Attributes:
        turns: those before it, or before the one that is corrected.
        chosen: the scope, by whoever asks: no index of it may be missing.
        corrects: the turn whose plan is corrected.
        context: earlier turns of any conversation that a language model is to be given too.
        kept: the answer, with its conversation.
        model_only: no quotes stand in the place of a language model that fails.
        by_model: a language model writes it, where one is set.
        within: the documents and sections that passages are taken from.
    """

    question: str
    session_id: str | None
    turns: Sequence[Turn]
    scope: tuple[str, ...]
    chosen: bool
    wider: bool
    stop: StopSignal
    correction: Correction | None = None
    corrects: Turn | None = None
    context: Sequence[Turn] = ()
    kept: bool = True
    model_only: bool = False
    by_model: bool = True
    within: Within = EVERYTHING


def of_its_kind(asked: Asked, library: EvidenceStore) -> Asked:
    """A question asked of the documents alone that it names by their kind ("according to the guideline"), or
    of the paper that was spoken of ("that study"), unless whoever asks chose where to look.

    Raises:
        StoreError: the library cannot be read.
    """
    if asked.within or asked.wider:
        return asked
    spoken_of = part_spoken_of(
        asked.question,
        asked.turns,
        lambda id_: (chunk.titled for chunk in library.document_chunks(id_)),
    )
    if spoken_of:
        return replace(asked, within=spoken_of)
    documents = (document for index in asked.scope for document in library.documents(index))
    within = part_named(
        asked.question,
        documents,
        lambda document: (chunk.text for chunk in library.document_chunks(document.id)),
    )
    return replace(asked, within=within)


def checked_question(question: str, most: int) -> str:
    """The question without white space around it.

    Args:
        most: characters that it may have.

    Raises:
        InputError: empty, too long, or with a broken character.
    """
    question = question.strip()
    if not question:
        raise InputError("The question is empty.", advice="Type a question.", code="EMPTY_QUESTION")
    try:
        question.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(
            "The question holds a broken character.",
            advice="Type it again instead of pasting it.",
            code="INVALID_TEXT",
        ) from None
    if len(question) > most:
        raise InputError(
            f"The question has {len(question):,} characters; the limit is {most:,}.",
            advice="Ask a shorter question; upload long text as a document instead.",
            code="QUESTION_TOO_LONG",
        )
    return question


@dataclass(frozen=True, slots=True)
class AskedBefore:
    """How a turn was asked: after which turns, over which indexes, with which correction.

    Attributes:
        indexes: as they were chosen; None where they were the usual ones, or all of them.
        context: ids of earlier turns that the language model was given too.
    """

    turn: Turn
    turns: Sequence[Turn]
    indexes: tuple[str, ...] | None
    correction: Correction | None
    context: tuple[str, ...] = ()


def asked_before(turns: Sequence[Turn], turn_id: str, most: int) -> AskedBefore:
    """How a turn of a conversation was asked.

    Args:
        turns: of the conversation, all of them.
        most: earlier turns that a question goes on with.

    Raises:
        NotFound: the turn is not among them.
    """
    place = next((n for n, turn in enumerate(turns) if turn.id == turn_id), None)
    if place is None:
        raise NotFound(
            "This question is not in the conversation any more.", advice="Ask it as a new one."
        )
    turn = turns[place]
    old = turn.answer
    chosen = old.trace is not None and old.trace.indexes_chosen
    changed = old.each_plan[old.corrected].plan if old.plan_as_read is not None else None
    return AskedBefore(
        turn,
        turns[max(place - most, 0) : place],
        old.scope if chosen and not old.wider else None,
        Correction(changed, turn_id, old.corrected) if changed is not None else None,
        old.trace.context if old.trace is not None else (),
    )


def turns_before(
    conversations: Conversations,
    session_id: str | None,
    question: str,
    correction: Correction | None,
    given: Sequence[Turn] | None,
    most: int,
) -> tuple[Sequence[Turn], Turn | None]:
    """The turns that a question goes on with, and the one whose plan it corrects.

    Args:
        given: turns that the caller keeps, in place of a conversation's.
        most: earlier turns that a question goes on with.
    """
    if given is not None:
        return given[max(len(given) - most, 0) :], None
    if not session_id:
        return [], None
    if correction is None:
        return conversations.history(session_id, most), None
    turns = conversations.history(session_id)
    return before_corrected(turns, question, correction, most)


def before_corrected(
    turns: list[Turn], question: str, correction: Correction, most: int
) -> tuple[list[Turn], Turn | None]:
    """The turns that a corrected question goes on with, and the one whose plan is corrected, where the
    conversation has it."""
    for place, turn in reversed(list(enumerate(turns))):
        named = turn.id == correction.turn or not correction.turn
        if named and turn.question == question:
            return turns[max(place - most, 0) : place], turn
    return turns[max(len(turns) - most, 0) :], None


def corrected_clauses(
    reader: QuestionReader, asked: Asked, correction: Correction, clauses: list[Clause]
) -> tuple[list[Clause], ReadPlan]:
    """The clauses with the corrected plan, and the plan as it was read when it was asked first.

    Raises:
        InputError: the plan cannot be carried out (``INVALID_PLAN``), or the question was not read as one
            (``NO_PLAN``).
    """
    first = asked.corrects.answer if asked.corrects is not None else None
    number = correction.number
    plan = None
    if first is not None and first.plan_as_read is not None and first.corrected != number:
        # What was changed of another clause stays changed.
        clauses, _ = reader.corrected(
            clauses, first.each_plan[first.corrected].plan, first.corrected
        )
    elif first is not None:
        plan = first.plan_as_read
    if first is not None and plan is None and number < len(first.each_plan):
        plan = first.each_plan[number].plan
    corrected, read = reader.corrected(clauses, correction.plan, number)
    if plan is not None:
        language = read.language if read is not None else ENGLISH
        said = reader.corrections.said(plan, language)
        # What was offered then is as doubtful when it is carried out.
        offer = first.offer if first is not None else None
        read = ReadPlan(plan, said, language=language, offer=offer)
    if read is None:
        raise InputError(
            "This question asks for nothing of the graph, so that it has no plan to correct.",
            advice="Ask it in other words, or without a plan.",
            code="NO_PLAN",
        )
    return corrected, read
