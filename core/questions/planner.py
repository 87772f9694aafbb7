"""A question read as a plan: every word has a part in it, or is left over."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import pairwise

from core.domain.plans import Gap, LeftOver, Plan, Want
from core.graph.schema import GraphSchema
from core.questions.accounts import accounted
from core.questions.items import Item
from core.questions.lexicon import WANTS, Lexicon, WordKind, words_of
from core.questions.plan_reading.binding import Binder
from core.questions.plan_reading.claims import Claims
from core.questions.plan_reading.conclusion import Conclusion
from core.questions.plan_reading.draft import PlanDraft
from core.questions.plan_reading.links import Options, SchemaLinks
from core.questions.plan_reading.name_words import NameWords
from core.questions.plan_reading.noun_words import NounWords
from core.questions.plan_reading.qualifiers import Qualifiers
from core.questions.plan_reading.type_words import TypeWords
from core.questions.plan_reading.verb_words import VerbWords
from core.questions.plan_reading.whole_names import (
    Lookup,
    apposed,
    named_again,
    unknown_name,
    whole_names,
)
from core.questions.plan_reading.word_forms import WordForms
from core.questions.plan_reading.word_order import WordOrder
from core.questions.planned import Listed

_QUALIFYING = 3  # items: a name, the verb between, the noun
_DRUG = "Drug"


class PlanReader:
    """Reads one question; made anew for each.

    Args:
        lookup: entities with exactly a name.
        before: the list that "them" speaks of, if there is one.
    """

    def __init__(
        self, schema: GraphSchema, lexicon: Lexicon, lookup: Lookup, before: Listed | None = None
    ) -> None:
        self._lexicon = lexicon
        self._grammar = grammar = lexicon.grammar
        self._lookup = lookup
        self._draft = draft = PlanDraft(before)
        links = SchemaLinks(schema, grammar.bearing, grammar.prepositions)
        binder = Binder(draft, links)
        claims = Claims(draft, links)
        order = WordOrder(grammar)
        verbs = VerbWords(draft, links, binder, claims, order)
        self._forms = WordForms(grammar)
        self._order = order
        self._qualifiers = Qualifiers(draft, links, binder, self._forms)
        self._names = NameWords(draft, links, binder, claims, verbs, grammar)
        self._types = TypeWords(draft, links, binder, self._forms)
        self._nouns = NounWords(draft, links, binder, verbs, grammar)
        self._verbs = verbs
        self._conclusion = Conclusion(draft, links, binder, claims, grammar)

    @property
    def of_before(self) -> bool:
        """Whether the question speaks of the list before."""
        return self._draft.of_before

    @property
    def names_set(self) -> bool:
        """Whether a word names the set that is asked for."""
        return self._draft.root_named

    def read(self, question: str, items: Sequence[Item]) -> Plan | None:
        """The plan of a question; None where it asks nothing of the graph.

        Args:
            items: of the question, in order.
        """
        draft = self._draft
        first = question.casefold().split()[:1]
        draft.asks_whether = bool(first) and (
            first[0] in self._grammar.auxiliaries
            or self._grammar.asks_whether(question)
            or self._grammar.asks_whether_behind(question)
        )
        draft.requested = self._grammar.requests_it(question)
        draft.unknown = unknown_name(items, self._grammar)
        whole, draft.left = whole_names(items, self._lookup, self._grammar)
        spoken = named_again(whole, self._grammar, self._lexicon.is_base)
        read = _with_gaps(apposed(spoken, self._grammar, self._lexicon.is_base))
        if _asks_amount(read):
            return None
        draft.asks_whether = draft.asks_whether or self._order.asks_whether(read)
        draft.subject_asked = self._grammar.asks_subject(question) or self._order.asks_subject(read)
        known = self._order.applied(read)
        draft.whole = any(item.entities for item in known) and not any(
            item.text.casefold() in self._grammar.too for item in known
        )
        draft.types_said = any(item.has(WordKind.TYPE) for item in known)
        draft.ends_said = any(map(_is_noun, known)) or _differ(
            [one for one in known if one.entities]
        )
        draft.asks_way = self._grammar.asks_way(question) or self._links(known)
        if self._asks_on(known):
            draft.refer()
        place, begun = 0, False
        while place < len(known):
            draft.anew = draft.anew or (known[place].colon and bool(draft.stack))
            taken = self._qualifiers.taken(known[place : place + _QUALIFYING])
            if not taken:
                before = known[place - 1] if place else None
                after = known[place + 1] if place + 1 < len(known) else None
                draft.verb_follows = self._order.verb_follows(known[place:], before)
                self._take(known[place], before, after)
            last = known[place]
            if draft.stack and not begun:
                draft.root_asked = self._is_asked(known[place])
                draft.root_named = any(map(_is_noun, known[place : place + (taken or 1)]))
                begun = True
            draft.name_before = last if last.entities and not taken else None
            place += taken or 1
        draft.elsewhere = self._elsewhere(question, items)
        plan = self._conclusion.plan(known)
        if plan is None:
            return None
        if plan.want is not Want.SIMILAR and not draft.of_before:
            others = _others(items, self._grammar.others)
            plan = replace(plan, left_over=(*plan.left_over, *others))
        if self._goes_on(known):
            plan = replace(plan, left_over=(*plan.left_over, LeftOver(known[0].text, Gap.NAME)))
        return accounted(plan, known, self._lexicon)

    def _is_asked(self, item: Item) -> bool:
        """Whether a set is what is asked for: "which drugs", and not "what do drugs"."""
        behind = [
            item.gap[place + 1 :]
            for place, word in enumerate(item.gap)
            if word in self._grammar.asking
        ]
        return bool(behind) and self._grammar.auxiliaries.isdisjoint(behind[-1])

    def _asks_on(self, items: Sequence[Item]) -> bool:
        """ "And which target P?": whether a question asks about the list before."""
        joined = bool(items) and (items[0].has(WordKind.AND) or items[0].has(WordKind.BUT))
        asked = joined and len(items) > 1 and not self._grammar.asking.isdisjoint(items[1].gap)
        of_list = asked and items[1].has(WordKind.VERB) and not any(map(_is_noun, items[2:]))
        return of_list and not self._draft.types_said

    def _goes_on(self, items: Sequence[Item]) -> bool:
        """ "And with ADRB1 as a target?": whether a question goes on about the list before, and was not
        read so."""
        draft = self._draft
        joined = items[0].has(WordKind.AND) or items[0].has(WordKind.BUT)
        own = any(item.has(WordKind.TYPE) for item in items)
        return joined and not own and draft.before is not None and not draft.of_before

    def _elsewhere(self, question: str, items: Sequence[Item]) -> list[str]:
        """Words that ask for something else than entities; "diseases where ..." asks for diseases."""
        said: list[str] = []
        for place, item in enumerate(items):
            words = item.gap
            if place and words and words[0] in self._grammar.places and _is_noun(items[place - 1]):
                words = words[1:]
            said += words
        rest = question[items[-1].end :] if items else question
        said += [word.plain for word in words_of(rest)]
        return [word for word in said if word in self._grammar.elsewhere]

    def _links(self, items: Sequence[Item]) -> bool:
        """ "What links A to B?", "A to B connection": two names, and what comes first or last is the word
        between them."""
        names = [item for item in items if item.entities]
        others = [item for item in items if not item.entities]
        if len(names) == 2 and len(others) == 1 and items[-1] is others[0] and items[-1].adjoins:
            return others[0].has(WordKind.PATH) and not self._draft.asks_whether
        first = items[0] if items else None
        if first is None or len(names) != 2 or any(item.has(WordKind.TYPE) for item in items):
            return False
        asked = not first.gap or first.gap[-1] in self._grammar.asking
        return first.has(WordKind.PATH) and asked

    def _take(self, item: Item, before: Item | None, after: Item | None) -> None:
        """One item has its part in the plan, or is left over."""
        draft = self._draft
        if draft.joint == "and" and (self._is_asked(item) or item.has(WordKind.COUNT)):
            draft.end_negation()
        if item.entities:
            self._names.read(item)
        elif self._is_bond(item, before) or (item.has(WordKind.THEM) and draft.refer()):
            return
        elif item.has(WordKind.ORDINAL):
            self._on_ordinal(item)
        elif item.has(WordKind.UNCLEAR):
            draft.leave(item.text, Gap.NEGATION)
        elif self._joins(item):
            return
        elif flag := self._flag(item, after):
            again = flag in draft.flags and draft.last is not None and after is not None
            if flag is WordKind.COUNT and again:
                draft.leave(item.text, Gap.WORD)  # "How many does A have, and how many B?"
            if flag is WordKind.EVERYTHING and flag in draft.flags and draft.joint == "and":
                draft.joint = "or"  # "Everything for A together with everything for B"
            draft.flags[flag] = item
            if flag is WordKind.SHARE and draft.negated and not item.has(WordKind.BOTH):
                draft.leave(item.text, Gap.NEGATION)  # "What do A and B not share?"
            if flag in (WordKind.MOST, WordKind.LEAST):
                draft.ranks = True
            if item.has(WordKind.COMPARE) and (draft.held or draft.last is not None):
                draft.joint = "and"
        elif item.has(WordKind.EITHER):
            draft.joint = "or" if draft.either else draft.joint  # "hetzij A, hetzij B"
            draft.either = True
        elif item.has(WordKind.BOTH) or item.has(WordKind.THEM):
            self._speaks_on(item)
        else:
            self._on_word(item, before, after)

    def _speaks_on(self, item: Item) -> None:
        """The list before may be what is spoken of behind a set: "which have P as their target too?"."""
        draft = self._draft
        too = item.text.casefold() in self._grammar.too
        asked = item.has(WordKind.THEM) and not self._grammar.asking.isdisjoint(item.gap)
        if too and draft.refer():
            return
        if asked or (too and not draft.types_said):
            draft.restrict()

    def _is_bond(self, item: Item, before: Item | None) -> bool:
        """ "A treats relationship to X": a word for any relationship behind the one that is meant."""
        first = item.text.casefold().split()[0]
        if before is None or before.entities:
            return False
        says = before.has(WordKind.VERB) or before.has(WordKind.NOUN)
        return first in self._grammar.bonds and says and item.adjoins

    def _on_ordinal(self, item: Item) -> None:
        """A member of the list before, by its number."""
        draft = self._draft
        number = item.senses_as(WordKind.ORDINAL)[0].number
        if draft.before is None or number >= len(draft.before.members):
            draft.leave(item.text, Gap.WORD)
            return
        entity = draft.before.members[number]
        draft.of_before = True
        self._names.read(replace(item, text=entity.name, entities=(entity,)))

    def _joins(self, item: Item) -> bool:
        """Whether an item is a "not", "and", "or" or "but" for what comes."""
        draft = self._draft
        if item.has(WordKind.NEITHER):
            draft.negated = draft.neither = True
        elif item.has(WordKind.NOR):
            draft.negated, draft.joint = True, "and"
        elif item.has(WordKind.NOT):
            if not (draft.stack or draft.held or draft.claims or item.gap):
                draft.refer()  # "Drop those that ..."
            draft.negated = True
        elif item.has(WordKind.AND):
            draft.joint = draft.joint or "and"
        elif item.has(WordKind.OR):
            draft.joint = "or"
        elif item.has(WordKind.BUT):
            draft.joint = "but"
        else:
            return False
        return True

    def _flag(self, item: Item, after: Item | None) -> WordKind | None:
        """What an item says is wanted of the sets; None where it says nothing of it."""
        draft = self._draft
        kinds = [flag for flag in WANTS if item.has(flag)]
        if WordKind.PATH in kinds and (item.has(WordKind.VERB) or item.has(WordKind.NOUN)):
            # "How is X related to Y?" asks for the way; "Which proteins are related to Y?" does not.
            asks_way = draft.asks_way and not draft.stack and WordKind.COUNT not in draft.flags
            if not asks_way:
                kinds.remove(WordKind.PATH)
        named = after is not None and after.entities and after.adjoins
        if WordKind.COUNT in kinds and draft.stack and (named or item.has(WordKind.TIE)):
            kinds.remove(WordKind.COUNT)  # "Which pathways count ADRB1 among theirs?"
        shares = WordKind.SHARE in kinds and WordKind.SHARE in draft.flags
        if shares and item.has(WordKind.BOTH):
            return None
        return kinds[0] if kinds else None

    def _on_word(self, item: Item, before: Item | None, after: Item | None) -> None:
        """A word for a type, a noun or a verb, or one that is neither."""
        draft = self._draft
        verbs: Options = tuple(
            one.relationships
            for one in item.senses_as(WordKind.VERB)
            if self._draft.ends_said or not one.both_said
        )
        nouns = item.senses_as(WordKind.NOUN)
        types = [one.types for one in item.senses_as(WordKind.TYPE)]
        qualified = draft.modifier is not None  # "metformin targets"
        is_verb = self._forms.is_verb(item, before, after, of_set=bool(draft.stack))
        if verbs and not qualified and is_verb:
            nouns, types = [], []
        empty = item.text.casefold() in self._lexicon.nothing
        if verbs and empty and before is None and not item.gap:
            return
        if nouns and (verbs or not self._forms.is_participle(item)):
            self._nouns.read(item, nouns, after)
            self._qualifiers.qualify()
        elif types and (qualified or not verbs or self._forms.is_noun(item, before)):
            self._types.read(item, types[0])
            self._qualifiers.qualify()
        elif verbs:
            self._verbs.read(item, verbs, after)
        else:
            draft.leave(item.text, Gap.WORD)


def _asks_amount(items: Sequence[Item]) -> bool:
    """ "Wie viel X darf ...?": a medicine right behind the word that counts is measured, and no set is counted;
    "wie viele X-Ziele" counts."""
    for (counted, name), behind in zip(pairwise(items), [*items[2:], None], strict=False):
        measured = counted.has(WordKind.COUNT) and name.adjoins and name.types == {_DRUG}
        qualifies = behind is not None and behind.adjoins and _is_noun(behind)
        if measured and not (name.possessive or qualifies):
            return True
    return False


def _others(items: Sequence[Item], words: AbstractSet[str]) -> list[LeftOver]:
    """ "Which other drugs treat gout?": other than which? "Which other proteins bind ADRB1?" tells it, and so
    does "CYPs and other enzymes"."""
    named = frozenset(name for item in items for name in item.types)
    found = []
    for place, item in enumerate(items):
        said = next((word for word in item.gap if word in words), None)
        before = items[place - 1] if place else None
        joined = before is not None and item.gap[:1] == (said,) and _joins_words(before)
        types = {name for one in item.senses for name in one.types}
        if said and types and not joined and named.isdisjoint(types):
            found.append(LeftOver(said, Gap.WORD))
    return found


def _joins_words(item: Item) -> bool:
    return item.has(WordKind.AND) or item.has(WordKind.OR)


def _is_noun(item: Item) -> bool:
    return item.has(WordKind.TYPE) or item.has(WordKind.NOUN)


def _differ(names: Sequence[Item]) -> bool:
    """Whether names are of different types, as the two ends of a relationship may be."""
    return any(one.types.isdisjoint(other.types) for one, other in pairwise(names))


def _with_gaps(items: Sequence[Item]) -> list[Item]:
    """What stands before "either" or "both" stands before what follows it too: "for either A or B"."""
    found: list[Item] = []
    carried: tuple[str, ...] = ()
    for item in items:
        found.append(replace(item, gap=(*carried, *item.gap)) if carried else item)
        passing = item.has(WordKind.EITHER) or item.has(WordKind.BOTH)
        carried = found[-1].gap if passing else ()
    return found
