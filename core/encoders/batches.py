"""Batches of texts of similar length, in turns between threads; for the models of sentence-transformers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import numpy as np

from core.domain.vectors import TokenVectors, Vectors
from core.encoders.turns import Turns
from core.errors import ModelError

T = TypeVar("T")
BATCH = 8  # texts, sorted by length: few enough that a long one does not pad many short ones


def encode_in_batches(
    encode_batch: Callable[[list[str]], Vectors],
    turns: Turns,
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
    for part, found in _in_turns(encode_batch, turns, texts, size):
        vectors[part] = found
    return vectors


def read_in_batches(
    read_batch: Callable[[list[str]], list[TokenVectors]],
    turns: Turns,
    texts: Sequence[str],
    size: int = BATCH,
) -> list[TokenVectors]:
    """The same for texts with their tokens.

    Raises:
        ModelError: EMBEDDING_FAILURE.
    """
    read: dict[int, TokenVectors] = {}
    for part, found in _in_turns(read_batch, turns, texts, size):
        read.update(zip(part, found, strict=True))
    return [read[position] for position in range(len(texts))]


def _in_turns(
    encode_batch: Callable[[list[str]], T], turns: Turns, texts: Sequence[str], size: int
) -> Iterator[tuple[list[int], T]]:
    """Positions of a batch's texts, and what was made of them."""
    order = sorted(range(len(texts)), key=lambda position: len(texts[position]))
    for start in range(0, len(texts), size):
        part = order[start : start + size]
        # One text is a question's.
        with failures_told(), turns.held(first=len(texts) == 1):
            found = encode_batch([texts[position] for position in part])
        yield part, found


@contextmanager
def failures_told() -> Iterator[None]:
    """What a model raises in the block, as an error with a code."""
    try:
        yield
    except Exception as error:  # torch, onnxruntime and tokenizers share no root
        raise ModelError(
            f"The embedding model failed ({type(error).__name__}).",
            advice="Try again; if it stays, restart Materia and look at the log.",
            code="EMBEDDING_FAILURE",
            retryable=True,
        ) from error


def unit_rows(vectors: Vectors) -> Vectors:
    """Rows of length 1; one of length 0 stays."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return unit
