"""A question as a row of names, words of the lexicon, and words that are neither."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from core.domain.graph import Entity, Mention
from core.domain.plans import Named
from core.questions.lexicon import Lexicon, Sense, Word, WordKind, words_of
from core.text.spelling.variants import SPELLINGS


@dataclass(frozen=True, slots=True)
class Item:
    """A part of a question.

    Attributes:
        senses: of a phrase of the lexicon; a name's is its kind; none where nothing is known.
        entities: of a name, all that are called so.
        gap: the words between the item before and this one.
        comma: whether a comma is among them.
        possessive: followed by "'s".
        negated: a name that waits for its verb, behind a "not".
        alternative: such a name behind an "or".
        colon: whether a colon is among the words before.
        foreign: a name in another language than the graph's.
    """

    text: str
    start: int
    end: int
    senses: tuple[Sense, ...] = ()
    entities: tuple[Entity, ...] = ()
    gap: tuple[str, ...] = ()
    comma: bool = False
    possessive: bool = False
    negated: bool = False
    alternative: bool = False
    colon: bool = False
    foreign: bool = False

    def has(self, kind: WordKind) -> bool:
        return any(sense.kind is kind for sense in self.senses)

    def senses_as(self, kind: WordKind) -> list[Sense]:
        """Its senses of one kind, in their order."""
        return [sense for sense in self.senses if sense.kind is kind]

    def types_as(self, kind: WordKind) -> frozenset[str]:
        """The entity types that its senses of one kind say."""
        return frozenset(name for sense in self.senses_as(kind) for name in sense.types)

    @property
    def adjoins(self) -> bool:
        """Whether nothing stands between the item before and this one."""
        return not self.gap and not self.comma

    @property
    def named(self) -> Named:
        """A name as plans have it."""
        first = self.entities[0]
        return Named(self.text, tuple(one.id for one in self.entities), first.name, first.type)

    @property
    def name(self) -> str:
        """A name as it is written, or as the graph has it where that is in another language."""
        return self.entities[0].name if self.foreign else self.text

    @property
    def types(self) -> frozenset[str]:
        """Of the entities that are called so."""
        return frozenset(entity.type for entity in self.entities)

    def of_types(self, types: Iterable[str]) -> Item:
        """The name with those of its entities that are of these types; as it is where none is."""
        kept = tuple(one for one in self.entities if one.type in types)
        return replace(self, entities=kept or self.entities)


_LISTING = re.compile(r"[,;/+]")
_NAME = (Sense(WordKind.NAME),)


def items_of(
    question: str,
    lexicon: Lexicon,
    mentions: Sequence[Mention],
    called: Callable[[Mention], Sequence[Entity]],
) -> list[Item]:
    """The items of a question in order; words that say nothing are the gaps between them.

    Args:
        called: all entities of the name of a mention.
    """
    words = [_read(word, lexicon) for word in words_of(question)]
    found: list[Item] = []
    gap: list[str] = []
    last_end = 0
    place = 0
    apart: set[int] = set()
    while place < len(words):
        if place in apart:
            place += 1
            continue
        word = words[place]
        length, senses = lexicon.longest(words, place)
        parted, second = lexicon.parted(words, place)
        if parted:
            length, senses = 1, parted
            apart.update(second)
        mention = next((one for one in mentions if one.start <= word.start < one.end), None)
        if mention is not None and length and words[place + length - 1].end >= mention.end:
            # "Symptoms" may be an entity too; a question means the word.
            mention = None
        if mention is not None:
            entities = tuple(called(mention))
            foreign = bool(mention.called)
            item = Item(mention.text, mention.start, mention.end, _NAME, entities, foreign=foreign)
            place += sum(1 for one in words[place:] if one.start < mention.end)
        elif length:
            last = words[place + length - 1]
            item = Item(question[word.start : last.end], word.start, last.end, senses)
            place += length
            if item.has(WordKind.NOTHING):
                gap += [one.text.casefold() for one in words[place - length : place]]
                continue
        else:
            place += 1
            if lexicon.is_empty(word):
                gap.append(word.text.casefold())
                continue
            item = Item(word.text, word.start, word.end)
        between = question[last_end : item.start]
        possessive = lexicon.grammar.is_possessive(question, item.end)
        found.append(
            replace(
                item,
                gap=tuple(gap),
                comma=bool(_LISTING.search(between)),
                colon=":" in between or "->" in between,
                possessive=possessive,
            )
        )
        gap, last_end = [], item.end
    return found


def _read(word: Word, lexicon: Lexicon) -> Word:
    """A word as it is, or as the word of the lexicon that it is misspelt for ("wich")."""
    if word.text != word.plain or lexicon.is_empty(word):
        return word
    meant = lexicon.misspelt(word)
    return replace(word, text=meant) if meant else word


def spelt_otherwise(name: str) -> list[str]:
    """A name as graphs may write it: words turned round at a comma, British and American, hyphens."""
    words = name.split()
    forms = {name, *(f"{' '.join(words[n:])}, {' '.join(words[:n])}" for n in range(1, len(words)))}
    for one, other in SPELLINGS:
        forms |= {form.replace(one, other) for form in forms} | {
            form.replace(other, one) for form in forms if other != "e"
        }
    return sorted(forms - {name})
