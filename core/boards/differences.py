"""Where the sources of a cell differ, in words that say no more than that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.documents.cutting.sections import section_title
from core.domain.answers import GraphCitation, place
from core.domain.boards.records import (
    BoardMedicine,
    BoardSource,
    CellDifference,
    CellDifferenceKind,
    FrequencyClass,
    Passage,
)
from core.text.stems import stems

_MOST_NEAR = 4  # reactions told beside a name that is not found
_CLASSES = {
    FrequencyClass.VERY_COMMON: "very common",
    FrequencyClass.COMMON: "common",
    FrequencyClass.UNCOMMON: "uncommon",
    FrequencyClass.RARE: "rare",
    FrequencyClass.VERY_RARE: "very rare",
    FrequencyClass.NOT_KNOWN: "not known",
}


def class_words(level: FrequencyClass) -> str:
    """A class as one says it."""
    return _CLASSES[level]


def differences(
    name: str,
    medicine: BoardMedicine,
    passages: Sequence[Passage],
    facts: Sequence[GraphCitation],
    against: Sequence[GraphCitation],
    elsewhere: Iterable[tuple[str, str, int]],
    reactions: Iterable[str],
) -> tuple[CellDifference, ...]:
    """All differences of a cell.

    Args:
        facts: the graph's that the medicine causes it; `against`: that it treats it.
        elsewhere: file, section and page where a leaflet names it outside of its side effects.
        reactions: all that the leaflets have as side effects, in their words.
    """
    in_leaflets = [one for one in passages if one.source is BoardSource.LEAFLET]
    told = []
    if facts and medicine.with_reactions and not in_leaflets:
        files = ", ".join(
            file for one, file in medicine.leaflets.items() if one in medicine.with_reactions
        )
        words = (
            f"The graph has {name} as a side effect of {medicine.name}. It was not found in the side effects "
            f"of {files}, under any name that the graph knows for it."
        )
        others = dict.fromkeys(
            f"{place(file, page)} ({section_title(section)})" for file, section, page in elsewhere
        )
        if near := _near(name, reactions):
            words += f" Side effects there that share a word with it: {', '.join(near)}."
        if others:
            words += f" It is named elsewhere: {', '.join(others)}."
        told.append(CellDifference(CellDifferenceKind.NOT_IN_LEAFLET, words))
    denied = [one for one in passages if one.denied]
    if denied and (facts or len(denied) < len(passages)):
        where = ", ".join(dict.fromkeys(one.citation.place for one in denied))
        told.append(
            CellDifference(
                CellDifferenceKind.DENIED, f"{where} denies {name}; another source names it."
            )
        )
    if against and any(not one.denied for one in in_leaflets):
        told.append(
            CellDifference(
                CellDifferenceKind.TREATS,
                f"The graph says that {medicine.name} is used against {name}; a leaflet has it as a side "
                "effect. Both can be true.",
            )
        )
    by_document: dict[str, set[FrequencyClass]] = {}
    for one in in_leaflets:
        if one.frequency and one.frequency.level and not one.denied:
            by_document.setdefault(one.citation.file, set()).add(one.frequency.level)
    if len({frozenset(levels) for levels in by_document.values()}) > 1:
        said = "; ".join(
            f"{file}: {', '.join(class_words(level) for level in FrequencyClass if level in levels)}"
            for file, levels in by_document.items()
        )
        told.append(
            CellDifference(
                CellDifferenceKind.FREQUENCIES, f"Leaflets give different frequencies. {said}."
            )
        )
    return tuple(told)


def _near(name: str, reactions: Iterable[str]) -> list[str]:
    """Reactions that share a word with a name, those that share most first: "increase in weight" may be weight
    gain."""
    asked = stems(name)
    shared = {one: len(asked & stems(one)) for one in reactions}
    near = sorted((one for one in shared if shared[one]), key=lambda one: -shared[one])
    return [f"“{one}”" for one in near[:_MOST_NEAR]]
