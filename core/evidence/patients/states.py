"""What a question says of its patient, one thing at a time, and whether a statement speaks of such patients."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from core.domain.leaflets.conditions import (
    Age,
    AgeGroup,
    DocumentCondition,
    Illness,
    Partner,
    PatientGroup,
)
from core.domain.leaflets.plan import DocumentPlan
from core.domain.plans import Named
from core.evidence.patients.conditions import fit, of_patients, told_of
from core.questions.leaflets.ages import ages_of
from core.questions.leaflets.lexicon import lexicon
from core.questions.leaflets.reader import conditions_told
from core.text.stems import stem, stems
from core.text.tables.told import with_units

_GROWN, _OLD = 18, 65  # years: ICH E11(R1), section 6, and ICH E7
_LONG = 6  # letters of a stem that says which word it is of
_SHORTEST_NAME = 4  # letters; a shorter one that the question does not use may be any word
_BETWEEN = 2  # words that may stand between those of a class
_WORD = re.compile(r"[^\W\d_]+")
_WORDS = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_GROUPS = {
    False: (AgeGroup.NEWBORN, AgeGroup.INFANT, AgeGroup.CHILD, AgeGroup.ADOLESCENT),
    True: (AgeGroup.ELDERLY,),
}
# Where the lexicon has the words that a text names an organ or a state with.
_TABLES: Mapping[str, Sequence[tuple[str, str]]] = {
    "kidney": (
        ("kidney", "organ"),
        ("kidney", "whole"),
        ("kidney", "dialysis"),
        ("kidney", "clearance"),
    ),
    "liver": (("liver", "organ"), ("liver", "whole")),
    "pregnancy": (("pregnancy", "words"), ("pregnancy", "trimester")),
    "breast_feeding": (("feeding", "words"),),
}


_MOTHERS = {"pregnancy": "breast_feeding", "breast_feeding": "pregnancy"}


@dataclass(frozen=True, slots=True)
class PatientState:
    """One thing that a question says of its patient: an organ, an age, pregnancy, an illness, another
    medicine.

    Attributes:
        conditions: as the question says it; several of an age.
        names: of an illness or another medicine, each as the stems of its words.
        classes: that such a medicine is said to be of, in the same way.
        written: what a statement on it has letter by letter, but for white space ("CYP2C9*3/*3").
    """

    conditions: tuple[DocumentCondition, ...]
    names: tuple[frozenset[str], ...] = ()
    classes: tuple[frozenset[str], ...] = ()
    written: str = ""

    @property
    def is_illness(self) -> bool:
        """Whether it is an illness, which a medicine may also be for."""
        return isinstance(self.conditions[0], Illness)

    @property
    def is_age(self) -> bool:
        """Whether it is an age."""
        return isinstance(self.conditions[0], Age | PatientGroup)

    @property
    def is_old(self) -> bool:
        """Whether it is the age of old people, who are adults too."""
        return self.is_age and _is_old(self.conditions)

    @property
    def is_taken(self) -> bool:
        """Whether it is no medicine that the patient does not take."""
        one = self.conditions[0]
        return not isinstance(one, Partner) or one.taken

    def met_by(self, text: str, heading: str) -> bool:
        """Whether a statement speaks of such patients, in its words or its heading's."""
        if self.written and _spaceless(self.written) not in _spaceless(text):
            return False
        if self.names:
            return self.is_named_in(text) or any(_is_close(text, one) for one in self.classes)
        if not self._words.search(f"{heading}\n{text}") or self._is_on_the_other(text):
            return False
        found = fit(
            self.conditions,
            told_of(conditions_told(with_units(text)), (), heading, conditions_told),
        )
        return bool(found.met) and not found.other_patient

    def is_named_in(self, text: str) -> bool:
        """Whether a text has a name of it, and not only a class."""
        return _names_one(text, self.names)

    def is_headed(self, heading: str) -> bool:
        """Whether a heading is on such patients."""
        return self.met_by(heading, heading)

    def _is_on_the_other(self, text: str) -> bool:
        """Whether a statement is on pregnancy alone, though its heading is on feeding as well; or the other
        way round."""
        kind = self.conditions[0].kind
        return (
            kind in _MOTHERS
            and not self._words.search(text)
            and bool(_pattern(_MOTHERS[kind], False).search(text))
        )

    @property
    def _words(self) -> re.Pattern[str]:
        kind = self.conditions[0].kind
        return _pattern(kind, kind not in _TABLES and _is_old(self.conditions))


@dataclass(frozen=True, slots=True)
class OfOldAge:
    """A patient of an old age, met where a statement speaks of old people: what it says of adults is for them,
    and is not said of them.

    Attributes:
        conditions: as the question says it.
    """

    conditions: tuple[DocumentCondition, ...]

    def met_by(self, text: str, heading: str) -> bool:
        """Whether a statement, or its heading, speaks of old people."""
        told = (one for each in (text, heading) for one in ages_of(conditions_told(each)))
        return any(one.low is not None and one.low >= _OLD for one in told)


