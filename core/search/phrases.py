"""Phrases that a passage must have word for word.

Full text stems words and drops signs, so that what it finds is looked at again here: the phrase must
stand in the passage as it was typed. Case does not matter, nor does the kind or length of white space
(a phrase may run over a line's end).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.search.options import SearchOptions

# Straight, English, German and French quotation marks.
_QUOTED = re.compile(r'"([^"]*)"|“([^“”]+)[”“]|„([^„“”]+)[“”]|«([^«»]+)»|»([^«»]+)«')
_WORD = re.compile(r"\w")


def quoted_phrases(query: str) -> tuple[str, ...]:
    """What stands in quotation marks, each phrase once; those without a letter or digit are left out."""
    found = ("".join(groups).strip() for groups in _QUOTED.findall(query))
    return tuple(dict.fromkeys(phrase for phrase in found if _WORD.search(phrase)))


def exact_phrases(query: str) -> tuple[str, ...]:
    """The quoted phrases of a query; the whole query when it has none."""
    return quoted_phrases(query) or tuple(filter(_WORD.search, [query.strip()]))


def asked_phrases(query: str, options: SearchOptions) -> tuple[str, ...]:
    """The phrases that a passage must have for it to be found, by the mode of the search."""
    if options.mode == "exact":
        return exact_phrases(query)
    if options.mode == "semantic" or not options.quotes:
        return ()
    return quoted_phrases(query)


def no_passage_has(phrases: Sequence[str]) -> str:
    """A notice that the quotation marks do not count."""
    told = " and ".join(f"“{phrase}”" for phrase in phrases)
    return f"No passage has {told} word for word. These are found without the quotation marks."


def places(phrase: str, text: str) -> list[tuple[int, int]]:
    """Where a phrase stands in a text: offsets, end exclusive. A phrase ends where its words end:
    "art" is not in "heart"."""
    words = r"\s+".join(re.escape(word) for word in phrase.split())
    before = r"(?<!\w)" if phrase and _WORD.match(phrase[0]) else ""
    after = r"(?!\w)" if phrase and _WORD.match(phrase[-1]) else ""
    if not words:
        return []
    pattern = re.compile(f"{before}{words}{after}", re.IGNORECASE)
    return [match.span() for match in pattern.finditer(text)]


def has_all(phrases: Sequence[str], text: str) -> bool:
    """Whether every phrase stands in a text."""
    return all(places(phrase, text) for phrase in phrases)
