"""Which rows of a signal board are shown, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from core.boards.differences import class_words
from core.domain.boards.records import BoardSource, FrequencyClass, SignalBoard, SignalRow
from core.domain.names import name_key
from core.errors import InputError

NO_CLASS = "none"  # beside the classes: rows to which no leaflet gives one


class Order(StrEnum):
    """What the rows are sorted by; ties by name."""

    FREQUENCY = "frequency"
    MEDICINES = "medicines"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class RowFilter:
    """What a row must have; nothing given leaves all.

    Attributes:
        text: in its name, or in a leaflet's words for it.
        sources: any of them says it of a medicine.
        classes: any of them is given by a leaflet; `NO_CLASS` for rows without any.
        differing: only rows in which sources differ.
    """

    text: str = ""
    sources: Sequence[BoardSource] = ()
    classes: Sequence[str] = ()
    differing: bool = False
    order: Order = Order.FREQUENCY

    @classmethod
    def read(
        cls, text: str, sources: Sequence[str], classes: Sequence[str], differing: bool, order: str
    ) -> RowFilter:
        """A filter from words as HTTP and the command line have them.

        Raises:
            InputError: an unknown source, class or order (``UNKNOWN_FILTER``).
        """
        _known(sources, [str(one) for one in BoardSource], "source")
        _known(classes, [*(str(one) for one in FrequencyClass), NO_CLASS], "class")
        _known([order], [str(one) for one in Order], "order")
        return cls(text, [BoardSource(one) for one in sources], classes, differing, Order(order))


def filtered(board: SignalBoard, only: RowFilter) -> SignalBoard:
    """The board with the rows that pass, sorted."""
    rows = [row for row in board.rows if _passes(row, only)]
    rows.sort(key=lambda row: (*_rank(row, only.order), row.name.casefold(), row.key))
    return replace(board, rows=tuple(rows))


def level_name(level: str) -> str:
    """A class, or `NO_CLASS`, as it is shown."""
    return "no class given" if level == NO_CLASS else class_words(FrequencyClass(level))


def _passes(row: SignalRow, only: RowFilter) -> bool:
    cells = row.cells.values()
    if only.differing and not row.differs:
        return False
    if only.sources and not any(cell.count(one) for cell in cells for one in only.sources):
        return False
    if only.classes:
        levels = {str(one.level) for cell in cells for one in cell.frequencies if one.level}
        if not (levels or {NO_CLASS}) & set(only.classes):
            return False
    wanted = name_key(only.text)
    if not wanted:
        return True
    said = [row.name, *(one.words for cell in cells for one in cell.passages)]
    return any(wanted in name_key(one) for one in said)


def _rank(row: SignalRow, order: Order) -> tuple[int, ...]:
    spoken = sum(bool(cell.sources) for cell in row.cells.values())
    if order is Order.MEDICINES:
        return (-spoken, _first_class(row))
    return (_first_class(row), -spoken) if order is Order.FREQUENCY else ()


def _first_class(row: SignalRow) -> int:
    classes = list(FrequencyClass)
    found = [classes.index(cell.level) for cell in row.cells.values() if cell.level]
    return min(found, default=len(classes))


def _known(asked: Sequence[str], known: Sequence[str], what: str) -> None:
    for one in asked:
        if one not in known:
            raise InputError(
                f"There is no {what} “{one[:40]}” to filter by.",
                advice=f"There are: {', '.join(known)}.",
                code="UNKNOWN_FILTER",
            )