def _is_close(text: str, name: frozenset[str]) -> bool:
    """Whether a text has all words of a class near each other, in any order."""
    own = stems(text)
    if not all(_has(own, word) for word in name):
        return False
    words = [stems(word[0]) for word in _WORDS.finditer(text)]
    reach = len(name) + _BETWEEN
    windows = (frozenset[str]().union(*words[n : n + reach]) for n in range(len(words)))
    return any(all(_has(near, word) for word in name) for near in windows)


def _names_one(text: str, names: Sequence[frozenset[str]]) -> bool:
    # A word and its stem begin alike: only pairs that begin like a name can be one.
    own = stems(text) | joined(text, "".join(sorted({word[:1] for name in names for word in name})))
    return any(all(_has(own, word) for word in name) for name in names)


@lru_cache(maxsize=2_000)
def joined(text: str, initials: str = "") -> frozenset[str]:
    """The stems of each two words that stand side by side, written as one: "chicken pox", "chickenpox".

    Args:
        initials: letters with one of which a pair begins; with none, every pair counts.
    """
    words = _WORD.findall(text.casefold())
    pairs = ((one, other) for one, other in pairwise(words) if not initials or one[0] in initials)
    return frozenset(stem(one + other) for one, other in pairs)


def _has(own: AbstractSet[str], word: str) -> bool:
    """Whether a text has a stem, or one of a word that is made from the same ("allergy", "allergic")."""
    if word in own:
        return True
    return len(word) >= _LONG and any(
        len(one) >= _LONG
        and abs(len(one) - len(word)) <= 1
        and (one.startswith(word) or word.startswith(one))
        for one in own
    )


def states_of(
    plan: DocumentPlan, text: str, names: Mapping[str, Sequence[str]]
) -> Iterator[PatientState]:
    """What a question says of its patient, as far as a document may say something of such patients: adults of
    no great age are everybody.

    Args:
        text: the question.
        names: entity id -> what it is called.
    """
    for kind, conditions in of_patients(plan.conditions).items():
        if kind in _TABLES or (kind == "age" and _is_of_some(conditions)):
            yield PatientState(tuple(conditions))
    for one in plan.conditions:
        if isinstance(one, Illness | Partner):
            called = [one.name.text, one.name.name]
            called += [other for key in one.name.ids for other in names.get(key, ())]
            if isinstance(one, Illness):
                beside = () if one.name.ids else _beside(one.name.text, plan.left_over, text)
                called = [*beside] or called
            if told := _stems_of(called, one.name.text):
                yield PatientState((one,), told)


def taking(one: Named, called: Sequence[str], classes: Iterable[frozenset[str]]) -> PatientState:
    """That somebody takes a medicine, of the given names and classes."""
    named = _stems_of([one.text, one.name, *called], one.text)
    return PatientState((Partner(one),), named, tuple(sorted(classes, key=sorted)))


def _stems_of(called: Sequence[str], asked: str) -> tuple[frozenset[str], ...]:
    """The stems of each name, in the words that it has and in two of them as one; of a short name only where
    the question uses it."""
    told = (
        frozenset(words)
        for name in called
        if len(name) >= _SHORTEST_NAME or name == asked
        for words in (stems(name), joined(name))
        if words
    )
    return tuple(dict.fromkeys(told))


def _beside(illness: str, words: Sequence[str], text: str) -> list[str]:
    """The words that say which illness is meant: "penicillin" of "penicillin allergy" and of "allergic to
    penicillin". Whatever a document calls the allergy, it names what it is to."""
    of = re.escape(illness)
    found = []
    for word in words:
        one = re.escape(word)
        before, behind = rf"{one}[\s-]+{of}(?!\w)", rf"{of}(?:\s+\w{{1,3}}){{1,2}}\s+{one}(?!\w)"
        if re.search(rf"(?<!\w)(?:{before}|{behind})", text):
            found.append(word)
    return found


def _spaceless(text: str) -> str:
    return "".join(text.casefold().split())


def _is_of_some(conditions: Sequence[DocumentCondition]) -> bool:
    ages = ages_of(conditions)
    young = all(one.high is not None and one.high <= _GROWN for one in ages)
    return bool(ages) and (young or _is_old(conditions))


def _is_old(conditions: Sequence[DocumentCondition]) -> bool:
    return all(one.low is not None and one.low >= _OLD for one in ages_of(conditions))


@cache
def _pattern(kind: str, old: bool) -> re.Pattern[str]:
    words = lexicon("")
    ages = [*(("groups", group) for group in _GROUPS[old]), ("age", "behind"), ("age", "years")]
    tables = _TABLES.get(kind) or ages
    found = [word for table, key in tables for word in words.words(table, key)]
    return re.compile(rf"(?<!\w)(?:{'|'.join(found)})(?!\w)", re.IGNORECASE)
