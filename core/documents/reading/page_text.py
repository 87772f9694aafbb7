"""The text of a PDF page as a person reads it, and where each of its characters stands.

Standard library only at import: the process that reads PDFs starts for every file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

from core.documents.reading.broken_words import (
    HYPHEN_AT_LINE_END,
    HYPHENS,
    JOINT,
    LIGATURE_CODES,
    LIGATURE_IN_WORD,
    Words,
    blank_for,
    hyphen,
    letters,
    ligature,
)
from core.documents.reading.letter_boxes import LetterBoxes
from core.documents.reading.reading_order import Box, Line, around, reading_order
from core.documents.reading.scripts import returned
from core.documents.reading.tables.every import every_table
from core.documents.reading.tables.layout import laid_out, words_of
from core.documents.reading.tables.rows import Row
from core.documents.reading.tables.words import PlacedWord
from core.documents.reading.typesetting.drawn_bullets import bullets_alone, drawn_bullets
from core.documents.reading.typesetting.foot_notes import notes_at
from core.documents.reading.typesetting.headings import set_headings
from core.documents.reading.typesetting.paragraphs import (
    LineEnd,
    SetLine,
    depths,
    line_ends,
    turned,
)
from core.text.layout.line_marks import (
    BULLET,
    DEEPER,
    HEADING,
    NOTES,
    NUMBER,
    TITLE,
    WRAPPED,
)
from core.text.tables.lines import (
    CELL_END,
    HEAD,
    INDENT,
    SAME_AS_ABOVE,
    SAME_AS_LEFT,
    UNCLEAR,
    is_row,
)

_ROW_BEGINS = frozenset({HEAD, INDENT, CELL_END})
_ROW_MARKS = _ROW_BEGINS | {SAME_AS_ABOVE, SAME_AS_LEFT}
_UPRIGHT = 0.05  # radians by which a line may lean
_PAIRED = frozenset((0x0D, *range(0xD800, 0xDC00)))  # codes that need the one behind them
_LAM = 0x0644
_ALEFS = (0x0622, 0x0623, 0x0625, 0x0627)  # those that share a glyph with a lam before them
_SPACED_CJK = re.compile("(?<=[\u3040-\u30ff\u3400-\u9fff]) (?=[\u3040-\u30ff\u3400-\u9fff])")
_WORD = re.compile(rf"[^\s{JOINT}]+{JOINT}?|{JOINT}")
_PIECE = re.compile(rf"[^\s{JOINT}](?:[^\n{JOINT}]*[^\s{JOINT}])?")
_LINE_END = {LineEnd.PARTED: "\n\n", LineEnd.WRAPPED: f"{WRAPPED}\n"}
_ASLANT = 0.6  # heights of a line; what pdfium gives as one line may stand on two
_CELL_GAP = 1.0  # heights of a line; words of a line stand nearer
_FEWEST_SPREAD = 3  # blanks of a line that is spread over its column,
_SPREAD = 1.25  # how much wider than another one of them is,
_WIDEST_SPREAD = 2.0  # and how wide, in heights of the line
_WIDEST_CJK_GAP = 0.8  # widths of a character; a wider space parts columns


def page_text(textpage: Any) -> tuple[str, list[int]]:
    """The text of a page, and for each of its characters the pdfium character it came from.

    Both the stored text and the marks on a page's picture come from here, so an offset into the
    text always finds the box of its character. It rests on this page alone, for the same reason.

    Lines stand in reading order (see `reading_order`) and end with ``\\n``; each row of a ruled table
    is one (`core.text.tables`), and raised and lowered characters are in their places; a word that only a
    line's end parted is whole, any other hyphen there is ``-`` without a line end. Ligatures and
    the forms of Arabic letters are plain letters; a ligature without a name in the file is its
    letters where only one reading is a word, else U+FFFD, as half a surrogate pair is. Other
    control characters are left out.
    """
    page = _Characters(textpage)
    page.read()
    page.text, page.origins = returned(page.text, page.origins, page.box)
    page.lay_out_tables()
    page.set_bullets()
    page.order_lines()
    page.end_lines()
    page.mend_words()
    page.close_gaps()
    return "".join(page.text), page.origins


@dataclass
class _Characters:
    """Characters of a page on their way from pdfium's order to the reader's."""

    textpage: Any
    text: list[str] = field(default_factory=list)
    origins: list[int] = field(default_factory=list)
    boxes: dict[int, Box] = field(default_factory=dict)
    bullets: dict[int, Box] = field(
        default_factory=dict
    )  # drawn, by the origin of what they stand before

    @cached_property
    def _letters(self) -> LetterBoxes:
        return LetterBoxes(self.textpage)

    def read(self) -> None:
        """Take pdfium's characters; `JOINT` and `LIGATURE_CODES` stay for `mend_words`."""
        import pypdfium2.raw as pdfium_c

        unicode_of, raw = pdfium_c.FPDFText_GetUnicode, self.textpage.raw
        codes = [unicode_of(raw, i) for i in range(self.textpage.count_chars())]
        order = self._unmirrored(codes)
        codes.append(0)
        for i in order:
            code = codes[i]
            if 0x20 <= code < 0x7F:  # as nearly all are
                self.text.append(chr(code))
                self.origins.append(i)
                continue
            following, previous = codes[i + 1], codes[i - 1] if i else 0
            if 0xDC00 <= code <= 0xDFFF and 0xD800 <= previous <= 0xDBFF:
                continue  # second half of a pair that is already there
            found = letters(code, following if code in _PAIRED else 0)
            self.text += found
            self.origins += [i] * len(found)

    def _unmirrored(self, codes: list[int]) -> list[int]:
        """Places of `codes` with lam before alef: pdfium turns the two letters of one glyph round."""
        order = list(range(len(codes)))
        if _LAM not in codes:
            return order
        for i in range(len(codes) - 1):
            if codes[i] in _ALEFS and codes[i + 1] == _LAM and self.box(i) == self.box(i + 1):
                order[i], order[i + 1] = i + 1, i
        return order

    def lay_out_tables(self) -> None:
        """Put each row of a table on one line, where the table's first word stood."""
        found = every_table(
            self.textpage.page, self.text, self._words, self._segments(), self._begins_bold
        )
        tables = [rows for rows in found.tables if self._are_upright(rows)]
        ends = {self.origins[one.end - 1] for lines in found.unclear for one in lines}
        if tables:
            self.text, self.origins = laid_out(self.text, self.origins, tables)
        if ends:
            last = {
                origin: i for i, origin in enumerate(self.origins) if not self.text[i].isspace()
            }
            marked = sorted(last[origin] for origin in ends & last.keys())
            self._replace(((i, i + 1), self.text[i] + UNCLEAR) for i in marked)

    def set_bullets(self) -> None:
        """Give lines the bullets that the page draws before them; rows of tables have none."""
        drawn = drawn_bullets(self.textpage.page, self._segments)
        rows = [(a, b) for a, b in self._lines() if drawn and is_row("".join(self.text[a:b]))]
        free = [at for at in sorted(drawn) if not any(a <= at < b for a, b in rows)]
        self.bullets = {self.origins[at]: drawn[at] for at in free}
        self._replace(((at, at + 1), f"• {self.text[at]}") for at in free)
        lines = self._lines()
        boxes = [("".join(self.text[a:b]), self._line_box(a, b)) for a, b in lines]
        self._replace(((lines[n][1], lines[n][1] + 1), " ") for n in bullets_alone(boxes))

    def _segments(self) -> list[PlacedWord]:
        """What stands together on the lines, parted where words are as far apart as cells are."""
        found = []
        for start, end in [piece for a, b in self._lines() for piece in self._pieces(a, b)]:
            gaps = self._gaps(start, end)
            for begin, close in pairwise([start, *gaps, end]):
                begin += begin in gaps
                ends = (self.box(self.origins[begin]), self.box(self.origins[close - 1]))
                close += self.text[close : close + 1] == [JOINT]  # a word goes on in the next line
                text = "".join(self.text[begin:close])
                found.append(PlacedWord(begin, close, text, around(ends)))
        return found

    def _words(self) -> list[PlacedWord]:
        """What stands between white space; also the parts of a word that a line's end parted."""
        words = []
        for found in _WORD.finditer("".join(self.text)):
            start, end = found.span()
            boxes = [self.box(origin) for origin in self.origins[start:end]]
            words.append(PlacedWord(start, end, found[0], around(boxes)))
        return words

    def _begins_bold(self, word: PlacedWord) -> bool:
        return self._is_bold(word.start)

    def _is_bold(self, at: int) -> bool:
        from core.documents.reading.typesetting.weights import is_bold

        return is_bold(self.textpage.raw, self.origins[at])

    def _are_upright(self, rows: Sequence[Row]) -> bool:
        return all(
            self._is_upright(word.start, word.end) for row in rows for word in words_of(row)[:1]
        )

    def order_lines(self) -> None:
        """Put lines in reading order; a bullet shares its line with its text."""
        spans = self._lines()
        lines = [Line("".join(self.text[a:b]), self._line_box(a, b)) for a, b in spans]
        rows = reading_order(lines, lambda i: self._is_upright(*spans[i]))
        if [i for row in rows for i in row] == list(range(len(lines))):
            return
        text: list[str] = []
        origins: list[int] = []
        for row in rows:
            for i in row:
                a, b = spans[i]
                if origins:
                    text.append(" " if i != row[0] else "\n")
                    origins.append(self.origins[min(b, len(self.origins) - 1)])
                text += self.text[a:b]
                origins += self.origins[a:b]
        self.text, self.origins = text, origins

    def _lines(self) -> list[tuple[int, int]]:
        """Start and end of every line, without the line end."""
        ends = [i for i, character in enumerate(self.text) if character == "\n"]
        return list(zip([0, *(end + 1 for end in ends)], [*ends, len(self.text)], strict=True))

    def _line_box(self, start: int, end: int) -> Box | None:
        """Box around the first and the last character; of the part before a joined hyphen only."""
        end = next((i for i in range(start, end) if self.text[i] == JOINT), end)
        seen = [i for i in range(start, end) if not self.text[i].isspace()]
        return around([self.box(self.origins[i]) for i in (seen[0], seen[-1])]) if seen else None

    def end_lines(self) -> None:
        """Set paragraphs off by an empty line, mark the lines that go on below (`WRAPPED`), set the items of an
        item in (`DEEPER`), set the notes at the page's foot off (`NOTES`), and mark title and headings."""
        pieces = [piece for a, b in self._lines() for piece in self._pieces(a, b)]
        angle = self._usual_angle(pieces)
        lines = [self._set_line(a, b, angle) for a, b in pieces]
        ends = line_ends(lines)
        heads = set_headings(lines, ends)
        changes: list[tuple[tuple[int, int], str]] = []
        notes = notes_at(lines)
        for number, ((_, end), (start, _), found, depth) in enumerate(
            zip(pieces, pieces[1:], ends, depths(lines)[1:], strict=False), start=1
        ):
            between = self.text[end:start]
            if number == notes and "\n" in between:
                changes.append(((end, start), f"\n\n{NOTES}"))
                continue
            if heads.goes_on(number - 1):
                found = LineEnd.WRAPPED
            set_as = TITLE if number - 1 in heads.title else ""
            set_as = set_as or HEADING * heads.ended(number - 1)
            is_mended = found is LineEnd.WRAPPED and self.text[end - 1] in HYPHENS
            if (
                between.count("\n") != 1
                or UNCLEAR in between
                or is_mended
                or not (depth or set_as or found in _LINE_END)
            ):
                continue
            # A row's first cell may have no words.
            row = [one for one in between[between.index("\n") + 1 :] if one in _ROW_MARKS]
            below = "".join(row) if _ROW_BEGINS & set(row) else depth * DEEPER
            changes.append(((end, start), set_as + _LINE_END.get(found, "\n") + below))
        self._replace(changes)

    def _usual_angle(self, pieces: Sequence[tuple[int, int]]) -> float:
        """The angle that most of a page's lines run at: a stamp at its edge may come first, on its side."""
        angles = Counter(round(self._angle(start), 2) for start, _ in pieces)
        return angles.most_common(1)[0][0] if angles else 0.0

    def _pieces(self, start: int, end: int) -> list[tuple[int, int]]:
        """What of a line stands on lines of the page, without the white space around it."""
        found = []
        for part in _PIECE.finditer("".join(self.text[start:end])):
            found.append((start + part.start(), start + part.end()))
        return found

    def _set_line(self, start: int, end: int, angle: float) -> SetLine:
        """A line as it is set on a page whose text runs at an angle."""
        text = "".join(self.text[start:end])
        word = next((i for i, sign in enumerate(text) if sign == " "), len(text))
        mark = BULLET.match(text) or NUMBER.match(text)
        skipped = mark.end() if mark else 0
        body = skipped if skipped < len(text) else 0
        first, last, word_end, middle, begun = (
            turned(self.box(self.origins[place]), angle)
            for place in (start, end - 1, start + word - 1, (start + end) // 2, start + body)
        )
        if (own := self.bullets.get(self.origins[start])) and text.startswith("• "):
            first = turned(own, angle)
        # A bullet is often of another font; a raised letter is smaller, and a capital with an accent taller.
        drawn = sorted((begun, middle, last), key=lambda one: one[3] - one[1])
        letter = drawn[1] if drawn[0][3] > drawn[0][1] else drawn[2]
        return SetLine(
            text,
            left=first[0],
            right=last[2],
            base=letter[1],
            height=letter[3] - letter[1],
            word=word_end[2] - first[0],
            bold=(self._is_bold(start), self._is_bold(end - 1)),
            mark=mark is not None,
            body=begun[0],
            fixed=is_row(text)
            or abs(begun[1] - last[1]) > _ASLANT * (letter[3] - letter[1])
            or abs(self._angle(start) - angle) > _UPRIGHT
            or bool(self._gaps(start + skipped, end, angle)),
        )

    def _gaps(self, start: int, end: int, angle: float = 0.0) -> list[int]:
        """The blanks of a line at which words stand as far apart as cells of a row do; none of a line that is
        spread over its column, so that all are as wide."""
        gaps: dict[int, float] = {}  # in heights of the letter before
        for place in range(start + 1, end - 1):
            if self.text[place] == " ":
                before = turned(self.box(self.origins[place - 1]), angle)
                after = turned(self.box(self.origins[place + 1]), angle)
                if after[0] > before[2]:  # none behind a bullet that was drawn
                    gaps[place] = (after[0] - before[2]) / max(before[3] - before[1], 0.1)
        words = "".join(self.text[start:end]).split()
        if (
            len(gaps) >= _FEWEST_SPREAD
            and max(gaps.values()) <= min(_SPREAD * min(gaps.values()), _WIDEST_SPREAD)
            and 2 * sum(word[:1].isalpha() for word in words) > len(words)  # and no row of numbers
        ):
            return []
        return [place for place, gap in gaps.items() if gap > _CELL_GAP]

    def box(self, place: int) -> Box:
        box = self.boxes.get(place)
        if box is None:
            box = self.boxes[place] = self._letters.box(place)
        return box

    def _is_upright(self, start: int, end: int) -> bool:
        first = next(i for i in range(start, end) if not self.text[i].isspace())
        return abs(self._angle(first)) < _UPRIGHT

    def _angle(self, place: int) -> float:
        import pypdfium2.raw as pdfium_c

        return float(pdfium_c.FPDFText_GetCharAngle(self.textpage.raw, self.origins[place]))

    def mend_words(self) -> None:
        """Name the ligatures and join what only a line's end parted."""
        text = "".join(self.text)
        if not any(code in text for code in (*LIGATURE_CODES, JOINT, "-\n", "\u2010")):
            return
        words = Words(text)
        self._replace(
            (found.span(), ligature(words, found)) for found in LIGATURE_IN_WORD.finditer(text)
        )
        text = "".join(self.text)
        self._replace(
            (found.span(), hyphen(words, found)) for found in HYPHEN_AT_LINE_END.finditer(text)
        )
        self._replace(
            ((i, i + 1), "-" if character == JOINT else blank_for(character))
            for i, character in enumerate(self.text)
            if character == JOINT or character in LIGATURE_CODES
        )

    def close_gaps(self) -> None:
        """Drop the spaces that pdfium puts between characters of a script without spaces."""
        text = "".join(self.text)
        gaps = [found.start() for found in _SPACED_CJK.finditer(text)]
        self._replace(((i, i + 1), "") for i in gaps if self._is_narrow(i))

    def _is_narrow(self, space: int) -> bool:
        before, after = (self.box(self.origins[space + step]) for step in (-1, 1))
        return 0 <= after[0] - before[2] <= _WIDEST_CJK_GAP * (before[2] - before[0])

    def _replace(self, changes: Iterable[tuple[tuple[int, int], str]]) -> None:
        """Exchange stretches for other letters, which come from where the stretch began."""
        for (start, end), words in reversed(list(changes)):
            self.origins[start:end] = [self.origins[start]] * len(words)
            self.text[start:end] = words
