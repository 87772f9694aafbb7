"""Statements of documents that came in are read while nobody asks, so that no question waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.background import Background
from core.documents.library.shelves import ABSTRACTS
from core.documents.store.library import EvidenceStore
from core.domain.documents import Document, Hit
from core.evidence.passages import PassageReader
from core.evidence.reading.statement_tokens import StatementTokens, text_read
from core.logs import get_logger

_AT_ONCE = 4  # statements; a question that comes waits for so many at most
_log = get_logger("token_vectors")


class ReadAhead(Background):
    """Reads the documents whose statements were not read, the newest first, in a thread of its own.

    Questions read what they need themselves where this fails; the next document wakes it again.

    Args:
        busy: whether something else needs the processor (an ingestion).
    """

    def __init__(
        self, library: EvidenceStore, tokens: StatementTokens, busy: Callable[[], bool]
    ) -> None:
        super().__init__("read-ahead", self.read_all, lambda: tokens.is_quiet and not busy())
        self._library = library
        self._tokens = tokens

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
            for quote in passages.quotes(
                Hit(chunk, document.at(chunk.page, chunk.start), 0.0, 0.0, 0.0)
            )
        ]
