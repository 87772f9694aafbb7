"""Units of medicine texts in English and German, and the words that stand for numbers.

Own tables: quantulum3 reads English only and takes "5 mg a day" apart by guesses, pint reads no text;
neither knows tablets, IU or "zweimal täglich".
"""

from __future__ import annotations

import re
from fractions import Fraction

# base unit -> names, each with its factor. "t" units are kept apart from lengths and letters that
# are names: single letters are read in the case given here, all others in any case.
_TABLE: dict[str, dict[str, tuple[str, ...]]] = {
    "mg": {
        "1000000": ("kg", "kilogram", "kilograms", "kilogramm", "kilo", "kilos"),
        "1000": ("g", "gram", "grams", "gramm", "gramme", "grammes"),
        "1": ("mg", "milligram", "milligrams", "milligramm", "milligramme", "milligrammes"),
        "1/1000": (
            "μg", "ug", "mcg", "microgram", "micrograms", "microgramme", "microgrammes", "mikrogramm",
        ),
        "1/1000000": ("ng", "nanogram", "nanograms", "nanogramm"),
        "1/1000000000": ("pg", "picogram", "picograms", "pikogramm"),
    },
    "ml": {
        "1000": ("l", "L", "litre", "litres", "liter", "liters"),
        "100": ("dl",),
        "10": ("cl",),
        "1": ("ml", "millilitre", "millilitres", "milliliter", "milliliters", "cm3", "cc"),
        "1/1000": ("μl", "ul", "microlitre", "microlitres", "microliter", "microliters", "mm3"),
    },
    "mmol": {
        "1000": ("mol",),
        "1": ("mmol", "millimol", "millimole", "millimoles"),
        "1/1000": ("μmol", "umol", "micromol", "micromole", "micromoles"),
        "1/1000000": ("nmol", "nanomol"),
        "1/1000000000": ("pmol",),
    },
    "IU": {
        "1": (
            "iu", "i.u.", "ie", "i.e.", "U", "unit", "units", "international unit",
            "international units", "internationale einheiten", "einheit", "einheiten",
        ),
    },
    "%": {"1": ("%", "percent", "per cent", "prozent")},
    "°C": {"1": ("°c", "° c", "°", "degrees celsius", "degrees c", "grad celsius", "degrees")},
    "°F": {"1": ("°f", "degrees fahrenheit")},
    "hour": {
        "1/3600": ("s", "sec", "secs", "second", "seconds", "sekunde", "sekunden"),
        "1/60": ("min", "mins", "minute", "minutes", "minuten"),
        "1": ("h", "hr", "hrs", "hour", "hours", "hourly", "stunde", "stunden"),
        "24": ("d", "day", "days", "tag", "tage", "tagen"),
        "168": ("week", "weeks", "weekly", "wk", "wks", "woche", "wochen"),
    },
    "month": {
        "1": ("month", "months", "monthly", "monat", "monate", "monaten"),
        "12": ("year", "years", "yr", "yrs", "jahr", "jahre", "jahren"),
    },
    "mm": {"1": ("mm",), "10": ("cm",), "1000": ("m",), "1/1000000": ("nm",), "1/1000": ("μm", "um")},
    "m2": {"1": ("m2", "m^2", "square metre", "square metres", "quadratmeter")},
    "mmHg": {"1": ("mmhg", "mm hg")},
    "mEq": {"1": ("meq", "mval")},
    "kcal": {"1": ("kcal",)},
    "kJ": {"1": ("kj",)},
    "MBq": {"1": ("mbq",)},
    "time": {"1": ("time", "times", "mal", "x")},
    "tablet": {"1": ("tablet", "tablets", "tablette", "tabletten", "pill", "pills",
        "filmtabletten")},
    "capsule": {"1": ("capsule", "capsules", "kapsel", "kapseln", "hartkapseln")},
    "dose": {"1": ("dose", "doses", "dosis", "dosen", "einzeldosen", "einzeldosis", "gaben")},
    "drop": {"1": ("drop", "drops", "tropfen")},
    "puff": {"1": ("puff", "puffs", "inhalation", "inhalations", "hub", "hübe", "sprühstöße")},
    "sachet": {"1": ("sachet", "sachets", "beutel")},
    "injection": {"1": ("injection", "injections", "injektion", "injektionen")},
    "patch": {"1": ("patch", "patches", "pflaster")},
    "vial": {"1": ("vial", "vials", "ampoule", "ampoules", "ampulle", "ampullen")},
    "spoonful": {"1": ("spoonful", "spoonfuls", "teaspoon", "teaspoons", "teelöffel")},
    "suppository": {"1": ("suppository", "suppositories", "zäpfchen")},
}  # fmt: skip
UNITS = {
    name: (base, Fraction(factor))
    for base, rows in _TABLE.items()
    for factor, names in rows.items()
    for name in names
}
COUNTED = frozenset(
    "time tablet capsule dose drop puff sachet injection patch vial spoonful suppository".split()
)
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
PERIODS = {
    "hour": r"(?:/|an |per |each |every |pro )\s?(?:hour|hr|h|stunde)|hourly|stündlich",
    "minute": r"(?:/|a |per |each |pro )\s?(?:minute|min)",
    "day": r"(?:/|a |per |each |every |in a |in one |pro |am )\s?(?:day|d|tag)|daily|täglich|"
    r"(?:/|in |per |within |every |in any |over |innerhalb von )\s?24[\s-]?(?:hours?|hrs?|h|stunden)",
    "week": r"(?:/|a |per |each |every |in a |pro |in der )\s?(?:week|wk|woche)|weekly|wöchentlich",
    "month": r"(?:/|a |per |each |every |pro |im )\s?(?:month|monat)|monthly|monatlich",
    "dose": r"(?:/|a |per |each |pro |je )\s?(?:single )?(?:dose|dosis|einzeldosis|gabe)",
    "year": r"(?:/|a |per |each |every |pro |im )\s?(?:year|jahr)|yearly|jährlich|annually",
}
PERIOD = {name: re.compile(rf"\s?(?:{rule})\b", re.IGNORECASE) for name, rule in PERIODS.items()}

_UNITS_OF_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
    "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "dozen": 12,
    "null": 0, "ein": 1, "eine": 1, "einen": 1, "einer": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5,
    "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10, "elf": 11, "zwölf": 12, "zwanzig": 20,
    "dreißig": 30, "vierzig": 40, "fünfzig": 50, "sechzig": 60, "hundert": 100,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90,
}  # fmt: skip
ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "erste": 1, "ersten": 1, "zweite": 2, "zweiten": 2,
    "dritte": 3, "dritten": 3,
}  # fmt: skip
ADVERBS = {
    "once": 1, "twice": 2, "thrice": 3, "einmal": 1, "zweimal": 2, "dreimal": 3, "viermal": 4,
    "fünfmal": 5, "sechsmal": 6,
}  # fmt: skip
ARTICLES = frozenset({"one", "ein", "eine", "einen", "einer"})
_SIMPLE = "|".join(sorted((*_UNITS_OF_WORDS, *_TENS), key=len, reverse=True))
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
            value += _UNITS_OF_WORDS[word] if word in _UNITS_OF_WORDS else _TENS[word]
    return value


def unit_of(written: str) -> tuple[str, Fraction]:
    """Base unit and factor of a text that `UNIT` matches; ``g`` is (mg, 1000)."""
    name = re.sub(rf"^(?i:{_KIND}{{0,2}})", "", written.strip())
    return UNITS[name] if name in UNITS else UNITS[name.casefold()]
