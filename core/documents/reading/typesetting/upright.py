"""The characters of a PDF page, whichever way it is turned."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

_SAMPLED = 100  # characters of a page whose angle is looked at
_SPACE = 0x20


def upright_textpage(page: Any) -> Any:
    """A pdfium page's characters, loaded as if the page stood so that most of its text is upright.

    pdfium orders the lines of a page as it is turned when they are loaded: of a table that lies on
    its side, the last line would come first. Boxes are in the page's own space, turned or not.
    """
    textpage = page.get_textpage()
    turned = page.get_rotation()
    wanted = _turn_for_upright(textpage)
    if wanted in (None, turned):
        return textpage
    textpage.close()
    page.set_rotation(wanted)
    try:
        return page.get_textpage()
    finally:
        page.set_rotation(turned)


def _turn_for_upright(textpage: Any) -> int | None:
    """The clockwise turn, 0 to 270 degrees, that brings most of the text upright; None without any."""
    import pypdfium2.raw as pdfium_c

    count = textpage.count_chars()
    turns: Counter[int] = Counter()
    for place in range(0, count, max(1, count // _SAMPLED)):
        if pdfium_c.FPDFText_GetUnicode(textpage.raw, place) > _SPACE:
            angle = math.degrees(pdfium_c.FPDFText_GetCharAngle(textpage.raw, place))
            turns[-round(angle / 90) * 90 % 360] += 1
    return turns.most_common(1)[0][0] if turns else None
