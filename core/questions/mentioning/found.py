"""The documents of a library that have words in their text, each with all places.

Word forms count ("alcoholic" for alcohol), British and American spelling, names of the same substance and of
the same entity of the graph, and what German and Dutch documents say for an English word and the other way.
In German and Dutch also the compounds that a word is part of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import takewhile

from core.documents.store.library import SearchStore
from core.domain.documents import Chunk, Document
from core.domain.graph import Entity
from core.domain.leaflets.conditions import Illness, Partner, Pregnancy
from core.domain.leaflets.plan import DocumentPlan
from core.domain.provenance.within import EVERYTHING, Within
from core.questions.asked import asked_sections
from core.questions.mentioning.asked import Mentions, mentions_asked
from core.text.function_words import FUNCTION_WORDS_OF
from core.text.glosses.in_english import GLOSSED, english_of, listed_words
from core.text.language import language
from core.text.model_talk import without_orders
from core.text.spelling.medicines import of_the_same
from core.text.spelling.variants import SPELLINGS
from core.text.stems import stem
from core.text.word_lists import word_frequencies

_WORD = re.compile(r"[^\W_]+")
_BETWEEN = r"[\W_]{1,3}"  # a space, a hyphen, the end of a line
_SHORTEST_PART = 5  # letters of a word that is looked for within compounds
_SHORTEST_PREFIX = 3
_MOST_FORMS = 40
_NEAR = 80  # characters
_TELLING = 3  # passages that tell a document's language
_PREGNANCY = "pregnancy"
# How an illness goes, which documents mostly do not say of it.
_COURSE = re.compile(
    r"(?:acute|chronic|recurrent|recent|new|mild|moderate|severe|active|stable|unstable|(?:un)?complicated|akut|chronisch|rezidivierend"
    r"|leicht|schwer|acuut|acute|chronisch|recidiverend|licht|ernstig)(?:e[nmrs]?)?",
    re.IGNORECASE,
)
_LITTLE = frozenset().union(*FUNCTION_WORDS_OF.values())
_Term = Sequence[Sequence[str]]  # the forms of each of its words, or of all of it


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Where a document has one of the words.

    Attributes:
        term: number of the term among those asked for.
        start, end: characters of the page's text.
        words: as they stand there.
    """

    term: int
    chunk: Chunk
    start: int
    end: int
    words: str


@dataclass(frozen=True, slots=True)
class MentioningDocument:
    """A document with the places that have what is looked for, in reading order; none where it lacks it."""

    document: Document
    places: tuple[Occurrence, ...]

    @property
    def pages(self) -> tuple[int, ...]:
        """The pages that have it; none of a document without pages."""
        return tuple(dict.fromkeys(one.chunk.page for one in self.places if one.chunk.page))

    @property
    def terms(self) -> int:
        """How many of the terms it has."""
        return len({one.term for one in self.places})


@dataclass(frozen=True, slots=True)
class Mentioned:
    """What a library has of words that are looked for.

    Attributes:
        documents: those that are asked for, those with the most places first: that have it, or that lack it.
        searched: how many documents were looked through.
        forms: what was looked for, each as it was asked first.
        near: no document has the words side by side, so that their words near each other were looked for.
    """

    asked: Mentions
    documents: tuple[MentioningDocument, ...]
    searched: int
    forms: tuple[str, ...]
    near: bool = False


def mentioned_in(
    question: str,
    library: SearchStore,
    scope: Sequence[str],
    within: Within,
    called: Callable[[str], Sequence[Entity]],
    read: Callable[[str], DocumentPlan],
) -> Mentioned | None:
    """The documents that have the words that a question asks for; None for any other question, for one that is
    asked of entities of the graph, and for what sections tell of in words of their own ("something on
    driving", "the dose of X").

    Args:
        scope: names of the indexes that are searched.
        within: the part of them that it is asked of.
        called: entities with exactly a name.
        read: gives what a question asks of documents.

    Raises:
        StoreError: the library cannot be read.
    """
    asked = mentions_asked(question)
    if asked is None or within.entities or (asked.tell and _is_of_sections(question, read)):
        return None
    documents = [
        one for index in scope for one in library.documents(index) if within.has_document(one.id)
    ]

    def have(terms: Sequence[_Term]) -> list[MentioningDocument]:
        return list(_having(documents, terms, asked, library, within))

    terms: list[_Term] = [[forms_of(one, called)] for one in asked.terms]
    found = have(terms)
    nothing = len(found) == (len(documents) if asked.lacking else 0)
    if nothing and any(map(asked_sections, asked.terms)):
        return None
    near = nothing and any(len(_words_in(one)) > 1 for one in asked.terms)
    if near:
        terms = [[forms_of(word, called) for word in _words_in(one)] for one in asked.terms]
        found = have(terms)
    found.sort(key=lambda one: (-len(one.places), one.document.title.casefold()))
    forms = (one for term in terms for group in term for one in group)
    return Mentioned(asked, tuple(found), len(documents), tuple(forms), near)


