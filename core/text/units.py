"""Units of medicine texts in English and German, and the words that stand for numbers.

Own tables: quantulum3 reads English only and takes "5 mg a day" apart by guesses, pint reads no text;
neither knows tablets, IU or "zweimal täglich".
"""

from __future__ import annotations

import re
from fractions import Fraction

from core.resources import read_table

_TABLE = read_table(__file__, "units.toml")
UNITS = {
    name: (base, Fraction(factor))
    for base, rows in _TABLE["units"].items()
    for factor, names in rows.items()
    for name in names
}
# "Sprühstöße" is written so, and "sprühstösse" by folding its case.
_FOLDED = {name.casefold(): unit for name, unit in sorted(UNITS.items())}
COUNTED = frozenset(
    "time tablet capsule dose drop puff sachet injection patch vial spoonful suppository".split()
)
SINGULAR = frozenset(name for names in _TABLE["singular"].values() for name in names)
"""Names of counted things of which there is one."""

# What may stand between a number and the things that it counts.
_KIND = (
    r"(?:(?:film-?\s?coated|coated|whole|chewable|effervescent|soft|hard|white|oral|single|separate|"
    r"divided|equal|equally|evenly|more|full|level|further|additional)\s+)"
)
_WORDS = sorted((name for name in UNITS if len(name) > 1), key=len, reverse=True)
_END = r"(?![^\W\d_])(?!\d)"
UNIT = (
    rf"(?:(?:(?i:{_KIND}{{0,2}}(?:{'|'.join(map(re.escape, _WORDS))}))"
    rf"|[glLhmsdU](?![.-]\w)|x(?=\s)){_END}|%|°)"
)

# A period: in "3,000 mg a day", "daily", "in 24 hours", "pro Woche".
PERIODS = {name: "|".join(rules) for name, rules in _TABLE["periods"].items()}
PERIOD = {name: re.compile(rf"\s?(?:{rule})\b", re.IGNORECASE) for name, rule in PERIODS.items()}

_WORDS_OF: dict[str, dict[str, int]] = _TABLE["words"]
_ONES, _TENS = _WORDS_OF["ones"], _WORDS_OF["tens"]
ORDINALS, ADVERBS = _WORDS_OF["ordinals"], _WORDS_OF["adverbs"]
ARTICLES = frozenset({"one", "ein", "eine", "einen", "einer"})
_SIMPLE = "|".join(sorted((*_ONES, *_TENS), key=len, reverse=True))
_DIGITS = "one|two|three|four|five|six|seven|eight|nine"
NUMBER_WORD = rf"(?i:(?:{'|'.join(_TENS)})[\s-](?:{_DIGITS})\b|\b(?:{_SIMPLE})\b(?:\s(?:hundred|thousand)\b)?)"
_SCALES = {"hundred": 100, "thousand": 1000}


def word_value(words: str) -> int:
    """The value of a text that `NUMBER_WORD` matches: ``twenty-four`` is 24."""
    value = 0
    for word in re.split(r"[\s-]", words.casefold()):
        if word in _SCALES:
            value *= _SCALES[word]
        else:
            value += _ONES[word] if word in _ONES else _TENS[word]
    return value


def unit_of(written: str) -> tuple[str, Fraction]:
    """Base unit and factor of a text that `UNIT` matches; ``g`` is (mg, 1000)."""
    name = re.sub(rf"^(?i:{_KIND}{{0,2}})", "", written.strip())
    return UNITS[name] if name in UNITS else _FOLDED[name.casefold()]
