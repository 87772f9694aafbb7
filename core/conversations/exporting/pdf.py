"""A record as PDF: A4, page numbers, an outline of the questions; every character is shown or named."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING

from core.conversations.exporting.blocks import (
    SUPPORT,
    Block,
    Cited,
    Facts,
    Grid,
    Heading,
    Note,
    Paragraph,
    Said,
    Title,
)
from core.conversations.exporting.fonts import (
    BOLD,
    REGULAR,
    fallback_fonts,
    missing_characters,
)
from core.conversations.exporting.printable import one_line, printable, with_codes
from core.conversations.exporting.record import Record
from core.domain.answers import Support

if TYPE_CHECKING:
    from fpdf import FPDF

_FAMILY = "materia"
_MARGIN = 18.0  # mm
_LABEL = 42.0  # mm, of a fact
_WIDEST = 3.2  # mm, of a character in a table
_MOST_LINES = 40  # of a table's row; a page has some sixty
_INK, _QUIET, _LINE = (28, 32, 40), (96, 104, 116), (214, 218, 224)
_SHADE, _WARM, _WARN = (246, 247, 249), (255, 247, 230), (178, 98, 0)
_ACCENT = (31, 78, 140)
# As the page shows them: blue a document, violet the graph, green both, red nothing.
_COLOURS = {
    Support.DOCUMENT: (37, 99, 235),
    Support.GRAPH: (124, 58, 237),
    Support.BOTH: (22, 140, 74),
    Support.UNSUPPORTED: (200, 38, 38),
}
# Scripts whose letters change their shape or run from right to left.
_SHAPED = ((0x0590, 0x08FF), (0x0900, 0x109F), (0x1780, 0x17FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFC))
# fpdf2 warns of glyphs, which are looked after here, and names what it does to fonts.
for _name in ("fpdf", "fontTools"):
    logging.getLogger(_name).setLevel(logging.ERROR)


def pdf(record: Record, blocks: Iterable[Block]) -> bytes:
    """The file."""
    return _Printer(record, list(blocks)).printed()


class _Printer:
    def __init__(self, record: Record, blocks: Sequence[Block]) -> None:
        self._record = record
        self._blocks = blocks
        texts = "".join(_texts(blocks))
        needed = missing_characters(printable(texts) + record.title)
        self._fonts = fallback_fonts(needed)
        self._missing = frozenset(
            one for one in needed if not any(ord(one) in font.characters for font in self._fonts)
        )
        self._shaped = any(any(a <= ord(c) <= b for a, b in _SHAPED) for c in set(texts))
        self._pages_mark = _unused("{pages}", texts)
        self._pdf = self._opened()

    def printed(self) -> bytes:
        pdf = self._pdf
        pdf.add_page()
        for block in self._blocks:
            self._draw(block)
        return bytes(pdf.output())

    def _opened(self) -> FPDF:
        pdf = _paper(self._foot)
        pdf.set_margins(_MARGIN, _MARGIN, _MARGIN)
        pdf.set_auto_page_break(True, margin=22)
        pdf.add_font(_FAMILY, "", REGULAR)
        pdf.add_font(_FAMILY, "B", BOLD)
        for number, font in enumerate(self._fonts):
            pdf.add_font(f"more{number}", "", font.path, collection_font_number=font.number)
        if self._fonts:
            names = [f"more{number}" for number in range(len(self._fonts))]
            pdf.set_fallback_fonts(names, exact_match=False)
        if self._shaped:
            pdf.set_text_shaping(True)
        pdf.alias_nb_pages(self._pages_mark)
        pdf.set_title(self._said(one_line(self._record.title)))
        pdf.set_author("Materia")
        pdf.set_creator(f"Materia {self._record.program}")
        pdf.set_creation_date(self._record.exported_at)
        pdf.set_font(_FAMILY, size=9.5)
        return pdf

    def _foot(self, pdf: FPDF) -> None:
        pdf.set_y(-15)
        self._font(7.5, colour=_QUIET)
        pdf.set_draw_color(*_LINE)
        pdf.line(_MARGIN, pdf.get_y() - 1.5, pdf.w - _MARGIN, pdf.get_y() - 1.5)
        pdf.cell(30, 4, f"Page {pdf.page_no()} of {self._pages_mark}")
        ids = (
            f"Materia · conversation {self._record.session.id} · SHA-256 {self._record.sha256[:16]}"
        )
        pdf.cell(0, 4, self._said(one_line(ids)), align="R")

    # -- blocks ------------------------------------------------------------------------------------

    def _draw(self, block: Block) -> None:
        match block:
            case Title(kind, text):
                self._title(kind, text)
            case Heading():
                self._heading(block)
            case Paragraph(text, quiet):
                self._font(8 if quiet else 9.5, colour=_QUIET if quiet else _INK)
                self._write(one_line(text))
                self._gap(2)
            case Note(text):
                self._note(one_line(text))
            case Facts(rows):
                self._facts(rows)
            case Said():
                self._sentence(block)
            case Cited():
                self._cited(block)
            case Grid():
                self._grid(block)

    def _title(self, kind: str, text: str) -> None:
        self._font(9, bold=True, colour=_ACCENT)
        self._write(f"MATERIA · {kind.upper()}")
        self._gap(1)
        self._font(17, bold=True)
        self._write(one_line(text), 7.5)
        pdf = self._pdf
        pdf.set_draw_color(*_ACCENT)
        pdf.set_line_width(0.6)
        pdf.line(_MARGIN, pdf.get_y() + 1.5, pdf.w - _MARGIN, pdf.get_y() + 1.5)
        pdf.set_line_width(0.2)
        self._gap(5)

    def _heading(self, heading: Heading) -> None:
        pdf = self._pdf
        first = heading.level == 1
        if heading.new_page or pdf.will_page_break(60 if first else 30):  # never alone at the foot
            pdf.add_page()
        else:
            self._gap({1: 7, 2: 3}.get(heading.level, 1.5))
            if first:
                pdf.set_draw_color(*_ACCENT)
                pdf.line(_MARGIN, pdf.get_y() - 3, pdf.w - _MARGIN, pdf.get_y() - 3)
        text = one_line(heading.text)
        if heading.level == 1:
            shown = text if len(text) <= 90 else f"{text[:89]}…"
            pdf.start_section(self._said(shown))
            self._font(13, bold=True)
            self._write(text, 6)
        else:
            part = heading.level == 2
            self._font(10 if part else 9.5, bold=True, colour=_ACCENT if part else _INK)
            self._write(text)
        self._gap(1.5)

    def _note(self, text: str) -> None:
        self._font(9, colour=_WARN)
        self._boxed(text, _WARM, _WARN)
        self._gap(2)

    def _facts(self, rows: Sequence[tuple[str, str]], size: float = 8.5, left: float = 0) -> None:
        pdf = self._pdf
        height = size * 0.5
        for name, value in rows:
            if pdf.will_page_break(2 * height):
                pdf.add_page()
            top, page = pdf.get_y(), pdf.page
            pdf.set_x(_MARGIN + left)
            self._font(size, colour=_QUIET)
            pdf.multi_cell(
                _LABEL - 2,
                height,
                self._said(one_line(name)),
                align="L",
                new_x="RIGHT",
                new_y="NEXT",
            )
            below = pdf.get_y()
            pdf.set_xy(_MARGIN + left + _LABEL, top)
            self._font(size)
            self._write(one_line(value) or "–", height)
            if pdf.page == page:
                pdf.set_y(max(below, pdf.get_y()))
            self._gap(0.6)
        self._gap(2)

    def _sentence(self, said: Said) -> None:
        pdf = self._pdf
        colour = _LINE if said.support is None else _COLOURS[said.support]
        if pdf.will_page_break(14):
            pdf.add_page()
        top, page = pdf.get_y(), pdf.page
        marks = "".join(f" [{n}]" for n in said.marks)
        self._font(10)
        self._indented(f"{said.number}  {one_line(said.text)}{marks}", 5)
        if said.support is not None:
            self._font(7.5, colour=colour)
            self._indented(SUPPORT[said.support], 3.8)
        for problem in said.problems:
            self._font(8.5, bold=True, colour=_COLOURS[Support.UNSUPPORTED])
            self._indented(f"Doubt: {one_line(problem)}", 4.2)
        self._edge(top, page, colour)
        self._gap(2.5)

    def _cited(self, cited: Cited) -> None:
        pdf = self._pdf
        if pdf.will_page_break(24):
            pdf.add_page()
        self._font(9.5, bold=True)
        self._write(f"[{cited.mark}]  {one_line(cited.head)}")
        self._gap(1)
        if printable(cited.quote).strip():
            self._font(9.5)
            lines = [line.strip() for line in printable(cited.quote).splitlines()]
            self._boxed("\n".join(lines), _SHADE, _LINE)
            self._gap(1)
        self._facts(cited.facts, 7.5, 3)

    def _grid(self, grid: Grid) -> None:
        from fpdf.fonts import FontFace

        pdf = self._pdf
        self._font(8)
        pdf.set_draw_color(*_LINE)
        head = FontFace(emphasis="BOLD", color=_QUIET, fill_color=_SHADE)
        with pdf.table(
            col_widths=grid.widths,
            headings_style=head,
            line_height=4,
            padding=1,
            text_align="LEFT",
            v_align="TOP",
            borders_layout="HORIZONTAL_LINES",
        ) as table:
            rooms = [pdf.epw * one / sum(grid.widths) for one in grid.widths]
            pieces = (piece for row in grid.rows for piece in _pieces(row, rooms))
            for cells in (grid.head, *pieces):
                drawn = table.row()
                for text in cells:
                    drawn.cell(self._said(text))
        self._gap(3)

    # -- pieces ------------------------------------------------------------------------------------

    def _font(
        self, size: float, *, bold: bool = False, colour: tuple[int, int, int] = _INK
    ) -> None:
        self._pdf.set_font(_FAMILY, "B" if bold else "", size)
        self._pdf.set_text_color(*colour)

    def _said(self, text: str) -> str:
        return with_codes(text, self._missing)

    def _write(self, text: str, height: float = 4.8) -> None:
        self._pdf.multi_cell(0, height, self._said(text), align="L", new_x="LMARGIN", new_y="NEXT")

    def _indented(self, text: str, height: float) -> None:
        self._pdf.set_x(_MARGIN + 4)
        self._write(text, height)

    def _gap(self, height: float) -> None:
        self._pdf.set_y(self._pdf.get_y() + height)

    def _boxed(self, text: str, fill: tuple[int, int, int], edge: tuple[int, int, int]) -> None:
        """A shaded paragraph with an edge, over as many pages as it takes."""
        pdf = self._pdf
        top, page = pdf.get_y(), pdf.page
        # Where one runs from right to left, each line has a direction of its own.
        lines = text.split("\n") if self._shaped else [text]
        for number, line in enumerate(lines):
            pdf.set_fill_color(*fill)
            pdf.set_x(_MARGIN + 3)
            first, last = number == 0, number == len(lines) - 1
            pdf.multi_cell(
                0,
                4.8,
                self._said(line),
                align="L",
                fill=True,
                padding=(int(first), 2, int(last), 2),
                new_x="LMARGIN",
                new_y="NEXT",
            )
        self._edge(top, page, edge)

    def _edge(self, top: float, page: int, colour: tuple[int, int, int]) -> None:
        """A coloured line left of what was drawn since; on its last page alone where it runs over."""
        pdf = self._pdf
        start = top if pdf.page == page else pdf.t_margin
        pdf.set_fill_color(*colour)
        pdf.rect(_MARGIN, start, 0.9, max(0.0, pdf.get_y() - start), style="F")
        pdf.set_fill_color(255)  # tables fill their cells with what was set last


def _paper(foot: object) -> FPDF:
    """An empty document whose pages end with `foot`."""
    from fpdf import FPDF

    class _Paper(FPDF):
        def footer(self) -> None:
            foot(self)  # type: ignore[operator]

    return _Paper(format="A4")


def _texts(blocks: Iterable[Block]) -> Iterable[str]:
    """All texts of blocks."""
    for block in blocks:
        match block:
            case Title(kind, text):
                yield kind + text
            case Heading(text=text) | Paragraph(text=text) | Note(text):
                yield text
            case Facts(rows):
                yield from (one for row in rows for one in row)
            case Said(text=text, problems=problems):
                yield from (text, *problems)
            case Cited(head=head, quote=quote, facts=facts):
                yield from (head, quote, *(one for row in facts for one in row))
            case Grid(head=head, rows=table):
                yield from (one for line in (head, *table) for one in line)


def _pieces(row: Sequence[str], rooms: Sequence[float]) -> Iterable[tuple[str, ...]]:
    """A row, as several where a cell may not fit on one page, which tables do not break.

    Args:
        rooms: of each cell, mm.
    """
    cells = [
        list(_parts(text, max(1, int(room / _WIDEST))))
        for text, room in zip(row, rooms, strict=True)
    ]
    return zip_longest(*cells, fillvalue="")


def _parts(text: str, line: int) -> Iterable[str]:
    """A text in parts of at most forty lines, were all its characters the widest."""
    lines = [
        part
        for words in map(one_line, printable(text).splitlines())
        for part in wrap(words, line * _MOST_LINES, break_on_hyphens=False) or [""]
    ]
    part: list[str] = []
    taken = 0
    for one in lines:
        needed = 1 + len(one) // line
        if part and taken + needed > _MOST_LINES + 1:
            yield "\n".join(part)
            part, taken = [], 0
        part.append(one)
        taken += needed
    yield "\n".join(part)


def _unused(mark: str, text: str) -> str:
    """A mark that the text does not have."""
    while mark in text:
        mark = f"{{{mark}}}"
    return mark
