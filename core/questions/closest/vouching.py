"""Whether words that nobody knows change what a question asks for, told by a small learned model.

A logistic regression over the vector of a word in its question by the bundled model ("handout" in "... for a
handout", and "children" in "... for children"), beside the vector of the question, each name replaced by a
word for its type. English only. Made by ``make train-plans`` from bench/plans/narrowed.toml and
narrowed-more.toml; figures in docs/decisions/question_plans.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from core.domain.vectors import TokenVectors, Vector
from core.resources import read_table

MOST = 0.35
"""Probability that a word narrows, up to which it is vouched for; docs/decisions/question_plans.md has the
choice."""
MOST_BESIDE = 0.12
"""The same of a word right beside a name, which may make it the name of something narrower."""
SCALE = 100  # weights are kept as whole hundredths


@dataclass(frozen=True, slots=True)
class Vouching:
    """The learned model.

    Attributes:
        weights: shape (2 * dimension,): of the word, and of the question.
    """

    weights: Vector
    base: float

    def narrows(self, word: Vector) -> float:
        """Probability that a word narrows or changes what is asked.

        Args:
            word: as `word_vector` has it.
        """
        return float(1 / (1 + np.exp(-(word @ self.weights + self.base))))


@cache
def vouching() -> Vouching:
    """As it was learned."""
    table = read_table(__file__, "vouching.toml")
    weights = np.array(table["weights"], dtype=np.float32) / np.float32(SCALE)
    return Vouching(weights, table["base"])


def word_vector(read: TokenVectors, start: int, end: int) -> Vector | None:
    """A word in its question, shape (2 * dimension,); None where the model did not read so far.

    Args:
        start, end: of the word in the text.
    """
    inside = [
        place for place, (first, last) in enumerate(read.spans) if first < end and last > start
    ]
    if not inside:
        return None
    found: Vector = np.concatenate([read.tokens[inside].mean(axis=0), read.vector])
    return found


def narrowing(read: TokenVectors, places: Sequence[tuple[int, int]]) -> float:
    """The highest probability that one of the words at these places narrows or changes what is asked; 1 where
    the model did not read so far."""
    found = [word_vector(read, *place) for place in places]
    return max((1.0 if one is None else vouching().narrows(one) for one in found), default=0.0)
