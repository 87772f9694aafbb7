"""Whether a character of a page is in bold type.

A font's name says so, or that it is not; where it says neither, the weight does that pdfium works out from how
thick the font's file says its stems are. Of some fonts that number is wrong: those of Caladea Regular are told
as thick as a bold font's, and a page that is all bold has neither headings nor heads of tables.
"""

from __future__ import annotations

import ctypes
import re

import pypdfium2.raw as pdfium_c

_BOLD = 600  # weight of a font
_LONGEST_NAME = 128  # bytes
_NAMED_BOLD = re.compile(rb"bold|black")
_NAMED_OTHER = re.compile(rb"[-,](?:regular|roman|book|light|thin|normal|italic|oblique)")


def is_bold(textpage: pdfium_c.FPDF_TEXTPAGE, place: int) -> bool:
    """Whether a character is in bold type, by its place among pdfium's."""
    name, flags = ctypes.create_string_buffer(_LONGEST_NAME), ctypes.c_int()
    pdfium_c.FPDFText_GetFontInfo(textpage, place, name, _LONGEST_NAME, flags)
    called = name.value.lower()
    if _NAMED_BOLD.search(called):
        return True
    if _NAMED_OTHER.search(called):
        return False
    weight: int = pdfium_c.FPDFText_GetFontWeight(textpage, place)
    return weight >= _BOLD
