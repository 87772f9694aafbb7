"""Whether a sentence says the opposite of the passage it cites, as far as words alone tell.

Three signs are looked for, each only where a sentence of the evidence is worded much alike: what is
denied in one and affirmed in the other, a word against its opposite, "with" against "without". Two
signs that undo each other ("store below" and "do not store above") are no contradiction. Figures on
a set of hand-made pairs stand in the test of the support check.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.resources import read_table
from core.text.quantities import quantities
from core.text.stems import stem, stems

# Share of the sentence's words that a sentence of the evidence must have to be its counterpart, and
# how far below the best another may be and still count.
_ALIKE = 0.5
_NEARLY_BEST = 0.12
_SHOWN = 140  # characters of the evidence

_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[,;:.()•]")
_REFUSED = re.compile(r"contraindicat|kontraindiziert|gegenanzeig")
_AVOIDED = re.compile(r"avoid|refrain|vermeid|vermied")
_TABLE = read_table(__file__, "contradictions.toml")
_NOT, _CONDITIONS, _JOINING, _PASSED_OVER = (
    frozenset(_TABLE[name].split()) for name in ("denying", "conditions", "joining", "passed_over")
)


def _classes() -> Mapping[str, str]:
    return {
        stem(word): stem(group.split()[0]) for group in _TABLE["one_idea"] for word in group.split()
    }


IDEAS = _classes()  # stem -> stem of the idea's first word
_PAIRS = tuple(
    (frozenset(map(stem, one.split())), frozenset(map(stem, other.split())))
    for one, other in _TABLE["opposites"]
)
# What is compared tells nothing about which sentence it is to be compared with.
_SIDES = frozenset[str]().union(*(one | other for one, other in _PAIRS))
_WITHOUT = re.compile(r"\b(?:without|ohne)\s+(?:any\s+|a\s+|the\s+)?(\w+)", re.IGNORECASE)
_WITH = re.compile(
    r"\b(?:with|mit)\s+(?:(?:or without|oder ohne)\s+)?(?:any\s+|a\s+|the\s+)?(\w+)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Reading:
    """A sentence as the comparison sees it: all stems, their ideas, and those that are denied."""

    text: str
    stems: frozenset[str]
    ideas: frozenset[str]
    denied: frozenset[str]
    negated: bool
    conditions: frozenset[str]


def contradicted(said: str, evidence: Sequence[tuple[str, str]]) -> str:
    """The sentence of the evidence that says the opposite, shortened; empty when there is none.

    Args:
        evidence: sentences of the cited passages, each with what it stands under (title, heading). Of
            several that are worded alike, all must say the opposite; the parts between semicolons are
            read each for itself.
    """
    reading = _read(said)
    wanted = reading.stems - _SIDES
    if not wanted:
        return ""
    evidence = [
        (part, context) for text, context in evidence for part in re.split(r";\s+(?=\w)", text)
    ]
    others = [_read(text) for text, _ in evidence]
    contexts = {context: stems(context) for _, context in evidence}
    shares = [
        len(wanted & (other.stems | contexts[context])) / len(wanted)
        for other, (_, context) in zip(others, evidence, strict=True)
    ]
    best = max(shares, default=0.0)
    if best < _ALIKE:
        return ""
    alike = [o for o, share in zip(others, shares, strict=True) if share >= best - _NEARLY_BEST]
    # Of "X 20 mg must not be used; Y 40 mg may be used" the numbers tell which one is meant.
    digits = frozenset(one for one in reading.stems if one.isdigit())
    most = max(len(digits & one.stems) for one in alike)
    alike = [one for one in alike if len(digits & one.stems) == most]
    if not all(_opposite(reading, other) for other in alike):
        return ""
    text = max(zip(shares, others, strict=True), key=lambda one: (one[1] in alike, one[0]))[1].text
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN].rstrip()} …"


def denies(text: str, idea: str) -> bool | None:
    """Whether a sentence denies an idea ("use"), which it names; None where it leaves that open: it sets
    a condition, denies twice, or denies something else."""
    reading = _read(text)
    meant = _idea(idea)
    nots = sum(is_denying(token) for token in _TOKEN.findall(text.casefold()))
    if reading.conditions or nots > 1 or (nots and stem("contraindicated") in reading.denied):
        return None
    if not reading.negated:
        return False
    return True if meant in reading.denied else None


def _opposite(said: _Reading, other: _Reading) -> bool:
    signs = sum(
        1
        for one, against in _PAIRS
        for a, b in ((one, against), (against, one))
        if said.stems & a and not said.stems & b and other.stems & b and not other.stems & a
    )
    if said.conditions == other.conditions and _denial_differs(said, other):
        if _same_limits(said.text, other.text):
            return False  # "store below 25 °C" and "do not store above 25 °C"
        signs += 1
    signs += _without_differs(said.text, other.text)
    return signs % 2 == 1


def _denial_differs(said: _Reading, other: _Reading) -> bool:
    """Whether what one denies is affirmed by the other, which denies nothing."""
    if other.negated and not said.negated:
        return bool(other.denied & said.ideas)
    if said.negated and not other.negated:
        return bool(said.denied & other.ideas)
    return False


def _same_limits(said: str, other: str) -> bool:
    limits = {(q.unit, q.amount): q.bound for q in quantities(other) if q.bound}
    return any(q.bound and limits.get((q.unit, q.amount)) == q.bound for q in quantities(said))


def _without_differs(said: str, other: str) -> bool:
    def things(rule: re.Pattern[str], text: str) -> set[str]:
        return {stem(word) for word in rule.findall(text)}

    lacks, has = things(_WITHOUT, said), things(_WITH, said)
    other_lacks, other_has = things(_WITHOUT, other), things(_WITH, other)
    return bool(
        (lacks - has) & (other_has - other_lacks) or (has - lacks) & (other_lacks - other_has)
    )


@lru_cache(maxsize=512)
def _read(text: str) -> _Reading:
    # "little or no effect" affirms as much as it denies.
    plain = re.sub(r"\b(?:or no|oder kein\w*)\b", "", text.casefold())
    tokens = _TOKEN.findall(plain)
    denied: set[str] = set()
    negated = False
    heads: set[int] = set()
    for i, word in enumerate(tokens):
        refused, avoided = _REFUSED.match(word), _AVOIDED.match(word)
        if not (is_denying(word) or refused or avoided):
            continue
        negated = True
        if refused or avoided:
            denied.add(IDEAS[stem("use")])
        if not refused:
            found = _heads(tokens, range(i + 1, len(tokens)))
            heads.update(found)
            heads.update(_same_before(tokens, i, found))
        if word == "nicht":
            heads.update(_heads(tokens, range(i - 1, -1, -1)))
    denied.update(_idea(tokens[i]) for i in heads)
    affirmed = {_idea(token) for i, token in enumerate(tokens) if i not in heads}
    words = frozenset(
        stem(token) for token in tokens if token[0].isalnum() and token not in _PASSED_OVER | _NOT
    )
    ideas = frozenset(IDEAS.get(word, word) for word in words)
    # "Keep them from children and do not store them above 25 °C" both affirms and denies.
    denied -= affirmed
    return _Reading(text, words, ideas, frozenset(denied), negated, _CONDITIONS & set(tokens))


def is_denying(token: str) -> bool:
    """Whether a case-folded word denies ("not", "kein", "isn't")."""
    return token in _NOT or token.endswith(("n't", "n’t"))


def _idea(token: str) -> str:
    return IDEAS.get(stem(token), stem(token))


def _same_before(tokens: Sequence[str], place: int, heads: Sequence[int]) -> list[int]:
    """Places before a "not" in its clause of the idea it denies: "use" in "use is not recommended"."""
    ideas = {_idea(tokens[i]) for i in heads}
    found = []
    for i in range(place - 1, -1, -1):
        if not tokens[i][0].isalnum() or tokens[i] in _JOINING:
            break
        if _idea(tokens[i]) in ideas:
            found.append(i)
    return found


def _heads(tokens: Sequence[str], places: range) -> list[int]:
    """The place of what a "not" denies: the first telling word from it on in its clause."""
    for i in places:
        if not tokens[i][0].isalnum():
            break
        if tokens[i] not in _PASSED_OVER:
            return [i]
    return []
