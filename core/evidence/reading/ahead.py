"""Statements of documents that came in are read while nobody asks, so that no question waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

from core.documents.library.shelves import ABSTRACTS
from core.documents.store.library import EvidenceStore
from core.domain.documents import Document, Hit
from core.errors import MateriaError
from core.evidence.passages import PassageReader
from core.evidence.reading.statement_tokens import StatementTokens, text_read
from core.logs import get_logger

_AT_ONCE = 4  # statements; a question that comes waits for so many at most
_PAUSE = 0.25  # seconds between two looks at whether somebody asks
_ENDING = 10.0  # seconds that the thread has to end
_log = get_logger("token_vectors")


class ReadAhead:
    """Reads the documents whose statements were not read, the newest first, in a thread of its own.

    Args:
        busy: whether something else needs the processor (an ingestion).
    """

    def __init__(
        self, library: EvidenceStore, tokens: StatementTokens, busy: Callable[[], bool]
    ) -> None:
        self._library = library
        self._tokens = tokens
        self._busy = busy
        self._wanted = threading.Event()
        self._closing = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Read what is there, and from now on what comes in; returns at once."""
        with self._starting:
            if self._thread is None and not self._closing.is_set():
                self._thread = threading.Thread(target=self._work, name="read-ahead", daemon=True)
                self._thread.start()
        self.wake()

    def wake(self) -> None:
        """Something came in; it is looked for once this has been started."""
        self._wanted.set()

    def close(self) -> None:
        """End the thread; what was read is kept."""
        with self._starting:
            self._closing.set()
            self._wanted.set()
        if self._thread is not None:
            self._thread.join(_ENDING)

    def _work(self) -> None:
        while not self._closing.is_set():
            self._wanted.wait()
            self._wanted.clear()
            try:
                self.read_all(self._free)
            except MateriaError as error:
                # Questions read what they need themselves; the next document wakes this again.
                _log.warning("read_ahead_ended", code=error.code)

    def _free(self) -> bool:
        """Wait until nobody needs the processor; False when the thread has to end."""
        while not self._closing.is_set() and (not self._tokens.is_quiet or self._busy()):
            self._closing.wait(_PAUSE)
        return not self._closing.is_set()

    def read_all(self, go_on: Callable[[], bool] = lambda: True) -> int:
        """Read what was not read, as far as there is room; how many statements it were.

        Args:
            go_on: asked before every few statements; False ends here.

        Raises:
            ModelError, StoreError: the model, the library or the file cannot be used.
        """
        read = 0
        for document in self._documents():
            if not go_on() or self._tokens.is_full:
                break
            if self._tokens.is_read(document.id, document.corrections):
                continue
            texts = self._tokens.unread(document.id, self._texts(document))
            for start in range(0, len(texts), _AT_ONCE):
                if not go_on() or self._tokens.is_full:
                    return read
                part = texts[start : start + _AT_ONCE]
                self._tokens.read_ahead(document.id, part)
                read += len(part)
            self._tokens.note_read(document.id, document.corrections)
        if read:
            _log.info("read_ahead", statements=read)
        return read

    def _documents(self) -> Iterator[Document]:
        """Ready documents, abstracts last: they have a page of their own."""
        names = sorted(
            (index.name for index in self._library.indexes()), key=lambda name: name == ABSTRACTS
        )
        for name in names:
            yield from self._library.documents(name)

    def _texts(self, document: Document) -> list[str]:
        passages = PassageReader(self._library)
        return [
            text_read(quote)
            for chunk in self._library.document_chunks(document.id)
            for quote in passages.quotes(Hit(chunk, document, 0.0, 0.0, 0.0))
        ]
