"""Conversations: started, continued, listed, reopened."""

from __future__ import annotations

import uuid

from core.conversations.store import ConversationStore
from core.domain.answers import Answer
from core.domain.conversations import Session, Turn
from core.errors import NotFound

_LONGEST_TITLE = 80


class Conversations:
    """The sessions of the one analyst."""

    def __init__(self, store: ConversationStore) -> None:
        self._store = store

    def open(self, session_id: str | None, first_question: str) -> tuple[Session, bool]:
        """The session, and whether it is new: an unknown id starts a new one (KG-E)."""
        if session_id:
            session = self._store.session(session_id)
            if session is not None:
                return session, False
        words = " ".join(first_question.split())
        title = words if len(words) <= _LONGEST_TITLE else f"{words[: _LONGEST_TITLE - 1]}…"
        return self._store.create_session(uuid.uuid4().hex, title), True

    def keep(self, session_id: str, answer: Answer) -> Turn:
        """Append an answered question."""
        return self._store.add_turn(uuid.uuid4().hex, session_id, answer)

    def history(self, session_id: str, last: int | None = None) -> list[Turn]:
        """Turns in order; the newest `last` when given."""
        return self._store.turns(session_id, last)

    def get(self, session_id: str) -> Session:
        """A session.

        Raises:
            NotFound: it does not exist.
        """
        session = self._store.session(session_id)
        if session is None:
            raise NotFound("This conversation does not exist.", advice="Start a new one.")
        return session

    def list(self, search: str = "") -> list[Session]:
        """Sessions that contain `search`, newest first."""
        return self._store.sessions(search.strip())

    def rename(self, session_id: str, title: str) -> None:
        """Give a session another title; an empty one is ignored."""
        words = " ".join(title.split())[:_LONGEST_TITLE]
        if words:
            self._store.rename_session(session_id, words)

    def delete(self, session_id: str) -> int:
        """Remove a session with its turns; how many there were."""
        return self._store.delete_session(session_id)
