"""Words for types of entities: "drugs", "which proteins"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.domain.plans import Gap, Named
from core.questions.items import Item
from core.questions.lexicon import WordKind
from core.questions.plan_reading.binding import Binder
from core.questions.plan_reading.draft import LooseSet, PlanDraft, WaitingVerb
from core.questions.plan_reading.links import SchemaLinks
from core.questions.plan_reading.word_forms import WordForms

_OF_NAMES = frozenset({WordKind.COMPARE, WordKind.SHARE})


@dataclass(frozen=True, slots=True)
class TypeWords:
    """Reads a type as a set: the one that is asked for, or one within it."""

    draft: PlanDraft
    links: SchemaLinks
    binder: Binder
    forms: WordForms

    def read(self, item: Item, types: tuple[str, ...]) -> None:
        """Takes up a word for `types`."""
        draft = self.draft
        if self._says_noun(item, types) or self._again(item, types):
            return
        types = tuple(one for one in types if one in self.links.schema.entity_types) or types
        if draft.ranks and draft.stack:
            self.binder.rank_by(item, draft.verb.options if draft.verb else (), types)
            return
        if draft.verb is not None and self._behind_verb(item, draft.verb, types):
            return
        if self._asks_anew(item) and self.binder.turn_round(types):
            return
        if not draft.stack:
            self._at_root(item, types)
        elif draft.verb is None and set(types).intersection(draft.stack[0].types):
            del draft.stack[1:]
        else:
            self._within(item, types)

    def _says_noun(self, item: Item, types: Iterable[str]) -> bool:
        """ "Target proteins": the type of a noun that waits."""
        verb = self.draft.verb
        if verb is None or not verb.noun or item.gap or self.draft.modifier is not None:
            return False
        return bool(verb.item.types_as(WordKind.NOUN).intersection(types))

    def _again(self, item: Item, types: tuple[str, ...]) -> bool:
        """ "... to treat the disease": what was named before."""
        last = self.draft.last
        if last is None or last.owner is None or not last.owner.conditions:
            return False
        of = last.owner.conditions[-1][-1].of
        if not (
            isinstance(of, Named)
            and of.type in types
            and self.forms.grammar.definite.intersection(item.gap)
        ):
            return False
        waits = self.draft.verb is not None
        return waits and self.draft.verb_is_spent and not self.draft.negated

    def _behind_verb(self, item: Item, verb: WaitingVerb, types: tuple[str, ...]) -> bool:
        """Whether the type is the other end of the verb that waits."""
        draft = self.draft
        if self._is_asked_end(item) and self.binder.turn_round(types, verb.options):
            draft.verb = None
            return True
        if self.binder.nest(types, verb.options):
            return True
        if draft.stack:
            return False
        draft.root(types)
        if (
            not draft.held
            and self.forms.grammar.participle_first
            and self.forms.is_participle(verb.item)
        ):
            return True  # "Beteiligte Proteine von ..."
        if not draft.held:
            draft.leave(verb.item.text, Gap.WORD)  # "Combine the drugs ..."
        asked_of = draft.held[0] if len(draft.held) == 1 and draft.asks_whether else None
        self.binder.bind_held(verb.options)
        if not draft.held:
            draft.verb = None
            draft.asked_of = asked_of
        return True

    def _is_asked_end(self, item: Item) -> bool:
        """ "The targets of X take part in which pathways?"."""
        draft = self.draft
        asked = not self.forms.grammar.asking.isdisjoint(item.gap) and not draft.root_asked
        return asked and not draft.held and bool(draft.stack) and bool(draft.stack[0].conditions)

    def _asks_anew(self, item: Item) -> bool:
        """ "Diseases with X: which drugs ..."."""
        draft = self.draft
        anew, draft.anew = draft.anew, False
        asked = (
            anew or bool(self.forms.grammar.asking.intersection(item.gap))
        ) and draft.verb is None
        return asked and bool(draft.stack) and bool(draft.stack[0].conditions)

    def _at_root(self, item: Item, types: tuple[str, ...]) -> None:
        """The first set of a question: the one that is asked for."""
        draft = self.draft
        if not draft.held and draft.modifier is None and self._is_list_before(item, types):
            draft.refer()
            return
        named = draft.asks_whether and draft.held and draft.modifier is None
        if named and draft.held[-1].types.intersection(types):
            return  # "Is X a drug for Y?"
        draft.root(types)
        if draft.held and draft.modifier is None and not draft.flags.keys() & _OF_NAMES:
            self.binder.bind_held(self.links.implied_with(types, draft.held))

    def _is_list_before(self, item: Item, types: Iterable[str]) -> bool:
        """Whether a question says nothing of its own but how much of the list before is wanted, or what of it
        is not ("how many drugs are there?", "how many of the drugs ...", "not the drugs that ...")."""
        draft = self.draft
        if draft.before is None or not (draft.wants_amount or draft.negated):
            return False
        definite = self.forms.grammar.definite.intersection(item.gap)
        if draft.whole and not draft.negated and not definite:
            return False
        return not set(types).isdisjoint(draft.before.selection.types)

    def _within(self, item: Item, types: tuple[str, ...]) -> None:
        """A set within, linked as implied: its verb may still come."""
        draft = self.draft
        waits = draft.verb is not None
        if not self.binder.nest(types, None):
            draft.leave(item.text, Gap.NO_SUCH if waits else Gap.WORD)
        elif self.forms.grammar.verb_last or not self._by_preposition(item):
            inner = draft.stack[-1]
            owner = next(one for one in draft.stack if inner in one.within.values())
            draft.loose = LooseSet(owner, len(owner.conditions) - 1, inner)

    def _by_preposition(self, item: Item) -> bool:
        return bool(
            self.forms.grammar.prepositions.intersection(item.gap[-3:]) - self.forms.grammar.having
        )
