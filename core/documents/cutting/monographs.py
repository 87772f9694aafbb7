"""The monographs of one file, as a guideline or a hospital's formulary has them: headings that are numbered, or
lettered, in one row and begin with a medicine's name ("1 GENTAMICIN", "B. FOSPHENYTOIN SODIUM 75 mg/mL"), those
of the chapters of a larger book ("5.1.1 Amoxicillin", "5.1.2 Co-amoxiclav (tablets)"), or
lines that are nothing but the names of different medicines, in a file that is named after none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.documents.cutting.beginnings import Beginning, Sort
from core.documents.cutting.named import DrugsIn
from core.documents.cutting.parts import DISCUSSION, METHODS, RESULTS, part_of
from core.documents.cutting.subject import LONGEST_NAME
from core.domain.documents import Page
from core.text.model_talk import order_spans
from core.text.quantities import quantities
from core.text.spelling.salts import SALTS
from core.text.tables.lines import CELL_END
from core.text.word_lists import word_frequencies

_HEAD = re.compile(r"\W*(?P<number>\d{1,2}|[A-Z])[.):]?[ \t]+(?P<name>[^\W\d].*\S)\s*")
_IN_CHAPTER = re.compile(
    r"\W*(?P<number>\d{1,2}(?:\.\d{1,2}){1,3})[.)]?[ \t]+(?P<name>[^\W\d].*\S)\s*"
)
_DEPTHS = 2, 3, 4  # numbers of a heading in a chapter
_FIRST_WORD = re.compile(r"[^\W\d_]+(?:[-‐‑–][^\W\d_]+)*")
_BRACKETS = re.compile(r"\([^()]{0,160}\)")
_OF_PAPERS = (METHODS, RESULTS, DISCUSSION)  # parts whose headings only papers have
_SENTENCE_END = (".", ";", ",", ":", "?")
_MOST_WORDS = 12  # of a heading
_SHARE_OF_MEDICINES = 0.6  # of the headings of a row
_SHARE_OF_TEXT = 0.6  # of the file that stands below them
_FEWEST = 2  # headings that name different medicines
_OPENING = 4  # lines in which a product's own document says what it is on
_STRENGTHS = ("mg", "ml", "unit", "%")
_FEWEST_BARE = 3  # of them without number and letter
_SHORTEST = 100  # characters of a monograph


def monographs(pages: Sequence[Page], drugs_in: DrugsIn) -> list[Beginning]:
    """Where each begins, in order, and what belongs to the file as a whole under no name; none where no row of
    headings tells of different medicines, or most of the file stands outside it.

    Args:
        pages: with text.
    """
    heads = list(_heads(pages, _HEAD))
    rows = [[one for _, one in _row(heads, first)] for first in heads if first[0] in ("1", "A")]
    for row in sorted(rows, key=len, reverse=True):
        named = [place for place, one in enumerate(row) if _names_medicine(one.name, drugs_in)]
        different = {frozenset(drugs_in(_opening(row[place].name))) for place in named}
        if len(different) < _FEWEST:
            continue
        # A guideline begins with its scope, and ends with what is to be done afterwards.
        run = row[named[0] : named[-1] + 1]
        behind = row[named[-1] + 1 :]
        most = len(named) >= _SHARE_OF_MEDICINES * len(row)
        if not most and not all(_is_bare(row[place].name, drugs_in) for place in named):
            continue  # a protocol's steps ("Rituximab infusion")
        if any(part_of(one.name) in _OF_PAPERS for one in row):
            continue
        if len(named) >= _SHARE_OF_MEDICINES * len(run) and _tells_of_doses(pages, run, behind):
            return _with_the_rest([*run, *behind], drugs_in)
    if chapters := _of_chapters(pages, drugs_in):
        return chapters
    bare = _bare_lines(pages, drugs_in)
    if not bare or not _tells_of_doses(pages, bare, []):
        return []
    return bare if bare[0].where == (0, 0) else [Beginning("", 0, 0, Sort.STATED), *bare]


def _of_chapters(pages: Sequence[Page], drugs_in: DrugsIn) -> list[Beginning]:
    """Headings of one depth of which most begin with a medicine's name; what stands under a shorter number is
    of no medicine."""
    heads = [
        (len(number.split(".")), one) for number, one in _heads(pages, _IN_CHAPTER) if one.name
    ]
    for depth in _DEPTHS:
        deep = [one for each, one in heads if each == depth]
        named = [one for one in deep if _names_medicine(one.name, drugs_in)]
        different = {frozenset(drugs_in(_opening(one.name))) for one in named}
        if len(different) < _FEWEST_BARE or len(named) < _SHARE_OF_MEDICINES * len(deep):
            continue
        row = [
            one if each == depth else Beginning("", *one.where, Sort.STATED)
            for each, one in heads
            if each <= depth and one.where >= named[0].where
        ]
        if _tells_of_doses(pages, named, []):
            return _with_the_rest(row, drugs_in)
    return []


def _bare_lines(pages: Sequence[Page], drugs_in: DrugsIn) -> list[Beginning]:
    """Lines that are nothing but a medicine's name, each of another one; none where these are few, one stands
    twice, or the file's first lines name a medicine or a strength."""
    found: list[Beginning] = []
    for place, page in enumerate(pages):
        offset = 0
        for line in page.text.split("\n"):
            words = " ".join(line.split())
            is_name = words[:1].isupper() and _is_heading(words) and _is_bare(words, drugs_in)
            # "Potassium" alone is what is measured; "Potassium chloride" a medicine.
            if is_name and (drugs_in(words) or " " in words):
                found.append(Beginning(words, place, offset, Sort.STATED))
            offset += len(line) + 1
    named = {frozenset(drugs_in(one.name)) or one.name.casefold() for one in found}
    if not len(named) == len(found) >= _FEWEST_BARE:
        return []
    place, offset = found[0].where
    opening = pages[0].text[:offset] if place == 0 else pages[0].text
    return [] if _is_of_product(opening, drugs_in) else found


