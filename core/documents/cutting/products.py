"""The products that one file tells of, one after the other, and where each begins.

Files with several leaflets, labels of a kit and compendia repeat how a document begins: the heading of a
leaflet, the first sentence of a label, section 1, or the active ingredient. Each beginning names a product.
One that names the product before it again begins nothing ("Annex III" of a product information has the
leaflet of the same medicine).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import pairwise

from core.documents.cutting.sections import sections
from core.documents.cutting.subject import (
    LONGEST_NAME,
    Subject,
    name_below,
    names_in_sentences,
    own_title,
    titled_line,
)
from core.domain.documents import Page, Product
from core.resources import any_of, read_table
from core.text.model_talk import order_spans
from core.text.stems import content_words
from core.text.word_lists import word_frequencies

_TABLE = read_table(__file__, "products.toml")
_NUMBERED = [re.compile(line, re.IGNORECASE) for line in _TABLE["numbered"]["line"]]
_INGREDIENT = [re.compile(line, re.IGNORECASE) for line in _TABLE["ingredient"]["line"]]
_WITHIN = int(_TABLE["ingredient"]["within"])
_LISTED = any_of([_TABLE["ingredient"]["listed"]])
_BEHIND = any_of([_TABLE["ingredient"]["behind"]])

_PAGE_TOP = 300  # characters: what stands above a beginning near the top of a page belongs to it
_FEWEST_SECTIONS = 2  # kinds of sections that a product is told of in
_FEWEST_TIMES = 3  # that a leaflet has the first word of its product's name
_MOST = 200  # products; a file with more is a register

DrugsIn = Callable[[str], AbstractSet[str]]
"""Ids of the medicines that a text names."""


@dataclass(frozen=True, slots=True)
class _Beginning:
    """Where a product may begin: ``page.text[offset:]``, `place` being the page's among those with text."""

    name: str
    place: int
    offset: int


def about(
    pages: Sequence[Page],
    metadata: Mapping[str, str],
    file_title: str,
    count_mentions: Callable[[str], Mapping[str, int]],
    medicines: Callable[[Iterable[str]], Mapping[str, str]],
) -> tuple[str, tuple[Product, ...]]:
    """What a file is about by its own words, and its products where it tells of several.

    Args:
        metadata: what the file says of itself.
        file_title: what it is about where it does not say.
        count_mentions, medicines: see `Subject.of`.
    """

    def drugs_in(text: str) -> AbstractSet[str]:
        return medicines(count_mentions(text)).keys()

    subject = Subject.of(pages, count_mentions, medicines)
    own = own_title(pages, metadata, subject.is_named_in)
    found = products(pages, drugs_in)
    if not found:
        return subject.added_to(own or file_title), ()
    told = [page for page in pages if page.text.strip()]
    places = {page.number: place for place, page in enumerate(told)}
    starts = [_Beginning(one.title, places[one.page], one.start) for one in found]
    ends = [*starts[1:], _Beginning("", len(told), 0)]
    named = tuple(
        replace(
            one,
            title=Subject.of(_part(told, start, end), count_mentions, medicines).added_to(
                one.title
            ),
        )
        for one, start, end in zip(found, starts, ends, strict=True)
    )
    if own and not _same(own, found[0].title, drugs_in):
        return own, named
    return together([one.title for one in named]), named


def together(titles: Sequence[str]) -> str:
    """The titles of products as that of their file, as many as there is room for."""
    different = list(dict.fromkeys(titles))
    for shown in range(len(different), 0, -1):
        left = len(different) - shown
        text = "; ".join(different[:shown]) + (f" and {left} more" if left else "")
        if len(text) <= LONGEST_NAME:
            return text
    return different[0][:LONGEST_NAME].rstrip()


def products(pages: Sequence[Page], drugs_in: DrugsIn) -> tuple[Product, ...]:
    """The products of a file in order, the first from its beginning on; none where it tells of one, or
    nothing says where the next begins."""
    told = [page for page in pages if page.text.strip()]
    for find, every in ((_titles, False), (_ingredients, True)):
        found = [
            one for place, page in enumerate(told) for one in find(page, place) if _may_name(one)
        ]
        found.sort(key=lambda one: (one.place, one.offset))
        sure = _distinct(_borne_out(found, told, drugs_in, once=every), drugs_in)
        if len(sure) > 1:
            # What begins behind one that is not believed would be told under the name before it.
            distinct = _differently_named(found) if every else sure
            starts = [_Beginning(distinct[0].name, 0, 0), *distinct[1:_MOST]]
            return tuple(Product(one.name, told[one.place].number, one.offset) for one in starts)
    return ()


