"""Which sections of its documents a clause asks for, told of the passages that were found for it."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Self

from core.documents.cutting.sections import SECTIONS_TOLD_IN
from core.domain.documents import Hit
from core.evidence.evidence import ClauseEvidence
from core.questions.clauses import Clause


@dataclass(frozen=True, slots=True)
class AskedSections:
    """How likely the section of a passage is asked for.

    Attributes:
        wanted: section code -> probability that the clause asks for it, in [0, 1].
        present: document, by its `subject` -> the sections of its passages.
        places: chunk id -> its place among the passages of its section that were found, from 0.
        alone: nothing but a section is asked for.
    """

    wanted: Mapping[str, float]
    present: Mapping[tuple[str, str], Container[str]]
    places: Mapping[str, int]
    alone: bool

    @classmethod
    def of(cls, part: ClauseEvidence, wanted: Mapping[str, float]) -> Self:
        """Of the passages of a clause.

        Args:
            wanted: as `wanted` above.
        """
        sections: dict[tuple[tuple[str, str], str], list[Hit]] = {}
        for hit in part.hits:
            sections.setdefault((hit.document.subject, hit.chunk.section), []).append(hit)
        present: dict[tuple[str, str], set[str]] = {}
        places: dict[str, int] = {}
        for (document, section), hits in sections.items():
            present.setdefault(document, set()).add(section)
            hits.sort(key=lambda hit: (hit.chunk.page, hit.chunk.start))
            places |= {hit.chunk.id: place for place, hit in enumerate(hits)}
        leaflet = part.clause.leaflet
        alone = leaflet is not None and leaflet.section_alone is not None
        return cls(wanted, present, places, alone)

    def asked(self, hit: Hit) -> float:
        """Probability that the clause asks for what stands in the passage's section: for the section, or for
        one that it tells too where the document has none of that name."""
        own = hit.chunk.section
        if not own:
            return 0.0
        there = self.present.get(hit.document.subject, ())
        told = [own, *(code for code in SECTIONS_TOLD_IN.get(own, ()) if code not in there)]
        return max(self.wanted.get(code, 0.0) for code in told)

    def opening(self, hit: Hit) -> float:
        """`asked` where a section alone is asked for, less the further down in it the passage stands."""
        return self.asked(hit) / (1 + self.places.get(hit.chunk.id, 0)) if self.alone else 0.0


def sections_asked(clause: Clause) -> dict[str, float]:
    """How likely a clause asks for each section, in (0, 1]: those that it names for sure, others as learned
    from how questions are put. The likeliest as learned come first: "wie lange" also asks how long something
    keeps."""
    learned = clause.leaflet.aspects if clause.leaflet is not None else ()
    return {one.section: one.probability for one in learned} | dict.fromkeys(clause.sections, 1.0)
