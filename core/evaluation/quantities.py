"""Numbers with their units, read apart from the support check so that one can find the other's mistakes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from core.domain.answers import Citation, DocumentCitation, GraphCitation, Sentence
from core.resources import read_table

# Spellings of a unit; two quantities are equal when number and unit are.
_UNITS = read_table(__file__, "quantities.toml")
_NUMBER = r"\d+(?:[.,]\d+)*"
_QUANTITY = re.compile(
    rf"(?<![\w.,])(?P<number>{_NUMBER})"
    + r"(?:[\s-]?(?:"
    + "|".join(f"(?P<u{place}>{'|'.join(found)})" for place, found in enumerate(_UNITS.values()))
    + r")(?!\w))?",
    re.IGNORECASE,
)
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_UNTOLD = re.compile(rf"\b({_NUMBER}) more\b")

Quantity = tuple[str, str]


def quantities(text: str) -> list[Quantity]:
    """Numbers of a text with the unit that follows, "" without one.

    ``1,000 mg`` and ``1000 mg`` are equal, as are ``2,5 mg`` and ``2.50 milligrams``; digits inside
    a word (B12) are no number.
    """
    found = []
    for match in _QUANTITY.finditer(text):
        unit = next(
            (name for place, name in enumerate(_UNITS) if match.group(f"u{place}") is not None), ""
        )
        found.append((_value(match.group("number")), unit))
    return found


def _value(written: str) -> str:
    """One spelling of a number; what has several points (a date, a section) stays as it is."""
    if _GROUPED.fullmatch(written):
        written = written.replace(",", "")
    point = written.replace(",", ".")
    return f"{Decimal(point).normalize():f}" if point.count(".") <= 1 else point


def invented_quantities(sentence: Sentence, citations: Sequence[Citation]) -> list[str]:
    """Quantities of a sentence that no quote and no fact it cites has.

    A number without a unit in the evidence goes with any ("20 to 30 mg"). A sentence about the graph
    may count: the facts that it cites, and those that it leaves out ("and 8 more").
    """
    known: set[Quantity] = {
        quantity for citation in citations for quantity in quantities(_evidence(citation))
    }
    facts = [citation for citation in citations if isinstance(citation, GraphCitation)]
    if facts:
        known.add((str(len(facts)), ""))
        known.update((_value(number), "") for number in _UNTOLD.findall(sentence.text))
    numbers = {value for value, _ in known}
    bare = {value for value, unit in known if not unit}
    return [
        f"{value} {unit}".strip()
        for value, unit in dict.fromkeys(quantities(sentence.text))
        if (value, unit) not in known and (value not in bare if unit else value not in numbers)
    ]


def _evidence(citation: Citation) -> str:
    if isinstance(citation, DocumentCitation):
        return citation.quote
    return " ; ".join((citation.source, citation.target, *citation.properties.values()))
