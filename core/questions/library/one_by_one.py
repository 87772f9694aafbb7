"""Questions that ask something of each medicine of the library: "Which of my medicines may be crushed?"

Each document is asked by itself, as search ranks passages and not documents: of ten leaflets that all say
something of it, three passages of the first come before the others' one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.domain.documents import Document
from core.domain.leaflets.conditions import DocumentCondition, Illness, Partner
from core.domain.plans import Named
from core.domain.provenance.within import EVERYTHING, Within
from core.questions.clauses import Among, Clause
from core.questions.leaflets.lexicon import lexicon_of
from core.questions.leaflets.reader import conditions_told
from core.questions.leaflets.wording import said
from core.text.stems import content_words
from core.text.titles import name_in

# Documents that are asked one by one, of a library and of those that were chosen. Each takes .1 to .15 s:
# who chose them, or asks for the rest, waits for that (docs/decisions/several_leaflets.md, "Which are asked").
MOST = 12
MOST_CHOSEN = 36
_MOST_LEFT = 1_000  # that the rest is offered of; an answer keeps their ids
# "With which medicines must X not be taken?" asks for others than the library's.
_OPENING = r"\W*(?:{})(?!\w)"
_FEWEST = 2
_NEXT = 3  # titles that are told of those that were not asked


@dataclass(frozen=True, slots=True)
class Each:
    """What something is asked of each of: documents, or their products where one of them tells of several.

    Attributes:
        ids: title -> ids of the documents that tell of it, by title.
        several: whether a document tells of several products.
        within: what they are the documents of.
    """

    ids: Mapping[str, tuple[str, ...]]
    several: bool = False
    within: Within = EVERYTHING

    def __bool__(self) -> bool:
        return bool(self.ids)

    @property
    def titles(self) -> list[str]:
        return list(self.ids)

    @property
    def too_many(self) -> bool:
        """Whether these are more than are asked one by one."""
        return len(self.ids) > self.most

    @property
    def most(self) -> int:
        """How many are asked one by one."""
        return most_of(self.within)

    @property
    def fewest(self) -> int:
        """With how many one by one begins: with one where it is a product of a file, which has others."""
        return 1 if self.within.products else _FEWEST

    def among(self, asked: Sequence[str] = (), left: Sequence[str] = ()) -> Among:
        """How many there are.

        Args:
            asked: titles of those that are asked one by one.
            left: titles of the others, the closest first.
        """
        return Among(
            self._count(self.ids),
            len(self.ids) if self.several else 0,
            len(asked) if self.several else self._count(asked),
            tuple(left[:_NEXT]),
            self._unasked(asked, left) if asked else EVERYTHING,
        )

    def _unasked(self, asked: Sequence[str], left: Sequence[str]) -> Within:
        """All that are not asked, the closest first."""
        titles = [one for one in dict.fromkeys((*left, *self.ids)) if one not in asked]
        documents = dict.fromkeys(one for title in titles for one in self.ids[title])
        if not titles or len(titles) > _MOST_LEFT:
            return EVERYTHING
        products = tuple(titles) if self.several else ()
        return Within(tuple(documents), sections=self.within.sections, products=products)

    def _count(self, titles: Iterable[str]) -> int:
        return len({one for title in titles for one in self.ids[title]})


def most_of(within: Within) -> int:
    """How many documents, or products, of a part of the library are asked one by one."""
    return MOST_CHOSEN if within.documents else MOST


def is_asked_of_all(text: str, by_graph: bool = False, of_documents: bool = False) -> bool:
    """Whether something is asked of each medicine of the library.

    Args:
        by_graph: the graph answers the question: "these drugs" are its own.
        of_documents: it asks what documents alone say: "which medicines" are the library's.
    """
    found = _all(text, by_graph, of_documents)
    return found is not None and bool(content_words(text[found.end() :]))


def asked_of(
    question: str,
    documents: Iterable[Document],
    within: Within,
    by_graph: bool,
    of_documents: bool = False,
) -> Each:
    """The documents that something is asked of each of; none for any other question.

    Args:
        documents: that are searched.
        within: those of them that it is asked of.
        by_graph, of_documents: see `is_asked_of_all`.
    """
    if within.entities or not is_asked_of_all(question, by_graph, of_documents):
        return Each({})
    ids: dict[str, tuple[str, ...]] = {}
    several = False
    for one in documents:
        if within.has_document(one.id):
            several = several or len(one.titles) > 1
            told = filter(within.has_product, one.titles)
            ids |= {title: (*ids.get(title, ()), one.id) for title in told}
    return Each({title: ids[title] for title in sorted(ids, key=str.casefold)}, several, within)


def _all(text: str, by_graph: bool = False, of_documents: bool = True) -> re.Match[str] | None:
    """How a text names all medicines of the library."""
    words = lexicon_of(text)
    keys = ["own", *["shown"] * (not by_graph)]
    found = (words.pattern("library", key).search(text) for key in keys)
    opening = words.pattern("library", "any", frame=_OPENING)
    return next(filter(None, found), None) or (opening.match(text) if of_documents else None)


def on_each(question: str, each: Each, read: Callable[[str], Clause]) -> list[Clause]:
    """A question as one on each of these documents; none where it is one on none, on one, or on too many.

    Args:
        read: gives a text as a clause.
    """
    if each.too_many or len(each.ids) < each.fewest:
        return []
    return [on_one(question, title, read) for title in each.titles]


def on_one(
    question: str, title: str, read: Callable[[str], Clause], *, named: bool = True
) -> Clause:
    """A question on each document as one on the document of this title.

    Args:
        read: see `on_each`.
        named: the clause names it; else it is asked of it without its name.
    """
    return replace(
        read(_with(name_in(title), question) if named else asked_alone(question)),
        relationships=(),
        wanted_types=(),
        one_of_several=True,
        titled=title,
    )


def on_all(
    question: str,
    each: Each,
    read: Callable[[str], Clause],
    of_documents: Callable[[Clause], Clause],
) -> list[Clause]:
    """A question as one on each of these documents; none where it names a medicine itself, or there are too
    few. Of those that somebody chose each is asked, also one in whose title no medicine is read.

    Args:
        read, of_documents: see `on_closest`.
    """
    asked = [without_titled(of_documents(one)) for one in on_each(question, each, read)]
    if all(map(is_on_its_document, asked)):
        return asked
    chosen = each.titles if each.within.documents else ()
    return on_closest(question, each, chosen, read, of_documents)


def on_closest(
    question: str,
    each: Each,
    ranked: Sequence[str],
    read: Callable[[str], Clause],
    of_documents: Callable[[Clause], Clause],
) -> list[Clause]:
    """A question as one on each of the documents that say most of it; none where it names a medicine itself, or
    there are no two of them.

    Args:
        ranked: their titles, the closest first.
        read: see `on_each`.
        of_documents: a clause with what it asks of documents.
    """
    found: dict[str, Clause] = {}
    for title in ranked:
        one = without_titled(of_documents(on_one(question, title, read)))
        if not (names_its_document(one) and is_on_its_document(one)):
            alone = of_documents(on_one(question, title, read, named=False))
            if alone.leaflet is not None and alone.leaflet.subjects:
                if names_its_document(one):
                    return []
                continue
            # Beside a title in another language a word of the question may look like a name.
            one = alone
        found[title] = replace(one, documents=each.ids[title])
        if len(found) == each.most:
            break
    if len(found) < each.fewest:
        return []
    left = [title for title in ranked if title not in found]
    among = each.among(list(found), left) if len(found) < len(each.ids) else None
    return [replace(found[title], among=among) for title in sorted(found, key=str.casefold)]


def of_mine(question: str) -> str:
    """A question on which medicines there are as one on those of the library: "Which of my medicines cause X?";
    "" for any other."""
    words = lexicon_of(question)
    opening = words.pattern("library", "any", frame=_OPENING).match(question)
    mine = words.words("library", "mine")
    return f"{mine[0]}{question[opening.end() :]}" if opening and mine else ""


def asked_alone(question: str) -> str:
    """What a question asks of each document, without the words for all of them."""
    return _with("", question)


def _with(name: str, question: str) -> str:
    """A question with a name in the place of all documents."""
    found = _all(question)
    before, behind = (question[: found.start()], question[found.end() :]) if found else ("", "")
    return f"{before}{name}{behind}".strip(" ?")


def is_on_its_document(clause: Clause) -> bool:
    """Whether a clause of `on_each`, as it was read, is on its document's medicine and no other one: of "Which
    label warnings does X have?" each would be on X, too."""
    names = _names(clause)
    return bool(names) and all(_is_in_title(one, clause) for one in names)


def without_titled(clause: Clause) -> Clause:
    """A clause of `on_each`, as it was read, without the conditions that its title put into it: the form of
    "Fingolimod capsules", the food of "Whole Foods Acetaminophen"."""
    plan = clause.leaflet
    if plan is None:
        return clause
    title = name_in(clause.titled)
    told = conditions_told(title)

    def is_asked(one: DocumentCondition) -> bool:
        named = isinstance(one, Illness | Partner) and one.name.text.casefold() in title.casefold()
        return one not in told and not named

    conditions = tuple(filter(is_asked, plan.conditions))
    return replace(clause, leaflet=said(replace(plan, conditions=conditions)))


def names_its_document(clause: Clause) -> bool:
    """Whether something of its document's title was read as a medicine's name: "Sterile eyewash" is none."""
    return any(_is_in_title(one, clause) for one in _names(clause))


def _names(clause: Clause) -> Sequence[Named]:
    return clause.leaflet.subjects if clause.leaflet is not None else ()


def _is_in_title(name: Named, clause: Clause) -> bool:
    return name.text.casefold() in clause.titled.casefold()
