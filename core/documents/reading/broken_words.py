"""The letters of a PDF: what its codes stand for, and words that it broke, at the end of a line or where a
font does not name its ligatures.

What is decided here rests on the text of one page and on word lists alone, so that a page reads the
same whether its whole file is read or only the page is drawn.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, cached_property

from core.text.language import language
from core.text.spelling.medicines import is_medicine
from core.text.word_lists import word_frequencies

LIGATURE_CODES = "\x00\x0b\x0c\x0e\x0f\x1b\x1c\x1d\x1e\x1f"
"""What pdfium gives for a ligature whose letters the font does not name: NUL, or its place in TeX's
font encodings OT1 (0x0B to 0x0F) and T1 (0x1B to 0x1F)."""

JOINT = "\x02"
"""pdfium's mark for a hyphen behind which it dropped the line end."""

HYPHENS = "-\u2010"
"""What stands at the end of a line that parts a word: typesetting programs draw either."""

_SET_HYPHEN = "\u2010"
_SET_WITHIN = re.compile(rf"[^\W\d_]{_SET_HYPHEN}[^\W\d_]")
_AT_LINE_END = rf"[{HYPHENS}]\n|\u2010 \n"
HYPHEN_AT_LINE_END = re.compile(
    rf"(?<=[^\W\d_])(?:{_SET_HYPHEN}?{JOINT}|{_AT_LINE_END})(?=[^\W\d_])"
)
LIGATURE_IN_WORD = re.compile(
    rf"(?:(?<=[^\W\d_])[{re.escape(LIGATURE_CODES)}])|(?:[{re.escape(LIGATURE_CODES)}](?=[a-z]))"
)
BLANK_CONTROLS = (0x09, 0x0B, 0x0C)
_LINE_END_HYPHENS = (0x02, 0xAD, 0xFFFE)  # pdfium's marks, and a soft hyphen that is drawn
_LETTERS_BEFORE = re.compile(r"[^\W\d_]*\Z")
_LETTERS_AFTER = re.compile(r"[^\W\d_]*")
_LONGEST_WORD = 60  # letters on either side that are looked at

_LIGATURES = ("fi", "fl", "ff", "ffi", "ffl")
_OF_CODE = {
    "\x0b": "ff", "\x0c": "fi", "\x0e": "ffi", "\x0f": "ffl",
    "\x1b": "ff", "\x1c": "fi", "\x1d": "fl", "\x1e": "ffi", "\x1f": "ffl",
}  # fmt: skip
_CLEARLY = 50  # times as frequent as any other reading

# Times as frequent as its second part: "example", but not "overall" for "over-all".
_MORE_LIKELY = 3

# First parts that often keep their hyphen: "non-fatal" and "nonfatal" are both in use, and a hyphen that
# the author wrote must stay.
_COMPOUNDING = frozenset(
    "self half non well long short low high all ex cross beta alpha gamma delta double single multi"
    " one two three four five six seven eight nine ten first second third time dose age sex weight"
    " body blood child over under post pre anti semi quasi co re inter intra extra sub life end open"
    " close follow side built risk evidence state on off out up down in by late early mid".split()
)
_WHOLE_WORD = re.compile(  # no part of a word that is still to be mended
    rf"(?<![\w\x02{LIGATURE_CODES}])(?<![{HYPHENS}]\n)(?<!\u2010 \n)[^\W\d_]+"
    rf"(?![\w\x02{LIGATURE_CODES}]|{_AT_LINE_END})"
)