def naming(
    asked: DocumentPlan | None,
    library: SearchStore,
    scope: Sequence[str],
    within: Within,
    called: Callable[[str], Sequence[Entity]],
) -> dict[str, MentioningDocument]:
    """The documents, and products of documents, by title, whose text names an illness, something else that is
    taken, or a pregnancy, of which something is asked of each; none where nothing of that kind is.

    Args:
        asked: of each document.
        scope, within, called: as `mentioned_in` takes them.

    Raises:
        StoreError: the library cannot be read.
    """
    conditions = asked.conditions if asked is not None else ()
    names = [one.text for one in asked.subjects] if asked is not None else []  # "interact with X"
    names += [one.name.text for one in conditions if isinstance(one, Illness | Partner)]
    names += [_PREGNANCY for one in conditions if isinstance(one, Pregnancy)]
    if not names:
        return {}
    terms = [[forms_of(one, called)] for one in names]
    documents = (one for index in scope for one in library.documents(index))
    chosen = (one for one in documents if within.has_document(one.id))
    found: dict[str, MentioningDocument] = {}
    for one in _having(chosen, terms, Mentions(tuple(names)), library, within):
        for place in one.places:
            of = one.document.at(place.chunk.page, place.start)
            before = found.get(of.title)
            places = before.places if before is not None else ()
            found[of.title] = MentioningDocument(of, (*places, place))
    return found


def is_said_in(
    document: Document,
    name: str,
    library: SearchStore,
    called: Callable[[str], Sequence[Entity]],
) -> bool:
    """Whether a document has a name, or all of its words near each other but those for how an illness goes
    ("acute"), in any of the forms that are looked for.

    Args:
        called: as `mentioned_in` takes it.

    Raises:
        StoreError: the library cannot be read.
    """
    chunks = list(_chunks_of(document, library, EVERYTHING))
    code = language(" ".join(one.text for one in chunks[:_TELLING]))
    words = [one for one in _words_in(name) if not _COURSE.fullmatch(one)]
    terms = [[forms_of(name, called)], [forms_of(word, called) for word in words]]
    return any(_together(0, chunks, term, code) for term in terms if term)


def _having(
    documents: Iterable[Document],
    terms: Sequence[_Term],
    asked: Mentions,
    library: SearchStore,
    within: Within,
) -> Iterator[MentioningDocument]:
    """The documents that have the terms, or lack them."""
    for document in documents:
        chunks = list(_chunks_of(document, library, within))
        code = language(" ".join(one.text for one in chunks[:_TELLING]))
        each = [_together(n, chunks, term, code) for n, term in enumerate(terms)]
        has = all(each) if asked.every else any(each)
        if has != asked.lacking:
            places = [place for places in each for place in places] if has else []
            places.sort(key=lambda one: (one.chunk.page, one.start))
            yield MentioningDocument(document, tuple(places))


def _chunks_of(document: Document, library: SearchStore, within: Within) -> Iterator[Chunk]:
    """The chunks that are looked through, without what is addressed to a language model."""
    for one in library.document_chunks(document.id):
        if within.has_section(one.section):
            yield replace(one, text=without_orders(one.text)) if document.orders else one


def _together(number: int, chunks: Sequence[Chunk], term: _Term, code: str) -> Sequence[Occurrence]:
    """Where chunks have one of the forms of each word of a term: of the word that stands there most rarely,
    with the others near it."""
    each = [list(_places(number, chunks, forms, code)) for forms in term]
    rarest = min(each, key=len, default=[])
    return [
        one
        for one in rarest
        if all(
            any(
                other.chunk.page == one.chunk.page and abs(other.start - one.start) <= _NEAR
                for other in places
            )
            for places in each
        )
    ]


