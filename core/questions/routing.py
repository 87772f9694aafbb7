"""The kind of a question, by keywords alone (docs/requirements.md, "query routing")."""

from __future__ import annotations

import re
from enum import StrEnum


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
