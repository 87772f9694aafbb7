"""Late interaction (Khattab and Zaharia 2020, "ColBERT", SIGIR): how well each token of a question
is met by the best of a statement's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.domain.vectors import StatementVectors, TokenVectors
from core.evidence.passages import Quote
from core.evidence.reading.asked_words import AskedWords

_FARTHEST_BESIDE = 3  # characters between a statement and the next


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


def beside(quotes: Sequence[Quote], place: int) -> list[int]:
    """Places of the quotes right before and after one, in its paragraph."""
    own = quotes[place]
    if own.paragraph < 0:
        return []
    same = [other for other, one in enumerate(quotes) if other != place and one.unit == own.unit]
    before = [one for one in same if 0 <= own.start - quotes[one].end <= _FARTHEST_BESIDE]
    after = [one for one in same if 0 <= quotes[one].start - own.end <= _FARTHEST_BESIDE]
    return [*before, *after]


def late(
    best: NDArray[np.float32], words: Sequence[tuple[str, list[int]]], asked: AskedWords
) -> dict[str, float]:
    """How well the tokens of the question are met, those of a word averaged.

    Args:
        best: of each token of the question.
        words: its content words with their tokens.
    """
    met = [float(best[tokens].mean()) for _, tokens in words]
    weights = [asked.rarities[word] for word, _ in words]
    if not met:
        met, weights = [float(best.mean())], [1.0]
    ordered = sorted(met)
    return {
        "late_all": float(best.mean()),
        "late_mean": float(np.mean(met)),
        "late_rare": float(np.average(met, weights=weights)),
        "late_least": ordered[0],
        "late_second": ordered[min(1, len(ordered) - 1)],
    }
