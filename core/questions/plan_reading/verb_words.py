"""Verbs: relationships that bind what stood before them, or wait for what comes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.domain.plans import Gap, Named
from core.questions.items import Item
from core.questions.lexicon import WordKind
from core.questions.plan_reading.binding import Binder
from core.questions.plan_reading.claims import Claims
from core.questions.plan_reading.draft import PlanDraft, WaitingVerb
from core.questions.plan_reading.links import Options, SchemaLinks
from core.questions.plan_reading.word_order import WordOrder


@dataclass(frozen=True, slots=True)
class VerbWords:
    """Reads a verb."""

    draft: PlanDraft
    links: SchemaLinks
    binder: Binder
    claims: Claims
    order: WordOrder

    def read(self, item: Item, options: Options, after: Item | None) -> None:
        """Takes up a verb.

        Args:
            after: the next item; None at the end.
        """
        draft = self.draft
        counted = draft.rank.relationships if draft.rank is not None else ()
        if any(set(one).intersection(counted) for one in options):
            return  # "... are the most proteins targeted"
        if self._binds_held(options) or self._binds_through(options):
            return
        # At the end, or before a word that nobody knows, nothing comes that it could wait for.
        closes = self.order.closes(after)
        if self.order.denies(after) and draft.held and not draft.stack:
            closes = True  # "Waarmee wordt X behandeld zonder ..."
        if closes and (draft.verb is None or draft.verb_is_spent) and self._closes(options):
            return
        unknown = after is None or not (after.entities or after.senses)
        if (unknown or closes) and self._tighten(options):
            return
        verb = draft.verb
        includes = item.has(WordKind.INCLUDE) and verb is not None and verb.noun
        if includes and verb and after and after.types & verb.item.types_as(WordKind.NOUN):
            return  # "whose targets include ADRB1"
        if verb is not None and verb.noun:
            if not self.open_noun():
                options = (*verb.options, *options)
        elif verb is not None and not _says_again(verb, options):
            draft.leave(verb.item.text, Gap.WORD)
        by = after is not None and not self.order.grammar.by.isdisjoint(after.gap[:1])
        passive = by or item.text.casefold().split()[-1] in self.order.grammar.by
        verb = WaitingVerb(options, item, passive)
        draft.verb = verb if self.order.denies(after) else self.joined(verb)

    def _closes(self, options: Options) -> bool:
        """ "Womit wird Gicht behandelt?": whether a verb at the end of its clause has all it needs."""
        draft = self.draft
        if not draft.stack and draft.held:
            if not draft.asks_whether:
                draft.root(self.links.far(options, draft.held[0].types))
                self.binder.bind_held(options)
                return not draft.held
            if len(draft.held) > 1:
                last = draft.held.pop()
                self.claims.claim(last, options)
                return True
        return draft.loose is None and not draft.subject_asked and self._says_bound(options)

    def _says_bound(self, options: Options) -> bool:
        """Whether a verb is said of the name that was bound last: again, or where that was implied."""
        last = self.draft.last
        if last is None or last.owner is None or not last.owner.conditions:
            return False
        *rest, condition = last.owner.conditions[-1]
        if not isinstance(condition.of, Named):
            return False
        found = self.links.fits(last.owner.types, options, (condition.of.type,))
        if not found or (found != condition.relationships and not last.implied):
            return False
        negated = condition.negated or self.draft.negated
        said = replace(condition, relationships=found, negated=negated)
        last.owner.conditions[-1] = [*rest, said]
        self.draft.negated = False
        return True

    def _binds_through(self, options: Options) -> bool:
        """ "Pathways of what metformin targets": names bound to a set that only the verb tells of."""
        draft = self.draft
        root = draft.stack[0] if len(draft.stack) == 1 else None
        if root is None or not root.types or root.conditions or not draft.held:
            return False
        types = self.links.far(options, draft.held[0].types)
        if not types or not self.binder.nest(types, None):
            return False
        self.binder.bind_held(options)
        return True

    def open_noun(self) -> bool:
        """The set that a noun names, where more is said of it: "drugs with a target in ..."."""
        draft = self.draft
        verb = draft.verb
        if verb is None or not verb.noun or not draft.stack:
            return False
        inner = draft.stack[-1]
        for sense in verb.item.senses_as(WordKind.NOUN):
            if set(sense.types).intersection(inner.types):
                continue
            if self.binder.nest(sense.types, (sense.relationships,)):
                return True
        return False

    def joined(self, verb: WaitingVerb) -> WaitingVerb:
        """The verb, with a "not" that was said before carried on to it, or left over where it is unclear
        how far that reaches."""
        draft = self.draft
        if draft.last is None or not draft.last.negated:
            return verb
        if draft.joint == "or":
            draft.negated = True
        elif not draft.negated and draft.joint in ("and", ""):
            if draft.neither:
                draft.negated = True
            elif draft.joint == "and":
                draft.leave(verb.item.text, Gap.NEGATION)
        return verb

    def _binds_held(self, options: Options) -> bool:
        """Whether names that stood before the verb are its other end."""
        draft = self.draft
        if not draft.stack or not draft.held:
            return False
        bound = [one for one in draft.held if self.binder.bind(one, options)]
        draft.held = [one for one in draft.held if one not in bound]
        return bool(bound)

    def _tighten(self, options: Options) -> bool:
        """ "Which pathways do the proteins ... take part in?": the verb behind both of its ends."""
        loose = self.draft.loose
        if loose is None:
            return False
        owner = loose.owner
        found = self.links.fits(owner.types, options, loose.inner.types)
        if found:
            condition = owner.conditions[loose.place][0]
            owner.conditions[loose.place] = [replace(condition, relationships=found)]
            self.draft.loose = None
        return bool(found)


def _says_again(verb: WaitingVerb, options: Options) -> bool:
    """Whether a verb without an object is said again in other words ("used as a treatment")."""
    return not verb.relationships.isdisjoint(name for one in options for name in one)
