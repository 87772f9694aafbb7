"""How the problems of a sentence begin that something speaks against; answers are kept with these words."""

from __future__ import annotations

from core.domain.answers import Sentence

RIVAL = "another statement of the same source"
OPPOSITE = "the cited evidence says the opposite"
AT_ODDS = "the graph and this document say different things"
OTHER_RELATIONSHIP = "the cited relationship says something else"
TURNED_ROUND = "the cited relationship reads the other way round"

_AGAINST = (RIVAL, OPPOSITE, AT_ODDS, OTHER_RELATIONSHIP, TURNED_ROUND)


def is_contradicted(sentence: Sentence) -> bool:
    """Whether something speaks against a sentence: its own evidence, another statement of its source, or the
    graph against the document."""
    return any(problem.startswith(_AGAINST) for problem in sentence.problems)
