"""The kind of a question, by keywords alone (docs/requirements.md, "query routing"), and the strategy that
it selects for its plan."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from core.resources import read_table

# Keyword -> relationship types that tell of it.
_ALONG: dict[str, list[str]] = read_table(__file__, "routing.toml")["along"]


class QueryType(StrEnum):
    SEMANTIC = "semantic"
    STRUCTURAL = "structural"
    EXACT = "exact"
    HYBRID = "hybrid"


# Whole words, first match wins: "allergy" is not "all", "likely" is not "like".
_ROUTES = (
    (QueryType.SEMANTIC, re.compile(r"\b(?:similar|like)\b", re.IGNORECASE)),
    (QueryType.STRUCTURAL, re.compile(r"\b(?:pathway|mechanism)\b", re.IGNORECASE)),
    (QueryType.EXACT, re.compile(r"\b(?:list|all)\b", re.IGNORECASE)),
)


def route(question: str) -> QueryType:
    """The query type of a question; `HYBRID` when no keyword is in it."""
    for query_type, pattern in _ROUTES:
        if pattern.search(question):
            return query_type
    return QueryType.HYBRID


@dataclass(frozen=True, slots=True)
class Strategy:
    """How the graph is asked for a question of one type (KG-41 to 45).

    Attributes:
        by_vectors: what is like a named entity by its vector counts as named too.
        along: relationship types that are followed first; none means all alike.
        everything: sets are told whole.
    """

    by_vectors: bool = False
    along: tuple[str, ...] = ()
    everything: bool = False


HYBRID = Strategy()


def strategy(query_type: QueryType, question: str) -> Strategy:
    """The strategy of a question of one type: "similar" by vectors, "pathway" and "mechanism" along the
    relationships that tell of them, "list" and "all" complete, the rest as it is usual."""
    match query_type:
        case QueryType.SEMANTIC:
            return Strategy(by_vectors=True)
        case QueryType.STRUCTURAL:
            said = [
                names
                for word, names in _ALONG.items()
                if re.search(rf"\b{word}\b", question, re.IGNORECASE)
            ]
            return Strategy(along=tuple(dict.fromkeys(name for names in said for name in names)))
        case QueryType.EXACT:
            return Strategy(everything=True)
        case QueryType.HYBRID:
            return HYBRID
