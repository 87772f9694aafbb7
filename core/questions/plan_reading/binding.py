"""Names and sets bound to the sets of a question as conditions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.plans import Condition, Gap, Rank, Selection
from core.graph.phrases import known_type
from core.questions.items import Item
from core.questions.plan_reading.draft import LastBound, LooseSet, OpenSet, PlanDraft
from core.questions.plan_reading.links import Options, SchemaLinks

_SYMMETRIC = frozenset({"INTERACTS_WITH", "BINDS", "RESEMBLES", "COVARIES_WITH", "RELATED_TO"})


@dataclass(frozen=True, slots=True)
class Binder:
    """Makes conditions of the sets of a draft."""

    draft: PlanDraft
    links: SchemaLinks

    def bind(self, item: Item, options: Options, like: LastBound | None = None) -> bool:
        """Whether a name is a condition of a set now: of the innermost that it fits.

        Args:
            like: what was bound before, where the name is said in the same way ("and B").
        """
        draft, links = self.draft, self.links
        negated = draft.negated or item.negated
        if like is not None and like.negated and draft.joint != "but":
            negated = True
        for owner in self._owners(like):
            if not owner.types:
                owner.types = links.far(options, item.types)
            found = links.fits(owner.types, options, item.types)
            if not found:
                continue
            owner.types = links.near(owner.types, found, item.types)
            far = links.near(tuple(sorted(item.types)), found, owner.types)
            forward = self._forward(found[0], owner)
            condition = Condition(found, item.of_types(far).named, negated, forward)
            self._add(owner, condition, alternative=draft.joint == "or" or item.alternative)
            self._innermost(owner)
            draft.settle(LastBound(owner, options, negated))
            draft.bound_name = item
            return True
        return False

    def bind_held(self, options: Options) -> None:
        """Binds the names that wait; those that fit no set go on waiting."""
        self.draft.held = [one for one in self.draft.held if not self.bind(one, options)]

    def implied_of(self, item: Item) -> Options:
        """The relationships that are meant between a name and the sets, innermost first."""
        found: dict[tuple[str, ...], None] = {}
        negated = self.draft.negated or item.negated
        for owner in reversed(self.draft.stack):
            found |= dict.fromkeys(self.links.implied_with(owner.types, [item], negated=negated))
        return tuple(found)

    def nest(
        self, types: tuple[str, ...], options: Options | None, unless: Options | None = None
    ) -> bool:
        """Whether there is a set within now: of `types`, linked to the innermost set that it fits.

        Args:
            options: relationships that were said; None for those that are implied.
            unless: relationships that may not link two sets of the same types.
        """
        draft, links = self.draft, self.links
        for owner in reversed(draft.stack):
            if not owner.types and options:
                owner.types = links.far(options, types)
            chosen = options if options is not None else links.implied(owner.types, types)
            found = links.fits(owner.types, chosen, types)
            if not found or (unless and found in unless and not set(types) - set(owner.types)):
                continue
            inner = OpenSet(types)
            self._innermost(owner)
            owner.conditions.append([Condition(found, Selection(types), draft.negated)])
            owner.within[len(owner.conditions) - 1] = inner
            owner.types = links.near(owner.types, found, types)
            draft.stack.append(inner)
            draft.settle(LastBound(owner, (found,), draft.negated))
            return True
        return False

    def turn_round(self, types: tuple[str, ...], options: Options = ()) -> bool:
        """ "Diseases with X: which drugs treat them?": the set so far is what the asked one is linked to.

        Args:
            options: relationships that were said; without any those that are implied.
        """
        draft, links = self.draft, self.links
        inner = draft.stack[0]
        meant = options or links.implied(types, inner.types)
        found = links.fits(types, meant, inner.types)
        if not found:
            return False
        root = draft.root(links.near(types, found, inner.types))
        root.conditions.append([Condition(found, Selection(inner.types))])
        root.within[0] = inner
        draft.loose = LooseSet(root, 0, inner)
        return True

    def rank_by(self, item: Item, options: Options, types: tuple[str, ...]) -> None:
        """What is counted of each member of the set that is asked for.

        Args:
            options: relationships that were said; without any those that are implied.
        """
        draft, links = self.draft, self.links
        root = draft.stack[0]
        found = links.fits(
            root.types, options or links.implied(root.types, types, borne=True), types
        )
        if not found:
            draft.leave(item.text, Gap.NO_SUCH)
            return
        draft.rank = Rank(found, links.schema.near_types(found[0], types, root.types))
        draft.ranks, draft.verb = False, None

    def _owners(self, like: LastBound | None) -> Sequence[OpenSet]:
        """Sets that a name may be a condition of, likeliest first."""
        owners = list(reversed(self.draft.stack))
        if like is not None and like.owner in owners:
            return [like.owner, *(one for one in owners if one is not like.owner)]
        return owners

    def _forward(self, name: str, owner: OpenSet) -> bool | None:
        """Whether the members are the sources, where the types of the ends do not tell it."""
        if known_type(name) in _SYMMETRIC or not self.links.schema.directed(name, owner.types):
            return None
        verb = self.draft.verb
        return not (verb is not None and verb.passive)

    @staticmethod
    def _add(owner: OpenSet, condition: Condition, *, alternative: bool) -> None:
        alternative = alternative and not condition.negated and bool(owner.conditions)
        if alternative and len(owner.conditions) - 1 not in owner.within:
            owner.conditions[-1].append(condition)
        else:
            owner.conditions.append([condition])

    def _innermost(self, owner: OpenSet) -> None:
        """What follows is said of this set: those within it are left."""
        stack = self.draft.stack
        del stack[stack.index(owner) + 1 :]
