"""What a person typed as an FTS5 expression."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Words are joined by OR; more than this only slow bm25 down.
_MOST_WORDS = 64


def match_expression(query: str, phrases: Sequence[str] = ()) -> str:
    """Any word of the query, and every phrase; "" when there is no word.

    Words are quoted: nothing a person types is read as full-text syntax.
    """
    words = re.findall(r"\w+", query)[:_MOST_WORDS]
    if not words:
        return ""
    any_word = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
    # A phrase without a letter or digit has no token, and would match nothing.
    parts = [re.findall(r"[^\W_]+", phrase)[:_MOST_WORDS] for phrase in phrases]
    required = [f'"{" ".join(part)}"' for part in parts if part]
    return " AND ".join([f"({any_word})", *required])
