"""Ways to write a word that differ between British and American English, and hyphens."""

from __future__ import annotations

# What one side writes, and the other; either may stand in a name or in what people type.
SPELLINGS = (
    ("ae", "e"), ("oe", "e"), ("our", "or"), ("isation", "ization"), ("ise", "ize"), ("yse", "yze"),
    ("lys", "lyz"), ("tre", "ter"), ("-", " "),
)  # fmt: skip


def in_one_spelling(text: str) -> str:
    """A text in lower case with all of these written in the one way; only for comparing, it is no English."""
    for one, other in SPELLINGS:
        text = text.replace(one, other)
    return text
