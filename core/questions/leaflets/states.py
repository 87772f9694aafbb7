"""What a question says of the patient and the product in words: group, pregnancy, organs, form, route."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal, cast

from core.domain.leaflets.conditions import (
    AgeGroup,
    BreastFeeding,
    Degree,
    Form,
    KidneyFunction,
    LiverFunction,
    Partner,
    PatientGroup,
    Pregnancy,
    Range,
    Route,
)
from core.domain.plans import Named
from core.questions.leaflets.question_text import QuestionText
from core.text.quantities import Quantity

_CHILD_PUGH = re.compile(
    r"\bchild[\s-]?(?:turcotte[\s-]?)?pugh\b[\s:=-]*(?:(?:class|klasse|score|stadium|stage|grade|grad)\b[\s:=-]*)?"
    r"([ABC])?\b",
    re.IGNORECASE,
)

_BESIDE_EACH_OTHER = re.compile(
    r"(?:\W+\w+){0,2}?(?:\W+(?:and|or|und|oder|en|of)|\s*[,/])(?:\W+\w+){0,3}?\W*", re.IGNORECASE
)
# Numbers behind a word, in the same cell of a table's row, but for those of "mL/min/1.73 m2".
_NUMBERS_IN_CELL = re.compile(r"(?:1[.,]73\s?m[2²]|[^;\d])*+\d")
_CHILD_PUGH_CLASSES = re.compile(r"(?:\s*(?:,|/|and|or|und|oder|en|of)\s*(?:class\s+)?[ABC]\b)+")


def read_states(question: QuestionText, *, told: bool = False, of_mothers: bool = False) -> None:
    """Take what is said in words of the patient and the product.

    Args:
        told: whether it is a document's statement, which may address the patient ("if your child ...").
        of_mothers: whether it is a part of a text on pregnancy or breast-feeding.
    """
    _pregnancy(question)
    _feeding(question)
    _child_pugh(question)
    _kidneys(question)
    _liver(question)
    of_mothers = of_mothers or question.has(Pregnancy) or question.has(BreastFeeding)
    _offspring(question, of_mothers, told)
    _groups(question)
    _kinds(question)


@cache
def is_of_mothers(name: str) -> bool:
    """Whether a name says that somebody is pregnant or feeds a child, and nothing else: such a patient takes
    medicines, which bring about no such state."""
    text = QuestionText.of(name)
    read_states(text)
    kinds = {type(condition) for _, condition in text.conditions}
    return bool(kinds) and kinds <= {Pregnancy, BreastFeeding} and not text.left_over()


def degrees_in(text: str) -> list[Degree]:
    """The degrees of severity that a text names."""
    words = QuestionText.of(text).words
    return [degree for degree in Degree if words.pattern("degrees", degree).search(text)]


def child_pugh_in(text: str) -> list[Literal["A", "B", "C"]]:
    """The classes of Child and Pugh that a text names ("Child-Pugh class A or B")."""
    found = (
        _CHILD_PUGH_CLASSES.match(text, one.end(1)) for one in _CHILD_PUGH.finditer(text) if one[1]
    )
    more = [letter for one in found if one for letter in re.findall(r"\b[ABC]\b", one.group())]
    first = [one[1].upper() for one in _CHILD_PUGH.finditer(text) if one[1]]
    return [cast(Literal["A", "B", "C"], one) for one in dict.fromkeys([*first, *more])]


def degree_beside(question: QuestionText, start: int, end: int) -> Degree | None:
    """The degree that stands before a place, in it, or right behind; it is taken with it."""
    for degree in Degree:
        words = question.words
        before = words.pattern("degrees", degree, frame=r"(?<!\w)({})(?:[\s,-]+\w+){0,1}[\s-]*$")
        within = words.pattern("degrees", degree)
        behind = words.pattern(
            "degrees", degree, frame=r"[\s,(]*(?:(?:is|are|was|ist|sind|zijn)\s+)?({})(?!\w)"
        )
        if found := before.search(question.text, max(0, start - 30), start):
            question.take(found.start(1), found.end(1))
            return degree
        if within.search(question.text, start, end):
            return degree
        if found := behind.match(question.text, end):
            question.take(found.start(1), found.end(1))
            return degree
    return None


def _pregnancy(question: QuestionText) -> None:
    text = question.text
    trimester = _trimester(question)
    found = [
        one for one in question.matches("pregnancy", "words") if not question.negated(one.start())
    ]
    said = [one for one in found if not question.before("pregnancy", "not_yet", one.start())]
    week = month = None
    for one in said:
        for number in question.numbers:
            gap = (
                text[number.end : one.start()]
                if number.end <= one.start()
                else text[one.end() : number.start]
            )
            if len(gap) > 8 or not question.is_free(number.start, number.end):
                continue
            third = _of_three_months(question, number)
            ranked = number.unit in ("rank week", "rank month")
            if third is not None:
                trimester = third
            elif (number.unit == "hour" and number.factor == 168) or number.unit == "rank week":
                week = int(number.value)
            elif (number.unit == "month" and number.factor == 1) or ranked:
                month = int(number.value)
            else:
                continue
            question.take(number.start, number.end)
    if not said and trimester is None:
        return
    for one in said:
        question.take(one.start(), one.end())
    place = said[0].start() if said else 0
    question.conditions.append((place, Pregnancy(trimester, week, month)))


def _of_three_months(question: QuestionText, number: Quantity) -> int | None:
    """The trimester that the "first" or "last three months" are."""
    if number.unit != "month" or number.factor != 1 or number.value != 3:
        return None
    for said, trimester in (("first", 1), ("last", 3)):
        if found := question.before("pregnancy", said, number.start):
            question.take(found.start(), found.end())
            return trimester
    return None


def _trimester(question: QuestionText) -> int | None:
    for number in question.numbers:
        if number.unit == "rank trimester":
            noun = question.words.pattern("pregnancy", "trimester", frame=r"\s*(?:{})(?!\w)")
            behind = noun.match(question.text, number.end)
            question.take(number.start, behind.end() if behind else number.end)
            return int(number.value)
    for found in question.matches("pregnancy", "trimester"):
        question.take(found.start(), found.end())
        if last := question.before("pregnancy", "last", found.start()):
            question.take(last.start(), last.end())
            return 3
        for number in question.numbers:
            gap = (
                question.text[number.end : found.start()]
                if number.end <= found.start()
                else question.text[found.end() : number.start]
            )
            if 1 <= number.value <= 3 and len(gap) <= 2:
                question.take(number.start, number.end)
                return int(number.value)
    return None


def _feeding(question: QuestionText) -> None:
    for found in question.matches("feeding", "words"):
        if not question.negated(found.start()):
            question.add(found.start(), found.end(), BreastFeeding())


def _child_pugh(question: QuestionText) -> None:
    for found in _CHILD_PUGH.finditer(question.text):
        if found[1]:
            degree = degree_beside(question, found.start(), found.end())
            of_class = cast(Literal["A", "B", "C"], found[1].upper())
            question.add(found.start(), found.end(), LiverFunction(degree, of_class))


def _kidneys(question: QuestionText) -> None:
    clearance: Range | None = None
    place: int | None = None
    for start, known in question.conditions:
        if isinstance(known, KidneyFunction):
            clearance, place = known.clearance, start
    degree, dialysis = None, False
    _sound(question, "kidney")
    for found in question.impaired("kidney"):
        if question.negated(found.start()) or not question.is_free(found.start(), found.end()):
            continue
        place = found.start() if place is None else place
        degree = degree or degree_beside(question, found.start(), found.end())
        question.take(found.start(), found.end())
    for found in question.matches("kidney", "dialysis"):
        if question.negated(found.start()):
            continue
        place, dialysis = found.start() if place is None else place, True
        question.take(found.start(), found.end())
    if place is not None:
        others = [one for one in question.conditions if not isinstance(one[1], KidneyFunction)]
        question.conditions[:] = [*others, (place, KidneyFunction(clearance, degree, dialysis))]


def _sound(question: QuestionText, organ: str) -> None:
    """Take where it is said that nothing is wrong with an organ: that is no state of a patient."""
    for found in question.matches(organ, "sound"):
        if not question.negated(found.start()):
            question.take(found.start(), found.end())


def _liver(question: QuestionText) -> None:
    _sound(question, "liver")
    known = next((one for _, one in question.conditions if isinstance(one, LiverFunction)), None)
    for found in question.impaired("liver"):
        if question.negated(found.start()) or not question.is_free(found.start(), found.end()):
            continue
        degree = degree_beside(question, found.start(), found.end())
        question.take(found.start(), found.end())
        others = [one for one in question.conditions if not isinstance(one[1], LiverFunction)]
        said = LiverFunction(
            degree or (known.degree if known else None), known.child_pugh if known else None
        )
        question.conditions[:] = [*others, (found.start(), said)]
        known = said


def _offspring(question: QuestionText, of_mothers: bool, told: bool) -> None:
    """Take who is the child of a patient, and none: "your baby" beside pregnancy or breast-feeding; and every
    patient whom a leaflet calls "your child"."""
    for key in ("wished", *("own",) * of_mothers, *("addressed",) * told):
        for found in question.matches("offspring", key):
            question.take(found.start(), found.end())


def _groups(question: QuestionText) -> None:
    for name in question.keys("groups"):
        for found in question.matches("groups", name):
            if question.is_free(found.start(), found.end()) and not question.negated(found.start()):
                question.add(found.start(), found.end(), PatientGroup(AgeGroup(name)))


def _kinds(question: QuestionText) -> None:
    for table, make in (("routes", Route), ("forms", Form)):
        for name in question.keys(table):
            for found in question.matches(table, name):
                # "Vaginal candidiasis" says where the illness is.
                behind = len(question.text) - len(question.text[found.end() :].lstrip())
                is_of_illness = make is Route and question.words.illness().match(
                    question.text, behind
                )
                if question.is_free(found.start(), found.end()) and not is_of_illness:
                    question.add(found.start(), found.end(), make(name))


def partner_words(question: QuestionText) -> None:
    """Take food and groups of medicines; "drink" is one itself where nothing is named that one drinks."""
    _take_partners(question, "medicine")
    if not _take_partners(question, "food"):
        _take_partners(question, "drinking")


def _take_partners(question: QuestionText, key: str) -> bool:
    taken = False
    for match in question.words.pattern("partners", key).finditer(question.text):
        if question.is_free(*match.span()) and not question.negated(match.start()):
            text = match.group()
            question.add(match.start(), match.end(), Partner(Named(text, (), text, "")))
            taken = True
    return taken


def names_dialysis_beside(whole: QuestionText, *, measured: bool) -> bool:
    """Whether dialysis is told as another state beside kidneys that do not work well ("renal impairment or
    undergoing hemodialysis" is said of both), or beside clearances whose numbers were not read, as those of a
    table without its lines."""
    impaired = [one.span() for one in whole.impaired("kidney")]
    on_dialysis = [one.span() for one in whole.matches("kidney", "dialysis")]
    pairs = [sorted((one, other)) for one in impaired for other in on_dialysis]
    if any(_BESIDE_EACH_OTHER.fullmatch(whole.text, a[1], b[0]) for a, b in pairs):
        return True
    nouns = whole.matches("kidney", "clearance") if on_dialysis and not measured else ()
    return any(_NUMBERS_IN_CELL.match(whole.text, one.end()) for one in nouns)
