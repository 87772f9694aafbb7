"""The leaflets of a library on the medicine that a question names."""

from __future__ import annotations

from collections.abc import Sequence

from core.answers.candidates import Candidate, Candidates
from core.answers.leaflets.choosing import choose
from core.domain.documents import Document, Hit, Profile
from core.domain.provenance.within import Within
from core.evidence.evidence import ClauseEvidence, Evidence
from core.evidence.named import NamedMedicines
from core.evidence.passages import PassageReader
from core.evidence.relevance import Relevance, Subjects
from core.evidence.sources import Sources

_MOST_TOLD = 3  # further leaflets that are quoted; the others are a click away
_MOST_ADDED = 6  # passages of the section that is asked for, beside those that were found
_DRUG = "Drug"


def leaflets_on(
    part: ClauseEvidence, sources: Sources, relevance: Relevance, within: Within
) -> list[Document]:
    """Documents, and products of documents, on the one medicine that a clause names and on no other; one or
    none where it names several. Of one that is asked of each document, those with the title of its own:
    others are asked by themselves.

    Raises:
        StoreError: the library cannot be read.
    """
    plan = part.clause.leaflet
    if plan is None or len({one.name for one in plan.subjects}) != 1:
        return []
    named = NamedMedicines.of(
        part, Subjects(part.clause, (), sources.names.entity_ids_in), relevance
    )
    ids = {one for name in named.names for one in name.ids}
    found: list[Document] = []
    for name in relevance.indexes if named.names else ():
        index = sources.library.index(name)
        if index is None or index.profile is Profile.ABSTRACT:
            continue
        for whole in sources.library.documents(name):
            if within.has_document(whole.id):
                found += [
                    one
                    for one in whole.each()
                    if named.has_title(one) and part.clause.titled in ("", one.title)
                ]
    own = named.maker({one.subject: one for one in found}).documents
    return [
        one
        for one in found
        if one.subject in own
        and not _other_medicines(one, ids, sources)
        and _tells_enough(one, sources)
    ]


def _other_medicines(document: Document, ids: set[str], sources: Sources) -> bool:
    """Whether a title names a medicine that is not asked for: a combination's leaflet is another's."""
    named = [one for one in sources.names.entities_in(document.title) if one.type == _DRUG]
    return bool(ids) and any(one.id not in ids for one in named)


def _tells_enough(document: Document, sources: Sources) -> bool:
    """Whether a product of several is more than named: labels of kits list their parts at the end."""
    if not document.products:
        return True
    chunks = sources.library.document_chunks(document.id)
    return len({one.section for one in chunks if one.section and document.tells(one)}) > 1


def of_other_leaflets(
    part: ClauseEvidence,
    chosen: Sequence[Candidate],
    on_it: Sequence[Document],
    sources: Sources,
    reader: PassageReader,
    relevance: Relevance,
    threshold: float,
) -> list[Candidate]:
    """The best statement of each leaflet on the same medicine that none of the chosen is from, where the
    leaflet answers by itself.

    Args:
        chosen: statements that are told; at least one of them is from one of the leaflets.
        on_it: the leaflets.
        threshold: as `Candidates` takes it.

    Raises:
        ModelError, StoreError: the embedding model or the library cannot be used.
    """
    told = {one.quote.hit.document.subject for one in chosen}
    if len(on_it) < 2 or not any(one.subject in told for one in on_it):
        return []
    further: list[Candidate] = []
    for document in on_it:
        if document.subject in told or len(further) == _MOST_TOLD:
            continue
        hits = _hits_of(document, part, sources)
        if not hits:
            continue
        alone = ClauseEvidence(part.clause, part.vector, hits)
        candidates = Candidates(alone, sources, reader, relevance, threshold)
        further += choose(candidates.found(frozenset()), 1)
    return further


def _hits_of(document: Document, part: ClauseEvidence, sources: Sources) -> tuple[Hit, ...]:
    """The passages of a leaflet that were found, with those of the section that is asked for: of several
    leaflets on one medicine one may have most of the places."""
    found = [hit for hit in (*part.hits, *part.further) if hit.document.subject == document.subject]
    plan = part.clause.leaflet
    learned = [one.section for one in plan.aspects[:1]] if plan is not None else []
    wanted = {*part.clause.sections, *learned}
    present = {hit.chunk.id for hit in found}
    lowest = min((hit.similarity for hit in part.hits), default=0.0)
    missing = [
        Hit(chunk, document, 0.0, lowest)
        for chunk in sources.library.document_chunks(document.id)
        if chunk.section in wanted and chunk.id not in present and document.tells(chunk)
    ]
    return (*found, *missing[:_MOST_ADDED])


def leaflets_of(
    evidence: Evidence, sources: Sources, relevance: Relevance
) -> tuple[str, tuple[Document, ...]]:
    """The medicine of a question's only clause, and the leaflets on it; none where there is one at most.

    Raises:
        StoreError: the library cannot be read.
    """
    if len(evidence.clauses) != 1:
        return "", ()
    (part,) = evidence.clauses
    found = leaflets_on(part, sources, relevance, evidence.within)
    if len(found) < 2 or part.clause.leaflet is None:
        return "", ()
    return part.clause.leaflet.subjects[0].text, tuple(found)
