"""What a question asks of the graph, as a plan: sets, conditions on them, and what is wanted of them.

A plan is complete when every content word of the question has a part in it. Whatever has none is kept
in `left_over` and said; a plan with something left over is never carried out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

MOST_OF_TYPE = (
    300  # as many as an answer names; all drugs of PrimeKG would be a megabyte in each turn
)


class Want(StrEnum):
    """What is wanted of the sets."""

    LIST = "list"
    COUNT = "count"
    YES_NO = "yes or no"
    COMPARE = "compare"
    SHARE = "share"
    MOST = "most"
    LEAST = "least"
    SIMILAR = "similar"
    PATH = "path"


class Gap(StrEnum):
    """Why a word has no part in a plan."""

    WORD = "word"  # nothing in the graph or the lexicon is called so
    NARROWER = "narrower"  # beside a name: another, narrower entity, which the graph does not have
    NAME = "name"  # a name that stands in no relationship to the others
    NEGATION = "negation"  # how far a "not" reaches is unclear
    NO_SUBJECT = "no subject"  # it says only what is not wanted
    UNKNOWN = (
        "unknown"  # stands where a name does, and is none of the graph's, or a part of several
    )
    NO_SUCH = "no such"  # the graph has no such relationship between these types


@dataclass(frozen=True, slots=True)
class Named:
    """An entity that the question names.

    Attributes:
        text: as it is written in the question.
        ids: the entity, and others of the same name and of the types that fit.
        name, type: of the first.
    """

    text: str
    ids: tuple[str, ...]
    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Condition:
    """That a member has one of the relationships with what is named, or with a member of a set.

    Attributes:
        relationships: types; one of them is enough.
        of: the other end.
        negated: that it has none of them.
        forward: whether the member is the source; None where the types of the ends tell it, or nothing.
    """

    relationships: tuple[str, ...]
    of: Named | Selection
    negated: bool = False
    forward: bool | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """The entities of some types that meet all conditions.

    Attributes:
        types: entity types.
        conditions: all of them hold; of those in one tuple at least one.
    """

    types: tuple[str, ...]
    conditions: tuple[tuple[Condition, ...], ...] = ()

    def all_conditions(self) -> Iterator[Condition]:
        """Its own, not those of sets within."""
        for alternatives in self.conditions:
            yield from alternatives

    @property
    def denies(self) -> bool:
        """Whether a condition, its own or one of sets within, is negated."""
        return any(
            one.negated or (isinstance(one.of, Selection) and one.of.denies)
            for one in self.all_conditions()
        )

    @property
    def hops(self) -> int:
        """The longest chain of relationships in it."""
        within = [
            one.of.hops if isinstance(one.of, Selection) else 0 for one in self.all_conditions()
        ]
        return 1 + max(within) if within else 0


@dataclass(frozen=True, slots=True)
class Rank:
    """By how many entities of `types` a member reaches over `relationships`."""

    relationships: tuple[str, ...]
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LeftOver:
    """Words that have no part in a plan.

    Attributes:
        text: the words, for a narrower name with that name.
        gap: why.
        instead: the wider entity that could be asked about; None where there is none.
        choices: of a name that is a part of several entities', those, the most important first.
    """

    text: str
    gap: Gap
    instead: Named | None = None
    choices: tuple[Named, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """How a question to the graph was read.

    Attributes:
        sets: one, or one for each subject that is compared.
        subjects: of yes or no the entities that must be members; of a comparison, a path, similarity
            and what is shared, the entities these are about.
        rank: of most and least.
        everything: the whole list is asked for.
        left_over: what was not understood; the plan is carried out only without it.
    """

    want: Want
    sets: tuple[Selection, ...] = ()
    subjects: tuple[Named, ...] = ()
    rank: Rank | None = None
    everything: bool = False
    left_over: tuple[LeftOver, ...] = ()

    @property
    def denies(self) -> bool:
        """Whether anything is asked that is not."""
        return any(one.denies for one in self.sets)

    @property
    def complete(self) -> bool:
        """Whether every content word has a part in it."""
        return not self.left_over

    @property
    def lacks_name(self) -> bool:
        """Whether what it asks about is called as nothing in the graph."""
        return any(one.gap is Gap.UNKNOWN for one in self.left_over)

    def named(self) -> list[Named]:
        """The entities that it names."""
        return [*self.subjects, *_names(self.sets)]


def words_left_out(as_read: Plan, plan: Plan) -> tuple[str, ...]:
    """Words that were not understood and have no part in the plan that takes the place of what was read:
    a name that was left over may be named there.

    Args:
        as_read: the plan that is not carried out.
    """
    named = {one.text for one in plan.named()}
    left = dict.fromkeys(one.text for one in as_read.left_over)
    return tuple(one for one in left if one not in named)


def _names(selections: Iterable[Selection]) -> Iterator[Named]:
    for condition in (each for one in selections for each in one.all_conditions()):
        if isinstance(condition.of, Selection):
            yield from _names([condition.of])
        else:
            yield condition.of


@dataclass(frozen=True, slots=True)
class Correction:
    """A plan that is to be carried out in place of the one that was read.

    Attributes:
        turn: id of the turn whose plan it corrects; empty: the latest that asked the same.
        number: which of the plans, from 0, where the question has several.
    """

    plan: Plan
    turn: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class ClausePlan:
    """What one clause of a question asked of the graph.

    Attributes:
        understood: the plan in words; without any where not all of it was understood.
        likened: it was told by the kind of question that the clause is most like, and not word by word.
        passed_over: words that have no part in such a plan.
    """

    plan: Plan
    understood: str
    likened: bool = False
    passed_over: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Member:
    """An entity of a computed list.

    Attributes:
        relationships: that put it there, as (source id, type, target id).
        count: what it was ranked by, or how much it shares; 0 where nothing was counted.
        reason: in words, where no relationship put it there.
    """

    id: str
    type: str
    name: str
    relationships: tuple[tuple[str, str, str], ...] = ()
    count: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AnswerList:
    """A set computed for an answer, in the order it is told.

    Attributes:
        title: what it is, in words.
        members: all of them; of a whole type of the graph, with which nothing has to be proven, the first
            `MOST_OF_TYPE` alone where the answer is kept.
        others: id -> name of the entities that members are linked to.
        total: how many there were, where not all are here; else 0.
    """

    title: str
    members: tuple[Member, ...]
    others: Mapping[str, str] = field(default_factory=dict)
    total: int = 0

    @property
    def size(self) -> int:
        """How many members there were when it was computed."""
        return self.total or len(self.members)

    def kept(self) -> AnswerList:
        """As it is kept with its answer: the plan makes the names of a whole type again."""
        proven = any(one.relationships or one.reason for one in self.members)
        if proven or len(self.members) <= MOST_OF_TYPE:
            return self
        return replace(self, members=self.members[:MOST_OF_TYPE], total=self.size)
