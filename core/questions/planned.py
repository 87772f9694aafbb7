"""A plan with how it came about."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.plans import Plan


@dataclass(frozen=True, slots=True)
class ReadPlan:
    """A plan as it was read.

    Attributes:
        understood: in words.
        of_before: it speaks of the list that was told before.
    """

    plan: Plan
    understood: str
    of_before: bool = False
