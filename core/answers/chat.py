"""A question's way: retrieve, expand, generate. Three steps, one model call at most (KG-46 to 50)."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace

from core.answers import prompts
from core.answers.clauses import Clause, asked_sections, read_clauses
from core.answers.entities import entity_links, shown_entities
from core.answers.evidence import CitationBook, Evidence, document_citation
from core.answers.extractive import ExtractiveAnswerer
from core.answers.graph_facts import is_yes_no
from core.answers.model import LanguageModel, build_messages
from core.answers.passages import PassageReader
from core.answers.relevance import Relevance
from core.answers.retrieval import EvidenceFinder
from core.answers.support import check
from core.answers.words import content_words
from core.conversations.references import focus, resolve
from core.conversations.service import Conversations
from core.domain.answers import Answer, Citation, Sentence, Support
from core.domain.conversations import Turn
from core.domain.documents import Hit
from core.domain.events import Answered, Event, Expanded, Retrieved, Routed, Token
from core.domain.graph import Entity
from core.errors import InputError, ModelError
from core.graph.spelling import Spelling
from core.logs import correlation, get_logger
from core.search.routing import route

_NEAREST = 3  # passages shown with a refusal
# A word inside a sentence; one that begins with a capital is a name, the first word says nothing.
_INNER_WORD = re.compile(r"(?<=[\w,;:)] )\w+")
_SHORT_WORD = 3  # characters
_LOOKED_THROUGH = 20  # passages, for a word as it is written
_GRAPH_MISSING = (
    "The knowledge graph cannot be reached at present, so this answer is from documents alone."
)
_log = get_logger("chat")


@dataclass(frozen=True, slots=True)
class ChatLimits:
    """Sizes that settings give."""

    threshold: float
    max_question_chars: int
    history_turns: int
    max_entities: int


class ChatService:
    """Answers questions from the library and the graph.

    Args:
        find_entities: entities named in a text, in the order of their places.
        find_misspelt: misspelt names in a question; is handed what tells words of the library.
        model: the language model, or None for the extractive answerer.
        scope: names of the indexes that answers are made from.
    """

    def __init__(
        self,
        finder: EvidenceFinder,
        find_entities: Callable[[str], Sequence[Entity]],
        find_misspelt: Callable[[str, Callable[[str], bool]], Spelling],
        conversations: Conversations,
        model: LanguageModel | None,
        scope: Callable[[], tuple[str, ...]],
        limits: ChatLimits,
    ) -> None:
        self._finder = finder
        self._find_entities = find_entities
        self._find_misspelt = find_misspelt
        self._conversations = conversations
        self._model = model
        self._scope = scope
        self._limits = limits

    def answer(self, question: str, session_id: str | None = None) -> Answer:
        """The answer alone, for callers that do not watch it grow."""
        for event in self.ask(question, session_id):
            if isinstance(event, Answered):
                return event.answer
        raise AssertionError("a question's way ends with an answer")

    def ask(self, question: str, session_id: str | None = None) -> Iterator[Event]:
        """The events of one question, ending with `Answered`; the turn is kept before that.

        Raises:
            InputError: empty (``EMPTY_QUESTION``) or too long (``QUESTION_TOO_LONG``).
            StoreError, ModelError: a store or the embedding model cannot be used.
        """
        question = self._checked(question)
        with correlation():
            session, _ = self._conversations.open(session_id, question)
            turns = self._conversations.history(session.id, self._limits.history_turns)
            scope = self._scope()
            spelling = self._find_misspelt(question, lambda word: self._is_written(word, scope))
            read_as = self._read(spelling.applied(question), turns)
            query_type = route(read_as)
            _log.info("routed", query_type=query_type, resolved=read_as != question)
            yield Routed(query_type, read_as)

            started = time.perf_counter()
            clauses = read_clauses(read_as, self._find_entities)
            found = self._finder.retrieve(clauses, scope)
            retrieved = time.perf_counter()
            hits = _best_hits(hit for part in found for hit in part.hits)
            yield Retrieved(hits, self._finder.library.count_chunks(scope))

            evidence = self._finder.expand(read_as, found, query_type)
            expanded = time.perf_counter()
            yield Expanded(evidence.subgraph)

            draft = yield from self._generate(evidence, scope, turns)
            timings = {
                "retrieve": (retrieved - started) * 1000,
                "expand": (expanded - retrieved) * 1000,
                "generate": (time.perf_counter() - expanded) * 1000,
            }
            answer = self._finished(
                Answer(
                    question=question,
                    read_as=read_as,
                    query_type=query_type,
                    refused=not draft.sentences,
                    sentences=draft.sentences,
                    citations=draft.citations,
                    entities=(),
                    nearest=(),
                    timings_ms=timings,
                    model=draft.model,
                    session=session.id,
                    disclaimer=prompts.CLOSING,
                    notice=_notice(draft, evidence, spelling),
                ),
                evidence,
                hits,
                clauses,
            )
            turn = self._conversations.keep(session.id, answer)
            _log.info(
                "answered",
                refused=answer.refused,
                model=answer.model,
                sentences=len(answer.sentences),
                citations=len(answer.citations),
                **{f"{step}_ms": round(value) for step, value in timings.items()},
            )
            yield Answered(answer, turn.id)

    def _checked(self, question: str) -> str:
        question = question.strip()
        if not question:
            raise InputError(
                "The question is empty.", advice="Type a question.", code="EMPTY_QUESTION"
            )
        try:
            question.encode("utf-8")
        except UnicodeEncodeError:
            raise InputError(
                "The question holds a broken character.",
                advice="Type it again instead of pasting it.",
                code="INVALID_TEXT",
            ) from None
        if len(question) > self._limits.max_question_chars:
            raise InputError(
                f"The question has {len(question):,} characters; the limit is "
                f"{self._limits.max_question_chars:,}.",
                advice="Ask a shorter question; upload long text as a document instead.",
                code="QUESTION_TOO_LONG",
            )
        return question

    def _read(self, question: str, turns: Sequence[Turn]) -> str:
        in_focus = focus(turns)
        if in_focus is None:
            return question
        alone = read_clauses(question, self._find_entities)
        named = any(_names_subject(clause) for clause in alone)
        return resolve(
            question,
            in_focus,
            names_entity=named or self._has_own_subject(question),
            asks_section=any(clause.sections for clause in alone),
        )

    def _is_written(self, word: str, scope: tuple[str, ...]) -> bool:
        """Whether a word stands in the library as it is: full text alone takes "prednison" for a form
        of prednisone."""
        library = self._finder.library
        found = library.search_text(word, scope, _LOOKED_THROUGH)
        whole = re.compile(rf"\b{re.escape(word)}\b", re.IGNORECASE)
        chunks = library.chunks_by_id(chunk_id for chunk_id, _ in found)
        return any(whole.search(f"{chunk.context} {chunk.text}") for chunk, _ in chunks.values())

    def _has_own_subject(self, question: str) -> bool:
        """Whether a question speaks of something that the graph does not know: a document's subject,
        a name, or a word that stands nowhere. Such a question never inherits another medicine."""
        scope = self._scope()
        library = self._finder.library
        titles = {
            word
            for index in scope
            for document in library.documents(index)
            for word in content_words(document.title)
        }
        names = {w.casefold() for w in _INNER_WORD.findall(question) if w[0].isupper()}
        return any(
            word in names or word in titles or not library.chunks_with_word(word, scope)
            for word in content_words(question)
            if len(word) > _SHORT_WORD and not word.isdigit() and not asked_sections(word)
        )

    # -- step 3 ------------------------------------------------------------------------------------

    def _generate(
        self, evidence: Evidence, scope: tuple[str, ...], turns: Sequence[Turn]
    ) -> Generator[Token, None, _Draft]:
        book = CitationBook()
        extractive = self._extractive(scope)
        quoted = extractive.answer(evidence, book)
        draft = _renumbered(_Draft(tuple(quoted), book.citations, extractive.name))
        if self._model is None or not quoted or evidence.exact:
            # Nothing reaches the threshold: no model call, no guess (PR-4, KG-48). A list of all
            # relationships is complete as it is; a model would leave some out.
            return draft
        model_book = CitationBook()
        messages = build_messages(evidence, model_book, self._quotable(turns))
        pieces: list[str] = []
        try:
            for piece in self._model.stream(messages):
                pieces.append(piece)
                yield Token(piece)
        except ModelError as error:
            _log.warning("model_failed", code=error.code)
            return replace(draft, notice=f"{error} Shown instead: the evidence in its own words.")
        return _checked_draft("".join(pieces), model_book.citations, self._model.name)

    def _quotable(self, turns: Sequence[Turn]) -> list[Turn]:
        """Earlier turns whose sources are all still there: a deleted document answers nothing more."""
        cited = frozenset[str]().union(*(turn.answer.document_ids for turn in turns))
        present = self._finder.library.present(cited)
        return [turn for turn in turns if turn.answer.document_ids <= present]

    def _extractive(self, scope: tuple[str, ...]) -> ExtractiveAnswerer:
        return ExtractiveAnswerer(
            self._finder.encoder,
            self._finder.entities_in,
            PassageReader(self._finder.library),
            Relevance(self._finder.library, scope, self._finder.encoder().count_tokens),
            self._limits.threshold,
        )

    def _finished(
        self, answer: Answer, evidence: Evidence, hits: Sequence[Hit], clauses: Sequence[Clause]
    ) -> Answer:
        links = entity_links(
            answer, evidence.subgraph, self._finder.entities_in, self._limits.max_entities
        )
        if not answer.refused:
            ids = shown_entities(answer.citations, links, evidence.subgraph)
            return replace(answer, entities=links, subgraph={"entities": ids})
        named = {entity.id for clause in clauses for entity in clause.entities}
        return replace(
            answer,
            sentences=(Sentence(prompts.REFUSAL, Support.UNSUPPORTED, ()),),
            citations=(),
            entities=tuple(link for link in links if link.id in named),
            nearest=tuple(
                document_citation(n, hit, hit.chunk.start, hit.chunk.end, hit.chunk.text)
                for n, hit in enumerate(hits[:_NEAREST], start=1)
            ),
        )


def _names_subject(clause: Clause) -> bool:
    """Whether a clause says what it is about. "In pregnancy?" asks for a section of a leaflet,
    although the graph has an entity of that name; "which drugs" is about all of them."""
    about = [entity for entity in clause.entities if not asked_sections(entity.name)]
    return bool(about) or "Drug" in clause.wanted_types


@dataclass(frozen=True, slots=True)
class _Draft:
    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    model: str
    notice: str = ""


def _checked_draft(text: str, citations: Sequence[Citation], model: str) -> _Draft:
    """A model's text as a draft; no sentences when it says the refusal."""
    if prompts.REFUSAL.casefold() in " ".join(text.split()).casefold():
        return _Draft((), (), model)
    checked = check(text, citations, ignore=(prompts.CLOSING,))
    notice = ""
    if checked.invented:
        listed = ", ".join(str(n) for n in checked.invented)
        notice = (
            f"The model cited evidence that does not exist ({listed}); those marks were removed."
        )
    return _renumbered(_Draft(checked.sentences, tuple(citations), model, notice))


