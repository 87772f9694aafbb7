"""Boards: what leaflets, papers and the graph say of several medicines, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.domain.answers import DocumentCitation, GraphCitation


class BoardSource(StrEnum):
    """Where something on a board is said."""

    LEAFLET = "leaflet"
    PAPER = "paper"
    GRAPH = "graph"


class CellDifferenceKind(StrEnum):
    """How the sources of a cell differ. Absence from a text is never a statement of it."""

    NOT_IN_LEAFLET = "not_in_leaflet"
    DENIED = "denied"
    TREATS = "treats"
    FREQUENCIES = "frequencies"


class FrequencyClass(StrEnum):
    """How often a reaction comes, most often first (European Commission, guideline on SmPCs, 2009, 4.8)."""

    VERY_COMMON = "very_common"
    COMMON = "common"
    UNCOMMON = "uncommon"
    RARE = "rare"
    VERY_RARE = "very_rare"
    NOT_KNOWN = "not_known"


@dataclass(frozen=True, slots=True)
class Frequency:
    """How often, as a document says it.

    Attributes:
        said: its own words ("Common (may affect up to 1 in 10 people)", "10%-63%").
        level: the class, where the words are those of the European convention; else None.
    """

    said: str
    level: FrequencyClass | None = None


@dataclass(frozen=True, slots=True)
class BoardMedicine:
    """A column: a medicine of the graph, or one that only documents know.

    Attributes:
        key: the entity's id; of one that the graph does not have ``name:`` and its folded name.
        entity_id: "" where the graph does not have it.
        leaflets: documents on it alone that have sections of a leaflet: id -> file.
        with_reactions: ids of those in whose side effects something was read.
        left_out: leaflets that are about it and another medicine too.
    """

    key: str
    name: str
    entity_id: str
    leaflets: Mapping[str, str] = field(default_factory=dict)
    with_reactions: frozenset[str] = frozenset()
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Passage:
    """A place of a document on which a cell rests.

    Attributes:
        source: a leaflet on the medicine, or a paper.
        words: the document's own words for the reaction, or for the other medicine.
        denied: the sentence says that it does not occur.
        actions: words of the passage that say what to do ("must not", "monitor"), as they stand there.
        lead: the lead-in of the list whose item it is.
    """

    source: BoardSource
    citation: DocumentCitation
    words: str
    frequency: Frequency | None = None
    denied: bool = False
    actions: tuple[str, ...] = ()
    lead: str = ""


@dataclass(frozen=True, slots=True)
class CellDifference:
    """A difference in words for the reader."""

    kind: CellDifferenceKind
    words: str


@dataclass(frozen=True, slots=True)
class BoardCell:
    """What the sources say of a row and a column.

    Attributes:
        passages: in the order of the documents.
        facts: relationships that say it; `against`: those that say something else of the same two.
    """

    passages: tuple[Passage, ...] = ()
    facts: tuple[GraphCitation, ...] = ()
    against: tuple[GraphCitation, ...] = ()
    differences: tuple[CellDifference, ...] = ()

    def count(self, source: BoardSource) -> int:
        """How many passages of a kind, or relationships, it rests on; denials are none."""
        if source is BoardSource.GRAPH:
            return len(self.facts)
        return sum(one.source is source and not one.denied for one in self.passages)

    @property
    def sources(self) -> tuple[BoardSource, ...]:
        return tuple(source for source in BoardSource if self.count(source))

    @property
    def frequencies(self) -> tuple[Frequency, ...]:
        """Each of the leaflets once: classes, the most frequent first, then what has none."""
        found = dict.fromkeys(
            one.frequency for one in self.passages if one.frequency and not one.denied
        )
        order = list(FrequencyClass)
        classes = {one.level: one for one in found if one.level}
        return (
            *sorted(classes.values(), key=lambda one: order.index(one.level or order[-1])),
            *(one for one in found if not one.level),
        )

    @property
    def level(self) -> FrequencyClass | None:
        """The most frequent class that a leaflet gives; None without any."""
        found = self.frequencies
        return found[0].level if found else None


@dataclass(frozen=True, slots=True)
class SignalRow:
    """An adverse reaction.

    Attributes:
        key: unique on a board.
        entity_ids: those of the graph that are called so; empty: the leaflets' words, not linked.
        cells: by the column's key; a medicine of which nothing says it has none.
    """

    key: str
    name: str
    entity_ids: tuple[str, ...]
    cells: Mapping[str, BoardCell]

    @property
    def linked(self) -> bool:
        return bool(self.entity_ids)

    @property
    def differs(self) -> bool:
        return any(cell.differences for cell in self.cells.values())


@dataclass(frozen=True, slots=True)
class SignalBoard:
    """Reactions by medicines.

    Attributes:
        notes: what the reader must know of the whole (the graph is away, a medicine has no leaflet).
    """

    medicines: tuple[BoardMedicine, ...]
    rows: tuple[SignalRow, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InteractionBoard:
    """Medicines by medicines.

    Attributes:
        cells: by (whose leaflets speak, of which medicine); pairs of which nothing is said are left out.
    """

    medicines: tuple[BoardMedicine, ...]
    cells: Mapping[tuple[str, str], BoardCell]
    notes: tuple[str, ...] = ()
