"""What is measured: the amounts of a text by their units, and rows of a table that are for a range of what a
question gives a number of ("body surface area 1.67 - 1.78 m2")."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache, lru_cache

from core.domain.leaflets.conditions import (
    Age,
    Amount,
    DocumentCondition,
    KidneyFunction,
    Strength,
    Weight,
)
from core.evidence.passages import Quote
from core.evidence.patients.beside.findings import change_in, names_any, of_change, of_finding
from core.evidence.patients.beside.ranges import Bounds, bounds_in
from core.questions.leaflets.reader import conditions_told
from core.resources import read_table
from core.text.quantities import Quantity, normalised, quantities
from core.text.spelling.medicines import substances_in
from core.text.tables.told import with_units

TIME = "time"
_TIMES = ("hour", "month")  # base units of what may be told in either
_DOSES = ("mg", "ml", "unit", "%", "tablet", "capsule", "drop", "dose", "rank")
_HEAD_WITH_UNIT = re.compile(r"\s*[(\[](?P<unit>[^()\[\]:;]{1,30})[)\]]:\s*(?P<cell>[^;]*)")
_WORD = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
_LONGEST_LABEL = 120  # characters of a cell with its head
_FIRST_COLUMNS = 2  # of a table, in which a row says what it is for
_SHORTEST = 4  # letters of a word of a head
_BESIDE = 4  # words between an amount and the name of what is taken
_CONCENTRATION = "/ml"  # of what is measured in blood
# "level of 25", "trough came back 27"; no number that has a unit of its own.
_BEHIND_NAME = (
    r"(?:\W+[^\W\d]+){0,3}?\W+(?P<number>\d+(?:[.,]\d+)?)(?![\d.,]*\d)"
    r"(?!\s?[^\W\d_]*/|\s?(?:%|mg|g|ml|kg)\b)"
)


def in_range(quote: Quote, asked: Iterable[DocumentCondition], question: str) -> bool | None:
    """Whether a row of a table is for a range of a measure that the question gives a number of, with its unit
    or behind what the column is called ("a level of 25"), that this lies in; None where it is for no such
    range. Ages, weights and clearances are told otherwise; doses and times are no such measures."""
    held = list(_holding(quote, asked, question)) if quote.row else []
    return all(held) if held else None


def is_for_finding(quote: Quote, question: str) -> bool:
    """Whether a row of a table is for the range of a finding that it names and whose number the question gives:
    "ALT 78" in "ALT or AST 50 to 100 U/L". An age, a weight or a clearance is none."""
    held = _of_label(_first_cells(quote), question) if quote.row else ()
    return bool(held) and all(held) and not _is_called_by_patients(quote)


def _is_called_by_patients(row: Quote) -> bool:
    told = conditions_told(with_units(row.parts[0]), of_row=True)
    return any(isinstance(one, Age | Weight | KidneyFunction) for one in told)


def _holding(quote: Quote, asked: Iterable[DocumentCondition], question: str) -> Iterator[bool]:
    """Of each range that a number is given for, whether that lies in it."""
    numbers = [one for one in asked if isinstance(one, Amount | Strength)]
    changed = change_in(question)
    named = changed is not None and names_any(question, (*quote.labels, *quote.parts))
    yield from _of_label(_first_cells(quote), question)
    # What a finding has come from and to lies in no range by itself.
    measured = [one for one in numbers if _is_measure(one.unit) and changed is None]
    for one in measured:
        yield from _in_row(one, quote.parts)
    for place, part in enumerate(quote.parts):
        if not place:  # what is taken already is looked up in the first column of conversions
            for one in _taken(part, numbers, question) if any(_ranges(with_units(part))) else ():
                yield from _in_cell(one, with_units(part))
        if changed is not None:
            yield from of_change(part, changed, named)
        if (amount := _said_bare(part, question)) is not None:
            for each in _ranges(with_units(part)):
                if _is_measure(_unit_of(each)[0]):
                    yield each.holds(amount)


def _in_row(one: Amount | Strength, parts: Iterable[str]) -> Iterator[bool]:
    """Whether an amount lies in the ranges of the first cell that has some of its unit: those behind it say
    what is done and until when ("restart below 5.0"). Of columns that are called by ranges ("below 50 units: 2
    units") one is enough."""
    columns: list[bool] = []
    for part in parts:
        head, colon, _ = part.partition(": ")
        if colon and (called := list(_in_cell(one, head))):
            columns += called
        elif held := list(_in_cell(one, with_units(part))):
            yield from held
            break
    if columns:
        yield any(columns)


def _in_cell(one: Amount | Strength, cell: str) -> Iterator[bool]:
    """Of each range of a cell that is of an amount's unit, whether that lies in it."""
    for each in _ranges(cell):
        unit, size = _unit_of(each)
        if unit == one.unit:
            yield each.holds(Fraction(str(one.amount)) / size)


def _first_cells(row: Quote) -> tuple[str, ...]:
    """The cells in which a row may say what it is for, each with its head; of a table without heads the first,
    behind what the table is called."""
    if len(row.parts) == 1:
        first = row.parts[0].partition(": ")[0]
        if not any(_all_ranges(first)):  # "Neutropenia: ANC below 0.5; Withhold until ..."
            first = row.parts[0].partition("; ")[0]
        return (f"{row.labels[-1]} {first}" if row.labels else first,)
    cells = row.parts[:_FIRST_COLUMNS]
    return tuple(one for one in cells if not any(_all_ranges(one.partition(": ")[0])))


@lru_cache(maxsize=2_000)
def _of_label(cells: tuple[str, ...], question: str) -> tuple[bool, ...]:
    """Whether the number that a question gives of a finding lies in the ranges of the first of these cells that
    has some; () where none has."""
    if not _DIGIT.search(question):
        return ()
    labels = (one for one in cells if len(one) <= _LONGEST_LABEL)
    return next(filter(None, (tuple(of_finding(one, question)) for one in labels)), ())


def _taken(
    part: str, numbers: Iterable[Amount | Strength], question: str
) -> list[Amount | Strength]:
    """The amounts of a question that stand beside the name of the medicine that a cell's column is called by:
    "120 mg oral morphine" of "Oral morphine in 24 hours: 90 mg to 149 mg"."""
    named = substances_in(part.partition(":")[0])
    found = []
    for one in numbers if named else ():
        place = question.find(one.written)
        behind = question[place + len(one.written) :].split()[:_BESIDE] if place >= 0 else []
        before = question[:place].split()[-_BESIDE:] if place >= 0 else []
        if any(named & substances_in(" ".join(words)) for words in (behind, before)):
            found.append(one)
    return found


def _said_bare(part: str, question: str) -> Fraction | None:
    """The number without a unit that a question has right behind what a cell's column is called, or behind a
    word of that ("level 0.5" of "Serum level"), where it is not the level of something else."""
    head = _HEAD_WITH_UNIT.search(part)
    called = part[: head.start()].strip() if head else ""
    if not called or not called[-1].isalpha():
        return None
    words = [one for one in _WORD.findall(called) if len(one) >= _SHORTEST]
    for name in dict.fromkeys((called, *words)):
        found = re.search(
            rf"(?:(?<!\w)(?P<before>[^\W\d_]{{1,40}})\s{{1,3}})?(?<!\w){re.escape(name)}{_BEHIND_NAME}",
            question,
            re.IGNORECASE,
        )
        if found and (name == called or not _is_of_another(found["before"] or "", part, question)):
            return Fraction(found["number"].replace(",", "."))
    return None


def _is_of_another(word: str, part: str, question: str) -> bool:
    """Whether a word before "level" says that it is that of something which a cell's column does not name, or
    the column that of something which the question does not."""
    bare, column, asked = word.casefold(), part.casefold(), question.casefold()
    if bare in _analytes() and bare not in column:
        return True
    return any(one in column and one not in asked for one in _analytes())


def _unit_of(found: Bounds) -> tuple[str, Fraction]:
    """The unit that amounts of a range's are told in, and how much of it the range's own is."""
    one = next(iter(quantities(f"1 {found.unit}")), None)
    return (one.unit, one.amount) if one is not None else ("", Fraction(1))


def _ranges(cell: str) -> Iterator[Bounds]:
    """The ranges that a cell has, with the unit of its head where they have none."""
    return (bounds for bounds in _all_ranges(cell) if bounds.unit)


def _all_ranges(cell: str) -> Iterator[Bounds]:
    text = normalised(_HEAD_WITH_UNIT.sub(r": \g<cell> \g<unit>", cell))
    return (bounds for _, bounds in bounds_in(text))


@cache
def _analytes() -> frozenset[str]:
    return frozenset(read_table(__file__, "measures.toml")["analytes"])


def _is_measure(unit: str) -> bool:
    if unit.endswith(_CONCENTRATION):
        return True
    return bool(unit) and unit not in (TIME, *_TIMES) and not unit.startswith(_DOSES)


@lru_cache(maxsize=2_000)
def amounts_of(text: str) -> dict[str, set[Fraction]]:
    """The amounts of a text by what they are amounts of."""
    found: dict[str, set[Fraction]] = {}
    for one in quantities(text):
        if one.unit and not one.loose:
            found.setdefault(dimension(one), set()).add(one.amount)
    return found


def dimension(one: Quantity) -> str:
    """The unit of a quantity; one of all times."""
    return TIME if one.unit in _TIMES else one.unit
