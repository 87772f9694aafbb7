"""The cells of a row in a text's line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.text.function_words import FUNCTION_WORDS_OF
from core.text.tables.lines import CELL_END, CUT, HEAD, SAME_AS_ABOVE, SAME_AS_LEFT

JOINED = ("", SAME_AS_ABOVE, SAME_AS_LEFT)
DIGITS = re.compile(r"\d+")

_ENDED = re.compile(r"[.!?:]$")
_RESTS = re.compile(r"[^\W\d_A-ZÄÖÜ]|[\d()%–-]|[A-Z]{2}")  # also "TVT/LE"
_BREAKS_OFF = re.compile(r"[-,(/]$")
_LITTLE = frozenset[str]().union(*FUNCTION_WORDS_OF.values())

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class RowCell:
    """A cell's words and where they stand; of a joined cell those of the one it is joined to."""

    text: str
    span: Span
    own: bool = True


def numbered(cells: Sequence[RowCell]) -> tuple[bool, ...]:
    """Which cells of a row have numbers."""
    return tuple(bool(DIGITS.search(cell.text)) for cell in cells)


def is_joined(cell: RowCell) -> bool:
    return not cell.own or cell.text in JOINED


def cells_of(text: str, line: Span) -> list[RowCell]:
    """The cells of a row; one that is joined to its neighbour has the mark of that as its text."""
    found = []
    start = line[0] + text[line[0] : line[1]].startswith(HEAD)
    for words in text[start : line[1]].removesuffix(CUT).split(CELL_END):
        bare = words.strip()
        begin = start + len(words) - len(words.lstrip())
        if words in (SAME_AS_ABOVE, SAME_AS_LEFT):
            found.append(RowCell(words, (start, start), own=False))
        else:
            found.append(RowCell(" ".join(bare.split()), (begin, begin + len(bare))))
        start += len(words) + 1
    return found


def completed(row: Sequence[RowCell], above: Sequence[RowCell]) -> list[RowCell]:
    """A row's cells with those that it has in common with the row above."""
    cells: list[RowCell] = []
    for column, cell in enumerate(row):
        same = cell.text == SAME_AS_ABOVE or (not column and cell.own and not cell.text)
        if same and len(above) == len(row):
            cells.append(RowCell(above[column].text, above[column].span, own=False))
        elif cell.text == SAME_AS_ABOVE:
            cells.append(RowCell("", cell.span))
        else:
            cells.append(cell)
    return cells


def is_cut(text: str, line: Span) -> bool:
    """Whether the page's end cuts the row on a line."""
    return text.endswith(CUT, *line)


def goes_on(row: Sequence[RowCell], cut: Sequence[RowCell]) -> bool:
    """Whether a row at the top of a page goes on with one that the page before cuts: each of its cells may be
    the rest of the one above, and one surely is; a row below the same label is none.

    Args:
        cut: the cells on the page before.
    """
    if len(row) != len(cut):
        return False
    pairs = [
        (above.text, cell.text)
        for above, cell in zip(cut, row, strict=True)
        if cell.text not in JOINED
    ]
    label = row[0].text in JOINED or _is_rest(cut[0].text, row[0].text)
    may = all(
        above not in JOINED and not _ENDED.search(above) and _RESTS.match(rest)
        for above, rest in pairs
    )
    # Behind two cells that are empty one alone is no row of its own.
    alone = len(pairs) == 1 and sum(cell.text in JOINED for cell in row) > 1
    return label and may and (alone or any(_is_rest(*pair) for pair in pairs))


def _is_rest(above: str, rest: str) -> bool:
    """Whether words surely go on with those above: they begin small where these did not, or these break off."""
    words = above.split()
    if not words:
        return False
    begins_small = rest[:1].islower() and not above[:1].islower()
    return begins_small or bool(_BREAKS_OFF.search(above)) or words[-1].casefold() in _LITTLE


def gone_on(row: Sequence[RowCell], cut: Sequence[RowCell]) -> list[RowCell]:
    """The cells of a row that a page's end cuts, at the top of the next one: each with its words there.

    Args:
        cut: the cells on the page before, as many.
    """
    whole: list[RowCell] = []
    for above, cell in zip(cut, row, strict=True):
        if cell.text in JOINED:
            whole.append(RowCell(above.text, above.span, own=False))
        elif above.text in JOINED:
            whole.append(cell)
        else:
            space = "" if above.text.endswith("-") and cell.text[:1].isalpha() else " "
            whole.append(RowCell(f"{above.text}{space}{cell.text}", cell.span))
    return whole
