"""Build the sample leaflets: data/build/leaflets/*.md -> data/leaflets/*.pdf.

Run from the project's root: python data/build/build_leaflets.py

The markup of a source file: first `key: value` lines (title, header, kind), a blank line, then
blocks separated by blank lines. `# ` is a section heading, `## ` a sub-heading, lines that begin
with `- ` are bullets (one bullet per line), everything else is a paragraph.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from fpdf import FPDF

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "leaflets"
TARGET = HERE.parent / "leaflets"

# Core fonts are encoded as latin-1 by fpdf2 but shown through WinAnsi, where 0x95 is the bullet:
# this keeps the PDFs small and free of embedded font files.
BULLET = "\x95"
# A fixed date makes the same sources give the same bytes.
CREATED = datetime(2024, 1, 1, tzinfo=UTC)
CLOSING = "Sample text written for Materia. Not for medical use."

MARGIN = 24.0
TOP = 27.0
BOTTOM = 24.0
INDENT = 6.0
ACCENT = (23, 78, 99)
GREY = (110, 110, 110)


@dataclass(frozen=True)
class Style:
    """How one kind of block is set: font, line height and the space above it (mm)."""

    weight: str
    size: float
    leading: float
    above: float
    colour: tuple[int, int, int] = (25, 25, 25)


STYLES = {
    "kind": Style("", 10.5, 5.0, 0.0, GREY),
    "title": Style("B", 18, 8.0, 1.5, ACCENT),
    "section": Style("B", 13, 6.2, 6.5, ACCENT),
    "sub": Style("B", 11, 5.4, 4.0),
    "text": Style("", 10.5, 5.2, 2.2),
    "bullet": Style("", 10.5, 5.2, 1.3),
    "closing": Style("I", 9.5, 5.0, 7.0, GREY),
}


@dataclass(frozen=True)
class Block:
    """One piece of a leaflet: its style's name and its text."""

    style: str
    text: str

    @property
    def leads_on(self) -> bool:
        """Whether the block must stay on one page with the block after it."""
        return self.style in {"kind", "title", "section", "sub"} or self.text.endswith(":")


def read_source(path: Path) -> tuple[dict[str, str], list[Block]]:
    """The head fields and the blocks of one source file."""
    head_text, _, body = path.read_text(encoding="utf-8").partition("\n\n")
    head = dict(line.split(": ", 1) for line in head_text.splitlines())
    blocks = [Block("kind", head["kind"]), Block("title", head["title"])]
    for chunk in body.split("\n\n"):
        paragraph: list[str] = []
        for line in filter(None, (part.strip() for part in chunk.splitlines())):
            if line.startswith("## "):
                blocks.append(Block("sub", line[3:]))
            elif line.startswith("# "):
                blocks.append(Block("section", line[2:]))
            elif line.startswith("- "):
                blocks.append(Block("bullet", line[2:]))
            else:
                paragraph.append(line)
        if paragraph:
            blocks.append(Block("text", " ".join(paragraph)))
    blocks.append(Block("closing", CLOSING))
    return head, blocks


class Leaflet(FPDF):
    """An A4 document with a running head and a page count at the foot."""

    def __init__(self, head: dict[str, str]) -> None:
        """Set up the page and the document's fields."""
        super().__init__(format="A4")
        self.running_head = head["header"]
        self.set_margins(MARGIN, TOP, MARGIN)
        # Blocks are kept whole by hand, so the automatic break is a safety net only.
        self.set_auto_page_break(True, BOTTOM)
        self.set_creation_date(CREATED)
        self.set_title(head["title"])
        self.set_author("Materia sample data")
        self.set_lang("en")
        self.add_page()

    def header(self) -> None:
        """The small line at the head of each page."""
        self.set_font("Helvetica", "", 8.5)
        self.set_text_color(*GREY)
        self.set_y(13)
        self.cell(0, 5, self.running_head)
        self.set_draw_color(200, 200, 200)
        self.line(MARGIN, 19.5, self.w - MARGIN, 19.5)
        self.set_y(TOP)

    def footer(self) -> None:
        """The page count, centred."""
        self.set_font("Helvetica", "", 8.5)
        self.set_text_color(*GREY)
        self.set_y(-15)
        self.cell(0, 5, f"Page {self.page_no()} of {{nb}}", align="C")

    def block_height(self, block: Block) -> float:
        """The height of a block with the space above it."""
        style = STYLES[block.style]
        return style.above + self._set(block, dry_run=True)

    def write_block(self, block: Block) -> None:
        """Set a block at the current position."""
        style = STYLES[block.style]
        if self.get_y() > TOP + 0.1:
            self.ln(style.above)
        self._set(block, dry_run=False)

    def _set(self, block: Block, *, dry_run: bool) -> float:
        """Set the text, or only measure it; returns its height."""
        style = STYLES[block.style]
        self.set_font("Helvetica", style.weight, style.size)
        self.set_text_color(*style.colour)
        left = MARGIN
        if block.style == "bullet":
            left += INDENT
            if not dry_run:
                self.set_x(MARGIN + 1.0)
                self.cell(INDENT - 1.0, style.leading, BULLET)
        self.set_x(left)
        height = self.multi_cell(
            self.w - MARGIN - left,
            style.leading,
            block.text,
            align="L",
            new_x="LMARGIN",
            new_y="NEXT",
            dry_run=dry_run,
            output="HEIGHT",
        )
        # output="HEIGHT" gives nothing else; the check tells the type checker so.
        if not isinstance(height, float):
            raise TypeError("fpdf2 gave no height")
        return height


def build(path: Path) -> tuple[Path, int]:
    """Write the PDF of one source; returns its path and its number of pages."""
    head, blocks = read_source(path)
    pdf = Leaflet(head)
    limit = pdf.h - BOTTOM
    for position, block in enumerate(blocks):
        # A heading or an introduction ending in ':' moves on together with what follows it, and
        # the closing line never stands alone on a page.
        end = position
        while end + 1 < len(blocks) and (
            blocks[end].leads_on or blocks[end + 1].style == "closing"
        ):
            end += 1
        needed = sum(pdf.block_height(part) for part in blocks[position : end + 1])
        if pdf.get_y() + needed > limit:
            pdf.add_page()
        pdf.write_block(block)
    target = TARGET / f"{path.stem}.pdf"
    pdf.output(str(target))
    return target, pdf.page_no()


def main() -> None:
    """Build every leaflet."""
    TARGET.mkdir(parents=True, exist_ok=True)
    for path in sorted(SOURCES.glob("*.md")):
        target, pages = build(path)
        print(f"{target.name}: {pages} pages")


if __name__ == "__main__":
    main()
