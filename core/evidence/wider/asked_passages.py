"""Passages that search did not bring and that a clause asks for by what they are: the sections of documents on
its subject, and those that name the medicine that it asks about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from statistics import median

from core.domain.documents import Chunk, Document, Hit
from core.domain.leaflets.conditions import Partner
from core.domain.provenance.within import Within
from core.evidence.relevance import Relevance
from core.questions.clauses import Clause
from core.questions.leaflets.names import is_surely_name

# Chunks of the asked section that search did not bring, each as good as the middling hit.
_MOST_ADDED = 6
_MOST_NAMING = 6  # of a name


def chunks_of(
    sections: Sequence[str],
    ids: Collection[str],
    hits: Sequence[Hit],
    about: Mapping[tuple[str, str], Document],
    document_chunks: Callable[[str], Iterable[Chunk]],
) -> list[Hit]:
    """Chunks of the asked sections that search did not bring, those of the first section first.

    "Who should not take X?" has hardly a word in common with "A history of allergy to penicillins
    is a contraindication"; that it stands under Contraindications is what counts.

    Args:
        ids: of chunks that are asked for, whatever their section.
        about: the documents that they are taken from, by `Document.subject`.
    """
    if not (sections or ids):
        return []
    present = {hit.chunk.id for hit in hits}
    missing = [
        _hit(chunk, document, hits)
        for document in about.values()
        for chunk in document_chunks(document.id)
        if (chunk.section in sections or chunk.id in ids)
        and chunk.id not in present
        and document.tells(chunk)
    ]
    missing.sort(key=lambda hit: -1 if hit.chunk.id in ids else sections.index(hit.chunk.section))
    return missing[:_MOST_ADDED]


def naming(
    clause: Clause,
    hits: Sequence[Hit],
    about: Mapping[tuple[str, str], Document],
    within: Within,
    relevance: Callable[[], Relevance],
) -> tuple[list[Hit], set[str]]:
    """Hits with the passages that name what no document is on: a medicine of which a guideline alone speaks,
    and what is taken beside the medicine that documents are on, in these; and the ids of those passages.

    The one place that has a name is found by search among others that have the question's further words, as far
    as it has these, too: "patiromer start and max dose".

    Args:
        about: the documents on the subject, by `Document.subject`.

    Raises:
        StoreError: the library cannot be read.
    """
    plan = clause.leaflet
    if plan is None:
        return list(hits), set()
    partners = [one.name for one in plan.conditions if isinstance(one, Partner) and one.taken]
    names = partners if about else [*plan.subjects, *partners]
    surely = [one for one in names if is_surely_name(one, clause.text)]
    found = {hit.chunk.id: hit for hit in hits}
    named: set[str] = set()
    if not surely:
        return list(hits), set()
    library = relevance()
    for one in surely:
        for chunk, whole in library.passages_naming(one.text, _MOST_NAMING):
            document = whole.at(chunk.page, chunk.start)
            asked = clause.documents and whole.id not in clause.documents
            if asked or (about and document.subject not in about):
                continue
            if within.has_document(whole.id) and within.has_section(chunk.section):
                found.setdefault(chunk.id, _hit(chunk, document, hits))
                named.add(chunk.id)
    return list(found.values()), named


def _hit(chunk: Chunk, document: Document, hits: Sequence[Hit]) -> Hit:
    """A chunk as good as the middling hit."""
    lowest = min((hit.similarity for hit in hits), default=0.0)
    least = min((hit.score for hit in hits), default=0.0)
    middling = median(hit.relative for hit in hits) if hits else 0.0
    return Hit(chunk, document, least, lowest, middling)
