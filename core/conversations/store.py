"""What conversations ask of the store that keeps them."""

from __future__ import annotations

from typing import Protocol

from core.domain.answers import Answer
from core.domain.conversations import Session, Turn


class ConversationStore(Protocol):
    """Sessions and their turns; everything survives a restart."""

    def create_session(self, session_id: str, title: str) -> Session: ...
    def session(self, session_id: str) -> Session | None: ...

    def sessions(self, search: str = "", limit: int = 200) -> list[Session]:
        """Sessions with at least one turn whose title or text contains `search`, newest first."""
        ...

    def add_turn(self, turn_id: str, session_id: str, answer: Answer) -> Turn:
        """Append a question with its answer, in one transaction."""
        ...

    def restore_turn(self, session: Session, turn: Turn) -> None:
        """Keep a turn as another store has it (a move between stores): ids, position and times stay.

        One transaction. The session is made when it is missing, and gets this title and time; a turn
        that is there already stays as it is.
        """
        ...

    def turns(self, session_id: str, last: int | None = None) -> list[Turn]:
        """Turns in the order they were asked; only the newest `last` when given."""
        ...

    def rename_session(self, session_id: str, title: str) -> None: ...
    def delete_session(self, session_id: str) -> int:
        """Remove a session; the number of turns it had."""
        ...
