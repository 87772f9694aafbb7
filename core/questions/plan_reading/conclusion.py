"""The end of a question: what was read becomes a plan, with what is left over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from core.domain.graph import Entity
from core.domain.plans import Condition, Gap, LeftOver, Named, Plan, Selection, Want
from core.questions.items import Item
from core.questions.lexicon import WordKind
from core.questions.lexicon.grammar import Grammar
from core.questions.plan_reading.binding import Binder
from core.questions.plan_reading.claims import Claims
from core.questions.plan_reading.draft import PlanDraft
from core.questions.plan_reading.links import SchemaLinks

_DRUG = "Drug"
_AMOUNTS = frozenset({WordKind.COUNT, WordKind.EVERYTHING})
_RANKING = (WordKind.MOST, WordKind.LEAST)
_ASKED_HOW = (WordKind.PATH, WordKind.COMPARE, WordKind.SIMILAR, WordKind.SHARE)


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Makes the plan of a draft."""

    draft: PlanDraft
    links: SchemaLinks
    binder: Binder
    claims: Claims
    grammar: Grammar

    def plan(self, items: Sequence[Item]) -> Plan | None:
        """The plan; None where nothing of the graph is asked.

        Args:
            items: all that were read.
        """
        draft = self.draft
        if any(one.has(WordKind.SHARE) and self._is_degree(one) for one in items):
            return None
        if draft.elsewhere and not any(map(_says_set, items)) and draft.flags.keys() <= _AMOUNTS:
            return None  # "When must metformin not be taken?" asks for no set
        for word in draft.elsewhere:
            ways = word in self.grammar.ways and not draft.flags.keys().isdisjoint(_ASKED_HOW)
            ranks = word in self.grammar.than and not draft.flags.keys().isdisjoint(_RANKING)
            if not (ways or ranks):
                draft.leave(word, Gap.WORD)
        if draft.of_subjects:
            similar = WordKind.SIMILAR in draft.flags
            return self._about_subjects(Want.SIMILAR if similar else Want.PATH)
        if draft.wants_amount and draft.verb is None and not (draft.held or draft.claims):
            draft.refer()
        self._use_up()
        if not draft.stack:
            self._claim_between()
            return self._yes_or_no() if draft.claims else self._shared()
        shared = draft.flags.get(WordKind.SHARE)
        either = any(len(one) > 1 for one in draft.stack[0].conditions)
        if shared is not None and (
            (either and not shared.has(WordKind.BOTH)) or len(self._bound()) + len(draft.held) < 2
        ):
            draft.leave(shared.text, Gap.WORD)  # "common side effects" asks how often
        if draft.ranks:
            flag = draft.flags.get(WordKind.MOST) or draft.flags[WordKind.LEAST]
            draft.leave(flag.text, Gap.WORD)
        self._ask_other_end()
        if draft.claims:
            # A set was begun behind what is to be confirmed; neither may be dropped.
            draft.left += [LeftOver(name.text, Gap.NAME) for name, _ in draft.claims]
        root = draft.stack[0].frozen()
        return (
            self._are_members(root)
            or self._reaches(root)
            or self._is_between(root, items)
            or self._of_set(root, items)
        )

    def _use_up(self) -> None:
        """Names that wait for a verb are bound by the one that waits for a name, else as implied."""
        draft, verb = self.draft, self.draft.verb
        if draft.held and verb is not None:
            if not draft.stack and not draft.asks_whether:
                draft.root(self.links.far(verb.options, draft.held[0].types))
            draft.joint = ""
            if draft.stack:
                self.binder.bind_held(verb.options)
        if draft.verb is not None and not draft.verb.noun and not draft.verb_is_spent:
            return  # "Which drugs express gout?"
        several = not draft.flags.keys().isdisjoint((WordKind.SHARE, WordKind.COMPARE))
        if (len(draft.held) == 1 or several) and draft.stack and not draft.stack[0].conditions:
            draft.held = [one for one in draft.held if not self._bind_implied(one)]

    def _claim_between(self) -> None:
        """ "Are X and gout associated?": the verb behind both of its ends."""
        draft, verb = self.draft, self.draft.verb
        both = len(draft.held) == 2 and draft.asks_whether and not (draft.claims or draft.flags)
        if both and verb is not None and not verb.noun:
            first, other = draft.held
            if self.links.fits(sorted(first.types), verb.options, other.types):
                draft.held = [first]
                self.claims.claim(other, verb.options)

    def _ask_other_end(self) -> None:
        """ "What do drugs for gout act on?": the verb at the end asks for what the set is linked to."""
        draft, verb = self.draft, self.draft.verb
        if verb is None or verb.noun or draft.held or not draft.subject_asked:
            return
        used = draft.used
        options = tuple(one for one in verb.options if used.isdisjoint(one))
        if not options and not draft.root_asked:
            draft.leave(verb.item.text, Gap.WORD)  # "What else do drugs for gout treat?"
        types = self.links.far(options, draft.stack[0].types)
        if types and draft.stack[0].conditions and self.binder.turn_round(types, options):
            draft.verb = None

    def _bind_implied(self, item: Item) -> bool:
        if item in self.draft.unclear:
            return False
        return self.binder.bind(item, self.binder.implied_of(item))

    def _of_set(self, root: Selection, items: Sequence[Item]) -> Plan | None:
        """The plan of a question that asks for the members of a set."""
        draft = self.draft
        flags = draft.flags
        left = self._left_of_set(items)
        if unknown := self._unknown_name(root, items):
            # Its verb waits for it.
            waits = (unknown, draft.verb.item.text if draft.verb is not None else "")
            others = tuple(one for one in left if one.gap is not Gap.WORD or one.text not in waits)
            left = (LeftOver(unknown, Gap.UNKNOWN), *others)
            want = Want.COUNT if WordKind.COUNT in flags else Want.LIST
            return Plan(want, (root,), left_over=left)
        if not root.conditions and not draft.wants_amount and draft.rank is None:
            named = any(item.entities for item in items)
            return Plan(Want.LIST, (root,), left_over=left) if left and named else None
        if root.conditions and all(one.negated for one in root.all_conditions()):
            left = (*left, LeftOver(items[0].text, Gap.NO_SUBJECT))
        if WordKind.COMPARE in flags:
            return self._comparison(root, left)
        want = Want.COUNT if WordKind.COUNT in flags else Want.LIST
        if draft.rank is not None:
            want = Want.LEAST if WordKind.LEAST in flags else Want.MOST
        everything = WordKind.EVERYTHING in flags
        return Plan(want, (root,), (), draft.rank, everything, left)

    def _unknown_name(self, root: Selection, items: Sequence[Item]) -> str:
        """What a set is asked for of, where the graph has no such name; "" where it has one, and where that may
        be a medicine's: documents are about medicines that no graph knows."""
        draft = self.draft
        if root.conditions or draft.of_before or draft.rank is not None or draft.verb is None:
            return ""
        both_said = any(one.both_said for one in draft.verb.item.senses)
        if both_said or any(item.entities for item in items):
            return ""
        far_types = self.links.schema.far_types
        ends = {end for name in draft.verb.relationships for end in far_types(name, root.types)}
        return draft.unknown if ends and _DRUG not in ends else ""

    def _left_of_set(self, items: Sequence[Item]) -> tuple[LeftOver, ...]:
        """What is left over, with what still waits at the end."""
        draft = self.draft
        if draft.negated:
            negation = next((one.text for one in items if one.has(WordKind.NOT)), "")
            draft.leave(negation, Gap.NEGATION)
        if any(not one.conditions for one in draft.stack[0].inner()):
            draft.leave(items[-1].text, Gap.NAME)
        left = self._left_with_held()
        if draft.verb is None or draft.verb_is_spent:
            return left
        if draft.verb.item.has(WordKind.TIE) and draft.used:
            return left  # "The metabolism of X: enzymes involved"
        return (*left, LeftOver(draft.verb.item.text, Gap.WORD))

    def _left_with_held(self) -> tuple[LeftOver, ...]:
        held = (LeftOver(one.text, Gap.NAME, one.named) for one in self.draft.held)
        return (*self.draft.left, *held)

    def _are_members(self, root: Selection) -> Plan | None:
        """ "Is X among the drugs that treat gout?"; None where that is not asked."""
        draft = self.draft
        if not draft.asks_whether or draft.flags or not draft.held or not root.conditions:
            return None
        if any(one.types.isdisjoint(root.types) for one in draft.held):
            return None
        named = tuple(one.of_types(root.types).named for one in draft.held)
        return Plan(Want.YES_NO, (root,) * len(named), named, left_over=tuple(draft.left))

    def _reaches(self, root: Selection) -> Plan | None:
        """ "Does X target a protein that is associated with Y?"; None where that is not asked."""
        draft = self.draft
        if draft.asked_of is None or draft.flags or draft.held or len(root.conditions) < 2:
            return None
        (first, *others), *rest = root.conditions
        if others or not isinstance(first.of, Named):
            return None
        subject = first.of
        forward = None if first.forward is None else not first.forward
        within = Selection(root.types, tuple(rest))
        condition = Condition(first.relationships, within, first.negated, forward)
        asked = Selection((subject.type,), ((condition,),))
        return Plan(Want.YES_NO, (asked,), (subject,), left_over=tuple(draft.left))

    def _is_between(self, root: Selection, items: Sequence[Item]) -> Plan | None:
        """ "The interaction between X and Y": of each two whether they have it, not what has it with both of
        them; None where a type is asked for, or a noun that does not say what names of one type have with
        each other."""
        draft = self.draft
        says_noun = any(one.has(WordKind.NOUN) for one in items) and not draft.types_said
        if draft.of_before or not says_noun or not draft.flags.keys() <= {WordKind.EVERYTHING}:
            return None
        alone = [one[0] for one in root.conditions if len(one) == 1 and not one[0].negated]
        named = [one.of for one in alone if isinstance(one.of, Named)]
        of_one_type = all(one.type in root.types for one in named)
        if len(named) < 2 or len(named) < len(root.conditions) or not of_one_type:
            return None
        if len({one.relationships for one in alone}) > 1:
            return None
        each = list(combinations(zip(named, alone, strict=True), 2))
        sets = tuple(Selection((one.type,), ((other,),)) for (one, _), (_, other) in each)
        subjects = tuple(one for (one, _), _ in each)
        return Plan(Want.YES_NO, sets, subjects, left_over=self._left_of_set(items))

    def _is_degree(self, item: Item) -> bool:
        """Whether how much something is so is asked: "how common is ..."."""
        return bool(item.gap) and item.gap[-1] in self.grammar.ways

    def _shared(self) -> Plan | None:
        """What names have in common; None where that is not asked, or all of them mean one entity."""
        draft = self.draft
        several = len({one.named.ids for one in draft.held}) > 1
        if WordKind.SHARE not in draft.flags or not several:
            return None
        return Plan(Want.SHARE, subjects=_named(draft.held), left_over=tuple(draft.left))

    def _about_subjects(self, want: Want) -> Plan | None:
        """What is similar to names, or how they are connected."""
        draft = self.draft
        similar = want is Want.SIMILAR
        subjects = [*draft.held, *draft.subjects]
        root = draft.stack[0].frozen() if similar and draft.stack else None
        if not (similar and subjects):
            subjects += self._bound()
            root = Selection(root.types) if root is not None else None
        if not similar and len(subjects) == 2 and draft.asks_whether and not draft.requested:
            draft.held = subjects[:1]
            if self.claims.claim_implied(subjects[1]):
                return self._yes_or_no()
        if len(subjects) < (1 if similar else 2) and not draft.left:
            return None
        if draft.negated:
            draft.leave(subjects[-1].text if subjects else "not", Gap.NEGATION)
        sets = (root,) if root is not None else ()
        return Plan(want, sets, _named(subjects), left_over=tuple(draft.left))

    def _bound(self) -> list[Item]:
        """Names that are conditions already."""
        ends = [
            one.of
            for owner in self.draft.stack
            for alternatives in owner.conditions
            for one in alternatives
        ]
        return [_item(one) for one in ends if isinstance(one, Named)]

    def _yes_or_no(self) -> Plan:
        claims = self.draft.claims
        sets = tuple(Selection(tuple(sorted(name.types)), ((one,),)) for name, one in claims)
        subjects = _named(name for name, _ in claims)
        return Plan(Want.YES_NO, sets, subjects, left_over=self._left_with_held())

    def _comparison(self, root: Selection, left: tuple[LeftOver, ...]) -> Plan:
        """Each condition a set of its own; no comparison without two."""
        conditions = list(root.all_conditions())
        if len(conditions) < 2:
            word = self.draft.flags[WordKind.COMPARE].text
            return Plan(Want.LIST, (root,), left_over=(*left, LeftOver(word, Gap.WORD)))
        sets = tuple(Selection(root.types, ((one,),)) for one in conditions)
        subjects = tuple(one.of for one in conditions if isinstance(one.of, Named))
        return Plan(Want.COMPARE, sets, subjects, left_over=left)


def _says_set(item: Item) -> bool:
    return item.has(WordKind.TYPE) or item.has(WordKind.NOUN)


def _named(names: Iterable[Item]) -> tuple[Named, ...]:
    return tuple(one.named for one in names)


def _item(name: Named) -> Item:
    """A name of a condition as an item again, by the first of its entities."""
    return Item(name.text, 0, 0, entities=(Entity(name.ids[0], name.type, name.name),))
