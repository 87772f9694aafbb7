"""Whose number a statement tells: of the patients, the study, the phase asked about, or of others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction

from core.domain.leaflets.conditions import (
    DocumentCondition,
    Form,
    Illness,
    KidneyFunction,
    LiverFunction,
)
from core.domain.leaflets.plan import DocumentPlan, Wanted
from core.evidence.passages import PassageReader, Quote
from core.evidence.patients.conditions import Fit, fit, told_of, unasked_organs
from core.evidence.patients.contrasts import (
    PHASE,
    SEVERITY,
    Contrasts,
    contrasts_told,
    opposed,
)
from core.evidence.patients.contrasts import contrasts_of as _contrasts_of
from core.evidence.patients.indications import FindIllnesses, Indications
from core.evidence.patients.special import POSOLOGY, is_unmet
from core.evidence.relevance import Relevance
from core.questions.clauses import Clause
from core.questions.leaflets.reader import conditions_told
from core.text.quantities import Quantity, numbers, quantities
from core.text.stems import stems
from core.text.tables.told import of_parts, with_units

_AMOUNTS = (Wanted.AMOUNT, Wanted.MAXIMUM, Wanted.FREQUENCY, Wanted.DURATION)
_TIME = "time"
_TIMES = ("hour", "month")  # base units of what may be told in either


class Whose:
    """Holds statements against what a clause says of patients, studies and phases.

    Args:
        reader: reads the statements around a quote.
        find: the illnesses that a text names.
    """

    def __init__(
        self, clause: Clause, reader: PassageReader, relevance: Relevance, find: FindIllnesses
    ) -> None:
        plan = clause.leaflet
        self._clause = clause
        self._plan: DocumentPlan | None = plan
        self._reader = reader
        self._relevance = relevance
        self.asked: Sequence[DocumentCondition] = plan.conditions if plan else ()
        self._contrasts = _without_organs(_contrasts_of(clause.text), self.asked)
        self._wants_amount = plan is not None and plan.wanted in _AMOUNTS
        illnesses = [one for one in self.asked if isinstance(one, Illness)]
        self._indications = Indications(illnesses if self._wants_amount else (), find)

    def look_at(self, quotes: Sequence[Quote]) -> None:
        """Note what a clause's statements tell apart, before one of them is judged."""
        self._indications.look_at(quotes, self._before)

    def fit(self, quote: Quote) -> Fit:
        """Whether a statement is on the patients, and of the study or phase, that are asked about."""
        return self._fit(quote, ())

    def _fit(self, quote: Quote, passing: Collection[str]) -> Fit:
        if not self.asked and not self._contrasts:
            return Fit()
        told = self._conditions(quote)
        found = fit(self.asked, told)
        if (
            self._opposed(quote, told) - set(passing)
            or self._indications.is_for_another(quote, self._before(quote))
            or self._is_of_nobody_asked(quote, told)
        ):
            found = replace(found, at_odds=found.at_odds + 1, other_patient=True)
        found = replace(found, met=found.met + self._shared(quote))
        return replace(found, headed=fit(self.asked, conditions_told(quote.hit.chunk.heading)).met)

    def is_for_others(self, quote: Quote, passing: Collection[str] = ()) -> bool:
        """Whether a statement is of others than those asked about.

        Args:
            passing: kinds of contrasts that are passed over.
        """
        return self._fit(quote, passing).other_patient

    def _is_of_nobody_asked(self, quote: Quote, told: Sequence[DocumentCondition]) -> bool:
        """Whether a statement has an amount and says nothing of the children or the impaired organs whose
        amount is asked: everybody's dose is not theirs."""
        about = conditions_told(quote.hit.document.title)
        return (
            self._plan is not None
            and self._wants_amount
            and is_unmet(self._plan, [*told, *about])
            and any(map(self._is_asked_amount, quantities(quote.text)))
        )

    def _is_asked_amount(self, one: Quantity) -> bool:
        """Whether a quantity may be what is asked: of a dose no time, of a half-life a time too."""
        of_dose = self._plan is not None and any(
            one.section == POSOLOGY for one in self._plan.aspects[:1]
        )
        is_time = of_dose and _dimension(one) == _TIME
        return bool(one.unit) and not one.loose and not is_time

    def is_for_impaired(self, quote: Quote) -> bool:
        """Whether an amount is asked and a statement is on kidneys or a liver that nobody asked about: their
        dose is not everybody's."""
        return self._wants_amount and unasked_organs(self.asked, self._conditions(quote))

    def is_beside(self, quote: Quote, other: Quote) -> bool:
        """Whether a sentence may be told around the one that answers: it is not for others, not of another
        form, and does not say with other numbers of something else what is asked."""
        return not (
            # The dose after the starting dose says so itself, and may be asked for too.
            self.is_for_others(other, (PHASE,))
            or self._is_of_other_form(other)
            or self.competes(quote.text, other.text, quote)
        )

    def competes(self, text: str, other: str, quote: Quote) -> bool:
        """Whether a text has other amounts of a unit that `text` has too, and of what is asked about some of
        what `text` names, and nothing else: "half-life" of another substance.

        Args:
            quote: whose document tells which words name the medicine.
        """
        own, others = _amounts(text), _amounts(other)
        if not any(unit in own and not found <= own[unit] for unit, found in others.items()):
            return False
        # What counts the amounts ("weekly"), and the medicine's name, is in both.
        counted = stems(" ".join(one.written for one in (*quantities(text), *quantities(other))))
        called = stems(" ".join(one.text for one in self._plan.subjects)) if self._plan else set()
        words = [
            word
            for word in self._relevance.specific_words(self._clause, quote.hit)
            if not stems(word) & (counted | called)
        ]
        named, again = (
            {word for word in words if self._relevance.says(one, [word])} for one in (text, other)
        )
        return bool(again) and again < named

    def narrowed(self, quote: Quote) -> Quote:
        """A row of a table without the cells that are for others: the adults' column for a child."""
        kept = [
            part
            for part in quote.parts
            if not fit(self.asked, conditions_told(with_units(part))).other_patient
        ]
        if len(kept) == len(quote.parts) or not any(map(numbers, kept)):
            return quote
        return replace(quote, text=of_parts(quote.labels, kept), parts=tuple(kept))

    def _conditions(self, quote: Quote) -> list[DocumentCondition]:
        """The patients and products that a statement speaks of."""
        own = with_units(quote.text.removeprefix("".join(quote.labels)))
        return told_of(own, self._before(quote), quote.hit.chunk.heading, conditions_told)

    def _before(self, quote: Quote) -> list[str]:
        before = [one.text for one in self._reader.paragraph(quote) if one.key < quote.key]
        return [*before, *quote.labels]

    def _opposed(self, quote: Quote, told: Sequence[DocumentCondition]) -> set[str]:
        """The kinds in which a statement is said of other terms than those asked about."""
        if not self._contrasts:
            return set()
        said = contrasts_told(quote.text, self._before(quote), quote.hit.chunk.heading)
        return set(opposed(self._contrasts, _without_organs(said, told)))

    def _shared(self, quote: Quote) -> int:
        """In how many kinds a statement names itself the terms that are asked about."""
        said = _contrasts_of(quote.text)
        return sum(bool(said.get(kind, frozenset()) & of) for kind, of in self._contrasts.items())

    def _is_of_other_form(self, quote: Quote) -> bool:
        forms = {one.form for one in self.asked if isinstance(one, Form)}
        told = {one.form for one in conditions_told(quote.text) if isinstance(one, Form)}
        return bool(forms and told) and not forms & told


def _without_organs(
    said: Contrasts, conditions: Sequence[DocumentCondition]
) -> dict[str, frozenset[str]]:
    """Without the severity where it is that of impaired kidneys or a liver, which is a condition."""
    organs = any(isinstance(one, KidneyFunction | LiverFunction) for one in conditions)
    return {kind: values for kind, values in said.items() if not (organs and kind == SEVERITY)}


def _amounts(text: str) -> dict[str, set[Fraction]]:
    """The amounts of a text by their units."""
    found: dict[str, set[Fraction]] = {}
    for one in quantities(text):
        if one.unit and not one.loose:
            found.setdefault(_dimension(one), set()).add(one.amount)
    return found


def _dimension(one: Quantity) -> str:
    return _TIME if one.unit in _TIMES else one.unit
