"""Documents, chunks and fillings for tests of a registry."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from core.documents.store.library import LibraryStore
from core.domain.documents import Chunk, Document, DocumentState, Filling, Index, Page, Profile

TEXTS = (
    "Metformin lowers blood glucose. Do not take it with severe kidney disease.",
    "Warfarin interacts with aspirin; bleeding is possible.",
    'NEAR AND OR NOT are only words here, as is the star * and the quote " and col:umn.',
)
REMOVED = {"documents": 1, "pages": 1, "chunks": 1, "text": 1, "mentions": 1}


def document(identifier: str, index: str = "leaflets", file: str = "a.pdf") -> Document:
    return Document(
        id=identifier,
        index=index,
        file=file,
        title=file,
        sha256=f"hash of {identifier}",
        bytes=10,
        pages=0,
        chunks=0,
        state=DocumentState.INGESTING,
        created_at=datetime.now(UTC),
        metadata={"author": "Ärztin <b>", "url": "http://arxiv.org/abs/1"},
    )


def chunks_of(identifier: str, *texts: str, context: str = "Title") -> list[Chunk]:
    return [
        Chunk(
            f"{identifier}:{n}", identifier, n, 1, "posology", "Dose", 0, len(text), text, context
        )
        for n, text in enumerate(texts)
    ]


def filling(
    new: Document, *texts: str, context: str = "Title", replaces: tuple[str, ...] = ()
) -> Filling:
    """One page with all texts, one chunk each; the first mentions E1 twice."""
    chunks = chunks_of(new.id, *texts, context=context)
    pages = [Page(1, "\n".join(texts))]
    return Filling(replace(new, pages=1), pages, chunks, {chunks[0].id: {"E1": 2}}, replaces)


def add(store: LibraryStore, new: Document, *texts: str, context: str = "Title") -> Document:
    store.begin_documents([new])
    store.finish_documents([filling(new, *texts, context=context)])
    return new


def an_index(name: str) -> Index:
    return Index(name, Profile.LEAFLET, "m", 3, datetime.now(UTC))
