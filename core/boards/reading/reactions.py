"""The adverse reactions that the side effects of a leaflet name, each with its frequency and its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.boards.reading.blocks import Part
from core.boards.reading.frequencies import in_brackets, opener, predicate
from core.boards.reading.tables import (
    CONDITIONS,
    DENYING,
    JOINING,
    LIKEWISE,
    OTHERS,
    TAILS,
    TURNING,
    VERBS,
)
from core.checking.contradictions import is_denying
from core.domain.boards import Frequency
from core.domain.documents import Chunk
from core.domain.graph import Mention
from core.text.sentences import sentence_spans

_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[;:.]")
_BRACKETS = re.compile(r"[(\[][^()\[\]]*(?:\([^()]*\)[^()\[\]]*)*[)\]]")
_LONGEST_ITEM = 9  # words outside brackets; a longer one is a sentence
_EDGES = " \t\n.,;:–—-•*†‡§#"
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Reaction:
    """One reaction at one place of a document.

    Attributes:
        entity_id: of the graph; "" where it does not know the words.
        words: the leaflet's own.
        span: what is cited: the item, or the sentence or labelled list that it stands in.
        denied: the sentence says that it does not occur.
    """

    entity_id: str
    words: str
    chunk: Chunk
    span: Span
    frequency: Frequency | None
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Names:
    """What a text names.

    Attributes:
        find: entities with their places.
        reactions: whether an entity can be an adverse reaction, by its id.
        is_other_medicine: whether a text names a medicine beside the leaflet's own.
    """

    find: Callable[[str], Sequence[Mention]]
    reactions: Callable[[str], bool]
    is_other_medicine: Callable[[str], bool]

    def speaks_of_others(self, text: str) -> bool:
        """Whether a label or a sentence is of another medicine or of a class."""
        if OTHERS.search(text) and not LIKEWISE.search(text):
            return True
        return self.is_other_medicine(text)


def reactions(parts: Iterator[Part], names: Names) -> Iterator[Reaction]:
    """All reactions of a leaflet's side effects, in order; a place may name several."""
    for part in parts:
        mentions = [one for one in names.find(part.text) if names.reactions(one.entity_id)]
        for start, end in sentence_spans(part.text):
            sentence = part.text[start:end]
            inside = [one for one in mentions if start <= one.start < end]
            items = list(_items(sentence)) if part.listed else []
            if items and _is_listing(items, sentence, part):
                if not part.others:
                    for item in items:
                        yield from _of_item(part, item, start, inside)
            elif inside:
                yield from _of_sentence(part, sentence, start, inside, names)


@dataclass(frozen=True, slots=True)
class _Item:
    """``sentence[start:end]``, brackets included, and the frequency that it has by itself."""

    start: int
    end: int
    text: str
    frequency: Frequency | None
    cut: bool = False  # something was told of it behind it

    @property
    def bare(self) -> str:
        """Its words without brackets."""
        return " ".join(_BRACKETS.sub(" ", self.text).split()).strip(_EDGES)


def _items(sentence: str) -> Iterator[_Item]:
    """The parts of an enumeration between commas and semicolons that stand outside of brackets."""
    tail = TAILS.search(sentence)
    close = tail.start() if tail else len(sentence)
    told = predicate(sentence)
    for start, end in _split(sentence, 0, close, ";"):
        opened = opener(sentence[start:end])
        begin = start + (opened.end if opened else 0)
        of_part = opened.frequency if opened else told
        for first, last in _split(sentence, begin, end, ","):
            late = opener(sentence[first:last])
            if late and late.end < last - first:
                first, of_part = first + late.end, late.frequency
            joined = JOINING.match(sentence, first, last)
            first = joined.end() if joined else first
            words = sentence[first:last]
            rates = [in_brackets(one[0][1:-1]) for one in _BRACKETS.finditer(words)]
            own = next((rate for rate in rates if rate), None)
            yield _Item(first, last, words, own or of_part, cut=tail is not None)


def _split(text: str, start: int, end: int, mark: str) -> Iterator[Span]:
    """Stretches between the marks outside of brackets, without white space around them."""
    depth, begin = 0, start
    for place in range(start, end + 1):
        sign = text[place] if place < end else mark
        depth += (sign in "([") - (sign in ")]")
        if place == end or (sign == mark and depth <= 0 and not _in_number(text, place)):
            words = text[begin:place]
            first = begin + len(words) - len(words.lstrip())
            if words.strip():
                yield first, first + len(words.strip())
            begin = place + 1


def _in_number(text: str, place: int) -> bool:
    return text[place - 1 : place].isdigit() and text[place + 1 : place + 2].isdigit()


def _is_listing(items: Sequence[_Item], sentence: str, part: Part) -> bool:
    """Whether a sentence is an enumeration: no part of it has a verb, none is long."""
    if any(
        len(one.bare.split()) > _LONGEST_ITEM
        or any(word.casefold() in VERBS for word in one.bare.split())
        for one in items
    ):
        return False
    whole = sentence.strip() == part.text.strip()
    return len(items) > 1 or whole or items[0].cut


def _of_item(
    part: Part, item: _Item, offset: int, mentions: Sequence[Mention]
) -> Iterator[Reaction]:
    """The entities that an item names, or its words where it names none."""
    span = _cited(part, offset + item.start, offset + item.end)
    frequency = item.frequency or part.frequency
    found = [
        one
        for one in mentions
        if offset + item.start <= one.start < offset + item.end
        and not _in_condition(item.text, one.start - offset - item.start)
    ]
    for one in found:
        is_denied = denied(item.text[: one.start - offset - item.start])
        yield Reaction(
            one.entity_id, item.text.strip(_EDGES), part.chunk, span, frequency, is_denied
        )
    if found or not any(map(str.isalpha, item.bare)) or len(item.bare) < 3:
        return
    if CONDITIONS.search(item.text) or denied(item.text):
        return
    yield Reaction("", item.bare, part.chunk, span, frequency)


def _of_sentence(
    part: Part, sentence: str, offset: int, mentions: Sequence[Mention], names: Names
) -> Iterator[Reaction]:
    """The entities that a sentence names of the medicine itself."""
    if part.others or names.speaks_of_others(sentence):
        return
    told = predicate(sentence)
    for one in mentions:
        at, end = one.start - offset, one.end - offset
        if _in_condition(sentence, at):
            continue
        bracket = _BRACKETS.match(
            sentence, end + len(sentence[end:]) - len(sentence[end:].lstrip())
        )
        rate = in_brackets(bracket[0][1:-1]) if bracket else None
        span = part.start + offset, part.start + offset + len(sentence)
        yield Reaction(
            one.entity_id, one.text, part.chunk, span, rate or told, denied(sentence[:at])
        )


def _cited(part: Part, start: int, end: int) -> Span:
    """Of a labelled list all of it, with the label that says how often; else the item."""
    first, last = part.whole
    if part.start - first > 3:  # more than a bullet stands before it
        return first, last
    return part.start + start, part.start + end


def _in_condition(text: str, place: int) -> bool:
    return any(one.start() <= place < one.end() for one in CONDITIONS.finditer(text))


def denied(before: str) -> bool:
    """Whether what stands before a name in its clause denies it."""
    words: list[str] = []
    for one in _TOKEN.findall(before.casefold()):
        if one in ";:." or one in TURNING:
            words.clear()
        else:
            words.append(one)
    return any(is_denying(word) or word in DENYING for word in words)
