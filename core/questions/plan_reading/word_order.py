"""Items of a question put where English has them, as far as the grammar of its language says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.questions.items import Item
from core.questions.lexicon import Sense, WordKind
from core.questions.lexicon.grammar import Grammar

_JOINING = (WordKind.AND, WordKind.OR, WordKind.BUT, WordKind.NOR, WordKind.NEITHER)


@dataclass(frozen=True, slots=True)
class WordOrder:
    """Tells where clauses end, and moves words within them."""

    grammar: Grammar

    def asks_whether(self, items: Sequence[Item]) -> bool:
        """Whether a question begins with its verb: "Behandelt X Gicht?"."""
        return self.grammar.verb_first and len(items) > 1 and self._begins(items[0])

    def asks_subject(self, items: Sequence[Item]) -> bool:
        """Whether what is asked for is done by the first set: "Worauf wirken Mittel gegen X?"."""
        return self._verb_of_ends(items) is not None

    def applied(self, items: Sequence[Item]) -> list[Item]:
        """The items in their order."""
        found = list(items)
        if self.asks_whether(found) and found[1].entities:
            found[:2] = [found[1], replace(found[0], gap=(), comma=False)]
        elif (place := self._verb_of_ends(found)) is not None:
            verb = found.pop(place)
            if not place:
                found[0] = replace(found[0], gap=(*verb.gap, *found[0].gap))
            found.append(replace(verb, gap=(), comma=False))
        found = self._paired(found)
        return self._with_not_first(found) if self.grammar.not_last else found

    def closes(self, after: Item | None) -> bool:
        """Whether a clause ends before an item."""
        if not self.grammar.verb_last:
            return False
        return after is None or after.comma or _is_verb(after) or any(map(after.has, _JOINING))

    def denies(self, after: Item | None) -> bool:
        """Whether the item behind a verb denies what comes: "verursachen kein ..."."""
        return self.grammar.not_last and after is not None and after.has(WordKind.NOT)

    def verb_follows(self, items: Sequence[Item], before: Item | None) -> bool:
        """Whether the verb of the first item, a name, stands behind it.

        Args:
            items: from the name on.
            before: the item before; None for the first.
        """
        if not self.grammar.verb_last or self._is_attribute(items[0], before):
            return False
        joined = False
        for place, item in enumerate(items[1:], 1):
            if _is_verb(item):
                after = items[place + 1] if place + 1 < len(items) else None
                return not joined and not item.comma and self.closes(after)
            if any(map(item.has, _JOINING)):
                joined = True
            elif item.entities or item.has(WordKind.BOTH):
                joined = False
            elif not item.has(WordKind.NOT):
                return False
        return False

    def _is_attribute(self, name: Item, before: Item | None) -> bool:
        """Whether a name belongs to the noun right before it: "Mittel gegen X"."""
        if before is None or name.comma or not name.gap:
            return False
        grammar = self.grammar
        noun = before.has(WordKind.TYPE) or before.has(WordKind.NOUN)
        prepositional = not grammar.prepositions.isdisjoint(name.gap)
        attribute = (grammar.prepositions | grammar.articles).issuperset(name.gap)
        return noun and prepositional and attribute

    def _begins(self, verb: Item) -> bool:
        asking = self.grammar.asking | self.grammar.elsewhere
        return _is_verb(verb) and asking.isdisjoint((*verb.gap, *verb.text.casefold().split()))

    def _verb_of_ends(self, items: Sequence[Item]) -> int | None:
        """The place of a verb that asks what the set beside it is linked to; None without any."""
        if len(items) < 2 or self.grammar.ends.isdisjoint(items[0].gap):
            return None
        place = 0 if _is_verb(items[0]) else 1
        closes = self.closes(items[2] if len(items) > 2 else None)
        if not _is_verb(items[place]) or (place and not closes):
            return None
        subject = items[1 - place]
        return place if subject.has(WordKind.TYPE) or subject.has(WordKind.NOUN) else None

    def _paired(self, items: Sequence[Item]) -> list[Item]:
        """ "Zowel X als Y": what stands for "and" as one."""
        found: list[Item] = []
        both = False
        for item in items:
            if both and item.entities and not self.grammar.pairing.isdisjoint(item.gap):
                word = next(one for one in item.gap if one in self.grammar.pairing)
                found.append(Item(word, item.start, item.start, (Sense(WordKind.AND),)))
                item = replace(item, gap=tuple(one for one in item.gap if one != word))
                both = False
            both = both or item.has(WordKind.BOTH)
            found.append(item)
        return found

    def _with_not_first(self, items: Sequence[Item]) -> list[Item]:
        """ "Not" before the verb, else the names, that it stands behind."""
        found: list[Item] = []
        start = 0  # of the clause
        for place, item in enumerate(items):
            after = items[place + 1] if place + 1 < len(items) else None
            alone = item.has(WordKind.BUT) and after is not None and after.has(WordKind.NOT)
            if item.comma or (
                not alone and any(map(item.has, _JOINING)) and after and not after.entities
            ):
                start = len(found)
            if (
                item.has(WordKind.NOT)
                and found
                and found[-1].has(WordKind.BUT)
                and self._ends(after)
            ):
                found.pop()  # "bei X hingegen nicht"
            behind = bool(found) and len(found) > start and found[-1].entities
            names = after is not None and not self.grammar.naming.isdisjoint(after.gap)
            if item.has(WordKind.NOT) and behind and (names or self._ends(after)):
                verbs = [n for n in range(start, len(found)) if self._is_open(found, n)]
                to = verbs[-1] if verbs and not names else len(found) - 1
                found.insert(to, replace(item, comma=found[to].comma))
            else:
                found.append(item)
        return found

    def _is_open(self, items: Sequence[Item], place: int) -> bool:
        """Whether there is a verb at a place that does not close its clause."""
        after = items[place + 1] if place + 1 < len(items) else None
        return _is_verb(items[place]) and not self.closes(after)

    def _ends(self, after: Item | None) -> bool:
        return after is None or (not _is_verb(after) and self.closes(after))


def _is_verb(item: Item) -> bool:
    return item.has(WordKind.VERB) and not (item.has(WordKind.NOUN) or item.has(WordKind.TYPE))
