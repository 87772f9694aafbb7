"""Nouns for one end of a relationship: "targets", "side effects", "treatment"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.domain.plans import Gap, Named
from core.questions.items import Item
from core.questions.lexicon import Sense, WordKind
from core.questions.lexicon.grammar import Grammar
from core.questions.plan_reading.binding import Binder
from core.questions.plan_reading.draft import PlanDraft, WaitingVerb
from core.questions.plan_reading.links import Options, SchemaLinks
from core.questions.plan_reading.verb_words import VerbWords


@dataclass(frozen=True, slots=True)
class NounWords:
    """Reads such a noun: what it says may be a set, a relationship, or both."""

    draft: PlanDraft
    links: SchemaLinks
    binder: Binder
    verbs: VerbWords
    grammar: Grammar

    def read(self, item: Item, nouns: Sequence[Sense], after: Item | None) -> None:
        """Takes up a noun.

        Args:
            nouns: its senses as a noun, likeliest first.
            after: the next item; None at the end.
        """
        draft = self.draft
        if draft.ranks and draft.stack and self._ranks(item, nouns):
            return
        counted = draft.rank.relationships if draft.rank is not None else ()
        if any(set(one.relationships).intersection(counted) for one in nouns):
            return  # "... the most proteins as targets"
        beside = after if after is not None and after.entities and after.adjoins else None
        if beside is not None and self._is_type_of(beside, nouns):
            return
        if not draft.stack:
            self._at_root(item, nouns, after)
            return
        if self._says_how(item, nouns):
            return
        if self._asks_anew(item) and any(
            self.binder.turn_round(one.types, (one.relationships,))
            for one in nouns
            if set(one.types).isdisjoint(draft.stack[0].types)
        ):
            return
        if draft.held and self._binds_held(nouns):
            return
        if self._restates(item, nouns):
            return
        if draft.modifier is not None and self._qualified(nouns):
            return
        if not self._opens(item, nouns, beside=beside is not None):
            draft.leave(item.text, Gap.NO_SUCH)

    def _says_how(self, item: Item, nouns: Sequence[Sense]) -> bool:
        """ "... depend on P for their breakdown": what was said, again."""
        grammar = self.grammar
        own = not grammar.possessives.isdisjoint(item.gap) and grammar.asking.isdisjoint(item.gap)
        used = self.draft.used
        return own and any(not used.isdisjoint(one.relationships) for one in nouns)

    def _asks_anew(self, item: Item) -> bool:
        """ "Drugs for X: what are their targets?"."""
        draft = self.draft
        spoken = (
            not draft.held
            and draft.modifier is None
            and (draft.verb is None or draft.verb_is_spent)
        )
        anew, draft.anew = draft.anew, False
        grammar = self.grammar
        anew = anew or not (grammar.possessives | grammar.asking).isdisjoint(item.gap)
        asked = anew and grammar.naming.isdisjoint(item.gap)
        return asked and spoken and bool(draft.stack[0].conditions)

    def _ranks(self, item: Item, nouns: Sequence[Sense]) -> bool:
        """ "The most targets"."""
        root = self.draft.stack[0]
        for sense in nouns:
            if self.links.fits(root.types, (sense.relationships,), sense.types):
                self.binder.rank_by(item, (sense.relationships,), sense.types)
                return True
        return False

    def _is_type_of(self, name: Item, nouns: Sequence[Sense]) -> bool:
        """ "Acts on the target ADRB1"."""
        verb = self.draft.verb
        if verb is None or verb.noun:
            return False
        return any(name.types.intersection(sense.types) for sense in nouns)

    def _binds_held(self, nouns: Sequence[Sense]) -> bool:
        """Whether names that stood before the noun are what it calls so."""
        draft = self.draft
        count = len(draft.held)
        for sense in nouns:
            if all(one.types.intersection(sense.types) for one in draft.held):
                self.binder.bind_held((sense.relationships,))
                if len(draft.held) < count:
                    return True
        return False

    def _qualified(self, nouns: Sequence[Sense]) -> bool:
        """Whether the set that a name before the noun qualifies is the innermost now."""
        draft = self.draft
        inner = draft.stack[-1]
        for sense in nouns:
            if draft.verb is None and set(sense.types).intersection(inner.types):
                return True
            if self.binder.nest(sense.types, draft.verb.options if draft.verb else None):
                return True
        return False

    def _opens(self, item: Item, nouns: Sequence[Sense], *, beside: bool) -> bool:
        """Whether the noun opens a set within, or says more of the innermost.

        Args:
            beside: whether a name follows at once.
        """
        draft, nest = self.draft, self.binder.nest
        if self._names_waiting(item, nouns):
            self.verbs.open_noun()  # "targets among the genes of ..."
            draft.verb = None
        inner, verb = draft.stack[-1], draft.verb
        for sense in nouns:
            if verb is not None and nest(sense.types, verb.options):
                return self._wait(item, sense)
        for sense in nouns:
            if not inner.types or set(sense.types).intersection(inner.types):
                self._wait_joined(item, sense)
                inner.types = inner.types or sense.types
                return True
        if item.gap and item.gap[-1] in self.grammar.prepositions and not beside:
            for sense in nouns:
                if nest(sense.types, None, unless=(sense.relationships,)):
                    return self._wait(item, sense)
        for sense in nouns:
            if self.links.fits(inner.types, (sense.relationships,), sense.types):
                return self._wait_joined(item, sense)
        for sense in nouns:
            if nest(sense.types, None):
                return self._wait(item, sense)
        return False

    def _names_waiting(self, item: Item, nouns: Sequence[Sense]) -> bool:
        """Whether a noun says what the one that waits is."""
        verb = self.draft.verb
        if verb is None or not verb.noun or self.grammar.naming.isdisjoint(item.gap):
            return False
        types = verb.item.types_as(WordKind.NOUN)
        return any(types.intersection(one.types) for one in nouns)

    def _restates(self, item: Item, nouns: Sequence[Sense]) -> bool:
        """ "... cause X as a side effect", "... have P as their target": the noun says what X is."""
        draft = self.draft
        if self.grammar.naming.isdisjoint(item.gap) and not draft.claims:
            return False
        said = draft.used | (draft.verb.relationships if draft.verb else frozenset())
        if any(said.intersection(sense.relationships) for sense in nouns):
            return True
        owner = draft.last.owner if draft.last is not None else None
        if owner is None or not owner.conditions:
            return False
        for sense in nouns:
            *rest, condition = owner.conditions[-1]
            of = condition.of
            found = self.links.fits(owner.types, (sense.relationships,), sense.types)
            if isinstance(of, Named) and of.type in sense.types and found:
                owner.conditions[-1] = [*rest, replace(condition, relationships=found)]
                return True
        return False

    def _at_root(self, item: Item, nouns: Sequence[Sense], after: Item | None) -> None:
        """A noun before there is any set: what is asked for, or what is said of a name."""
        draft = self.draft
        types = self._likeliest(nouns, after).types
        if draft.modifier is not None:
            draft.root(types)
            return
        options: Options = tuple(sense.relationships for sense in nouns)
        said = [*item.gap, *(word for name in draft.held[-1:] for word in name.gap)]
        stated = draft.asks_whether or not self.grammar.being.isdisjoint(said)
        if stated and draft.held and draft.held[-1].types.intersection(types):
            draft.verb = WaitingVerb(options, item, noun=True)
            return
        if draft.claims and self._restates(item, nouns):
            return
        if draft.held and self._root_of_held(item, nouns):
            return
        if not draft.held or not draft.asks_whether:
            draft.root(types)
        draft.verb = WaitingVerb(options, item, noun=True)

    def _likeliest(self, nouns: Sequence[Sense], after: Item | None) -> Sense:
        """The first sense that the name before it, or what comes next, could be the other end of; else the
        first."""
        if self.draft.modifier is not None:
            name, options = self.draft.modifier
            said = (one for one in nouns if one.relationships and self._says(one, options, name))
            return next(said, nouns[0])
        ahead = after.types if after is not None else frozenset()
        likely = (one for one in nouns if self.links.fits(one.types, (one.relationships,), ahead))
        return next(likely, nouns[0])

    def _says(self, sense: Sense, options: Options, name: Item) -> bool:
        """Whether a sense says one of the relationships that a name has to it."""
        fits = self.links.fits(sense.types, options, name.types)
        return bool(fits) and set(fits) <= set(sense.relationships)

    def _root_of_held(self, item: Item, nouns: Sequence[Sense]) -> bool:
        """Whether the noun asks for the set that the names before it are linked to."""
        draft = self.draft
        for sense in nouns:
            options = (sense.relationships,)
            if all(self.links.fits(sense.types, options, one.types) for one in draft.held):
                draft.root(sense.types)
                self.binder.bind_held(options)
                return self._wait(item, sense)
        return False

    def _wait(self, item: Item, sense: Sense) -> bool:
        self.draft.verb = WaitingVerb((sense.relationships,), item, noun=True)
        return True

    def _wait_joined(self, item: Item, sense: Sense) -> bool:
        self.draft.verb = self.verbs.joined(WaitingVerb((sense.relationships,), item, noun=True))
        return True
