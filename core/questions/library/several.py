"""Questions that ask several documents, as they are called: "What do the label and the policy say of X?"

Search ranks passages: of two documents that both answer, the one with more of the question's words has all of
the places. So each is asked by itself. Which are meant: those on a medicine that the question names, and
guidance that has it in its text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any

from core.domain.documents import Document
from core.domain.leaflets.conditions import Partner
from core.domain.plans import Named
from core.questions.clauses import Clause
from core.questions.mentioning.found import MentioningDocument
from core.resources import any_of, read_table
from core.text.spelling.medicines import substances_in
from core.text.stems import stems
from core.text.titles import medicines_in, name_in

_MOST_WORDS = 4  # between "the" and what a document is called: "the Swiss maker's Fachinformation"
_MOST = 4  # documents on the medicines named, beside guidance; of more none is asked by itself
_MOST_GUIDANCE = 2
_PLACE = "\ufffc"  # stands for a document in a question
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class OfSeveral:
    """What is asked of several documents.

    Attributes:
        text: what is asked, without the words for the documents.
        called: what the documents are called, as it is written.
        guidance: whether guidance is meant by its name.
        of_any: whether documents of any kind may be meant.
    """

    text: str
    called: tuple[str, ...]
    guidance: bool
    of_any: bool


def several_asked(question: str) -> OfSeveral | None:
    """What a question asks of several documents; None of any other."""
    found = list(_document().finditer(question))
    kinds = {one["called"].casefold() for one in found if one["one"]}
    joined = any(
        _joint().fullmatch(question, before.end(), behind.start())
        for before, behind in pairwise(found)
    )
    if not joined and len(kinds) < _FEWEST and not any(_is_many(question, one) for one in found):
        return None
    text = _without_places(_with_places(question, found))
    called = tuple(one["called"] for one in found)
    of_any = any(_of_kind("any").search(one) for one in called)
    guidance = any(_of_kind("guidance").search(one) for one in called)
    return OfSeveral(text, called, guidance, of_any) if text else None


def _with_places(question: str, found: Sequence[re.Match[str]]) -> str:
    """A question with a mark for each document; also for whose it is, where that is said elsewhere, too."""
    text, begin = "", 0
    for one in found:
        text += question[begin : one.start()] + _PLACE
        begin = one.end()
        whose = _whose().match(question, begin)
        others = f"{question[: one.start()]} {question[whose.end() :]}" if whose else ""
        if whose and whose["name"].casefold() in others.casefold():
            begin = whose.end()
    return text + question[begin:]


def _is_many(question: str, found: re.Match[str]) -> bool:
    """Whether more than one document is meant: "both texts", "each leaflet", "what do our documents say"."""
    if found["both"]:
        return True
    if not found["several"]:
        return False
    behind = question[found.end() :]
    return bool(_saying().match(behind)) and bool(_asking().search(question[: found.start()]))


def _without_places(text: str) -> str:
    """A question with blanks for what is said of its documents alone."""
    for pattern in (_said_by(), _within(), _bare_places()):
        text = pattern.sub(" ", text)
    text = re.sub(r"\s+([?,.;:])", r"\1", " ".join(text.split()))
    return text.strip(" ,;:-–?")


def on_several(
    asked: OfSeveral,
    documents: Iterable[Document],
    read: Callable[[str], Sequence[Clause]],
    naming: Callable[[Clause], dict[str, MentioningDocument]],
) -> list[Clause]:
    """A question as one on each of the documents that it asks; none where it is clear of fewer than two, or
    they are more than can be asked: none of them is left out unsaid.

    Args:
        documents: that are searched.
        read: gives a text as clauses, with what they ask of documents.
        naming: the documents that have what a clause names in their text, by title.
    """
    known = [each for one in documents for each in one.each()]
    clauses = list(read(asked.text))
    named = [name for one in clauses for name in _medicines(one)]
    said = {number for one in asked.called for number in substances_in(one)}
    own = [
        one
        for one in known
        if any(_is_on(one, name) for name in named) or said & medicines_in(one.title)
    ]
    of_guidance = list(_guidance(asked, clauses, known, own, naming))
    chosen = [*own, *of_guidance]
    if len(own) > _MOST or len({one.id for one in chosen}) < _FEWEST:
        return []
    made = [_asked_of(one, clause, own, read) for clause in clauses for one in chosen]
    return [one for one in made if one is not None]


def _guidance(
    asked: OfSeveral,
    clauses: Sequence[Clause],
    known: Sequence[Document],
    own: Sequence[Document],
    naming: Callable[[Clause], dict[str, MentioningDocument]],
) -> Iterator[Document]:
    """Documents on no one medicine that have what is named in their text, the closest first: all of it, where
    they are not called by what they are."""
    if not (asked.guidance or asked.of_any):
        return
    has: dict[str, int] = {}
    most = 0
    for clause in clauses:
        found = naming(clause)
        for title, one in found.items():
            has[title] = max(has.get(title, 0), one.terms)
        most = max(most, len(_medicines(clause)))
    words = {one for called in asked.called for one in stems(called)}
    others = [
        one
        for one in known
        if one not in own
        and not medicines_in(one.title)
        and has.get(one.title, 0) >= (1 if asked.guidance else max(most, 1))
    ]
    others.sort(key=lambda one: (-len(words & stems(one.title)), -has[one.title]))
    yield from others[: _MOST_GUIDANCE if asked.of_any else 1]


def _asked_of(
    document: Document,
    clause: Clause,
    own: Sequence[Document],
    read: Callable[[str], Sequence[Clause]],
) -> Clause | None:
    """A clause as one to a document alone; None where that is on another medicine than it names.

    On its own medicine it is asked, whatever else is taken: in prednisolone's leaflet "clarithromycin with
    prednisolone" is about prednisolone.
    """
    names = _medicines(clause)
    theirs = [one for one in names if _is_on(document, one)]
    if document in own and not theirs:
        if names and clause.one_of_several:
            return None
        # It is named by what its document is called alone.
        first = next(iter(read(f"{name_in(document.title)}: {clause.text}")), clause)
        clause = replace(first, one_of_several=False)
        theirs = [one for one in _medicines(clause) if _is_on(document, one)]
    plan = clause.leaflet
    if plan is not None and theirs:
        beside = [
            one for one in plan.conditions if not (isinstance(one, Partner) and one.name in theirs)
        ]
        if not any(one in plan.subjects for one in theirs):
            others = [one for one in plan.subjects if one not in theirs]
            beside += [Partner(one) for one in others]
        plan = replace(plan, subjects=tuple(theirs[:1]), conditions=tuple(beside))
    return replace(
        clause,
        leaflet=plan,
        plan=None,
        relationships=(),
        wanted_types=(),
        one_of_several=True,
        titled=document.title,
        documents=(document.id,),
        called=True,
    )


def _medicines(clause: Clause) -> list[Named]:
    """What a clause is about, and what is taken beside it."""
    plan = clause.leaflet
    if plan is None:
        return []
    taken = [one.name for one in plan.conditions if isinstance(one, Partner)]
    return list(dict.fromkeys((*plan.subjects, *taken)))


def _is_on(document: Document, name: Named) -> bool:
    title = name_in(document.title)
    same = substances_in(name.text) & substances_in(title)
    return bool(same) or name.text.casefold() in title.casefold()


@cache
def _document() -> re.Pattern[str]:
    """What a document is called in a question, with the words before it."""
    kinds = ("own", "guidance", "any")
    one = "|".join(word for kind in kinds for word in _table()[kind]["one"])
    several = "|".join(word for kind in kinds for word in _table()[kind]["several"])
    before, both = _words("before"), _words("both")
    no_name = "|".join(
        (before, both, _words("within"), _words("joining"), _words("asking"), _words("saying"))
    )
    word = rf"(?!(?:{no_name})\b)[^\W_][\w'’-]*\s+"
    words = rf"(?:{word}){{0,{_MOST_WORDS}}}?"
    return re.compile(
        rf"\b(?:(?P<both>{both})\s+(?:of\s+)?(?:(?:{before})\s+)?|(?:{before})\s+)"
        rf"(?P<called>{words}(?:(?P<several>{several})|(?P<one>{one})))\b",
        re.IGNORECASE,
    )


@cache
def _joint() -> re.Pattern[str]:
    """What joins two documents: "the leaflets and our policy"."""
    return re.compile(rf"\s*(?:,|,?\s*(?:{_words('joining')}))\s*", re.IGNORECASE)


@cache
def _whose() -> re.Pattern[str]:
    return re.compile(rf"\s+(?:{_words('about')})\s+(?P<name>[^\W\d_][\w-]{{3,}})", re.IGNORECASE)


@cache
def _saying() -> re.Pattern[str]:
    return re.compile(rf"(?:\s+(?:{_words('both')}))?\s+(?:{_words('saying')})\b", re.IGNORECASE)


@cache
def _asking() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_words('asking')})\b(?:\s+\w+){{0,3}}\s*$", re.IGNORECASE)


@cache
def _said_by() -> re.Pattern[str]:
    """ "What do the label and the leaflet each say about": nothing but who is asked."""
    joined = rf"(?:\s*(?:,|{_words('joining')})?\s*{_PLACE})*"
    saying = rf"(?:\s*(?:{_words('both')}))?(?:\s+(?:{_words('saying')})\b(?:\s+(?:{_words('about')})\b)?)"
    asking = rf"(?:{_words('asking')})(?:\s+do(?:es)?)?"
    # In German and Dutch the verb comes first: "Was sagen die Fachinformation und die Leitlinie zu".
    about = rf"(?:\s+(?:{_words('about')})\b)?"
    first = rf"(?:{_words('asking')})\s+(?:{_words('saying')})\s+{_PLACE}{joined}{about}"
    return re.compile(rf"\b(?:{first}|{asking}\s+{_PLACE}{joined}{saying})", re.IGNORECASE)


@cache
def _within() -> re.Pattern[str]:
    """ "In the label and in the policy": where to look."""
    within = rf"(?:(?:{_words('within')})\s+)?"
    again = rf"(?:\s*(?:,|,?\s*(?:{_words('joining')}))?\s*{within}{_PLACE})*"
    return re.compile(
        rf"(?:,?\s*\b(?:{_words('joining')})\s+)?\b{within}{_PLACE}{again}", re.IGNORECASE
    )


@cache
def _bare_places() -> re.Pattern[str]:
    return re.compile(_PLACE)


@cache
def _of_kind(kind: str) -> re.Pattern[str]:
    words = (*_table()[kind]["one"], *_table()[kind]["several"])
    return any_of(rf"\b(?:{one})\b" for one in words)


def _words(key: str) -> str:
    return "|".join(_table()["words"][key])


@cache
def _table() -> dict[str, Any]:
    return read_table(__file__, "several.toml")
