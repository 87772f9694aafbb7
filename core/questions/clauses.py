"""A question taken apart: its clauses, with what each of them asks for.

Keywords only; no model decides how a question is read (KG-49).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from core.domain.graph import Entity
from core.domain.leaflets.plan import DocumentPlan
from core.questions.asked import QUESTION_WORD, asked_relationships, asked_sections, asked_types
from core.questions.leaflets.names import is_not_taken, is_taken_beside, without_other_than
from core.questions.planned import ReadPlan
from core.text.stems import content_words

# "..., and when must ..." begins a new clause; "aspirin and ibuprofen" does not.
_SPLIT = re.compile(
    rf"[?;]\s+(?:and\s+|but\s+)?|,?\s+(?:and|but|also)\s+(?={QUESTION_WORD}\b)|,\s+(?={QUESTION_WORD}\b)",
    re.IGNORECASE,
)

_JOINING = r"(?:and|or|than|versus|vs|und|oder)"
_JOINED = re.compile(rf"[,;/&+]|\b{_JOINING}\b|\ben\b|^\s*of\s*$", re.IGNORECASE)
_AND = re.compile(r",?\s+(?:and|as well as|und|sowie|en)\s+", re.IGNORECASE)
_WITH = re.compile(r"\b(?:with|mit|plus)\b|\+", re.IGNORECASE)
# What somebody says before asking ("I am pregnant, can I take X?") belongs to the question.
_SAID = re.compile(r"(?:I|I['’]m|my|we|our|he|she|his|her|they|ich|mein\w*)\b", re.IGNORECASE)

# So does what limits the question ("In heart failure, what is the highest dose of X?").
_LIMITS = re.compile(
    r"(?:in|for|with|without|on|at|after|during|under|if|given|bei|mit|ohne|für|nach|wenn|falls|bij|met|zonder|voor|na|als)\b",
    re.IGNORECASE,
)

_MOST_CLAUSES = 6  # each costs a search and a pass of the embedding model; the last takes the rest


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
        plan: what it asks of the graph; None where it asks nothing of it.
        leaflet: what it asks of documents; None where nothing read that.
        spoken: as it was asked, where `text` is that in the words of another language.
    """

    text: str
    entities: tuple[Entity, ...] = ()
    sections: tuple[str, ...] = ()
    relationships: tuple[str, ...] = ()
    wanted_types: tuple[str, ...] = field(default=())
    one_of_several: bool = False
    plan: ReadPlan | None = None
    leaflet: DocumentPlan | None = None
    inherited: tuple[str, ...] = ()
    spoken: str = ""

    def in_words(self, text: str) -> Clause:
        """The clause in the words of another language; what it asks for was read from its own."""
        return replace(self, text=text, spoken=self.text)

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
        # "..., what should I do?" asks nothing alone, nor does "Warfarin, ..."; both join the other.
        unfinished = bool(clauses) and (
            len(clauses[-1].split()) < 2
            or bool(_SAID.match(clauses[-1]))
            or _only_limits(clauses[-1])
        )
        full = len(clauses) == _MOST_CLAUSES
        if clauses and (unfinished or full or not content_words(part)):
            clauses[-1] = f"{clauses[-1]}, {part}"
        else:
            clauses.append(part)
    return clauses or [question.strip()]


def _only_limits(clause: str) -> bool:
    asked = re.search(rf"\b{QUESTION_WORD}\b", clause, re.IGNORECASE)
    return bool(_LIMITS.match(clause)) and asked is None


def sides(question: str) -> list[tuple[str, str]]:
    """What stands before and behind each "and" of a question, without the marks around it."""
    return [
        (question[: one.start()].strip(" ,;?.!"), question[one.end() :].strip(" ,;?.!"))
        for one in _AND.finditer(question)
    ]


def read_clauses(question: str, find: Callable[[str], Sequence[Entity]]) -> list[Clause]:
    """The clauses of a question with what each asks for.

    Args:
        find: entities named in a text.
    """
    clauses: list[Clause] = []
    for text in split_question(question):
        clause = Clause(
            text=text,
            entities=tuple(find(without_other_than(text))),
            sections=asked_sections(text),
            relationships=asked_relationships(text),
            wanted_types=asked_types(text),
        )
        if not clause.entities and clauses:
            clause = replace(clause, entities=clauses[-1].entities)
        clauses.append(clause)
    apart = [one for clause in clauses for one in _one_by_one(clause)]
    # None of the medicines may be forgotten: too many are asked about together.
    return apart if len(apart) <= _MOST_CLAUSES else clauses


def _one_by_one(clause: Clause) -> list[Clause]:
    """A clause for each medicine where leaflets tell of each alone ("the storage of X and Y")."""
    drugs = [
        entity
        for entity in clause.entities
        if entity.type == "Drug" and not _is_not_taken(clause.text, entity)
    ]
    together = "interactions" in clause.sections or "INTERACTS_WITH" in clause.relationships
    together = together or bool(_WITH.search(clause.text))
    if len(drugs) < 2 or together or clause.wanted_types or not clause.sections:
        return [clause]
    if not _are_joined(clause.text, drugs):
        return [clause]
    found = []
    for drug in drugs:
        others = [one for one in drugs if one is not drug]
        names = {name for one in others for name in (one.name, *one.synonyms)}
        spoken = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
        named = re.compile(
            rf"\s*\b(?:{spoken})\b\s*(?:,|{_JOINING}\b)|(?:,|\b{_JOINING})?\s*\b(?:{spoken})\b",
            re.IGNORECASE,
        )
        text = " ".join(named.sub(" ", clause.text).split())
        kept = tuple(one for one in clause.entities if one not in others)
        found.append(replace(clause, text=text, entities=kept, one_of_several=True))
    return found


def _are_joined(text: str, drugs: Sequence[Entity]) -> bool:
    """Whether medicines stand side by side in a text ("X, Y or Z"): of "the dose of X for a patient taking Y"
    one is asked about, and the other is taken beside it."""
    places = sorted(place for drug in drugs if (place := _place(text, drug)))
    for (_, end), (start, _) in pairwise(places):
        if not _JOINED.search(text[end:start]) or is_taken_beside(text, start):
            return False
    return True


def _is_not_taken(text: str, drug: Entity) -> bool:
    """Whether a medicine is said not to be taken: nothing is asked of it then."""
    place = _place(text, drug)
    return place is not None and is_not_taken(text, place[0])


def _place(text: str, drug: Entity) -> tuple[int, int] | None:
    """Where a medicine is named first; None where the question before named it ("they")."""
    spoken = "|".join(map(re.escape, sorted((drug.name, *drug.synonyms), key=len, reverse=True)))
    found = re.search(rf"\b(?:{spoken})\b", text, re.IGNORECASE)
    return found.span() if found else None
