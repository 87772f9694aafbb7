"""What a comparison of two documents tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.domain.documents import Document


class DifferenceKind(StrEnum):
    """What became of a stretch of text."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"


CHANGES = tuple(kind for kind in DifferenceKind if kind is not DifferenceKind.SAME)


@dataclass(frozen=True, slots=True)
class Place:
    """``text[start:end]`` of a page; page 0 is the text of a document without pages."""

    page: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class NumberChange:
    """A number that differs, as each version writes it; "" where a version has none in its place."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Side:
    """One version's text of a difference.

    Attributes:
        text: as it is read: without bullets, hyphens at line ends and line breaks.
        places: where it stands, in order.
        section, heading: of the section that it stands in; "" where that is not known.
        marks: parts of `text`, [start, end), that the other version does not have.
        numbers: parts of `text` that are changed numbers.
        row: it is a row of a table.
        lead: of an item of a list, the line that the list stands under; "" outside of lists.
    """

    text: str
    places: tuple[Place, ...]
    section: str
    heading: str
    marks: tuple[tuple[int, int], ...] = ()
    numbers: tuple[tuple[int, int], ...] = ()
    row: bool = False
    lead: str = ""

    @property
    def page(self) -> int:
        """The page that it begins on; 0 where there are none."""
        return self.places[0].page


@dataclass(frozen=True, slots=True)
class Difference:
    """A sentence, list item or row of a table, in both versions or in one.

    Attributes:
        numbers: numbers, dates and amounts that differ.
    """

    kind: DifferenceKind
    old: Side | None
    new: Side | None
    numbers: tuple[NumberChange, ...] = ()

    @property
    def lead(self) -> str:
        """What it stands under, in the new version where that has it; "" outside of lists."""
        return next((side.lead for side in (self.new, self.old) if side is not None), "")


@dataclass(frozen=True, slots=True)
class SectionDifferences:
    """One section of both versions, in the order of the new one.

    Attributes:
        code: standard code, or "".
        heading: as the new version prints it, or the old one where the new has none.
        differences: also those that are the same.
    """

    code: str
    heading: str
    differences: tuple[Difference, ...]

    @property
    def counts(self) -> Counter[DifferenceKind]:
        return Counter(one.kind for one in self.differences)

    @property
    def numbers(self) -> int:
        """How many of its differences have changed numbers."""
        return sum(bool(one.numbers) for one in self.differences)


@dataclass(frozen=True, slots=True)
class VersionComparison:
    """Two documents, compared."""

    old: Document
    new: Document
    sections: tuple[SectionDifferences, ...]

    @property
    def differences(self) -> Iterator[Difference]:
        return (one for section in self.sections for one in section.differences)

    @property
    def counts(self) -> Counter[DifferenceKind]:
        return sum((section.counts for section in self.sections), Counter[DifferenceKind]())

    @property
    def numbers(self) -> int:
        """How many differences have changed numbers."""
        return sum(section.numbers for section in self.sections)

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return not self.changed(self.differences)

    @staticmethod
    def changed(differences: Iterable[Difference]) -> list[Difference]:
        """Those that are not the same."""
        return [one for one in differences if one.kind is not DifferenceKind.SAME]
