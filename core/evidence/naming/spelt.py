"""Whether a text has a medicine's name, as documents and questions write it."""

from __future__ import annotations

import re

from rapidfuzz.distance import Levenshtein

from core.text.spelling.greek import spelt_out
from core.text.spelling.medicines import substances

_FEWEST_LETTERS = 6  # of a name that may have one letter wrong
# What ends with a digit, a letter behind a digit or a capital behind a small letter is one of several alike.
_DESIGNATED = re.compile(r"\d[^\W\d_]?$|[a-zäöüß][A-ZÄÖÜ]$")
_NO_LETTER = re.compile(r"[^\w]+")
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")


def spells(name: str, text: str) -> bool:
    """Whether a text has a name; signs and spaces say nothing, a last letter little, and one letter may be
    wrong, but in a word that is another medicine's name. A short name, and one that ends with what tells it
    from its like ("DrugA", "beta-1a"), as it is."""
    wanted = _NO_LETTER.sub("", spelt_out(name.casefold()))
    folded = spelt_out(text.casefold())
    if len(wanted) < _FEWEST_LETTERS or _DESIGNATED.search(name):
        signs = r"[\W_]*".join(map(re.escape, wanted))
        return bool(re.search(rf"(?<![^\W_]){signs}(?![^\W_])", folded))
    if wanted[:-1] in _NO_LETTER.sub("", folded):
        return True
    asked = substances(wanted)
    return any(
        Levenshtein.distance(wanted, word, score_cutoff=1) <= 1
        and not (asked and substances(word) and asked.isdisjoint(substances(word)))
        for word in _WORD.findall(folded)
        if word[:1] == wanted[:1]
    )