def _words_in(term: str) -> list[str]:
    """The words of a term that name something."""
    return [one for one in _WORD.findall(term) if one.casefold() not in _LITTLE]


def _is_of_sections(question: str, read: Callable[[str], DocumentPlan]) -> bool:
    """Whether what is to be told of is what a section is on; an illness, or what else is taken, is named."""
    if not asked_sections(question):
        return False
    return not any(isinstance(one, Illness | Partner) for one in read(question).conditions)


def forms_of(term: str, called: Callable[[str], Sequence[Entity]]) -> tuple[str, ...]:
    """A term, and what else is the same: other names of a substance and of an entity, other spelling, and the
    words of the other languages."""
    folded = " ".join(term.split()).casefold()
    same = [folded, *of_the_same(folded)]
    for entity in called(term):
        same += [one.casefold() for one in (entity.name, *entity.synonyms)]
    same += [one for code in GLOSSED if (one := english_of(folded, code))]
    forms = [form for one in dict.fromkeys(same) for form in (one, *_spelt_otherwise(one))]
    forms += [
        one for form in list(forms) for code in GLOSSED for one in _said_for(code).get(form, ())
    ]
    return tuple(dict.fromkeys([term, *(one for one in forms if one != folded)]))[:_MOST_FORMS]


def _spelt_otherwise(name: str) -> list[str]:
    """A word in British for American spelling and the other way, where that is a word."""
    pairs = [
        pair for one, other in SPELLINGS if one != "-" for pair in ((one, other), (other, one))
    ]
    known = word_frequencies("en")
    spelt = (name.replace(one, other) for one, other in pairs if one in name)
    return [one for one in spelt if one in known and one != name]


@cache
def _said_for(code: str) -> dict[str, list[str]]:
    """English -> the words of a language that are listed for it."""
    said: dict[str, list[str]] = {}
    for word, english in listed_words(code):
        said.setdefault(english.casefold(), []).append(word.casefold())
    return said


def _places(
    term: int, chunks: Iterable[Chunk], forms: Sequence[str], code: str
) -> Iterable[Occurrence]:
    """Where chunks have one of these forms, in reading order; where they overlap once."""
    pattern, known = _pattern(tuple(forms), code), set[tuple[int, int]]()
    for chunk in chunks:
        for found in pattern.finditer(chunk.text):
            start, end = chunk.start + found.start(), chunk.start + found.end()
            if (chunk.page, start) not in known and _is_one(found[0], forms, code):
                known.add((chunk.page, start))
                yield Occurrence(term, chunk, start, end, found[0])


@lru_cache(maxsize=256)
def _pattern(forms: tuple[str, ...], code: str) -> re.Pattern[str]:
    """What may be one of some forms, by how their words begin."""
    alternatives = []
    for form in forms:
        words = _WORD.findall(form)
        begun = [rf"{re.escape(_begin(word))}\w*" for word in words]
        alternatives.append(_BETWEEN.join(begun))
    within = r"\w*?" if code in GLOSSED else ""
    return re.compile(rf"(?<!\w){within}(?:{'|'.join(alternatives)})", re.IGNORECASE)


def _begin(word: str) -> str:
    """How all forms of a word begin."""
    same = takewhile(lambda one: one[0] == one[1], zip(word.casefold(), stem(word), strict=False))
    begin = "".join(letter for letter, _ in same)
    return begin if len(begin) >= _SHORTEST_PREFIX else word.casefold()


def _is_one(written: str, forms: Sequence[str], code: str) -> bool:
    words = _WORD.findall(written)
    keys = [_key(one, code) for one in words]
    for form in forms:
        asked = _WORD.findall(form)
        if len(asked) != len(words):
            continue
        if keys == [_key(one, code) for one in asked] or _stems(words) == _stems(asked):
            return True
        compound = code in GLOSSED and len(asked) == 1 and len(asked[0]) >= _SHORTEST_PART
        if compound and asked[0].casefold() in words[0].casefold():
            return True
    return False


def _stems(words: Sequence[str]) -> list[str]:
    return [stem(one.casefold()) for one in words]


def _key(word: str, code: str) -> str:
    return stem(word.casefold(), GLOSSED.get(code, "english"))
