"""Conversations: started, continued, listed, reopened."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import asdict
from datetime import UTC, datetime
from functools import reduce
from typing import Self

from core.conversations.limits import NO_LIMITS, Limits, Purged
from core.conversations.quotes import without_quotes
from core.conversations.store import ConversationStore
from core.conversations.summaries import EVERY, LONG, NEWEST, is_due, summarise
from core.conversations.usage import Times, UsageReport, step_times, usage_report
from core.domain.answers import Answer
from core.domain.conversations import (
    EVERY_SESSION,
    LONGEST_COMMENT,
    LONGEST_TAG,
    LONGEST_TITLE,
    MOST_TAGS,
    AnswerSubject,
    Fault,
    Feedback,
    FoundTurn,
    QuotingTurn,
    Rating,
    Session,
    SessionFilter,
    Summary,
    Turn,
    title_of,
)
from core.errors import InputError, MateriaError, NotFound
from core.logs import get_logger

LISTED = 200  # sessions, where nobody says how many
EVERY_ONE = 1_000_000_000  # of them; the store's method has a limit
_AT_ONCE = 100  # answers changed in one transaction; one has some ten kilobytes
_log = get_logger("conversations")


class Conversations:
    """The sessions of one user, or of everybody (`store` says whose).

    Args:
        limits: what `purge` keeps, of each user.
        in_use: ids of the sessions in which a question is being answered; they are never purged.
        changed: called when there are new answers, or other ones in their place.

    Attributes:
        limits, in_use: as given.
    """

    def __init__(
        self,
        store: ConversationStore,
        limits: Limits = NO_LIMITS,
        in_use: Callable[[], Collection[str]] = frozenset,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self._store = store
        self._changed = changed
        self._user: str | None = None
        self._purged = dict[str | None, Purged]()  # by user, of all views
        self.limits = limits
        self.in_use = in_use
        self._passing = 0  # who keeps conversations that will go again, see `passing`

    def of_user(self, user: str) -> Self:
        """The same as one user sees them: what is another's is as if it did not exist."""
        one = copy(self)
        one._user, one._store = user, self._store.of_user(user)
        return one

    @property
    def purged(self) -> Purged:
        """What was removed by the limits since the start."""
        if self._user is None:
            return reduce(Purged.__add__, self._purged.values(), Purged())
        return self._purged.get(self._user, Purged())

    def open(self, session_id: str | None, first_question: str) -> tuple[Session, bool]:
        """The session, and whether it is new: an unknown id starts a new one (KG-E)."""
        if session_id:
            session = self._store.session(session_id)
            if session is not None:
                return session, False
        title = title_of(first_question)
        return self._store.create_session(uuid.uuid4().hex, title), True

    def keep(self, session_id: str, answer: Answer) -> Turn:
        """Append an answered question; what is over the limits then goes."""
        turn = self._store.add_turn(uuid.uuid4().hex, session_id, answer)
        try:  # the answer is kept; what fails here is done later
            if turn.position == 0 and not self._passing:
                self.purge(frozenset((session_id,)))
            if is_due(turn.position + 1):
                self._summarise(session_id)
        except MateriaError as error:
            _log.warning("conversation_untidied", code=error.code)
        self._changed()
        return turn

    @contextmanager
    def passing(self) -> Iterator[None]:
        """What is kept meanwhile goes again, as questions of an evaluation do: it puts nothing out."""
        self._passing += 1
        try:
            yield
        finally:
            self._passing -= 1

    def history(self, session_id: str, last: int | None = None) -> list[Turn]:
        """Turns in order; the newest `last` when given."""
        return self._store.turns(session_id, last)

    def get(self, session_id: str) -> Session:
        """A session.

        Raises:
            NotFound: it does not exist (``CONVERSATION_NOT_FOUND``).
        """
        session = self._store.session(session_id)
        if session is None:
            raise NotFound(
                "This conversation does not exist.",
                advice="Start a new one.",
                code="CONVERSATION_NOT_FOUND",
            )
        return session

    def list(
        self, search: str = "", only: SessionFilter = EVERY_SESSION, limit: int = LISTED
    ) -> list[Session]:
        """Sessions that contain `search` and are as `only` says; pinned ones first, then the newest."""
        return self._store.sessions(search.strip(), limit, only)

    def listed(
        self, search: str = "", only: SessionFilter = EVERY_SESSION, limit: int = LISTED
    ) -> tuple[Sequence[Session], bool]:
        """The same, and whether there are more of them."""
        found = self.list(search, only, limit + 1)
        return found[:limit], len(found) > limit

    def found_turns(
        self, sessions: Iterable[Session], search: str, only: SessionFilter
    ) -> Mapping[str, Sequence[FoundTurn]]:
        """By session, the turns that `search` and `only` find; none where both ask nothing of a turn."""
        found: dict[str, list[FoundTurn]] = {}
        if search.strip() or only.of_turns:
            ids = [session.id for session in sessions]
            for turn in self._store.found_turns(ids, search.strip(), only):
                found.setdefault(turn.session_id, []).append(turn)
        return found

    def rename(self, session_id: str, title: str) -> None:
        """Give a session another title; an empty one is ignored."""
        words = " ".join(title.split())[:LONGEST_TITLE]
        if words:
            self._store.rename_session(session_id, words)

    def delete(self, session_id: str) -> int:
        """Remove a session with its turns; how many there were."""
        return self._store.delete_session(session_id)

    def pin(self, session_id: str, pinned: bool) -> None:
        """Keep a session whatever the limits are, and list it first; or no longer.

        Raises:
            NotFound: it does not exist.
        """
        self._store.mark_session(session_id, pinned, self.get(session_id).tags)

    def tag(self, session_id: str, tags: Iterable[str]) -> tuple[str, ...]:
        """Give a session these tags in place of those it has; the tags as they are kept.

        Raises:
            NotFound: it does not exist.
            InputError: one is too long, or they are too many (``INVALID_TAGS``).
        """
        kept = tuple(sorted({words for tag in tags if (words := " ".join(tag.split()))}))
        if len(kept) > MOST_TAGS or any(len(tag) > LONGEST_TAG for tag in kept):
            raise InputError(
                f"A conversation has at most {MOST_TAGS} tags of {LONGEST_TAG} characters.",
                advice="Use fewer or shorter ones.",
                code="INVALID_TAGS",
            )
        self._store.mark_session(session_id, self.get(session_id).pinned, kept)
        return kept

    def tags(self) -> Sequence[str]:
        """Every tag in use."""
        return self._store.tags()

    # -- ratings -----------------------------------------------------------------------------------

    def turn(self, session_id: str, turn_id: str) -> Turn:
        """A turn of a session.

        Raises:
            NotFound: the session has none of this id (``ANSWER_NOT_FOUND``).
        """
        turn = self._store.turn(turn_id)
        if turn is None or turn.session_id != session_id:
            raise NotFound(
                "This conversation has no such answer.",
                advice="Read the conversation for the ids of its answers.",
                code="ANSWER_NOT_FOUND",
            )
        return turn

    def find_turn(self, turn_id: str) -> Turn | None:
        """A turn of any session; None where it is gone."""
        return self._store.turn(turn_id)

    def rate(
        self, turn_id: str, rating: Rating, fault: Fault | None = None, comment: str = ""
    ) -> Feedback:
        """Rate an answer, in place of an earlier rating; the rating as it is kept.

        Raises:
            NotFound: there is no such answer (``ANSWER_NOT_FOUND``).
            InputError: the comment is too long (``COMMENT_TOO_LONG``), or a fault is named of an answer that
                is rated up (``INVALID_RATING``).
        """
        if fault is not None and rating is Rating.UP:
            raise InputError(
                "Only an answer that is rated down has a fault.",
                advice="Leave it out, or rate the answer down.",
                code="INVALID_RATING",
            )
        if len(comment := comment.strip()) > LONGEST_COMMENT:
            raise InputError(
                f"The comment has {len(comment):,} characters; the limit is {LONGEST_COMMENT:,}.",
                advice="Shorten it.",
                code="COMMENT_TOO_LONG",
            )
        feedback = Feedback(rating, fault, comment, datetime.now(UTC))
        self._store.rate_turn(turn_id, feedback)
        return feedback

    def take_rating_back(self, turn_id: str) -> None:
        """Remove the rating of an answer.

        Raises:
            NotFound: there is no such answer (``ANSWER_NOT_FOUND``).
        """
        self._store.rate_turn(turn_id, None)

    def rated(self) -> Sequence[Turn]:
        """Every turn with a rating, the latest rating first."""
        return self._store.rated_turns()

    # -- what answers rest on ----------------------------------------------------------------------

    def entities(self) -> Sequence[AnswerSubject]:
        """Entities that kept questions are about, the most frequent first."""
        return self._store.mentioned_entities()

    def documents(self) -> Sequence[AnswerSubject]:
        """Documents that kept answers cite, the most frequent first; some may be deleted."""
        return self._store.cited_documents()

    def quoting(self, document_ids: Sequence[str]) -> Sequence[QuotingTurn]:
        """Turns whose answers have text of one of these documents."""
        return self._store.quoting(document_ids)

    def remove_quotes(self, document_ids: Sequence[str]) -> Counter[str]:
        """Take the text of documents out of all answers, see `without_quotes`; how many quotes of each."""
        removed = Counter[str]()
        wanted = frozenset(document_ids)
        found = self._store.quoting(document_ids)
        for first in range(0, len(found), _AT_ONCE):
            changed: dict[str, Answer] = {}
            batch = found[first : first + _AT_ONCE]
            # Before the answers: what a crash leaves must not tell what they no longer do.
            for session_id in {one.session_id for one in batch}:
                self._store.keep_summary(session_id, None)
            for one in batch:
                turn = self._store.turn(one.turn_id)
                if turn is not None:  # deleted meanwhile
                    changed[turn.id], quotes = without_quotes(turn.answer, wanted)
                    removed += quotes
            self._store.replace_answers(changed)
        for session_id in {one.session_id for one in found}:
            self.summary(session_id)
        self._changed()
        return removed

    def usage(self, search: str = "", only: SessionFilter = EVERY_SESSION) -> UsageReport:
        """How the turns that are as `only` says, with `search` in them or their session's title, were used."""
        return usage_report(self._store.usage(search.strip(), only))

    def step_times(self) -> dict[str, tuple[Times, int]]:
        """How long the steps of all kept answers took; see `core.conversations.usage.step_times`."""
        return step_times(self._store.usage())

    # -- summaries ---------------------------------------------------------------------------------

    def summary(self, session_id: str) -> Summary | None:
        """What a session of more than 20 turns was about; made now where there is none, or where its
        last turns are too many not to be covered. It says which turns it covers."""
        session = self._store.session(session_id)
        if session is None or session.turns <= LONG:
            return None
        kept = self._store.summary(session_id)
        if kept is None or session.turns - kept.last > EVERY:
            kept = self._summarise(session_id)
        return kept

    def _summarise(self, session_id: str) -> Summary | None:
        turns = self._store.turns(session_id, NEWEST)
        summary = summarise(turns, datetime.now(UTC)) if turns else None
        self._store.keep_summary(session_id, summary)
        return summary

    # -- limits ------------------------------------------------------------------------------------

    def purge(self, new: Collection[str] = frozenset()) -> Purged:
        """Remove the conversations that are over the limits; those of a running question and `new` stay."""
        if not self.limits:
            return Purged()
        if self._user is None:
            each = (self.of_user(user).purge(new) for user in self._store.users())
            return reduce(Purged.__add__, each, Purged())
        excess = self.limits.excess(
            self._store.sessions(limit=EVERY_ONE), {*new, *self.in_use()}, datetime.now(UTC)
        )
        gone = (*excess.too_old, *excess.too_many)
        turns = sum(self._store.delete_session(session.id) for session in gone)
        done = Purged(len(excess.too_old), len(excess.too_many), turns)
        if gone:
            self._purged[self._user] = self.purged + done
            _log.info("conversations_purged", **asdict(done))
        return done
