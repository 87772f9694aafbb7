"""What a question asks for, by keywords: standard sections, relationships, types of entities."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.domain.plans import Plan, Want
from core.resources import any_of, read_table

_ASKED = read_table(__file__, "asked.toml")
_SECTIONS = [(row["code"], any_of(row["en"] + row.get("de", []))) for row in _ASKED["sections"]]
_RELATIONSHIPS = [(any_of(row["en"]), row["types"]) for row in _ASKED["relationships"]]
_BESIDE: dict[str, str] = _ASKED["beside"]
_TYPES = [(any_of(row["en"]), tuple(row["types"])) for row in _ASKED["types"]]

_GRAPH_ALONE = frozenset(_ASKED["graph_alone"]["relationships"])

QUESTION_WORD = (
    r"(?:what|which|when|how|who|whom|why|where|can|could|should|is|are|does|do|may|must|list|show)"
)
_ASKS = re.compile(rf"{QUESTION_WORD}\b", re.IGNORECASE)
_GOES_ON = re.compile(r"(?:is|are|does|do|can|could|should|may|must)\b", re.IGNORECASE)


def asks(text: str) -> bool:
    """Whether a clause is a question of its own: "Of the drugs that treat X" is none."""
    return bool(_ASKS.match(text))


def goes_on(text: str) -> bool:
    """Whether a clause may only say more of the set before it: "... but are contraindicated in X"."""
    return bool(_GOES_ON.match(text))


def asked_sections(text: str) -> tuple[str, ...]:
    """Codes of the standard sections that a text asks for, most specific first."""
    return tuple(code for code, pattern in _SECTIONS if pattern.search(text))


def section_beside(plan: Plan) -> str:
    """Code of the section that is quoted beside a comparison by the graph; "" for none, and for what compares
    nothing."""
    if plan.want is not Want.COMPARE:
        return ""
    conditions = (each for one in plan.sets for each in one.all_conditions())
    names = (name for each in conditions for name in each.relationships)
    return next((_BESIDE[name] for name in names if name in _BESIDE), "")


def may_be_in_leaflets(plan: Plan) -> bool:
    """Whether leaflets may tell, too, what a plan asks of the graph."""
    conditions = [each for one in plan.sets for each in one.all_conditions()]
    named = {name for each in conditions for name in each.relationships}
    return bool(conditions) and named.isdisjoint(_GRAPH_ALONE)


def asked_spans(text: str, codes: Sequence[str]) -> list[tuple[int, int]]:
    """Where a text has the keywords that ask for these sections."""
    patterns = [pattern for code, pattern in _SECTIONS if code in codes]
    return [match.span() for pattern in patterns for match in pattern.finditer(text)]


def asked_relationships(text: str) -> tuple[str, ...]:
    """Relationship types that a text asks for, in the order of the table."""
    return tuple(
        name for pattern, names in _RELATIONSHIPS if pattern.search(text) for name in names
    )


def asked_types(text: str) -> tuple[str, ...]:
    """Types after "which", "what", "list" or "all" ("which drugs"); empty when none is asked for."""
    match = re.search(
        r"\b(?:which|what|list|all|show|name)\b((?:\s+\w+){1,4})", text, re.IGNORECASE
    )
    if match is None:
        return ()
    found = [
        (position.start(), types)
        for pattern, types in _TYPES
        if (position := pattern.search(match.group(1)))
    ]
    return min(found)[1] if found else ()
