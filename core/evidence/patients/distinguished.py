"""The patients that a leaflet tells doses for, where none of these doses is for the patient asked about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.domain.answers import Citation, DocumentCitation
from core.domain.leaflets.conditions import DocumentCondition
from core.domain.leaflets.plan import Wanted
from core.evidence.evidence import ClauseEvidence, Evidence
from core.evidence.named import spells
from core.evidence.patients.conditions import fit, of_patients
from core.evidence.patients.special import POSOLOGY, is_unmet
from core.questions.leaflets.reader import conditions_told
from core.questions.leaflets.wording import who_said
from core.text.quantities import quantities
from core.text.statements import statements
from core.text.tables.told import with_units

_KINDS = ("age", "weight", "kidney", "liver")
_MOST_NAMED = 6
_TIMES = ("", "hour", "month")  # base units that no dose has


def undosed(evidence: Evidence, citations: Sequence[Citation]) -> tuple[str, ...]:
    """What is said of each clause that asks for a patient's dose and is answered without one: whose doses the
    leaflet tells."""
    quoted = [one.quote for one in citations if isinstance(one, DocumentCitation)]
    if any(map(_has_dose, quoted)):
        return ()
    said = (_undosed(part, citations) for part in evidence.clauses)
    return tuple(dict.fromkeys(filter(None, said)))


def passes_over_patients(evidence: Evidence, citations: Sequence[Citation]) -> bool:
    """Whether an answer has no dose for the patient asked about, and quotes nothing on such patients either."""
    quoted = [one.quote for one in citations if isinstance(one, DocumentCitation)]
    plans = [part.clause.leaflet for part in evidence.clauses]
    asked = [one for plan in plans if plan is not None for one in plan.conditions]
    return bool(undosed(evidence, citations)) and not any(
        fit(asked, conditions_told(one)).met for one in quoted
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
    if not own:  # the nearest passages tell of others
        return ""
    document = own[0]
    where = f"{document.file} ({document.title})" if document.products else document.file
    texts = [hit.chunk.text for hit in part.hits if hit.document.subject == document.subject]
    groups = list(dict.fromkeys(filter(None, (_who(one, asked) for one in _doses(texts)))))
    whose = f"No dose is told {who_said(asked)}"
    if groups:
        return f"{whose}. The passages of {where} tell doses {'; '.join(groups[:_MOST_NAMED])}."
    unmet = is_unmet(plan, ())
    return f"{whose}: the passages of {where} name none." if unmet else ""


def _doses(texts: Sequence[str]) -> Iterator[str]:
    """The statements with a dose."""
    for text in texts:
        for one in statements(text, lambda _line: False)[0]:
            if _has_dose(one.text):
                yield with_units(one.text.removeprefix("".join(one.labels)))


def _has_dose(text: str) -> bool:
    return any(one.unit not in _TIMES and not one.loose for one in quantities(text))


def _who(sentence: str, asked: Sequence[DocumentCondition]) -> str:
    """The patients of a sentence's dose, where it is not for those asked about."""
    told = conditions_told(sentence)
    if not fit(asked, told).other_patient:
        return ""
    kinds = of_patients(asked).keys()
    return who_said(
        [one for kind, found in of_patients(told).items() if kind in kinds for one in found]
    )
