"""A question read as a plan for documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import lru_cache

from core.documents.cutting.sections import SECTION_CODES
from core.domain.leaflets.conditions import (
    Age,
    BreastFeeding,
    DocumentCondition,
    Illness,
    KidneyFunction,
    LiverFunction,
    Partner,
    PatientGroup,
    Pregnancy,
    Range,
    Weight,
)
from core.domain.leaflets.plan import (
    ADVERSE_REACTIONS,
    CONTRAINDICATIONS,
    Aspect,
    DocumentPlan,
    Wanted,
)
from core.domain.plans import Named
from core.domain.vectors import Vector, Vectors
from core.errors import ModelError
from core.questions.asked import asked_spans
from core.questions.leaflets.choice import KIND, MASKS, SECTION, choices, masked
from core.questions.leaflets.clearances import names_medicines_own
from core.questions.leaflets.lexicon import lexicon_of
from core.questions.leaflets.measures import names_change, read_amounts, read_measures
from core.questions.leaflets.names import FindNames, Medicine, medicines, read_illnesses, read_names
from core.questions.leaflets.phrasings import words_of
from core.questions.leaflets.question_text import WORD, QuestionText
from core.questions.leaflets.states import (
    child_pugh_in,
    degrees_in,
    names_dialysis_beside,
    read_states,
)
from core.questions.leaflets.told.parts import parts_of, with_units_of_series
from core.questions.leaflets.wording import said
from core.text.language import language
from core.text.spelling.everyday import is_everyday
from core.text.spelling.medicines import is_medicine
from core.text.stems import content_words

Encode = Callable[[Sequence[str]], Vectors]

# Probability from which on an aspect is told; below it is unknown. Of another author's questions .73 were
# told so, .82 of these rightly (bench/README.md).
_LEAST = 0.5
_BESIDE = 0.2  # the same, of a second aspect beside the first
_LEAST_KIND = 0.5  # .87 told, .82 of these rightly
_INTERACTIONS = "interactions"
_POSOLOGY = "posology"
# "Weight (age): 16 - 19 kg (4 - 5 years)" of a table's row: what stands in brackets
# has its head in brackets.
_HEADED_TWICE = re.compile(
    r"(?:^|; )(?P<head>[^;:()]+) \((?P<other>[^()]+)\): (?P<value>[^;()]+) \((?P<beside>[^;()]+)\)"
)
_FEW_WORDS = 2  # beside the medicine: "what is ...?" asks for no section
_REMEMBERED = 512  # questions whose vectors are kept
# Texts whose conditions are kept, as each takes a millisecond: about as many as the statements that
# `core.evidence.blocks` keeps, most of which tell none.
_STATEMENTS = 65_536


@dataclass(frozen=True, slots=True)
class Leanings:
    """Probabilities of sections and of kinds of things, likeliest first; `sections` is empty where names
    and numbers alone are said."""

    sections: Mapping[str, float]
    kinds: Mapping[str, float]


def conditions_of(text: str) -> tuple[DocumentCondition, ...]:
    """What a question says of patients and products."""
    return _in_order(_states_of(text))


def _in_order(marked: QuestionText) -> tuple[DocumentCondition, ...]:
    return tuple(one for _, one in sorted(marked.conditions, key=lambda pair: pair[0]))


def unread(text: str) -> tuple[str, ...]:
    """The words of a question that say nothing of patients and products; somebody's age makes "daughter" a
    patient."""
    marked = _states_of(text)
    return _left_over(marked, known=marked.has(Age))


def _left_over(marked: QuestionText, *, known: bool) -> tuple[str, ...]:
    """The words of which nothing has been read; none for people of whom something else is known."""
    people = marked.words.pattern("people", "words", frame=r"^(?:{})$")
    return tuple(one for one in marked.left_over() if not (known and people.match(one)))


def _states_of(text: str) -> QuestionText:
    marked = QuestionText.of(text)
    read_measures(marked)
    read_states(marked)
    return marked


def _told_in(
    marked: QuestionText, *, kidneys_unsaid: bool, of_mothers: bool = False
) -> tuple[DocumentCondition, ...]:
    read_measures(marked, told=True, kidneys_unsaid=kidneys_unsaid)
    read_states(marked, told=True, of_mothers=of_mothers)
    return _in_order(marked)


_OF_SOMEBODY = (
    Age, PatientGroup, Weight, Pregnancy, BreastFeeding, KidneyFunction, LiverFunction,
)  # fmt: skip
_BARE = (KidneyFunction(), LiverFunction())  # and nothing said of how much


@lru_cache(maxsize=4_096)
def says_for_whom(text: str) -> bool:
    """Whether a line that stands over a text names an illness, or patients."""
    if not text:
        return False
    if lexicon_of(text).illness().search(text):
        return True
    return any(isinstance(one, _OF_SOMEBODY) for one in conditions_told(text))


@lru_cache(maxsize=4_096)
def says_ages(text: str) -> bool:
    """Whether a line that stands over a text names an age, or a group of patients by their age."""
    return any(isinstance(one, Age | PatientGroup) for one in conditions_told(text))


@lru_cache(maxsize=_STATEMENTS)
def conditions_told(
    text: str, of_medicine: bool = False, of_row: bool = False
) -> tuple[DocumentCondition, ...]:
    """All patients and products that a document's statement speaks of: of several ranges, degrees or
    groups each ("moderate or severe", "10 to 30 mL/min ...; below 10 mL/min ...").

    Args:
        of_medicine: whether it stands where a medicine's own numbers are told: a clearance is no
            patient's there unless it says so.
        of_row: whether it is a told row of a table, without what stands over it, or the first cell of one.
    """
    text = with_units_of_series(text)
    twice = [
        f"; {one['head']}: {one['value']}; {one['other']}: {one['beside']}"
        for one in _HEADED_TWICE.finditer(text)
    ]
    whole = QuestionText.of("".join([text, *twice]))
    if of_row:
        label, _, _ = whole.text.partition("; ")
        whole.label_end = len(label)
    parts = [part for part in parts_of(whole) if part.text]
    kidneys_unsaid = not of_medicine and not names_medicines_own(whole)
    changes = names_change(whole)
    found = dict.fromkeys(_told_in(whole, kidneys_unsaid=kidneys_unsaid))
    of_mothers = any(isinstance(one, Pregnancy | BreastFeeding) for one in found)
    for part in parts if len(parts) > 1 else ():
        found |= {
            one: None
            for one in _told_in(part, kidneys_unsaid=kidneys_unsaid, of_mothers=of_mothers)
            if not (changes and isinstance(one, Weight))
            # Of "normal renal and hepatic function" a part alone does not say that nothing is wrong.
            and not (one in _BARE and all(type(other) is not type(one) for other in found))
        }
    told = list(found)
    kidneys = any(isinstance(one, KidneyFunction) for one in told)
    liver = any(isinstance(one, LiverFunction) for one in told)
    if kidneys != liver:  # of two organs the degrees are not known apart
        told += [
            KidneyFunction(degree=degree) if kidneys else LiverFunction(degree=degree)
            for degree in degrees_in(text)
        ]
    told += [LiverFunction(child_pugh=one) for one in child_pugh_in(text)]
    # Beside a degree or a number the organ alone says nothing.
    bare = {
        one for one in _BARE if any(type(other) is type(one) and other != one for other in told)
    }
    measured = any(isinstance(one, KidneyFunction) and one.clearance for one in told)
    if kidneys and names_dialysis_beside(whole, measured=measured):
        told.append(KidneyFunction())
        bare -= {KidneyFunction()}
    return tuple(
        one
        for one in dict.fromkeys(told)
        if one not in bare and not any(_is_within(one, other) for other in told)
    )


def _is_within(one: DocumentCondition, other: DocumentCondition) -> bool:
    """Whether a range is a part of another that says the same of it: "12 years" of "12 years and older"."""
    mine, others = _range_of(one), _range_of(other)
    if mine is None or others is None or mine[0] != others[0] or mine[1] == others[1]:
        return False
    low, high = mine[1].low, mine[1].high
    whole = others[1]
    from_low = whole.low is None or (low is not None and low >= whole.low)
    to_high = whole.high is None or (high is not None and high <= whole.high)
    return from_low and to_high


def _range_of(one: DocumentCondition) -> tuple[object, Range] | None:
    """The range of a condition that is one, and what it is a range of."""
    if isinstance(one, Age):
        return ("age", one.unit), one.value
    if isinstance(one, Weight):
        return "weight", one.value
    if isinstance(one, KidneyFunction) and one.clearance is not None:
        return replace(one, clearance=None), one.clearance
    return None


class LeafletReader:
    """Reads questions as plans for documents; safe to share between threads.

    Args:
        find: entities that a text names, with their places.
        encode: the bundled embedding model, whatever model the indexes were made with; None, and while
            it fails with ModelError, what is asked for is told by the letters alone.
    """

    def __init__(self, find: FindNames, encode: Encode | None = None) -> None:
        self._find = find
        self._titled: Container[str] = ()
        self._encode = encode
        self._vector = lru_cache(_REMEMBERED)(self._encoded)
        self._leans = lru_cache(_REMEMBERED)(self._told)

    def of_documents(self, titled: Container[str]) -> LeafletReader:
        """The same for documents that are called by these words, case-folded."""
        one = copy(self)
        one._titled = titled
        return one

    def read(self, question: str) -> DocumentPlan:
        """The plan of a question, or of a clause of one."""
        marked = QuestionText.of(question)
        read_measures(marked)
        named = medicines(marked, self._find, self._titled)
        read_states(marked)
        read_amounts(marked, [(one.start, one.end) for one in named])
        leanings = self._leanings(marked, named)
        aspects = _aspects(leanings.sections) if leanings.sections else []
        sections = [one.section for one in aspects]
        subjects = read_names(marked, named, together=_INTERACTIONS in sections)
        read_illnesses(marked, self._find)
        subjects = subjects or _only_partner(marked)
        kind, sure = next(iter(leanings.kinds.items()))
        wanted = Wanted(kind) if sure >= _LEAST_KIND else None
        if wanted is Wanted.FREQUENCY and _is_of_finding(marked):
            aspects, sections = [Aspect(ADVERSE_REACTIONS, round(sure, 4))], [ADVERSE_REACTIONS]
        _take_asking(marked, sections)
        conditions = [one for _, one in sorted(marked.conditions, key=lambda pair: pair[0])]
        left = _left_over(marked, known=bool(conditions))
        plan = DocumentPlan(tuple(subjects), tuple(aspects), tuple(conditions), wanted, left)
        return said(plan)

    def wanted(self, question: str) -> Leanings:
        """Which section and what kind of thing a question, or a clause of one, asks for, as probabilities."""
        marked = QuestionText.of(question)
        read_measures(marked)
        return self._leanings(marked, medicines(marked, self._find, self._titled))

    def vector(self, text: str) -> Vector | None:
        """The embedding of an English text by the bundled model; None without it."""
        return self._vector(text)

    def illnesses(self, text: str) -> tuple[Illness, ...]:
        """The illnesses that a text names, by the graph's names and words of medicine."""
        marked = QuestionText.of(text)
        read_illnesses(marked, self._find)
        return tuple(one for _, one in marked.conditions if isinstance(one, Illness))

    def _leanings(self, marked: QuestionText, named: Sequence[Medicine]) -> Leanings:
        code = language(marked.text)
        text = masked(marked.text, [(one.start, one.end) for one in named], code)
        return self._leans(text, code, marked.is_english)

    def _told(self, text: str, code: str, is_english: bool) -> Leanings:
        """What a masked question in a language asks for."""
        vector = self._vector(text) if is_english else None
        found = choices()
        # Names and numbers alone ask for nothing.
        mask = " ".join(MASKS.get(code, MASKS["en"]))
        masks = {word.group().casefold() for word in WORD.finditer(mask)}
        others = {word.group().casefold() for word in WORD.finditer(text)} - masks
        # "What is it used for?" has no rare word, and asks all the same; "What is it?" does not.
        worded = bool(set(content_words(text)) - masks) or len(others) > _FEW_WORDS
        sections = found[SECTION].probabilities(text, vector) if worded else {}
        return Leanings(sections, found[KIND].probabilities(text, vector))

    def _encoded(self, text: str) -> Vector | None:
        if self._encode is None:
            return None
        try:
            vector: Vector = self._encode([text])[0]
        except ModelError:
            return None
        # The choice was learned with the bundled model, and fits no other.
        return vector if len(vector) == len(choices()[SECTION].meaning) else None


