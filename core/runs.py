"""Answers that are written apart from the page that asked: a page may be left, reloaded or opened twice.

One question of a conversation runs at a time, so that the next one can refer to its answer; later ones
wait in order. Different conversations run side by side.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from core.conversations.service import Conversations
from core.domain.answers import Answer
from core.domain.events import Answered, Event, Expanded, Paused, Retrieved, Routed, Token
from core.domain.plans import Correction
from core.domain.provenance.within import EVERYTHING, Within
from core.domain.stopping import StopSignal
from core.errors import Cancelled, Conflict, MateriaError
from core.logs import correlation, get_logger

MOST_RUNNING = 4  # each may hold a connection to the model and a thread that embeds
MOST_WAITING = 5  # of one conversation; who asks more has not seen an answer for a while
_MOST_ENDED = 20  # ended without an answer and not yet looked at
_CLOSING_SECONDS = 10.0  # a step that no stop reaches (an embedding) takes less
_log = get_logger("runs")


class Asks(Protocol):
    """What answers questions; `core.answers.chat.ChatService` is one."""

    def checked(self, question: str) -> str:
        """The question, trimmed.

        Raises:
            InputError: it cannot be asked.
        """
        ...

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
    ) -> Iterator[Event]:
        """The events of one question, ending with `Answered` unless it is stopped or fails.

        Raises:
            MateriaError: it fails; `Cancelled` when it was stopped before anything could be answered.
        """
        ...


class RunState(StrEnum):
    """How far a run is. `STOPPED` and `FAILED` have no answer."""

    WAITING = "waiting"
    RUNNING = "running"
    ANSWERED = "answered"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class RunView:
    """A run at one moment.

    Attributes:
        question: as it was asked; `read_as` how it was read, with `query_type`; "" until then.
        passages, searched: found, and looked through; None until then.
        entities: around what was found; None until then.
        asked_again: when a provider that did not answer is asked again (`time.monotonic`).
        text: of the model so far, unchecked.
        answer: the checked answer, kept in the conversation as turn `turn_id`.
        error: why there is none; the log has more under `correlation_id`.
        stopping: the analyst wants it to end.
    """

    id: str
    session: str
    question: str
    wider: bool
    state: RunState = RunState.WAITING
    query_type: str = ""
    read_as: str = ""
    passages: int | None = None
    searched: int | None = None
    entities: int | None = None
    asked_again: float = 0.0
    text: str = ""
    answer: Answer | None = None
    turn_id: str = ""
    error: MateriaError | None = None
    correlation_id: str = ""
    stopping: bool = False

    @property
    def active(self) -> bool:
        """Whether an answer may still come."""
        return self.state in (RunState.WAITING, RunState.RUNNING)

    @property
    def pause(self) -> float:
        """Seconds until the provider is asked again."""
        return max(0.0, self.asked_again - time.monotonic())


class Run:
    """One question being answered; safe to watch and to stop from any thread.

    Attributes:
        user: who asked.
        chat: what answers it.
    """

    def __init__(
        self,
        session: str,
        question: str,
        wider: bool,
        correction: Correction | None = None,
        context: tuple[str, ...] = (),
        indexes: tuple[str, ...] | None = None,
        within: Within = EVERYTHING,
        *,
        user: str,
        chat: Callable[[], Asks],
    ) -> None:
        self.user = user
        self.chat = chat
        self.id = uuid.uuid4().hex
        self.session = session
        self.question = question
        self.wider = wider
        self.correction = correction
        self.context = context
        self.indexes = indexes
        self.within = within
        self.signal = StopSignal()
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._pieces: list[str] = []
        self._view = RunView(self.id, session, question, wider)

    def snapshot(self) -> RunView:
        """How far it is now."""
        with self._lock:
            return replace(self._view, text="".join(self._pieces), stopping=self.signal.stopped)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it has ended, `timeout` seconds at most; whether it has."""
        return self._ended.wait(timeout)

    @property
    def active(self) -> bool:
        return not self._ended.is_set()

    def note(self, event: Event) -> None:
        """Take in what happened on the question's way."""
        with self._lock:
            match event:
                case Routed(query_type=query_type, read_as=read_as):
                    self._change(query_type=query_type, read_as=read_as)
                case Retrieved(hits=hits, searched=searched):
                    self._change(passages=len(hits), searched=searched)
                case Expanded(subgraph=subgraph):
                    self._change(entities=len(subgraph.entities))
                case Paused(seconds=seconds):
                    self._change(asked_again=time.monotonic() + seconds)
                case Token(text=piece, anew=anew):
                    if anew:
                        self._pieces.clear()
                    self._pieces.append(piece)
                case Answered(answer=answer, turn_id=turn_id):
                    self._change(answer=answer, turn_id=turn_id)

    def begin(self, correlation_id: str) -> None:
        with self._lock:
            self._change(state=RunState.RUNNING, correlation_id=correlation_id)

    def end(self, error: MateriaError | None = None) -> None:
        """No more events come. Without an answer and an error it was stopped."""
        with self._lock:
            if self._view.answer is not None:
                state = RunState.ANSWERED
            else:
                state = RunState.STOPPED if error is None else RunState.FAILED
            self._change(state=state, error=error)
        self._ended.set()

    def _change(self, **fields: object) -> None:
        self._view = replace(self._view, **fields)  # type: ignore[arg-type]


