"""A question taken apart: its clauses, with what each of them asks for.

Keywords only; no model decides how a question is read (KG-49).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from core.domain.graph import Entity
from core.domain.leaflets.conditions import Illness, Partner
from core.domain.leaflets.plan import DocumentPlan
from core.domain.plans import Want
from core.domain.provenance.within import EVERYTHING, Within
from core.questions.asked import QUESTION_WORD, asked_relationships, asked_sections, asked_types
from core.questions.leaflets.lexicon import lexicon
from core.questions.leaflets.names import is_not_taken, is_taken_beside, without_other_than
from core.questions.mentioning.found import Mentioned, MentioningDocument
from core.questions.planned import ReadPlan
from core.questions.spoken import ENGLISH
from core.text.stems import content_words

# "..., and when must ..." begins a new clause; "aspirin and ibuprofen" does not.
_SPLIT = re.compile(
    rf"[?;]\s+(?:and\s+|but\s+)?|,?\s+(?:and|but|also)\s+(?={QUESTION_WORD}\b)|,\s+(?={QUESTION_WORD}\b)",
    re.IGNORECASE,
)

_WORDS = lexicon("")  # of all languages


def _any(table: str, *keys: str) -> str:
    return f"(?:{'|'.join(word for key in keys for word in _WORDS.words(table, key))})"


# Medicines that are held against each other are asked about each alone.
_HELD_AGAINST = _any("held_against", "words")
_COMPARED = re.compile(rf"\b{_HELD_AGAINST}\b", re.IGNORECASE)
_JOINING = rf"(?:and|or|than|und|oder|{_HELD_AGAINST})"
_JOINED = re.compile(rf"[,;/&+]|\b{_JOINING}\b|\ben\b|^\s*of\s*$", re.IGNORECASE)
_FORMS = _any("forms", *_WORDS.keys("forms"))
_JOINED_ALONE = re.compile(
    rf"(?:\W+{_FORMS})?\W*(?:(?:{_JOINING}|en|of)\W+)?(?:(?:of|for|the|in|von|für|van|voor)\W+)*",
    re.IGNORECASE,
)
_THAN = _any("held_against", "words", "than")
_AGAINST = re.compile(
    rf"(?:\W+\w+){{0,4}}?\W+{_THAN}\W+(?:(?:of|for|the|with|in)\W+)*", re.IGNORECASE
)
_BETWEEN = re.compile(rf"\b{_any('held_against', 'between')}\s+(?:\w+\s+)?$", re.IGNORECASE)
_DIFFERENCE = _WORDS.pattern("held_against", "difference")
_BESIDE = re.compile(r"\s+\(?|\s*\(")
_AND = re.compile(r",?\s+(?:and|as well as|und|sowie|en)\s+", re.IGNORECASE)
_WITH = re.compile(r"\b(?:with|mit|plus)\b|\+", re.IGNORECASE)
# What somebody says before asking ("I am pregnant, can I take X?") belongs to the question.
_SAID = re.compile(r"(?:I|I['’]m|my|we|our|he|she|his|her|they|ich|mein\w*)\b", re.IGNORECASE)

# So does what limits the question ("In heart failure, what is the highest dose of X?").
_LIMITS = re.compile(
    r"(?:in|for|with|without|on|at|after|during|under|if|given|bei|mit|ohne|für|nach|wenn|falls|bij|met|zonder|voor|na|als)\b",
    re.IGNORECASE,
)

_OF_SENTENCES = re.compile(
    rf"\b(?:{QUESTION_WORD}|am|is|are|was|were|has|have|had|ist|sind|war|waren|hat|haben|zijn|heeft|hebben)\b",
    re.IGNORECASE,
)
_FEW_WORDS = 2  # of a question that says nothing but what is asked of that: "what dose"
# What a question that says nothing of its own has beside its question word: "what now", "how often".
_SAYS_NOTHING = frozenset({"now", "next", "often", "frequently", "long"})
_MOST_CLAUSES = 6  # each costs a search and a pass of the embedding model; the last takes the rest


@dataclass(frozen=True, slots=True)
class Among:
    """Of how many something is asked of each, where these are too many to be asked one by one.

    Attributes:
        documents: that are searched.
        products: that they tell of, where one of them tells of several; else 0.
        asked: how many were asked one by one, of the products where there are such; 0 where none was.
        next: titles of those that came closest and were not asked, the closest first.
        unasked: all that were not asked; nothing where none was, or they are too many to be asked in turn.
    """

    documents: int
    products: int = 0
    asked: int = 0
    next: tuple[str, ...] = ()
    unasked: Within = EVERYTHING


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing that is asked.

    Attributes:
        entities: entities it names (or, when it names none, those of the clause before).
        sections: standard section codes it asks for, most specific first.
        relationships: relationship types it asks for, in the order of `core.questions.asked`.
        wanted_types: entity types it asks to be listed ("which drugs").
        inherited: names of medicines that no graph knows, of the clause before, when it names none.
        one_of_several: the same is asked of other medicines, each in a clause of its own.
        titled: the title of the one document that it is asked of, where it is asked of each; else empty.
        documents: ids of the documents that it is asked of alone; none means all that are searched.
        called: the question says what its document is called, so that it is surely asked.
        among: of what it asks something of each, where not each is asked; else None.
        unsaid: nothing but their names is said ("compare X and Y"): what each is for is looked up.
        beside: its document is quoted beside what the graph answers to the whole question.
        plan: what it asks of the graph; None where it asks nothing of it.
        leaflet: what it asks of documents; None where nothing read that.
        mentioned: the documents that have the words it asks for, where it asks for nothing else.
        named_in: where it is asked of each document, where that one names what it names.
        spoken: as it was asked, where `text` is that in the words of another language.
    """

    text: str
    entities: tuple[Entity, ...] = ()
    sections: tuple[str, ...] = ()
    relationships: tuple[str, ...] = ()
    wanted_types: tuple[str, ...] = field(default=())
    one_of_several: bool = False
    titled: str = ""
    documents: tuple[str, ...] = ()
    called: bool = False
    among: Among | None = None
    unsaid: bool = False
    beside: bool = False
    plan: ReadPlan | None = None
    leaflet: DocumentPlan | None = None
    mentioned: Mentioned | None = None
    named_in: MentioningDocument | None = None
    inherited: tuple[str, ...] = ()
    spoken: str = ""

    @property
    def is_of_documents(self) -> bool:
        """Whether the graph has no part in what it asks."""
        return self.beside or self.mentioned is not None

    @property
    def asks_list(self) -> bool:
        """Whether it asks for entities to be listed: by its keywords, or in another language, as these are
        English, by its plan."""
        read = self.plan
        if self.wanted_types or read is None or read.language == ENGLISH:
            return bool(self.wanted_types)
        return read.names_set and read.plan.want is Want.LIST

    def in_words(self, put: Callable[[str], str]) -> Clause:
        """The clause, and the illnesses and partners that it names, in the words of another language; what
        else it asks for was read from its own.

        Args:
            put: a text into that language.
        """
        plan = self.leaflet
        if plan is not None:
            conditions = (
                replace(one, name=replace(one.name, text=put(one.name.text)))
                if isinstance(one, Illness | Partner)
                else one
                for one in plan.conditions
            )
            plan = replace(plan, conditions=tuple(conditions))
        return replace(self, text=put(self.text), spoken=self.text, leaflet=plan)

    @property
    def search_text(self) -> str:
        """What to search for: the clause, with the names it inherited."""
        missing = [e.name for e in self.entities if e.name.casefold() not in self.text.casefold()]
        names = [name for name in missing if not self._names_synonym(name)]
        names = [*self.inherited, *names]
        return f"{self.text} ({', '.join(names)})" if names else self.text

    def _names_synonym(self, name: str) -> bool:
        entity = next(e for e in self.entities if e.name == name)
        folded = self.text.casefold()
        return any(synonym.casefold() in folded for synonym in entity.synonyms)


