"""Whether the clauses of a question ask the graph for sets of their own, or speak of each other's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from core.domain.plans import Want
from core.questions.asked import asks, goes_on
from core.questions.clauses import Clause, sides
from core.questions.following.references import resolve
from core.questions.planned import Listed, ReadPlan

_SETS = (Want.LIST, Want.COUNT)


class ReadQuestion(Protocol):
    """Reads a question as a plan, see `core.questions.planning.Planner.read`."""

    def __call__(self, question: str, before: Listed | None = None) -> ReadPlan | None: ...


def of_before(
    clause: Clause, before: ReadPlan | None, read: ReadQuestion, made: Callable[[str], Clause]
) -> Clause:
    """A clause that speaks of the one before it, read so: of its set ("and what are their targets?"), or of the
    one name that it is about ("Does X treat Y, and what are its targets?").

    Args:
        made: a text as a clause without a plan.
    """
    if before is None:
        return clause
    about, own = before.plan, clause.plan
    if about.want in _SETS and about.sets:
        spoken = read(clause.text, Listed(about.sets[0], ()))
        if spoken is not None and spoken.of_before:
            # What was not understood of the set is not understood of what is asked of it.
            left = (*about.left_over, *spoken.plan.left_over)
            return replace(clause, plan=replace(spoken, plan=replace(spoken.plan, left_over=left)))
    of_one = about.want is Want.YES_NO and about.complete and len(about.subjects) == 1
    if of_one and (own is None or not own.plan.complete):
        text = resolve(clause.text, about.subjects[0].name, names_entity=True, goes_on=False)
        meant = read(text) if text != clause.text else None
        if meant is not None and meant.plan.complete:
            return replace(made(text), plan=meant)
    return clause


def both_halves(question: str, read: ReadQuestion) -> list[tuple[str, ReadPlan]]:
    """Both sides of an "and" with their plans, where each names and asks for a set of its own ("the targets of
    X and the side effects of Y"); none without such an "and"."""
    for texts in sides(question):
        plans = [one for one in map(read, texts) if one is not None]
        if len(plans) == len(texts) and all(one.plan.complete and _asks_set(one) for one in plans):
            return list(zip(texts, plans, strict=True))
    return []


def ask_apart(
    clauses: Sequence[Clause], plans: Sequence[ReadPlan | None], read: ReadQuestion
) -> bool:
    """Whether each clause asks for a set of its own ("Which drugs treat X, and what are the side effects of
    Y?"), and none speaks of the one before ("... and which of them target Y?")."""
    before: Listed | None = None
    for clause, own in zip(clauses, plans, strict=True):
        if own is None or not own.plan.complete or not own.plan.sets:
            return False
        section = bool(clause.sections) and not (before is not None and goes_on(clause.text))
        says_it = asks(clause.text) and (_asks_set(own) or section)
        if not (says_it and own.plan.want in _SETS):
            return False  # "... and which cause nausea?" may speak of the set before
        spoken = read(clause.text, before) if before is not None else None
        if spoken is not None and spoken.of_before:
            return False
        before = Listed(own.plan.sets[0], ())
    return len(clauses) > 1


def _asks_set(read: ReadPlan) -> bool:
    """Whether a question names and asks for a set."""
    return read.names_set and read.plan.want in _SETS
