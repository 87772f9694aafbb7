"""Words that several languages took from Latin or Greek, as if one had spelt them all: "Otosklerose" and
"otosclerosis", "extrapiramidaal" and "extrapyramidal". Only for comparing, it is no word of any language.
"""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import combining, normalize

# What one language writes, and another; in this order.
_LETTERS = (
    ("ä", "e"), ("ö", "e"), ("ae", "e"), ("oe", "e"), ("ph", "f"), ("th", "t"), ("rh", "r"), ("y", "i"),
    ("c", "k"), ("z", "k"), ("qu", "kw"), ("x", "ks"),
)  # fmt: skip
_DOUBLED = re.compile(r"(.)\1")
# Of adjectives, which German and Dutch inflect ("-ous", "-ös"; "-ic", "-isch"; "-al", "-ell"), then of nouns
# ("-osis", "-ose"; "-ia", "-ie", "-y"; "-ism", "-isme", "-ismus").
_ENDINGS = (
    (re.compile(r"(?:ös|oes|ous|eus|euz)(?:e[mnrs]?)?$"), "os"),
    (re.compile(r"(?:isch|ical|ic|iek)(?:e[mnrs]?)?$"), "ik"),
    (re.compile(r"(?:al|aal|ell|eel)(?:e[mnrs]?)?$"), ""),
    (re.compile(r"os(?:is|en?)$"), "os"),
    (re.compile(r"(?:ien?|ia|y)$"), "i"),
    (re.compile(r"(?:is|u[ms]|[ae])$"), ""),
)
_REMEMBERED = 50_000  # words, as those of the names of a large graph
# Letters of a word whose ending says its language alone, not "Angina" and "Angine", and of one in which a
# doubled letter is the language's and no error: not "goutt".
_SHORTEST = 7


@lru_cache(_REMEMBERED)
def international(word: str, *, beside: bool = False) -> str:
    """A word in that spelling; one of few letters keeps its ending, and its doubled letters.

    Args:
        beside: it is one of several words, which say more together ("Typ 2").
    """
    folded = word.casefold()
    if beside or len(folded) >= _SHORTEST:
        for ending, common in _ENDINGS:
            folded, changed = ending.subn(common, folded)
            if changed:
                break
    for one, other in _LETTERS:
        folded = folded.replace(one, other)
    plain = "".join(sign for sign in normalize("NFKD", folded) if not combining(sign))
    return _DOUBLED.sub(r"\1", plain) if len(word) >= _SHORTEST else plain