def split_question(question: str) -> list[str]:
    """The clauses of a question, in order; the question itself when it has one only."""
    parts = [part.strip(" ,;?.!") for part in _SPLIT.split(question.strip())]
    clauses: list[str] = []
    for part in filter(None, parts):
        # "..., what should I do?" and "..., how often?" ask nothing alone, nor does "Warfarin, ...": these join
        # the other.
        unfinished = bool(clauses) and (
            len(clauses[-1].split()) < 2
            or bool(_SAID.match(clauses[-1]))
            or _only_limits(clauses[-1])
            or (_asks_nothing(clauses[-1]) and len(content_words(part)) <= _FEW_WORDS)
        )
        full = len(clauses) == _MOST_CLAUSES
        if clauses and (unfinished or full or _SAYS_NOTHING.issuperset(content_words(part))):
            clauses[-1] = f"{clauses[-1]}, {part}"
        else:
            clauses.append(part)
    return clauses or [question.strip()]


def _only_limits(clause: str) -> bool:
    asked = re.search(rf"\b{QUESTION_WORD}\b", clause, re.IGNORECASE)
    return bool(_LIMITS.match(clause)) and asked is None


def _asks_nothing(clause: str) -> bool:
    """Whether a clause says what is spoken of alone: "X for migraine" of "X for migraine, what dose?"."""
    return not _OF_SENTENCES.search(clause)


