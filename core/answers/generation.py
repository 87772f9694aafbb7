"""Step 3 of a question's way: sentences quoted from the evidence, or written by the language model and
checked."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from core.answers import prompts
from core.answers.disagreements import Disagreements, told_first
from core.answers.draft import Draft, checked_draft, finished_part, preceded, renumbered
from core.answers.extractive import ExtractiveAnswerer, Quoted
from core.answers.leaflets.of_each import less_certain
from core.answers.notices import BROKEN_OFF, addresses_removed, compared_by_words
from core.answers.packing import build_messages
from core.checking.addresses import AddressFilter
from core.checking.support import UNCHECKED, evidence_text
from core.domain.answers import Citation, DocumentCitation, Failure
from core.domain.conversations import Turn
from core.domain.events import Paused, Token
from core.domain.evidence.notices import joined
from core.domain.stopping import StopSignal
from core.errors import ModelError, Stopped
from core.evidence.citations import CitationBook
from core.evidence.evidence import Evidence
from core.evidence.relevance import Relevance
from core.evidence.sources import Sources
from core.llm.errors import failure
from core.llm.model import REFUSED, STOPPED, Completion, LanguageModel, Message, Pause
from core.llm.reasoning import Withdrawn
from core.logs import get_logger
from core.text.titles import name_in

_FEW = 4  # names that are told at once; of more their number is told first
_CHECK_SECONDS = 20.0  # for the check of an answer; one of a page takes less than one
_log = get_logger("chat")
T = TypeVar("T")


def returned(steps: Generator[object, None, T]) -> T:
    """What a generator returns at its end; what it yields is passed over."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            value: T = end.value
            return value


def heed(stop: StopSignal) -> None:
    """Raise `Stopped` when the analyst has stopped the question."""
    if stop.stopped:
        raise _stopped()


@dataclass(slots=True)
class _Call:
    """A call of the language model as far as it has come: `waited` in seconds."""

    text: str = ""
    end: Completion = field(default_factory=lambda: Completion(""))
    waited: float = 0.0
    removed: int = 0  # addresses


