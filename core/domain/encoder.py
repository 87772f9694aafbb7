"""An embedding model, as whoever embeds texts sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.domain.vectors import TokenVectors, Vectors


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


class TokenEncoder(Encoder, Protocol):
    """An embedding model that also tells the vectors of single tokens."""

    @property
    def recipe(self) -> str:
        """What its vectors depend on beside the text; may load it."""
        ...

    def encode_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Each text with its tokens; `vector` is what `encode` gives.

        Raises:
            ModelError: the model cannot be loaded or fails.
        """
        ...
