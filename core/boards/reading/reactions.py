"""The adverse reactions that the side effects of a leaflet name, each with its frequency and its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.boards.reading.blocks import LONGEST_ITEM, SectionPart
from core.boards.reading.tables import (
    ALTERNATIVE,
    BRACKETS,
    DENYING,
    HEADS,
    JOINING,
    LIKEWISE,
    LISTS,
    MEASURES,
    NO_ITEM,
    NOTES,
    OTHER_RATES,
    OTHERS,
    POINTING,
    QUALIFIERS,
    REFERENCES,
    STOPPED,
    TAILS,
    TITLES,
    TURNING,
    VERBS,
    in_condition,
)
from core.checking.contradictions import is_denying
from core.domain.boards.records import Frequency
from core.domain.documents import Chunk
from core.domain.graph import Mention
from core.evidence.reading.frequencies import in_brackets, opener, predicate
from core.text.sentences import sentence_spans

_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[;:.]")
# "Cardiac disorders: ...", "Renal: ..."; a colon inside brackets or a number is none.
_LABEL = re.compile(r"(?:[^\W\d_][^\s:;.()\[\]]*[\s/]+){0,7}[^\s:;.()\[\]]+\s?:\s*(?=\S)")
_AND_BEHIND = re.compile(  # "weakness (5%) and fatigue (2%)"
    rf"(?<=[)\]])\s+(?={JOINING.pattern})", re.IGNORECASE
)
_EDGES = " \t\n.,;:–—-•*†‡§#"
_INNER_LABEL = re.compile(r"[^\W\d_]\s?:\s")
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


def reactions(parts: Iterator[SectionPart], names: Names) -> Iterator[Reaction]:
    """All reactions of a leaflet's side effects, in order; a place may name several."""
    for part in parts:
        mentions = [one for one in names.find(part.text) if names.reactions(one.entity_id)]
        others, stopped = part.others, False
        for start, end in sentence_spans(part.text):
            sentence = part.text[start:end]
            if NOTES.match(sentence):
                continue
            listing = _listing(part, sentence)
            begin = listing.start if listing else 0
            labelled = listing is not None and _LABEL.match(sentence) is not None
            of_others = listing is not None and names.speaks_of_others(sentence[:begin])
            others = others or (of_others and labelled)  # and what follows under the same label
            inside = [one for one in mentions if start + begin <= one.start < end]
            goes_on = stopped and listing is not None and not labelled
            told = sentence[:begin] if listing else sentence
            stopped = goes_on or STOPPED.search(told) is not None
            if others or of_others or stopped:
                continue
            if listing:
                listing = _without_cut(listing, part, start, end)
                for item in _told_whole(listing.items, inside, start):
                    yield from _of_item(part, item, start, inside)
            elif inside and not names.speaks_of_others(sentence):
                yield from _of_sentence(part, sentence, start, inside)


@dataclass(frozen=True, slots=True)
class _Item:
    """``sentence[start:end]``, brackets included, and the frequency that it has by itself."""

    start: int
    end: int
    text: str
    frequency: Frequency | None
    cut: bool = False  # something was told of it behind it
    is_sentence: bool = False  # it has words of its own, of which only names count

    @property
    def bare(self) -> str:
        """Its words without brackets, what it is a measure of, and once where they are their own title."""
        words = " ".join(BRACKETS.sub(" ", self.text).split()).strip(_EDGES)
        return without_title(words[found.end() :] if (found := MEASURES.match(words)) else words)

    @property
    def is_name(self) -> bool:
        """Whether its words can be a reaction's by themselves: no title, nothing with a label or a reference to
        another place inside."""
        words = self.bare
        if self.is_sentence or len(words) < 3 or not any(map(str.isalpha, words)):
            return False
        return not (_INNER_LABEL.search(words) or REFERENCES.search(words) or TITLES.match(words))


@dataclass(frozen=True, slots=True)
class _Listing:
    """An enumeration that begins at ``sentence[start]``, behind what leads it in."""

    start: int
    items: tuple[_Item, ...]


