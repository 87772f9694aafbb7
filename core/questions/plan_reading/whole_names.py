"""Names made whole before a question is read: unknown words joined to them, types that only say so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.domain.graph import Entity
from core.domain.plans import Gap, LeftOver
from core.questions.items import Item, spelt_otherwise
from core.questions.lexicon import Sense, WordKind
from core.questions.lexicon.grammar import Grammar

Lookup = Callable[[str], Sequence[Entity]]  # the entities with exactly a name
_SYMBOL_LENGTH = 2  # the linker finds longer ones by itself


def whole_names(
    items: Sequence[Item], lookup: Lookup, grammar: Grammar
) -> tuple[list[Item], list[LeftOver]]:
    """Words that nobody knows joined to the name beside them, where the graph has the longer one;
    left over with it where not."""
    found: list[Item] = []
    left: list[LeftOver] = []
    place = 0
    while place < len(items):
        end = _end_of_unknown(items, place)
        if end == place:
            found.append(items[place])
            place += 1
            continue
        unknown = items[place:end]
        if len(unknown) == 1 and (symbol := _symbol(unknown[0], lookup)):
            found.append(symbol)
            place = end
            continue
        behind, ahead = _behind(found, unknown[0]), _ahead(items, end)
        beside = [one for one in (behind, *unknown, ahead) if one is not None]
        whole = _longer(beside, lookup)
        if whole is None:
            if _is_verb(items[place - 1] if place else None, unknown[0], grammar):
                ahead = None
            if end < len(items) and not grammar.articles.isdisjoint(items[end].gap[:1]):
                behind = None  # "Does X weaken the effect": no name goes on before an article
            left.append(_unknown(unknown, behind, ahead))
        else:
            if behind is not None:
                found.pop()
            found.append(whole)
            end += 0 if ahead is None else 1
        place = end
    return found, left


def unknown_name(items: Sequence[Item], grammar: Grammar) -> str:
    """The words that nobody knows and that stand where a name does, as "blorbitis" of "Which drugs treat
    blorbitis?"; "" where there are none, or several, or such as may qualify a noun ("topical drugs") or be a
    verb ("Which drugs worsen ...")."""
    found: list[str] = []
    place = 0
    while place < len(items):
        end = _end_of_unknown(items, place)
        if end == place:
            place += 1
            continue
        before = items[place - 1] if place else None
        behind = items[end] if end < len(items) else None
        qualifies = behind is not None and behind.adjoins and behind.has(WordKind.TYPE)
        if before is None or qualifies or _is_verb(before, items[place], grammar):
            return ""
        found.append(" ".join(one.text for one in items[place:end]))
        place = end
    return found[0] if len(found) == 1 and any(map(str.isalpha, found[0])) else ""


def named_again(
    items: Sequence[Item], grammar: Grammar, is_base: Callable[[str], bool]
) -> list[Item]:
    """ "... without treating the disease itself": one of the only name's type, behind a verb and where nothing
    else of that type was spoken of, is that name.

    Args:
        is_base: whether a noun stands for one, and not for several.
    """
    names = [item for item in items if item.entities]
    if len(names) != 1:
        return list(items)
    name, found, said = names[0], list[Item](), False
    for place, item in enumerate(items):
        types = item.types_as(WordKind.TYPE) & name.types
        again = types and name in found and not said and not item.has(WordKind.NOUN)
        again = again and bool(found) and found[-1].has(WordKind.VERB)
        definite = bool(item.gap) and item.gap[-1] in grammar.definite
        alone = place + 1 == len(items) or not items[place + 1].adjoins
        if again and definite and alone and is_base(item.text):
            found.append(replace(name, start=item.start, end=item.end, gap=item.gap))
        else:
            found.append(item)
        said = said or bool(types)
    return found


def apposed(items: Sequence[Item], grammar: Grammar, is_base: Callable[[str], bool]) -> list[Item]:
    """ "The protein ADRB1", "Wnt pathway": a type beside a name of that type only says so; but "what are the
    proteins ADRB1 binds to?" asks for some.

    Args:
        is_base: whether a noun stands for one, and not for several.
    """
    rest = list(items)
    found: list[Item] = []
    place = 0
    while place < len(rest) - 1:
        behind = rest[place + 2] if place + 2 < len(rest) else None
        owned = behind is None and not grammar.possessives.isdisjoint(rest[place].gap)
        of = owned or (behind is not None and _is_said_of(behind, grammar))
        of = of or (behind is not None and is_base(rest[place].text) and _is_said_by(behind))
        several = not grammar.asking.isdisjoint(rest[place].gap) and not is_base(rest[place].text)
        if several and rest[place].has(WordKind.TYPE) and rest[place + 1].entities:
            found.append(rest[place])
            place += 1
            continue
        first, second = _apposition(rest[place], rest[place + 1], of, grammar)
        if first is not None:
            found.append(first)
        place += 1
        if second is None:
            place += 1
        else:
            rest[place] = second
    return [*found, *rest[place:]]


def _is_said_of(item: Item, grammar: Grammar) -> bool:
    """Whether a noun stands before an item: "targets of X", "targets that X and Y share"."""
    first = item.gap[:1]
    relative = bool(item.entities) and not grammar.relative.isdisjoint(first)
    return relative or not grammar.of.isdisjoint(first)


def _is_said_by(item: Item) -> bool:
    """Whether an item is a verb right behind a noun: "drug targets hit by X"."""
    return item.adjoins and item.has(WordKind.VERB) and not item.has(WordKind.NOUN)


def _end_of_unknown(items: Sequence[Item], first: int) -> int:
    """Behind the words from the first on that nobody knows and that belong together."""
    end = first
    while end < len(items) and not items[end].senses and (end == first or not items[end].gap):
        end += 1
    return end


def _behind(found: Sequence[Item], unknown: Item) -> Item | None:
    """The name that an unknown word follows."""
    if not found or not found[-1].entities or not unknown.adjoins or found[-1].possessive:
        return None
    return found[-1]


def _ahead(items: Sequence[Item], end: int) -> Item | None:
    """The name that follows unknown words."""
    if end == len(items) or not items[end].entities or not items[end].adjoins:
        return None
    return items[end]


def _is_verb(before: Item | None, unknown: Item, grammar: Grammar) -> bool:
    """Whether an unknown word stands where a verb does: "Which drugs worsen gout?"."""
    if before is None or not before.has(WordKind.TYPE):
        return False
    return not (grammar.prepositions | grammar.articles).intersection(unknown.gap)


def _unknown(unknown: Sequence[Item], behind: Item | None, ahead: Item | None) -> LeftOver:
    """Unknown words as they are left over, with the wider entity that they stand beside."""
    words = " ".join(one.text for one in unknown)
    if ahead is not None:
        return LeftOver(f"{words} {ahead.text}", Gap.NARROWER, ahead.named)
    if behind is not None:
        return LeftOver(f"{behind.text} {words}", Gap.NARROWER, behind.named)
    return LeftOver(words, Gap.WORD)


def _symbol(item: Item, lookup: Lookup) -> Item | None:
    """A name of two letters, which the linker does not look for in every text: "AR", "C7"."""
    text = item.text
    if len(text) != _SYMBOL_LENGTH or text != text.upper() or not text[0].isalpha():
        return None
    entities = tuple(one for one in lookup(text) if text in (one.name, *one.synonyms))
    return replace(item, senses=(Sense(WordKind.NAME),), entities=entities) if entities else None


def _longer(parts: Sequence[Item], lookup: Lookup) -> Item | None:
    """The parts as one name, if the graph has it."""
    if len(parts) < 2:
        return None
    first, last = parts[0], parts[-1]
    text = " ".join(part.text for part in parts)
    for form in (text, *spelt_otherwise(text)):
        if entities := tuple(lookup(form)):
            senses = first.senses or last.senses
            return Item(text, first.start, last.end, senses, entities, first.gap)
    return None


def _apposition(
    item: Item, after: Item, said_of: bool, grammar: Grammar
) -> tuple[Item | None, Item | None]:
    """What stays of two items beside each other: None for the one that only says what the other is."""
    types = item.types_as(WordKind.TYPE)
    nouns = after.types_as(WordKind.NOUN) if after.adjoins else frozenset()
    if nouns & types or (nouns and types and said_of):  # "protein targets", "drug targets of"
        return None, replace(after, gap=item.gap or (grammar.article,), comma=item.comma)
    if item.has(WordKind.ORDINAL) and after.has(WordKind.TYPE) and not after.gap:
        return item, None
    if not after.adjoins:
        return item, after
    if after.types & types:
        return None, replace(after.of_types(types), gap=item.gap, comma=item.comma)
    of = after.types_as(WordKind.TYPE)
    if of & item.types and not after.has(WordKind.NOUN) and not item.possessive:
        return item.of_types(of), None
    return item, after
