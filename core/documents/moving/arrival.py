"""A document as another index is to have it: cut and embedded as that index does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.documents.cutting.filling import EMBED_BATCH, cut, embed, of_document
from core.documents.library.library import Library
from core.documents.library.outcomes import Progress, Report
from core.domain.documents import Chunk, Document, Index
from core.domain.encoder import Encoder
from core.domain.vectors import Vectors
from core.errors import Cancelled


@dataclass(frozen=True, slots=True)
class Arrival:
    """Chunks with their vectors, one row each.

    Attributes:
        recut: the chunks are not those that the document has.
        mentions: chunk id -> entity id -> count.
    """

    chunks: Sequence[Chunk]
    vectors: Vectors
    recut: bool
    mentions: dict[str, dict[str, int]]

    def of(self, document_id: str) -> Arrival:
        """The same of a copy of the document."""
        renamed = {one.id: of_document(one, document_id) for one in self.chunks}
        return replace(
            self,
            chunks=list(renamed.values()),
            mentions={renamed[key].id: counts for key, counts in self.mentions.items()},
        )

    def add_vectors(self, library: Library, index: Index) -> None:
        """Write the vectors to an index; no search sees them before the registry has the document there."""
        for start in range(0, len(self.chunks), EMBED_BATCH):
            end = start + EMBED_BATCH
            library.vectors.add(index.collection, self.chunks[start:end], self.vectors[start:end])


def arrival_of(
    library: Library,
    document: Document,
    target: Index,
    report: Report,
    cancelled: Callable[[], bool],
) -> Arrival:
    """What an index gets of a document of another one.

    Where both cut and embed alike, chunks and vectors stay as they are; with another model the chunks are
    embedded anew, and cut anew where they are too long for it or the index cuts otherwise.

    Raises:
        EmbeddingMismatch: the index's model cannot be loaded.
        Cancelled: it was cancelled.
    """
    source = library.store.index(document.index)
    encoder = library.encoder_for(target)
    chunks = library.store.document_chunks(document.id)
    same_model = source is not None and (source.model, source.dimension) == (
        target.model,
        target.dimension,
    )
    same_cut = source is not None and source.profile is target.profile
    recut = not same_cut or not (same_model or _fits(chunks, encoder))
    if recut:
        chunks = cut(document, library.store.pages(document.id), target.profile, encoder)
        mentions = {one.id: dict(library.count_mentions(one.text)) for one in chunks}
    else:
        mentions = library.store.mentions_of_chunks([one.id for one in chunks])
    known = {}
    if same_model and not recut and source is not None:
        known = library.vectors.vectors(source.collection, [one.id for one in chunks])
    missing = [one for one in chunks if one.id not in known]
    for start in range(0, len(missing), EMBED_BATCH):
        report(Progress("embedding", document.pages, start, len(missing)))
        if cancelled():
            raise Cancelled("It was cancelled; this document is where it was.")
        part = missing[start : start + EMBED_BATCH]
        known.update(zip((one.id for one in part), embed(encoder, part), strict=True))
    return Arrival(chunks, np.stack([known[one.id] for one in chunks]), recut, mentions)


def _fits(chunks: Sequence[Chunk], encoder: Encoder) -> bool:
    counts = encoder.count_tokens([one.embedding_text for one in chunks])
    return max(counts) <= encoder.max_tokens
