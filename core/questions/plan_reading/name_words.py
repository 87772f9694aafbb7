"""Names: the other ends of relationships that were said, are said again, or are implied."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.domain.plans import Gap
from core.questions.items import Item
from core.questions.lexicon.grammar import Grammar
from core.questions.plan_reading.binding import Binder
from core.questions.plan_reading.claims import Claims
from core.questions.plan_reading.draft import LastBound, PlanDraft
from core.questions.plan_reading.links import Options, SchemaLinks
from core.questions.plan_reading.verb_words import VerbWords


@dataclass(frozen=True, slots=True)
class NameWords:
    """Reads a name."""

    draft: PlanDraft
    links: SchemaLinks
    binder: Binder
    claims: Claims
    verbs: VerbWords
    grammar: Grammar

    def read(self, item: Item) -> None:
        """Takes up a name: binds it, claims something of it, or holds it until more is said."""
        draft = self.draft
        if draft.of_subjects:
            if not self._of_similar(item):
                draft.subjects.append(item)
            return
        articles = self.grammar.articles - self.grammar.prepositions
        gap = [word for word in item.gap if word not in articles]
        prepositional = bool(gap) and gap[-1] in self.grammar.prepositions
        if draft.either and (draft.joint == "and" or item.comma):
            draft.joint = "or"
        if draft.verb is not None:
            if self._behind_verb(item, draft.verb.options, prepositional=prepositional):
                return
        elif draft.verb_follows:
            prepositional = False
        elif draft.last is not None and not draft.held and self._goes_on(item):
            if self._like(item, draft.last):
                return
            prepositional = prepositional or draft.negated
        if prepositional and self._implied(item):
            return
        nor = bool(draft.held) and draft.held[-1].negated and draft.joint == "or"
        negated = draft.negated or nor
        alternative = draft.joint == "or" and not negated
        draft.held.append(replace(item, negated=negated, alternative=alternative))
        draft.negated = False

    def _of_similar(self, item: Item) -> bool:
        """Whether a name is asked of what is similar ("drugs like X that treat Y"), or cannot be."""
        draft = self.draft
        if draft.verb is not None and draft.stack and self.binder.bind(item, draft.verb.options):
            return True
        if draft.negated:
            draft.leave(item.text, Gap.NEGATION)
        return draft.negated

    def _behind_verb(self, item: Item, options: Options, *, prepositional: bool) -> bool:
        """Whether a name is the other end of the verb that waits."""
        draft, bind = self.draft, self.binder.bind
        if not draft.stack:
            if not draft.held and draft.claims and draft.last is not None:
                draft.held = list(draft.last.subject)  # "Does X treat A and cause B?"
            if draft.held:
                self.claims.claim(item, options)
                return True
            draft.root(self.links.far(options, item.types))
        if bind(item, options):
            return True
        opened = prepositional and self.verbs.open_noun()
        if opened and bind(item, self.binder.implied_of(item)):
            return True
        return self._through(item, options)

    def _through(self, item: Item, options: Options) -> bool:
        """ "Drugs acting on the Wnt pathway": on the proteins in it."""
        draft, links = self.draft, self.links
        if len(draft.stack) > 1 or draft.stack[0].conditions:
            return False
        for name in (one for option in options for one in option):
            for kind in links.schema.far_types(name, draft.stack[-1].types):
                implied = links.implied([kind], item.types)
                if implied and self.binder.nest((kind,), ((name,),)):
                    return self.binder.bind(item, implied)
        return False

    def _goes_on(self, item: Item) -> bool:
        return bool(self.draft.joint) or self.draft.negated or item.comma

    def _like(self, item: Item, last: LastBound) -> bool:
        """Whether a name is bound in the way of the one before: "and B"."""
        if last.owner is not None:
            return self.binder.bind(item, last.options, last)
        self.draft.held = list(last.subject)
        self.claims.claim(item, last.options)
        return True

    def _implied(self, item: Item) -> bool:
        """Whether a name behind a preposition has found what it belongs to."""
        draft = self.draft
        if draft.stack and draft.negated and item.types.intersection(draft.stack[-1].types):
            return False  # "diseases other than gout"
        if draft.stack and not draft.held:
            if not self._is_behind_bound():
                return self._bind_implied(item)
            draft.unclear.append(item)
        if draft.asks_whether and draft.held and not draft.stack and draft.verb is None:
            return self.claims.claim_implied(item)
        return False

    def _bind_implied(self, item: Item) -> bool:
        draft = self.draft
        bound = self.binder.bind(item, self.binder.implied_of(item))
        if bound and draft.last is not None:
            draft.last = replace(draft.last, implied=True)
        return bound

    def _is_behind_bound(self) -> bool:
        """ "Drugs for gout with uveitis": what "with" belongs to is not said."""
        draft = self.draft
        if draft.last is None or draft.name_before is None or draft.joint or draft.negated:
            return False
        return draft.name_before is draft.bound_name
