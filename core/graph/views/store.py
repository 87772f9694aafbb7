"""What saved views ask of the store that keeps them."""

from __future__ import annotations

from typing import Protocol

from core.domain.explored.views import SavedView


class SavedViewStore(Protocol):
    """Views of one user, or of everybody (what maintenance and the command line work with).

    In one user's, what is another's is as if it did not exist. Every method raises StoreError when the store
    cannot be reached.
    """

    def of_user(self, user: str) -> SavedViewStore:
        """The same store as one user sees it."""
        ...

    def views(self) -> list[SavedView]:
        """Every view, by name and id."""
        ...

    def view(self, view_id: str) -> SavedView | None: ...

    def keep(self, view: SavedView) -> None:
        """Keep a view in place of the one of its id, if there is one. In one user's store it is the user's.

        Raises:
            Conflict: the id is another user's (``ID_TAKEN``).
        """
        ...

    def remove(self, view_id: str) -> bool:
        """Remove a view; whether there was one."""
        ...