class Words:
    """The words of a page, and of its language.

    Attributes:
        has_set_hyphens: whether the page has U+2010 within words, and not only where a program parts them.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._page = frozenset(word.lower() for word in _WHOLE_WORD.findall(text))
        self.has_set_hyphens = bool(_SET_WITHIN.search(text))
        self._hyphenated = frozenset(
            found.lower() for found in re.findall(r"(?<!\w)[^\W\d_]+-[^\W\d_]+(?!\w)", text)
        )

    def ligature(self, before: str, code: str, after: str) -> str:
        """The letters of the ligature between two parts of a word; U+FFFD when no reading, or more
        than one, gives a word."""
        counts = {
            letters: self._frequency(before + letters + after)
            for letters in _LIGATURES
            if self._is_word(before + letters + after)
        }
        named = _OF_CODE.get(code)
        if named in counts:
            return str(named)
        best = sorted(counts, key=lambda letters: -counts[letters])
        if not best or (len(best) > 1 and counts[best[0]] < _CLEARLY * counts[best[1]]):
            return "\ufffd"
        return best[0]

    def joins(self, before: str, after: str) -> bool:
        """Whether a hyphen at a line's end between two parts only parts one word.

        Only letters in lower case can be joined, so numbers, ranges and doses never are.
        """
        if not (before.isalpha() and after.isalpha() and before[1:].islower() and after.islower()):
            return False
        if f"{before}-{after}".lower() in self._hyphenated:
            return False
        joined = (before + after).lower()
        if joined in self._page:
            return True
        if before.lower() in _COMPOUNDING and len(after) > 2:
            return self._frequency(joined) > _MORE_LIKELY * self._frequency(after)
        # Where neither part can stand alone, they are parts of one word, known or not.
        alone = self._is_word(before) or self._is_word(after)
        return self._is_word(joined) or not alone or is_medicine(joined)

    def _is_word(self, word: str) -> bool:
        return word.lower() in self._page or word.lower() in self._list

    def _frequency(self, word: str) -> int:
        return self._list.get(word.lower(), 1 if word.lower() in self._page else 0)

    @cached_property
    def _list(self) -> Mapping[str, int]:
        return word_frequencies(language(self._text))


def blank_for(code: str) -> str:
    """A control character that is no part of a word: TeX's codes for blanks, or nothing."""
    return " " if ord(code) in BLANK_CONTROLS else ""


def ligature(words: Words, found: re.Match[str]) -> str:
    """The letters of a ligature that was found in a word."""
    before, after = _letters_around(found)
    return words.ligature(before, found[0], after)


def hyphen(words: Words, found: re.Match[str]) -> str:
    """What stands for a hyphen at a line's end; its line end goes in any case."""
    before, after = _letters_around(found)
    first = found.start() - len(before)
    chained = found.string[first - 1 : first] == "-"
    parted = found[0].startswith(_SET_HYPHEN) and not words.has_set_hyphens
    return "" if not chained and (parted or words.joins(before, after)) else "-"


def _letters_around(found: re.Match[str]) -> tuple[str, str]:
    """The parts of a word before and behind what was found in it."""
    start, end = found.span()
    before = _LETTERS_BEFORE.search(found.string, max(0, start - _LONGEST_WORD), start)
    after = _LETTERS_AFTER.match(found.string, end, end + _LONGEST_WORD)
    return before[0] if before else "", after[0] if after else ""


@cache
def letters(code: int, following: int) -> str:
    """What stands for a unit until words are mended: `_character`, or a code that waits for it."""
    if code == 0x02 or (code < 0x20 and chr(code) in LIGATURE_CODES):
        return chr(code)
    return _plain_letters(_character(code, following))


def _plain_letters(character: str) -> str:
    """Ligatures and presentation forms of letters as the letters they stand for."""
    if "\ufb00" <= character <= "\ufefc":
        plain = unicodedata.normalize("NFKC", character)
        return plain if plain.isalpha() else character
    return character


def _character(code: int, following: int) -> str:
    """What one UTF-16 unit (or code point) of pdfium is in the text; "" when it is left out."""
    if 0x20 <= code < 0x7F or code == 0x0A:
        return chr(code)
    if code in _LINE_END_HYPHENS:
        return "-"
    if code == 0x0D:
        return "" if following == 0x0A else "\n"
    if code in BLANK_CONTROLS:
        return " "
    if code < 0x20 or 0x7F <= code < 0xA0 or code == 0xFFFF:
        return ""
    if 0xD800 <= code <= 0xDBFF and 0xDC00 <= following <= 0xDFFF:
        return chr(0x10000 + ((code - 0xD800) << 10) + (following - 0xDC00))
    return chr(code) if not 0xD800 <= code <= 0xDFFF and code <= 0x10FFFF else "\ufffd"


def clean_text(text: str) -> str:
    """`text` under the rules of `page_text`."""
    units = [ord(character) for character in text.replace("\r\n", "\n")]
    return "".join(_character(unit, 0) for unit in units)
