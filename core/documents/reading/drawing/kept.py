"""Pictures of pages, kept in memory as long as there is room: drawing one takes a process of its own."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable

_ROOM = 64 * 2**20  # bytes: some 200 pages


class PagePictures:
    """The pictures that were looked at last.

    Args:
        room: bytes that all pictures together may take.
    """

    def __init__(self, room: int = _ROOM) -> None:
        self._room = room
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, Hashable], bytes] = OrderedDict()

    def picture(self, document_id: str, of: Hashable, draw: Callable[[], bytes]) -> bytes:
        """The picture that is kept under a document and what it shows of it, or else what `draw` makes."""
        key = (document_id, of)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        drawn = draw()
        with self._lock:
            self._kept[key] = drawn
            self._kept.move_to_end(key)
            while self._kept and self.bytes > self._room:
                self._kept.popitem(last=False)
        return drawn

    def forget(self, document_ids: Collection[str]) -> None:
        """Keep nothing of these documents."""
        with self._lock:
            for key in [key for key in self._kept if key[0] in document_ids]:
                del self._kept[key]

    @property
    def bytes(self) -> int:
        """What all pictures together take."""
        return sum(map(len, self._kept.values()))
