"""The classes of a medicine, as the graph and the documents of the library tell them: "X is an anticoagulant",
"blood thinners such as X"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from core.domain.plans import Named
from core.errors import StoreUnavailable
from core.evidence.relevance import GENERIC, Relevance
from core.evidence.sources import Sources
from core.questions.leaflets.question_text import EMPTY
from core.resources import any_of, read_table
from core.text.stems import stems
from core.text.word_lists import word_frequencies

Words = frozenset[str]
"""The stems of a class's words."""

_TABLE = read_table(__file__, "classes.toml")
_CLASS = "PharmacologicClass"
_MOST_PASSAGES = 60  # that name the medicine
_MOST_CLASSES = 20  # of the graph
_MOST_WORDS = 3  # of a class
_SHORTEST = 4  # letters of a name
_FARTHEST = 160  # characters between a kind and what is listed as of it
_EVERYDAY = 1_000  # times in the word list from which on a word says nothing of a class ("oral")
_WORD = r"[^\W_]+(?:[-'’/][^\W_]+)*"
_RUN_BEFORE = re.compile(rf"({_WORD}(?:[ \n]{_WORD}){{0,3}})[\s,:]*$")
_RUN_BEHIND = re.compile(rf"\s*({_WORD}(?:[ \n]{_WORD}){{0,4}})")
_ALIAS_BEFORE = re.compile(r"\(([^()]{2,40})\)[\s,:]*$")
_ALIAS_BEHIND = re.compile(r"\s*\(([^()]{2,40})\)")


def classes_of(
    name: Named, called: Sequence[str], sources: Sources, relevance: Relevance
) -> set[Words]:
    """The classes that a medicine is said to be of.

    Args:
        called: its names.

    Raises:
        StoreError: the library cannot be read.
    """
    names = [one for one in dict.fromkeys(called) if len(one) >= _SHORTEST]
    told = set(_in_graph(name, sources))
    texts = [*_described(name, sources)]
    for one in names:
        texts += [chunk.text for chunk, _ in relevance.passages_naming(one, _MOST_PASSAGES)]
    told |= {one for text in texts for one in classes_in(text, names)}
    found = {_words(one) for one in told if not _is_general(one, texts)}
    own = {word for one in names for word in stems(one)}
    return {one for one in found if one and not one & own}


def _is_general(name: str, texts: Sequence[str]) -> bool:
    """Whether a class is one word of which texts tell a kind: "inhibitor" beside "MAO inhibitor"."""
    if not name.isalpha() or not name[1:].islower():
        return False
    kinds = re.compile(rf"(?<![^\W_])({_WORD})\s{re.escape(name)}", re.IGNORECASE)
    before = (one[1] for text in texts for one in kinds.finditer(text))
    return any(one.casefold() not in EMPTY and not _is_everyday(one) for one in before)


def classes_in(text: str, names: Sequence[str]) -> Iterator[str]:
    """What a text says that one of these names is."""
    for one in _named(names).finditer(text):
        before, behind = text[max(0, one.start() - _FARTHEST) : one.start()], text[one.end() :]
        for marker in _pattern("such_as").finditer(before):
            if _is_listing(before[marker.end() :]):
                yield from _kinds_before(before[: marker.start()].rstrip(" (,"))
        opened = before.rfind("(")
        if opened > before.rfind(")") and _is_listing(before[opened + 1 :]):
            yield from _kinds_before(before[:opened])
        for key in ("others", "is_a"):
            if said := _pattern(key, r"\s*(?:\([^()]*\)\s*)?,?\s*(?:{})(?!\w)").match(behind):
                yield from _kinds_behind(behind[said.end() :])
        apposed = _RUN_BEFORE.search(before)
        last = apposed[1].split()[-1] if apposed else ""
        if apposed and before.endswith(f"{last} ") and _pattern("things", "(?:{})$").match(last):
            yield from _runs(apposed[1].split())


def _kinds_before(text: str) -> Iterator[str]:
    if alias := _ALIAS_BEFORE.search(text):
        yield from _runs(alias[1].split())
        text = text[: alias.start()]
    if run := _RUN_BEFORE.search(text):
        yield from _runs(run[1].split())


def _kinds_behind(text: str) -> Iterator[str]:
    run = _RUN_BEHIND.match(text)
    if run is None:
        return
    words = run[1].split()
    ends = next((n for n, one in enumerate(words) if one.casefold() in EMPTY), len(words))
    following = words[ends : ends + 1] or [""]
    head = words[ends - 1 : ends]
    yield from _runs(words[:ends])
    modifiers = words[: ends - 1] if ends else []
    relational = _pattern("relational", "(?:{})$").match(following[0]) is not None
    if head and not (relational or _is_everyday(head[0])) and all(map(_is_everyday, modifiers)):
        yield head[0]
    if alias := _ALIAS_BEHIND.match(text, run.start(1) + len(" ".join(words[:ends]))):
        yield from _runs(alias[1].split())


def _runs(words: Sequence[str]) -> Iterator[str]:
    """The classes that words side by side may be: all of them, and the last two; an abbreviation alone."""
    kept = list(words)
    for place in range(len(kept) - 1, -1, -1):
        if kept[place].casefold() in EMPTY:
            kept = kept[place + 1 :]
            break
    kept = kept[-_MOST_WORDS:]
    if not all(any(map(str.isalpha, one)) for one in kept):
        return  # "200 mg"
    for size in range(min(2, len(kept)), len(kept) + 1) if len(kept) > 1 else (len(kept),):
        if size:
            yield " ".join(kept[-size:])
    yield from (one for one in kept if len(one) > 2 and one.rstrip("s").isupper() and one.isalpha())


def _words(text: str) -> Words:
    """The stems of a class; none where it says no more than that something is a medicine."""
    found = frozenset(stems(text))
    return found if found - GENERIC else frozenset()


def _is_everyday(word: str) -> bool:
    return word.islower() and word_frequencies("en").get(word, 0) >= _EVERYDAY


def _is_listing(text: str) -> bool:
    """Whether a text is names in a row, up to the next: "selegiline, moclobemide or"."""
    items = [one.strip() for one in re.split(r"[,/]|;", _between().sub(",", f"{text} "))]
    return (
        items[-1] == ""
        and all(len(one.split()) <= _MOST_WORDS for one in items)
        and "." not in text
    )


def _in_graph(name: Named, sources: Sources) -> Iterator[str]:
    """The pharmacologic classes of the graph."""
    for key in name.ids:
        try:
            facts = sources.graph.neighbours([key], _MOST_CLASSES, neighbour_types=[_CLASS])
        except StoreUnavailable:
            return
        ends = (end for fact in facts for end in (fact.source, fact.target))
        yield from (end.name for end in ends if end.type == _CLASS)


def _described(name: Named, sources: Sources) -> Iterator[str]:
    """What the graph says that a medicine is."""
    for key in name.ids:
        try:
            entity = sources.graph.entity(key)
        except StoreUnavailable:
            return
        if entity is not None:
            yield from entity.properties.values()


@cache
def _between() -> re.Pattern[str]:
    return any_of([rf"(?<!\w)(?:{'|'.join(_TABLE['between'])})(?!\w)"])


@cache
def _pattern(key: str, frame: str = r"(?<!\w)(?:{})(?!\w)") -> re.Pattern[str]:
    return any_of([frame.replace("{}", "|".join(_TABLE[key]))])


def _named(names: Iterable[str]) -> re.Pattern[str]:
    return any_of([rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)"])
