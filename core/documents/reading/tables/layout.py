"""The text of a page with each row of its tables on one line (`core.text.tables`)."""

from __future__ import annotations

from collections.abc import Sequence

from core.documents.reading.broken_words import HYPHENS, JOINT
from core.documents.reading.tables.rows import Cell, Row
from core.documents.reading.tables.words import PlacedWord
from core.text.tables.lines import CELL_END, CUT, HEAD, INDENT, SAME_AS_ABOVE, SAME_AS_LEFT

_TOUCHING = 0.1  # line heights between two words drawn apart that are one: a name and its mark


def laid_out(
    text: Sequence[str], origins: Sequence[int], tables: Sequence[Sequence[Row]]
) -> tuple[list[str], list[int]]:
    """Characters and their origins, each table where its first word stood; all else as it is.

    Only white space is added or left out, and hyphens at a line's end inside a cell become `JOINT`.
    """
    table_of = {
        place: number
        for number, rows in enumerate(tables)
        for row in rows
        for word in words_of(row)
        for place in range(word.start, word.end)
    }
    page = _Copy(text, origins)
    laid: set[int] = set()
    behind = False  # whether what came last is of a table
    for place, character in enumerate(text):
        number = table_of.get(place)
        if number is None:
            if not (behind and character.isspace()):
                page.take(place)
                behind = False
            continue
        behind = True
        if number not in laid:
            laid.add(number)
            page.begin_line()
            for row in tables[number]:
                page.take_row(row)
    while page.text and page.text[-1] == "\n" and behind:
        page.text.pop()
        page.origins.pop()
    return page.text, page.origins


def words_of(row: Row) -> list[PlacedWord]:
    return [word for cell in row.cells for line in cell.lines for word in line]


class _Copy:
    """A page's characters, taken one by one in another order."""

    def __init__(self, text: Sequence[str], origins: Sequence[int]) -> None:
        self._from, self._places = text, origins
        self.text: list[str] = []
        self.origins: list[int] = []

    def take(self, place: int) -> None:
        self.text.append(self._from[place])
        self.origins.append(self._places[place])

    def blank(self, character: str) -> None:
        self.text.append(character)
        self.origins.append(self.origins[-1] if self.origins else 0)

    def begin_line(self) -> None:
        if self.text and self.text[-1] != "\n":
            self.blank("\n")

    def take_row(self, row: Row) -> None:
        if row.head or row.indented:
            self.blank(HEAD if row.head else INDENT)
        for place, cell in enumerate(row.cells):
            if place:
                self.blank(CELL_END)
            self._take_cell(cell)
        if row.cut:
            self.blank(CUT)
        self.blank("\n")

    def _take_cell(self, cell: Cell) -> None:
        if cell.left or cell.above:
            self.blank(SAME_AS_LEFT if cell.left else SAME_AS_ABOVE)
        last: PlacedWord | None = None
        for line in cell.lines:
            for word in line:
                if last is not None and self._are_apart(last, word, word is line[0]):
                    self.blank(" ")
                for place in range(word.start, word.end):
                    self.take(place)
                last = word

    def _are_apart(self, last: PlacedWord, word: PlacedWord, begins_line: bool) -> bool:
        if last.text.endswith(JOINT):
            return False
        if begins_line:
            parted = last.text[-1:] in HYPHENS and last.text[-2:-1].isalpha()
            if parted and word.text[:1].islower():
                if last.text.endswith("-"):
                    self.text[-1] = JOINT
                else:  # which hyphen it is tells more
                    self.blank(JOINT)
                return False
            return True
        if last.end <= word.start and "".join(self._from[last.end : word.start]).isspace():
            return True
        return word.box[0] - last.box[2] > _TOUCHING * max(word.height, last.height)
