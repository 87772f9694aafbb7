"""“and 57 more”: where a sentence leaves out the rest of a list, and the whole list behind it."""

from __future__ import annotations

import re

from core.domain.answers import Answer, GraphCitation, Sentence
from core.domain.plans import AnswerList
from core.evidence.graph_facts import whole_group
from core.graph.knowledge import KnowledgeGraph

# As `core.evidence.graph_facts.sentence_for` and the computed lists say it.
_REST = re.compile(r"\band ([\d,]+) more(?=\.?$|\. )")


def untold(sentence: Sentence, answer: Answer) -> tuple[int, int] | None:
    """Where a sentence says that there are more; None where no list stands behind it."""
    match = _REST.search(sentence.text)
    if match is None:
        return None
    known = _of_answer(sentence, answer, match) is not None or _ends(sentence, answer) is not None
    return match.span() if known else None


def whole_list(sentence: Sentence, answer: Answer, graph: KnowledgeGraph) -> AnswerList | None:
    """All that a sentence leaves out, with what it tells: the answer's list, or else the relationships
    of the graph as it is now.

    Raises:
        StoreError: the graph cannot be read.
    """
    match = _REST.search(sentence.text)
    if match is None:
        return None
    cited = _ends(sentence, answer)
    kept = _of_answer(sentence, answer, match)
    if kept is not None or cited is None:
        return kept
    return whole_group(*cited, graph)


def _of_answer(sentence: Sentence, answer: Answer, match: re.Match[str]) -> AnswerList | None:
    """The list whose first members the sentence names, and whose others are as many as it says."""
    left = int(match[1].replace(",", ""))
    for one in answer.lists:
        told = one.size - left
        names = [member.name for member in one.members[:told]]
        if 0 < told <= len(one.members) and all(name in sentence.text for name in names):
            return one
    return None


def _ends(sentence: Sentence, answer: Answer) -> tuple[str, str, bool, set[str]] | None:
    """The one entity that all cited relationships begin or end with, their one type, whether they begin
    with it, and the types at the other end."""
    cited = [
        one for n in sentence.citations if isinstance(one := answer.citation(n), GraphCitation)
    ]
    if len(cited) < 2 or len({one.relationship for one in cited}) > 1:
        return None
    first = cited[0]
    if all(one.source_id == first.source_id for one in cited):
        return first.source_id, first.relationship, True, {one.target_type for one in cited}
    if all(one.target_id == first.target_id for one in cited):
        return first.target_id, first.relationship, False, {one.source_type for one in cited}
    return None
