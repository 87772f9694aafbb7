"""What a row of a table says, and what it is told with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest

from core.text.limits import is_bound_behind
from core.text.tables.cells import (
    DIGITS,
    JOINED,
    RowCell,
    Span,
    cells_of,
    completed,
    goes_on,
    gone_on,
    is_cut,
    is_joined,
    numbered,
)
from core.text.tables.lines import HEAD, INDENT, SAME_AS_LEFT, is_caption
from core.text.units import UNITS

_LONGEST_LABEL = 200  # characters of a row's one cell that is said of the rows below
_ENDS = ".!?"
_HEAD_WITH_UNIT = re.compile(r"\s*[(\[](?P<unit>[^()\[\];:]{1,30})[)\]]:\s*(?P<cell>[^;]*[^;.])")
# With the mark of a note behind it ("15 a"), which is no unit.
_NUMBER = re.compile(r"(?P<number>.*\d)(?:\s?(?:[*†‡§¶#]+|[abcef])|(?P<bound>(?:\s[^\W\d]+){2}))?")
# What compares at the end of a head, and the number in its cell.
_SIGN = (
    r"(?:and |or )?(?:(?:greater|more|higher|less|fewer|lower) than(?: or equal to)?|at least|up to|over|under"
    r"|above|below|[<>≤≥])"
)
_COMPARED_HEAD = re.compile(rf":?\s?(?P<sign>{_SIGN})\s?:\s?(?=\d)", re.IGNORECASE)
_AMOUNT_BEFORE = re.compile(r"\d\s?[^\W\d_]*\s*\Z")
_IN_TWO_CELLS = re.compile(
    rf"(?P<head>[^;:–]{{1,60}}) (?P<low>{_SIGN} \d[^;:]{{0,20}});"
    rf" (?:(?P=head) |(?=and |or ))(?P<high>{_SIGN} \d)",
    re.IGNORECASE,
)
_GOES_ON = re.compile(rf"(?=and |or ){_SIGN}\s*:", re.IGNORECASE)
_LIKE_A_HEAD = re.compile(r"[^\W\d][^\d()]*\((?P<unit>[^()\d]{1,30})\)\s?(?:[*†‡§¶#]+|[a-f])?")
# "Weeks 1 + 2", "Week 5 onward to maintenance", "Tage 1 bis 3"
_TIMES = re.compile(
    r"(?:weeks?|days?|months?|cycles?|wochen?|tage?|monate?|zykl(?:us|en)|weken|dag(?:en)?|maand(?:en)?)\b[^.;:]{0,4}"
    r"\d[^.;:]{0,30}",
    re.IGNORECASE,
)
_UNIT_WORDS = frozenset(unit.casefold() for unit in UNITS)


@dataclass(frozen=True, slots=True)
class ToldCell:
    """One cell of a row under the head of its column ("" where there is none); `own` is false for what the
    row shares with the one above."""

    text: str
    head: str
    span: Span
    own: bool


@dataclass(frozen=True, slots=True)
class ToldRow:
    """A row as it is told: with the caption, the row's group and the heads of its columns.

    Attributes:
        text: `lead` and the row's own words.
        lead: what `text` begins with: the caption, the label of the row's group.
        span: of the row in the text.
        with_it: where lead and heads stand, and cells that the row shares with the one above.
        cells: in the order of the columns.
        label: of the row's group, "" without one.
        whole: whether it is one with the last row of the page before, and tells both.
        parts: what `text` says behind `lead`: each cell with its head.
    """

    text: str
    lead: tuple[str, ...]
    span: Span
    with_it: tuple[Span, ...]
    cells: tuple[ToldCell, ...] = ()
    label: str = ""
    parts: tuple[str, ...] = ()
    whole: bool = False


def told_rows(text: str, lines: Sequence[Span], caption: Span | None) -> list[ToldRow]:
    """What the rows of one table say, each by itself.

    A cell that is one with the cell above says the same; so does an empty first cell, which is how a
    group of rows is labelled once. Where a row has other cells than the heads, it is told without them.

    Args:
        lines: where the table's rows stand in `text`, one after the other.
        caption: where its caption stands.
    """
    return RunningTable(text, caption).told(lines)


class RunningTable:
    """What is known of a table on the way down its rows.

    Args:
        caption: where its caption stands in `text`.
    """

    def __init__(self, text: str, caption: Span | None) -> None:
        self._text = text
        self._head_rows: list[list[RowCell]] = []
        self._shapes: set[tuple[bool, ...]] = set()
        self._cut: list[RowCell] | None = None
        self._begin(caption)

    def told(
        self,
        lines: Sequence[Span],
        cut: Sequence[RowCell] | None = None,
        heads: Sequence[str] = (),
    ) -> list[ToldRow]:
        """What the rows on these lines say, behind those that were told before; see `told_rows`.

        Args:
            cut: the cells of a row that the end of the page before cuts; the first of these may go on with it.
            heads: of the columns there; others end that.
        """
        found: list[ToldRow] = []
        read = [cells_of(self._text, line) for line in lines]
        for line, cells, after in zip_longest(lines, read, read[1:]):
            if after is not None and _names_times(cells, after):
                self.take_times(line, cells)
            elif self._text.startswith(HEAD, line[0]):
                self.take_head(line, cells)
                cut = cut if self._heads == list(heads) else None
            elif cut is not None and goes_on(cells, cut):
                rows = self.take_row(gone_on(cells, cut), self._text.startswith(INDENT, line[0]))
                over = tuple(one.span for one in cut if one.text not in JOINED)
                found += [
                    replace(one, whole=True, with_it=tuple(dict.fromkeys((*over, *one.with_it))))
                    for one in rows
                ]
                cut = None
            else:
                found += self.take_row(cells, self._text.startswith(INDENT, line[0]))
                cut = None
        self._cut = self._above if lines and is_cut(self._text, lines[-1]) else None
        return found

    @property
    def heads(self) -> list[str]:
        """What the columns are called."""
        return self._heads

    @property
    def cut(self) -> list[RowCell] | None:
        """The cells of the last row, where the page's end cuts it."""
        return self._cut

    def goes_on_in(self, line: Span) -> bool:
        """Whether a row at the top of the next page is of this table: it has as many cells as there are heads,
        numbers in the same ones as a row before, and names no columns itself."""
        if not self._heads or self._text.startswith(HEAD, line[0]):
            return False
        cells = cells_of(self._text, line)
        is_like = self._cut is not None or numbered(cells) in self._shapes
        return len(cells) == len(self._heads) and is_like

    def _begin(self, caption: Span | None) -> None:
        self._caption = caption
        self._heads: list[str] = []
        self._head_lines: list[Span] = []
        self._label: RowCell | None = None
        self._over: RowCell | None = None
        self._set_in = False
        self._above: list[RowCell] = []
        self._begun = False
        self._times: list[RowCell] = []
        self._times_line: list[Span] = []

    def take_times(self, line: Span, cells: list[RowCell]) -> None:
        """A row that labels those below it and names the times of their columns ("With X | Week 1 | Day 8")."""
        self._times, self._times_line = cells, [_bare(self._text, line)]
        self._over, self._set_in, self._above, self._begun = None, False, [], True
        self._label = None

    def take_head(self, line: Span, cells: list[RowCell]) -> None:
        """A row of heads; behind other rows it begins the columns anew."""
        if self._begun:
            self._begin(self._caption)
        rows = [*(self._head_rows if self._head_lines else []), cells]
        self._head_rows, self._heads = rows, _heads(rows)
        self._head_lines.append(line)

    def take_row(self, cells: list[RowCell], indented: bool) -> list[ToldRow]:
        """What a row says; nothing where it is a label of the rows below.

        Args:
            indented: whether it is told with the label of the row that it is set in below.
        """
        single = [cell for cell in cells if cell.own and cell.text not in JOINED]
        # A head of the rows below may stand in the middle ("Supplemental dose (mg)").
        if len(cells) > 1 and (single == cells[:1] or (len(single) == 1 and _is_head(single[0]))):
            return self._take_single(single[0])
        if self._times and not (is_joined(cells[0]) and len(cells) == len(self._times)):
            self._times, self._times_line = [], []
        if not indented:
            self._over = cells[0] if cells and cells[0].own and cells[0].text else None
            self._label = None if self._set_in else self._label
        self._set_in = indented
        self._shapes.add(numbered(cells))
        whole = completed(cells, self._above)
        own = [cell for cell in whole if cell.own and cell.text not in JOINED]
        if not own:
            return []
        self._above, self._begun = whole, True
        lead = []
        if self._caption:
            lead.append(f"{' '.join(self._text[slice(*self._caption)].split()).rstrip(' .:')} – ")
        over = self._over if indented else None
        labels = [one for one in (*self._times[:1], self._label, over) if one]
        lead += [f"{one.text.rstrip(' :;').lstrip('–- ')}; " for one in labels]
        known = self._heads_now(len(whole))
        parts = _parts(whole, known)
        words = "".join([*lead, "; ".join(parts)])
        span = (own[0].span[0], own[-1].span[1])
        shared = [c.span for c in whole if c.text not in JOINED and c.span[1] <= span[0]]
        context = [*self._context(), *self._times_line]
        with_it = tuple(dict.fromkeys([*context, *(one.span for one in labels), *shared]))
        ended = _ended(words)
        heads = known if len(known) == len(whole) else [""] * len(whole)
        told = tuple(
            ToldCell(cell.text, head, cell.span, cell.own)
            for cell, head in zip(whole, heads, strict=True)
            if cell.text not in JOINED
        )
        named = labels[-1].text if labels else ""
        return [ToldRow(ended, tuple(lead), span, with_it, told, named, tuple(parts))]

    def _heads_now(self, columns: int) -> list[str]:
        """What the columns are called, by the times that the row above names where it names some."""
        if len(self._times) != columns:
            return self._heads
        usual = self._heads if len(self._heads) == columns else [""] * columns
        return [
            "",
            *(one.text or head for one, head in list(zip(self._times, usual, strict=True))[1:]),
        ]

    def _take_single(self, cell: RowCell) -> list[ToldRow]:
        """The one cell of a row: a caption, a label of the rows below, or a sentence."""
        if is_caption(cell.text):
            self._begin(cell.span)
            return []
        if self._caption and _counts_on(self._text[slice(*self._caption)], cell.text):
            self._caption = None  # "Grade 4" below "Grade 3"
        self._over, self._set_in = None, False
        self._label, self._above = (cell if len(cell.text) <= _LONGEST_LABEL else None), []
        is_sentence = cell.text.endswith(tuple(_ENDS))
        return [ToldRow(cell.text, (), cell.span, ())] if is_sentence else []

    def _context(self) -> list[Span]:
        """Where caption and heads stand; in one stretch where only white space is between them."""
        spans = [_bare(self._text, span) for span in self._head_lines]
        spans = sorted([*([_bare(self._text, self._caption)] if self._caption else []), *spans])
        joined: list[Span] = []
        for start, end in spans:
            if joined and not self._text[joined[-1][1] : start].strip():
                joined[-1] = (joined[-1][0], end)
            else:
                joined.append((start, end))
        return joined


