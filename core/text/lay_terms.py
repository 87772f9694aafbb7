"""What people write where leaflets use another word, in English and from German.

A consumer health vocabulary in small: each entry is a word of a question and the words that say the
same in a leaflet. It widens what counts as covered, never what is quoted. Written for this project
after the readability guideline's advice on lay terms (European Commission 2009, "Guideline on the
readability of the labelling and package leaflet of medicinal products for human use").
"""

from __future__ import annotations

from functools import lru_cache

from core.resources import read_table
from core.text.stems import stem


@lru_cache(maxsize=1)
def _table() -> dict[str, frozenset[str]]:
    table: dict[str, frozenset[str]] = {}
    for asked, meant in read_table(__file__, "lay_terms.toml").items():
        words = frozenset(stem(word) for word in meant.split())
        for word in asked.split(","):
            key = stem(word.strip())
            table[key] = table.get(key, frozenset()) | words
    return table


def meant_by(word: str) -> frozenset[str]:
    """Stems that say in a leaflet what a word of a question means; empty when there is no entry."""
    return _table().get(stem(word), frozenset())
