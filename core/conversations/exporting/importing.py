"""A conversation of a file, kept: in one transaction, and once however often it is brought in."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.conversations.exporting.json_file import from_json_file
from core.conversations.store import ConversationStore
from core.domain.conversations import Session, TakenIds, Turn
from core.errors import Conflict
from core.logs import get_logger

_TRIES = 3
_log = get_logger("export")


@dataclass(frozen=True, slots=True)
class ReadIn:
    """A conversation that a file holds, as it is kept.

    Attributes:
        new: False where it was there already; then nothing was changed.
    """

    session: Session
    new: bool


def read_in(store: ConversationStore, user: str, data: bytes) -> ReadIn:
    """Keep the conversation of a JSON file, or find that it is there.

    All of it is kept or nothing. Ids stay where they are free; where one is not, the new one follows from
    it, so that the same file is known again.

    Args:
        user: whose conversation it will be, as `store` is his.

    Raises:
        DocumentError, TooLarge: see `core.conversations.exporting.json_file.from_json_file`.
        Conflict: others took the same ids again and again meanwhile (``ID_TAKEN``).
        StoreError: the store cannot be written.
    """
    found = from_json_file(data)
    for tries_left in reversed(range(_TRIES)):
        try:
            done = _kept(store, user, found.session, found.turns)
        except Conflict:
            if not tries_left:
                raise
        else:
            break
    _log.info("imported", session=done.session.id, turns=len(found.turns), new=done.new)
    return done


def _kept(store: ConversationStore, user: str, session: Session, turns: Sequence[Turn]) -> ReadIn:
    own = _derived(user, session.id, *(turn.id for turn in turns))
    for session_id in (session.id, own, uuid.uuid4().hex):
        moved = [_moved(turn, session_id, session.id) for turn in turns]
        again = {turn.id: _derived("turn", session_id, turn.id) for turn in moved}
        taken = store.taken([session_id], [*again, *again.values()])
        if session_id in taken.sessions:
            there = store.session(session_id)
            if there is not None and _has_all(session_id, again, taken):
                return ReadIn(there, new=False)
            continue
        placed = [
            replace(turn, id=again[turn.id]) if turn.id in taken.turns else turn for turn in moved
        ]
        new = replace(session, id=session_id)
        store.import_session(new, placed)
        return ReadIn(store.session(session_id) or new, new=True)
    raise AssertionError("a new id is free")


def _has_all(session_id: str, again: dict[str, str], taken: TakenIds) -> bool:
    """Whether a session has every turn, under its id or the one that it would get instead."""
    return all(
        session_id in (taken.turns.get(turn_id), taken.turns.get(other))
        for turn_id, other in again.items()
    )


def _moved(turn: Turn, session_id: str, was: str) -> Turn:
    """A turn as it is kept in a session; in another than it was in, under another id."""
    turn_id = turn.id if session_id == was else _derived("turn", session_id, turn.id)
    answer = replace(turn.answer, session=session_id)
    return replace(turn, id=turn_id, session_id=session_id, answer=answer)


def _derived(*parts: str) -> str:
    """An id that follows from others."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]
