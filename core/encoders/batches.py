"""Batches of texts of similar length, in turns between threads; shared by all encoders."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from core.domain.vectors import TokenVectors, Vectors
from core.errors import ModelError

T = TypeVar("T")
BATCH = 8  # texts, sorted by length: few enough that a long one does not pad many short ones
_YIELD_SECONDS = 0.0005  # between batches; a batch takes some 100 times as long


def encode_in_batches(
    encode_batch: Callable[[list[str]], Vectors],
    turn: threading.Lock,
    texts: Sequence[str],
    dimension: int,
    size: int = BATCH,
) -> Vectors:
    """Embeddings in the order of the texts, shape (len(texts), dimension).

    Batches of several threads take turns: tokenizers are not made for two at once, and a question
    asked during an ingestion waits for one batch, not for a file.

    Raises:
        ModelError: EMBEDDING_FAILURE.
    """
    vectors = np.zeros((len(texts), dimension), dtype=np.float32)
    for part, found in _in_turns(encode_batch, turn, texts, size):
        vectors[part] = found
    return vectors


def read_in_batches(
    read_batch: Callable[[list[str]], list[TokenVectors]],
    turn: threading.Lock,
    texts: Sequence[str],
    size: int = BATCH,
) -> list[TokenVectors]:
    """The same for texts with their tokens.

    Raises:
        ModelError: EMBEDDING_FAILURE.
    """
    read: dict[int, TokenVectors] = {}
    for part, found in _in_turns(read_batch, turn, texts, size):
        read.update(zip(part, found, strict=True))
    return [read[position] for position in range(len(texts))]


def _in_turns(
    encode_batch: Callable[[list[str]], T], turn: threading.Lock, texts: Sequence[str], size: int
) -> Iterator[tuple[list[int], T]]:
    """Positions of a batch's texts, and what was made of them."""
    order = sorted(range(len(texts)), key=lambda position: len(texts[position]))
    for start in range(0, len(texts), size):
        part = order[start : start + size]
        try:
            with turn:
                found = encode_batch([texts[position] for position in part])
        except Exception as error:
            raise ModelError(
                f"The embedding model failed ({type(error).__name__}).",
                advice="Try again; if it stays, restart Materia and look at the log.",
                code="EMBEDDING_FAILURE",
                retryable=True,
            ) from error
        yield part, found
        # A lock that is taken again at once starves whoever waits for it.
        time.sleep(_YIELD_SECONDS)


def unit_rows(vectors: Vectors) -> Vectors:
    """Rows of length 1; one of length 0 stays."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return unit
