"""Two documents compared, section by section."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import accumulate

from rapidfuzz import fuzz

from core.documents.cutting.furniture import repeated_lines
from core.domain.documents import Document, Page
from core.versions.aligning import Pair, aligned, brought_together, ordered
from core.versions.amounts import changed_numbers, own_numbers
from core.versions.differences import (
    Difference,
    DifferenceKind,
    NumberChange,
    SectionDifferences,
    Side,
    VersionComparison,
)
from core.versions.units import Unit, heading_key, units
from core.versions.words import TextWord, ends_broken, spans_of

_SAME_HEADING = (
    85  # likeness of two headings, of 100: "6. Contents of the pack", "6. Content of the pack"
)


def compared(
    old: Document, old_pages: Sequence[Page], new: Document, new_pages: Sequence[Page]
) -> VersionComparison:
    """What differs between two documents.

    Sections are brought together by their standard code, then by heading; in them, sentences, list items
    and rows of tables by their words. What stands elsewhere in the new version was moved.
    """
    furniture = repeated_lines(old_pages) | repeated_lines(new_pages)
    then, now = (_by_section(units(pages, furniture)) for pages in (old_pages, new_pages))
    matches = _matched(then, now)
    found = [
        pair for one, other in matches for pair in aligned(then.get(one, ()), now.get(other, ()))
    ]
    sections: dict[tuple[str, str], list[Pair]] = {match: [] for match in matches}
    of_old, of_new = ({match[side]: match for match in matches} for side in (0, 1))
    for pair in brought_together(found):
        match = of_new[_key(pair.new[0])] if pair.new else of_old[_key(pair.old[0])]
        sections[match].append(pair)
    return VersionComparison(
        old,
        new,
        tuple(
            SectionDifferences(
                *_name((now.get(other) or then[one])[0]), tuple(map(_difference, ordered(here)))
            )
            for (one, other), here in sections.items()
            if here
        ),
    )


def _name(unit: Unit) -> tuple[str, str]:
    return unit.section, unit.heading


def _by_section(found: Sequence[Unit]) -> dict[str, list[Unit]]:
    """Units by what tells their section: its code, or else its heading."""
    parted: dict[str, list[Unit]] = {}
    for unit in found:
        parted.setdefault(_key(unit), []).append(unit)
    return parted


def _key(unit: Unit) -> str:
    return unit.section or f"heading {heading_key(unit.heading)}"


def _matched(then: dict[str, list[Unit]], now: dict[str, list[Unit]]) -> list[tuple[str, str]]:
    """Sections of both versions in the order of the new one; "" where a version has none."""
    partner = {key: key for key in now if key in then}
    for key in now:
        left = [other for other in then if other not in partner.values()]
        if key not in partner and not now[key][0].section:
            like = {other: fuzz.ratio(key, other) for other in left if not then[other][0].section}
            best = max(like, key=lambda other: like[other], default="")
            if best and like[best] >= _SAME_HEADING:
                partner[key] = best
    found = [(partner.get(key, ""), key) for key in now]
    place = 0
    for key in then:
        here = next((at for at, (one, _) in enumerate(found) if one == key), None)
        if here is None:
            found.insert(place, (key, ""))
            here = place
        place = here + 1
    return found


def _difference(pair: Pair) -> Difference:
    if not pair.new:
        told, places = _own(pair.old)
        changes = tuple(NumberChange(one, "") for one in told)
        return Difference(DifferenceKind.REMOVED, _side(pair.old, numbers=places), None, changes)
    if not pair.old:
        told, places = _own(pair.new)
        changes = tuple(NumberChange("", one) for one in told)
        return Difference(DifferenceKind.ADDED, None, _side(pair.new, numbers=places), changes)
    old_marks, new_marks = _marks(_words(pair.old), _words(pair.new))
    if not (old_marks or new_marks):
        kind = DifferenceKind.MOVED if pair.moved else DifferenceKind.SAME
        return Difference(kind, _side(pair.old), _side(pair.new))
    # A heading's number counts headings.
    is_heading = all(unit.is_heading for unit in (*pair.old, *pair.new))
    numbers, then, now = changed_numbers(_text(pair.old), _text(pair.new))
    if is_heading:
        numbers, then, now = (), (), ()
    return Difference(
        DifferenceKind.MOVED if pair.moved else DifferenceKind.CHANGED,
        _side(pair.old, old_marks, then),
        _side(pair.new, new_marks, now),
        numbers,
    )


def _own(side: Sequence[Unit]) -> tuple[tuple[str, ...], tuple[tuple[int, int], ...]]:
    if all(unit.is_heading for unit in side):
        return (), ()
    return own_numbers(_text(side), bare=all(unit.row for unit in side))


def _text(side: Sequence[Unit]) -> str:
    return " ".join(unit.text for unit in side)


def _words(side: Sequence[Unit]) -> list[TextWord]:
    """The words of several units, as they stand in their joined text; one that a page breaks behind its hyphen
    is one word."""
    found: list[TextWord] = []
    starts = accumulate((len(unit.text) + 1 for unit in side), initial=0)
    before = ""
    for unit, start in zip(side, starts, strict=False):
        own = [word._replace(start=word.start + start, end=word.end + start) for word in unit.words]
        if found and own and ends_broken(before) and unit.text[0].isalpha():
            last, first = found.pop(), own[0]
            own[0] = TextWord(last.key + first.key, last.exact + first.exact, last.start, first.end)
        found += own
        before = unit.text
    return found


def _marks(
    old: Sequence[TextWord], new: Sequence[TextWord]
) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """Where the words stand that only one of two texts has."""
    matcher = SequenceMatcher(None, [one.exact for one in old], [one.exact for one in new], False)
    gone, come = set[int](), set[int]()
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            gone.update(range(a, b))
            come.update(range(c, d))
    return spans_of(old, gone), spans_of(new, come)


def _side(
    side: Sequence[Unit],
    marks: tuple[tuple[int, int], ...] = (),
    numbers: tuple[tuple[int, int], ...] = (),
) -> Side:
    return Side(
        _text(side),
        tuple(unit.place for unit in side),
        side[0].section,
        side[0].heading,
        marks,
        numbers,
        all(unit.row for unit in side),
        side[0].lead,
    )
