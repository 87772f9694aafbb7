"""Limits of numbers: "at least", "up to", and what a "not" makes of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.text.sentences import sentence_breaks

AT_LEAST, AT_MOST = 1, -1
_MORE = "more|greater|longer|later|older|higher"
_LESS = "less|fewer|lower|younger|shorter|earlier"
_LEAST = (
    rf"(?P<plain_least>not? (?:{_LESS}) than)|at least|(?:a )?minimum(?: of)?|(?:{_MORE}) than|over|above|"
    r"exceed(?:s|ing)?|from|mindestens|mehr als|länger als|älter als|über"
)
_MOST = (
    rf"(?P<plain_most>not? (?:{_MORE}) than)|up to|at most|maximum(?: of)?|(?:{_LESS}) than|under|below|"
    r"within|höchstens|maximal|bis zu|weniger als|unter"
)
_BOUND = re.compile(
    rf"(?:(?P<least>(?<!\w)(?:{_LEAST})|≥|>=?)|(?P<most>(?<!\w)(?:{_MOST})|≤|<=?))\s*"
    r"(?:a |an |the )?(?:age of )?$",
    re.I,
)
_AFTER = re.compile(
    r"\s*(?:of age,? )?(?:(?P<least>(?:or|and|oder|und) (?:more|over|older|above|longer|mehr|älter))|"
    r"(?P<most>(?:or|and|oder|und) (?:less|under|younger|below|weniger|jünger)|at (?:the )?most))\b", re.I
)  # fmt: skip
_NEGATED = re.compile(
    r"(?i)\b(?:not|never|cannot|avoid\w*|contraindicat\w*|nicht|nie(?:mals)?)\b(?! (?:more|less) than)|n['’]t\b"
)
_DIRECTLY = re.compile(
    r"(?!.*\b(?:if|when|where|in|with|given?|bei|wenn|mit)\b).{0,25}", re.IGNORECASE
)
_CLAUSE_END = re.compile(r"[;•|]")


def clause_ends(text: str) -> list[int]:
    """Where the clauses of a text end, in which a "not" holds, in order."""
    signs = (match.end() for match in _CLAUSE_END.finditer(text))
    return sorted([*signs, *(following for _, following in sentence_breaks(text, 0, len(text)))])


def limit(text: str, start: int, end: int, clauses: Sequence[int]) -> tuple[int, int]:
    """Of the number ``text[start:end]``: at least or at most, with a "not" in the same clause turned
    round ("do not store above 25 °C"), and as it is worded; 0 for neither.

    Args:
        clauses: as `clause_ends` gives them.
    """
    window = max(0, start - 30)
    before = _BOUND.search(text[window:start])
    match = before or _AFTER.match(text, end)
    if not match:
        return 0, 0
    bound = AT_LEAST if match["least"] else AT_MOST
    if before and (before["plain_least"] or before["plain_most"]):
        return bound, bound  # "no more than" has its "not" in it
    begin = max((place for place in clauses if place <= start), default=0)
    clause = text[begin : min((place for place in clauses if place > end), default=len(text))]
    negations = list(_NEGATED.finditer(clause))
    if not negations:
        return bound, bound
    direct = before and any(
        one.end() <= window + before.start() - begin
        and _DIRECTLY.fullmatch(clause[one.end() : window + before.start() - begin])
        for one in negations
    )
    return -bound, -bound if direct else bound
