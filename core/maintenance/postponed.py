"""What a store that was away put off, tried again until it is done: nothing waits for the next start."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from core.conversations.service import Conversations
from core.documents.library.files import FileStore
from core.documents.library.library import Library
from core.documents.store.vectors import VectorStore
from core.errors import AWAY, MateriaError
from core.logs import get_logger
from core.maintenance.deletion import Deletion
from core.maintenance.entity_links import LINKS, EntityLinks
from core.reserve import Reserve

_PAUSE_SECONDS = 1.0  # between two attempts; one costs a refused connection
_ENDING_SECONDS = 10.0
REMOVALS, CONVERSATIONS, RESERVE = "removals", "conversations", "reserve"
_log = get_logger("postponed")


class Postponed:
    """Tasks that are tried in a thread of their own from when they are asked for until they succeed.

    Args:
        tasks: by name; one that raises MateriaError is tried again after a pause.
    """

    def __init__(
        self, tasks: Mapping[str, Callable[[], object]], pause: float = _PAUSE_SECONDS
    ) -> None:
        self._tasks = tasks
        self._pause = pause
        self._due: set[str] = set()
        self._told: set[str] = set()  # tasks whose failure the log has
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def ask(self, name: str) -> None:
        """Have a task done; returns at once."""
        with self._changed:
            if self._closing.is_set():
                return
            self._due.add(name)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="postponed", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def try_now(self, name: str) -> None:
        """Do a task here, and in the background later if it cannot be done now."""
        if not self._done(name):
            self.ask(name)

    @contextmanager
    def asked_on_failure(self, name: str) -> Iterator[None]:
        """Have a task done when the block fails because a server is away."""
        try:
            yield
        except MateriaError as error:
            if error.code in AWAY:
                self.ask(name)
            raise

    def after_job(self, links: EntityLinks, wake: Callable[[], None]) -> None:
        """Once a job is over: wake who waits for that, and have passages linked that came in while the graph
        was away."""
        wake()
        if links.mixed:
            self.ask(LINKS)

    def close(self) -> None:
        """Try no more; what is not done by then the next start does."""
        with self._changed:
            self._closing.set()
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(_ENDING_SECONDS)

    def _work(self) -> None:
        while not self._closing.wait(self._pause):
            with self._changed:
                self._changed.wait_for(lambda: self._due or self._closing.is_set())
                due, self._due = self._due, set()
            for name in sorted(due):
                if self._closing.is_set():
                    return
                if not self._done(name):
                    with self._changed:
                        self._due.add(name)

    def _done(self, name: str) -> bool:
        try:
            self._tasks[name]()
        except (MateriaError, OSError) as error:
            if name not in self._told:
                code = getattr(error, "code", type(error).__name__)
                _log.warning("put_off", task=name, code=code)
            self._told.add(name)
            return False
        except Exception:  # the thread must outlive any one task
            _log.exception("task_crashed", task=name)
        self._told.discard(name)
        return True


def recover(library: Library, on_server: bool) -> list[str]:
    """Roll back what a crash left, or have it done once all stores can be used; the names of the files
    and indexes concerned.

    Args:
        on_server: whether the registry is kept on a server.
    """
    try:
        if on_server and not library.store.indexes(include_deleting=True):
            # An empty registry on a server may be a new one: the vectors here are another's.
            return []
        return library.recover()
    except MateriaError as error:
        # The rows stay invisible; System shows the broken store.
        _log.warning("recovery_put_off", code=error.code)
        library.removal.put_off()
        return []


def tidy(deletion: Deletion, conversations: Conversations) -> None:
    """Take out of kept answers what deletions left there, and remove conversations over the limits.

    Raises:
        StoreUnavailable: the store of conversations cannot be reached.
    """
    deletion.finish()
    conversations.purge()


def ask_stores(reserve: Reserve, vectors: VectorStore, files: FileStore) -> None:
    """Whether something new can be taken in.

    Raises:
        DiskFull, VectorsUnavailable, FilesUnavailable: not now.
    """
    reserve.ask()
    vectors.collections()
    files.ask()