def _renumbered(draft: _Draft) -> _Draft:
    """Citations that are used, numbered in the order of their first use."""
    order = list(dict.fromkeys(n for sentence in draft.sentences for n in sentence.citations))
    new = {old: number for number, old in enumerate(order, start=1)}
    by_number = {citation.n: citation for citation in draft.citations}
    return replace(
        draft,
        sentences=tuple(
            replace(sentence, citations=tuple(new[n] for n in sentence.citations))
            for sentence in draft.sentences
        ),
        citations=tuple(replace(by_number[old], n=number) for old, number in new.items()),
    )


def _best_hits(hits: Iterator[Hit]) -> tuple[Hit, ...]:
    best: dict[str, Hit] = {}
    for hit in hits:
        if hit.chunk.id not in best or hit.score > best[hit.chunk.id].score:
            best[hit.chunk.id] = hit
    return tuple(sorted(best.values(), key=lambda hit: (-hit.score, hit.chunk.id)))


def _notice(draft: _Draft, evidence: Evidence, spelling: Spelling) -> str:
    """What the analyst should know about an answer beside its text."""
    notices = [draft.notice]
    if evidence.graph_missing:
        notices.append(_GRAPH_MISSING)
    else:
        notices += [
            "The knowledge graph has no such relationship between "
            f"{' and '.join(entity.name for entity in part.clause.entities)}."
            for part in evidence.clauses
            if len(part.clause.entities) > 1
            and part.clause.relationships
            and not part.groups
            and is_yes_no(part.clause)
        ]
    if not draft.sentences:
        notices += [
            f"Did you mean {' or '.join(f'“{name}”' for name in one.names)} where you wrote "
            f"“{one.written}”?"
            for one in spelling.suggestions
        ]
    return " ".join(filter(None, notices))
