"""A plan as it was read, and the list before that a question may speak of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.conversations import Turn
from core.domain.graph import Entity
from core.domain.plans import Plan, Selection


@dataclass(frozen=True, slots=True)
class Listed:
    """The last list of a conversation: the set, and its members in the order they were told."""

    selection: Selection
    members: tuple[Entity, ...]


@dataclass(frozen=True, slots=True)
class ReadPlan:
    """A plan as it was read.

    Attributes:
        understood: in words of the question's language.
        of_before: it speaks of the list that was told before.
        offer: what may be asked without the words that were left over; None where the others do not say it.
        offered: that plan in words.
        closest: the offer is not the rest of the words, but the kind of question that this one is most like.
        likened: the plan is that of the kind of question that this one is most like, and its words alone did
            not tell it.
        passed_over: words that have no part in such a plan, each vouched for.
        language: of the question, as a code.
        names_set: a word of the question names the set that is asked for ("which drugs", "the targets of"),
            and not only what is said of it ("which cause nausea").
    """

    plan: Plan
    understood: str
    of_before: bool = False
    offer: Plan | None = None
    offered: str = ""
    closest: bool = False
    language: str = "en"
    names_set: bool = False
    likened: bool = False
    passed_over: tuple[str, ...] = ()


def listed_last(turns: Sequence[Turn]) -> Listed | None:
    """The list that the newest turn with one told; None without one."""
    for turn in reversed(turns):
        answer = turn.answer
        if answer.lists and answer.plan is not None and answer.plan.sets:
            members = tuple(Entity(one.id, one.type, one.name) for one in answer.lists[0].members)
            return Listed(answer.plan.sets[0], members)
    return None
