"""Whose product a question names: of two makers' acetaminophen, the one of "Whole Foods' acetaminophen".

A maker or trade name is known by where it stands: words with capitals, or what stands right before the
medicine's name, with which a document's title begins, or which it says made or sells it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise

from core.domain.documents import Document
from core.domain.plans import Named
from core.questions.leaflets.question_text import EMPTY, WORD
from core.resources import read_table

_POSSESSIVE = re.compile(r"(?:['’]s|['’])$")
_BESIDE = re.compile(r"['’]?s?[\s-]+")
_JOINED = re.compile(r"['’]?[\s-]")
_FEWEST, _MOST = 2, 5  # words of a maker's name; a title may begin with one

_Key = tuple[str, str]
_Run = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProductMaker:
    """Whose product a question asks about.

    Attributes:
        start, end: where the maker's or trade name stands in the question; nowhere without one.
        documents: those that have it, or all.
    """

    start: int
    end: int
    documents: AbstractSet[_Key]

    def left_out(self, text: str) -> str:
        """The question without the name: what is asked of the product is asked with the other words."""
        return " ".join(f"{text[: self.start]} {text[self.end :]}".split())


def maker_of(
    text: str,
    names: Sequence[Named],
    documents: Mapping[_Key, Document],
    texts_with: Callable[[Document, str], Sequence[str]],
) -> ProductMaker:
    """The maker or trade name in a question by which documents on its medicines are told apart.

    Args:
        text: the question.
        names: of medicines in it.
        texts_with: the texts of a document that have some words together.
    """
    titles = {key: _titles_of(one) for key, one in documents.items()}
    for run, (start, end) in _runs(text, names) if documents else ():
        own = {
            key
            for key, one in documents.items()
            if any(_begins(title, run) for title in titles[key])
            or _is_made_by(run, partial(texts_with, one))
        }
        if own:
            return ProductMaker(start, end, own)
    return ProductMaker(0, 0, set(documents))


def _is_made_by(run: _Run, texts_with: Callable[[str], Sequence[str]]) -> bool:
    """Whether a document says that its product is made or sold under a name."""
    if len(run) < _FEWEST:
        return False
    name = r"\W+".join(map(re.escape, run))
    made = re.compile(_maker_said().replace("{NAME}", name), re.IGNORECASE)
    return any(made.search(text) for text in texts_with(" ".join(run)))


@cache
def _maker_said() -> str:
    words = {
        key: "|".join(each).replace(" ", r"\W+")
        for key, each in read_table(__file__, "makers.toml").items()
    }
    return rf"\b(?:{words['before']})\W+{{NAME}}\b|\b{{NAME}}\W+(?:{words['behind']})\b"


def _titles_of(document: Document) -> list[list[str]]:
    """The words of its titles, and of who it says made it."""
    own = [document.title, *document.titles, *document.metadata.values()]
    return [[word.casefold() for word in WORD.findall(one)] for one in own if one]


def _begins(title: Sequence[str], run: _Run) -> bool:
    """Whether a title begins with some words, numbers before them aside ("365 Whole Foods Market ...")."""
    first = next((place for place, word in enumerate(title) if not word.isdigit()), 0)
    wanted = [word.casefold() for word in run]
    return any(list(title[begin : begin + len(wanted)]) == wanted for begin in {0, first})


def _runs(text: str, names: Sequence[Named]) -> Iterator[tuple[_Run, tuple[int, int]]]:
    """The words that may be a maker's or a trade name, the longest first, and where they stand."""
    medicines = {word.casefold() for one in names for word in WORD.findall(one.text)}
    words = list(WORD.finditer(text))
    plain = [_POSSESSIVE.sub("", one.group()) for one in words]
    free = [word.casefold() not in medicines | EMPTY for word in plain]
    capital = [word[:1].isupper() or word[:1].isdigit() for word in plain]
    found: list[tuple[_Run, tuple[int, int]]] = []
    for first in range(len(words)):
        for last in range(first, min(first + _MOST, len(words))):
            place = slice(first, last + 1)
            if not all(free[place]) or not _together(text, words[place]):
                break
            run, named = tuple(plain[place]), all(capital[place])
            behind = words[last + 1] if last + 1 < len(words) else None
            beside = (
                behind is not None
                and plain[last + 1].casefold() in medicines
                and bool(_BESIDE.fullmatch(text, words[last].end(), behind.start()))
            )
            if not all(word.isdigit() for word in run) and (named or beside):
                found.append((run, (words[first].start(), words[last].end())))
    yield from sorted(found, key=lambda one: -len(one[0]))


def _together(text: str, words: Sequence[re.Match[str]]) -> bool:
    return all(_JOINED.fullmatch(text, one.end(), after.start()) for one, after in pairwise(words))


def side_by_side(text: str, one: Named, other: Named) -> bool:
    """Whether two names of a question are of one thing: "Non-Aspirin acetaminophen", "Plegridy (peginterferon
    beta-1a)"."""
    first, second = re.escape(one.text), re.escape(other.text)
    return bool(re.search(rf"(?<!\w){first}(?:\s+|\s*\(\s*){second}(?!\w)", text, re.IGNORECASE))
