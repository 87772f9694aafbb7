"""Verbs: relationships that bind what stood before them, or wait for what comes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.domain.plans import Gap
from core.questions.items import Item
from core.questions.lexicon import WordKind
from core.questions.plan_reading.binding import Binder
from core.questions.plan_reading.draft import PlanDraft, WaitingVerb
from core.questions.plan_reading.links import Options, SchemaLinks


@dataclass(frozen=True, slots=True)
class VerbWords:
    """Reads a verb."""

    draft: PlanDraft
    links: SchemaLinks
    binder: Binder

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
        if (after is None or not (after.entities or after.senses)) and self._tighten(options):
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
        by = after is not None and after.gap[:1] == ("by",)
        passive = by or item.text.casefold().endswith(" by")
        draft.verb = self.joined(WaitingVerb(options, item, passive))

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
