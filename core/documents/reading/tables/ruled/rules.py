"""The ruling lines that are drawn on a PDF page."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

_Point: TypeAlias = tuple[float, float]
Matrix: TypeAlias = tuple[float, float, float, float, float, float]

MOST_RULES = 400  # across a page, or down it; one with more is a drawing
_THICKEST = 3.0  # points; what is drawn thicker is a bar or an area
_SHORTEST = 4.0  # points
_LEANING = 0.5  # points by which the ends of a straight rule may differ
MOST_PATHS = 5_000  # of a page; one with more is a drawing
_MOST_SEGMENTS = 400  # of a path
_MOST_OBJECTS = 20_000  # of a page and its forms that are looked at
_DEEPEST = 3  # forms within forms
_SAME: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_SAME_PLACE = 1.5  # points between two rules that are one
_GAP = 3.0  # points between the parts of one rule
_FEWEST_DOTS, _MOST_DOTS = 12, 15_000  # of a dotted rule, and of a page
_SAME_DOT = 0.4  # points between the middles of dots in one line
_NEAR = 6.0  # points between rules that meet, with the room that some programs leave there


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight rule across the page or down it: where it lies, from and to where, in points.

    Attributes:
        parts: where the pieces that it was drawn of begin and end: the borders of single cells.
        dotted: whether these are dots or short dashes, and say nothing of cells.
    """

    at: float
    start: float
    end: float
    parts: tuple[float, ...] = ()
    dotted: bool = False

    def covers(self, start: float, end: float) -> bool:
        """Whether it runs along most of a stretch."""
        return min(self.end, end) - max(self.start, start) >= 0.8 * (end - start)


def page_rules(page: Any) -> tuple[list[Rule], list[Rule]]:
    """The rules of a pdfium page, horizontal ones from the top, and of the vertical ones those that meet such,
    from the left.

    Pieces in one line are one rule. A page with thousands of paths is a drawing and has none.
    """
    across: list[Rule] = []
    down: list[Rule] = []
    dots: list[Rule] = []
    paths = strokes = 0
    for path, outer in paths_of(page):
        drawn = _strokes(path, times(matrix_of(path), outer))
        if len(drawn) == 1 and _is_dot(*drawn[0]):
            (x0, y0), (x1, _) = drawn[0]
            dots.append(Rule(y0, x0, x1))
            drawn = []
        else:
            paths, strokes = paths + 1, strokes + len(drawn)
        if max(paths, strokes) > MOST_PATHS or len(dots) > _MOST_DOTS:
            return [], []
        for (x0, y0), (x1, y1) in drawn:
            if abs(y0 - y1) <= _LEANING and abs(x0 - x1) >= _SHORTEST:
                across.append(Rule((y0 + y1) / 2, min(x0, x1), max(x0, x1)))
            elif abs(x0 - x1) <= _LEANING and abs(y0 - y1) >= _SHORTEST:
                down.append(Rule((x0 + x1) / 2, min(y0, y1), max(y0, y1)))
    dotted_across, dotted_down = _dotted(dots)
    across = [*joined(across), *dotted_across]
    down = sorted([*joined(down), *dotted_down], key=lambda one: one.at)
    if max(len(across), len(down)) <= MOST_RULES:
        down = [one for one in down if _meets(one, across)]
    return sorted(across, key=lambda one: -one.at), down


def _meets(down: Rule, across: Sequence[Rule]) -> bool:
    """Whether a rule down the page meets or crosses one across it: one that stands by itself parts columns of
    text, and no cells."""
    return any(
        one.start - _NEAR <= down.at <= one.end + _NEAR
        and down.start - _NEAR <= one.at <= down.end + _NEAR
        for one in across
    )


def _is_dot(one: _Point, other: _Point) -> bool:
    return one[1] == other[1] and abs(one[0] - other[0]) <= _THICKEST


def _dotted(dots: Sequence[Rule]) -> tuple[list[Rule], list[Rule]]:
    """The rules across the page and down it that many dots in one line make."""
    across = [
        Rule(run[0].at, run[0].start, run[-1].end, (run[0].start, run[-1].end), dotted=True)
        for run in _runs(dots, lambda dot: dot.at, lambda dot: dot.start)
    ]
    down = [
        Rule(_middle(run[0]), run[0].at, run[-1].at, (run[0].at, run[-1].at), dotted=True)
        for run in _runs(dots, _middle, lambda dot: dot.at)
    ]
    return across, down


def _middle(dot: Rule) -> float:
    return (dot.start + dot.end) / 2


def _runs(
    dots: Sequence[Rule], at: Callable[[Rule], float], along: Callable[[Rule], float]
) -> Iterator[list[Rule]]:
    """Many dots near each other in one line, in order.

    Args:
        at: where the line lies that a dot is on.
        along: where the dot is on it.
    """
    lines: list[list[Rule]] = []
    for dot in sorted(dots, key=at):
        if lines and at(dot) - at(lines[-1][0]) <= _SAME_DOT:
            lines[-1].append(dot)
        else:
            lines.append([dot])
    for line in lines:
        line.sort(key=along)
        begin = 0
        for end in range(1, len(line) + 1):
            if end == len(line) or along(line[end]) - along(line[end - 1]) > _GAP + _THICKEST:
                if end - begin >= _FEWEST_DOTS:
                    yield line[begin:end]
                begin = end


