"""Greek letters and their names are one in names of substances: "TNF-α" is "TNF-alpha", "anti-TIF1γ" is
"anti-TIF1gamma", and the "alfa" of nonproprietary names (WHO, INN) is "alpha"."""

from __future__ import annotations

import re
from unicodedata import name

# Without mu, which is the sign of a millionth ("μg"), and the sigma that only ends words. Unicode calls lambda
# "lamda".
_LETTERS = "αβγδεζηθικλνξοπρστυφχψω"
_LEAST = 4  # letters of a name that stands for its letter within a word ("tif1gamma", not "menu")
_NAMES = {one: name(one).split()[-1].lower().replace("lamda", "lambda") for one in _LETTERS}
_LETTER_OF = {said: letter for letter, said in _NAMES.items()}
_SPELT_OUT = str.maketrans(_NAMES)
_ANY = re.compile(f"[{_LETTERS}]")

_WORD = re.compile(r"[^\W_]+")
_ALPHA = re.compile(r"(?<![^\W_])alpha(?![^\W_])")
_ALFA = re.compile(r"(?<![^\W_])alfa(?![^\W_])")

GREEK_NAMES = tuple(_NAMES.values())
"""Names of the letters, in the order of the alphabet."""

_long = "|".join(one for one in _LETTER_OF if len(one) >= _LEAST)
# A name that ends or begins a word: "ifngamma", "beta2".
_WITHIN = re.compile(rf"(?<![^\W_])(?:{_long})(?=\d)|(?<=[^\W_])(?:{_long})(?![^\W_])")


def spelt_out(text: str) -> str:
    """A case-folded text with the names of its Greek letters in their place; a text that has none as it is.

    Lengths change: not for places in a text.
    """
    if "alfa" in text:
        text = _ALFA.sub("alpha", text)
    # Most texts with a dash or a degree sign have none, and to look takes a tenth of the time.
    return text.translate(_SPELT_OUT) if not text.isascii() and _ANY.search(text) else text


def written_forms(text: str) -> tuple[str, ...]:
    """A text, and its other ways of writing Greek letters, in lower case: their names, and the letters, also
    within a word ("tif1γ" of "tif1gamma"); itself alone where it has none."""
    folded = text.casefold()
    spelt = spelt_out(folded)
    forms = (spelt, _WORD.sub(_in_letters, spelt), _ALPHA.sub("alfa", spelt))
    return (text, *dict.fromkeys(one for one in forms if one != folded))


def _in_letters(word: re.Match[str]) -> str:
    whole = _LETTER_OF.get(word[0])
    return whole or _WITHIN.sub(lambda match: _LETTER_OF[match[0]], word[0])
