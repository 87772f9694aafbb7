"""Names that stand before the noun they qualify: "hypertension drugs", "ADRB1 targeting drugs"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.questions.items import Item
from core.questions.lexicon import WordKind
from core.questions.plan_reading.binding import Binder
from core.questions.plan_reading.draft import PlanDraft
from core.questions.plan_reading.links import Options, SchemaLinks
from core.questions.plan_reading.word_forms import WordForms


@dataclass(frozen=True, slots=True)
class Qualifiers:
    """Finds such names, and binds them once their noun has opened a set."""

    draft: PlanDraft
    links: SchemaLinks
    binder: Binder
    forms: WordForms

    def taken(self, items: Sequence[Item]) -> int:
        """How many of the items stand before the noun they qualify; from then on they wait for it.

        Args:
            items: one, and up to two behind it.
        """
        draft = self.draft
        name, *others = items
        if not name.entities or not others or name.possessive or WordKind.SIMILAR in draft.flags:
            return 0
        options: Options = ()
        noun, number = others[0], 1
        if noun.has(WordKind.VERB) and self.forms.is_participle(noun) and len(others) > 1:
            if not noun.adjoins:
                return 0
            options = tuple(one.relationships for one in noun.senses_as(WordKind.VERB))
            noun, number = others[1], 2
        if not noun.adjoins:
            return 0
        if number == 1 and noun.has(WordKind.VERB) and self._is_subject(name, others[1:]):
            return 0
        found = self._link(name, noun, options)
        if not found:
            return 0
        draft.modifier = name, (found,)
        return number

    def qualify(self) -> None:
        """What stood before a noun, bound to the set that the noun has opened."""
        draft = self.draft
        if draft.modifier is not None:
            (name, options), draft.modifier = draft.modifier, None
            if draft.either and draft.joint == "and":
                draft.joint = "or"
            draft.held = [*draft.held, name]
            self.binder.bind_held(options)

    def _is_subject(self, name: Item, following: Sequence[Item]) -> bool:
        """Whether a name before a word that may be a verb is its subject: "does metformin target"."""
        draft = self.draft
        if draft.loose is not None or (draft.subject_asked and not following):
            return True
        if draft.verb is not None:
            return False
        if self.forms.grammar.auxiliaries.intersection(name.gap) - self.forms.grammar.having:
            return True
        if following and (
            following[0].entities
            or following[0].has(WordKind.TYPE)
            or following[0].has(WordKind.NOT)  # "Mittel gegen X verursachen kein ..."
        ):
            return True
        prepositional = bool(name.gap) and name.gap[-1] in self.forms.grammar.prepositions
        return bool(draft.stack) and not prepositional

    def _link(self, name: Item, noun: Item, options: Options) -> tuple[str, ...]:
        """The relationship between a name and what a noun behind it means; () for none.

        Args:
            options: relationships that were said between them.
        """
        links = self.links
        for sense in noun.senses_as(WordKind.NOUN):
            said = links.fits(sense.types, (sense.relationships,), name.types)
            if said and not options:
                return said
        for sense in noun.senses:
            implied = links.implied_with(sense.types, [name])
            if sense.kind is WordKind.TYPE:
                meant = options or implied
            elif sense.kind is WordKind.NOUN and not name.types.intersection(sense.types):
                fits = links.fits(sense.types, (sense.relationships,), name.types)
                own = (sense.relationships,) if fits else ()
                meant = options or own or implied
            else:
                continue
            if found := links.fits(sense.types, meant, name.types):
                return found
        return ()
