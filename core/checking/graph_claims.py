"""Whether a sentence tells the relationships it cites: their type, and from which end to which."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from core.domain.answers import GraphCitation
from core.domain.evidence.doubts import OTHER_RELATIONSHIP, TURNED_ROUND
from core.graph.phrases import relationship_phrase
from core.resources import read_table

_TABLE = read_table(__file__, "graph_claims.toml")
_CLAIM_RULES = {
    name: re.compile(rf"\b(?:{'|'.join(rules)})\b", re.IGNORECASE)
    for name, rules in _TABLE["claims"].items()
}


def graph_problems(said: str, facts: Sequence[GraphCitation], documents: str) -> list[str]:
    """What a sentence says of the cited relationships that they do not say, in words.

    Args:
        documents: text of the passages that the sentence cites beside them.
    """
    if not facts:
        return []
    problems = []
    types = {fact.relationship for fact in facts}
    allowed = types.union(*(_TABLE["akin"].get(one, ()) for one in types))
    for name, rule in _CLAIM_RULES.items():
        if name in allowed or not rule.search(said) or rule.search(documents):
            continue
        if any(
            _rule(relationship_phrase(one, end)).search(said)
            for one in types
            for end in (True, False)
        ):
            continue
        problems.append(f"{OTHER_RELATIONSHIP}: “{told(facts[0])}”")
        break
    for fact in facts:
        if _turned(said, fact):
            problems.append(f"{TURNED_ROUND}: “{told(fact)}”")
    return problems


def told(fact: GraphCitation) -> str:
    """A relationship as a sentence."""
    return f"{fact.source} {relationship_phrase(fact.relationship, True)} {fact.target}"


def _turned(said: str, fact: GraphCitation) -> bool:
    """Whether a sentence tells a relationship from the wrong end.

    Seen where both names stand in it with the relationship's own words between them; the words of both
    directions, or other words, say nothing.
    """
    forward = relationship_phrase(fact.relationship, True)
    backward = relationship_phrase(fact.relationship, False)
    if forward == backward or fact.source_id == fact.target_id:
        return False
    text = said.casefold()
    source, target = _place(text, fact.source), _place(text, fact.target)
    if source < 0 or target < 0 or source == target:
        return False
    first = fact.source if source < target else fact.target
    between = text[min(source, target) + len(first) : max(source, target)]
    reads_forward = bool(_rule(forward).search(between))
    reads_backward = bool(_rule(backward).search(between))
    if reads_forward == reads_backward:
        return False
    return reads_forward is not (source < target)


def _place(text: str, name: str) -> int:
    match = re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", text)
    return match.start() if match else -1


@cache
def _rule(phrase: str) -> re.Pattern[str]:
    """A relationship's phrase in singular and plural: "treats" also as "treat"."""
    words = []
    for word in phrase.split():
        if word in ("is", "has", "does"):
            words.append(
                {"is": "(?:is|are|was)", "has": "(?:has|have)", "does": "(?:does|do)"}[word]
            )
        elif word in ("can", "the", "a", "an"):
            words.append(rf"(?:{word}\s+)?")
        else:
            words.append(rf"{re.escape(word.removesuffix('s'))}s?")
    pattern = r"\s+".join(words).replace(r"\s+)?\s+", r"\s+)?")
    return re.compile(rf"\b{pattern}\b", re.IGNORECASE)
