"""An index and the embedding model that it was made with."""

from __future__ import annotations

from core.domain.documents import Index
from core.domain.encoder import Encoder
from core.errors import EmbeddingMismatch


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
