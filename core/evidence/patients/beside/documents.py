"""What is taken beside the medicine whose dose is asked for: its classes, and its own documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from core.domain.documents import Chunk, Document, Hit, Profile
from core.domain.leaflets.conditions import Partner
from core.domain.leaflets.plan import DocumentPlan
from core.domain.plans import Named
from core.evidence.evidence import ClauseEvidence
from core.evidence.named import ABOUT, NamedMedicines
from core.evidence.patients.beside.classes import classes_of
from core.evidence.patients.states import PatientState, taking
from core.evidence.relevance import Relevance, Subjects
from core.evidence.sources import Sources

_MOST_DOCUMENTS = 2  # of one medicine
_MOST_PASSAGES = 60
_AS_MUCH = (
    0.5  # a document is on a medicine where it is so much as much on it as the one that is most
)
_Called = Mapping[str, Sequence[str]]  # entity id -> its names


def with_classes(
    state: PatientState, names: _Called, sources: Sources, relevance: Relevance
) -> PatientState:
    """A state with the classes of the medicine that is taken, if one is.

    Raises:
        StoreError: the library cannot be read.
    """
    one = state.conditions[0]
    if not isinstance(one, Partner) or not one.taken:
        return state
    found = classes_of(one.name, _called(one.name, names), sources, relevance)
    return replace(state, classes=tuple(sorted(found, key=sorted)))


def of_others(
    part: ClauseEvidence, plan: DocumentPlan, names: _Called, sources: Sources, relevance: Relevance
) -> Iterator[tuple[Hit, PatientState]]:
    """A hit of each document on what else is taken, with what it may say something of: that somebody takes the
    medicine whose dose is asked for.

    Raises:
        StoreError: the library cannot be read.
    """
    taken = [one.name for one in plan.conditions if isinstance(one, Partner) and one.taken]
    if not taken or not plan.subjects:
        return
    about = [
        taking(
            one,
            _called(one, names),
            classes_of(one, _called(one, names), sources, relevance),
        )
        for one in plan.subjects
    ]
    subjects = Subjects(part.clause, (), sources.names.entity_ids_in)
    lowest = min((hit.similarity for hit in part.hits), default=0.0)
    for one in taken:
        named = NamedMedicines((one,), subjects, relevance)
        for chunk, document in _own_documents(one, names, named, relevance, sources):
            for state in about:
                yield Hit(chunk, document, 0.0, lowest), state


def _own_documents(
    one: Named, names: _Called, named: NamedMedicines, relevance: Relevance, sources: Sources
) -> list[tuple[Chunk, Document]]:
    """The documents on a medicine, each with a passage of it."""
    found: dict[tuple[str, str], tuple[Chunk, Document]] = {}
    for name in _called(one, names):
        for chunk, whole in relevance.passages_naming(name, _MOST_PASSAGES):
            for document in whole.each():
                if document.tells(chunk):
                    found.setdefault(document.subject, (chunk, document))
    own = [pair for pair in found.values() if _is_leaflet(pair[1], sources)]
    strengths = [(named.strength(document), chunk, document) for chunk, document in own]
    best = sorted(strengths, key=lambda row: -row[0])
    least = max([ABOUT, *(much * _AS_MUCH for much, _, _ in best[:1])])
    return [(chunk, document) for much, chunk, document in best if much >= least][:_MOST_DOCUMENTS]


def _is_leaflet(document: Document, sources: Sources) -> bool:
    index = sources.library.index(document.index)
    return index is not None and index.profile is not Profile.ABSTRACT


def _called(one: Named, names: _Called) -> list[str]:
    return list(
        dict.fromkeys(
            [one.text, one.name, *(other for key in one.ids for other in names.get(key, ()))]
        )
    )
