"""What a readable file consists of, whatever its format: the outline makes blocks, each format draws them.

Texts in blocks are as they came: a format escapes what it would read as markup.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.answers import Support


@dataclass(frozen=True, slots=True)
class Title:
    """The head of the first page."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Heading:
    """`level` 1 begins a question, 2 a part of it, 3 what one document says; `new_page` where the format
    has pages."""

    level: int
    text: str
    new_page: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """Something the reader must not miss."""

    text: str


@dataclass(frozen=True, slots=True)
class Facts:
    """Labels with their values."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of an answer.

    Attributes:
        marks: numbers of the evidence that it cites.
        support: None where nothing was claimed (a refusal).
        problems: what the check found wrong.
    """

    number: str
    text: str
    marks: tuple[int, ...]
    support: Support | None
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cited:
    """A piece of evidence: what it is, its words, and how it can be found again."""

    mark: int
    head: str
    quote: str
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; `widths` are shares of the line, one for each column."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    widths: tuple[int, ...]


Block = Title | Heading | Paragraph | Note | Facts | Said | Cited | Grid

SUPPORT = {
    Support.DOCUMENT: "Rests on a document",
    Support.GRAPH: "Rests on the graph",
    Support.BOTH: "Rests on a document and the graph",
    Support.UNSUPPORTED: "Rests on nothing that was found",
}
