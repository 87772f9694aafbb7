"""What a statement is said of, in terms that exclude each other: one study's figure is not another's.

The terms are of a few kinds: words (``contrasts.toml``: starting and maintenance dose, treated before or not),
numbered studies, which time something occurs, genotypes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

from core.resources import any_of, read_table

Contrasts = Mapping[str, frozenset[str]]
"""The terms that a text names, by their kind."""

SEVERITY = "severity"
_STUDY = re.compile(
    r"(?<!\w)(?:stud(?:y|ies|ie|ien|ium)|trials?)\s+(?:[A-Z]{1,4}-?)?"
    r"(?P<of>\d{1,2}(?:\s*(?:,|and|und|en|&|or|to)\s*\d{1,2})*)(?![\w.,-]*\d)",
    re.IGNORECASE,
)
_TIMES: dict[str, tuple[str, ...]] = {
    "1": ("first", "1st", "erste[nmrs]?", "eerste"),
    "2": ("second", "2nd", "zweite[nmrs]?", "tweede"),
    "3": ("third", "3rd", "dritte[nmrs]?", "derde"),
}
_OCCURS = "(?:occurrence|episode|recurrence|time|auftreten|episode|mal|keer|optreden)"
_OCCURRENCE = {
    number: any_of([rf"(?<!\w)(?:{'|'.join(words)})\s+{_OCCURS}(?!\w)"])
    for number, words in _TIMES.items()
}
_ALLELES = re.compile(r"(?<![\w*])\*\s?(\d+[A-Z]?)\s?/\s?\*\s?(\d+[A-Z]?)(?!\w)")


@cache
def _words() -> dict[str, dict[str, re.Pattern[str]]]:
    table = read_table(__file__, "contrasts.toml")
    return {
        kind: {
            value: any_of([rf"(?<!\w)(?:{'|'.join(words)})(?!\w)"])
            for value, words in values.items()
        }
        for kind, values in table.items()
    }


@lru_cache(maxsize=8_192)
def contrasts_of(text: str) -> Contrasts:
    """The terms that a text names, by kind; a kind of which it names none is not there."""
    found = {
        kind: frozenset(value for value, words in values.items() if words.search(text))
        for kind, values in _words().items()
    }
    numbers = (number for one in _STUDY.finditer(text) for number in re.findall(r"\d+", one["of"]))
    found["study"] = frozenset(numbers)
    found["occurrence"] = frozenset(
        number for number, words in _OCCURRENCE.items() if words.search(text)
    )
    found["genotype"] = frozenset(
        "/".join(sorted((one[1], one[2]))) for one in _ALLELES.finditer(text)
    )
    return {kind: values for kind, values in found.items() if values}


def contrasts_told(text: str, before: Sequence[str], heading: str) -> Contrasts:
    """The terms that a statement is said of: of each kind its own, else those of the nearest that was said before
    it, else those of its heading.

    Args:
        before: what stands before it in its paragraph, in order.
    """
    told = dict(contrasts_of(text))
    for other in (*reversed(before), heading):
        for kind, values in contrasts_of(other).items():
            told.setdefault(kind, values)
    return told


def opposed(asked: Contrasts, told: Contrasts, kinds: Iterable[str] | None = None) -> bool:
    """Whether a text is said of other terms than those asked about, in one of the kinds at least."""
    return any(
        kind in told and not asked[kind] & told[kind]
        for kind in (asked if kinds is None else kinds)
        if kind in asked
    )
