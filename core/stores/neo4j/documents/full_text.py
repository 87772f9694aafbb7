"""What a person typed as a Lucene expression."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.stores.neo4j.documents.schema import words

# Words are joined by OR; more than this only slow the search down.
_MOST_WORDS = 64


def match_expression(query: str, phrases: Sequence[str] = ()) -> str:
    """Any word of the query, and every phrase; "" when there is no word.

    Words are quoted: nothing a person types is read as Lucene's syntax. They are taken apart as the
    embedded store does, before accents and signs are resolved.
    """
    asked = words(" ".join(re.findall(r"\w+", query)[:_MOST_WORDS]))
    if not asked:
        return ""
    any_word = " OR ".join(f'"{word}"' for word in dict.fromkeys(asked[: 2 * _MOST_WORDS]))
    parts = [words(phrase)[:_MOST_WORDS] for phrase in phrases]
    required = [f'+"{" ".join(part)}"' for part in parts if part]
    return " ".join([*required, f"+({any_word})"]) if required else any_word
