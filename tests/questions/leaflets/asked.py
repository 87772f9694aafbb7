"""A reader that knows two medicines and two illnesses."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.graph import Entity
from core.domain.leaflets.conditions import DocumentCondition, Range
from core.questions.leaflets.reader import LeafletReader

DRUGS = {
    "amoxicillin": Entity("D1", "Drug", "Amoxicillin"),
    "warfarin": Entity("D2", "Drug", "Warfarin"),
}
ILLNESSES = {"asthma": Entity("I1", "Disease", "asthma"), "gout": Entity("I2", "Disease", "gout")}


def find(text: str) -> Sequence[tuple[int, int, Entity]]:
    found = [
        (start, start + len(name), entity)
        for name, entity in (DRUGS | ILLNESSES).items()
        if (start := text.casefold().find(name)) >= 0
    ]
    return sorted(found, key=lambda one: one[0])


READER = LeafletReader(find)


def conditions(question: str) -> tuple[DocumentCondition, ...]:
    return READER.read(question).conditions


def exactly(value: float) -> Range:
    return Range(value, value)
