"""Statements read together with the question, by the model that was fine-tuned for it.

It sees what no signal that compares the two from outside sees: whose dose it is, that a "not" is asked for,
which word of the question the sentence is about. It is dearer than those, so that the likeliest few are read
alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import numpy as np

from core.domain.vectors import Vectors
from core.errors import ModelError
from core.evidence.passages import Quote
from core.logs import get_logger
from core.text.glosses.in_english import in_english, language_by_words

Scores = Callable[[str, Sequence[str]], Vectors]

LONGEST_READ = 400
"""Characters of a statement from which on its end may not be read: 128 tokens hold the question, title and
heading, and some 90 of the statement."""
_LONGEST_LEAD = 160  # characters of what leads in a table and is read with its rows
_LONGEST = 900  # characters with title and heading; more than the model's tokens
# What is told of words put into English one by one is told less surely: log-odds that are added
# (docs/decisions/relevance.md, "Going on over printed documents").
_GLOSSED = np.array([0.0, 0.2], np.float32)
_log = get_logger("pairs")


def text_beside(quote: Quote, text: str, led: Sequence[str] = ()) -> str:
    """What is read of a statement beside the question: its words, or those of them that `text` has.

    Args:
        led: the sentences that lead in the table of a row: the last says what its numbers are ("The dose for
            hay fever is:").
    """
    last = f"{led[-1]} " if quote.row and led and len(led[-1]) <= _LONGEST_LEAD else ""
    return f"{quote.context}: {last}{text}"[:_LONGEST]


def in_english_beside(question: str, texts: Sequence[str]) -> tuple[str, list[str]] | None:
    """A question and what is read beside it word by word in English, which the model was taught in; None where
    the one or the other is in no language that there are words of."""
    asked = in_english(question)
    if not asked or not language_by_words(" ".join(texts)):
        return None
    return asked, [in_english(one) or one for one in texts]


class PairReader:
    """Reads statements beside a question.

    Args:
        scores: of each text beside a question, shape (n, 2): its log-odds against other texts, and those that
            it answers.
        of_papers: the same of what papers say; without it `scores` reads this, too.
    """

    def __init__(self, scores: Scores, of_papers: Scores | None = None) -> None:
        self._scores = scores
        self._of_papers = of_papers or scores

    def warm_up(self) -> None:
        """Load the model."""
        with suppress(ModelError):  # a question says what it is
            self._scores("warm-up", ["warm-up"])

    def read(
        self, question: str, texts: Sequence[str], of_papers: Sequence[bool] = ()
    ) -> Vectors | None:
        """The scores of statements as `text_beside` gives them; None where a model cannot be used.

        Args:
            of_papers: of each, whether a paper says it; all or none are given.
        """
        glossed = in_english_beside(question, texts)
        question, texts = glossed or (question, texts)
        ours = [place for place in range(len(texts)) if of_papers and of_papers[place]]
        others = [place for place in range(len(texts)) if place not in ours]
        found = np.zeros((len(texts), 2), np.float32)
        try:
            for scores, places in ((self._of_papers, ours), (self._scores, others)):
                if places:
                    found[places] = scores(question, [texts[place] for place in places])
            return found + (_GLOSSED if glossed else np.zeros(2, np.float32))
        except ModelError as error:
            _log.warning("pairs_not_read", code=error.code)
            return None
