"""Saved views of the graph: named, overwritten, renamed, deleted, opened."""

from __future__ import annotations

import builtins
import math
import re
import uuid
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Self

from core.domain.conversations import LOCAL_USER
from core.domain.explored.views import (
    LAYOUTS,
    LONGEST_VIEW_NAME,
    GraphView,
    SavedView,
    view_from_json,
)
from core.errors import Conflict, InputError, NotFound
from core.graph.knowledge import KnowledgeGraph
from core.graph.views.store import SavedViewStore

MOST_VIEWS = 500  # of a user
MOST_SHOWN = 1_000  # entities of a view; no canvas holds as many
LONGEST_ID = 200  # characters of an entity's id
_MOST_TYPES = 200
_VIEW_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class OpenedView:
    """A view without the entities that the graph does not have.

    Attributes:
        gone: how many those are.
    """

    view: GraphView
    gone: int = 0


class SavedViews:
    """The views of one user, or of everybody (`store` says whose).

    Every method raises StoreError when the store cannot be reached.
    """

    def __init__(self, store: SavedViewStore, graph: KnowledgeGraph) -> None:
        self._store = store
        self._graph = graph
        self._user: str | None = None

    def of_user(self, user: str) -> Self:
        """The same as one user sees them: what is another's is as if it did not exist."""
        one = copy(self)
        one._user, one._store = user, self._store.of_user(user)
        return one

    def list(self) -> builtins.list[SavedView]:
        """Every view, by name."""
        return self._store.views()

    def get(self, view_id: str) -> SavedView:
        """A view.

        Raises:
            NotFound: there is none of this id (``VIEW_NOT_FOUND``).
        """
        found = self._store.view(view_id) if _VIEW_ID.fullmatch(view_id) else None
        if found is None:
            raise NotFound(
                "There is no such view.",
                advice="It may have been deleted, or be somebody else's.",
                code="VIEW_NOT_FOUND",
            )
        return found

    def named(self, name: str) -> SavedView | None:
        """The view of a name."""
        words = _plain(name)
        return next((one for one in self._store.views() if one.name == words), None)

    def save(self, name: str, view: GraphView, view_id: str = "") -> SavedView:
        """Keep a view under a name; in place of the one of the id, if there is one.

        Args:
            view_id: that it is to have; a new one when empty.

        Raises:
            InputError: the name, the id or the view is none (``INVALID_VIEW``), it shows nothing, or there
                are too many (``TOO_MANY_VIEWS``).
            Conflict: another view has this name (``VIEW_EXISTS``), or another user the id (``ID_TAKEN``).
        """
        words = self._checked_name(name)
        check_view(view)
        if view_id and not _VIEW_ID.fullmatch(view_id):
            raise _invalid("The id may have 64 letters, digits, “-” and “_”.")
        known = self._store.views()
        if any(one.name == words and one.id != view_id for one in known):
            raise Conflict(
                f"There is a view “{words}” already.",
                advice="Overwrite that one, or choose another name.",
                code="VIEW_EXISTS",
            )
        before = next((one for one in known if one.id == view_id), None)
        if before is None and len(known) >= MOST_VIEWS:
            raise InputError(
                f"There are {MOST_VIEWS} views already.",
                advice="Delete some that are not needed any more.",
                code="TOO_MANY_VIEWS",
            )
        moment = datetime.now(UTC)
        user = before.user if before else self._user or LOCAL_USER
        created = before.created_at if before else moment
        kept = SavedView(view_id or uuid.uuid4().hex, words, view, created, moment, user)
        self._store.keep(kept)
        return kept

    def rename(self, view_id: str, name: str) -> SavedView:
        """Give a view another name.

        Raises:
            NotFound, InputError, Conflict: see `get` and `save`.
        """
        return self.save(name, self.get(view_id).view, view_id)

    def delete(self, view_id: str) -> None:
        """Remove a view.

        Raises:
            NotFound: there is none of this id.
        """
        self._store.remove(self.get(view_id).id)

    def opened(self, view: GraphView) -> OpenedView:
        """A view over the graph as it is now: what an import removed is left out.

        Raises:
            StoreError: the graph cannot be read.
        """
        return without_unknown(view, self._graph.entities(view.shown))

    @staticmethod
    def _checked_name(name: str) -> str:
        words = _plain(name)
        if not 0 < len(words) <= LONGEST_VIEW_NAME:
            raise _invalid(f"A view needs a name of at most {LONGEST_VIEW_NAME} characters.")
        return words


def without_unknown(view: GraphView, known: Iterable[str]) -> OpenedView:
    """A view without entities that are not among the known ones."""
    ids = set(known)
    shown = tuple(one for one in view.shown if one in ids)
    left = replace(
        view,
        shown=shown,
        selected=view.selected if view.selected in ids else "",
        hidden=tuple(one for one in view.hidden if one in ids),
        pinned={one: at for one, at in view.pinned.items() if one in ids},
    )
    return OpenedView(left, len(view.shown) - len(shown))


def checked_view(text: str) -> GraphView:
    """The view that a text from outside holds.

    Raises:
        InputError: it holds none (``INVALID_VIEW``).
    """
    try:
        view = view_from_json(text)
    except ValueError:
        raise _invalid("This is no view of the graph.") from None
    check_view(view)
    return view


def check_view(view: GraphView) -> None:
    """Refuse a view that nothing can show.

    Raises:
        InputError: ``INVALID_VIEW``.
    """
    if not 0 < len(set(view.shown)) == len(view.shown) <= MOST_SHOWN:
        raise _invalid(f"A view shows 1 to {MOST_SHOWN:,} entities, each once.")
    shown = set(view.shown)
    if not (shown.issuperset(view.hidden) and shown.issuperset(view.pinned)):
        raise _invalid("What a view hides and pins must be among what it shows.")
    if view.selected and view.selected not in shown:
        raise _invalid("What a view selects must be among what it shows.")
    types = (*view.hidden_types, *view.relationship_types)
    texts = (*view.shown, *types)
    if any(not one or len(one) > LONGEST_ID or not one.isprintable() for one in texts):
        raise _invalid(f"Ids and types have 1 to {LONGEST_ID} characters that can be printed.")
    if len(types) > _MOST_TYPES or view.layout not in LAYOUTS:
        raise _invalid(f"The layout is one of {', '.join(LAYOUTS)}.")
    if not all(math.isfinite(value) for place in view.pinned.values() for value in place):
        raise _invalid("A place is two numbers.")


def _plain(name: str) -> str:
    return " ".join("".join(one if one.isprintable() else " " for one in name).split())


def _invalid(message: str) -> InputError:
    return InputError(message, code="INVALID_VIEW")
