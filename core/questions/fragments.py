"""Questions that go on with the one before without a verb of their own: "And with clarithromycin?".

What such a question names plays a part, told by its preposition. What played the same part in the
question before is replaced, and the rest taken over: "Can I take atorvastatin with grapefruit?" becomes
"Can I take atorvastatin with clarithromycin?". Without a preposition ("What about ibuprofen?") it
replaces the one name of its type, or the one that has no preposition. A patient or a state of one ("And in
children?") takes the place of another, or is added: "What is the dose of warfarin in children?". Where the
parts cannot be told, what the question before was about is kept beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.domain.graph import Entity, Mention
from core.domain.leaflets.conditions import (
    Age,
    BreastFeeding,
    DocumentCondition,
    KidneyFunction,
    LiverFunction,
    PatientGroup,
    Pregnancy,
    Weight,
)
from core.questions.asked import asked_sections
from core.questions.clauses import split_question
from core.questions.leaflets.ages import overlap
from core.questions.leaflets.lexicon import lexicon_of
from core.questions.leaflets.reader import conditions_of, unread
from core.resources import read_table
from core.text.language import language

_TABLE = read_table(__file__, "fragments.toml")
_PASSED_OVER, _PREPOSITIONS, _DETERMINERS, _OF, _OF_SENTENCES = (
    frozenset(_TABLE[name].split())
    for name in ("passed_over", "prepositions", "determiners", "of", "of_sentences")
)
# What a question that goes on begins with.
OPENER = re.compile(rf"\s*(?:{'|'.join(_TABLE['openers'])})\b[\s,]*", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:[-'’/][^\W_]+)*|[^\w\s]")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_ENDS = "?.!"  # of sentences
_MOST_WORDS = 8  # of a fragment; more are a sentence
_LONGEST_PERSON = 6  # words that say how old somebody is
_LONGEST_PHRASE = 4  # words of what is replaced, where it is no entity's name
_DRUG = "Drug"
_ILLNESSES = frozenset({"Disease", "ClinicalDisease", "Phenotype"})
_WHO = (Age, PatientGroup, Weight)
_AGED = (Age, PatientGroup)
_OF_PERSON = (*_WHO, KidneyFunction, LiverFunction, Pregnancy, BreastFeeding)

Find = Callable[[str], Sequence[tuple[Mention, Entity]]]


@dataclass(frozen=True, slots=True)
class _Phrase:
    """``text[start:end]``, without determiners, with the preposition before it, or "".

    Attributes:
        opens: where its preposition begins, or itself.
        measured: whether a number stands in it, and no entity ("of 25 kg").
    """

    part: str
    opens: int
    start: int
    end: int
    words: int
    named: tuple[tuple[Mention, Entity], ...]
    measured: bool = False

    @property
    def types(self) -> set[str]:
        return {entity.type for _, entity in self.named}

    @property
    def is_name(self) -> bool:
        """Whether it is the names of entities, and nothing beside them."""
        return bool(self.named) and self.named[0][0].start <= self.start <= self.end == (
            self.named[-1][0].end
        )

    @property
    def replaced(self) -> tuple[int, int]:
        """From its beginning to its last name; all of it where it has none."""
        return self.start, self.named[-1][0].end if self.named else self.end


def filled(question: str, before: str, find: Find) -> str:
    """A fragment as the whole question that it stands for; "" where it is none, or nothing before it has
    a part that it could play.

    Args:
        before: the question before, as it was read.
        find: the entities that a text names, with their places.
    """
    if whole := _with_number(question, before):
        return whole
    if not (own := _fragment(question, find)):
        return ""
    tells_patient = language(question) == language(before)
    tells_patient &= all(_is_state(one, question) for one in _measured(own, question))
    tells_patient &= not (own[0].measured and own[0].part in _OF)
    for clause in reversed(split_question(before)):
        phrases = list(_phrases(clause, 0, find))
        if tells_patient and _has_subject(phrases, own):
            opener = OPENER.match(question)
            begin = own[0].opens if own[0].part or opener is None else opener.end()
            person = question[begin:].rstrip(" ?.!")
            bare = person[len(own[0].part) :].strip()
            if whole := _with_patient(clause, phrases, person, bare):
                return whole
        places = [_place(one, phrases) for one in own]
        if all(place is not None for place in places):
            said = (question[one.start : one.end] for one in own)
            put = [(place, words) for place, words in zip(places, said, strict=True) if place]
            whole = _replaced(clause, put)
            if _names_all(question, whole, find):  # no two took one place
                return whole
    return _beside(question, own, before, find)


def _with_number(question: str, before: str) -> str:
    """A question that says a number alone ("And 35?") in the place of the one that measured the patient."""
    number = OPENER.sub("", question, count=1).strip(" ?.!")
    if not _NUMBER.fullmatch(number):
        return ""
    asked = _of_person(before)
    put = [_replaced(before, [(one.span(), number)]) for one in _NUMBER.finditer(before)]
    put = [one for one in put if len(told := _of_person(one)) == len(asked) and told != asked]
    return put[0] if len(put) == 1 else ""


def _of_person(text: str) -> list[DocumentCondition]:
    return [one for one in conditions_of(text) if isinstance(one, _OF_PERSON)]


def _names_all(question: str, whole: str, find: Find) -> bool:
    """Whether `whole` has each name of a question; one that nobody knows as it is written."""
    ids = {entity.id for _, entity in find(whole)}
    return all(one.id in ids if one.id else one.name in whole for _, one in find(question))


def _is_state(phrase: _Phrase, text: str) -> bool:
    """Whether a phrase with a preposition is a patient or a state of one, and asks for no section of its own
    ("in pregnancy")."""
    said = text[phrase.opens : phrase.end]
    if not phrase.part:
        return _is_person(said)
    illness = bool(phrase.named) and phrase.types <= _ILLNESSES
    return not asked_sections(said) and (illness or bool(conditions_of(said)))


def _has_subject(phrases: Sequence[_Phrase], own: Sequence[_Phrase]) -> bool:
    """Whether a clause names what a patient could be told of; beside an illness, that is a medicine."""
    types = {name for phrase in phrases for name in phrase.types}
    return bool(types) and (_DRUG in types or not any(phrase.named for phrase in own))


def _with_patient(clause: str, phrases: Sequence[_Phrase], said: str, bare: str) -> str:
    """A clause with a patient, or a state of one, in the place of those of the same kind, or added. Somebody of
    another age is another person, and takes over nothing that was said of the one before.

    Args:
        said: the patient, with a preposition where the question has one.
        bare: the same without it.

    Returns:
        "" where a patient without a preposition has no place.
    """
    whole = _measured(phrases, clause)
    now = conditions_of(said)
    kinds = {_kind(one) for one in now} or {False}
    # "Of X should a child take" is of a medicine, whoever takes it.
    told = [
        (one, conditions_of(clause[one.opens : one.end]))
        for one in whole
        if one.part and _DRUG not in one.types
    ]
    gone = [
        one
        for one, say in told
        if (_is_state(one, clause) and ({_kind(known) for known in say} or {False}) & kinds)
        or (
            True in kinds
            and not say
            and one.part not in _OF
            and _is_somebody(clause[one.start : one.end])
        )
    ]
    if any(isinstance(one, _AGED) for one in now) and not overlap(now, conditions_of(clause)):
        gone += _taken_by(whole, gone)
        gone += [one for one, say in told if any(isinstance(known, _OF_PERSON) for known in say)]
    if not gone:
        # "Under 12 years" is nobody without its "under", and a weight is nobody at all.
        is_person = any(isinstance(one, _AGED) for one in now) and conditions_of(bare) == now
        doer = _person(clause) if is_person else None
        if doer is None and said == bare:
            return ""
        return _replaced(clause, [(doer, bare)]) if doer else f"{clause.rstrip(' ?.!')} {said}?"
    first, *others = sorted({one.opens: one for one in gone}.values(), key=lambda one: one.opens)
    for one in reversed(others):
        clause = f"{clause[: one.opens].rstrip()}{clause[one.end :]}"
    return _replaced(
        clause, [((first.opens, first.end), f"{first.part} {said}" if said == bare else said)]
    )


def _measured(phrases: Sequence[_Phrase], text: str) -> list[_Phrase]:
    """Phrases, each with the number that measures it: "a clearance of 20 mL/min", "children under 3 months"."""
    found: list[_Phrase] = []
    for one in phrases:
        if found and one.measured and (one.part in _OF or _is_measure_of(one, found[-1], text)):
            found[-1] = replace(found[-1], end=one.end, words=found[-1].words + one.words)
        else:
            found.append(one)
    return found


def _is_measure_of(one: _Phrase, before: _Phrase, text: str) -> bool:
    """Whether a number is somebody's only together with the phrase before it."""
    alone, both = text[one.opens : one.end], text[before.opens : one.end]
    return not conditions_of(alone) and bool(conditions_of(both)) and before.end <= one.opens


