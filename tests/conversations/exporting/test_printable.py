"""Nothing invisible changes what is read in a file."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.conversations.exporting.printable import one_line, printable, with_codes

_CODE = re.compile(r"\[U\+([0-9A-F]{4,6})\]")
_SHOWN_AS_THEY_ARE = "\n\u00ad\u200b\u200c\u200d\u200e\u200f\u061c\u2060"


@given(st.text(st.characters(), max_size=60))
def test_no_control_character_is_left_and_none_is_lost(text: str) -> None:
    shown = printable(text)
    assert not [
        one
        for one in shown
        if unicodedata.category(one) in {"Cc", "Cf", "Cs", "Co", "Cn"}
        and one not in _SHOWN_AS_THEY_ARE
    ]
    if not _CODE.search(text):
        # Read back, only line ends and tabs are others.
        back = _CODE.sub(lambda match: chr(int(match[1], 16)), shown)
        plain = re.sub("\r\n?|[\u2028\u2029\u0085\v\f]", "\n", text).replace("\t", "    ")
        assert back == plain.replace("\ufeff", "")
    shown.encode("utf-8")
    assert "\n" not in one_line(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("dose \u202e5002\u202c mg", "dose [U+202E]5002[U+202C] mg"),
        ("bell \x07, null \x00", "bell [U+0007], null [U+0000]"),
        ("half a pair \ud800", "half a pair [U+D800]"),
        ("hidden \U000e0041", "hidden [U+E0041]"),
        ("5 µg/m² ≤ 38,5 °C — naïve", "5 µg/m² ≤ 38,5 °C — naïve"),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_what_could_deceive_is_written_as_its_code(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_characters_that_no_font_has_are_named() -> None:
    assert with_codes("a中b", {"中"}) == "a[U+4E2D]b"
