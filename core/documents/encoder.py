"""What documents and search ask of an embedding model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.domain.documents import Index
from core.domain.vectors import Vectors
from core.errors import EmbeddingMismatch


class Encoder(Protocol):
    """Turns texts into unit vectors.

    Attributes:
        name: model name as it is stored with each index.
        dimension: length of a vector.
        max_tokens: tokens the model reads, special tokens included; more are cut off unseen.
    """

    name: str
    dimension: int
    max_tokens: int

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embeddings of shape (len(texts), dimension), float32, each row of length 1.

        Raises:
            ModelError: the model cannot be loaded or fails.
        """
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text as the model counts them, special tokens included."""
        ...


def require_same_model(index: Index, encoder: Encoder) -> None:
    """Refuse to mix an index with vectors of another model, which would answer wrongly in silence.

    Raises:
        EmbeddingMismatch: the index was made with another model or dimension; names both.
    """
    if (index.model, index.dimension) != (encoder.name, encoder.dimension):
        raise mismatch(index, encoder)


def mismatch(index: Index, encoder: Encoder) -> EmbeddingMismatch:
    """The error that names both models."""
    return EmbeddingMismatch(
        f"Index “{index.name}” was made with {index.model} ({index.dimension} dimensions); "
        f"the configured model is {encoder.name} ({encoder.dimension}).",
        advice="Embed it anew (Library, Indexes; or python -m core re-embed), or set "
        "MATERIA_EMBEDDING_MODEL back.",
    )