def joined(rules: Sequence[Rule]) -> list[Rule]:
    """Rules of one line put together where they touch, by their place."""
    lines: list[list[Rule]] = []
    for rule in sorted(rules, key=lambda one: one.at):
        if lines and rule.at - lines[-1][-1].at <= _SAME_PLACE:
            lines[-1].append(rule)
        else:
            lines.append([rule])
    found = []
    for line in lines:
        runs: list[list[Rule]] = []
        end = 0.0
        for rule in sorted(line, key=lambda one: one.start):
            if runs and rule.start - end <= _GAP:
                runs[-1].append(rule)
                end = max(end, rule.end)
            else:
                runs.append([rule])
                end = rule.end
        for run in runs:
            ends = [place for one in run for place in (one.start, one.end)]
            found.append(Rule(run[0].at, min(ends), max(ends), tuple(sorted(ends))))
    return found


def paths_of(page: Any) -> Iterator[tuple[Any, Matrix]]:
    """The paths of a page and of the forms on it, each with what moves the form that it is in to the page's
    points."""
    import pypdfium2.raw as pdfium_c

    get, kind_of = pdfium_c.FPDFPage_GetObject, pdfium_c.FPDFPageObj_GetType
    shown = [get(page.raw, i) for i in range(pdfium_c.FPDFPage_CountObjects(page.raw))]
    waiting = [(drawn, _SAME, 1) for drawn in shown]
    seen = 0
    while waiting and seen < _MOST_OBJECTS:
        drawn, outer, depth = waiting.pop()
        seen += 1
        kind = kind_of(drawn)
        if kind == pdfium_c.FPDF_PAGEOBJ_PATH:
            yield drawn, outer
        elif kind == pdfium_c.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
            inner = times(matrix_of(drawn), outer)
            count = min(pdfium_c.FPDFFormObj_CountObjects(drawn), _MOST_OBJECTS - seen)
            waiting += [
                (pdfium_c.FPDFFormObj_GetObject(drawn, i), inner, depth + 1) for i in range(count)
            ]


def _strokes(path: Any, matrix: Matrix) -> list[tuple[_Point, _Point]]:
    """The straight lines of a path: those stroked, and areas too thin to be anything else."""
    import pypdfium2.raw as pdfium_c

    fill, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium_c.FPDFPath_GetDrawMode(path, fill, stroke)
    if not (fill.value or stroke.value):
        return []
    lines = lines_of_path(path, matrix)
    if not lines:
        return []
    xs = [x for line in lines for x, _ in line]
    ys = [y for line in lines for _, y in line]
    width, height = max(xs) - min(xs), max(ys) - min(ys)
    if max(height, width) <= _THICKEST and fill.value:  # a dot
        middle = (min(ys) + max(ys)) / 2
        return [((min(xs), middle), (max(xs), middle))]
    if height <= _THICKEST and width > _THICKEST:
        middle = (min(ys) + max(ys)) / 2
        return [((min(xs), middle), (max(xs), middle))]
    if width <= _THICKEST and height > _THICKEST:
        middle = (min(xs) + max(xs)) / 2
        return [((middle, min(ys)), (middle, max(ys)))]
    return lines if stroke.value else []


def lines_of_path(path: Any, matrix: Matrix) -> list[tuple[_Point, _Point]]:
    """The segments of a path in the page's points; none of one with curves, which is a drawing."""
    import pypdfium2.raw as pdfium_c

    count = pdfium_c.FPDFPath_CountSegments(path)
    if count > _MOST_SEGMENTS:
        return []
    found: list[tuple[_Point, _Point]] = []
    begin: _Point | None = None
    last: _Point | None = None
    x, y = ctypes.c_float(), ctypes.c_float()
    for i in range(count):
        segment = pdfium_c.FPDFPath_GetPathSegment(path, i)
        kind = pdfium_c.FPDFPathSegment_GetType(segment)
        if kind == pdfium_c.FPDF_SEGMENT_BEZIERTO:
            return []
        pdfium_c.FPDFPathSegment_GetPoint(segment, x, y)
        point = moved((x.value, y.value), matrix)
        if kind == pdfium_c.FPDF_SEGMENT_MOVETO:
            begin = point
        elif last is not None:
            found.append((last, point))
        last = point
        if begin is not None and pdfium_c.FPDFPathSegment_GetClose(segment):
            found.append((last, begin))
    return found


def matrix_of(drawn: Any) -> Matrix:
    import pypdfium2.raw as pdfium_c

    found = pdfium_c.FS_MATRIX()
    pdfium_c.FPDFPageObj_GetMatrix(drawn, found)
    return (found.a, found.b, found.c, found.d, found.e, found.f)


def times(inner: Matrix, outer: Matrix) -> Matrix:
    """What moves first as `inner` says, then as `outer` does."""
    a, b, c, d, e, f = inner
    g, h, i, j, k, m = outer
    return (
        a * g + b * i,
        a * h + b * j,
        c * g + d * i,
        c * h + d * j,
        e * g + f * i + k,
        e * h + f * j + m,
    )


def moved(point: _Point, matrix: Matrix) -> _Point:
    """A point where a matrix moves it."""
    (x, y), (a, b, c, d, e, f) = point, matrix
    return a * x + c * y + e, b * x + d * y + f