def _counts_on(words: str, other: str) -> bool:
    """Whether two labels are the same but for their numbers."""
    bare, others = (DIGITS.sub("#", " ".join(one.split())) for one in (words, other))
    return "#" in bare and bare == others


def _ended(words: str) -> str:
    return words if words.endswith((*_ENDS, ":")) else f"{words}."


def of_parts(lead: Sequence[str], parts: Sequence[str]) -> str:
    """What a row says of some of its `parts`, as `ToldRow.text` says it of all."""
    words = "".join([*lead, "; ".join(parts)])
    return _ended(words if parts else words.rstrip(" –;"))


def _bare(text: str, span: Span) -> Span:
    words = text[slice(*span)]
    start = span[0] + len(words) - len(words.lstrip())
    return start, start + len(words.strip())


@lru_cache(maxsize=8192)
def with_units(row: str) -> str:
    """A told row with the units of its heads behind their numbers: "Weight (kg): 20 to 30" says
    "Weight: 20 to 30 kg". A range whose ends stand in two columns is one: "Weight: greater than: 14 kg; Weight:
    and less than: 27 kg" says "Weight: greater than 14 kg and less than 27 kg"."""

    def moved(found: re.Match[str]) -> str:
        bare = _NUMBER.fullmatch(found["cell"])
        if bare is None or not _is_unit(found["unit"]):
            return found[0]
        behind = bare["bound"] or ""  # "80 or more"
        if behind and not is_bound_behind(behind, 0):
            return found[0]
        return f": {bare['number']} {found['unit'].strip()}{behind}"

    def put(found: re.Match[str]) -> str:
        # "12 years and over: 10 ml" is no head.
        is_limit = _AMOUNT_BEFORE.search(found.string, 0, found.start())
        return found[0] if is_limit else f" {found['sign']} "

    compared = _COMPARED_HEAD.sub(put, _HEAD_WITH_UNIT.sub(moved, row))
    return _IN_TWO_CELLS.sub(r"\g<head>: \g<low> \g<high>", compared)


