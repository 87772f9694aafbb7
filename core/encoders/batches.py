"""Batches of texts of similar length, in turns between threads; shared by all encoders."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

import numpy as np

from core.domain.vectors import Vectors
from core.errors import ModelError

BATCH = 8  # texts, sorted by length: few enough that a long one does not pad many short ones
_YIELD_SECONDS = 0.0005  # between batches; a batch takes some 100 times as long


def encode_in_batches(
    encode_batch: Callable[[list[str]], Vectors],
    turn: threading.Lock,
    texts: Sequence[str],
    dimension: int,
) -> Vectors:
    """Embeddings in the order of the texts, shape (len(texts), dimension).

    Batches of several threads take turns: tokenizers are not made for two at once, and a question
    asked during an ingestion waits for one batch, not for a file.

    Raises:
        ModelError: EMBEDDING_FAILURE.
    """
    vectors = np.zeros((len(texts), dimension), dtype=np.float32)
    order = sorted(range(len(texts)), key=lambda position: len(texts[position]))
    for start in range(0, len(texts), BATCH):
        part = order[start : start + BATCH]
        try:
            with turn:
                vectors[part] = encode_batch([texts[position] for position in part])
        except Exception as error:
            raise ModelError(
                f"The embedding model failed ({type(error).__name__}).",
                advice="Try again; if it stays, restart Materia and look at the log.",
                code="EMBEDDING_FAILURE",
                retryable=True,
            ) from error
        # A lock that is taken again at once starves whoever waits for it.
        time.sleep(_YIELD_SECONDS)
    return vectors
