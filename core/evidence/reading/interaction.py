"""Late interaction (Khattab and Zaharia 2020, "ColBERT", SIGIR): how well each token of a question
is met by the best of a statement's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.domain.vectors import StatementVectors, TokenVectors
from core.evidence.reading.asked_words import AskedWords


def best_cosines(
    question: TokenVectors, statements: Sequence[StatementVectors]
) -> NDArray[np.float32]:
    """Of each statement, for each token of the question, the best cosine to one of its own; 0 without
    any. Shape (statements, tokens of the question, 1 at least)."""
    best = np.zeros((len(statements), max(1, len(question.tokens))), np.float32)
    told = [place for place, one in enumerate(statements) if len(one.tokens)]
    if told and len(question.tokens):
        # All at once: to multiply twenty small matrices takes twenty times as long.
        everything = np.concatenate([statements[place].tokens for place in told])
        starts = np.cumsum([0, *(len(statements[place].tokens) for place in told[:-1])])
        cosines = everything @ question.tokens.T
        best[told] = np.maximum.reduceat(cosines, starts, axis=0)
    return best


def late(
    best: NDArray[np.float32], words: Sequence[tuple[str, list[int]]], asked: AskedWords
) -> dict[str, list[float]]:
    """How well the tokens of the question are met by each statement, those of a word averaged.

    Args:
        best: of each token of the question, shape (statements, tokens).
        words: its content words with their tokens.
    """
    every = best.mean(axis=1)
    columns = [np.ascontiguousarray(best[:, tokens]).mean(axis=1) for _, tokens in words]
    met = np.stack(columns or [every], axis=1).astype(np.float64)
    weights = np.array([asked.rarities[word] for word, _ in words] or [1.0])
    ordered = np.sort(met, axis=1)
    found = {
        "late_all": every,
        "late_mean": met.mean(axis=1),
        "late_rare": np.multiply(met, weights).sum(axis=1) / weights.sum(),
        "late_least": ordered[:, 0],
        "late_second": ordered[:, min(1, ordered.shape[1] - 1)],
    }
    return {name: values.tolist() for name, values in found.items()}
