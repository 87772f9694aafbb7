"""Limits of numbers: "at least", "up to", and what a "not" makes of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.text.sentences import sentence_breaks

AT_LEAST, AT_MOST = 1, -1
_MORE = "more|greater|longer|later|older|higher|heavier"
_LESS = "less|fewer|lower|younger|shorter|earlier|lighter"
_MEHR = "mehr|länger|später|älter|größer|höher|schwerer"
_WENIGER = "weniger|geringer|niedriger|jünger|kürzer|früher|kleiner|leichter"
_MEER = "meer|langer|later|ouder|groter|hoger|zwaarder"
_MINDER = "minder|lager|jonger|korter|eerder|kleiner|lichter"
_LEAST = (
    rf"(?P<plain_least>(?:not?|nicht|niet) (?:{_LESS}|{_WENIGER}|{_MINDER}) (?:than|als|dan))|at least|"
    rf"(?:a )?minimum(?: of)?|(?:equal to or )?(?:{_MORE}) than|over|above|exceed(?:s|ing)?|from|"
    rf"mindestens|(?:{_MEHR}) (?:als|oder gleich)|über|ab|"
    rf"minstens|ten ?minste|minimaal|(?:{_MEER}) dan|boven|vanaf"
)
_MOST = (
    rf"(?P<plain_most>(?:not?|nicht|niet) (?:{_MORE}|{_MEHR}|{_MEER}) (?:than|als|dan))|"
    rf"up to(?: and including)?|at most|maximum(?: of)?|(?:equal to or )?(?:{_LESS}) than|under|below|within|"
    rf"höchstens|maximal|bis zu|(?:{_WENIGER}) (?:als|oder gleich)|unter|"
    rf"hoogstens|ten hoogste|maximaal|(?:{_MINDER}) dan|onder"
)
_OR_EQUAL = r"(?:\s+(?:or|oder|of) (?:equal to|gleich|gelijk aan))?"
_BOUND = re.compile(
    rf"(?:(?P<least>(?<!\w)(?:{_LEAST}){_OR_EQUAL}|≥|>=?)|(?P<most>(?<!\w)(?:{_MOST}){_OR_EQUAL}|≤|<=?))\s*"
    r"(?:a |an |the )?(?:age of )?$",
    re.I,
)
_AFTER = re.compile(
    r"\s*(?:of age,? )?(?:(?P<least>"
    rf"(?:or|and) (?:{_MORE}|over|above)|(?:oder|und) (?:{_MEHR}|darüber)|(?:of|en) (?:{_MEER}))|(?P<most>"
    rf"(?:or|and) (?:{_LESS}|under|below)|(?:oder|und) (?:{_WENIGER}|darunter)|(?:of|en) (?:{_MINDER})|"
    r"at (?:the )?most))\b", re.I
)  # fmt: skip
# A limit that is no part of what it limits: "more than 30", "< 30".
_BEYOND = re.compile(
    rf"(?:(?<!\w)(?<!not )(?<!no )(?<!nicht )(?<!niet )(?:(?:{_MORE}|{_LESS}) than|over|above|under|below"
    rf"|(?:{_MEHR}|{_WENIGER}) als|über|unter|(?:{_MEER}|{_MINDER}) dan|boven|onder)|[<>])\s*$",
    re.IGNORECASE,
)
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


def without_bound(text: str) -> str:
    """A text without the words at its end that make a limit of a number behind it ("to less than")."""
    found = _BOUND.search(text)
    return text[: found.start()] if found else text


def is_beyond(text: str, start: int) -> bool:
    """Whether the number that begins there is the limit of what lies beyond it: 30 is no part of "> 30"."""
    return _BEYOND.search(text, max(0, start - 20), start) is not None


def is_bound_behind(text: str, start: int) -> bool:
    """Whether words that make a limit of the number before them begin there ("or more")."""
    return _AFTER.match(text, start) is not None


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
