"""A question's way: retrieve, expand, generate. Three steps, one model call at most (KG-46 to 50)."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import partial

from core.answers import prompts
from core.answers.asking.limits import ChatLimits
from core.answers.confidence import confidence, may_not_answer, passage_relevance
from core.answers.draft import Draft
from core.answers.entities import entity_links, shown_entities, with_named_entities
from core.answers.generation import AnswerGenerator, heed, returned
from core.answers.leaflets.several import with_leaflets
from core.answers.notices import CONVERSATION_LOST, as_refusal, notice, search_notices
from core.answers.planned import planned
from core.answers.provenance.asked import (
    Asked,
    asked_before,
    checked_question,
    corrected_clauses,
    of_its_kind,
    turns_before,
)
from core.answers.provenance.asked_of import asked_of
from core.answers.provenance.earlier import as_context
from core.answers.provenance.found import Found
from core.answers.provenance.tracing import Tracer
from core.conversations.service import Conversations
from core.domain.answers import Answer
from core.domain.conversations import Turn
from core.domain.events import Answered, Event, Expanded, Retrieved, Routed, answer_of
from core.domain.evidence.notices import joined
from core.domain.plans import Correction
from core.domain.provenance.within import EVERYTHING, Within
from core.domain.stopping import StopSignal
from core.encoders.turns import Turns
from core.evidence.evidence import best_hits
from core.evidence.patients.cautions import with_cautions
from core.evidence.reading.closest_documents import ClosestDocuments
from core.evidence.retrieval import EvidenceFinder
from core.evidence.sources import Sources
from core.llm.model import Message
from core.logs import correlation, current_correlation_id, get_logger
from core.questions.reading import QuestionReader
from core.questions.routing import route

_log = get_logger("chat")


class ChatService:
    """Answers questions from the library and the graph.

    Args:
        scope: names of the indexes that answers are made from.
    """

    def __init__(
        self,
        sources: Sources,
        reader: QuestionReader,
        finder: EvidenceFinder,
        generator: AnswerGenerator,
        conversations: Conversations,
        scope: Callable[[], tuple[str, ...]],
        limits: ChatLimits,
        tracer: Tracer,
    ) -> None:
        self._sources = sources
        self._reader = reader.ranking(ClosestDocuments(finder.retriever))
        self._finder = finder
        self._generator = generator
        self._conversations = conversations
        self._scope = scope
        self._limits = limits
        self._tracer = tracer
        self._turns = Turns(limits.at_once)
        self._asked_of = partial(asked_of, sources.library, scope)

    @property
    def busy(self) -> bool:
        """Whether a question is being worked on; one that a language model answers is not."""
        return self._turns.busy

    def of_user(self, conversations: Conversations) -> ChatService:
        """The same with one user's conversations."""
        one = copy(self)
        one._conversations = conversations
        return one

    def answer(
        self,
        question: str,
        session_id: str | None = None,
        *,
        wider: bool = False,
        indexes: tuple[str, ...] | None = None,
        within: Within = EVERYTHING,
        correction: Correction | None = None,
        context: tuple[str, ...] = (),
        stop: StopSignal | None = None,
    ) -> Answer:
        """The answer alone, for callers that do not watch it grow; see `ask`."""
        return answer_of(
            self.ask(
                question,
                session_id,
                wider=wider,
                indexes=indexes,
                within=within,
                correction=correction,
                context=context,
                stop=stop,
            )
        )

    def ask(
        self,
        question: str,
        session_id: str | None = None,
        *,
        wider: bool = False,
        indexes: tuple[str, ...] | None = None,
        within: Within = EVERYTHING,
        correction: Correction | None = None,
        context: tuple[str, ...] = (),
        stop: StopSignal | None = None,
        model_only: bool = False,
        before: Sequence[Turn] | None = None,
    ) -> Iterator[Event]:
        """The events of one question, ending with `Answered`; the turn is kept before that.

        Args:
            session_id: the conversation to go on with; a new one begins without, and when it does not
                exist (the answer's notice says so).
            wider: look in every index, the abstracts too, and in every section.
            indexes: look in these alone; `wider` goes beyond them. Without either, an index that cannot
                be searched is left out, and the answer's notice says so.
            within: take passages from these documents and sections alone; `wider` goes beyond them.
            correction: a plan to carry out in place of the one that the question is read as; the answer
                keeps both.
            context: ids of earlier turns that a language model is given too, as data; they are no evidence.
            stop: heeded between the steps and, at once, while the model writes.
            model_only: no quotes stand in the place of a language model that fails; nothing is kept then.
            before: turns that the caller keeps itself, in place of a conversation's; nothing is kept.

        Raises:
            InputError: empty (``EMPTY_QUESTION``) or too long (``QUESTION_TOO_LONG``); `indexes` or `within`
                name what is none (see `asked_of`); the corrected plan cannot be carried out
                (``INVALID_PLAN``), or the question was not read as one (``NO_PLAN``).
            EmbeddingMismatch: an index of `indexes`, or every index, was made with a model that is gone.
            NotFound: an index or a document does not exist.
            Stopped: `stop` came before there was a finished sentence; nothing is kept.
            StoreError, ModelError: a store, or a model that is needed, cannot be used.
        """
        question = self.checked(question)
        with correlation(), self._sources.tokens.asking():
            turns, corrects = turns_before(
                self._conversations,
                session_id,
                question,
                correction,
                before,
                self._limits.history_turns,
            )
            scope, within = self._asked_of(wider, indexes, within)
            asked = Asked(
                question,
                session_id,
                turns,
                scope,
                indexes is not None and not wider,
                wider,
                stop or StopSignal(),
                correction,
                corrects,
                as_context(self._conversations, context, self._sources.library.present),
                kept=before is None,
                model_only=model_only,
                within=within,
            )
            yield from self._way(asked)

    def prompt(self, question: str, tokens: int) -> list[Message]:
        """What a language model with a context of `tokens` would be sent for a question that begins a
        conversation; nothing where none would be asked. Nothing is kept.

        Raises:
            InputError, StoreError, ModelError: as `ask`; not one passage fits (``MODEL_CONTEXT``).
        """
        text = self.checked(question)
        asked = Asked(text, None, (), self._scope(), False, False, StopSignal())
        found = returned(self._look(of_its_kind(asked, self._sources.library)))
        return self._generator.prompt(found.evidence, found.relevance, tokens)

    def again(self, session_id: str, turn_id: str, stop: StopSignal | None = None) -> Answer:
        """The question of a turn, asked once more as it was asked then, over what there is now; kept
        nowhere.

        Raises:
            NotFound: the turn is not in the conversation any more, or an index that was chosen is gone.
            EmbeddingMismatch, StoreError, ModelError, Stopped: see `ask`.
        """
        turns = self._conversations.history(session_id)
        before = asked_before(turns, turn_id, self._limits.history_turns)
        old = before.turn.answer
        scope, within = self._asked_of(old.wider, before.indexes, old.within)
        asked = Asked(
            old.question,
            session_id,
            before.turns,
            scope,
            before.indexes is not None,
            old.wider,
            stop or StopSignal(),
            before.correction,
            before.turn,
            as_context(self._conversations, before.context, self._sources.library.present),
            kept=False,
            within=within,
        )
        with correlation():
            return answer_of(self._way(asked))

    def tried(self, question: str, turns: Sequence[Turn]) -> Answer:
        """What a question would be answered after these turns without a language model; kept nowhere.

        Raises:
            StoreError, ModelError: see `ask`.
        """
        recent = turns[max(len(turns) - self._limits.history_turns, 0) :]
        asked = Asked(question, None, recent, self._scope(), False, False, StopSignal())
        with correlation():
            return answer_of(self._way(replace(asked, kept=False, by_model=False)))

    def _way(self, asked: Asked) -> Iterator[Event]:
        """The three steps, and the answer."""
        with self._turns.taken(asked.stop) as turn:
            asked = of_its_kind(asked, self._sources.library)
            found = yield from self._look(asked)
            asked = replace(asked, scope=found.scope)
            started = time.perf_counter()
            draft = yield from self._generator.generate(
                found.evidence,
                found.relevance,
                [*asked.turns, *asked.context],
                asked.stop,
                model_only=asked.model_only,
                by_model=asked.by_model,
                aside=turn.aside,
            )
            spent = (time.perf_counter() - started) * 1000
            timings = {**found.timings, "generate": spent - draft.model_ms}
            if draft.model_ms:
                timings["model"] = draft.model_ms
            answered = self._kept(asked, replace(found, timings=timings), draft)
        yield answered

    def _look(self, asked: Asked) -> Generator[Event, None, Found]:
        """Steps 1 and 2."""
        reader = self._reader.calling(asked.scope)
        spelling = reader.spelling(asked.question, asked.scope)
        spelt = spelling.applied(asked.question)
        plan, read_as = reader.speaking_on(spelt, asked.turns, asked.within.entities), spelt
        if plan is None:
            read_as = reader.read(spelt, asked.turns, asked.scope)
            plan = reader.planner.read(read_as)
        query_type = route(read_as)
        clauses = reader.planned(read_as, plan, asked.scope, asked.within)
        as_read = None
        if asked.correction is not None:
            clauses, as_read = corrected_clauses(reader, asked, asked.correction, clauses)
            read_as = "; ".join(clause.text for clause in clauses)
        _log.info("routed", query_type=query_type, resolved=read_as != asked.question)
        yield Routed(query_type, read_as)

        heed(asked.stop)
        started = time.perf_counter()
        if asked.wider:
            clauses = [replace(clause, sections=()) for clause in clauses]
        searched = self._finder.retrieve(
            clauses, asked.scope, asked.within, all_of_them=asked.chosen
        )
        hits = best_hits(hit for part in searched.parts for hit in part.hits)
        retrieved = time.perf_counter()
        yield Retrieved(hits, self._sources.library.count_chunks(searched.indexes))

        heed(asked.stop)
        relevance = self._sources.relevance(searched.indexes)
        evidence = with_cautions(
            self._finder.expand(read_as, searched.parts, query_type, asked.within),
            self._sources,
            relevance,
        )
        timings = {
            "retrieve": (retrieved - started) * 1000,
            "expand": (time.perf_counter() - retrieved) * 1000,
        }
        yield Expanded(evidence.subgraph)
        heed(asked.stop)
        return Found(
            read_as,
            query_type,
            spelling,
            hits,
            evidence,
            relevance,
            timings,
            searched.indexes,
            search_notices(searched),
            as_read,
            asked.correction.number if asked.correction is not None else 0,
        )

    def _kept(self, asked: Asked, found: Found, draft: Draft) -> Answered:
        """The answer, complete and appended to its conversation."""
        session_id, lost = asked.session_id or "", ""
        if asked.kept:
            session, is_new = self._conversations.open(asked.session_id, asked.question)
            session_id = session.id
            lost = CONVERSATION_LOST if is_new and asked.session_id else ""
        rated = passage_relevance(draft.citations, found.evidence, draft.probabilities)
        told = notice(draft, found.evidence, found.spelling, found.notices, found.relevance.absent)
        answer = Answer(
            question=asked.question,
            read_as=found.read_as,
            query_type=found.query_type,
            refused=not draft.sentences,
            sentences=draft.sentences,
            citations=draft.citations,
            entities=(),
            nearest=(),
            timings_ms=found.timings,
            model=draft.model,
            session=session_id,
            disclaimer=prompts.CLOSING,
            notice=joined((lost, told)),
            confidence=confidence(
                draft.sentences,
                draft.citations,
                rated,
                found.evidence,
                found.as_read,
            ),
            usage=draft.usage,
            failure=draft.failure,
            scope=asked.scope,
            wider=asked.wider,
            within=asked.within,
            stopped=draft.stopped,
            blocks=draft.blocks,
            may_not_answer=may_not_answer(draft.sentences, draft.citations, rated, found.evidence),
            correlation_id=current_correlation_id(),
            graph_away=any(part.unanswerable for part in found.evidence.clauses),
            **planned(found.evidence, draft.citations, found.as_read, found.corrected),
        )
        answer = with_leaflets(answer, found.evidence, self._sources, found.relevance)
        answer = with_named_entities(self._finished(answer, found), self._sources)
        trace = self._tracer.trace(
            found.evidence, draft, answer.citations, asked.scope, chosen=asked.chosen
        )
        given = tuple(turn.id for turn in asked.context) if draft.given else ()
        answer = replace(answer, trace=replace(trace, context=given))
        turn_id = self._conversations.keep(session_id, answer).id if asked.kept else ""
        _log.info(
            "answered",
            state=str(answer.state),
            kept=asked.kept,
            model=answer.model,
            stopped=answer.stopped,
            failure=answer.failure.code if answer.failure else "",
            sentences=len(answer.sentences),
            citations=len(answer.citations),
            **{f"{step}_ms": round(value) for step, value in found.timings.items()},
        )
        return Answered(answer, turn_id)

    def checked(self, question: str) -> str:
        """The question without white space around it.

        Raises:
            InputError: empty, too long, or with a broken character.
        """
        return checked_question(question, self._limits.max_question_chars)

    def _finished(self, answer: Answer, found: Found) -> Answer:
        links = entity_links(
            answer,
            found.evidence.subgraph,
            self._sources.names.entity_ids_in,
            self._limits.max_entities,
        )
        if not answer.refused:
            ids = shown_entities(answer.citations, links, found.evidence.subgraph)
            return replace(answer, entities=links, subgraph={"entities": ids})
        named = {entity.id for part in found.evidence.clauses for entity in part.clause.entities}
        return as_refusal(answer, links, named, found.hits, found.spelling)