def _is_of_product(text: str, drugs_in: DrugsIn) -> bool:
    """Whether what a file begins with, before the first such line, names a medicine, or how strong it is."""
    lines = [one for one in text.split("\n") if one.strip()][:_OPENING]
    return any(
        drugs_in(line) or any(one.unit.startswith(_STRENGTHS) for one in quantities(line))
        for line in lines
    )


def _heads(pages: Sequence[Page], pattern: re.Pattern[str]) -> Iterator[tuple[str, Beginning]]:
    """Lines that may be one, each with its number or letter."""
    for place, page in enumerate(pages):
        offset = 0
        for line in page.text.split("\n"):
            found = pattern.fullmatch(line.partition(CELL_END)[0])
            if found and _is_heading(name := _briefly(found["name"])):
                yield found["number"], Beginning(name, place, offset, Sort.STATED)
            offset += len(line) + 1


def _briefly(words: str) -> str:
    """A heading in one line; of a long one without what stands in brackets (all forms and strengths)."""
    name = " ".join(words.split())
    return name if len(name.split()) <= _MOST_WORDS else " ".join(_BRACKETS.sub(" ", name).split())


def _is_heading(name: str) -> bool:
    return (
        name[0].isupper()
        and not name.endswith(_SENTENCE_END)
        and len(name) <= LONGEST_NAME
        and len(name.split()) <= _MOST_WORDS
        and not order_spans(name)
    )


def _row(
    heads: Sequence[tuple[str, Beginning]], first: tuple[str, Beginning]
) -> list[tuple[str, Beginning]]:
    """The headings that count on from one of them."""
    row = [first]
    for one in heads[heads.index(first) + 1 :]:
        if one[0] == _next(row[-1][0]):
            row.append(one)
    return row


def _next(number: str) -> str:
    return str(int(number) + 1) if number.isdigit() else chr(ord(number) + 1)


def _opening(name: str) -> str:
    """What a heading begins with, as one word: "PIPERACILLIN-TAZOBACTAM"."""
    found = _FIRST_WORD.match(name)
    return found[0].casefold() if found else ""


def _names_medicine(name: str, drugs_in: DrugsIn) -> bool:
    return bool(drugs_in(_opening(name)))


def _is_bare(name: str, drugs_in: DrugsIn) -> bool:
    """Whether a heading is a medicine's name and nothing else, but for what stands in brackets."""
    words = [one.casefold() for one in _FIRST_WORD.findall(_BRACKETS.sub(" ", name))]
    return bool(words) and all(one in SALTS or drugs_in(one) for one in words)


def _tells_of_doses(
    pages: Sequence[Page], run: Sequence[Beginning], behind: Sequence[Beginning]
) -> bool:
    """Whether most of a file stands below a run of headings, and below each of them a monograph.

    Args:
        behind: the headings of the row that follow the run.
    """
    whole = sum(len(page.text) for page in pages)
    end = Beginning("", len(pages) - 1, len(pages[-1].text), Sort.STATED)
    ends = [*run[1:], *behind[:1], end][: len(run)]
    parts = [_between(pages, *pair) for pair in zip(run, ends, strict=True)]
    told = all(
        len(part) >= _SHORTEST and any(one.unit for one in quantities(part)) for part in parts
    )
    return told and sum(map(len, parts)) >= _SHARE_OF_TEXT * whole


def _between(pages: Sequence[Page], one: Beginning, other: Beginning) -> str:
    texts = []
    for place in range(one.place, other.place + 1):
        start = one.offset if place == one.place else 0
        end = other.offset if place == other.place else None
        texts.append(pages[place].text[start:end])
    return "\n".join(texts)


def _with_the_rest(row: Sequence[Beginning], drugs_in: DrugsIn) -> list[Beginning]:
    """The monographs, and under no name what stands before them or under a heading of everyday words
    ("Abbreviations")."""
    everyday = word_frequencies("en")
    starts = [
        one
        if not one.name or _names_medicine(one.name, drugs_in) or _opening(one.name) not in everyday
        else Beginning("", *one.where, Sort.STATED)
        for one in row
    ]
    if starts[0].where != (0, 0):
        starts.insert(0, Beginning("", 0, 0, Sort.STATED))
    return [starts[0], *(one for before, one in pairwise(starts) if one.name != before.name)]
