"""The notes of a table: what stands under it, or at the foot of a page, and is said of its rows.

A note is known by the mark that it begins with, and belongs to what carries the same mark: a cell, a head, the
caption. One that nothing points to, and one that is called a note instead, belongs to the table that it
stands under.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from core.resources import any_of, read_table
from core.text.tables.cells import Span

_SIGNS = "*†‡§¶‖#π※"
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_AS_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SIGNED = re.compile(
    rf"\s*(?!§\s*\d)(?P<mark>[{re.escape(_SIGNS)}]+)\s*(?=[^\s{re.escape(_SIGNS)}])"
)
# A letter twice is a mark too ("ll"); with a full stop or a bracket behind it, it is an item's.
_LETTERED = re.compile(
    r"\s*(?P<mark>(?:(?P<letter>[a-z])(?P=letter)?|\d{1,2})(?=\s)|[⁰¹²³⁴-⁹]{1,2})"
    r"\s*(?=[“\"(]?[A-ZÄÖÜ(])"
)
_IN_TEXT = re.compile(rf"(?<=\s)(?P<mark>[{re.escape(_SIGNS)}]+)(?=[^\W\d_]{{2}})")
_BULLETS = "*#"  # signs that begin items and heads, too
_ENDS = r"(?=\s*(?:$|[(\[;:,.|/–]))"
_LONGEST_TITLE = 200  # characters
Places = tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class RowNote:
    """A note of a row of a table.

    Attributes:
        text: with its mark, as it is told.
        places: pages behind the row's page, start and end of each part of it on its page.
        parts: numbers of the row's parts that it is said of; empty where it is said of the row.
    """

    text: str
    places: Places
    parts: tuple[int, ...] = ()


@dataclass(slots=True)
class TableRow:
    """What of a row may point to a note: its caption and label, its cells with their heads."""

    lead: Sequence[str]
    parts: Sequence[str]
    page: int


@dataclass(slots=True)
class TableNotes:
    """Gathers the tables of a text with the paragraphs that may be notes, from the top.

    Args:
        spoken: the words of a stretch of the text as they are told.
    """

    spoken: Callable[[int, int], str]
    _tables: list[list[TableRow]] = field(default_factory=list)
    _notes: list[_Marked] = field(default_factory=list)
    _last_is_table: bool = False
    _is_near: bool = False

    def take_table(self, rows: Sequence[TableRow]) -> None:
        self._tables.append(list(rows))
        self._last_is_table = self._is_near = True

    def drop_last_row(self) -> None:
        """Forget the last row of the last table: the next one tells it whole."""
        self._tables[-1].pop()

    def take_paragraph(self, words: str, span: Span, page: int, *, is_sentence: bool) -> bool:
        """Whether a paragraph is a note; what follows a table up to the next sentence may be one."""
        table = len(self._tables) - 1 if self._is_near else -1
        directly, self._last_is_table = self._last_is_table, False
        mark = self._mark(words)
        if mark is None and directly and _called().match(words):
            mark = ""
        if mark is None:
            self._is_near = self._is_near and not is_sentence
            return False
        self._notes.append(_Marked(mark, span, page, len(self._tables), table))
        return True

    def _mark(self, words: str) -> str | None:
        if found := _SIGNED.match(words):
            return found["mark"]
        found = _LETTERED.match(words) if self._is_near else None
        return found["mark"].translate(_RAISED) if found else None

    def told(self) -> list[list[tuple[RowNote, ...]]]:
        """The notes of each row of each table; their places are ``(0, start, end)`` of this text."""
        pointed: set[int] = set()
        found = [
            [self._of_row(number, rows, row, pointed) for row in rows]
            for number, rows in enumerate(self._tables)
        ]
        for place, note in enumerate(self._notes):
            sign = not note.mark or (note.mark[0] in _SIGNS and note.mark[0] not in _BULLETS)
            if place not in pointed and note.table >= 0 and sign:
                rows = found[note.table]
                found[note.table] = [(*own, self._note(note, ())) for own in rows]
        return found

    def _of_row(
        self, table: int, rows: Sequence[TableRow], row: TableRow, pointed: set[int]
    ) -> tuple[RowNote, ...]:
        behind = [
            (place, note)
            for place, note in enumerate(self._notes)
            if note.behind > table and note.mark and note.page - row.page <= 1
        ]
        nearest: dict[str, tuple[int, _Marked]] = {}
        for place, note in behind:
            nearest.setdefault(note.mark, (place, note))
        told: list[RowNote] = []
        for mark, (place, note) in nearest.items():
            points = _pointing(mark)
            # Where nothing names the columns, the first row may.
            headless = len(row.parts) == 1 and any(map(points.search, rows[0].parts))
            parts = tuple(n for n, one in enumerate(row.parts) if points.search(one))
            if any(map(points.search, row.lead)) or headless:
                parts = ()
            elif not parts:
                continue
            pointed.add(place)
            told.append(self._note(note, parts))
        return tuple(told)

    def _note(self, note: _Marked, parts: tuple[int, ...]) -> RowNote:
        return RowNote(self.spoken(*note.span), ((0, *note.span),), parts)


@dataclass(frozen=True, slots=True)
class _Marked:
    """A paragraph with its mark ("" where it is called a note): how many tables stand above it, and the
    number of the one that it stands under; -1 where it stands under none."""

    mark: str
    span: Span
    page: int
    behind: int
    table: int


def _pointing(mark: str) -> re.Pattern[str]:
    """Where a mark stands behind words, and is no part of another one."""
    own = re.escape(mark)
    if mark[0] in _SIGNS:
        signs = re.escape(_SIGNS)
        of_law = r"(?!\s*\d)" if mark == "§" else ""
        return re.compile(rf"(?<![{signs}]){own}(?![{signs}\w]){of_law}")
    if mark.isdecimal():
        raised = mark.translate(_AS_RAISED)
        return re.compile(rf"(?:(?<=[A-Za-z)\]?%.])(?:{own})|{raised}){_ENDS}")
    return re.compile(rf"(?<![^\W\d_]){own}{_ENDS}")


def parted_at_notes(words: str) -> list[int]:
    """Where the notes begin that stand in a running text, as tables without cells have them: at a sign right
    before a word, which stands behind an earlier word, too ("once daily* *Patients with ...")."""
    places = [0]
    for found in _IN_TEXT.finditer(words):
        if _pointing(found["mark"]).search(words[: found.start()]):
            places.append(found.start())
    return places


def begins_as_note(line: str) -> bool:
    """Whether a line begins with a sign that marks notes and nothing else."""
    found = _SIGNED.match(line)
    return found is not None and found["mark"][0] not in _BULLETS


def is_signed(words: str) -> bool:
    """Whether a statement begins with the sign of a note: a note may be no whole sentence."""
    found = _SIGNED.match(words)
    return found is not None and found["mark"][0] != "#"


def is_title(words: str) -> bool:
    """Whether a paragraph that stands right above a table may say what it is of."""
    return len(words) <= _LONGEST_TITLE


@cache
def _called() -> re.Pattern[str]:
    return any_of([rf"(?:{'|'.join(read_table(__file__, 'notes.toml')['called'])})\s*:"])


def moved(
    notes: Iterable[RowNote], places: Callable[[int, int], tuple[tuple[int, int, int], ...]]
) -> tuple[RowNote, ...]:
    """Notes with their places on pages.

    Args:
        places: of a stretch of the text, as `RowNote.places` has it.
    """
    return tuple(replace(one, places=places(*one.places[0][1:])) for one in notes)
