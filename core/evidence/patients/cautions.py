"""What a medicine's document says of patients like the one whose dose is asked for.

Contraindications, warnings, whom to ask first, specific populations: a dose is not read without them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from core.documents.cutting.sections import CAUTION_SECTIONS
from core.domain.documents import Chunk, Hit
from core.domain.leaflets.conditions import DocumentCondition, Illness, Partner
from core.domain.leaflets.plan import CONTRAINDICATIONS, DocumentPlan, Wanted
from core.evidence.evidence import Caution, ClauseEvidence, Evidence
from core.evidence.named import ABOUT, NamedMedicines
from core.evidence.passages import PassageReader, Quote
from core.evidence.patients.beside.amount_of import is_called_by_another, other_asked
from core.evidence.patients.beside.asking import FOR_WHOM, asks_together, asks_whether
from core.evidence.patients.beside.combined import asks_what_not_with, with_combined
from core.evidence.patients.beside.documents import of_others, with_classes
from core.evidence.patients.beside.other_patients import (
    is_everybodys_dose,
    is_of_another_alone,
    is_of_others,
    is_of_some,
    with_weight,
    without_exceptions,
)
from core.evidence.patients.conditions import fit
from core.evidence.patients.footnotes import has_dose
from core.evidence.patients.indications import (
    INDICATIONS,
    ages_asked,
    beyond_age,
    names_another,
    treated_beside,
)
from core.evidence.patients.special import POSOLOGY
from core.evidence.patients.states import OfOldAge, PatientState, states_of
from core.evidence.patients.unread import unread_states, unsaid, with_short_forms
from core.evidence.relevance import Relevance, Subjects
from core.evidence.sources import Sources
from core.questions.leaflets.reader import conditions_told
from core.resources import any_of, read_table
from core.text.statements import Statement
from core.text.stems import stems

_ASKED_FROM = 0.2  # probability that a question asks for a dose beside what else it asks for
_CLEAR_FROM = 0.5  # from here on it asks for that section
_MOST_DOCUMENTS = 3
_MOST_COMPARED = 8  # statements on one state that are held against the question
_ORGANS = ("kidney", "liver")


def with_cautions(evidence: Evidence, sources: Sources, relevance: Relevance) -> Evidence:
    """Evidence with what is said of the patients of each clause that asks for a dose, and of whoever takes the
    other medicine where it is asked whether both may be taken.

    Raises:
        ModelError, StoreError: the embedding model or the library cannot be used.
    """
    parts = [_with_cautions(part, sources, relevance) for part in evidence.clauses]
    if all(one is other for one, other in zip(parts, evidence.clauses, strict=True)):
        return evidence
    return replace(evidence, clauses=tuple(parts))


def asks_dose(part: ClauseEvidence, sources: Sources) -> bool:
    """Whether a clause asks for a dose, maybe beside whether it may be taken, and not clearly for something
    else."""
    asked = sources.leaflets.wanted(part.clause.search_text).sections
    first = next(iter(asked), "")
    if first not in CAUTION_SECTIONS and asked[first] >= _CLEAR_FROM:
        return False
    return POSOLOGY in part.clause.sections or asked.get(POSOLOGY, 0.0) >= _ASKED_FROM


def _with_cautions(part: ClauseEvidence, sources: Sources, relevance: Relevance) -> ClauseEvidence:
    plan = part.clause.leaflet
    if plan is None or plan.wanted is Wanted.DURATION or not part.hits:
        return part
    if asks_what_not_with(part):
        named, own = _named(part, sources, relevance), _own(part, sources, relevance)
        return with_combined(part, own, named, sources, says_against)
    names = {one.id: (one.name, *one.synonyms) for one in part.clause.entities}
    states = list(states_of(plan, part.clause.text, names))
    part = _with_limits(part, plan, states, sources, relevance)
    states += unread_states(plan, part.clause.text, relevance)
    dosed = bool(states) and other_asked(part) is None and asks_dose(part, sources)
    is_whether = bool(states) and asks_whether(plan)
    if not (dosed or is_whether):
        if not asks_together(plan):
            return part
        states = [one for one in states if one.conditions[0].kind in ("partner", *_ORGANS)]
        if not states:
            return part
    states = [with_classes(one, names, sources, relevance) for one in states]
    reader = sources.passages()
    found = [
        one
        for hit in _own(part, sources, relevance)
        for one in _of_document(part, hit, states, reader, sources)
    ]
    found += [
        replace(one, of_other=True)
        for hit, state in of_others(part, plan, names, sources, relevance)
        for one in _of_document(part, hit, [state], reader, sources)
    ]
    found = [
        one
        for one in found
        if dosed or (answers_alone(one) if is_whether or not _is_of_organ(one) else one.forbids)
    ]
    if dosed:
        theirs = [hit.document for hit in _own(part, sources, relevance)]
        part = replace(part, unsaid=unsaid(part.clause, states, found, theirs, sources))
    return replace(part, cautions=tuple(sorted((*found, *part.cautions), key=_rank)))


def _with_limits(
    part: ClauseEvidence,
    plan: DocumentPlan,
    states: Sequence[PatientState],
    sources: Sources,
    relevance: Relevance,
) -> ClauseEvidence:
    """A clause with the indications that are not for its patient's age, where a dose is asked for or whether it
    may be taken."""
    age = ages_asked(plan.conditions)
    section = next((one.section for one in plan.aspects), INDICATIONS)
    if age is None or not (section in FOR_WHOM or asks_dose(part, sources)):
        return part
    ill = [one for one in states if one.is_illness and one.names]

    def is_of_illness(text: str) -> bool:
        return not ill or any(one.is_named_in(text) for one in ill)

    reader = sources.passages()
    limits = [
        Caution(
            age, quote, forbids=True, limits=ages_asked(conditions_told(quote.text)) is not None
        )
        for hit in _own(part, sources, relevance)
        for quote in beyond_age(age, _indications(hit, reader), is_of_illness)
    ]
    return replace(part, cautions=tuple(limits)) if limits else part


def _indications(hit: Hit, reader: PassageReader) -> list[Quote]:
    """What a document says its medicine is for; of lists each item."""
    told = reader.telling(hit, lambda chunk, _one: chunk.section == INDICATIONS)
    return [
        each
        for one in told
        if not forbids(one)
        for each in (reader.single_items(one, lambda _text: True) or [one])
    ]


def _is_of_organ(one: Caution) -> bool:
    return one.state.conditions[0].kind in _ORGANS


def answers_alone(one: Caution) -> bool:
    """Whether a caution is worth telling where no dose is: that the medicine is not for such patients, what the
    section on doses says of them, or what the other one that is named does to it."""
    return one.forbids or is_of_dosing(one.quote) or isinstance(one.state.conditions[0], Partner)


def _rank(one: Caution) -> tuple[bool, ...]:
    """What its own document says first, what forbids first; an illness tells more of a patient than an age."""
    return one.of_other, not one.forbids, not isinstance(one.state.conditions[0], Illness)


def _named(part: ClauseEvidence, sources: Sources, relevance: Relevance) -> NamedMedicines:
    titles = {hit.document.title for hit in part.hits}
    subjects = Subjects(part.clause, titles, sources.names.entity_ids_in)
    return NamedMedicines.of(part, subjects, relevance)


def _own(part: ClauseEvidence, sources: Sources, relevance: Relevance) -> list[Hit]:
    """A hit of each document on the medicines that are named, best first; none where none is named."""
    named = _named(part, sources, relevance)
    subjects = named.subjects
    if not (named.names or subjects.named):
        return []
    own = named.documents(part.hits) or ()
    first: dict[tuple[str, str], Hit] = {}
    for hit in part.hits:
        if hit.document.subject in own and (named.names or subjects.is_about(hit.document.title)):
            first.setdefault(hit.document.subject, hit)
    strengths = {key: named.strength(hit.document) for key, hit in first.items()}
    most = max(ABOUT, *strengths.values()) if strengths else 0.0
    return [hit for key, hit in first.items() if strengths[key] >= most][:_MOST_DOCUMENTS]


def _of_document(
    part: ClauseEvidence,
    hit: Hit,
    states: Sequence[PatientState],
    reader: PassageReader,
    sources: Sources,
) -> Iterator[Caution]:
    """The weightiest statement of a document on each state, of those that it says something of, and the
    weightiest of the section on doses. What it says of an illness of other patients, of another age,
    is none of these."""
    plan = part.clause.leaflet
    asked, medicines = (plan.conditions, plan.subjects) if plan is not None else ((), ())
    ill = [one for one in asked if isinstance(one, Illness)]
    whole = sources.library.document_chunks(hit.document.id) if states else ()
    chunks = [one for one in whole if hit.document.tells(one)]
    for state in (with_short_forms(one, [each.text for each in chunks]) for one in states):
        if any(name <= stems(hit.document.title) for name in state.names):
            continue  # it is what the document is about

        def speaks(chunk: Chunk, one: Statement, state: PatientState = state) -> bool:
            sections = CAUTION_SECTIONS if state.is_taken else (CONTRAINDICATIONS,)
            headings = "\n".join([chunk.heading, *(line.words for line in one.under[-1:])])
            return chunk.section in sections and state.met_by(
                without_exceptions(one.text), headings
            )

        # A list under no known section is as likely one of what to look out for.
        met = [
            one
            for one in reader.telling(hit, speaks)
            if (one.hit.chunk.section or not one.list_number or state.is_headed(one.headings))
            and not is_called_by_another(one, medicines)
        ]
        if not state.names:  # what is said of another medicine's antidote is not said of this one
            met = [one for one in met if not is_of_another_alone(one)]
        named = (
            [one for one in met if state.is_named_in(_held(one.text, one.hit.chunk))]
            if state.names
            else []
        )
        if state.names and _is_for(named, reader, _is_dosed_for(chunks, state)):
            continue
        told = [
            (item, _forbids_to(item, state, asked))
            for quote in met
            if not is_of_others(quote, asked if state.names else with_weight(state, asked), reader)
            for item in _items(quote, state, reader)
            if quote.hit.chunk.section != INDICATIONS or forbids(item)
        ]
        if state.is_age and ill:
            find = sources.leaflets.illnesses
            treated = treated_beside([one.text for one in _indications(hit, reader)], ill, find)
            told = [one for one in told if not names_another(one[0].text, treated, ill, find)]
        # What may be an effect, and no state of a patient, counts where the medicine is not for such patients.
        told = [one for one in told if one[1] or _may_be_beside(one[0], state)]
        if told:
            yield (first := _weightiest(part, state, told, sources))
            doses = [one for one in told if is_of_dosing(one[0]) and not one[1]]
            doses = [one for one in doses if not is_everybodys_dose(one[0], plan, reader)]
            if doses and (first.forbids or not is_of_dosing(first.quote)):
                yield _weightiest(part, state, doses, sources)


def _weightiest(
    part: ClauseEvidence,
    state: PatientState,
    told: Sequence[tuple[Quote, bool]],
    sources: Sources,
) -> Caution:
    weights = [_weight(*one, state) for one in told]
    same = [one for one, weight in zip(told, weights, strict=True) if weight == max(weights)]
    same = same[:_MOST_COMPARED]
    best = 0
    if len(same) > 1:
        asked = sources.tokens.question(part.clause.search_text).vector
        read = sources.tokens.statements([quote for quote, _ in same])
        best = max(range(len(same)), key=lambda place: float(read[place].vector @ asked))
    quote, against = same[best]
    return Caution(OfOldAge(state.conditions) if state.is_old else state, quote, against)


def _weight(quote: Quote, against: bool, state: PatientState) -> tuple[bool, ...]:
    """What makes a statement weigh most: that it forbids, that it is a contraindication, that it says so itself
    and not its section alone, that it has the name of what is taken, or words for such patients, that it stands
    in a section that is known, that its heading is on them."""
    section, headings = quote.hit.chunk.section, quote.headings
    says_so = against and says_against(quote.text)
    return (
        against,
        _contraindicates(quote),
        says_so,
        state.is_named_in(quote.text) if state.names else state.met_by(quote.text, ""),
        bool(section),
        state.is_headed(headings),
    )


def _may_be_beside(quote: Quote, state: PatientState) -> bool:
    """Whether a statement that forbids nothing is told of a state; of an age what the section on doses says of
    old people, as adults' dose is told for them."""
    if state.is_age:
        old = state.is_old and OfOldAge(state.conditions).met_by(quote.text, quote.under)
        return old and is_of_dosing(quote)
    if state.is_illness:
        return False
    return not state.names or bool(quote.hit.chunk.section)


