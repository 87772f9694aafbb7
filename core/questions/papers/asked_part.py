"""In which part of a paper the answer to a question stands, told by a small learned model.

The two regressions of `core.questions.leaflets.choice`, over the letters of the question's words and, in
English, over its embedding. Made by ``python -m bench.fit_choice papers`` from questions that two authors
wrote without sight of a document or of each other's (train/questions); figures in docs/decisions/papers.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from core.domain.vectors import Vector
from core.questions.leaflets.choice import Choice, masked, read_choices
from core.questions.leaflets.phrasings import Phrasing
from core.questions.leaflets.question_text import QuestionText
from core.resources import read_table, read_text
from core.text.language import language

PART = "part"


def as_asked(question: str, part: str = "") -> Phrasing:
    """A question as the model reads it: each number is the same one.

    Args:
        part: where its answer stands, if that is known.
    """
    english = QuestionText.of(question).is_english
    return Phrasing(masked(question, (), ""), "en" if english else language(question), part, "")


@cache
def choice() -> Choice:
    """The learned choice."""
    table = read_table(__file__, "asked_part.toml")
    return read_choices(table, read_text(__file__, "asked_part.tsv"), (PART,))[PART]


def parts_asked(question: str, vector: Callable[[str], Vector | None]) -> Mapping[str, float]:
    """How likely the answer stands in each part (`core.documents.cutting.parts`), in [0, 1].

    Args:
        vector: gives the embedding of an English text by the bundled model; None without it.
    """
    phrasing = as_asked(question)
    english = phrasing.code == "en"
    return choice().probabilities(phrasing.text, vector(phrasing.text) if english else None)
