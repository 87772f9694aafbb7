"""For which illness a dose is: a leaflet on several illnesses says so where each dose begins. And for whom a
medicine is at all: the indications say from which age on, and the dose need not say it again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from core.domain.leaflets.conditions import (
    Age,
    DocumentCondition,
    Illness,
    KidneyFunction,
    LiverFunction,
    PatientGroup,
)
from core.evidence.passages import Quote
from core.evidence.patients.contrasts import label_of
from core.questions.leaflets.ages import overlap
from core.questions.leaflets.reader import conditions_told
from core.text.language import may_be_alike
from core.text.quantities import numbers
from core.text.stems import stems

INDICATIONS = "indications"
_ORGANS = (KidneyFunction, LiverFunction)
FindIllnesses = Callable[[str], Sequence[Illness]]


class Indications:
    """Holds the illnesses that doses are labelled with against those of a question.

    Args:
        asked: the illnesses of the question.
        question: in whose words; a document in another language calls them otherwise.
        find: the illnesses that a text names.
    """

    def __init__(self, asked: Sequence[Illness], question: str, find: FindIllnesses) -> None:
        self._asked = asked
        self._question = question
        self._find = find
        self._told_apart: set[tuple[str, str]] = set()

    def look_at(self, quotes: Sequence[Quote], before: Callable[[Quote], Sequence[str]]) -> None:
        """Note which documents have a dose for an illness that is asked about: only these tell it apart
        from others.

        Args:
            before: what stands before a quote in its paragraph, in order.
        """
        if not self._asked:
            return
        for one in quotes:
            labelled = self._labelled(one, before(one))
            if numbers(one.text) and labelled and self._has_asked(labelled):
                self._told_apart.add(one.hit.document.subject)

    def is_for_asked(self, quote: Quote, before: Sequence[str]) -> bool:
        """Whether a statement with a number is labelled with an illness that is asked about."""
        return bool(numbers(quote.text)) and self._has_asked(self._labelled(quote, before))

    def is_for_another(self, quote: Quote, before: Sequence[str]) -> bool:
        """Whether a statement with a number is labelled with other illnesses, in a document that has those
        asked about, or stands under a line that names others."""
        if (
            not self._asked
            or not numbers(quote.text)
            or not may_be_alike(quote.hit.chunk.text, self._question)
            or self._has_asked(self._find(quote.text))
        ):
            return False
        nearest = self._nearest(quote, before)
        if not nearest and quote.under and (under := self._treated(quote.under)):
            return not self._has_asked(under)
        if quote.hit.document.subject not in self._told_apart:
            return False
        labelled = nearest or self._labelled(quote, before)
        return bool(labelled) and not self._has_asked(labelled)

    def is_for_one(self, quote: Quote, before: Sequence[str]) -> bool:
        """Whether a statement with a number is labelled with an illness, or led in by what names one, where the
        question names none."""
        if self._asked or not numbers(quote.text):
            return False
        leads = (one for one in before if one.rstrip().endswith(":"))
        return bool(self._nearest(quote, before)) or any(map(self._find, leads))

    def _labelled(self, quote: Quote, before: Sequence[str]) -> Sequence[Illness]:
        """The illnesses of the nearest label that names any: one beside the statement, the line over it, the
        heading."""
        return (
            self._nearest(quote, before)
            or self._treated(quote.under)
            or self._treated(quote.hit.chunk.heading)
        )

    def _treated(self, heading: str) -> Sequence[Illness]:
        """The illnesses of a heading; none where it is on patients whose kidneys or liver are impaired, which
        the medicine is not given for."""
        told = conditions_told(heading)
        return () if any(isinstance(one, _ORGANS) for one in told) else self._find(heading)

    def _nearest(self, quote: Quote, before: Sequence[str]) -> Sequence[Illness]:
        """The illnesses of the nearest label beside a statement that names any: the row's or the sentence's
        own, or one that was said before it."""
        own = " ".join(_label_of_row(quote)) if quote.row else label_of(quote.text)
        labels = (own, *(label_of(one) for one in reversed(before)))
        return next(filter(None, (self._treated(one) for one in labels if one)), ())

    def _has_asked(self, labelled: Sequence[Illness]) -> bool:
        return any(_same(one, other) for one in self._asked for other in labelled)


@dataclass(frozen=True, slots=True)
class OfAge:
    """A patient's age, met where a statement has that age in numbers: "children" are of all ages.

    Attributes:
        conditions: as the question says it.
    """

    conditions: tuple[DocumentCondition, ...]

    def met_by(self, text: str, heading: str) -> bool:
        """Whether a statement, or its heading, has the age."""
        return any(overlap(self.conditions, _in_numbers(one)) for one in (text, heading))


def ages_asked(conditions: Iterable[DocumentCondition]) -> OfAge | None:
    """The age that a question, or a statement, has in numbers, if any."""
    found = tuple(one for one in conditions if isinstance(one, Age))
    return OfAge(found) if found else None


def beyond_age(
    age: OfAge, indications: Sequence[Quote], is_of_illness: Callable[[str], bool]
) -> list[Quote]:
    """The indications whose ages leave out a patient's, those with numbers alone where there are some ("from 10
    years", not "in adults"); none where one of them has that age, or none on the illness has any.

    Args:
        indications: of one medicine, items of lists alone.
        is_of_illness: whether a text speaks of the illness that is asked about; of any where none is.
    """
    aged = [
        (quote, told)
        for quote in indications
        if is_of_illness(quote.text) and (told := conditions_told(quote.text)) and _has_ages(told)
    ]
    if any(overlap(age.conditions, told) for _, told in aged):
        return []
    numbered = [quote for quote, _ in aged if _in_numbers(quote.text)]
    return numbered or [quote for quote, _ in aged]


def treated_beside(
    indications: Iterable[str], asked: Sequence[Illness], find: FindIllnesses
) -> list[Illness]:
    """The illnesses that a medicine is for beside those asked about.

    Args:
        indications: what its document says of that.
    """
    named = (illness for text in indications for illness in find(text))
    return [one for one in named if not any(_same(one, each) for each in asked)]


def names_another(
    text: str, treated: Sequence[Illness], asked: Sequence[Illness], find: FindIllnesses
) -> bool:
    """Whether a text is on the treatment of an illness of `treated`, and of none that is asked about."""
    named = find(text)
    if any(_same(one, each) for one in asked for each in named):
        return False
    return any(_same(one, each) for one in treated for each in named)


def _label_of_row(row: Quote) -> Iterator[str]:
    """What a row says of what it is for: what stands over it, its first cell, and those before a number."""
    yield from row.labels
    yield from row.parts[:1]
    yield from takewhile(lambda one: not numbers(one), row.parts[1:])


def _has_ages(told: Sequence[DocumentCondition]) -> bool:
    return any(isinstance(one, Age | PatientGroup) for one in told)


def _in_numbers(text: str) -> list[DocumentCondition]:
    return [one for one in conditions_told(text) if isinstance(one, Age)]


def _same(one: Illness, other: Illness) -> bool:
    if set(one.name.ids) & set(other.name.ids):
        return True
    return any(
        mine <= others or others <= mine for mine in _called(one) for others in _called(other)
    )


def _called(illness: Illness) -> list[set[str]]:
    """The words of an illness's name, as it is written and as the graph has it: "heart attack"."""
    return [stems(name) for name in dict.fromkeys((illness.name.text, illness.name.name)) if name]
