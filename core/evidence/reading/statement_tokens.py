"""Statements with the vectors of their tokens: read once by the bundled model, then kept.

To read some twenty statements took most of an answer's time (docs/decisions/token_vectors.md).
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from core.documents.store.token_vectors import TokenVectorStore
from core.domain.encoder import TokenEncoder
from core.domain.vectors import StatementVectors, TokenVectors
from core.errors import StoreError
from core.evidence.passages import Quote
from core.logs import get_logger

_LONGEST_READ = 480  # characters of a statement with its title and heading that the model reads
_MOST_AT_HAND = 300  # statements, beside those of the last call; some 50 kB each
_QUIET_SECONDS = 3.0  # without a question, until statements are read ahead again
_log = get_logger("token_vectors")


class StatementTokens:
    """Reads questions and statements.

    Args:
        encoder: the bundled model, whatever is configured; may load it.
        present: which of these documents are ready.
    """

    def __init__(
        self,
        store: TokenVectorStore,
        encoder: Callable[[], TokenEncoder],
        present: Callable[[Iterable[str]], set[str]],
    ) -> None:
        self._store = store
        self._encoder = encoder
        self._present = present
        self._asked = -_QUIET_SECONDS
        self._asking = 0
        self._counting = threading.Lock()
        self._lately: dict[tuple[str, str], StatementVectors] = {}

    @contextmanager
    def asking(self) -> Iterator[None]:
        """A question is on its way: nothing is read ahead until a while after it."""
        with self._counting:
            self._asking += 1
        try:
            yield
        finally:
            with self._counting:
                self._asking -= 1
                self._asked = time.monotonic()
                if not self._asking:
                    self._lately = {}

    @property
    def is_asked(self) -> bool:
        """Whether a question is being answered."""
        return self._asking > 0

    @property
    def is_quiet(self) -> bool:
        """Whether nobody asks anything."""
        return not self.is_asked and time.monotonic() - self._asked >= _QUIET_SECONDS

    def question(self, text: str) -> TokenVectors:
        """A question with its tokens.

        Raises:
            ModelError: the model cannot be used.
        """
        return self._encoder().encode_tokens([text])[0]

    def statements(self, quotes: Sequence[Quote]) -> list[StatementVectors]:
        """Statements with their tokens, in order; those that are read now are kept.

        One question has some of its statements two or three times: what it had lately is at hand.

        Raises:
            ModelError: the model cannot be used.
        """
        keys = [(quote.hit.document.id, text_read(quote)) for quote in quotes]
        lately = self._lately
        read = {key: lately[key] for key in keys if key in lately}
        texts: dict[str, dict[str, None]] = {}
        for document, text in keys:
            if (document, text) not in read:
                texts.setdefault(document, {})[text] = None
        for document, own in texts.items():
            found = self._of_document(document, list(own))
            read |= {(document, text): one for text, one in found.items()}
        if self._asking:
            self._lately = (lately if len(lately) < _MOST_AT_HAND else {}) | read
        return [read[key] for key in keys]

    def _of_document(self, document_id: str, texts: Sequence[str]) -> dict[str, StatementVectors]:
        keys = {text: self.key(text) for text in texts}
        known = self._kept(lambda: self._store.read(document_id, list(keys.values())))
        new = self._read_now(document_id, [text for text in texts if keys[text] not in known])
        return {text: known[key] if key in known else new[text] for text, key in keys.items()}

    def _read_now(self, document_id: str, texts: Sequence[str]) -> dict[str, StatementVectors]:
        """Statements read by the model, unless another document has the same, and kept if they can be."""
        if not texts:
            return {}
        keys = {text: self.key(text) for text in texts}
        kept = self._kept(lambda: self._store.read_elsewhere(list(keys.values())))
        read = {text: kept[key] for text, key in keys.items() if key in kept}
        if new := [text for text in texts if text not in read]:
            found = self._encoder().encode_tokens(new)
            for text, one in zip(new, found, strict=True):
                read[text] = StatementVectors(one.vector, one.tokens)
        try:
            self._store.add(
                document_id,
                {keys[text]: one for text, one in read.items()},
                lambda: self._is_ready(document_id),
            )
        except StoreError as error:
            _log.warning("not_kept", code=error.code)
        return read

    @staticmethod
    def _kept(read: Callable[[], dict[bytes, StatementVectors]]) -> dict[bytes, StatementVectors]:
        """What the store has; nothing where it cannot be read."""
        try:
            return read()
        except StoreError as error:
            _log.warning("not_read", code=error.code)
            return {}

    # -- ahead of questions ------------------------------------------------------------------------

    def is_read(self, document_id: str, version: int) -> bool:
        """Whether all of a document with so many corrections was read ahead."""
        return self._store.is_complete(document_id, self.key(str(version)))

    def unread(self, document_id: str, texts: Sequence[str]) -> list[str]:
        """The texts of a document that are not kept yet, each once."""
        keys = {self.key(text): text for text in texts}
        return [keys[key] for key in self._store.missing(document_id, list(keys))]

    def read_ahead(self, document_id: str, texts: Sequence[str]) -> None:
        """Read and keep texts of a document.

        Raises:
            ModelError: the model cannot be used.
        """
        self._read_now(document_id, texts)

    def note_read(self, document_id: str, version: int) -> None:
        """Note that all of a document was read."""
        self._store.complete(
            document_id, self.key(str(version)), lambda: self._is_ready(document_id)
        )

    def _is_ready(self, document_id: str) -> bool:
        return bool(self._present([document_id]))

    @property
    def is_full(self) -> bool:
        """Whether there is no room for more."""
        return self._store.is_full

    def key(self, text: str) -> bytes:
        """What a text as this model reads it is kept under."""
        model = self._encoder().recipe
        return hashlib.blake2b(
            f"{model}\0{text}".encode("utf-8", "surrogatepass"), digest_size=16
        ).digest()


def text_read(quote: Quote) -> str:
    """What the model reads of a statement: a long list is known by its lead-in and first items."""
    return f"{quote.context}: {quote.text}"[:_LONGEST_READ]