class AnswerRuns:
    """The runs of all conversations, or of those of one user.

    A run with an answer is forgotten at its end, as the conversation has the answer; one without stays
    until `dismiss`, the latest 20 of them.

    Args:
        chat: what answers now; asked anew for each question.
    """

    def __init__(self, chat: Callable[[], Asks], conversations: Conversations) -> None:
        self._chat = chat
        self._conversations = conversations
        self._lock = threading.Lock()
        self._runs: dict[str, Run] = {}  # in the order they were asked
        self._running: dict[str, Run] = {}  # by conversation
        self._closed = threading.Event()
        self._pool = ThreadPoolExecutor(MOST_RUNNING, thread_name_prefix="answer")
        self._user: str | None = None

    def of_user(
        self, user: str, chat: Callable[[], Asks], conversations: Conversations
    ) -> AnswerRuns:
        """The same for one user, whose questions `chat` answers: others' runs are as if there were none.
        They share what runs at a time."""
        one = copy(self)
        one._user, one._chat, one._conversations = user, chat, conversations
        return one

    def start(
        self,
        question: str,
        session_id: str | None = None,
        *,
        wider: bool = False,
        correction: Correction | None = None,
        context: tuple[str, ...] = (),
        indexes: tuple[str, ...] | None = None,
        within: Within = EVERYTHING,
    ) -> Run:
        """Ask in a conversation, a new one when `session_id` is empty or unknown; returns at once.

        Args:
            correction: a plan to carry out in place of the one that the question is read as.
            context: ids of earlier turns that a language model is given too.
            indexes, within: where to look; see `core.answers.chat.ChatService.ask`.

        Raises:
            InputError: the question cannot be asked.
            Conflict: five questions of the conversation wait already (``TOO_MANY_QUESTIONS``).
            StoreError: the conversation cannot be opened.
        """
        question = self._chat().checked(question)
        session, _ = self._conversations.open(session_id, question)
        with_all = (wider, correction, context, indexes, within)
        run = Run(session.id, question, *with_all, user=session.user, chat=self._chat)
        with self._lock:
            if self._closed.is_set():
                raise Cancelled("Materia is closing.", advice="Ask again after the next start.")
            waiting = sum(
                other.active and other is not self._running.get(session.id)
                for other in self._of(session.id)
            )
            if waiting >= MOST_WAITING:
                raise Conflict(
                    f"{waiting} questions of this conversation wait for their answers already.",
                    advice="Wait for the next answer, or stop one.",
                    code="TOO_MANY_QUESTIONS",
                    retryable=True,
                )
            self._runs[run.id] = run
            self._begin_next()
        return run

    def of(self, session_id: str) -> list[Run]:
        """The runs of a conversation that are waiting, running, or ended without an answer, in order."""
        with self._lock:
            return self._of(session_id)

    def active(self) -> list[Run]:
        """What is waiting or running in any conversation, in order."""
        with self._lock:
            return [run for run in self._own() if run.active]

    def get(self, run_id: str) -> Run | None:
        """A run that is not forgotten yet."""
        with self._lock:
            return self._found(run_id)

    def stop(self, run_id: str) -> None:
        """End a run: its request to the model is closed, and one that waits never begins."""
        with self._lock:
            run = self._found(run_id)
            if run is None or not run.active:
                return
            waiting = run is not self._running.get(run.session)
            if waiting:
                run.signal.stop()
                run.end()
        if not waiting:
            run.signal.stop()  # outside the lock: closing a connection may take a moment

    def dismiss(self, run_id: str) -> None:
        """Forget a run that has ended."""
        with self._lock:
            run = self._found(run_id)
            if run is not None and not run.active:
                del self._runs[run_id]

    def forget(self, session_id: str) -> None:
        """Stop and forget all runs of a conversation that is about to be deleted.

        Waits for them, as an answer that comes later would begin a conversation of its own.
        """
        runs = self.of(session_id)
        # Those that wait first: none may take the place of the one before it.
        for run in reversed(runs):
            self.stop(run.id)
        for run in runs:
            run.wait(_CLOSING_SECONDS)
            self.dismiss(run.id)

    def close(self) -> None:
        """Stop all and wait for their threads, ten seconds at most."""
        with self._lock:
            self._closed.set()
        for run in self.active():
            self.stop(run.id)
        deadline = time.monotonic() + _CLOSING_SECONDS
        ended = [run.wait(max(0.0, deadline - time.monotonic())) for run in self.active()]
        self._pool.shutdown(wait=all(ended))

    def _of(self, session_id: str) -> list[Run]:
        return [run for run in self._own() if run.session == session_id]

    def _own(self) -> list[Run]:
        """The user's runs, in order; the caller has the lock."""
        return [run for run in self._runs.values() if self._user in (None, run.user)]

    def _found(self, run_id: str) -> Run | None:
        run = self._runs.get(run_id)
        return run if run is not None and self._user in (None, run.user) else None

    def _begin_next(self) -> None:
        """Start what may start; the caller has the lock."""
        for run in self._runs.values():
            if len(self._running) >= MOST_RUNNING or self._closed.is_set():
                return
            if run.active and run.session not in self._running:
                self._running[run.session] = run
                self._pool.submit(self._answer, run)

    def _answer(self, run: Run) -> None:
        error: MateriaError | None = None
        with correlation() as identifier:
            run.begin(identifier)
            try:
                if not run.signal.stopped:
                    for event in run.chat().ask(
                        run.question,
                        run.session,
                        wider=run.wider,
                        indexes=run.indexes,
                        within=run.within,
                        correction=run.correction,
                        context=run.context,
                        stop=run.signal,
                    ):
                        run.note(event)
            except Cancelled:
                _log.info("stopped")
            except MateriaError as failed:
                error = failed
                _log.warning("run_failed", code=failed.code)
            except Exception:
                # Nobody waits for this thread: what is not told here is told nowhere.
                _log.exception("run_broke")
                error = MateriaError(
                    "The answer could not be made.",
                    advice="Ask again; the log has the details under the number below.",
                    retryable=True,
                )
        self._ended(run, error)

    def _ended(self, run: Run, error: MateriaError | None) -> None:
        with self._lock:
            run.end(error)
            del self._running[run.session]
            if run.snapshot().answer is not None:
                self._runs.pop(run.id, None)
            ended = [other.id for other in self._runs.values() if not other.active]
            for old in ended[:-_MOST_ENDED]:
                del self._runs[old]
            self._begin_next()
