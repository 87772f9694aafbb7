"""A record as Markdown (CommonMark, tables as GitHub has them)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from core.conversations.exporting.blocks import (
    SUPPORT,
    Block,
    Cited,
    Facts,
    Grid,
    Heading,
    Note,
    Paragraph,
    Said,
    Title,
)
from core.conversations.exporting.printable import one_line, printable

# What could begin markup: anywhere, at the beginning of a line, or in what could be read as a link. "<" and
# "&" as entities: renderers that let HTML through know no backslash before it.
_SPECIAL = re.compile(
    r"(?P<number>^\d{1,9})[.)]|[\\`*_\[\]|~$@#]|[<>&]|^[-+=:]|:(?=//)|(?<=www)\.", re.IGNORECASE
)
_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}


def markdown(blocks: Iterable[Block]) -> bytes:
    """The file, UTF-8."""
    parts = ("\n".join(_lines(block)) for block in blocks)
    return ("\n\n".join(parts) + "\n").encode()


def escaped(text: str) -> str:
    """One line that reads as it is written, whatever is in it."""
    return _SPECIAL.sub(_escape, one_line(text))


def _escape(match: re.Match[str]) -> str:
    number = match["number"] or ""
    sign = match[0][len(number) :]
    return number + _ENTITIES.get(sign, f"\\{sign}")


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Title(kind, text):
            yield f"# {escaped(text)}"
            yield ""
            yield f"**Materia: {escaped(kind)}**"
        case Heading(level, text):
            yield f"{'#' * (level + 1)} {escaped(text)}"
        case Paragraph(text):
            yield escaped(text)
        case Note(text):
            yield f"> **Note:** {escaped(text)}"
        case Facts(rows):
            yield from _table(("", ""), rows)
        case Grid(head, rows):
            yield from _table(head, rows)
        case Said():
            yield from _said(block)
        case Cited():
            yield from _cited(block)


def _said(said: Said) -> Iterator[str]:
    marks = "".join(f" \\[{n}\\]" for n in said.marks)
    yield f"**{escaped(said.number)}** {escaped(said.text)}{marks}"
    if said.support is not None:
        yield ""
        yield f"*{escaped(SUPPORT[said.support])}.*"
    for problem in said.problems:
        yield ""
        yield f"> **Doubt:** {escaped(problem)}"


def _cited(cited: Cited) -> Iterator[str]:
    yield f"**\\[{cited.mark}\\] {escaped(cited.head)}**"
    yield ""
    if printable(cited.quote).strip():
        lines = [line.strip() for line in printable(cited.quote).splitlines()]
        # Two blanks at the end keep the break.
        yield "\n".join(f"> {escaped(line)}  " if line else ">" for line in lines)
        yield ""
    for name, value in cited.facts:
        yield f"- {escaped(name)}: {escaped(value)}"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(map(escaped, head))} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(map(escaped, row))} |"
