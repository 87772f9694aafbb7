"""Conversations go on while the server that keeps them is away."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from core.conversations.store import ConversationStore
from core.domain.answers import Answer
from core.domain.conversations import (
    EVERY_SESSION,
    LOCAL_USER,
    AnswerSubject,
    Feedback,
    FoundTurn,
    PairVector,
    QuotingTurn,
    Session,
    SessionFilter,
    SimilarTurn,
    Summary,
    TakenIds,
    Turn,
    TurnUsage,
)
from core.domain.vectors import Vector
from core.errors import StoreUnavailable
from core.logs import get_logger

_log = get_logger("conversations")


class FailoverConversations:
    """A conversation store on a server, with a local one for the turns of an outage.

    While the server is away a question is answered and kept locally; earlier turns cannot be read, so
    that the conversation seems to begin anew. At the first call that the server answers again, what
    was kept is moved to its place behind the earlier turns.

    Args:
        server, local: everybody's. The latter is opened when it is first needed; it holds the turns of
            outages and nothing else.
    """

    def __init__(self, server: ConversationStore, local: Callable[[], ConversationStore]) -> None:
        self._server = server
        self._open_local = local
        self._local: ConversationStore | None = None
        self._lock = threading.RLock()
        self._pending = True  # an earlier process may have left some
        self._all = self  # everybody's, which moves what was kept
        self._user: str | None = None

    def of_user(self, user: str) -> FailoverConversations:
        one = FailoverConversations(self._server, self._open_local)
        one._all, one._user, one._lock = self._all, user, self._lock
        return one

    def users(self) -> list[str]:
        return self._reached().users()

    def create_session(self, session_id: str, title: str) -> Session:
        try:
            return self._reached().create_session(session_id, title)
        except StoreUnavailable:
            return self._kept().create_session(session_id, title)

    def session(self, session_id: str) -> Session | None:
        """The session; during an outage one is taken to exist, as it cannot be looked up, unless another
        user has begun it in the outage."""
        try:
            return self._reached().session(session_id)
        except StoreUnavailable:
            local = self._kept()
            found = local.session(session_id)
            if found is None and local.taken([session_id], []).sessions:
                return None
            moment = datetime.now(UTC)
            user = self._user or LOCAL_USER
            return found or Session(session_id, "Conversation", moment, moment, 0, user=user)

    def sessions(
        self, search: str = "", limit: int = 200, only: SessionFilter = EVERY_SESSION
    ) -> list[Session]:
        return self._reached().sessions(search, limit, only)

    def found_turns(
        self, session_ids: Sequence[str], search: str, only: SessionFilter
    ) -> list[FoundTurn]:
        return self._reached().found_turns(session_ids, search, only)

    def add_turn(self, turn_id: str, session_id: str, answer: Answer) -> Turn:
        try:
            return self._reached().add_turn(turn_id, session_id, answer)
        except StoreUnavailable:
            with self._lock:
                local = self._kept()
                if local.session(session_id) is None:
                    local.create_session(session_id, answer.question)
                self._all._pending = True
                return local.add_turn(turn_id, session_id, answer)

    def turns(self, session_id: str, last: int | None = None) -> list[Turn]:
        try:
            return self._reached().turns(session_id, last)
        except StoreUnavailable:
            return self._kept().turns(session_id, last)

    def turn(self, turn_id: str) -> Turn | None:
        try:
            return self._reached().turn(turn_id)
        except StoreUnavailable:
            found = self._kept().turn(turn_id)
            if found is None:  # it may be one of the server's
                raise
            return found

    def restore_turn(self, session: Session, turn: Turn) -> None:
        self._reached().restore_turn(session, turn)

    def taken(self, session_ids: Sequence[str], turn_ids: Sequence[str]) -> TakenIds:
        return self._reached().taken(session_ids, turn_ids)

    def import_session(self, session: Session, turns: Sequence[Turn]) -> None:
        self._reached().import_session(session, turns)

    def rename_session(self, session_id: str, title: str) -> None:
        self._reached().rename_session(session_id, title)

    def mark_session(self, session_id: str, pinned: bool, tags: Sequence[str]) -> None:
        self._reached().mark_session(session_id, pinned, tags)

    def delete_session(self, session_id: str) -> int:
        return self._reached().delete_session(session_id)

    def rate_turn(self, turn_id: str, feedback: Feedback | None) -> None:
        """Rate an answer; during an outage one of the outage itself."""
        try:
            self._reached().rate_turn(turn_id, feedback)
        except StoreUnavailable:
            with self._lock:
                local = self._kept()
                if local.turn(turn_id) is None:  # one of the server's
                    raise
                local.rate_turn(turn_id, feedback)

    def rated_turns(self) -> list[Turn]:
        return self._reached().rated_turns()

    def quoting(self, document_ids: Sequence[str]) -> list[QuotingTurn]:
        return self._reached().quoting(document_ids)

    def replace_answers(self, answers: Mapping[str, Answer]) -> None:
        self._reached().replace_answers(answers)

    def mentioned_entities(self, limit: int = 200) -> list[AnswerSubject]:
        return self._reached().mentioned_entities(limit)

    def cited_documents(self, limit: int = 200) -> list[AnswerSubject]:
        return self._reached().cited_documents(limit)

    def tags(self) -> list[str]:
        return self._reached().tags()

    def usage(self, search: str = "", only: SessionFilter = EVERY_SESSION) -> list[TurnUsage]:
        return self._reached().usage(search, only)

    def summary(self, session_id: str) -> Summary | None:
        return self._reached().summary(session_id)

    def keep_summary(self, session_id: str, summary: Summary | None) -> None:
        self._reached().keep_summary(session_id, summary)

    def without_vector(self, model: str, limit: int) -> list[Turn]:
        return self._reached().without_vector(model, limit)

    def keep_vectors(self, vectors: Sequence[PairVector]) -> int:
        return self._reached().keep_vectors(vectors)

    def similar(
        self, vector: Vector, model: str, limit: int, before: datetime | None = None
    ) -> list[SimilarTurn]:
        return self._reached().similar(vector, model, limit, before)

    def _kept(self) -> ConversationStore:
        """The local store, as the user sees it."""
        with self._lock:
            if self._all._local is None:
                self._all._local = self._open_local()
            return self._of_user(self._all._local)

    def _reached(self) -> ConversationStore:
        """The server as the user sees it, after what was kept meanwhile is with it.

        Raises:
            StoreUnavailable: it does not answer.
        """
        every = self._all
        if every._pending:
            with self._lock:
                if every._pending:
                    every._move()
                    every._pending = False
        return self._of_user(self._server)

    def _of_user(self, store: ConversationStore) -> ConversationStore:
        return store if self._user is None else store.of_user(self._user)

    def _move(self) -> None:
        local = self._kept()
        for session in local.sessions():
            place = session
            there = self._server.session(session.id)
            if there is not None and there.user != session.user:
                # Who went on with it in the outage could not be told that it is another user's.
                place = replace(session, id=_apart(session))
                there = self._server.session(place.id)
            known = {turn.id for turn in self._server.turns(place.id)} if there else set()
            position = len(known)
            for turn in local.turns(session.id):
                if turn.id not in known:
                    answer = replace(turn.answer, session=place.id)
                    moved = replace(turn, session_id=place.id, position=position, answer=answer)
                    self._server.restore_turn(there or place, moved)
                    position += 1
            local.delete_session(session.id)
            _log.info("outage_turns_moved", session=place.id, turns=session.turns)


def _apart(session: Session) -> str:
    """The same new id each time that moving is tried."""
    return hashlib.sha256(f"{session.id} {session.user}".encode()).hexdigest()[:32]
