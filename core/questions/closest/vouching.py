"""Whether words change what a question asks for, told by a small learned model.

A logistic regression over the vector of each token of a question by the model that was fine-tuned with it
(`core.encoders.fine_tuned`), beside the vector of the question, each name replaced by a word for its type.
Made by ``make train-plans`` from what is marked in bench/plans; figures in docs/decisions/question_plans.md.
"""

from __future__ import annotations

from collections.abc import Collection, Container
from dataclasses import dataclass
from functools import cache

import numpy as np

from core.domain.vectors import TokenVectors, Vector
from core.resources import read_table

MOST = 0.3
"""Probability that a word narrows, up to which it is vouched for; docs/decisions/question_plans.md has the
choice."""
MOST_DOUBTFUL = 0.1
"""The same in other languages than English, in which less was learned, and of words that ask for something else
than entities ("why")."""
SCALE = 100  # weights are kept as whole hundredths


@dataclass(frozen=True, slots=True)
class Vouching:
    """The learned model.

    Attributes:
        weights: shape (2 * dimension,): of a token, and of the question.
    """

    weights: Vector
    base: float

    def narrows(self, read: TokenVectors) -> Vector:
        """Probability of each token of a question that it narrows or changes what is asked, shape (tokens,)."""
        dimension = len(read.vector)
        odds = read.tokens @ self.weights[:dimension] + read.vector @ self.weights[dimension:]
        return np.asarray(1 / (1 + np.exp(-(odds + self.base))), dtype=np.float32)


@cache
def vouching() -> Vouching:
    """As it was learned."""
    table = read_table(__file__, "vouching.toml")
    weights = np.array(table["weights"], dtype=np.float32) / np.float32(SCALE)
    return Vouching(weights, table["base"])


def narrowing(
    text: str, read: TokenVectors, names: Collection[tuple[int, int]], words: Container[str]
) -> tuple[float, float]:
    """The highest probability that a word outside of the names narrows or changes what is asked; and that one
    of some words does.

    Args:
        read: the text as the model reads it.
        names: where the names stand in the text.
        words: folded.
    """
    chances = vouching().narrows(read)
    outside = [
        (float(chance), text[start:end].casefold())
        for chance, (start, end) in zip(chances, read.spans, strict=True)
        if not any(start < last and end > first for first, last in names)
    ]
    among = (chance for chance, word in outside if word in words)
    return max((chance for chance, _ in outside), default=0.0), max(among, default=0.0)
