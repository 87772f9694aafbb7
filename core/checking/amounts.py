"""The statements of a passage as numbers are compared with them: with their telling words, the label
they stand under ("High blood pressure: ...") and their quantities."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from core.checking.contradictions import IDEAS
from core.resources import read_table
from core.text.language import has_decimal_comma
from core.text.quantities import DATE, Quantity, normalised, quantities
from core.text.sentences import sentence_spans
from core.text.stems import content_words, stem
from core.text.units import PERIODS, UNITS

_NO_DOSE = frozenset(
    {"", DATE, "time", "dose", "hour", "month", "°C", "°F", "mm", "m2", "mmHg", "kcal", "kJ"}
)
_A_BODY = 1_000_000  # the factor of kg: a person's weight, no dose


def _words(name: str) -> dict[str, re.Pattern[str]]:
    table = read_table(__file__, "amounts.toml")[name]
    return {key: re.compile(rf"(?i)\b(?:{'|'.join(rules)})\b") for key, rules in table.items()}


ROLES = _words("roles")
POPULATIONS = _words("populations")
_UNIT_STEMS = frozenset(stem(name) for name in UNITS) | frozenset(
    stem(word) for rule in PERIODS.values() for word in re.findall(r"[^\W\d_]{3,}", rule)
)
_LABEL_LENGTH = 90  # characters


@dataclass(frozen=True, slots=True)
class EvidenceStatement:
    """A statement of the evidence, and what it stands under (title, heading)."""

    text: str
    context: str


@dataclass(frozen=True, slots=True)
class StatementPart:
    """A statement's text as compared: normalised, with its quantities and its telling words.

    Attributes:
        wide: words also of the label that holds until the next ("High blood pressure: ...").
        numbers: (unit, amount, bound) of each quantity, and (unit, amount, 0).
    """

    text: str
    context: str
    found: tuple[Quantity, ...]
    words: frozenset[str]
    wide: frozenset[str]
    numbers: frozenset[tuple[str, Fraction, int]]

    def has(self, one: Quantity) -> bool:
        """Whether the amount stands in the statement."""
        return (one.unit, one.amount, 0) in self.numbers

    def having(self, one: Quantity) -> list[Quantity]:
        """The quantities of the statement that are the same amount."""
        return [other for other in self.found if same_amount(one, other)]


def same_amount(one: Quantity, other: Quantity) -> bool:
    """Whether two quantities are the same amount; a bare number is no amount of anything."""
    if not one.unit:
        return one.value == other.value and not other.unit
    return one.unit == other.unit and one.amount == other.amount


def is_dose(one: Quantity) -> bool:
    """Whether a quantity may be a dose or a share: no time, date, temperature or body weight."""
    return one.unit not in _NO_DOSE and one.factor != _A_BODY


@lru_cache(maxsize=1024)
def _parts_of(text: str, context: str, comma: bool | None) -> tuple[StatementPart, ...]:
    """A statement cut at its semicolons; what stands before a colon holds for all of them."""
    parts = []
    plain = normalised(text)
    for start, end in sentence_spans(plain):
        label = labels = ""
        for piece in filter(str.strip, re.split(r";\s+", plain[start:end])):
            head = _label(piece)
            labels = f"{labels} {head}"
            words_of = piece if head else f"{label} {piece}"
            parts.append(_part(piece, context, words_of, labels, comma))
            label = head or label
    return tuple(parts)


def _label(text: str) -> str:
    head, colon, rest = text.partition(":")
    return head if colon and rest.strip() and len(head) <= _LABEL_LENGTH else ""


def _part(text: str, context: str, words_of: str, label: str, comma: bool | None) -> StatementPart:
    plain = normalised(text)
    words = telling_words(words_of)
    found = tuple(quantities(plain, comma))
    numbers = frozenset((q.unit, q.amount, bound) for q in found for bound in {0, q.bound})
    return StatementPart(plain, context, found, words, words | telling_words(label), numbers)


def spoken_part(said: str, evidence: Sequence[EvidenceStatement]) -> StatementPart:
    """A sentence of an answer, its numbers read as those of its evidence are."""
    return _part(said, "", said, "", _has_decimal_comma(evidence))


def telling_words(text: str) -> frozenset[str]:
    """Stems of the words that tell what a text speaks of, one for each idea, and the roles in it."""
    found = {stem(word) for word in content_words(text) if not re.search(r"\d", word)}
    roles = frozenset(name for name, rule in ROLES.items() if rule.search(text))
    return frozenset(IDEAS.get(word, word) for word in found - _UNIT_STEMS) | roles


def _with_labels(parts: Sequence[StatementPart]) -> list[StatementPart]:
    """A label holds also for the following statements, until the next one."""
    labelled = []
    label: frozenset[str] = frozenset()
    for part in parts:
        own = _label(part.text)
        label = telling_words(own) if own else label
        labelled.append(replace(part, wide=part.wide | label))
    return labelled


def parts_of(evidence: Sequence[EvidenceStatement]) -> list[StatementPart]:
    """The parts of the statements of cited passages, in order."""
    comma = _has_decimal_comma(evidence)
    return _with_labels(
        [part for one in evidence for part in _parts_of(one.text, one.context, comma)]
    )


def _has_decimal_comma(evidence: Sequence[EvidenceStatement]) -> bool | None:
    return has_decimal_comma(" ".join(one.text for one in evidence))
