"""What conversations ask of the store that keeps them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from core.domain.answers import Answer
from core.domain.conversations import (
    EVERY_SESSION,
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


class ConversationStore(Protocol):
    """Sessions and their turns; everything survives a restart.

    A store is one user's, or everybody's (what maintenance and the command line work with). In one user's,
    what is another's is as if it did not exist; in everybody's, a new session is the local user's.
    """

    def of_user(self, user: str) -> ConversationStore:
        """The same store as one user sees it."""
        ...

    def users(self) -> list[str]:
        """Everybody who has a session, in order."""
        ...

    def create_session(self, session_id: str, title: str) -> Session: ...
    def session(self, session_id: str) -> Session | None: ...

    def sessions(
        self, search: str = "", limit: int = 200, only: SessionFilter = EVERY_SESSION
    ) -> list[Session]:
        """Sessions with at least one turn whose title or text contains `search` and that are as `only`
        says; pinned ones first, then the newest."""
        ...

    def found_turns(
        self, session_ids: Sequence[str], search: str, only: SessionFilter
    ) -> list[FoundTurn]:
        """The turns of these sessions whose question or answer contains `search` and that are as `only`
        says of a turn, by session and in the order they were asked."""
        ...

    def add_turn(self, turn_id: str, session_id: str, answer: Answer) -> Turn:
        """Append a question with its answer, in one transaction."""
        ...

    def restore_turn(self, session: Session, turn: Turn) -> None:
        """Keep a turn as another store has it (a move between stores): ids, position, times and feedback
        stay.

        One transaction. The session is made when it is missing, and gets this title, time, pin and tags; a
        turn that is there already stays as it is.

        Raises:
            Conflict: the session is another user's (``ID_TAKEN``).
        """
        ...

    def taken(self, session_ids: Sequence[str], turn_ids: Sequence[str]) -> TakenIds:
        """Which of these ids are in use, by whomever."""
        ...

    def import_session(self, session: Session, turns: Sequence[Turn]) -> None:
        """Keep a new session, the user's, with all its turns: in one transaction, all or nothing.

        Raises:
            Conflict: an id is in use (``ID_TAKEN``).
        """
        ...

    def turns(self, session_id: str, last: int | None = None) -> list[Turn]:
        """Turns in the order they were asked; only the newest `last` when given."""
        ...

    def turn(self, turn_id: str) -> Turn | None: ...

    def rename_session(self, session_id: str, title: str) -> None: ...

    def mark_session(self, session_id: str, pinned: bool, tags: Sequence[str]) -> None:
        """Pin a session or not, and give it these tags in place of those it has."""
        ...

    def delete_session(self, session_id: str) -> int:
        """Remove a session; the number of turns it had."""
        ...

    # -- ratings -----------------------------------------------------------------------------------

    def rate_turn(self, turn_id: str, feedback: Feedback | None) -> None:
        """Keep the analyst's rating of an answer in place of an earlier one; None takes it back.

        Raises:
            NotFound: there is no such turn.
        """
        ...

    def rated_turns(self) -> list[Turn]:
        """Every turn with a rating, the latest rating first."""
        ...

    # -- what answers rest on ----------------------------------------------------------------------

    def quoting(self, document_ids: Sequence[str]) -> list[QuotingTurn]:
        """Turns whose answers have text of one of these documents, in the order they were asked."""
        ...

    def replace_answers(self, answers: Mapping[str, Answer]) -> None:
        """Keep other answers, by turn, in place of those that are kept, in one transaction; what they held is
        overwritten, and their vectors go. Turns that are gone are passed over."""
        ...

    def mentioned_entities(self, limit: int = 200) -> list[AnswerSubject]:
        """Entities that kept questions are about, the most frequent first; an entity that an answer was only
        made from, a neighbour in the graph, is not among them."""
        ...

    def cited_documents(self, limit: int = 200) -> list[AnswerSubject]:
        """Documents that kept answers cite, in the library or not, the most frequent first."""
        ...

    def tags(self) -> list[str]:
        """Every tag in use, in alphabetical order."""
        ...

    def usage(self, search: str = "", only: SessionFilter = EVERY_SESSION) -> list[TurnUsage]:
        """Every turn that is as `only` says and has `search` in question, answer or the session's title, in
        the order they were asked."""
        ...

    # -- summaries ---------------------------------------------------------------------------------

    def summary(self, session_id: str) -> Summary | None: ...

    def keep_summary(self, session_id: str, summary: Summary | None) -> None:
        """Keep a session's summary in place of an earlier one; None removes it. Nothing where the session is
        gone."""
        ...

    # -- recall ------------------------------------------------------------------------------------

    def without_vector(self, model: str, limit: int) -> list[Turn]:
        """Turns of all conversations that have no vector of this model, the newest first."""
        ...

    def keep_vectors(self, vectors: Sequence[PairVector]) -> int:
        """Keep vectors in place of earlier ones, in one transaction; how many. Those of turns that are gone,
        or whose answer is another by now, are passed over."""
        ...

    def similar(
        self, vector: Vector, model: str, limit: int, before: datetime | None = None
    ) -> list[SimilarTurn]:
        """The user's turns whose vectors of this model are nearest to a unit vector, the nearest first.

        Args:
            before: only what was asked earlier.
        """
        ...
