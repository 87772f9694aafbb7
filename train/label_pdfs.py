"""PDFs made from the sections of US labels, as they come from the label service: one file a label."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from fpdf import FPDF

_BULLET = re.compile(r"\s*•\s+")
_FONTS = Path("/usr/share/fonts/truetype/dejavu")


def make_label_pdfs(source: Path, names: Sequence[str], folder: Path) -> list[Path]:
    """Write ``NAME.pdf`` for each label: its title, and each section under its heading.

    Args:
        source: JSON, a list of labels with ``drug``, ``title`` and ``sections`` (``title``, ``section``,
            ``text``).
    """
    labels = {one["drug"]: one for one in json.loads(source.read_text("utf-8"))}
    folder.mkdir(parents=True, exist_ok=True)
    return [_write(labels[name], folder / f"{name}.pdf") for name in names]


def _write(label: dict[str, object], path: Path) -> Path:
    pdf = FPDF()
    pdf.set_auto_page_break(True, 18)
    pdf.add_font("d", "", _FONTS / "DejaVuSans.ttf")
    pdf.add_font("d", "B", _FONTS / "DejaVuSans-Bold.ttf")
    pdf.add_page()

    def put(text: str, size: float, height: float, style: str = "") -> None:
        pdf.set_font("d", style, size)
        pdf.multi_cell(0, height, text, new_x="LMARGIN", new_y="NEXT", align="L")

    put(str(label["title"]), 13, 6, "B")
    pdf.ln(3)
    for section in label["sections"]:  # type: ignore[attr-defined]
        heading = section["title"]
        if not heading and "UNCLASSIFIED" not in section["section"]:
            heading = section["section"].replace(" SECTION", "").title()
        if heading:
            pdf.ln(2)
            put(heading, 11, 5.5, "B")
        for number, line in enumerate(_BULLET.split(section["text"])):
            if line.strip():
                put(("• " if number else "") + line.strip(), 9.5, 4.8)
        pdf.ln(1.5)
    pdf.output(str(path))
    return path
