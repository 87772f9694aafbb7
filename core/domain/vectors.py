"""Embeddings: one vector of shape (d,), several of shape (n, d), float32, rows of length 1; an
entity's, and which types of entities have them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Vectors = NDArray[np.float32]
# The types whose entities are embedded, and the names of their vector indexes (KG-31).
VECTOR_INDEXES: Mapping[str, str] = {
    "Drug": "drug_embeddings",
    "Disease": "disease_embeddings",
    "ClinicalDisease": "clinical_disease_embeddings",
    "Protein": "protein_embeddings",
}


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """A text as an embedding model reads it.

    Attributes:
        vector: of the whole text.
        tokens: of each token in its surroundings, shape (n, d), rows of length 1; special tokens are left
            out, and so is what the model does not read of a long text.
        spans: where each token stands in the text, end exclusive.
    """

    vector: Vector
    tokens: Vectors
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class StatementVectors:
    """A statement as an embedding model reads it: `vector` and `tokens` as those of `TokenVectors`."""

    vector: Vector
    tokens: Vectors


@dataclass(frozen=True, slots=True)
class EntityVector:
    """An entity's embedding. `text_hash` names the text and the model it was made from."""

    entity_id: str
    type: str
    text_hash: str
    vector: Vector
