"""What the notes of a row say of patients: for whom its number is not, and whose is theirs instead.

A note limits what it is said of ("for patients below 40 kg"), or makes an exception of some patients and says
what holds for them ("children from 40 kg on should be dosed as adults"). An exception instructs, or has a dose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

from core.domain.leaflets.conditions import DocumentCondition, KidneyFunction, PatientGroup
from core.evidence.passages import Quote, QuotedNote
from core.evidence.patients.conditions import fit, of_patients
from core.evidence.patients.special import is_body_weight
from core.questions.leaflets.reader import conditions_told
from core.resources import any_of, read_table
from core.text.limits import AT_MOST
from core.text.quantities import RANK, Quantity, normalised, numbers, quantities
from core.text.sentences import sentence_spans
from core.text.tables.told import with_units

_NO_DOSE = ("", "time", "hour", "month", "m2", "mmHg", "%")

_TIME = "time"  # "twice a day"


@dataclass(slots=True)
class Heard:
    """What the notes of a row say of the patients asked about.

    Attributes:
        asked: whom the row is held against: the patients asked about, or those whose dose is theirs.
        excluded: numbers of the row's parts that a note says are not for them.
        answered: whether a note says what holds for them.
        told: of whom the notes are that limit the row, or answer.
        spoken: the notes that exclude or answer.
        keyed: whether the first cell is of others, and none of these notes said of it: so is the row.
    """

    asked: Sequence[DocumentCondition]
    excluded: set[int] = field(default_factory=set)
    answered: bool = False
    told: list[DocumentCondition] = field(default_factory=list)
    spoken: list[QuotedNote] = field(default_factory=list)
    keyed: bool = False


@dataclass(frozen=True, slots=True)
class _Rule:
    """Of whom a sentence of a note is; whether it makes an exception of them, and whose dose is theirs."""

    whom: tuple[DocumentCondition, ...]
    excepts: bool
    instead: tuple[DocumentCondition, ...] = ()


def heard(quote: Quote, asked: Sequence[DocumentCondition]) -> Heard:
    """What the notes of a row say of patients."""
    found = Heard(asked)
    for note in quote.notes if asked else ():
        # What is for others by its own words is not told in any case.
        said_of = {
            one for one in _scope(quote, note) if not _is_for_others(quote.parts[one], asked)
        }
        if not said_of:
            continue
        for rule in _rules(note.text):
            if _is_of_dialysis(rule) and not any(map(_on_dialysis, asked)):
                continue  # when those on it take the dose
            limits = not rule.excepts and fit(asked, rule.whom).other_patient
            answers = rule.excepts and _meets(asked, rule.whom)
            if answers or not (rule.excepts or limits):
                found.told += rule.whom
            if answers or limits:
                found.excluded |= said_of
                found.spoken.append(note)
            if answers:
                found.answered = True
                if rule.instead:
                    found.asked = _in_place(asked, rule)
    of_first = any(0 in note.parts for note in found.spoken)
    found.keyed = bool(quote.parts) and not of_first and _is_for_others(quote.parts[0], asked)
    return found


def _is_of_dialysis(rule: _Rule) -> bool:
    """Whether a rule is of whoever is on dialysis, and of nobody else."""
    return bool(rule.whom) and all(map(_on_dialysis, rule.whom))


def _on_dialysis(one: DocumentCondition) -> bool:
    return isinstance(one, KidneyFunction) and one.dialysis


def notes_of(quote: Quote, kept: Sequence[int], found: Heard) -> list[QuotedNote]:
    """The notes that a row is told with, of whose parts some are kept: not those of other patients' cells."""
    return [
        note
        for note in quote.notes
        if not note.parts or set(kept) & set(note.parts) or note in found.spoken
    ]


def _is_for_others(part: str, asked: Sequence[DocumentCondition]) -> bool:
    return fit(asked, conditions_told(with_units(part))).other_patient


def _scope(quote: Quote, note: QuotedNote) -> set[int]:
    """The parts with a number that a note is said of; a mark at a cell without one is said of the row."""
    numbered = {place for place, part in enumerate(quote.parts) if numbers(part)}
    return numbered & set(note.parts) or numbered


@lru_cache(maxsize=1_024)
def _rules(note: str) -> tuple[_Rule, ...]:
    sentences = (note[start:end] for start, end in sentence_spans(note, 0, len(note)))
    return tuple(rule for one in sentences for rule in _rules_of(one))


def _rules_of(sentence: str) -> Iterator[_Rule]:
    found = _instructs().search(sentence)
    doses = [one for one in quantities(sentence) if is_dose(one)]
    whom = _patients(sentence)
    if not whom or (doses and all(one.bound == AT_MOST for one in doses)):
        return  # a highest dose holds beside the row's own
    if found is None:
        yield _Rule(whom, excepts=bool(doses))
        return
    of_front = _patients(sentence[: found.start()])
    behind = _patients(sentence[found.end() :]) if of_front else ()
    groups = tuple(one for one in behind if isinstance(one, PatientGroup) and one not in of_front)
    yield _Rule(of_front or whom, excepts=True, instead=groups)


def _patients(text: str) -> tuple[DocumentCondition, ...]:
    return tuple(one for found in of_patients(conditions_told(text)).values() for one in found)


def _meets(asked: Sequence[DocumentCondition], whom: Sequence[DocumentCondition]) -> bool:
    """Whether the patients asked about are known to be among others: in each kind that tells these."""
    own = of_patients(asked)
    return all(fit(own.get(kind, ()), told).met for kind, told in of_patients(whom).items())


def _in_place(asked: Sequence[DocumentCondition], rule: _Rule) -> list[DocumentCondition]:
    """The patients asked about with others in the place of what tells them."""
    kinds = of_patients(rule.whom).keys() | {"age"}
    gone = {one for kind, found in of_patients(asked).items() if kind in kinds for one in found}
    return [*(one for one in asked if one not in gone), *rule.instead]


def is_dose(one: Quantity) -> bool:
    """Whether a quantity is an amount that patients get: no weight of theirs, no time, no clearance."""
    if one.period == "minute":  # what the kidneys clear
        return False
    return one.unit not in _NO_DOSE and not is_body_weight(one) and not one.loose


def has_dose(text: str) -> bool:
    """Whether a text has an amount that may be a dose, or says how often one is taken."""
    return any(
        (is_dose(one) and not one.unit.startswith(RANK)) or (one.unit == _TIME and one.period)
        for one in quantities(text)
    )


def before_dose(text: str) -> str:
    """What a text says before its first dose; empty of one without a dose."""
    first = next((one for one in quantities(text) if is_dose(one)), None)
    return normalised(text)[: first.start] if first is not None else ""


@cache
def _instructs() -> re.Pattern[str]:
    words = read_table(__file__, "footnotes.toml")["instructs"]
    return any_of([rf"(?<!\w)(?:{'|'.join(words)})(?!\w)"])