def _listing(part: SectionPart, sentence: str) -> _Listing | None:
    """The enumeration that a sentence is, or leads in with a label ("Renal: ...") or with words that say
    what follows ("The most common side effects were ..."); None where it is none."""
    for led in (_LABEL.match(sentence), HEADS.match(sentence), LISTS.match(sentence)):
        if led is None:
            continue
        head = in_brackets_of(led[0])
        items = tuple(_items(sentence, led.end(), head))
        if items and _are_items(items) and (len(items) > 1 or led.re is _LABEL):
            return _Listing(led.end(), items)
    items = tuple(_items(sentence, 0, None))
    if items and part.frequency and not _are_items(items):
        # Behind a label that says how often, one part that runs on does not undo the others.
        items = tuple(one if _is_item(one) else replace(one, is_sentence=True) for one in items)
        kept = sum(not one.is_sentence for one in items)
        return _Listing(0, items) if 2 * kept > len(items) else None
    if not items or not _are_items(items):
        return None
    whole = sentence.strip() == part.text.strip()
    if part.listed and (len(items) > 1 or whole or items[0].cut):
        return _Listing(0, items)
    return _Listing(0, items) if len(items) > 1 and items[0].cut else None


def _without_cut(listing: _Listing, part: SectionPart, start: int, end: int) -> _Listing:
    """The enumeration of ``part.text[start:end]``; of an item that the page's end cuts only names count."""
    items = list(listing.items)
    begins, ends = part.cut
    if begins and not part.text[: start + listing.start].strip():
        items[0] = replace(items[0], is_sentence=True)
    if ends and not part.text[end:].strip():
        items[-1] = replace(items[-1], is_sentence=True)
    return replace(listing, items=tuple(items))