def _items(quote: Quote, state: PatientState, reader: PassageReader) -> list[Quote]:
    """Of a list the items on a state, where single ones are; else the statement."""
    if len(quote.items) < 2:
        return [quote]
    items = reader.single_items(
        quote, lambda text: state.met_by(_held(text, quote.hit.chunk), quote.headings)
    )
    return items or [quote]


def _held(text: str, chunk: Chunk) -> str:
    """What a statement holds for: of a contraindication without its exceptions."""
    return without_exceptions(text) if chunk.section == CONTRAINDICATIONS else text


def is_of_dosing(quote: Quote) -> bool:
    return quote.hit.chunk.section == POSOLOGY


def forbids(quote: Quote) -> bool:
    """Whether a statement says that the medicine is not for somebody, or that a doctor is to be asked first;
    one that has a dose limits that dose."""
    if quote.hit.chunk.section == CONTRAINDICATIONS:
        return True
    return says_against(quote.text) and not has_dose(quote.text)


def _forbids_to(quote: Quote, state: PatientState, told: Sequence[DocumentCondition]) -> bool:
    """Whether a statement forbids it to such patients, of whom a question says what is `told`: "it is adjusted
    for A, and not recommended for B" does to B alone."""
    if not state.names and is_of_some(quote.text, state, told):
        return False
    if not forbids(quote) or state.names or quote.hit.chunk.section == CONTRAINDICATIONS:
        return forbids(quote)
    clauses = _joins().split(quote.text)
    return any(
        says_against(one) and not fit(state.conditions, conditions_told(one)).other_patient
        for one in clauses
    )


