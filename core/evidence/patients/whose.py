"""Whose number a statement tells: of the patients, the study, the phase asked about, or of others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from core.domain.leaflets.conditions import (
    Age,
    DocumentCondition,
    Form,
    Illness,
    Partner,
    PatientGroup,
    Weight,
)
from core.domain.leaflets.plan import DocumentPlan, Wanted
from core.evidence.passages import PassageReader, Quote
from core.evidence.patients.beside.measures import (
    TIME,
    amounts_of,
    dimension,
    in_range,
    is_for_finding,
)
from core.evidence.patients.beside.narrowing import kept_cells, narrowed
from core.evidence.patients.beside.other_rows import has_dose_of_all, is_of_another, opening_of
from core.evidence.patients.beside.told import conditions_of, is_given_otherwise
from core.evidence.patients.conditions import Fit, fit, of_patients, unasked_organs
from core.evidence.patients.contrasts import (
    BASIS,
    EXTENT,
    GENOTYPE,
    GRADE,
    PHASE,
    RECOMMENDED,
    RESEARCH,
    STUDIED,
    arms_of,
    contrasts_told,
    is_understood,
    opposed,
    without_organs,
)
from core.evidence.patients.contrasts import contrasts_of as _contrasts_of
from core.evidence.patients.footnotes import before_dose, heard, is_dose
from core.evidence.patients.indications import FindIllnesses, Indications
from core.evidence.patients.list_items import fit_of_several
from core.evidence.patients.partners import with_others
from core.evidence.patients.special import POSOLOGY, heads_patients, is_unmet
from core.evidence.patients.times import at_one_time, times_of, times_told
from core.evidence.reading.own_conditions import PHARMACOLOGY
from core.evidence.relevance import Relevance
from core.questions.clauses import Clause
from core.questions.leaflets.ages import ages_of, is_of_children
from core.questions.leaflets.reader import conditions_told
from core.text.quantities import Quantity, numbers, quantities
from core.text.spelling.medicines import substances_in
from core.text.stems import stems
from core.text.tables.lines import caption_of

_AMOUNTS = (Wanted.AMOUNT, Wanted.MAXIMUM, Wanted.FREQUENCY, Wanted.DURATION)


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
        self._contrasts = without_organs(_contrasts_of(clause.text), self.asked)
        self.times = times_of(clause.text)
        self._medicines = substances_in(clause.text)
        self._arms = frozenset() if self._is_of_dose() else arms_of(clause.text)
        self._wants_number = plan is not None and plan.wanted in _AMOUNTS
        # How often a finding comes is told of studies, and beside findings of kidneys and liver.
        comes = plan and plan.wanted is Wanted.FREQUENCY and not self._is_of_dose()
        self.wants_amount = self._wants_number and not comes
        self._names_dose = POSOLOGY in clause.sections
        # Asked which dose to take, and not which was given in a study.
        studied = {STUDIED, RESEARCH} & self._contrasts.get(BASIS, frozenset())
        self._of_use = self.wants_amount and self._is_of_dose() and not studied
        self._contrasts.pop(BASIS, None)
        illnesses = [one for one in self.asked if isinstance(one, Illness)]
        self._timed: set[tuple[str, ...]] = set()
        self._told: dict[tuple[object, str], list[DocumentCondition]] = {}
        of_doses = self.wants_amount or (self._names_dose and not comes)
        self._indications = Indications(illnesses if of_doses else (), clause.text, find)

    @property
    def names_grade(self) -> bool:
        """Whether a grade of toxicity is asked about."""
        return GRADE in self._contrasts

    def look_at(self, quotes: Sequence[Quote]) -> None:
        """Note what a clause's statements tell apart, before one of them is judged."""
        self._indications.look_at(quotes, self._before)
        rows = [one for one in quotes if one.row and self.times]
        self._timed = {
            (one.hit.document.id, *one.labels)
            for one in rows
            if at_one_time(self.times, times_told(one.text, (one.hit.chunk.heading, *one.labels)))
        }

    def fit(self, quote: Quote) -> Fit:
        """Whether a statement is on the patients, and of the study or phase, that are asked about."""
        return self._fit(quote, ())

    def _fit(self, quote: Quote, passing: Collection[str]) -> Fit:
        if self._is_bare_note(quote):
            return Fit(at_odds=1, other_patient=True)
        holds = in_range(quote, self.asked, self._clause.text)
        if holds is False or is_of_another(quote, self._medicines, self._clause.text):
            return Fit(at_odds=1, other_patient=True)
        if not (self.asked or self._contrasts or self.times or self._arms or self._of_use):
            return Fit(met=int(holds is True))
        noted = heard(quote, self.asked)
        told = [*self._conditions(quote), *noted.told]
        found = fit_of_several(quote, noted.asked) or fit(noted.asked, told)
        if noted.answered:
            found = replace(found, met=max(found.met, 1), at_odds=0, other_patient=False)
        elif noted.excluded and not any(
            numbers(quote.parts[n]) for n in kept_cells(quote, noted, self.asked, self.times)
        ):
            found = replace(found, at_odds=found.at_odds + 1, other_patient=True)
        if (
            noted.keyed
            or self._opposed(quote, told) - set(passing)
            or self._is_of_other_time(quote)
            or self._is_with_others(quote)
            or self._is_of_a_study(quote)
            or self._is_of_other_arm(quote)
            or self._indications.is_for_another(quote, self._before(quote))
            or self._is_outside_table(quote)
            or (self.has_amount(quote) and is_given_otherwise(quote, self.asked, told))
            or self._is_of_nobody_asked(quote, told)
        ):
            found = replace(found, at_odds=found.at_odds + 1, other_patient=True)
        found = replace(found, met=found.met + self._shared(quote) + (holds is True))
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
        # "Half-life in hepatic impairment?" may want a number, and says nothing of it.
        may_want = self._plan is not None and self._plan.wanted is None and self._is_of_medicine()
        return (
            self._plan is not None
            and (self._wants_number or self._names_dose or may_want)
            and is_unmet(self._plan, [*told, *about])
            and any(map(self._is_asked_amount, quantities(quote.text)))
        )

    def _is_outside_table(self, quote: Quote) -> bool:
        """Whether what stands above a row of a table has an age or a weight that the patient asked about has
        not: none of its cells is for them, whomever else a cell names."""
        if not quote.row:
            return False
        told = conditions_told(" ".join(quote.labels))
        measured = any(isinstance(one, Age | Weight) for one in told)
        asked = [one for one in self.asked if isinstance(one, Age | PatientGroup | Weight)]
        return measured and fit(asked, told).other_patient

    def _is_of_a_study(self, quote: Quote) -> bool:
        """Whether a statement tells what was given in a study, where it is asked what to take."""
        basis = _contrasts_of(quote.text).get(BASIS, frozenset())
        return (
            self._of_use
            and STUDIED in basis
            and RECOMMENDED not in basis
            and any(map(self._is_asked_amount, quantities(quote.text)))
        )

    def _is_of_other_arm(self, quote: Quote) -> bool:
        """Whether a statement names doses, and none of those at which something is asked."""
        if not self._arms:
            return False
        told = {one.amount for one in quantities(quote.text) if one.unit == "mg"}
        return bool(told) and not told & self._arms

    def says_of_patients(self, quote: Quote) -> bool:
        """Whether a dose is asked for special patients, and a statement under a heading on them speaks of
        them: that nothing is known for them, where no dose is told."""
        return (
            heads_patients(self._plan, quote.hit.chunk.heading)
            and fit(self.asked, conditions_told(quote.text)).met > 0
            and not self.is_for_others(quote)
        )

    def has_asked_dose(self, quote: Quote) -> bool:
        """Whether a statement has an amount of what is asked, for the patients asked about: by its own words,
        or where doses are told by what it stands under."""
        if not any(map(self._is_asked_amount, quantities(quote.text))):
            return False
        doses = quote.hit.chunk.section == POSOLOGY
        told = self._conditions(quote) if doses else conditions_told(quote.text)
        return fit(self.asked, told).met > 0

    def has_told_dose(self, quote: Quote) -> bool:
        """Whether a statement has the dose of the patients asked about, stands where doses are told, and leaves
        nothing open of whom it is for."""
        asked = of_patients(self.asked).keys()
        if not asked or quote.hit.chunk.section != POSOLOGY or not self.has_asked_dose(quote):
            return False
        return asked <= of_patients(self._conditions(quote)).keys()

    def on_finding(self, quotes: Sequence[Quote]) -> list[int]:
        """The places of the rows that are for the range which the question's number of a finding lies in."""
        return [n for n, one in enumerate(quotes) if is_for_finding(one, self._clause.text)]

    def is_told_by_row(self, quotes: Sequence[Quote]) -> bool:
        """Whether each word of the question is understood, and a row or an item has the patients' dose."""
        labelled = [one for one in quotes if one.row or one.list_number]
        return is_understood(self._clause) and any(map(self.has_told_dose, labelled))

    def has_dose_for_illness(self, quote: Quote) -> bool:
        """Whether a statement has an amount of what is asked and stands where the doses for an illness that is
        asked about are told."""
        return self.has_amount(quote) and self._indications.is_for_asked(quote, self._before(quote))

    def is_others_amount(self, quote: Quote) -> bool:
        """Whether an amount is asked, and a statement has one for others."""
        return self.has_amount(quote) and self.is_for_others(quote)

    def _is_of_other_time(self, quote: Quote) -> bool:
        """Whether a statement is of other days of the treatment than those asked about."""
        if not self.times:
            return False
        told = times_told(quote.text, (quote.hit.chunk.heading, *quote.labels))
        # Beside the row of those days one without any is of another step.
        steps = quote.row and PHASE in _contrasts_of(quote.parts[0]) if quote.parts else False
        other = steps and (quote.hit.document.id, *quote.labels) in self._timed
        return not at_one_time(self.times, told) if told else other

    def _is_with_others(self, quote: Quote) -> bool:
        """Whether a statement has an amount for those who take what is said not to be taken, or the other
        way round."""
        partners = [one for one in self.asked if isinstance(one, Partner)]
        without = [one for one in partners if not one.taken]
        if not self.wants_amount:
            partners = without if self._names_dose else []
        dosed = any(map(self._is_asked_amount, quantities(quote.text)))
        # A line that labels what stands under it ("With X") is of the same patients as that.
        partners = partners if dosed else without if quote.is_label else []
        return any(
            with_others(one, (quote.text, *reversed(quote.labels), quote.hit.chunk.heading))
            for one in partners
        )

    def _is_bare_note(self, quote: Quote) -> bool:
        """Whether a note of a table is without a dose, which is asked for: it is told with its row."""
        return (
            quote.of_table
            and self.wants_amount
            and self._plan is not None
            and any(one.section == POSOLOGY for one in self._plan.aspects[:1])
            and not any(map(is_dose, quantities(quote.text)))
        )

    def _is_asked_amount(self, one: Quantity) -> bool:
        """Whether a quantity may be what is asked: of a dose no time, of a half-life a time too."""
        is_time = self._is_of_dose() and dimension(one) == TIME
        return bool(one.unit) and not one.loose and not is_time

    def _is_of_dose(self) -> bool:
        return self._asks_for(POSOLOGY)

    def _is_of_medicine(self) -> bool:
        return self._asks_for(PHARMACOLOGY)

    def _asks_for(self, section: str) -> bool:
        return self._plan is not None and any(
            one.section == section for one in self._plan.aspects[:1]
        )

    def is_for_impaired(self, quote: Quote) -> bool:
        """Whether an amount is asked and a statement is on kidneys or a liver that nobody asked about: their
        dose is not everybody's. How long something is stopped may be told of them alone; no half-life is."""
        lasts = self._plan and self._plan.wanted is Wanted.DURATION and not self._is_of_medicine()
        if not self.wants_amount or lasts:
            return False
        told: Sequence[DocumentCondition] = self._conditions(quote)
        led = before_dose(quote.text)
        if has_dose_of_all(quote, self.asked, self._is_asked_amount):
            told = conditions_told(opening_of(quote, self._is_asked_amount))
            led = caption_of(quote.labels)  # it is on all rows
        return unasked_organs(self.asked, told, conditions_told(led))

    def has_amount(self, quote: Quote) -> bool:
        """Whether a statement has an amount of what is asked."""
        return self.wants_amount and any(map(self._is_asked_amount, quantities(quote.text)))

    def is_for_few(self, quote: Quote) -> bool:
        """Whether an amount is asked, and a statement is on an illness, children or genes that none is of."""
        if self._of_use and self._indications.is_for_one(quote, self._before(quote)):
            return True
        kinds = of_patients(self.asked)
        if not self.wants_amount or "age" in kinds or "weight" in kinds:
            return False
        if GENOTYPE not in self._contrasts and GENOTYPE in _contrasts_of(quote.text):
            return True
        told = ages_of(self._conditions(quote))
        return bool(told) and all(is_of_children(one) for one in told)

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
        own, others = amounts_of(text), amounts_of(other)
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
        """A row of a table with its notes, and without the cells that are for others: the adults' column for a
        child, and what a note says is not for the patients asked about."""
        return narrowed(quote, self.asked, self.times)

    def _conditions(self, quote: Quote) -> list[DocumentCondition]:
        """The patients and products that a statement speaks of."""
        known = self._told.get((quote.key, quote.text))
        if known is None:
            known = conditions_of(quote, self._above(quote))
            self._told[quote.key, quote.text] = known
        return known

    def _before(self, quote: Quote) -> list[str]:
        return [*self._reader.said_before(quote), *quote.labels]

    def _above(self, quote: Quote) -> list[str]:
        return [*filter(None, [quote.under]), *self._before(quote)]

    def _opposed(self, quote: Quote, told: Sequence[DocumentCondition]) -> set[str]:
        """The kinds in which a statement is said of other terms than those asked about."""
        if not self._contrasts:
            return set()
        said = contrasts_told(quote.text, self._above(quote), quote.hit.chunk.heading, quote.parts)
        return set(opposed(self._contrasts, without_organs(said, told)))

    def _shared(self, quote: Quote) -> int:
        """In how many kinds a statement names itself the terms that are asked about. Lowest and highest are no
        patients: the sentence around which the dose stands is as good."""
        said = _contrasts_of(quote.text)
        shared = sum(
            bool(said.get(kind, frozenset()) & of)
            for kind, of in self._contrasts.items()
            if kind != EXTENT
        )
        return shared + at_one_time(self.times, times_of(quote.text))

    def _is_of_other_form(self, quote: Quote) -> bool:
        forms = {one.form for one in self.asked if isinstance(one, Form)}
        if not forms:
            return False
        told = {one.form for one in conditions_told(quote.text) if isinstance(one, Form)}
        return bool(told) and not forms & told