def without_title(words: str) -> str:
    """What a text says after a title in the same line that it begins with again: "Hypersensitivity
    Hypersensitivity" is named once."""
    split = words.split()
    told = [one.casefold() for one in split]
    half = next((n for n in range(len(told) // 2, 0, -1) if told[:n] == told[n : 2 * n]), 0)
    return " ".join(split[half:]) if half else words


def in_brackets_of(lead: str) -> Frequency | None:
    """The rate that a lead-in has in brackets: "The most common adverse reactions (>= 5%) were"."""
    rates = (in_brackets(one[0][1:-1]) for one in BRACKETS.finditer(lead))
    return next((rate for rate in rates if rate), None)


def _items(sentence: str, begin: int, of_lead: Frequency | None) -> Iterator[_Item]:
    """The parts of an enumeration between commas and semicolons that stand outside of brackets."""
    tail = TAILS.search(sentence, begin)
    has_rates = not OTHER_RATES.search(sentence)
    close = tail.start() if tail else len(sentence)
    told = predicate(sentence[begin:]) or of_lead
    for start, end in _split(sentence, begin, close, ";"):
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
            if QUALIFIERS.match(words):
                continue
            rates = [in_brackets(one[0][1:-1]) for one in BRACKETS.finditer(words)]
            own = next((rate for rate in rates if rate), None) or of_part
            yield _Item(first, last, words, own if has_rates else None, cut=tail is not None)


def _split(text: str, start: int, end: int, mark: str) -> Iterator[Span]:
    """Stretches between the marks outside of brackets, without white space around them."""
    depth, begin = 0, start
    for place in range(start, end + 1):
        sign = text[place] if place < end else mark
        depth += (sign in "([") - (sign in ")]")
        ends = place == end or (sign == mark and depth <= 0 and not _in_number(text, place))
        if ends or (mark == "," and depth <= 0 and _AND_BEHIND.match(text, place, end)):
            words = text[begin:place]
            first = begin + len(words) - len(words.lstrip())
            if words.strip():
                yield first, first + len(words.strip())
            begin = place + 1


def _in_number(text: str, place: int) -> bool:
    return text[place - 1 : place].isdigit() and text[place + 1 : place + 2].isdigit()


def _are_items(items: Sequence[_Item]) -> bool:
    """Whether every part of an enumeration is an item."""
    return any(one.bare for one in items) and all(map(_is_item, items))


def _is_item(one: _Item) -> bool:
    """Whether a part of an enumeration is no sentence: it has no verb, is short, and does not begin as one."""
    words = [word.casefold() for word in one.bare.split()]
    if len(words) > LONGEST_ITEM or any(word in VERBS for word in words):
        return False
    if POINTING.match(one.bare):
        return False
    return not words or words[0] not in NO_ITEM


def _told_whole(
    items: Sequence[_Item], mentions: Sequence[Mention], offset: int
) -> Iterator[_Item]:
    """The items, without those that only go on with the one before them: in "bleeding from the nose, stomach or
    bowel, hair loss" the "or" stands before the list ends, so that it joins places of the bleeding."""
    for number, item in enumerate(items):
        before = items[number - 1].bare.casefold().split()[1:] if number else []
        goes_on = (
            number + 1 < len(items)
            and ALTERNATIVE.search(item.bare)
            and not NO_ITEM.isdisjoint(before)
            and not any(item.start <= one.start - offset < item.end for one in mentions)
        )
        if not goes_on:
            yield item


def _of_item(
    part: SectionPart, item: _Item, offset: int, mentions: Sequence[Mention]
) -> Iterator[Reaction]:
    """The entities that an item names, or its words where it names none."""
    span = _cited(part, offset + item.start, offset + item.end)
    frequency = item.frequency or part.frequency
    found = [
        one
        for one in mentions
        if offset + item.start <= one.start < offset + item.end
        and not in_condition(
            item.text, one.start - offset - item.start, one.end - offset - item.start
        )
    ]
    denying = {one: denied(item.text[: one.start - offset - item.start]) for one in found}
    if not item.is_sentence and not _begins_denied(item.text):
        # "Meningitis without infection" is told: what is denied in an item says which of its kind it is.
        found = [one for one in found if not denying[one]]
    for one in found:
        yield Reaction(
            one.entity_id, item.text.strip(_EDGES), part.chunk, span, frequency, denying[one]
        )
    if found or not item.is_name:
        return
    if in_condition(item.text, 0, len(item.bare)) or _begins_denied(item.text):
        return
    yield Reaction("", item.bare, part.chunk, span, frequency)


def _of_sentence(
    part: SectionPart, sentence: str, offset: int, mentions: Sequence[Mention]
) -> Iterator[Reaction]:
    """The entities that a sentence names of the medicine itself."""
    told = predicate(sentence)
    has_rates = not OTHER_RATES.search(sentence)
    for one in mentions:
        at, end = one.start - offset, one.end - offset
        if in_condition(sentence, at, end):
            continue
        bracket = BRACKETS.match(sentence, end + len(sentence[end:]) - len(sentence[end:].lstrip()))
        rate = in_brackets(bracket[0][1:-1]) if bracket and has_rates else None
        span = part.start + offset, part.start + offset + len(sentence)
        yield Reaction(
            one.entity_id, one.text, part.chunk, span, rate or told, denied(sentence[:at])
        )


def _cited(part: SectionPart, start: int, end: int) -> Span:
    """Of a labelled list or a row all of it, with the label or numbers that say how often; else the item."""
    first, last = part.whole
    if part.row or part.start - first > 3:  # more than a bullet stands before it
        return first, last
    return part.start + start, part.start + end


def _begins_denied(item: str) -> bool:
    """Whether an item denies all that it names: "no infections"."""
    first = next(iter(_TOKEN.findall(item.casefold())), "")
    return denied(first)


def denied(before: str) -> bool:
    """Whether what stands before a name in its clause denies it."""
    words: list[str] = []
    for one in _TOKEN.findall(before.casefold()):
        if one in ";:." or one in TURNING:
            words.clear()
        else:
            words.append(one)
    return any(is_denying(word) or word in DENYING for word in words)
