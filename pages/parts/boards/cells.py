"""What both boards share: the marks of sources, what columns are called, when a selection is over."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence

from core.domain.boards import BoardMedicine, Cell, Source

LETTERS = "**L** leaflet, **P** paper, **G** graph"
_MARKS = {Source.LEAFLET: "L", Source.PAPER: "P", Source.GRAPH: "G"}


def marks(cell: Cell) -> str:
    """ "L1 G1 ≠"; "denied" where nothing but denials was found."""
    said = [f"{_MARKS[one]}{cell.count(one)}" for one in cell.sources]
    if not said and any(one.denied for one in cell.passages):
        said = ["denied"]
    return " ".join([*said, *(["≠"] if cell.differences else [])])


def column_names(medicines: Sequence[BoardMedicine]) -> dict[str, str]:
    """Key -> what the column is called; namesakes are told apart by their ids."""
    counted = Counter(one.name for one in medicines)
    return {
        one.key: one.name if counted[one.name] == 1 else f"{one.name} ({one.key})"
        for one in medicines
    }


def same(medicines: Iterable[BoardMedicine], rows: Iterable[str] = ()) -> str:
    """Another one for other rows or columns: a selection is of a place."""
    keys = "\n".join([*(one.key for one in medicines), "", *rows])
    return hashlib.sha256(keys.encode()).hexdigest()[:16]
