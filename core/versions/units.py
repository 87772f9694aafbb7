"""A document as what is compared: its sentences, list items, headings and rows of tables, by section."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from core.documents.cutting.furniture import counts_pages, line_key
from core.documents.cutting.sections import sections
from core.domain.documents import Page, Section
from core.text.layout.line_marks import without_bullet
from core.text.sentences import sentence_spans
from core.text.statements import paragraph_spans, spoken_words
from core.text.tables.lines import CELL_END, HEAD, is_row
from core.versions.differences import Place
from core.versions.words import TextWord, unbroken, words

RUNNING = "Headers and footers"
_CELLS = " | "
_NUMBERING = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2})*[.)]?|[IVX]{1,5}\.)\s+")


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, a list item, a heading, or a row of a table.

    Attributes:
        heading: the section's own, as the document prints it; `is_heading` where it is that itself.
        lead: of an item of a list, the line that the list stands under; `is_item` where it is one.
    """

    text: str
    words: tuple[TextWord, ...]
    place: Place
    section: str
    heading: str
    row: bool = False
    is_heading: bool = False
    is_item: bool = False
    lead: str = ""


def units(pages: Sequence[Page], furniture: Collection[str]) -> list[Unit]:
    """All that a document says, in order; running headers and footers once, under a heading of their own.

    Args:
        furniture: keys of the lines that are headers or footers, of this version or of the other: one
            with a single page repeats none.
    """
    parted = sections(pages)
    found = list(_running(pages, furniture))
    heads: dict[tuple[str, ...], int] = {}  # a table's heads, and the page they stand on
    for page in pages:
        whole = (Section("", "", 0, len(page.text)),)
        rows = {line.strip() for line in page.text.splitlines() if line.startswith(HEAD)}
        said = partial(_is_furniture, furniture, rows)
        for section in parted.get(page.number) or whole:
            for unit in _of_section(page, section, said):
                if unit.row and page.text.startswith(HEAD, unit.place.start):
                    key = tuple(word.key for word in unit.words)
                    if heads.get(key, page.number) != page.number:
                        continue  # repeated on the page that the table runs on to
                    heads[key] = page.number
                found.append(unit)
    return list(_led(found))


def _led(found: Sequence[Unit]) -> Iterator[Unit]:
    """Items of lists with what they stand under: the line before the list that ends in a colon, or else the
    heading. "If you take amiodarone" says nothing by itself."""
    lead = ""
    for unit in found:
        if unit.is_item:
            yield replace(unit, lead=lead or unit.heading)
            continue
        lead = unit.text if unit.text.endswith(":") else ""
        yield unit


def _running(pages: Sequence[Page], furniture: Collection[str]) -> Iterator[Unit]:
    """Headers and footers that say the same on all their pages, where they stand first."""
    first: dict[str, tuple[str, Page, int]] = {}
    counting = set[str]()
    for page in pages:
        start = 0
        for line in page.text.splitlines(keepends=True):
            key, folded = line_key(line), " ".join(line.split())
            is_one = folded and key in furniture and not counts_pages(line)
            if is_one and first.setdefault(key, (folded, page, start))[0] != folded:
                counting.add(key)
            start += len(line)
    for key, (_, page, start) in first.items():
        if key not in counting:
            end = start + len(page.text[start:].splitlines()[0])
            yield from _unit(page, Section("", RUNNING, start, end), start, end)


def _is_furniture(furniture: Collection[str], heads: Collection[str], line: str) -> bool:
    """Whether a line is a running header or footer; heads of a table that runs over pages are none."""
    return line not in heads and line_key(line) in furniture


def heading_key(heading: str) -> str:
    """A heading as it is compared with that of another version: its words without its number."""
    return " ".join(word.key for word in words(_NUMBERING.sub("", heading)))


def _of_section(
    page: Page, section: Section, is_furniture: Callable[[str], bool]
) -> Iterator[Unit]:
    text = page.text[section.start : section.end]
    head = text.find("\n") if "\n" in text else len(text)
    own = bool(section.heading) and " ".join(text[:head].split()) == section.heading
    if own:
        yield from _unit(page, section, section.start, section.start + head, is_heading=True)
    start = section.start + (head if own else 0)
    rest = page.text[start : section.end]
    for first, last in paragraph_spans(rest, is_furniture):
        if is_row(rest[first:last]):
            yield from _unit(page, section, start + first, start + last, row=True)
            continue
        is_item = without_bullet(rest[first:last]) != rest[first:last]
        for one, end in sentence_spans(rest, first, last):
            yield from _unit(page, section, start + one, start + end, is_item=is_item)


def _unit(
    page: Page,
    section: Section,
    start: int,
    end: int,
    *,
    row: bool = False,
    is_heading: bool = False,
    is_item: bool = False,
) -> Iterator[Unit]:
    written = page.text[start:end]
    if row:
        cells = (" ".join(cell.split()) for cell in unbroken(written).split(CELL_END))
        text = _CELLS.join(cells).strip(" |")
    else:
        text = spoken_words(unbroken(written))
    found = words(text)
    if found:
        place = Place(page.number, start, end)
        yield Unit(text, found, place, section.code, section.heading, row, is_heading, is_item)