def _only_partner(marked: QuestionText) -> list[Named]:
    """What is taken, of a question that is about nothing else: "how often is hypotension with tizanidine?".
    None where a word that is in no everyday use may be what it is about, and the other taken beside."""
    told = [one for _, one in marked.conditions]
    partners = [one for one in told if isinstance(one, Partner)]
    ill = any(isinstance(one, Illness) for one in told)
    code = language(marked.text)
    if (
        len(partners) != 1
        or not ill
        or not all(is_everyday(one, code) for one in marked.left_over())
    ):
        return []
    name = partners[0].name
    if not is_medicine(name.text.casefold()):
        return []
    marked.conditions[:] = [one for one in marked.conditions if one[1] is not partners[0]]
    return [name]


def _is_of_finding(marked: QuestionText) -> bool:
    """Whether how often a finding comes is asked: what asks so stands right before or behind it."""
    places = [
        (start, start + len(one.name.text))
        for start, one in marked.conditions
        if isinstance(one, Illness)
    ]
    words = "|".join(marked.words.words("frequency", "between"))
    between = re.compile(rf"(?:\W+(?:{words}))*\W+", re.IGNORECASE)
    behind = marked.words.pattern("frequency", "behind", frame=r"\s+(?:{})(?!\w)")
    return any(behind.match(marked.text, end) for _, end in places) or any(
        between.fullmatch(marked.text, asking.end(), start)
        for asking in marked.matches("frequency", "asking")
        for start, _ in places
        if asking.end() < start
    )