class AnswerGenerator:
    """Makes answers from evidence.

    Args:
        model: the language model of the moment, or None for the extractive answerer.
        threshold: probability that the evidence answers, below which no model is asked although nothing
            is quoted; it reads more than is quoted, and refuses by itself.
        beside_graph: whether what documents and graph are at odds on is told.
    """

    def __init__(
        self,
        sources: Sources,
        extractive: ExtractiveAnswerer,
        model: Callable[[], LanguageModel | None],
        threshold: float,
        *,
        beside_graph: bool = True,
    ) -> None:
        self._sources = sources
        self._extractive = extractive
        self._model = model
        self._threshold = threshold
        self._disagreements = Disagreements(sources) if beside_graph else None

    def generate(
        self,
        evidence: Evidence,
        relevance: Relevance,
        turns: Sequence[Turn],
        stop: StopSignal,
        *,
        model_only: bool = False,
        by_model: bool = True,
        aside: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> Generator[Token | Paused, None, Draft]:
        """The pieces of the model's text as they come, then the checked answer; the quoted evidence when
        the model fails. Where graph and documents are at odds on what is asked, the answer begins with
        it, whoever wrote the rest.

        Args:
            relevance: of the indexes that the evidence is from.
            turns: earlier ones of the conversation.
            model_only: where a language model has something to say, no quotes stand in its place.
            by_model: False: the evidence alone is told, and no model asked.
            aside: lets other questions work while the model writes.

        Raises:
            Stopped: the analyst stopped it before a sentence was finished.
            ModelError: the embedding model fails before the language model is called; or, with `model_only`,
                the language model does (its `fallback` is what would have been quoted).
            StoreError: a store fails before the language model is called.
        """
        book = CitationBook()
        quoted = self._extractive.answer(evidence, relevance, book)
        if quoted.sentences and self._disagreements is not None:
            found = self._disagreements.found(evidence, relevance.indexes)
            evidence = replace(evidence, disagreements=found)
        draft = renumbered(
            Draft(
                quoted.sentences,
                book.citations,
                self._extractive.name,
                notice=joined((_of_untold(quoted), _of_less_certain(quoted))),
                probabilities=quoted.probabilities,
                blocks=quoted.blocks,
            )
        )
        model = self._model() if by_model else None
        worth_asking = self._worth_asking(quoted, book, evidence)
        if model is None and worth_asking and model_only:
            raise _instead(failure("none_chosen"), draft)
        if model is None or not worth_asking:
            return _with_disagreements(draft, evidence)
        heed(stop)
        written = CitationBook()
        turns = self._quotable(turns)
        call = _Call()
        try:
            notes = self._sources.passages().notes_beyond
            messages = build_messages(evidence, written, turns, model.prompt_tokens, notes)
            addresses = AddressFilter(_printed(evidence, written.citations))
            with aside():
                yield from _listen(model, messages, stop, call, addresses)
            call.removed = addresses.removed
            checked = self._checked(call, written.citations, model.name, stop)
        except ModelError as error:
            _log.warning("model_failed", code=error.code)
            if model_only:
                raise _instead(error, draft) from None
            checked = replace(
                draft,
                notice=f"{error.message} Shown instead: the evidence in its own words.",
                failure=Failure(error.code, error.message, error.advice, error.retryable),
            )
        checked = _with_disagreements(checked, evidence)
        # Time and tokens are spent whatever became of them.
        return replace(
            checked,
            usage=call.end.usage,
            probabilities=quoted.probabilities,
            model_ms=call.waited * 1000,
            given=written.citations,
            earlier_turns=len(turns),
        )

    def prompt(self, evidence: Evidence, relevance: Relevance, tokens: int) -> list[Message]:
        """What a language model with a context of `tokens` would be sent; nothing where none is asked.

        Raises:
            ModelError: not one passage fits, or the embedding model cannot be used.
            StoreError: the library cannot be used.
        """
        book = CitationBook()
        quoted = self._extractive.answer(evidence, relevance, book)
        if not self._worth_asking(quoted, book, evidence):
            return []
        notes = self._sources.passages().notes_beyond
        return build_messages(evidence, CitationBook(), (), tokens, notes)

    def _worth_asking(self, quoted: Quoted, book: CitationBook, evidence: Evidence) -> bool:
        """Whether a language model may have something to say.

        Not where nothing reaches the threshold, or all that can be said is what the graph does not say: no
        model call, no guess (PR-4, KG-48). A list of all relationships is complete as it is; a model would
        leave some out.
        """
        if quoted.sentences:
            return bool(book.citations) and not evidence.exact
        return max(quoted.probabilities, default=0.0) >= self._threshold and not evidence.exact

    def _checked(
        self, call: _Call, citations: Sequence[Citation], model: str, stop: StopSignal
    ) -> Draft:
        """What the model wrote, checked.

        Raises:
            ModelError: it wrote nothing, or was cut off before a sentence was finished.
            Stopped: the analyst stopped it before a sentence was finished.
        """
        reason = call.end.reason
        if reason == REFUSED:
            return Draft((), (), model)
        kept = finished_part(call.text) if reason in BROKEN_OFF else call.text
        if not kept:
            raise _stopped() if reason == STOPPED else failure("broken_off")
        draft = self._compared(kept, citations, model, stop)
        told = (draft.notice, addresses_removed(call.removed), BROKEN_OFF.get(reason, ""))
        cut_short = stop.stopped and any(UNCHECKED in one.problems for one in draft.sentences)
        stopped = reason == STOPPED or cut_short
        return replace(draft, notice=joined(told), stopped=stopped)

    def _compared(
        self, text: str, citations: Sequence[Citation], model: str, stop: StopSignal
    ) -> Draft:
        """A model's text, checked; by words alone when the embedding model fails meanwhile: the text is
        paid for, and no meaning of it is taken on trust.

        Raises:
            ModelError: the text has no sentence.
        """
        deadline = time.monotonic() + _CHECK_SECONDS
        already_stopped = stop.stopped

        def over() -> bool:
            return time.monotonic() > deadline or (stop.stopped and not already_stopped)

        check = partial(
            checked_draft,
            text,
            citations,
            model,
            entity_ids_in=self._sources.names.entity_ids_in,
            over=over,
        )
        try:
            return check(encode=self._sources.encoder().encode)
        except ModelError as error:
            draft = check()
            _log.warning("compared_by_words", code=error.code)
            told = (draft.notice, compared_by_words(error))
            return replace(draft, notice=joined(told))

    def _quotable(self, turns: Sequence[Turn]) -> list[Turn]:
        """Earlier turns whose sources are all still there: a deleted document answers nothing more."""
        cited = frozenset[str]().union(*(turn.answer.document_ids for turn in turns))
        present = self._sources.library.present(cited)
        return [turn for turn in turns if turn.answer.document_ids <= present]


def _instead(error: ModelError, draft: Draft) -> ModelError:
    """The error with what would have been quoted in the model's place."""
    told = " ".join(sentence.marked for sentence in draft.sentences)
    error.fallback = f"{told} {prompts.CLOSING}" if told else ""
    return error


def _of_untold(quoted: Quoted) -> str:
    """That nothing is told for a part of the question, where something is for another."""
    if not (quoted.sentences and quoted.untold):
        return ""
    untold = list(dict.fromkeys(quoted.untold))
    if len(untold) <= _FEW:
        return f"Nothing further was found for {_named(untold)}."
    return f"Nothing further was found for {len(untold)} others. These are {_named(untold)}."


def _of_less_certain(quoted: Quoted) -> str:
    """Which documents may say something else than what is asked of each."""
    doubtful = less_certain(quoted.blocks)
    if not doubtful:
        return ""
    names, many = _named(map(name_in, doubtful)), len(doubtful) > _FEW
    said = (
        f"Less certain, and told last: {f'{len(doubtful)} others' if many else names}, which may say "
        "something else than what is asked."
    )
    return f"{said} These are {names}." if many else said


def _named(names: Iterable[str]) -> str:
    *parts, last = (f"“{one}”" for one in dict.fromkeys(names))
    return " and ".join(filter(None, (", ".join(parts), last)))


def _with_disagreements(draft: Draft, evidence: Evidence) -> Draft:
    """An answer with what graph and documents are at odds on above it; a refusal as it is."""
    if not draft.sentences or not evidence.disagreements:
        return draft
    book = CitationBook()
    return preceded(draft, told_first(evidence.disagreements, book), book.citations)


def _printed(evidence: Evidence, citations: Sequence[Citation]) -> str:
    """What may hold an address that an answer repeats."""
    files = {c.file: None for c in citations if isinstance(c, DocumentCitation)}
    return "\n".join([evidence.question, *files, *map(evidence_text, citations)])


def _listen(
    model: LanguageModel,
    messages: Sequence[dict[str, str]],
    stop: StopSignal,
    call: _Call,
    addresses: AddressFilter,
) -> Generator[Token | Paused, None, None]:
    """The pieces of a model's text without strange addresses, noted in `call`, and the pauses before it.

    Raises:
        ModelError: the model fails.
    """
    parts = model.stream(messages, stop)
    while True:
        began = time.perf_counter()
        try:
            part = next(parts, None)
        finally:
            call.waited += time.perf_counter() - began
        if isinstance(part, Withdrawn):
            addresses.restart()
            call.text = ""
            yield Token("", anew=True)
            continue
        if isinstance(part, Completion):
            call.end = part
            continue
        if isinstance(part, Pause):
            yield Paused(part.seconds)
            continue
        shown = addresses.end() if part is None else addresses.feed(part)
        call.text += shown
        if shown:
            yield Token(shown)
        if part is None:
            return


def _stopped() -> Stopped:
    return Stopped("The question was stopped before there was an answer.", advice="Ask it again.")