def whole_range(parts: Sequence[str], place: int) -> str:
    """A cell of a told row, with the units of its head behind its numbers; the two ends of a range that stand
    in two cells are one: "Weight: greater than: 14 kg", "And less than: 27 kg"."""
    first = place - bool(place and _GOES_ON.match(parts[place]))
    last = first + bool(parts[first + 1 :] and _GOES_ON.match(parts[first + 1]))
    return with_units("; ".join(parts[first : last + 1]))


def _names_times(cells: Sequence[RowCell], after: Sequence[RowCell]) -> bool:
    """Whether a row has a label and else nothing but times, and the row after it goes on with the label."""
    if len(cells) < 3 or len(after) != len(cells) or is_joined(cells[0]):
        return False
    told = [one.text for one in cells[1:] if not is_joined(one)]
    goes_on = is_joined(after[0]) and not any(map(_TIMES.fullmatch, (one.text for one in after)))
    return goes_on and len(told) > 1 and all(map(_TIMES.fullmatch, told))


def _is_unit(words: str) -> bool:
    return words.split("/")[0].strip().casefold() in _UNIT_WORDS


def _is_head(cell: RowCell) -> bool:
    """Whether a cell has a unit in brackets, and no number that would be of it."""
    found = _LIKE_A_HEAD.fullmatch(cell.text)
    return found is not None and _is_unit(found["unit"])


def _heads(rows: Sequence[Sequence[RowCell]]) -> list[str]:
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


def _parts(cells: Sequence[RowCell], heads: Sequence[str]) -> list[str]:
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
    return spoken if any(any(own) for own in names) else [_without_heads(spoken)]


def _without_heads(cells: Sequence[str]) -> str:
    """Cells of columns without heads; words in the first one say what the others are of."""
    first, *others = cells
    if others and first[0].isalpha():
        return f"{first.rstrip(' :')}: {'; '.join(others)}"
    return "; ".join(cells)
