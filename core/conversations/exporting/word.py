"""A record as a Word document (.docx): headings, page numbers, tables that repeat their head."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

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
from core.conversations.exporting.printable import one_line, printable
from core.conversations.exporting.record import Record
from core.domain.answers import Support

if TYPE_CHECKING:
    from docx.document import Document as WordDocument
    from docx.table import Table, _Cell
    from docx.text.paragraph import Paragraph as Line

_LINE_CM = 17.4  # A4 without its margins
_LABEL_CM = 4.4
_QUIET, _ACCENT, _WARN = "606874", "1F4E8C", "9A5400"
_SHADE, _WARM, _RULE = "F3F4F6", "FFF3DC", "C9CED6"
_COLOURS = {
    Support.DOCUMENT: "2563EB",
    Support.GRAPH: "7C3AED",
    Support.BOTH: "16803C",
    Support.UNSUPPORTED: "C82626",
}


def word(record: Record, blocks: Iterable[Block]) -> bytes:
    """The file."""
    writer = _Writer(record)
    for block in blocks:
        writer.draw(block)
    return writer.saved()


class _Writer:
    def __init__(self, record: Record) -> None:
        from docx import Document
        from docx.shared import Cm, Pt, RGBColor

        self._cm, self._pt, self._colour = Cm, Pt, RGBColor.from_string
        self._document: WordDocument = Document()
        document = self._document
        section = document.sections[0]
        section.page_width, section.page_height = Cm(21.0), Cm(29.7)
        section.left_margin = section.right_margin = Cm(1.8)
        section.top_margin, section.bottom_margin = Cm(1.8), Cm(2.0)
        style = document.styles["Normal"]
        style.font.size, style.font.name = Pt(10), "Calibri"
        style.paragraph_format.space_after = Pt(4)
        properties = document.core_properties
        properties.title = one_line(record.title)[:255]
        properties.author = "Materia"
        properties.comments = f"Content SHA-256 {record.sha256}"
        properties.created = properties.modified = record.exported_at.replace(tzinfo=None)
        self._foot(section.footer.paragraphs[0], record)

    def saved(self) -> bytes:
        kept = io.BytesIO()
        self._document.save(kept)
        return kept.getvalue()

    def draw(self, block: Block) -> None:
        match block:
            case Title(kind, text):
                self._say(self._line(), f"MATERIA · {kind.upper()}", 9, _ACCENT, bold=True)
                head = self._document.add_heading(level=0)
                head.add_run(one_line(text)).font.size = self._pt(20)
            case Heading(level, text, new_page):
                head = self._document.add_heading(level=level)
                head.paragraph_format.page_break_before = new_page
                head.add_run(one_line(text))
            case Paragraph(text, quiet):
                self._say(self._line(), text, 8.5 if quiet else 10, _QUIET if quiet else "")
            case Note(text):
                line = self._line()
                _shaded(line, _WARM)
                self._say(line, text, 9.5, _WARN)
            case Facts(rows):
                self._facts(rows)
            case Said():
                self._sentence(block)
            case Cited():
                self._cited(block)
            case Grid(head, table, widths):
                self._table(head, table, [_LINE_CM * one / sum(widths) for one in widths])

    def _sentence(self, said: Said) -> None:
        colour = _COLOURS[said.support] if said.support is not None else _QUIET
        line = self._line()
        _edged(line, colour)
        self._say(line, f"{said.number}  ", 9, _QUIET)
        self._say(line, said.text, 10.5)
        self._say(line, "".join(f" [{n}]" for n in said.marks), 9, _ACCENT)
        if said.support is not None:
            self._under(line, SUPPORT[said.support], colour)
        for problem in said.problems:
            self._under(line, f"Doubt: {one_line(problem)}", _COLOURS[Support.UNSUPPORTED])

    def _cited(self, cited: Cited) -> None:
        head = self._line()
        head.paragraph_format.keep_with_next = True
        head.paragraph_format.space_before = self._pt(8)
        self._say(head, f"[{cited.mark}]  {one_line(cited.head)}", 10, bold=True)
        if printable(cited.quote).strip():
            quote = self._line()
            _shaded(quote, _SHADE)
            for number, text in enumerate(printable(cited.quote).splitlines()):
                if number:
                    quote.add_run().add_break()
                self._say(quote, text.strip(), 10)
        self._facts(cited.facts, 8.5)

    def _facts(self, rows: Sequence[tuple[str, str]], size: float = 9.5) -> None:
        table = self._document.add_table(len(rows), 2)
        self._columns(table, (_LABEL_CM, _LINE_CM - _LABEL_CM))
        for place, (name, value) in enumerate(rows):
            left, right = table.rows[place].cells
            self._fill(left, name, size, _QUIET, _LABEL_CM)
            self._fill(right, value or "–", size, "", _LINE_CM - _LABEL_CM)
        self._line().paragraph_format.space_after = self._pt(0)

    def _table(
        self, head: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[float]
    ) -> None:
        table = self._document.add_table(1, len(head))
        self._columns(table, widths)
        _ruled(table)
        for cell, text, width in zip(table.rows[0].cells, head, widths, strict=True):
            self._fill(cell, text, 8.5, _QUIET, width, bold=True)
        _repeated(table.rows[0])
        for row in rows:
            for cell, text, width in zip(table.add_row().cells, row, widths, strict=True):
                self._fill(cell, text, 8.5, "", width)
        self._line().paragraph_format.space_after = self._pt(0)

    def _columns(self, table: Table, widths: Sequence[float]) -> None:
        table.autofit = False
        for column, width in zip(table.columns, widths, strict=True):
            column.width = self._cm(width)

    def _fill(
        self, cell: _Cell, text: str, size: float, colour: str, width: float, bold: bool = False
    ) -> None:
        cell.width = self._cm(width)
        line = cell.paragraphs[0]
        line.paragraph_format.space_before = line.paragraph_format.space_after = self._pt(1.5)
        for number, part in enumerate(printable(text).splitlines() or [""]):
            if number:
                line.add_run().add_break()
            self._say(line, part, size, colour, bold=bold)

    def _under(self, line: Line, text: str, colour: str) -> None:
        line.add_run().add_break()
        self._say(line, text, 8.5, colour)

    def _line(self) -> Line:
        return self._document.add_paragraph()

    def _say(
        self, line: Line, text: str, size: float, colour: str = "", *, bold: bool = False
    ) -> None:
        """Text as a run of its own: XML's writer escapes it."""
        blanks = text[len(text.rstrip(" ")) :]
        ahead = text[: len(text) - len(text.lstrip(" "))] if text.strip() else ""
        run = line.add_run(f"{ahead}{one_line(text)}{blanks}")
        run.font.size, run.bold = self._pt(size), bold
        if colour:
            run.font.color.rgb = self._colour(colour)

    def _foot(self, line: Line, record: Record) -> None:
        text = f"Materia · conversation {record.session.id} · SHA-256 {record.sha256[:16]} · Page "
        self._say(line, text, 8, _QUIET)
        _field(line, "PAGE")
        self._say(line, " of ", 8, _QUIET)
        _field(line, "NUMPAGES")


