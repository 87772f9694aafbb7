"""Where a file says again how a document begins, and the product that it names there.

Each kind of beginning is known by how such documents are built, not by the names in them: the heading and the
first sentence of leaflets and labels, a line with a product's form or strength above the first heading, the
panel of Drug Facts, a part of a kit in a label's listing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from core.documents.cutting.sections import sections
from core.documents.cutting.subject import (
    LONGEST_NAME,
    name_below,
    names_in_sentences,
    titled_line,
)
from core.domain.documents import Page
from core.resources import any_of, read_table
from core.text.model_talk import order_spans
from core.text.spelling.medicines import is_medicine
from core.text.stems import content_words
from core.text.tables.lines import is_row
from core.text.word_lists import word_frequencies

_TABLE = read_table(__file__, "products.toml")
_NUMBERED = [re.compile(line, re.IGNORECASE) for line in _TABLE["numbered"]["line"]]
_INGREDIENT = [re.compile(line, re.IGNORECASE) for line in _TABLE["ingredient"]["line"]]
_WITHIN = int(_TABLE["ingredient"]["within"])
_BEHIND = any_of([_TABLE["ingredient"]["behind"]])
_PANEL_TITLE = any_of([_TABLE["panel"]["title"]])
_PANEL_HEADS = re.compile(
    rf"^[ \t]*(?P<head>{'|'.join(_TABLE['panel']['heads'])})\b", re.IGNORECASE | re.MULTILINE
)
_FEWEST_HEADS = int(_TABLE["panel"]["fewest"])
_LISTED = any_of(_TABLE["listed"]["line"])
_LISTING = any_of(_TABLE["listed"]["below"])
_LISTED_WITHIN = int(_TABLE["listed"]["within"])
_NAMED_LINE = any_of(_TABLE["named_lines"]["pattern"])
_BESIDE = any_of(_TABLE["named_lines"]["beside"])
_OPENING = frozenset(_TABLE["named_lines"]["opening"])
_SENTENCE_IN = re.compile(r"[a-z]{3}\. [A-Z][a-z]")  # "once daily. Take with food. (2)"
_ABOVE = int(_TABLE["named_lines"]["above"])
_DISPLAY = any_of(_TABLE["display"]["line"])

_PRESCRIBED = any_of([_TABLE["named_lines"]["prescribed"]])
_TOP_LINES = 6  # a header or a number may stand above
PAGE_TOP = 300  # characters: what stands above a beginning near the top of a page belongs to it
_AROUND = " .:•▪●-–"  # an ingredient
_JOINED = " - "  # between a trade name and what it contains


class Sort(Enum):
    """How a file says that a document begins."""

    HEADED = auto()  # by a heading; one that runs over every page has anything below it
    STATED = auto()  # by a sentence or a line that only a label's beginning has
    PANEL = auto()  # by the active ingredients of Drug Facts
    LISTED = auto()  # by its number among the parts of a kit


@dataclass(frozen=True, slots=True)
class Beginning:
    """Where a product may begin: ``page.text[offset:]``, `place` being the page's among those with text.

    Attributes:
        contents: what it contains, as far as the name says so.
    """

    name: str
    place: int
    offset: int
    sort: Sort
    contents: tuple[str, ...] = ()

    @property
    def where(self) -> tuple[int, int]:
        return (self.place, self.offset)


def beginnings(pages: Sequence[Page]) -> list[Beginning]:
    """All that may be one, in order.

    Args:
        pages: with text.
    """
    found: list[Beginning] = []
    for place, page in enumerate(pages):
        on_page = [*_titles(page, place), *_panels(page, place)]
        on_page = sorted(filter(_may_name, map(_shortened, on_page)), key=lambda one: one.offset)
        if on_page and page.number and on_page[0].sort is not Sort.LISTED:
            on_page[0] = _from_top(on_page[0])
        found += on_page
    return found


def is_panel(pages: Sequence[Page]) -> bool:
    """Whether a text has the heads that Drug Facts must have."""
    return len(set().union(*(heads_of_panel(page.text) for page in pages))) >= _FEWEST_HEADS


def heads_of_panel(text: str) -> set[str]:
    """The heads of Drug Facts in a text, in singular and lower case."""
    return {found["head"].casefold().rstrip("s") for found in _PANEL_HEADS.finditer(text)}


def is_named_in_section(pages: Sequence[Page], word: str) -> bool:
    """Whether a leaflet's section 1 has a word in its heading."""
    for page in pages:
        lines, _ = _lines(page.text)
        for number, line in enumerate(lines):
            if word in content_words(_numbered(line, lines[number + 1 : number + 2])):
                return True
    return False


def displays(pages: Sequence[Page]) -> Iterator[tuple[int, int]]:
    """Where a label says that what is printed on a package follows: the page's place, and the character."""
    for place, page in enumerate(pages):
        lines, offsets = _lines(page.text)
        yield from (
            (place, offset)
            for line, offset in zip(lines, offsets, strict=True)
            if _DISPLAY.match(line)
        )


def _titles(page: Page, place: int) -> Iterator[Beginning]:
    """Headings, sentences and lines that name the product of a whole document, and its section 1."""
    lines, offsets = _lines(page.text)
    set_lines = [line for line in page.text.split("\n") if line.strip()]
    for number, line in enumerate(lines):
        name = name_below(set_lines, number) or _numbered(line, lines[number + 1 : number + 2])
        if name:
            yield Beginning(name, place, offsets[number], Sort.HEADED)
        elif _is_named_line(lines, number) and not is_row(set_lines[number]):
            yield Beginning(_bare(line), place, offsets[number], Sort.HEADED)
    for name, offset in names_in_sentences(page.text):
        yield Beginning(name, place, offset, Sort.STATED)
    if name := titled_line(lines):
        yield Beginning(name, place, 0, Sort.STATED)


