"""Where the characters of a PDF page stand, each in a box as high as its font is.

pdfium takes the height of a box from the font's own figures. Some programs, LibreOffice among them, write none,
and every box is as high as its letter's ink: lines of "a" and of "g" would be of different size, and the "g" in
"dosage" a lowered letter.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import Any

from core.documents.reading.reading_order import Box

_ASCENT, _DESCENT = 0.905, 0.212  # of the size; those of Liberation Sans, as Arial's
_LEAST = 0.8  # of the size, that the boxes of a font with figures of its own are high
_LOOKED_AT = 60  # characters of a page
_LEVEL = 0.01  # by which a letter may stand aslant, as a share of its size
_MIDDLE = range(0x61, 0x7B)  # a to z


@dataclass(frozen=True)
class LetterBoxes:
    """The boxes of a pdfium text page's characters, in points."""

    textpage: Any

    def box(self, place: int) -> Box:
        """What `get_charbox` gives, without its detours, as this is asked thousands of times a page; as high as
        the font where the page's fonts do not say how high they are.

        Args:
            place: pdfium's number of the character.
        """
        import pypdfium2.raw as pdfium_c

        found = pdfium_c.FS_RECTF()
        if not pdfium_c.FPDFText_GetLooseCharBox(self.textpage.raw, place, found):
            box: Box = self.textpage.get_charbox(place, loose=True)
            return box
        if self._are_of_ink:
            return self._as_high_as_font(place, found)
        return found.left, found.bottom, found.right, found.top

    @cached_property
    def _are_of_ink(self) -> bool:
        """Whether most letters of the page have boxes that are lower than their fonts."""
        import pypdfium2.raw as pdfium_c

        shares = []
        for place in self._some_letters():
            found = pdfium_c.FS_RECTF()
            size = self._size(place)
            if size and pdfium_c.FPDFText_GetLooseCharBox(self.textpage.raw, place, found):
                shares.append((found.top - found.bottom) / size)
        return bool(shares) and median(shares) < _LEAST

    def _some_letters(self) -> Iterator[int]:
        """Letters in lower case from all over the page."""
        import pypdfium2.raw as pdfium_c

        count = self.textpage.count_chars()
        for place in range(0, count, max(1, count // _LOOKED_AT)):
            if pdfium_c.FPDFText_GetUnicode(self.textpage.raw, place) in _MIDDLE:
                yield place

    def _as_high_as_font(self, place: int, found: Any) -> Box:
        """A box from below the line that a letter stands on to above it, by its size; as it is where that is no
        letter or stands aslant."""
        import pypdfium2.raw as pdfium_c

        size = self._size(place)
        x, y = ctypes.c_double(), ctypes.c_double()
        if not size or not pdfium_c.FPDFText_GetCharOrigin(self.textpage.raw, place, x, y):
            return found.left, found.bottom, found.right, found.top
        return found.left, y.value - _DESCENT * size, found.right, y.value + _ASCENT * size

    def _size(self, place: int) -> float:
        """How large a letter is set, in points; 0 for one that does not stand upright."""
        import pypdfium2.raw as pdfium_c

        matrix = pdfium_c.FS_MATRIX()
        if not pdfium_c.FPDFText_GetMatrix(self.textpage.raw, place, matrix):
            return 0.0
        size = float(pdfium_c.FPDFText_GetFontSize(self.textpage.raw, place))
        upright = matrix.d > 0 and abs(matrix.b) <= _LEVEL * abs(matrix.a)
        return size * math.hypot(matrix.c, matrix.d) if upright else 0.0
