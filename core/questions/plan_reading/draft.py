"""What is understood of a question so far: its sets, innermost last, and what waits for its other end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from core.domain.plans import Condition, Gap, LeftOver, Rank, Selection
from core.questions.items import Item
from core.questions.lexicon import WordKind
from core.questions.plan_reading.links import Options
from core.questions.planned import Listed


@dataclass(eq=False, slots=True)
class OpenSet:
    """A selection while it is read.

    Attributes:
        types: none while only "what" stands for it.
        conditions: all of them hold; of those in one list at least one.
        within: the set that a condition speaks of, by the condition's place.
        given: conditions of the list before, where the set stands for it.
    """

    types: tuple[str, ...]
    conditions: list[list[Condition]] = field(default_factory=list)
    within: dict[int, OpenSet] = field(default_factory=dict)
    given: tuple[tuple[Condition, ...], ...] = ()

    def frozen(self) -> Selection:
        """The selection as it is read so far."""
        own = []
        for place, alternatives in enumerate(self.conditions):
            inner = self.within.get(place)
            own.append(
                tuple(replace(one, of=inner.frozen()) if inner else one for one in alternatives)
            )
        return Selection(self.types, (*self.given, *own))

    def inner(self) -> Iterator[OpenSet]:
        """The sets within, at any depth."""
        for one in self.within.values():
            yield one
            yield from one.inner()

    def relationships(self) -> Iterator[str]:
        """Those of its own conditions."""
        for alternatives in self.conditions:
            for one in alternatives:
                yield from one.relationships


@dataclass(frozen=True, slots=True)
class WaitingVerb:
    """A relationship that waits for its other end.

    Attributes:
        noun: what one end is called; it says itself what the set is.
    """

    options: Options
    item: Item
    passive: bool = False
    noun: bool = False

    @property
    def relationships(self) -> frozenset[str]:
        """All that it may mean."""
        return frozenset(name for one in self.options for name in one)


@dataclass(frozen=True, slots=True)
class LastBound:
    """What was bound last, so that "and B" can follow.

    Attributes:
        owner: the set that it is a condition of; None where it was claimed of names.
        subject: these names.
        implied: bound by a relationship that was not said; its verb may still come.
    """

    owner: OpenSet | None
    options: Options
    negated: bool
    subject: tuple[Item, ...] = ()
    implied: bool = False


@dataclass(frozen=True, slots=True)
class LooseSet:
    """A set within, linked as implied, whose verb may still come.

    Attributes:
        place: of the condition of `owner` that speaks of it.
    """

    owner: OpenSet
    place: int
    inner: OpenSet


@dataclass(eq=False, slots=True)
class PlanDraft:
    """A plan while its question is read; all that read it share one.

    Attributes:
        before: the list that "them" speaks of, if there is one.
        of_before: whether the question speaks of it.
        root_asked: whether the first set is said to be what is asked for ("which proteins").
        root_named: whether a word names the first set.
        types_said: whether a word of the question says a type.
        ends_said: whether its words say the types of both ends of a relationship.
        whole: whether the question names entities, and no "also" says that it goes on about the list.
        asks_whether, asks_way: what the whole question asks; `requested`: it begins as a request does.
        stack: the sets, each within the one before; the first is asked for.
        verb: what waits for its other end.
        held: names that wait for a verb or a set.
        subjects: names that similarity or a path is asked of.
        claims: names with what is to be confirmed of each.
        joint: "and", "or", "but": said since the last name.
        ranks: whether "most" or "least" still waits for what is counted.
        modifier: a name before the noun that it qualifies, with the relationship between them.
        name_before: the name right before the item that is read.
        bound_name: the name that was bound last.
        unclear: names of which it is not clear what they belong to.
        subject_asked: whether the first set is the subject of what is asked ("what do drugs ...").
        anew: whether a colon was said since the last noun: what follows asks of the set before.
        asked_of: the name whose relationship with a member of the first set is to be confirmed ("Does X
            target a protein that ...").
        verb_follows: whether the verb of the name that is read stands behind it.
        unknown: words that stand where a name does, and that nobody knows.
        elsewhere: words that ask for something else than entities ("when").
    """

    before: Listed | None
    of_before: bool = False
    root_asked: bool = False
    root_named: bool = False
    types_said: bool = False
    ends_said: bool = False
    whole: bool = False
    asks_whether: bool = False
    asks_way: bool = False
    requested: bool = False
    stack: list[OpenSet] = field(default_factory=list)
    verb: WaitingVerb | None = None
    held: list[Item] = field(default_factory=list)
    subjects: list[Item] = field(default_factory=list)
    claims: list[tuple[Item, Condition]] = field(default_factory=list)
    last: LastBound | None = None
    joint: str = ""
    negated: bool = False
    neither: bool = False
    either: bool = False
    flags: dict[WordKind, Item] = field(default_factory=dict)
    rank: Rank | None = None
    ranks: bool = False
    left: list[LeftOver] = field(default_factory=list)
    modifier: tuple[Item, Options] | None = None
    loose: LooseSet | None = None
    name_before: Item | None = None
    bound_name: Item | None = None
    unclear: list[Item] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    anew: bool = False
    verb_follows: bool = False
    subject_asked: bool = False
    asked_of: Item | None = None
    unknown: str = ""

    def root(self, types: tuple[str, ...]) -> OpenSet:
        """A new set that is asked for, in place of all there are."""
        self.stack = [OpenSet(types)]
        return self.stack[0]

    def leave(self, text: str, gap: Gap) -> None:
        """Words without a part in the plan."""
        self.left.append(LeftOver(text, gap))

    def settle(self, last: LastBound) -> None:
        """What was said since the last name is used up in what is bound now."""
        self.last = last
        self.verb, self.negated, self.joint = None, False, ""

    def end_negation(self) -> None:
        """A "not" reaches no further: "drugs for A but not B, and which of them cause C?"."""
        self.neither = False
        if self.last is not None:
            self.last = replace(self.last, negated=False)

    def refer(self) -> bool:
        """Whether "them" stands for something: for names, or the list before, a set from now on."""
        waits = self.verb is not None and not self.of_before
        if self.held and not self.stack and not waits:
            return True  # "the second of them"; but "P is targeted by which of them?"
        if self.stack or self.before is None:
            return False
        root = self.root(self.before.selection.types)
        root.given = self.before.selection.conditions
        self.of_before = True
        return True

    def restrict(self) -> bool:
        """Whether the set that is asked for is one of the list before now ("P is targeted by which of
        them?")."""
        if not self.stack or self.before is None or self.of_before:
            return False
        root, listed = self.stack[0], self.before.selection
        if set(root.types).isdisjoint(listed.types):
            return False
        root.given, self.of_before = listed.conditions, True
        return True

    @property
    def of_subjects(self) -> bool:
        """Whether names are what similarity or a path is asked of."""
        similar = WordKind.SIMILAR in self.flags and WordKind.COMPARE not in self.flags
        return similar or WordKind.PATH in self.flags

    @property
    def wants_amount(self) -> bool:
        """Whether it is said how much of a list is wanted."""
        return bool(self.flags.keys() & {WordKind.COUNT, WordKind.EVERYTHING})

    @property
    def used(self) -> frozenset[str]:
        """Relationships that conditions have so far."""
        root = self.stack[:1]
        sets = [*root, *(inner for one in root for inner in one.inner())]
        claimed = {name for _, one in self.claims for name in one.relationships}
        return frozenset(claimed.union(*(one.relationships() for one in sets)))

    @property
    def verb_is_spent(self) -> bool:
        """Whether the verb that waits was said of a name that stood before it."""
        if self.verb is None:
            return True
        used = self.used
        if self.verb.relationships & used:
            return True
        types = self.verb.item.types_as(WordKind.NOUN) if self.verb.noun else frozenset()
        sets = [*self.stack, *(inner for one in self.stack[:1] for inner in one.inner())]
        return bool(used) and any(types.intersection(one.types) for one in sets)