def sides(question: str) -> list[tuple[str, str]]:
    """What stands before and behind each "and" of a question, without the marks around it."""
    return [
        (question[: one.start()].strip(" ,;?.!"), question[one.end() :].strip(" ,;?.!"))
        for one in _AND.finditer(question)
    ]


def one_clause(text: str, find: Callable[[str], Sequence[Entity]]) -> Clause:
    """A text as one clause, without a plan.

    Args:
        find: entities named in a text.
    """
    return Clause(
        text=text,
        entities=tuple(find(text)),
        sections=asked_sections(text),
        relationships=asked_relationships(text),
        wanted_types=asked_types(text),
    )


def read_clauses(
    question: str,
    find: Callable[[str], Sequence[Entity]],
    named: Callable[[str], Sequence[tuple[int, int]]] = lambda _: (),
    of_each: Callable[[Clause, Sequence[Clause]], bool] = lambda clause, _: bool(clause.sections),
) -> list[Clause]:
    """The clauses of a question with what each asks for.

    Args:
        find: entities named in a text.
        named: where a text names medicines, also those that are no entities.
        of_each: whether a clause on several medicines asks something of each alone; with the clauses that
            would do so.
    """
    clauses: list[Clause] = []
    for text in split_question(question):
        clause = one_clause(text, lambda each: find(without_other_than(each)))
        if not clause.entities and clauses:
            clause = replace(clause, entities=clauses[-1].entities)
        clauses.append(clause)
    apart = [one for clause in clauses for one in _one_by_one(clause, named, of_each)]
    # None of the medicines may be forgotten: too many are asked about together.
    return apart if len(apart) <= _MOST_CLAUSES else clauses


@dataclass(frozen=True, slots=True)
class _Medicine:
    """A medicine that a clause asks about.

    Attributes:
        names: that the clause may have for it.
        place: where it is named first; None where the clause before named it ("they").
        entities: those that it is.
    """

    names: tuple[str, ...]
    place: tuple[int, int] | None
    entities: tuple[Entity, ...] = ()


def _one_by_one(
    clause: Clause,
    named: Callable[[str], Sequence[tuple[int, int]]],
    of_each: Callable[[Clause, Sequence[Clause]], bool],
) -> list[Clause]:
    """A clause for each medicine where leaflets tell of each alone ("the storage of X and Y")."""
    together = "interactions" in clause.sections or "INTERACTS_WITH" in clause.relationships
    if together or clause.wanted_types:
        return [clause]
    medicines = _medicines(clause, named(clause.text))
    places = sorted(one.place for one in medicines if one.place)
    surely = bool(clause.sections) and all(one.entities for one in medicines)
    joined = _are_joined if surely else _are_side_by_side
    if len(medicines) < 2 or not joined(clause.text, places):
        return [clause]
    apart = []
    for one in medicines:
        others = [each for each in medicines if each is not one]
        left_out = {entity.id for each in others for entity in each.entities}
        kept = tuple(entity for entity in clause.entities if entity.id not in left_out)
        text = _about(one, others, places, clause.text)
        apart.append(replace(clause, text=text, entities=kept, one_of_several=True))
    return apart if of_each(clause, apart) else [clause]


