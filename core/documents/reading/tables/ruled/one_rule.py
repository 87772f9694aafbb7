"""Tables with a single rule that tells their columns: the one under their heads, or, of what goes on from the
page before, the one at their end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import dropwhile

from core.documents.reading.tables.columns import Columns, crossed, keeps_to
from core.documents.reading.tables.parted.drawn import IsBold, are_surely_several, rows_as_drawn
from core.documents.reading.tables.rows import Row
from core.documents.reading.tables.ruled.borders import inner_borders
from core.documents.reading.tables.ruled.heads import mark_heads
from core.documents.reading.tables.ruled.page_ends import MOST_OVER
from core.documents.reading.tables.ruled.rules import Rule
from core.documents.reading.tables.ruled.starts import heads_above
from core.documents.reading.tables.words import NEAR_LINE, Line, PlacedWord, distance, lines_of

_HEADS = 80.0  # points above a rule in which heads stand
_NEAR_RULE = 1.6  # line heights between the rule and the nearest line
_NEAR = 1.6  # line heights between two lines of a table
_FEWEST_ROWS = 2


def find_by_one_rule(
    words: Sequence[PlacedWord],
    across: Sequence[Rule],
    is_bold: IsBold,
) -> list[list[Row]]:
    """The tables of a page that one rule tells, each as rows.

    Args:
        words: of the page, those of no table yet.
        across: rules across the page.
        is_bold: whether a word is in bold type, as heads are.
    """
    found: list[list[Row]] = []
    free = list(words)
    for rule in across:
        rows = _under_heads(rule, free, is_bold) or _before_end(rule, free, is_bold)
        if rows:
            found.append(rows)
            taken = {w.start for row in rows for c in row.cells for ln in c.lines for w in ln}
            free = [word for word in free if word.start not in taken]
    return found


def _under_heads(rule: Rule, words: Sequence[PlacedWord], is_bold: IsBold) -> list[Row]:
    """The table whose bold heads stand right above a rule that is drawn of cells, up to the first line that
    does not keep to the columns; no rows where that is none."""
    columns = _columns(rule)
    beside = [word for word in words if columns.touches(word)]
    over = [word for word in beside if 0 < word.y - rule.at < _HEADS]
    heads = columns.heads(heads_above(over, rule.at, is_bold))
    if not heads:
        return []
    lines = lines_of([word for word in beside if word.y < rule.at])
    taken = _taken(lines, columns, rule)
    while len(taken) > 1 and _stands_alone(taken[-1], taken[-2], columns):
        taken.pop()
    rows = _rows(columns, taken, is_bold)
    while rows and rows[-1].filled < 2:  # a heading, or a short sentence
        rows.pop()
    return [*heads, *rows] if _are_several(rows, columns) else []


def _before_end(rule: Rule, words: Sequence[PlacedWord], is_bold: IsBold) -> list[Row]:
    """The rows at the top of a page above a rule that is drawn of cells; none where what stands there does not
    keep to the columns, but for a running title."""
    columns = _columns(rule)
    over = [word for word in words if columns.touches(word) and word.y > rule.at]
    nearest = lines_of([word for word in over if word.y - rule.at < _HEADS])[-1:]
    if not nearest or not columns.keep(nearest[0]):
        return []
    lines = lines_of(over)
    taken = _taken(lines[::-1], columns, rule)[::-1]
    if len(lines) - len(taken) > MOST_OVER:
        return []
    rows = [*dropwhile(lambda row: row.filled < 2, _rows(columns, taken, is_bold))]
    if rows:
        mark_heads(rows, lambda line: is_bold(line[0]))
    return rows if _are_several(rows, columns) else []


def _columns(rule: Rule) -> Columns:
    borders = [] if rule.dotted else inner_borders(rule)
    return Columns((rule.start, *borders, rule.end) if borders else ())


def _taken(lines: Sequence[Line], columns: Columns, rule: Rule) -> list[Line]:
    """Lines from a rule on, up to the first that stands apart or does not keep to the columns; nothing of the
    paragraph that this one is of."""
    taken: list[Line] = []
    for line in lines:
        if taken:
            apart = _apart(line, taken[-1])
            near = apart <= _NEAR
        else:
            ends = (end for word in line for end in (word.box[1], word.box[3]))
            near = min(abs(end - rule.at) for end in ends) <= _NEAR_RULE * line[0].height
        inside = all(columns.of(word) is not None for word in line)
        if near and inside and _keeps(line, columns, lines):
            taken.append(line)
            continue
        if near and taken and apart <= NEAR_LINE:
            last = taken.pop()
            while taken and _apart(last, taken[-1]) <= NEAR_LINE:
                last = taken.pop()
        break
    return taken


def _keeps(line: Line, columns: Columns, lines: Sequence[Line]) -> bool:
    """Whether a line keeps to the columns; a sentence does not where its words all but touch at one's edge."""
    edges = columns.edges[1:-1]
    is_sentence = line[-1].text.endswith((".", ":"))
    return keeps_to(line, edges, lines) and not (is_sentence and crossed(line, edges))


def _apart(one: Line, other: Line) -> float:
    return distance(*sorted((one, other), key=lambda line: -line[0].y))


def _stands_alone(line: Line, above: Line, columns: Columns) -> bool:
    """Whether a line has words in the first column alone, and stands apart: a heading, or a short sentence."""
    return distance(above, line) > NEAR_LINE and all(columns.of(word) == 0 for word in line)


def _rows(columns: Columns, lines: Sequence[Line], is_bold: IsBold) -> list[Row]:
    words = [word for line in lines for word in line]
    return rows_as_drawn(columns, words, is_bold)


def _are_several(rows: Sequence[Row], columns: Columns) -> bool:
    return sum(row.filled > 1 for row in rows) >= _FEWEST_ROWS and are_surely_several(rows, columns)
