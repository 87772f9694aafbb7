"""Patients of questions that go on: "And in children?", "What about a 10 year old?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.domain.leaflets.conditions import (
    Age,
    BreastFeeding,
    DocumentCondition,
    Form,
    KidneyFunction,
    LiverFunction,
    PatientGroup,
    Pregnancy,
    Weight,
)
from core.questions.asked import asked_sections, asks
from core.questions.following.phrases import (
    DETERMINERS,
    DRUG,
    GRAMMAR,
    LONGEST_PHRASE,
    OF,
    WORD,
    Find,
    Phrase,
    measured_phrases,
    phrases_in,
    replaced,
    with_behind,
)
from core.questions.leaflets.ages import ages_of, is_of_children, overlap
from core.questions.leaflets.lexicon import lexicon_of
from core.questions.leaflets.names import ILLNESSES
from core.questions.leaflets.reader import conditions_of, unread
from core.text.stems import content_words

_LONGEST_PERSON = 6  # words that say how old somebody is
_WHO = (Age, PatientGroup, Weight)
_AGED = (Age, PatientGroup)
_OF_PERSON = (*_WHO, KidneyFunction, LiverFunction, Pregnancy, BreastFeeding)
_OF_MEASURES, _PERSONS, _OF_SENTENCES = (
    frozenset(GRAMMAR[name].split()) for name in ("of_measures", "persons", "of_sentences")
)
_AS_BEFORE = re.compile(rf"\b(?:{'|'.join(GRAMMAR['as_before'])})\b", re.IGNORECASE)
_OPENING = re.compile(
    rf"\s*(?:(?:{'|'.join(GRAMMAR['openers'])}|{'|'.join(GRAMMAR['ifs'])})\b[\s,]*)+", re.IGNORECASE
)
# What a patient or a product is one of: another takes its place.
_ONE_OF = ((Weight,), (KidneyFunction,), (Form,), (Pregnancy, BreastFeeding))
_EMPTY = re.compile(r"\s*\(\s*\)|(?<=\()\s*,\s*|\s*,(?=\s*[,)])")


def of_person(text: str) -> list[DocumentCondition]:
    """What a text says of who a patient is, and how."""
    return [one for one in conditions_of(text) if isinstance(one, _OF_PERSON)]


def is_state(phrase: Phrase, text: str) -> bool:
    """Whether a phrase with a preposition is a patient or a state of one, and asks for no section of its own
    ("in pregnancy")."""
    said = text[phrase.opens : phrase.end]
    if not phrase.part:
        return is_person(said)
    illness = bool(phrase.named) and phrase.types <= ILLNESSES
    return not asked_sections(said) and (illness or bool(conditions_of(said)))


def has_subject(phrases: Sequence[Phrase], own: Sequence[Phrase]) -> bool:
    """Whether a clause names what a patient could be told of; beside an illness, that is a medicine."""
    types = {name for phrase in phrases for name in phrase.types}
    return bool(types) and (DRUG in types or not any(phrase.named for phrase in own))


def with_patient(
    clause: str, phrases: Sequence[Phrase], said: str, bare: str, *, ill: bool = False
) -> str:
    """A clause with a patient, or a state of one, in the place of those of the same kind, or added. Somebody of
    another age is another person, and takes over nothing that was said of the one before.

    Args:
        said: the patient, with a preposition where the question has one.
        bare: the same without it.
        ill: whether an illness is named, which takes the place of the one before.

    Returns:
        "" where a patient without a preposition has no place.
    """
    if anew := measured_anew(clause, bare):
        return anew
    whole = measured_phrases(phrases, clause)
    now = conditions_of(said)
    kinds = {_kind(one) for one in now} or {False}
    # "Of X should a child take" is of a medicine, whoever takes it.
    told = [
        (one, conditions_of(clause[one.opens : one.end]))
        for one in whole
        if (one.part or _is_bracketed(one, clause)) and DRUG not in one.types
    ]
    # Beside a number, what the medicine is for stays: "and with a clearance of 35?".
    measured = any(map(str.isdigit, said))
    gone = [
        one
        for one, say in told
        if (
            is_state(one, clause)
            and ({_kind(known) for known in say} or {False}) & kinds
            and (say or not measured)
        )
        or (ill and bool(one.named) and one.types <= ILLNESSES)
        or (
            True in kinds
            and not say
            and one.part not in OF
            and _is_somebody(clause[one.start : one.end])
        )
    ]
    if _is_another(now, conditions_of(clause)):
        gone += _taken_by(whole, gone)
        gone += [one for one, say in told if any(isinstance(known, _OF_PERSON) for known in say)]
    if not gone:
        # "Under 12 years" is nobody without its "under", and a weight is nobody at all.
        is_person = any(isinstance(one, _AGED) for one in now) and conditions_of(bare) == now
        doer = _person(clause) if is_person else None
        if doer is None and said == bare:
            return ""
        return replaced(clause, [(doer, bare)]) if doer else f"{clause.rstrip(' ?.!')} {said}?"
    first, *others = sorted({one.opens: one for one in gone}.values(), key=lambda one: one.opens)
    for one in reversed(others):
        clause = f"{clause[: one.opens].rstrip()}{clause[one.end :]}"
    behind = f"{first.part} {said}".lstrip() if said == bare else said
    return replaced(clause, [((first.opens, first.end), behind)])


def _is_another(now: Sequence[DocumentCondition], before: Sequence[DocumentCondition]) -> bool:
    """Whether somebody cannot be who was told of before: of another age, or a mother after a child."""
    if any(isinstance(one, _AGED) for one in now):
        return not overlap(now, before)
    ages = ages_of(before)
    is_mother = any(isinstance(one, Pregnancy | BreastFeeding) for one in now)
    return is_mother and bool(ages) and all(map(is_of_children, ages))


def _is_bracketed(phrase: Phrase, text: str) -> bool:
    """Whether a phrase stands in brackets, as what was said later does."""
    before = text[: phrase.opens]
    return before.rfind("(") > before.rfind(")") and before.rstrip()[-1:] in ("(", ",")


def _taken_by(phrases: Sequence[Phrase], people: Sequence[Phrase]) -> list[Phrase]:
    """What is said to be taken behind the patient who takes it ("an adult on X"), beside the medicine that is
    asked about."""
    behind = min((one.end for one in people), default=None)
    if behind is None or not any(DRUG in one.types for one in phrases if one.opens < behind):
        return []
    return [
        one
        for one in phrases
        if one.opens >= behind and one.types == {DRUG} and one.part and one.part not in OF
    ]


def _person(text: str) -> tuple[int, int] | None:
    """The place of the one person of an age who stands in no phrase of their own ("may an adult take", "may an
    8 year old take"), with who that is and a determiner; None where there is none, or several."""
    written = [match for match in WORD.finditer(text) if match[0][0].isalnum()]
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
    if first and left_of[first - 1] in DETERMINERS:
        first -= 1
    if left_of[last : last + 1] and _is_somebody(left_of[last]):
        last += 1
    start = written[first].start()
    # What else is said of them goes with it: "a child weighing 35 kg".
    told = [
        sum(isinstance(one, _OF_PERSON) for one in conditions_of(text[start : each.end()]))
        for each in written[last - 1 : last + LONGEST_PHRASE]
    ]
    return start, written[last - 1 + told.index(max(told))].end()


def is_person(text: str) -> bool:
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


def told_of_patient(question: str, find: Find) -> str:
    """What a question says of a patient or a product, where it says nothing else: "she weighs 30 kg" of "And if
    she weighs 30 kg?", "the tablets"; "" where it asks for something, names anything, or says nothing of them.
    """
    said = _OPENING.sub("", question, count=1).strip(" ?.!")
    if not _said(said) or asks(said) or asked_sections(question) or find(question):
        return ""
    left = (one.casefold() for one in unread(said))
    if all(one in _OF_MEASURES or _is_somebody(one) for one in left):
        return said
    return ""


def _said(text: str) -> list[DocumentCondition]:
    return [one for one in conditions_of(text) if isinstance(one, (*_OF_PERSON, Form))]


def with_statement(before: str, said: str, find: Find) -> str:
    """A question with what is said of its patient, in the place of what it says of the same kind; of somebody
    of another age, in the place of all that it says of the patient. "" where it names nothing to take."""
    phrases = list(phrases_in(before, 0, find))
    if not has_subject(phrases, ()):
        return ""
    if whole := measured_anew(before, said):
        return whole
    whole = before
    for start, end in sorted(_gone(before, phrases, of_person(said)), reverse=True):
        whole = f"{whole[:start].rstrip()}{whole[end:]}"
    return with_behind(_EMPTY.sub("", whole), [said])


def measured_anew(before: str, said: str) -> str:
    """A question with another weight, clearance, form or state of a mother in the place of its own; "" where
    it has none, or more is said than that."""
    now = _said(said)
    kinds = next((kinds for kinds in _ONE_OF if len(now) == 1 and type(now[0]) in kinds), ())
    if not kinds:
        return ""
    places = [_place_of(kinds, text) for text in (before, said)]
    if places[0] is None or places[1] is None:
        return ""
    return replaced(before, [(places[0], said[slice(*places[1])])])


def _place_of(kinds: tuple[type, ...], text: str) -> tuple[int, int] | None:
    """The one place of the fewest words that say something of any of the kinds; None where there is none, or
    several."""
    words = [match for match in WORD.finditer(text) if match[0][0].isalnum()]
    for most in range(1, _LONGEST_PERSON + 1):
        spans = [
            (words[first].start(), words[first + most - 1].end())
            for first in range(len(words) - most + 1)
        ]
        found = [
            one
            for one in spans
            if any(isinstance(each, kinds) for each in _said(text[slice(*one)]))
        ]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _gone(
    before: str, phrases: Sequence[Phrase], now: Sequence[DocumentCondition]
) -> list[tuple[int, int]]:
    """Places of what is said of a patient who is told of anew."""
    kinds = tuple({type(one) for one in now})
    if _is_another(now, conditions_of(before)):
        kinds = _OF_PERSON
    elif any(isinstance(one, _AGED) for one in now):
        kinds = tuple({*kinds} - {*_AGED})
    told = [
        (one, of_person(before[one.opens : one.end])) for one in measured_phrases(phrases, before)
    ]
    return [
        (one.opens, one.end)
        for one, said in told
        if said and DRUG not in one.types and all(isinstance(each, kinds) for each in said)
    ]


def of_same_patient(question: str, before: str, find: Find, *, with_all: bool) -> str:
    """A question about whoever was asked about before, with what was said of them behind it.

    Args:
        question: names what it asks of.
        before: the question before, as it was read.
        with_all: whether all else that the question before was asked with goes with it ("for gout").
    """
    own = of_person(question)
    now = tuple({type(one) for one in own})
    if any(isinstance(one, _AGED) for one in own) or _is_another(own, of_person(before)):
        now = _OF_PERSON
    phrases = list(phrases_in(before, 0, find))
    said = [
        before[one.opens : one.end]
        for one in measured_phrases(phrases, before)
        if DRUG not in one.types
        and (
            not isinstance(told[0], now)
            if (told := of_person(before[one.opens : one.end]))
            else with_all
            and one.part not in OF
            and (one.opens if one.part else _is_topic(one, before))
        )
    ]
    doer = None if now or any(map(of_person, said)) else _person(before)
    return with_behind(question, [before[slice(*doer)], *said] if doer else said)


def _is_topic(one: Phrase, text: str) -> bool:
    """Whether a phrase without preposition says what is spoken of: "gout" of "gout, how much X?"."""
    said = text[one.start : one.end]
    words = {word.casefold() for word in WORD.findall(said)}
    return (
        words.isdisjoint(_OF_SENTENCES) and bool(content_words(said)) and not asked_sections(said)
    )


def speaks_of_person(question: str) -> bool:
    """Whether a question has a pronoun for somebody, or speaks of their age or weight as known."""
    if _AS_BEFORE.search(question):
        return True
    return any(match[0].casefold() in _PERSONS for match in WORD.finditer(question))