def sections_of(plan: DocumentPlan, sections: Sequence[str]) -> tuple[str, ...]:
    """The sections that the keywords of a question ask for; where it asks how often a finding comes, that on
    adverse reactions, and not that on doses, which "how often" asks for otherwise."""
    if not plan.asks_incidence:
        return tuple(sections)
    others = (one for one in sections if one != _POSOLOGY)
    return tuple(dict.fromkeys((ADVERSE_REACTIONS, *others)))


def _aspects(learned: Mapping[str, float]) -> list[Aspect]:
    """The aspects that are clear enough, likeliest first; none where a leaflet has no such section."""
    first = next(iter(learned))
    if learned[first] < _LEAST or first not in SECTION_CODES:
        return []
    return [
        Aspect(name, round(share, 4))
        for name, share in learned.items()
        if name in SECTION_CODES and (name == first or share >= _BESIDE)
    ]


def _take_asking(question: QuestionText, sections: Sequence[str]) -> None:
    """Take the words that ask for these sections: keywords, and words of their phrasings; "never" for one."""
    if CONTRAINDICATIONS in sections[:1]:
        for denied in question.matches("denial", "words"):
            question.take(*denied.span())
    usual = frozenset[str]().union(*(words_of(code) for code in sections))
    for start, end in asked_spans(question.text, sections):
        question.take(start, end)
    for match in WORD.finditer(question.text):
        if question.is_free(*match.span()) and match.group().casefold() in usual:
            question.take(*match.span())