def _taken_by(phrases: Sequence[_Phrase], people: Sequence[_Phrase]) -> list[_Phrase]:
    """What is said to be taken behind the patient who takes it ("an adult on X"), beside the medicine that is
    asked about."""
    behind = min((one.end for one in people), default=None)
    if behind is None or not any(_DRUG in one.types for one in phrases if one.opens < behind):
        return []
    return [
        one
        for one in phrases
        if one.opens >= behind and one.types == {_DRUG} and one.part and one.part not in _OF
    ]


def _person(text: str) -> tuple[int, int] | None:
    """The place of the one person of an age who stands in no phrase of their own ("may an adult take", "may an
    8 year old take"), with who that is and a determiner; None where there is none, or several."""
    written = [match for match in _WORD.finditer(text) if match[0][0].isalnum()]
    said = _ages_in(text)
    found: list[tuple[int, int]] = []
    for most in range(1, _LONGEST_PERSON + 1) if said else ():
        found = [
            (first, first + most)
            for first in range(len(written) - most + 1)
            if _ages_in(text[written[first].start() : written[first + most - 1].end()]) == said
        ]
        if found:
            break
    if len(found) != 1:
        return None
    (first, last), left_of = found[0], [match[0].casefold() for match in written]
    if first and _is_somebody(left_of[first - 1]):
        first -= 1
    if first and left_of[first - 1] in _DETERMINERS:
        first -= 1
    if left_of[last : last + 1] and _is_somebody(left_of[last]):
        last += 1
    start = written[first].start()
    # What else is said of them goes with it: "a child weighing 35 kg".
    told = [
        sum(isinstance(one, _OF_PERSON) for one in conditions_of(text[start : each.end()]))
        for each in written[last - 1 : last + _LONGEST_PHRASE]
    ]
    return start, written[last - 1 + told.index(max(told))].end()


