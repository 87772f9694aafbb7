"""Offered questions: tried in the background, kept until the library or the graph changes."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from core.domain.answers import Answer
from core.domain.conversations import Turn
from core.errors import Cancelled, MateriaError, StoreUnavailable
from core.evidence.sources import Sources
from core.logs import get_logger
from core.suggestions.candidates import Askable, OfferedQuestion, apart, ask_apart, chosen
from core.suggestions.follow_ups import follow_up_pools
from core.suggestions.phrases import Phrases
from core.suggestions.shelf import Shelf
from core.suggestions.starters import starter_pools
from core.text.language import language

_KEPT = 100  # conversations' newest answers
_PAUSE = 0.1  # seconds between two looks at whether a question is being answered
_PATIENCE = 20.0  # seconds that it is waited for, in all; a language model may write for minutes
_STARTERS = ""  # in place of a turn's id
_log = get_logger("suggestions")

Offered = tuple[OfferedQuestion, ...]
_Version = tuple[object, ...]


class Tries(Protocol):
    """What answers questions on trial; `core.answers.chat.ChatService` is one."""

    def tried(self, question: str, turns: Sequence[Turn]) -> Answer:
        """The answer to a question after these turns, without a language model; kept nowhere."""
        ...


@dataclass(slots=True)
class _Kept:
    """What was found, or is being looked for, over one version of library and graph."""

    version: _Version
    found: Future[Offered]


class Suggestions:
    """Starters and follow-ups; safe to share between threads.

    Nothing of it is kept with a turn: a question that could be answered then may not be any more. They are
    made anew after a start, within a second or two.

    Args:
        chat: what answers now; asked anew for each question.
        scope: names of the indexes that answers are made from.
    """

    def __init__(
        self,
        chat: Callable[[], Tries],
        sources: Sources,
        scope: Callable[[], tuple[str, ...]],
    ) -> None:
        self._chat = chat
        self._sources = sources
        self._scope = scope
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._shelf: tuple[_Version, Shelf] | None = None  # of the worker's thread alone
        self._patient_until = 0.0  # that, too
        self._closing = threading.Event()
        self._worker = ThreadPoolExecutor(1, "suggestions")

    def starters(self) -> Future[Offered]:
        """What a conversation may begin with; three at most, the same until library or graph change.

        Raises:
            StoreError: the library cannot be read.
        """
        return self._made(_STARTERS, self._make_starters)

    def follow_ups(self, turns: Sequence[Turn]) -> Future[Offered]:
        """What may be asked next; three at most. After a refusal that leads nowhere, the starters.

        Args:
            turns: of the conversation, at least one; those that it does not go on with may be missing.

        Raises:
            StoreError: the library cannot be read.
        """
        return self._made(turns[-1].id, partial(self._make_follow_ups, tuple(turns)))

    def close(self) -> None:
        """End the thread; what is being tried is finished."""
        self._closing.set()
        self._worker.shutdown(cancel_futures=True)

    # -- what is kept ------------------------------------------------------------------------------

    def _made(self, key: str, make: Callable[[], Offered]) -> Future[Offered]:
        version = self._version()
        with self._lock:
            kept = self._kept.get(key)
            # What is being made is made to its end, whatever comes in meanwhile.
            if kept is None or (kept.version != version and kept.found.done()):
                if self._closing.is_set():
                    raise Cancelled("Materia is closing.", advice="Ask again after the next start.")
                kept = _Kept(version, self._worker.submit(self._tried, make))
                self._kept[key] = kept
            self._kept.move_to_end(key)
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
            return kept.found

    def _version(self) -> _Version:
        """What changes when documents come or go, are named anew, or a graph is imported."""
        library = self._sources.library
        try:
            graph = self._sources.graph.version()
        except StoreUnavailable:
            graph = -1
        names = tuple(
            (one.id, one.corrections) for index in self._scope() for one in library.documents(index)
        )
        return graph, hash(names)

    def _tried(self, make: Callable[[], Offered]) -> Offered:
        """What is made; nothing where that fails: an answer is worth as much without."""
        self._patient_until = time.monotonic() + _PATIENCE
        try:
            return make()
        except MateriaError as error:
            _log.warning("nothing_offered", code=error.code)
            return ()

    # -- in the worker's thread --------------------------------------------------------------------

    def _make_starters(self) -> Offered:
        shelf = self._shelf_now()
        phrases = Phrases.of(shelf.language())
        pools = starter_pools(shelf, self._sources.graph, phrases)
        return chosen(pools, partial(self._is_answered, ()), (apart, ask_apart))

    def _make_follow_ups(self, turns: Sequence[Turn]) -> Offered:
        shelf, answer = self._shelf_now(), turns[-1].answer
        phrases = Phrases.of(language(answer.question) or shelf.language())
        pools = follow_up_pools(turns, shelf, self._sources.graph, phrases)
        found = chosen(pools, partial(self._is_answered, turns), (ask_apart,))
        return found or (self._make_starters() if answer.refused else ())

    def _is_answered(self, turns: Sequence[Turn], one: Askable) -> bool:
        waited = 0.0
        while (
            self._sources.tokens.is_asked and waited < _PATIENCE and not self._closing.wait(_PAUSE)
        ):
            waited += _PAUSE
        if self._closing.is_set():
            raise Cancelled("Materia is closing.", advice="Ask again after the next start.")
        return one.is_answered(self._chat().tried(one.question, turns))

    def _shelf_now(self) -> Shelf:
        version = self._version()
        if self._shelf is None or self._shelf[0] != version:
            made = Shelf(self._sources.library, self._sources.names, self._scope())
            self._shelf = version, made
        return self._shelf[1]
