"""What a person typed, as the words that passages are asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.stores.sqlite.words.ranking import WordQuery
from core.stores.sqlite.words.tokens import keys_of

_MOST_WORDS = 64  # that a query or phrase may have; more only slow the search down


def read_query(query: str, phrases: Sequence[str] = ()) -> WordQuery:
    """Any word of the query, and every phrase; false when there is no word."""
    words = dict.fromkeys(re.findall(r"\w+", query)[:_MOST_WORDS])
    # A phrase without a letter or digit has no word, and would match nothing.
    parts = (" ".join(re.findall(r"[^\W_]+", phrase)[:_MOST_WORDS]) for phrase in phrases)
    return WordQuery(tuple(keys_of(tuple(words))), tuple(keys_of(tuple(parts))))