def _is_person(text: str) -> bool:
    """Whether a text says how old somebody is, and nothing else: "an adult", "children under 12 years"."""
    said = conditions_of(text)
    return bool(said) and all(isinstance(one, _AGED) for one in said) and not unread(text)


def _ages_in(text: str) -> set[DocumentCondition]:
    return {one for one in conditions_of(text) if isinstance(one, _AGED)}


def _is_somebody(text: str) -> bool:
    """Whether a text is a word for somebody ("patient") alone."""
    return lexicon_of(text).pattern("people", "words", frame=r"^(?:{})$").match(text) is not None


def _kind(condition: DocumentCondition) -> bool:
    """Whether a condition says who the patient is, and not how."""
    return isinstance(condition, _WHO)


def _fragment(question: str, find: Find) -> list[_Phrase]:
    """The phrases of a fragment; none where a question is a sentence, or asks for something else than
    what it names."""
    opener = OPENER.match(question)
    start = opener.end() if opener else 0
    written = list(_WORD.finditer(question, start))
    words = [match for match in written if match[0] not in _ENDS]
    if any(one[0] in _ENDS and one.start() < words[-1].start() for one in written if words):
        return []  # two sentences
    while words and words[0][0].casefold() in _PASSED_OVER:
        words = words[1:]
    plain = [match[0].casefold() for match in words]
    if not plain or len(plain) > _MOST_WORDS or _OF_SENTENCES.intersection(plain):
        return []
    if opener is None and plain[0] not in _PREPOSITIONS:
        return []
    found = list(_phrases(question, words[0].start(), find))
    known = all(
        one.part or one.is_name or _is_person(question[one.start : one.end]) for one in found
    )
    return found if known else []