def _panels(page: Page, place: int) -> Iterator[Beginning]:
    """Lines that begin the facts on a drug, or list a part of a kit."""
    lines, offsets = _lines(page.text)
    for number, line in enumerate(lines):
        following = lines[number + 1 : number + 1 + _WITHIN]
        found = next((match for one in _INGREDIENT if (match := one.fullmatch(line))), None)
        if found is not None:
            contents = _with_quantities([found["name"], *following])
            head = number
            while head and number - head < 2 and not _PANEL_TITLE.fullmatch(lines[head]):
                head -= 1
            titled = _PANEL_TITLE.fullmatch(lines[head])
            trade = (titled["name"] or "").strip(" -–:") if titled else ""
            name = ", ".join(contents)
            yield Beginning(
                f"{trade}{_JOINED}{name}" if trade and name else name,
                place,
                offsets[head if titled else number],
                Sort.PANEL,
                contents,
            )
        elif _LISTED.fullmatch(line) and len(following) > 1:
            within = lines[number + 1 : number + 1 + _LISTED_WITHIN]
            if any(map(_LISTING.match, within)):
                name = _JOINED.join(following[:2])
                contents = tuple(re.split(r"\s*[,;]\s*|\s+and\s+", following[1]))
                yield Beginning(name, place, offsets[number], Sort.LISTED, contents)


def _with_quantities(lines: Sequence[str]) -> tuple[str, ...]:
    """The names of ingredients, each on a line with its quantity; the first line's words without any."""
    names: list[str] = []
    told = [line for line in (one.strip(_AROUND) for one in lines) if line]
    for line in told:
        name, quantities = _BEHIND.subn("", line)
        if not quantities:
            break
        names.append(name.strip(_AROUND))
    return tuple(filter(None, names)) or tuple(told[:1])


def _numbered(line: str, following: Sequence[str]) -> str:
    """The name in the heading of section 1, which may be parted by the width of the paper."""
    for text in (line, " ".join([line, *following])):
        for pattern in _NUMBERED:
            if found := pattern.fullmatch(text):
                return found["name"]
    return ""


def _is_named_line(lines: Sequence[str], number: int) -> bool:
    """Whether a line is the title of an older label or of a compendium's entry: a form or a strength in it, or
    a medicine's name alone, and close below, with what else stands on a package between, a heading that such
    texts begin with."""
    line = lines[number]
    if len(line) > LONGEST_NAME or line[-1] in ".;:," or _SENTENCE_IN.search(line):
        return False
    if not _NAMED_LINE.search(line) and not _is_bare_name(line):
        return False
    above = lines[max(0, number - _WITHIN) : number]
    if any(one.fullmatch(each) for one in _INGREDIENT for each in above):
        return False  # an ingredient, with its strength
    for below in range(number + 1, min(number + 1 + _ABOVE, len(lines))):
        (first, *_) = sections([Page(1, "\n".join(lines[below : below + 2]))])[1]
        if first.heading == lines[below]:
            return first.code in _OPENING
        if not _BESIDE.search(lines[below]):
            return False
    return False


def label_title(pages: Sequence[Page]) -> str:
    """The line at the top of a label of before 2006 that names its product, or the first of several that do; ""
    without one.

    Args:
        pages: with text.
    """
    lines, _ = _lines(pages[0].text if pages else "")
    for number, line in enumerate(lines[:_TOP_LINES]):
        words = [word for word in content_words(line) if word.isalpha()]
        if all(word in word_frequencies("en") and not is_medicine(word) for word in words):
            continue
        last = number
        while last + 1 < len(lines) and _NAMED_LINE.search(lines[last + 1]):
            if content_words(lines[last + 1])[:1] != words[:1]:
                break
            last += 1
        prescribed = _PRESCRIBED.fullmatch("".join(lines[last + 1 : last + 2]))
        named = _NAMED_LINE.search(line) and len(line) <= LONGEST_NAME
        if (named and prescribed) or _is_named_line(lines, last):
            return _bare(line)
    return ""


def _is_bare_name(line: str) -> bool:
    words = content_words(line)
    return bool(words) and is_medicine(words[0]) and all(map(is_medicine, words))


def _bare(line: str) -> str:
    return _BESIDE.sub("", line).strip(" -–:,") or line


def _lines(text: str) -> tuple[list[str], list[int]]:
    """The lines of a page that say something, white space folded, and where they begin."""
    lines, offsets, offset = [], [], 0
    for line in text.split("\n"):
        if line.strip():
            lines.append(" ".join(line.split()))
            offsets.append(offset)
        offset += len(line) + 1
    return lines, offsets


def _from_top(one: Beginning) -> Beginning:
    """From the page's beginning on where there is little above; texts without pages have no top."""
    return replace(one, offset=0) if one.offset <= PAGE_TOP else one


def _shortened(one: Beginning) -> Beginning:
    return replace(one, name=one.name[:LONGEST_NAME].rstrip()) if one.contents else one


def _may_name(one: Beginning) -> bool:
    return bool(
        content_words(one.name) and len(one.name) <= LONGEST_NAME and not order_spans(one.name)
    )
