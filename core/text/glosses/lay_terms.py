"""Everyday words for findings, and the clinical terms for the same: "double vision", "diplopia".

``lay_terms.tsv`` has them from ICD-10-CM, which is in the public domain (`train.lay_terms`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from core.resources import read_text
from core.text.spelling.short_forms import ShortForm

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_BRITISH = ((r"\bhem", "haem"), ("emi(?=a)", "aemi"), (r"\besoph", "oesoph"), (r"\bedem", "oedem"))
_MOST_WORDS = 3  # of a term
_ENDINGS = ("", "s", "ing")


def terms_for(text: str) -> Iterator[ShortForm]:
    """The terms that a text has, lay or clinical, as it writes them, each with the other ones for it, in
    British and American spelling."""
    words = list(_WORD.finditer(text))
    folded = [one.group().casefold() for one in words]
    for first in range(len(words)):
        for last in range(first, min(first + _MOST_WORDS, len(words))):
            others = _others().get(" ".join(folded[first : last + 1]), ())
            said = text[words[first].start() : words[last].end()]
            yield from (ShortForm(said, other) for other in others)


@cache
def _others() -> Mapping[str, tuple[str, ...]]:
    """What else is said for a term, by each of its forms."""
    found: dict[str, list[str]] = {}
    for line in read_text(__file__, "lay_terms.tsv").splitlines():
        clinical, lay = line.split("\t")
        for one, other in ((clinical, lay), (lay, clinical)):
            for way in _ways(one):
                for ending in _ENDINGS:
                    found.setdefault(f"{way}{ending}", []).extend(_ways(other))
    return {key: tuple(dict.fromkeys(others)) for key, others in found.items()}


def _ways(term: str) -> list[str]:
    """A term, which is written as Americans do, also as the British write it."""
    british = term
    for one, other in _BRITISH:
        british = re.sub(one, other, british)
    return list(dict.fromkeys((term, british)))
