"""Rows of a table as lines of a text, and what such a row says.

The text of a page has a row on one line. All that stands between its words is white space, so that the
text stays the page's own words: cells are apart by a tab, a row that names the columns begins with an em
space, and a cell that is one with its neighbour holds a no-break space (above) or a figure space (left).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.text.units import UNITS

CELL_END = "\t"
HEAD = "\u2003"
SAME_AS_ABOVE = "\u00a0"
SAME_AS_LEFT = "\u2007"

_CAPTION = re.compile(r"(?:table|tabelle|tabel|tableau)\s+(?:\d|[IVX]+\b|[A-Z]\b)", re.IGNORECASE)
_LONGEST_LABEL = 200  # characters of a row's one cell that is said of the rows below
_ENDS = ".!?"
_HEAD_WITH_UNIT = re.compile(r"\s*[(\[](?P<unit>[^()\[\];:]{1,30})[)\]]:\s*(?P<cell>[^;]*[^;.])")
_ENDS_IN_NUMBER = re.compile(r"\d$")
_UNIT_WORDS = frozenset(unit.casefold() for unit in UNITS)

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell's words and where they stand; of a joined cell those of the one it is joined to."""

    text: str
    span: Span
    own: bool = True


@dataclass(frozen=True, slots=True)
class ToldRow:
    """A row as it is told: with the caption, the row's group and the heads of its columns.

    Attributes:
        text: `lead` and the row's own words.
        lead: what `text` begins with: the caption, the label of the row's group.
        span: of the row in the text.
        with_it: where lead and heads stand, and cells that the row shares with the one above.
    """

    text: str
    lead: tuple[str, ...]
    span: Span
    with_it: tuple[Span, ...]


def is_row(line: str) -> bool:
    """Whether a line of a page's text is a row of a table."""
    return CELL_END in line


def is_caption(words: str) -> bool:
    """Whether a paragraph is a table's caption ("Table 2: ...")."""
    return bool(_CAPTION.match(words))


def told_rows(text: str, lines: Sequence[Span], caption: Span | None) -> list[ToldRow]:
    """What the rows of one table say, each by itself.

    A cell that is one with the cell above says the same; so does an empty first cell, which is how a
    group of rows is labelled once. Where a row has other cells than the heads, it is told without them.

    Args:
        lines: where the table's rows stand in `text`, one after the other.
        caption: where its caption stands.
    """
    rows = [_cells(text, line) for line in lines]
    count = 0
    while count < len(rows) and text[lines[count][0] : lines[count][1]].startswith(HEAD):
        count += 1
    heads = _heads(rows[:count])
    context = _context(text, caption, lines[:count])
    said = " ".join(text[slice(*caption)].split()).rstrip(" .:") if caption else ""
    told: list[ToldRow] = []
    label: _Cell | None = None
    above: list[_Cell] = []
    for place in range(count, len(rows)):
        cells = _completed(rows[place], above)
        own = [cell for cell in cells if cell.own and cell.text]
        if not own:
            continue
        is_single = sum(bool(cell.text) for cell in rows[place] if cell.own) == 1
        if is_single and len(rows[place]) > 1:
            one = next(cell for cell in rows[place] if cell.own and cell.text)
            label, above = (one if len(one.text) <= _LONGEST_LABEL else None), []
            if one.text.endswith(tuple(_ENDS)):
                told.append(ToldRow(one.text, (), one.span, ()))
            continue
        above = cells
        lead = [f"{said}: "] if said else []
        lead += [f"{label.text.rstrip(' :;')}; "] if label else []
        words = "".join([*lead, "; ".join(_parts(cells, heads))])
        span = (own[0].span[0], own[-1].span[1])
        shared = dict.fromkeys(c.span for c in cells if c.text and c.span[0] < c.span[1] <= span[0])
        with_it = (*context, *([label.span] if label else []), *shared)
        ended = words if words.endswith(tuple(_ENDS)) else f"{words}."
        told.append(ToldRow(ended, tuple(lead), span, with_it))
    return told


def with_units(row: str) -> str:
    """A told row with the units of its heads behind their numbers: "Weight (kg): 20 to 30" says
    "Weight: 20 to 30 kg"."""

    def moved(found: re.Match[str]) -> str:
        unit = found["unit"].strip()
        known = unit.split("/")[0].strip().casefold() in _UNIT_WORDS
        bare = _ENDS_IN_NUMBER.search(found["cell"])
        return f": {found['cell']} {unit}" if known and bare else found[0]

    return _HEAD_WITH_UNIT.sub(moved, row)


def _cells(text: str, line: Span) -> list[_Cell]:
    """The cells of a row; one that is joined to its neighbour has the mark of that as its text."""
    found = []
    start = line[0] + text[line[0] : line[1]].startswith(HEAD)
    for words in text[start : line[1]].split(CELL_END):
        bare = words.strip()
        begin = start + len(words) - len(words.lstrip())
        if words in (SAME_AS_ABOVE, SAME_AS_LEFT):
            found.append(_Cell(words, (start, start), own=False))
        else:
            found.append(_Cell(" ".join(bare.split()), (begin, begin + len(bare))))
        start += len(words) + 1
    return found


def _heads(rows: Sequence[Sequence[_Cell]]) -> list[str]:
    """What the columns are called, from one row of heads or several; empty without any."""
    if not rows or len({len(row) for row in rows}) > 1:
        return []
    heads = []
    for column in range(len(rows[0])):
        names: dict[str, None] = {}
        for row in rows:
            place = column
            while place and row[place].text == SAME_AS_LEFT:
                place -= 1
            if row[place].own and row[place].text:
                names[row[place].text] = None
        heads.append(" ".join(names).rstrip(" :"))
    return heads


def _completed(row: Sequence[_Cell], above: Sequence[_Cell]) -> list[_Cell]:
    """A row's cells with those that it has in common with the row above."""
    cells: list[_Cell] = []
    for column, cell in enumerate(row):
        same = cell.text == SAME_AS_ABOVE or (not column and cell.own and not cell.text)
        if same and len(above) == len(row):
            cells.append(_Cell(above[column].text, above[column].span, own=False))
        elif cell.text == SAME_AS_ABOVE:
            cells.append(_Cell("", cell.span))
        else:
            cells.append(cell)
    return cells


def _parts(cells: Sequence[_Cell], heads: Sequence[str]) -> list[str]:
    """Each cell with its head, or with the heads of all the columns that it stands in."""
    parts: list[str] = []
    names: list[list[str]] = []
    for column, cell in enumerate(cells):
        name = heads[column] if len(heads) == len(cells) else ""
        if cell.text == SAME_AS_LEFT:
            if names:
                names[-1].append(name)
            continue
        parts.append(cell.text)
        names.append([name])
    spoken = []
    for words, own in zip(parts, names, strict=True):
        head = " / ".join(dict.fromkeys(filter(None, own)))
        if words:
            spoken.append(f"{head}: {words}" if head else words)
    return spoken if any(any(own) for own in names) else [" | ".join(filter(None, parts))]


def _context(text: str, caption: Span | None, heads: Sequence[Span]) -> tuple[Span, ...]:
    """Where caption and heads stand, without white space around them."""
    spans = [*([caption] if caption else []), *heads]
    if not spans:
        return ()
    words = text[spans[0][0] : spans[-1][1]]
    start = spans[0][0] + len(words) - len(words.lstrip())
    return ((start, start + len(words.strip())),)
