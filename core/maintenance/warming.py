"""Loading what the first question needs, before it is asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from core.documents.store.registry import Registry
from core.documents.store.vectors import VectorStore
from core.domain.encoder import Encoder
from core.errors import MateriaError, StoreError
from core.logs import get_logger
from core.text.glosses.in_english import read_glosses
from core.text.glosses.of_documents import read_reversed
from core.text.language import LANGUAGES
from core.text.word_lists import word_frequencies

_log = get_logger("workspace")


def warm_up(steps: Sequence[Callable[[], object]]) -> None:
    """Take the steps one after the other in a thread of their own; the first that fails is the last."""

    def load() -> None:
        try:
            started = time.perf_counter()
            for step in steps:
                step()
            _log.info("warmed_up", seconds=round(time.perf_counter() - started, 1))
        except MateriaError as error:
            _log.warning("warm_up_failed", code=error.code)

    threading.Thread(target=load, name="warm-up", daemon=True).start()


def read_word_lists() -> None:
    """Read the everyday words of all languages, and the English of German and Dutch words: a question whose own
    words do not tell its language asks for each, and the first one would wait seconds for them."""
    for code in LANGUAGES:
        word_frequencies(code)
    read_glosses()
    read_reversed()


def ready_to_search(encoder: Encoder, registry: Registry, vectors: VectorStore) -> None:
    """Load the model, and the vectors that were made with it: the first question would wait for both.

    Raises:
        ModelError: the model cannot be loaded.
    """
    (vector,) = encoder.encode(["warm-up"])
    for index in registry.indexes():
        if (index.model, index.dimension) == (encoder.name, encoder.dimension):
            with suppress(StoreError):  # a question says what it is
                vectors.query(index.collection, vector, 1)