def _medicines(clause: Clause, named: Sequence[tuple[int, int]]) -> list[_Medicine]:
    """The medicines that a clause asks about; names side by side are one ("dimethyl fumarate")."""
    text = clause.text
    found = [
        _Medicine((one.name, *one.synonyms), _place(text, one), (one,))
        for one in clause.entities
        if one.type == "Drug"
    ]
    for start, end in named:
        name = text[start:end]
        if not any(_is_at(one, start, end) or _is_called(one, name) for one in found):
            found.append(_Medicine((name,), (start, end)))
    medicines: list[_Medicine] = []
    for one in sorted(found, key=lambda each: each.place or (0, 0)):
        last = medicines[-1] if medicines else None
        if (
            last
            and last.place
            and one.place
            and _BESIDE.fullmatch(text[last.place[1] : one.place[0]])
        ):
            place = last.place[0], one.place[1]
            parts = [*last.names, *one.names] if last.entities or one.entities else []
            names = text[slice(*place)], *parts
            medicines[-1] = _Medicine(names, place, last.entities + one.entities)
        else:
            medicines.append(one)
    return [one for one in medicines if not (one.place and is_not_taken(text, one.place[0]))]


def _is_at(one: _Medicine, start: int, end: int) -> bool:
    return one.place is not None and start < one.place[1] and one.place[0] < end


def _is_called(one: _Medicine, name: str) -> bool:
    return name.casefold() in map(str.casefold, one.names)


def _about(
    one: _Medicine, others: Sequence[_Medicine], places: Sequence[tuple[int, int]], text: str
) -> str:
    """A text on several medicines as one on one of them."""
    between = [text[end:start] for (_, end), (start, _) in pairwise(places)]
    if one.place and all(map(_JOINED_ALONE.fullmatch, between)):
        whole = f"{text[: places[0][0]]}{text[slice(*one.place)]}{text[places[-1][1] :]}"
        return " ".join(whole.strip(" ,;").split())
    names = [name for each in others for name in each.names]
    spoken = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    said = re.compile(
        rf"\s*\b(?:{spoken})\b\s*(?:,|{_JOINING}\b)|(?:,|\b{_JOINING})?\s*\b(?:{spoken})\b",
        re.IGNORECASE,
    )
    return " ".join(said.sub(" ", text).split())


def _are_joined(text: str, places: Sequence[tuple[int, int]]) -> bool:
    """Whether medicines stand side by side in a text ("X, Y or Z"): of "the dose of X for a patient taking Y"
    one is asked about, and the other is taken beside it."""
    if places and _WITH.search(_COMPARED.sub("", text[: places[-1][0]])):
        return False
    for (_, end), (start, _) in pairwise(places):
        between = text[end:start]
        compared = _COMPARED.search(between)
        if not compared and (not _JOINED.search(between) or is_taken_beside(text, start)):
            return False
    return True


def _are_side_by_side(text: str, places: Sequence[tuple[int, int]]) -> bool:
    """Whether nothing but what joins them stands between medicines, or they are held against each other: of
    "the time between X and Y" and "stopped X, and now wants Y" neither is asked about alone."""
    if not places or not _are_joined(text, places):
        return False
    before = text[: places[0][0]]
    if _BETWEEN.search(before) and not _DIFFERENCE.search(before):
        return False
    return all(
        _JOINED_ALONE.fullmatch(text[end:start]) or _AGAINST.fullmatch(text[end:start])
        for (_, end), (start, _) in pairwise(places)
    )


def _place(text: str, drug: Entity) -> tuple[int, int] | None:
    """Where a medicine is named first; None where the question before named it ("they")."""
    spoken = "|".join(map(re.escape, sorted((drug.name, *drug.synonyms), key=len, reverse=True)))
    found = re.search(rf"\b(?:{spoken})\b", text, re.IGNORECASE)
    return found.span() if found else None