def _titles(page: Page, place: int) -> Iterator[_Beginning]:
    """Headings, sentences and lines that name the product of a whole document, and its section 1."""
    lines, offsets = _lines(page.text)
    for number, line in enumerate(lines):
        name = name_below(lines, number) or _numbered(line, lines[number + 1 : number + 2])
        if name:
            yield _Beginning(name, place, _from_top(page, offsets[number]))
    for name, offset in names_in_sentences(page.text):
        yield _Beginning(name, place, _from_top(page, offset))
    if name := titled_line(lines):
        yield _Beginning(name, place, 0)


def _ingredients(page: Page, place: int) -> Iterator[_Beginning]:
    """Lines that begin the facts on a drug, or list a part of a kit."""
    lines, offsets = _lines(page.text)
    for number, line in enumerate(lines):
        following = lines[number + 1 : number + 1 + _WITHIN]
        found = next((match for one in _INGREDIENT if (match := one.fullmatch(line))), None)
        if found is not None:
            name = _with_quantities([found["name"], *following])
        elif _LISTED.fullmatch(line) and following:
            yield _Beginning(" - ".join(following[:2]), place, offsets[number])
            continue
        else:
            continue
        yield _Beginning(name, place, _from_top(page, offsets[number]))


def _with_quantities(lines: Sequence[str]) -> str:
    """The names of ingredients, each on a line with its quantity; the first line's words without any."""
    names: list[str] = []
    told = [line for line in (one.strip(" .:") for one in lines) if line]
    for line in told:
        name, quantities = _BEHIND.subn("", line)
        if not quantities:
            break
        names.append(name.strip(" .:"))
    return ", ".join(names) or (told[0] if told else "")


def _numbered(line: str, following: Sequence[str]) -> str:
    """The name in the heading of section 1, which may be parted by the width of the paper."""
    for text in (line, " ".join([line, *following])):
        for pattern in _NUMBERED:
            if found := pattern.fullmatch(text):
                return found["name"]
    return ""


def _lines(text: str) -> tuple[list[str], list[int]]:
    """The lines of a page that say something, white space folded, and where they begin."""
    lines, offsets, offset = [], [], 0
    for line in text.split("\n"):
        if line.strip():
            lines.append(" ".join(line.split()))
            offsets.append(offset)
        offset += len(line) + 1
    return lines, offsets


def _from_top(page: Page, offset: int) -> int:
    """The page's beginning where there is little above; texts without pages have no top."""
    return 0 if page.number and offset <= _PAGE_TOP else offset


def _may_name(one: _Beginning) -> bool:
    return bool(
        content_words(one.name) and len(one.name) <= LONGEST_NAME and not order_spans(one.name)
    )


def _borne_out(
    found: Sequence[_Beginning], pages: Sequence[Page], drugs_in: DrugsIn, *, once: bool
) -> list[_Beginning]:
    """Those whose product is told of up to the next one: in sections, by its name. A header that stands on
    every page has anything below it.

    Args:
        once: its name need not be said again.
    """
    everyday = word_frequencies("en")
    kept = []
    end = _Beginning("", len(pages), 0)
    for one, following in pairwise([*found, end]):
        part = _part(pages, one, following)
        first = content_words(one.name)[0]
        times = sum(page.text.casefold().count(first) for page in part)
        is_name = first not in everyday or bool(drugs_in(one.name))
        codes = {each.code for parts in sections(part).values() for each in parts if each.code}
        repeats = following is not end and _first_word(following) == first
        if is_name and (
            repeats or ((once or times >= _FEWEST_TIMES) and len(codes) >= _FEWEST_SECTIONS)
        ):
            kept.append(one)
    return kept


def _part(pages: Sequence[Page], one: _Beginning, following: _Beginning) -> list[Page]:
    part = []
    for place in range(one.place, min(following.place + 1, len(pages))):
        page = pages[place]
        start = one.offset if place == one.place else 0
        end = following.offset if place == following.place else len(page.text)
        part.append(Page(page.number, page.text[start:end]))
    return part


def _distinct(found: Sequence[_Beginning], drugs_in: DrugsIn) -> list[_Beginning]:
    """Beginnings without those that name the product before them again."""
    distinct: list[_Beginning] = []
    for one in found:
        if not distinct or not _same(distinct[-1].name, one.name, drugs_in):
            distinct.append(one)
    return distinct


def _differently_named(found: Sequence[_Beginning]) -> list[_Beginning]:
    """Beginnings without those of the same words as the one before them."""
    pairs = zip([None, *found], found, strict=False)
    return [
        one
        for before, one in pairs
        if before is None or before.name.casefold() != one.name.casefold()
    ]


def _same(name: str, other: str, drugs_in: DrugsIn) -> bool:
    """Whether two names are one product's: of the same medicines, or one has the other's first word."""
    drugs, others = drugs_in(name), drugs_in(other)
    if drugs and others:
        return drugs == others
    words, other_words = content_words(name), content_words(other)
    return words[0] in other_words or other_words[0] in words


def _first_word(one: _Beginning) -> str:
    return content_words(one.name)[0] if content_words(one.name) else ""