def _field(line: Line, code: str, size: str = "16") -> None:
    """A number that Word fills in; `size` in half points."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    field, run, look, height, text = map(
        OxmlElement, ("w:fldSimple", "w:r", "w:rPr", "w:sz", "w:t")
    )
    field.set(qn("w:instr"), code)
    height.set(qn("w:val"), size)
    text.text = "1"
    look.append(height)
    run.append(look)
    run.append(text)
    field.append(run)
    line._p.append(field)


def _shaded(line: Line, colour: str) -> None:
    _properties(line, "w:shd", {"val": "clear", "color": "auto", "fill": colour})


def _edged(line: Line, colour: str) -> None:
    """A coloured line left of a paragraph."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    borders = OxmlElement("w:pBdr")
    left = OxmlElement("w:left")
    for name, value in {"val": "single", "sz": "18", "space": "6", "color": colour}.items():
        left.set(qn(f"w:{name}"), value)
    borders.append(left)
    line._p.get_or_add_pPr().append(borders)


def _properties(line: Line, tag: str, values: dict[str, str]) -> None:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    element = OxmlElement(tag)
    for name, value in values.items():
        element.set(qn(f"w:{name}"), value)
    line._p.get_or_add_pPr().append(element)


def _ruled(table: Table) -> None:
    """Thin lines between the rows of a table."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    borders = OxmlElement("w:tblBorders")
    for side in ("top", "bottom", "insideH"):
        rule = OxmlElement(f"w:{side}")
        for name, value in {"val": "single", "sz": "4", "space": "0", "color": _RULE}.items():
            rule.set(qn(f"w:{name}"), value)
        borders.append(rule)
    layout = table._tbl.tblPr.find(qn("w:tblLayout"))
    layout.addprevious(borders)  # the order of properties is fixed


def _repeated(row: Any) -> None:
    """A table's head, on each of its pages."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    mark = OxmlElement("w:tblHeader")
    mark.set(qn("w:val"), "true")
    row._tr.get_or_add_trPr().append(mark)
