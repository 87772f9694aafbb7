"""Lexicons that lack what one question alone has: how wordings are read that nobody has seen.

A lexicon is written with the phrasings of a half, and knows their words. Read without those that occur in
one of them alone, that phrasing stands for one by another author, and no half that judges is used up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from core.domain.graph import Mention
from core.questions.lexicon import SHORTEST_MISSPELT, Lexicon, words_of

_Phrases = frozenset[tuple[str, ...]]
_Words = frozenset[str]


def without_own_words(
    questions: Sequence[str],
    known: Sequence[Lexicon],
    mentions_in: Callable[[str], Sequence[Mention]],
) -> list[Lexicon]:
    """For each question its lexicon, without the phrases and words that no other question has.

    Args:
        known: the lexicon of each question.
        mentions_in: the names in a question, whose words are not counted.
    """
    used = [_used(text, one, mentions_in(text)) for text, one in zip(questions, known, strict=True)]
    phrases = Counter(one for own, _ in used for one in own)
    words = Counter(one for _, own in used for one in own)
    return [
        _without(
            lexicon,
            frozenset(one for one in own if phrases[one] == 1),
            frozenset(one for one in empty if words[one] == 1),
        )
        for lexicon, (own, empty) in zip(known, used, strict=True)
    ]


def _used(question: str, lexicon: Lexicon, mentions: Sequence[Mention]) -> tuple[_Phrases, _Words]:
    """Phrases of a lexicon that stand in a question, by their stems, and words that say nothing."""
    words = words_of(question)
    phrases, empty = set(), set()
    place = 0
    while place < len(words):
        word = words[place]
        if any(one.start <= word.start < one.end for one in mentions):
            place += 1
            continue
        length, _ = lexicon.longest(words, place)
        if length:
            phrases.add(tuple(lexicon.stems.of(one.plain) for one in words[place : place + length]))
        elif word.plain in lexicon.nothing:
            empty.add(word.plain)
        place += length or 1
    return frozenset(phrases), frozenset(empty)


def _without(lexicon: Lexicon, phrases: _Phrases, words: _Words) -> Lexicon:
    senses = {phrase: found for phrase, found in lexicon.senses.items() if phrase not in phrases}
    nothing = lexicon.nothing - words
    left = {word for phrase in senses for word in phrase} | nothing | lexicon.grammar.small
    known = tuple(sorted(one for one in left if len(one) >= SHORTEST_MISSPELT))
    return replace(lexicon, senses=senses, nothing=nothing, words=known)
