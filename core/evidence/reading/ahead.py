"""What questions need of documents is read while nobody asks, so that none waits for it: once the statements of
those that came in, by the model; after each start also what they say of patients."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.background import Background
from core.documents.library.shelves import ABSTRACTS
from core.documents.store.library import EvidenceStore
from core.domain.documents import Document, Hit
from core.evidence.blocks import BlockCache
from core.evidence.passages import PassageReader, Quote
from core.evidence.reading.own_conditions import own_conditions
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
        self,
        library: EvidenceStore,
        tokens: StatementTokens,
        blocks: BlockCache,
        busy: Callable[[], bool],
    ) -> None:
        super().__init__("read-ahead", self.read_all, lambda: tokens.is_quiet and not busy())
        self._library = library
        self._tokens = tokens
        self._blocks = blocks
        # Documents that were met in this process, or for which there was no room.
        self._met: set[tuple[str, int]] = set()
        self._is_filled = False

    def read_all(self, go_on: Callable[[], bool] = lambda: True) -> int:
        """Read what was not read, as far as there is room; how many statements the model read.

        Args:
            go_on: asked before every few statements; False ends here.

        Raises:
            ModelError, StoreError: the model, the library or the file cannot be used.
        """
        read = self._read_statements(go_on)
        self._meet(go_on)
        return read

    def _read_statements(self, go_on: Callable[[], bool]) -> int:
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

    def _meet(self, go_on: Callable[[], bool]) -> None:
        """Have the statements of documents, and what they say of patients, at hand for this process, of as many
        as there is room for: the first question to one would wait for both."""
        for document in self._documents():
            known = document.id, document.corrections
            if known in self._met:
                continue
            if not go_on():
                return
            for quote in self._quotes(document):
                if not go_on():
                    return
                own_conditions(quote)
            self._met.add(known)
            if self._blocks.was_full and not self._is_filled:
                # From now on only what comes in: the older ones would drive out what came last.
                self._is_filled = True
                self._met.update((one.id, one.corrections) for one in self._documents())
                return

    def _documents(self) -> Iterator[Document]:
        """Ready documents, abstracts last: they have a page of their own."""
        names = sorted(
            (index.name for index in self._library.indexes()), key=lambda name: name == ABSTRACTS
        )
        for name in names:
            yield from self._library.documents(name)

    def _texts(self, document: Document) -> list[str]:
        return [text_read(quote) for quote in self._quotes(document)]

    def _quotes(self, document: Document) -> Iterator[Quote]:
        passages = PassageReader(self._library, self._blocks)
        for chunk in self._library.document_chunks(document.id):
            about = document.at(chunk.page, chunk.start)
            yield from passages.quotes(Hit(chunk, about, 0.0, 0.0, 0.0))
