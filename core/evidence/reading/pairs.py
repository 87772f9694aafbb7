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

LONGEST_READ = 400
"""Characters of a statement from which on its end may not be read: 128 tokens hold the question, title and
heading, and some 90 of the statement."""
_LONGEST = 900  # characters with title and heading; more than the model's tokens
_log = get_logger("pairs")


def text_beside(quote: Quote, text: str) -> str:
    """What is read of a statement beside the question: its words, or those of them that `text` has."""
    return f"{quote.context}: {text}"[:_LONGEST]


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

    def read(self, question: str, texts: Sequence[str]) -> Vectors | None:
        """The scores of statements as `text_beside` gives them; None where the model cannot be used."""
        try:
            return self._scores(question, texts)
        except ModelError as error:
            _log.warning("pairs_not_read", code=error.code)
            return None
