"""A question read as a plan: every word has a part in it, or is left over."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from core.domain.graph import Entity
from core.domain.plans import Condition, Gap, LeftOver, Named, Plan, Rank, Selection, Want
from core.graph.schema import GraphSchema
from core.questions.items import Item, spelt_otherwise
from core.questions.lexicon import Kind, Lexicon, Sense
from core.resources import read_table

_IMPLIED: dict[str, dict[str, str]] = read_table(__file__, "relations.toml")["implied"]
_SYMMETRIC = frozenset({"INTERACTS_WITH", "BINDS", "RESEMBLES", "COVARIES_WITH", "RELATED_TO"})
_HAVE = frozenset({"has", "have", "having", "had"})
_THE = frozenset({"the", "this", "that", "these"})
_FLAGS = (
    Kind.COUNT, Kind.EVERYTHING, Kind.COMPARE, Kind.SHARE, Kind.MOST, Kind.LEAST, Kind.SIMILAR, Kind.PATH,
)  # fmt: skip
_WHETHER = re.compile(r"\bwhether\b|\byes(?: or |/)no\b", re.IGNORECASE)
_HOW = re.compile(r"\bhow\b(?! (?:many|much)\b)|\b(?:in )?what way\b", re.IGNORECASE)
_VERB_FORM = ("ed", "ing")
_NOUN_FORM = ("ion", "ions", "ment", "ments", "ity", "ities")
Options = tuple[tuple[str, ...], ...]  # relationships of each sense of a word, likeliest first


@dataclass(frozen=True, slots=True)
class Listed:
    """The last list of a conversation: the set, and its members in the order they were told."""

    selection: Selection
    members: tuple[Entity, ...]


@dataclass(eq=False)
class _Set:
    """A selection while it is read; no types while only "what" stands for it."""

    types: tuple[str, ...]
    conditions: list[list[Condition]] = field(default_factory=list)
    within: dict[int, _Set] = field(default_factory=dict)  # by the place of the condition
    given: tuple[tuple[Condition, ...], ...] = ()  # of the list that is spoken of

    def frozen(self) -> Selection:
        own = []
        for place, alternatives in enumerate(self.conditions):
            inner = self.within.get(place)
            own.append(
                tuple(replace(one, of=inner.frozen()) if inner else one for one in alternatives)
            )
        return Selection(self.types, (*self.given, *own))


@dataclass(frozen=True, slots=True)
class _Verb:
    """A relationship that waits for its other end."""

    options: Options
    item: Item
    passive: bool = False
    noun: bool = False  # what one end is called; it says itself what the set is


@dataclass(frozen=True, slots=True)
class _Bound:
    """What was bound last, so that "and B" can follow."""

    owner: _Set | None
    options: Options
    negated: bool
    subject: tuple[Item, ...] = ()


class PlanReader:
    """Reads one question; made anew for each.

    Args:
        lookup: entities with exactly a name.
        before: the list that "them" speaks of, if there is one.
    """

    def __init__(
        self,
        schema: GraphSchema,
        lexicon: Lexicon,
        lookup: Callable[[str], Sequence[Entity]],
        before: Listed | None = None,
    ) -> None:
        self.of_before = False  # whether the question speaks of the list before
        self._schema = schema
        self._lexicon = lexicon
        self._lookup = lookup
        self._before = before
        self._stack: list[_Set] = []
        self._verb: _Verb | None = None
        self._held: list[Item] = []
        self._subjects: list[Item] = []
        self._claims: list[tuple[Item, Condition]] = []
        self._last: _Bound | None = None
        self._joint = ""  # and, or, but: since the last name
        self._negated = False
        self._neither = False
        self._flags: dict[Kind, Item] = {}
        self._rank: Rank | None = None
        self._ranks = False
        self._left: list[LeftOver] = []
        self._either = False
        self._modifier: tuple[Item, Options] | None = None
        self._loose: tuple[_Set, int, _Set] | None = None  # a set within whose verb may still come
        self._last_item: Item | None = None  # a name right before
        self._bound_item: Item | None = None
        self._unclear: list[Item] = []  # names of which it is not clear what they belong to
        self._asks_whether = False
        self._how = False

    def read(self, question: str, items: Sequence[Item]) -> Plan | None:
        """The plan of a question; None where it asks nothing of the graph."""
        first = question.casefold().split()
        self._asks_whether = bool(first) and (
            first[0] in self._lexicon.auxiliaries or bool(_WHETHER.search(question))
        )
        self._how = bool(_HOW.search(question))
        items = self._apposed(self._whole_names(list(items)))
        place = 0
        while place < len(items):
            taken = self._as_modifier(items[place : place + 3], items[place - 1] if place else None)
            if not taken:
                after = items[place + 1] if place + 1 < len(items) else None
                self._take(items[place], items[place - 1] if place else None, after, place)
            last = items[place]
            self._last_item = last if last.entities and not taken else None
            place += taken or 1
        return self._finished(items)

    # -- names -------------------------------------------------------------------------------------

    def _whole_names(self, items: list[Item]) -> list[Item]:
        """Words that nobody knows joined to the name beside them, where the graph has the longer one;
        left over with it where not."""
        found: list[Item] = []
        place = 0
        while place < len(items):
            end = place
            while (
                end < len(items) and not items[end].senses and (end == place or not items[end].gap)
            ):
                end += 1
            if end == place:
                found.append(items[place])
                place += 1
                continue
            if end == place + 1 and (symbol := self._symbol(items[place])):
                found.append(symbol)
                place += 1
                continue
            unknown = items[place:end]
            behind = found[-1] if found and found[-1].entities and not unknown[0].gap else None
            ahead = items[end] if end < len(items) and items[end].entities else None
            if ahead is not None and (items[end].gap or ahead.comma):
                ahead = None
            if behind is not None and (unknown[0].comma or behind.possessive):
                behind = None
            whole = self._longer(
                [*([behind] if behind else []), *unknown, *([ahead] if ahead else [])]
            )
            if whole is not None:
                if behind:
                    found.pop()
                found.append(whole)
                place = end + (1 if ahead else 0)
                continue
            beside = ahead or behind
            words = " ".join(one.text for one in unknown)
            if beside is None:
                self._left.append(LeftOver(words, Gap.WORD))
            else:
                name = f"{words} {beside.text}" if ahead else f"{beside.text} {words}"
                self._left.append(LeftOver(name, Gap.NARROWER, _named(beside)))
            place = end
        return found

    def _symbol(self, item: Item) -> Item | None:
        """A name of two letters, which the linker does not look for in every text: "AR", "C7"."""
        if len(item.text) != 2 or item.text != item.text.upper() or not item.text[0].isalpha():
            return None
        entities = tuple(
            one for one in self._lookup(item.text) if item.text in (one.name, *one.synonyms)
        )
        return replace(item, senses=(Sense(Kind.NAME),), entities=entities) if entities else None

    def _longer(self, parts: Sequence[Item]) -> Item | None:
        if len(parts) < 2:
            return None
        text = " ".join(part.text for part in parts)
        for form in (text, *spelt_otherwise(text)):
            if entities := tuple(self._lookup(form)):
                return Item(
                    text,
                    parts[0].start,
                    parts[-1].end,
                    parts[0].senses or parts[-1].senses,
                    entities,
                    parts[0].gap,
                )
        return None

    @staticmethod
    def _apposed(items: list[Item]) -> list[Item]:
        """ "The protein ADRB1", "Wnt pathway": a type beside a name of that type only says so."""
        found: list[Item] = []
        skip = False
        for place, item in enumerate(items):
            if skip:
                skip = False
                continue
            types = {name for s in item.senses if s.kind is Kind.TYPE for name in s.types}
            after = items[place + 1] if place + 1 < len(items) else None
            if types and after is not None and not after.gap and not after.comma:
                of_noun = {name for s in after.senses if s.kind is Kind.NOUN for name in s.types}
                if of_noun & types and not (after.has(Kind.VERB) and "Drug" in types):
                    items[place + 1] = replace(after, gap=item.gap or ("the",), comma=item.comma)
                    continue  # "protein targets"
            if (
                item.has(Kind.ORDINAL)
                and after is not None
                and after.has(Kind.TYPE)
                and not after.gap
            ):
                found.append(item)
                skip = True
                continue
            if (
                types
                and after is not None
                and not after.gap
                and not after.comma
                and after.types & types
            ):
                items[place + 1] = replace(after.of_types(types), gap=item.gap, comma=item.comma)
                continue
            if item.entities and after is not None and not after.gap and not after.comma:
                of = {name for s in after.senses if s.kind is Kind.TYPE for name in s.types}
                if of & item.types and not after.has(Kind.NOUN) and not item.possessive:
                    found.append(item.of_types(of))
                    skip = True
                    continue
            found.append(item)
        return found

    def _as_modifier(self, items: Sequence[Item], before: Item | None) -> int:
        """How many items from a name on stand before the noun they qualify: "hypertension drugs",
        "ADRB1 targeting drugs"."""
        name, *others = items
        if not name.entities or not others or Kind.SIMILAR in self._flags or name.possessive:
            return 0
        options: Options = ()
        noun, number = others[0], 1
        if noun.has(Kind.VERB) and noun.text.casefold().endswith(_VERB_FORM) and len(others) > 1:
            if noun.gap or noun.comma:
                return 0
            options = tuple(x.relationships for x in noun.senses if x.kind is Kind.VERB)
            noun, number = others[1], 2
        if noun.gap or noun.comma or not (noun.has(Kind.TYPE) or noun.has(Kind.NOUN)):
            return 0
        prepositional = bool(name.gap) and name.gap[-1] in self._lexicon.prepositions
        if number == 1 and noun.has(Kind.VERB) and self._loose is not None:
            return 0
        if number == 1 and noun.has(Kind.VERB) and self._verb is None:
            spoken = self._lexicon.auxiliaries.intersection(name.gap) - _HAVE
            following = others[1] if len(others) > 1 else None
            before_name = following is not None and (following.entities or following.has(Kind.TYPE))
            if spoken or before_name or (self._stack and not prepositional):
                return 0
        for x in noun.senses:
            if x.kind is Kind.TYPE and (
                found := self._fits(
                    x.types, options or self._implied_options(x.types, [name]), name.types
                )
            ):
                self._modifier = name, (found,)
                return number
            if x.kind is Kind.NOUN and not (set(x.types) & name.types):
                own = (
                    (x.relationships,)
                    if self._fits(x.types, (x.relationships,), name.types)
                    else ()
                )
                if found := self._fits(
                    x.types, options or own or self._implied_options(x.types, [name]), name.types
                ):
                    self._modifier = name, (found,)
                    return number
        return 0

    def _qualify(self) -> None:
        """What stood before a noun, bound to the set that the noun has opened."""
        if self._modifier is not None:
            (name, options), self._modifier = self._modifier, None
            held, self._held = self._held, []
            for one in [*held, name]:
                if not self._bind(one, options):
                    self._held.append(one)

    # -- one item after the other ------------------------------------------------------------------

    def _take(self, item: Item, before: Item | None, after: Item | None, place: int) -> None:
        if item.entities:
            self._on_name(item)
        elif item.has(Kind.THEM) and self._refer(item):
            return
        elif item.has(Kind.ORDINAL):
            self._on_ordinal(item)
        elif item.has(Kind.NEITHER):
            self._negated = self._neither = True
        elif item.has(Kind.NOR):
            self._negated, self._joint = True, "and"
        elif item.has(Kind.NOT):
            self._negated = True
        elif item.has(Kind.AND):
            self._joint = self._joint or "and"
        elif item.has(Kind.OR):
            self._joint = "or"
        elif item.has(Kind.BUT):
            self._joint = "but"
        elif flag := self._flag(item, after):
            self._flags[flag] = item
            if flag in (Kind.MOST, Kind.LEAST):
                self._ranks = True
            if item.has(Kind.COMPARE) and self._held:
                self._joint = "and"
        elif item.has(Kind.EITHER):
            self._either = True
        elif item.has(Kind.BOTH) or item.has(Kind.THEM):
            if item.text.casefold() in ("also", "too"):
                self._refer(item)
        else:
            self._on_word(item, before, after, place)

    def _flag(self, item: Item, after: Item | None) -> Kind | None:
        kinds = [flag for flag in _FLAGS if item.has(flag)]
        if not kinds:
            return None
        if Kind.PATH in kinds and (item.has(Kind.VERB) or item.has(Kind.NOUN)):
            # "How is X related to Y?" asks for the way; "Which proteins are related to Y?" does not.
            if not self._how or self._stack or Kind.COUNT in self._flags:
                kinds.remove(Kind.PATH)
        if Kind.SHARE in kinds and item.has(Kind.BOTH) and Kind.SHARE in self._flags:
            return None
        return kinds[0] if kinds else None

    def _on_word(self, item: Item, before: Item | None, after: Item | None, place: int) -> None:
        verbs: Options = tuple(s.relationships for s in item.senses if s.kind is Kind.VERB)
        nouns = [s for s in item.senses if s.kind is Kind.NOUN]
        types = [s.types for s in item.senses if s.kind is Kind.TYPE]
        qualified = self._modifier is not None  # "metformin targets"
        if verbs and (nouns or types) and not qualified and self._is_verb(item, before, after):
            nouns, types = [], []
        if (
            before is None
            and not item.gap
            and verbs
            and item.text.casefold() in self._lexicon.nothing
        ):
            return
        if nouns and not self._is_participle(item, verbs):
            self._on_noun(item, nouns, after)
            self._qualify()
        elif types and (qualified or not (verbs and not self._is_noun(item, before))):
            self._on_type(item, types[0])
            self._qualify()
        elif verbs:
            self._on_verb(item, verbs, after)
        elif not nouns:
            self._left.append(LeftOver(item.text, Gap.WORD))

    def _is_participle(self, item: Item, verbs: Options) -> bool:
        return not verbs and item.text.casefold().endswith(_VERB_FORM)

    def _is_noun(self, item: Item, before: Item | None) -> bool:
        return before is None or bool(item.gap and item.gap[-1] in self._lexicon.determiners)

    def _is_verb(self, item: Item, before: Item | None, after: Item | None) -> bool:
        """Whether a word that is a verb or a noun ("target") is a verb here."""
        text = item.text.casefold()
        if " " not in text and text.endswith(_VERB_FORM):
            return True
        if text.endswith(_NOUN_FORM):
            return False
        follows = after.gap if after is not None else ()
        if follows[:1] in (("of",), ("for",)) and " " not in text:
            return False
        if item.gap and item.gap[-1] in self._lexicon.determiners - {
            "that",
            "which",
            "what",
            "more",
        }:
            return False
        if before is None:
            return (
                bool(item.gap)
                and item.gap[-1] in {"that", "which", "what", "who"}
                and after is not None
                and (bool(after.entities))
            )
        if (
            any(before.has(kind) for kind in (Kind.MOST, Kind.LEAST, Kind.COUNT, Kind.SHARE))
            and not item.gap
        ):
            return False
        if before.entities:
            # "What does metformin target?", "metformin targets which proteins?"; but "metformin targets"
            asked = any(word in self._lexicon.auxiliaries for word in before.gap)
            return not before.possessive and (asked or after is not None or bool(self._stack))
        return True

    # -- types, nouns, verbs -----------------------------------------------------------------------

    def _on_type(self, item: Item, types: tuple[str, ...]) -> None:
        if self._verb is not None and self._verb.noun and not item.gap and self._modifier is None:
            noun = self._verb.item
            if any(set(s.types) & set(types) for s in noun.senses if s.kind is Kind.NOUN):
                return  # "target proteins"
        if self._again(item, types):
            return
        types = tuple(one for one in types if one in self._schema.entity_types) or types
        if self._ranks and self._stack:
            self._rank_by(item, self._verb.options if self._verb else (), types)
            return
        if self._verb is not None:
            if self._nest(types, self._verb.options):
                return
            if not self._stack:
                self._root(types)
                self._bind_held(self._verb.options)
                self._verb = None if not self._held else self._verb
                return
        asked = bool({"which", "what"} & set(item.gap))
        if self._stack and asked and self._stack[0].conditions and self._verb is None:
            if self._turn_round(types):
                return
        if not self._stack:
            if (
                self._before is not None
                and not self._held
                and self._modifier is None
                and (set(types) & set(self._before.selection.types) and self._speaks_on)
            ):
                self._refer(item)
                return
            if self._asks_whether and self._held and self._held[-1].types & set(types):
                return  # "Is X a drug for Y?"
            self._root(types)
            if self._held and not self._flags.keys() & {Kind.COMPARE, Kind.SHARE}:
                if self._modifier is None:
                    self._bind_held(self._implied_options(types, self._held))
            return
        if any(set(types) & set(one.types) for one in self._stack[:1]) and self._verb is None:
            del self._stack[1:]
            return
        if self._nest(types, None):
            if not self._by_preposition(item):
                owner = next(one for one in self._stack if self._stack[-1] in one.within.values())
                self._loose = owner, len(owner.conditions) - 1, self._stack[-1]
            return
        self._left.append(LeftOver(item.text, Gap.NO_SUCH if self._verb else Gap.WORD))

    def _on_noun(self, item: Item, nouns: Sequence[Sense], after: Item | None) -> None:
        if self._ranks and self._stack:
            fitting = [
                s for s in nouns if self._fits(self._stack[0].types, (s.relationships,), s.types)
            ]
            if fitting:
                self._rank_by(item, (fitting[0].relationships,), fitting[0].types)
                return
        beside_name = (
            after is not None and bool(after.entities) and not after.gap and not after.comma
        )
        if beside_name and after is not None and self._verb is not None and not self._verb.noun:
            if any(after.types & set(s.types) for s in nouns):
                return  # "acts on the target ADRB1"
        if not self._stack:
            self._noun_at_root(item, nouns, after)
            return
        if self._held:
            for s in nouns:
                if all(one.types & set(s.types) for one in self._held):
                    count = len(self._held)
                    self._bind_held((s.relationships,))
                    if len(self._held) < count:
                        return
        if self._restates(item, nouns):
            return
        inner = self._stack[-1]
        if self._modifier is not None:
            for s in nouns:
                if set(s.types) & set(inner.types) and self._verb is None:
                    return
                if self._nest(s.types, self._verb.options if self._verb else None):
                    return
        for s in nouns:
            if self._verb is not None and self._nest(s.types, self._verb.options):
                self._verb = _Verb((s.relationships,), item, noun=True)
                return
        for s in nouns:
            if set(s.types) & set(inner.types) or not inner.types:
                self._verb = self._joined_verb((s.relationships,), item, noun=True)
                inner.types = inner.types or s.types
                return
        beside = item.gap and item.gap[-1] in self._lexicon.prepositions
        apposed = beside_name
        for s in nouns:
            if beside and not apposed and self._nest(s.types, None, unless=(s.relationships,)):
                self._verb = _Verb((s.relationships,), item, noun=True)
                return
        for s in nouns:
            if self._fits(inner.types, (s.relationships,), s.types):
                self._verb = self._joined_verb((s.relationships,), item, noun=True)
                return
        for s in nouns:
            if self._nest(s.types, None):
                self._verb = _Verb((s.relationships,), item, noun=True)
                return
        self._left.append(LeftOver(item.text, Gap.NO_SUCH))

    def _restates(self, item: Item, nouns: Sequence[Sense]) -> bool:
        """ "... cause X as a side effect", "... have P as their target": the noun says what X is."""
        last, text = self._last, item.gap
        if not {"as", "among", "through", "via", "by"} & set(text) and not self._claims:
            return False
        waiting = {name for one in (self._verb.options if self._verb else ()) for name in one}
        if any(name in s.relationships for s in nouns for name in waiting | self._used()):
            return True
        if last is None or last.owner is None or not last.owner.conditions:
            return False
        for s in nouns:
            *rest, condition = last.owner.conditions[-1]
            of = condition.of
            found = self._fits(last.owner.types, (s.relationships,), s.types)
            if isinstance(of, Named) and of.type in s.types and found:
                last.owner.conditions[-1] = [*rest, replace(condition, relationships=found)]
                return True
        return False

    def _noun_at_root(self, item: Item, nouns: Sequence[Sense], after: Item | None) -> None:
        options: Options = tuple(s.relationships for s in nouns)
        ahead = after.types if after is not None else ()
        likely = [s for s in nouns if ahead and self._fits(s.types, (s.relationships,), ahead)]
        types = (likely or nouns)[0].types
        stated = self._asks_whether or bool({"is", "are", "as", "was", "were"} & set(item.gap))
        if self._modifier is not None:
            self._root(types)
            return
        if self._held and stated and self._held[-1].types & set(types):
            self._verb = _Verb(options, item, noun=True)
            return
        if self._claims and self._restates(item, nouns):
            return
        if self._held:
            for s in nouns:
                if all(self._fits(s.types, (s.relationships,), one.types) for one in self._held):
                    self._root(s.types)
                    self._bind_held((s.relationships,))
                    self._verb = _Verb((s.relationships,), item, noun=True)
                    return
            if self._asks_whether:
                self._verb = _Verb(options, item, noun=True)
                return
        self._root(types)
        self._verb = _Verb(options, item, noun=True)

    def _on_verb(self, item: Item, options: Options, after: Item | None) -> None:
        passive = (after is not None and after.gap[:1] == ("by",)) or item.text.casefold().endswith(
            " by"
        )
        if self._stack and self._held:
            bound = [one for one in self._held if self._bind(one, options)]
            self._held = [one for one in self._held if one not in bound]
            if bound:
                return
        if self._loose is not None and (after is None or not (after.entities or after.senses)):
            if self._tighten(options):
                return
        if self._verb is not None and self._verb.noun:
            if not self._open_noun():
                options = (*self._verb.options, *options)
        elif self._verb is not None and not self._unused(self._verb, options):
            self._left.append(LeftOver(self._verb.item.text, Gap.WORD))
        self._verb = self._joined_verb(options, item, passive)

    def _open_noun(self) -> bool:
        """The set that a noun names, where more is said of it: "drugs with a target in ..."."""
        verb = self._verb
        if verb is None or not verb.noun or not self._stack:
            return False
        inner = self._stack[-1]
        for s in verb.item.senses:
            if s.kind is not Kind.NOUN or set(s.types) & set(inner.types):
                continue
            if self._nest(s.types, (s.relationships,)):
                return True
        return False

    def _tighten(self, options: Options) -> bool:
        """ "Which pathways do the proteins ... take part in?": the verb behind both of its ends."""
        owner, place, inner = self._loose or (None, 0, None)
        if owner is None or inner is None:
            return False
        found = self._fits(owner.types, options, inner.types)
        if found:
            owner.conditions[place] = [replace(owner.conditions[place][0], relationships=found)]
            self._loose = None
        return bool(found)

    def _joined_verb(
        self, options: Options, item: Item, passive: bool = False, *, noun: bool = False
    ) -> _Verb:
        last = self._last
        if last is not None and last.negated and not self._negated and self._joint in ("and", ""):
            if self._joint == "and" and not self._neither:
                self._left.append(LeftOver(item.text, Gap.NEGATION))
            elif self._neither:
                self._negated = True
        elif last is not None and last.negated and self._joint == "or":
            self._negated = True
        return _Verb(options, item, passive, noun)

    def _unused(self, verb: _Verb, options: Options) -> bool:
        """Whether a verb without an object is said again in other words ("used as a treatment")."""
        flat = {name for one in options for name in one}
        return any(name in flat for one in verb.options for name in one)

    # -- sets --------------------------------------------------------------------------------------

    def _root(self, types: tuple[str, ...]) -> _Set:
        self._stack = [_Set(types)]
        return self._stack[0]

    def _refer(self, item: Item) -> bool:
        """The set that the conversation spoke of, where "them" stands for it."""
        if self._held and not self._stack:
            return True  # "the second of them"
        if self._stack or self._before is None:
            return False
        root = self._root(self._before.selection.types)
        self.of_before = True
        root.given = self._before.selection.conditions
        return True

    def _on_ordinal(self, item: Item) -> None:
        number = next(s.number for s in item.senses if s.kind is Kind.ORDINAL)
        if self._before is None or number >= len(self._before.members):
            self._left.append(LeftOver(item.text, Gap.WORD))
            return
        entity = self._before.members[number]
        self.of_before = True
        self._on_name(replace(item, text=entity.name, entities=(entity,)))

    def _nest(
        self, types: tuple[str, ...], options: Options | None, unless: Options | None = None
    ) -> bool:
        """A set within: of `types`, linked to the innermost set that it fits."""
        for owner in reversed(self._stack):
            if not owner.types and options:
                self._infer(owner, options, types)
            chosen = options if options is not None else self._implied_option(owner.types, types)
            found = self._fits(owner.types, chosen, types)
            if not found or (unless and found in unless and not set(types) - set(owner.types)):
                continue
            inner = _Set(types)
            del self._stack[self._stack.index(owner) + 1 :]
            owner.conditions.append([Condition(found, Selection(types), self._negated)])
            owner.within[len(owner.conditions) - 1] = inner
            owner.types = self._near(owner.types, found, types)
            self._stack.append(inner)
            self._last = _Bound(owner, (found,), self._negated)
            self._verb, self._negated, self._joint = None, False, ""
            return True
        return False

    def _rank_by(self, item: Item, options: Options, types: tuple[str, ...]) -> None:
        root = self._stack[0]
        found = self._fits(root.types, options or self._implied_option(root.types, types), types)
        if not found:
            self._left.append(LeftOver(item.text, Gap.NO_SUCH))
            return
        self._rank = Rank(
            found, tuple(one for one in types if self._schema.links(found[0], (one,), root.types))
        )
        self._ranks, self._verb = False, None

    # -- names bound to sets -----------------------------------------------------------------------

    def _on_name(self, item: Item) -> None:
        if self._of_subjects:
            self._subjects.append(item)
            return
        prepositional = bool(item.gap) and item.gap[-1] in self._lexicon.prepositions
        if self._either and self._joint == "and":
            self._joint = "or"
        if self._verb is not None:
            options = self._verb.options
            if not self._stack:
                if self._held:
                    self._claim(item, options)
                    return
                self._infer(self._root(()), options, item.types)
            if self._bind(item, options):
                return
            if prepositional and self._open_noun() and self._bind(item, self._implied_of(item)):
                return
        elif (
            (self._joint or self._negated or item.comma)
            and self._last is not None
            and not self._held
        ):
            if self._last.owner is None:
                self._held = list(self._last.subject)
                self._claim(item, self._last.options)
                return
            if self._bind(item, self._last.options, self._last):
                return
            prepositional = prepositional or self._negated
        # "drugs for gout with uveitis": what "with" belongs to is not said.
        behind_name = self._last is not None and self._last_item is not None and not self._joint
        behind_name = behind_name and not self._negated and self._last_item is self._bound_item
        if self._stack and prepositional and not self._held:
            if behind_name:
                self._unclear.append(item)
            elif self._bind(item, self._implied_of(item)):
                return
        if (
            self._asks_whether
            and not self._stack
            and self._held
            and prepositional
            and self._verb is None
        ):
            if self._claim_implied(item):
                return
        nor = bool(self._held) and self._held[-1].negated and self._joint == "or"
        self._held.append(replace(item, negated=self._negated or nor))
        self._negated = False

    @property
    def _of_subjects(self) -> bool:
        """Whether names are what similarity or a path is asked of."""
        flags = self._flags
        return (Kind.SIMILAR in flags and Kind.COMPARE not in flags) or Kind.PATH in flags

    @property
    def _speaks_on(self) -> bool:
        """Whether a question says nothing of its own but how much of the list before is wanted."""
        return bool(self._flags.keys() & {Kind.COUNT, Kind.EVERYTHING}) or self._negated

    def _implied_of(self, item: Item) -> Options:
        return tuple(
            dict.fromkeys(
                option
                for owner in reversed(self._stack)
                for option in self._implied_option(owner.types, tuple(sorted(item.types)))
            )
        )

    def _claim_implied(self, item: Item) -> bool:
        options = self._implied_option(
            tuple(sorted(self._held[-1].types)), tuple(sorted(item.types))
        )
        if not options:
            return False
        self._claim(item, options)
        return True

    def _claim(self, item: Item, options: Options) -> None:
        """What is held stands in a relationship to `item`: to be confirmed or not."""
        for subject in self._held:
            found = self._fits(tuple(sorted(subject.types)), options, item.types)
            if not found:
                word = self._verb.item.text if self._verb else item.text
                self._left.append(LeftOver(word, Gap.NO_SUCH))
                continue
            near = self._near(tuple(sorted(subject.types)), found, item.types)
            far = self._near(tuple(sorted(item.types)), found, near)
            self._claims.append(
                (
                    subject.of_types(near),
                    Condition(found, _named(item.of_types(far)), self._negated),
                )
            )
        self._last = _Bound(None, options, self._negated, tuple(self._held))
        self._held, self._verb, self._negated, self._joint = [], None, False, ""

    def _bind_held(self, options: Options) -> None:
        self._held = [one for one in self._held if not self._bind(one, options)]

    def _bind(self, item: Item, options: Options, like: _Bound | None = None) -> bool:
        """Whether a name is a condition of a set now: of the innermost that it fits."""
        negated = (
            self._negated
            or item.negated
            or (like is not None and like.negated and self._joint != "but")
        )
        owners = list(reversed(self._stack))
        if like is not None and like.owner in owners:
            owners = [like.owner, *(one for one in owners if one is not like.owner)]
        for owner in owners:
            if not owner.types:
                self._infer(owner, options, item.types)
            found = self._fits(owner.types, options, item.types)
            if not found:
                continue
            owner.types = self._near(owner.types, found, item.types)
            far = self._near(tuple(sorted(item.types)), found, owner.types)
            verb = self._verb
            forward = None
            if self._schema.directed(found[0], owner.types) and found[0] not in _SYMMETRIC:
                forward = not (verb is not None and verb.passive)
            condition = Condition(found, _named(item.of_types(far)), negated, forward)
            alternative = self._joint == "or" and not negated and owner.conditions
            if alternative and len(owner.conditions) - 1 not in owner.within:
                owner.conditions[-1].append(condition)
            else:
                owner.conditions.append([condition])
            del self._stack[self._stack.index(owner) + 1 :]
            self._last, self._bound_item = _Bound(owner, options, negated), item
            self._verb, self._negated, self._joint = None, False, ""
            return True
        return False

    # -- the schema --------------------------------------------------------------------------------

    def _fits(
        self, types: Iterable[str], options: Options, others: Iterable[str]
    ) -> tuple[str, ...]:
        """The relationship meant by the first sense that links the types, as a tuple; () for none."""
        near, far = tuple(types), tuple(others)
        for option in options:
            for name in option:
                if self._schema.links(name, near, far):
                    return (name,)
        return ()

    def _near(
        self, types: tuple[str, ...], names: Sequence[str], others: Iterable[str]
    ) -> tuple[str, ...]:
        kept = self._schema.near_types(names[0], types, tuple(others))
        return kept or types

    def _infer(self, owner: _Set, options: Options, others: Iterable[str]) -> None:
        far = tuple(others)
        for option in options:
            for name in option:
                if types := self._schema.far_types(name, far):
                    owner.types = types
                    return

    def _implied_option(self, types: Sequence[str], others: Sequence[str]) -> Options:
        return tuple(
            dict.fromkeys(
                (name,)
                for one in types
                for other in others
                if (name := _IMPLIED.get(one, {}).get(other))
            )
        )

    def _implied_options(self, types: Sequence[str], held: Sequence[Item]) -> Options:
        others = tuple(sorted({name for one in held for name in one.types}))
        return self._implied_option(types, others)

    def _again(self, item: Item, types: tuple[str, ...]) -> bool:
        """ "... to treat the disease": what was named before."""
        last = self._last
        if last is None or last.owner is None or not last.owner.conditions or self._verb is None:
            return False
        of = last.owner.conditions[-1][-1].of
        if not (isinstance(of, Named) and of.type in types and _THE & set(item.gap)):
            return False
        return self._verb_is_spent() and not self._negated

    def _by_preposition(self, item: Item) -> bool:
        return bool(self._lexicon.prepositions.intersection(item.gap[-3:]) - _HAVE)

    def _turn_round(self, types: tuple[str, ...]) -> bool:
        """ "Diseases with X: which drugs treat them?": the set so far is what the asked one is linked to."""
        inner = self._stack[0]
        found = self._fits(types, self._implied_option(types, inner.types), inner.types)
        if not found:
            return False
        root = self._root(self._near(types, found, inner.types))
        root.conditions.append([Condition(found, Selection(inner.types))])
        root.within[0] = inner
        self._loose = root, 0, inner
        return True

    # -- the end -----------------------------------------------------------------------------------

    def _finished(self, items: Sequence[Item]) -> Plan | None:
        flags = self._flags
        if self._of_subjects:
            return self._about_subjects(Want.SIMILAR if Kind.SIMILAR in flags else Want.PATH)
        if not self._stack and not self._held and not self._claims and self._before is not None:
            if flags.keys() & {Kind.COUNT, Kind.EVERYTHING} and self._verb is None:
                self._refer(items[0])
        self._use_up()
        everything = Kind.EVERYTHING in flags
        if self._claims and not self._stack:
            return self._yes_or_no()
        if not self._stack:
            if Kind.SHARE in flags and len(self._held) > 1:
                return Plan(
                    Want.SHARE, subjects=tuple(map(_named, self._held)), left_over=tuple(self._left)
                )
            return None
        if self._ranks:
            flag = flags.get(Kind.MOST) or flags[Kind.LEAST]
            self._left.append(LeftOver(flag.text, Gap.WORD))
        root = self._stack[0].frozen()
        if self._asks_whether and self._held and not self._flags:
            members = [one for one in self._held if one.types & set(root.types)]
            if members and len(members) == len(self._held) and root.conditions:
                named = tuple(_named(one.of_types(root.types)) for one in members)
                return Plan(Want.YES_NO, (root,) * len(named), named, left_over=tuple(self._left))
        if self._negated:
            self._left.append(LeftOver(_first(items, Kind.NOT), Gap.NEGATION))
        if any(not one.conditions for one in self._inner_sets(self._stack[0])):
            self._left.append(LeftOver(items[-1].text, Gap.NAME))
        left = [*self._left, *(LeftOver(one.text, Gap.NAME, _named(one)) for one in self._held)]
        if self._verb is not None and not self._verb_is_spent():
            left.append(LeftOver(self._verb.item.text, Gap.WORD))
        if not root.conditions and not (Kind.COUNT in flags or everything):
            return (
                Plan(Want.LIST, (root,), left_over=tuple(left))
                if left and self._names(items)
                else None
            )
        if root.conditions and all(one.negated for one in root.all_conditions()):
            left.append(LeftOver(items[0].text, Gap.NO_SUBJECT))
        if Kind.COMPARE in flags:
            return self._comparison(root, tuple(left))
        want = Want.COUNT if Kind.COUNT in flags else Want.LIST
        if self._rank is not None:
            want = Want.LEAST if Kind.LEAST in flags else Want.MOST
        return Plan(want, (root,), (), self._rank, everything, tuple(left))

    def _used(self) -> set[str]:
        """Relationships that conditions have so far."""
        sets = [*self._stack[:1], *(self._inner_sets(self._stack[0]) if self._stack else ())]
        found = {
            name
            for one in sets
            for each in one.conditions
            for c in each
            for name in c.relationships
        }
        return found | {name for _, c in self._claims for name in c.relationships}

    def _inner_sets(self, one: _Set) -> list[_Set]:
        return [each for inner in one.within.values() for each in (inner, *self._inner_sets(inner))]

    def _verb_is_spent(self) -> bool:
        """Whether the verb that waits was said of a name that stood before it."""
        if self._verb is None:
            return True
        names = {name for one in self._verb.options for name in one}
        used = self._used()
        return bool(names & used) or (self._verb.noun and bool(used))

    @staticmethod
    def _names(items: Sequence[Item]) -> bool:
        return any(item.entities for item in items)

    def _use_up(self) -> None:
        """Names that wait for a verb are bound by the one that waits for a name, else as implied."""
        if self._held and self._verb is not None:
            if not self._stack and not self._asks_whether:
                self._infer(self._root(()), self._verb.options, self._held[0].types)
            self._joint = ""
            if self._stack:
                self._bind_held(self._verb.options)
        if self._held and self._stack:
            waiting, self._held = self._held, []
            for item in waiting:
                if item in self._unclear or not self._bind(item, self._implied_of(item)):
                    self._held.append(item)

    def _about_subjects(self, want: Want) -> Plan | None:
        subjects = [*self._held, *self._subjects]
        for owner in self._stack:
            for alternatives in owner.conditions:
                for one in alternatives:
                    if isinstance(one.of, Named):
                        subjects.append(
                            Item(
                                one.of.text,
                                0,
                                0,
                                (),
                                (Entity(one.of.ids[0], one.of.type, one.of.name),),
                            )
                        )
        named = tuple(map(_named, subjects))
        sets = (Selection(self._stack[0].types),) if self._stack and want is Want.SIMILAR else ()
        least = 1 if want is Want.SIMILAR else 2
        if want is Want.PATH and len(subjects) == 2 and self._asks_whether:
            self._held, self._left = [subjects[0]], self._left
            if self._claim_implied(subjects[1]):
                return self._yes_or_no()
        if len(named) < least:
            return Plan(want, sets, named, left_over=tuple(self._left)) if self._left else None
        return Plan(want, sets, named, left_over=tuple(self._left))

    def _yes_or_no(self) -> Plan:
        left = [*self._left, *(LeftOver(one.text, Gap.NAME, _named(one)) for one in self._held)]
        sets = tuple(
            Selection(tuple(sorted(subject.types)), ((one,),)) for subject, one in self._claims
        )
        subjects = tuple(_named(subject) for subject, _ in self._claims)
        return Plan(Want.YES_NO, sets, subjects, left_over=tuple(left))

    def _comparison(self, root: Selection, left: tuple[LeftOver, ...]) -> Plan | None:
        conditions = list(root.all_conditions())
        if len(conditions) < 2:
            return Plan(
                Want.LIST,
                (root,),
                left_over=(*left, LeftOver(self._flags[Kind.COMPARE].text, Gap.WORD)),
            )
        sets = tuple(Selection(root.types, ((one,),)) for one in conditions)
        subjects = tuple(one.of for one in conditions if isinstance(one.of, Named))
        return Plan(Want.COMPARE, sets, subjects, left_over=left)


def _first(items: Sequence[Item], kind: Kind) -> str:
    return next((item.text for item in items if item.has(kind)), "")


def _named(item: Item) -> Named:
    first = item.entities[0]
    return Named(item.text, tuple(one.id for one in item.entities), first.name, first.type)
