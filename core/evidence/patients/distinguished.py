"""The patients that a leaflet tells doses for, where none of these doses is for the patient asked about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.domain.answers import Citation, DocumentCitation, Sentence
from core.domain.leaflets.conditions import DocumentCondition, Partner
from core.domain.leaflets.plan import Wanted
from core.evidence.evidence import Caution, ClauseEvidence, Evidence
from core.evidence.naming.spelt import spells
from core.evidence.patients.beside.asking import asks_together, asks_whether
from core.evidence.patients.beside.other_patients import is_by_measure
from core.evidence.patients.cautions import (
    forbids_clearly,
    says_against,
)
from core.evidence.patients.conditions import fit, of_patients
from core.evidence.patients.footnotes import has_dose, is_dose
from core.evidence.patients.special import POSOLOGY, is_unmet
from core.questions.leaflets.reader import conditions_told
from core.questions.leaflets.wording import who_said
from core.text.quantities import numbers, quantities
from core.text.statements import statements
from core.text.tables.told import with_units

_KINDS = ("age", "weight", "kidney", "liver")
_MOST_NAMED = 6
_IN_BRACKETS = re.compile(r"[(\[]([^()\[\]\d]{1,30})[)\]]")


def undosed(
    evidence: Evidence, citations: Sequence[Citation], sentences: Sequence[Sentence]
) -> tuple[str, ...]:
    """What is said of each clause that asks for a patient's dose and is answered without one: whose doses the
    leaflet tells.

    Args:
        sentences: of the answer; a row of a table is told with what is cited apart from it, its caption.
    """
    quoted = [one.quote for one in citations if isinstance(one, DocumentCitation)]
    dosed = any(has_dose(one) or _has_dose_unit(one) for one in quoted)
    said = (
        _withheld(part, citations, sentences) or ("" if dosed else _undosed(part, citations))
        for part in evidence.clauses
    )
    return tuple(dict.fromkeys(filter(None, said)))


def is_forbidden(
    part: ClauseEvidence, citations: Sequence[Citation], sentences: Sequence[Sentence]
) -> bool:
    """Whether what is cited for a clause says clearly that the medicine is not for its patient, and tells no
    dose of such patients."""
    return any(map(forbids_clearly, _against(part, citations, sentences)))


def passes_over_patients(
    evidence: Evidence, citations: Sequence[Citation], sentences: Sequence[Sentence]
) -> bool:
    """Whether an answer has no dose for the patient asked about, and quotes nothing on such patients either, or
    no more than that nothing is known of them."""
    withheld = [part for part in evidence.clauses if _withheld(part, citations, sentences)]
    if withheld:
        return not all(is_forbidden(part, citations, sentences) for part in withheld)
    quoted = [one.quote for one in citations if isinstance(one, DocumentCitation)]
    plans = [part.clause.leaflet for part in evidence.clauses]
    asked = [one for plan in plans if plan is not None for one in plan.conditions]
    return bool(undosed(evidence, citations, sentences)) and not any(
        fit(asked, conditions_told(one)).met for one in quoted
    )


def _withheld(
    part: ClauseEvidence, citations: Sequence[Citation], sentences: Sequence[Sentence]
) -> str:
    """What is said of a clause where what is cited forbids the medicine to its patient, and tells no dose of
    such patients."""
    plan = part.clause.leaflet
    dosed = plan is None or POSOLOGY in part.clause.sections
    if plan is not None and asks_together(plan) and not dosed:
        return ""  # no dose is asked
    for one in _against(part, citations, sentences):
        if plan is not None and asks_whether(plan) and not (dosed or one.limits):
            continue
        file = one.quote.hit.document.file
        # The document of what else is taken speaks of the medicine that is asked about.
        taken = [each for each in plan.conditions if isinstance(each, Partner)] if plan else []
        who = taken if one.of_other else one.state.conditions
        return (
            f"No dose is told {who_said(who)}: what “{file}” says of such patients stands "
            "first; the doses that it tells are for other patients."
        )
    return ""


def _against(
    part: ClauseEvidence, citations: Sequence[Citation], sentences: Sequence[Sentence]
) -> list[Caution]:
    """The cited cautions that forbid the medicine to a clause's patient, where no dose of such patients is
    told."""
    cited = [one for one in citations if isinstance(one, DocumentCitation)]
    told = [(one.quote, one.heading) for one in cited]
    told += [(one.text, "") for one in sentences if one.block and not one.others]
    dosed = [one for one in told if has_dose(one[0])]
    plan = part.clause.leaflet
    by_measure = plan is not None and any(is_by_measure(one, plan.conditions) for one, _ in dosed)
    # By a line over the paragraph a dose may be theirs that does not say so itself.
    theirs = [
        one.state
        for one in part.cautions
        if not one.forbids and has_dose(one.quote.text) and any(_cites(c, one) for c in cited)
    ]
    return [
        one
        for one in part.cautions
        if one.forbids
        and any(_cites(c, one) for c in cited)
        and one.state not in theirs
        and not any(one.state.met_by(*each) for each in dosed)
        and (forbids_clearly(one) or not by_measure)
    ]


def _cites(citation: DocumentCitation, caution: Caution) -> bool:
    quote = caution.quote
    return (
        (citation.document_id, citation.page) == (quote.hit.document.id, quote.hit.chunk.page)
        and citation.start < quote.end
        and quote.start < citation.end
    )


def _undosed(part: ClauseEvidence, citations: Sequence[Citation]) -> str:
    plan = part.clause.leaflet
    if plan is None or plan.wanted not in (Wanted.AMOUNT, Wanted.MAXIMUM) or not part.hits:
        return ""
    asked = [one for found in of_patients(plan.conditions).values() for one in found]
    asked = [one for one in asked if one.kind in (*_KINDS, "group")]
    if not asked or not any(one.section == POSOLOGY for one in plan.aspects[:1]):
        return ""
    cited = {one.document_id for one in citations if isinstance(one, DocumentCitation)}
    own = [
        hit.document
        for hit in part.hits
        if hit.document.id in cited
        or any(spells(one.name, hit.document.title) for one in plan.subjects)
    ]
    quoted = [one.quote for one in citations if isinstance(one, DocumentCitation)]
    if not own:  # the nearest passages tell of others
        return ""
    document = own[0]
    where = f"“{document.file}”{f' ({document.title})' if document.products else ''}"
    texts = [hit.chunk.text for hit in part.hits if hit.document.subject == document.subject]
    doses = list(_doses(texts))
    if any(_is_theirs(one, asked) for one in doses):
        return ""  # not found to answer, and a dose of such patients all the same
    groups = list(dict.fromkeys(filter(None, (_who(one, asked) for one in doses))))
    whose = f"No dose is told {who_said(asked)}"
    if groups:
        return f"{whose}: the passages of {where} tell doses {'; '.join(groups[:_MOST_NAMED])}."
    unmet = is_unmet(plan, ()) and not any(fit(asked, conditions_told(one)).met for one in quoted)
    return f"{whose}: the passages of {where} name none." if unmet else ""


def _has_dose_unit(text: str) -> bool:
    """Whether a text has numbers, and names a unit of doses in brackets, as a table's head that ran into its
    rows: "Total daily dose (mg/day) 900 to 3,600"."""
    units = _IN_BRACKETS.findall(text) if numbers(text) else ()
    return any(is_dose(one) for unit in units for one in quantities(f"1 {unit}"))


def _doses(texts: Sequence[str]) -> Iterator[str]:
    """The statements with a dose; what is not to be given is none."""
    for text in texts:
        for one in statements(text, lambda _line: False)[0]:
            if has_dose(one.text) and not says_against(one.text):
                yield with_units(one.text.removeprefix("".join(one.labels)))


def _is_theirs(sentence: str, asked: Sequence[DocumentCondition]) -> bool:
    """Whether a dose is said of the patients asked about, in each kind of what is said of them; age and weight
    tell of whom, and one of them is enough."""
    told = conditions_told(sentence)
    if fit(asked, told).other_patient:
        return False
    kinds = of_patients(asked)
    who = [*kinds.pop("age", ()), *kinds.pop("weight", ())]
    return all(fit(each, told).met for each in (who, *kinds.values()) if each)


def _who(sentence: str, asked: Sequence[DocumentCondition]) -> str:
    """The patients of a sentence's dose, where it is not for those asked about."""
    told = conditions_told(sentence)
    if not fit(asked, told).other_patient:
        return ""
    kinds = of_patients(asked).keys()
    return who_said(
        [one for kind, found in of_patients(told).items() if kind in kinds for one in found]
    )