def _phrases(text: str, start: int, find: Find) -> Iterator[_Phrase]:
    """The phrases between prepositions, marks and the beginning and end of a text."""
    named = [one for one in find(text) if one[0].start >= start]
    part, opens, words = "", start, list[re.Match[str]]()

    def told() -> Iterator[_Phrase]:
        if words:
            first, last = words[0].start(), words[-1].end()
            inside = tuple(one for one in named if first <= one[0].start < last)
            measured = not inside and any(char.isdigit() for char in text[first:last])
            begin = opens if part else first
            yield _Phrase(part, begin, first, last, len(words), inside, measured)
            words.clear()

    for match in _WORD.finditer(text, start):
        plain = match[0].casefold()
        within = any(m.start < match.start() < m.end for m, _ in named)
        if within:
            words.append(match)
        elif plain in _PREPOSITIONS or not plain[0].isalnum():
            yield from told()
            part, opens = (plain if plain in _PREPOSITIONS else ""), match.start()
        elif words or plain not in _DETERMINERS:
            words.append(match)
    yield from told()


def _place(own: _Phrase, phrases: Sequence[_Phrase]) -> tuple[int, int] | None:
    """Where in the question before stands what played the part of a fragment's phrase; None where that
    cannot be told."""
    if own.part:
        same = [one for one in phrases if one.part == own.part and _may_replace(own, one)]
        if own.measured and len(same) > 1:
            same = [one for one in same if one.measured]
        if len(same) > 1:  # "the volume of distribution of adalimumab"
            same = [one for one in same if own.named and one.types == own.types]
        if not same and own.part in _OF and own.types == {_DRUG}:
            return _alike(own, phrases)  # "salbutamol side effects" has no "of"
        if len(same) != 1:
            return None
        start, end = same[0].replaced
        # What measures it goes with it: "for a child of 25 kg".
        behind = phrases[phrases.index(same[0]) + 1 :][:1]
        described = [one.end for one in behind if one.measured and one.part in _OF]
        return start, max([end, *described])
    return _alike(own, phrases)


def _alike(own: _Phrase, phrases: Sequence[_Phrase]) -> tuple[int, int] | None:
    """The place of the one name of the same type, or of the one without a preposition."""
    alike = [
        (phrase, mention)
        for phrase in phrases
        for mention, entity in phrase.named
        if {entity.type} == own.types
    ]
    bare = [one for one in alike if not one[0].part]
    only = alike if len(alike) == 1 else bare
    return (only[0][1].start, only[0][1].end) if len(only) == 1 else None


def _may_replace(own: _Phrase, other: _Phrase) -> bool:
    if own.named and other.named:
        return own.types == other.types
    return bool(other.named) or other.words <= _LONGEST_PHRASE


def _replaced(text: str, put: Sequence[tuple[tuple[int, int], str]]) -> str:
    for (start, end), words in sorted(put, reverse=True):
        text = f"{text[:start]}{words}{text[end:]}"
    return f"{text.rstrip(' ?.!')}?"


def _beside(question: str, own: Sequence[_Phrase], before: str, find: Find) -> str:
    """A fragment that names something, with the subject of the question before beside it."""
    said = {entity.id for phrase in own for _, entity in phrase.named}
    phrases = list(_phrases(before, 0, find))
    if not said or "" in said:  # a name that nobody knows stands for itself
        return ""
    named = [(phrase, entity) for phrase in phrases for _, entity in phrase.named]
    drugs = [one for one in named if one[1].type == _DRUG] or named
    bare = [one for one in drugs if not one[0].part] or drugs
    names = dict.fromkeys(entity.name for _, entity in bare if entity.id not in said)
    return f"{question.rstrip(' ?.!')} ({', '.join(names)})?" if names else ""