def forbids_clearly(caution: Caution) -> bool:
    """Whether a caution says itself that the medicine is not for such patients, and not merely that nothing is
    known of them."""
    if caution.limits:
        return True
    text = caution.quote.text
    says_so = _contraindicates(caution.quote) or _forbidding("forbids").search(text) is not None
    return caution.forbids and says_so and caution.state.met_by(text, "")


def says_against(text: str) -> bool:
    """Whether a text says that the medicine is not for somebody, or that this is not known."""
    return any(
        _forbidding(kind).search(text) for kind in ("forbids", "contraindicates", "not_known")
    )


def _contraindicates(quote: Quote) -> bool:
    in_section = quote.hit.chunk.section == CONTRAINDICATIONS
    return in_section or _forbidding("contraindicates").search(quote.text) is not None


def _is_dosed_for(chunks: Sequence[Chunk], state: PatientState) -> bool:
    """Whether a dose is told under a heading with an illness's name."""
    own = (one for one in chunks if one.section == POSOLOGY and state.is_named_in(one.heading))
    return state.is_illness and any(has_dose(one.text) for one in own)


def _is_for(met: Sequence[Quote], reader: PassageReader, dosed: bool) -> bool:
    """Whether the medicine is for an illness: a dose says so, or a statement on it in the indications; beside
    a contraindication only one with which these begin, or a list, as "It raises the risk of ..." may be there.
    """
    found = [one for one in met if _is_indication(one)]
    if not any(one.hit.chunk.section == CONTRAINDICATIONS for one in met):
        return dosed or bool(found)
    return any(one.list_number or one.lead is not None or not reader.before(one) for one in found)


def _is_indication(quote: Quote) -> bool:
    return quote.hit.chunk.section == INDICATIONS and not forbids(quote)


@cache
def _forbidding(kind: str) -> re.Pattern[str]:
    words = read_table(__file__, "cautions.toml")[kind]
    return any_of([rf"(?<!\w)(?:{'|'.join(words)})(?!\w)"])


@cache
def _joins() -> re.Pattern[str]:
    """What stands between two clauses."""
    return any_of(read_table(__file__, "cautions.toml")["joins"])
