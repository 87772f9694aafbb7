"""Statements read together with the question, by the model that was fine-tuned for it.

It sees what no signal that compares the two from outside sees: whose dose it is, that a "not" is asked for,
which word of the question the sentence is about. It is dearer than those, so that the likeliest few are read
alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from core.domain.vectors import Vectors
from core.errors import ModelError
from core.evidence.passages import Quote
from core.logs import get_logger

Scores = Callable[[str, Sequence[str]], Vectors]

_LONGEST = 900  # characters of a statement with its title and heading; more than the model's tokens
_log = get_logger("pairs")


def text_beside(quote: Quote) -> str:
    """What is read of a statement beside the question."""
    return f"{quote.hit.chunk.context}: {quote.text}"[:_LONGEST]


class PairReader:
    """Reads statements beside a question.

    Args:
        scores: of each text beside a question, shape (n, 2): its log-odds against other texts, and those that
            it answers.
    """

    def __init__(self, scores: Scores) -> None:
        self._scores = scores

    def warm_up(self) -> None:
        """Load the model."""
        with suppress(ModelError):  # a question says what it is
            self._scores("warm-up", ["warm-up"])

    def read(self, question: str, quotes: Sequence[Quote]) -> Vectors | None:
        """The scores of statements; None where the model cannot be used."""
        try:
            return self._scores(question, [text_beside(one) for one in quotes])
        except ModelError as error:
            _log.warning("pairs_not_read", code=error.code)
            return None
