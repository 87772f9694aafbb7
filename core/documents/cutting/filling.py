"""What a document becomes ready with: what it is about, its chunks, the entities in them, their vectors.

All of it follows from its text, the index and the graph's names: no store is read or written here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from core.documents.cutting.chunks import CountTokens, chunk_pages
from core.documents.cutting.composition import read_contained
from core.documents.cutting.issued import read_issued
from core.documents.cutting.products import about
from core.domain.documents import Chunk, Document, Filling, Index, Page, Profile, chunk_id
from core.domain.encoder import Encoder
from core.domain.vectors import Vectors
from core.errors import DocumentError
from core.text.model_talk import order_spans

EMBED_BATCH = 32  # chunks between two progress reports, where questions are given way

CountMentions: TypeAlias = Callable[[str], Mapping[str, int]]
Medicines: TypeAlias = Callable[[Iterable[str]], Mapping[str, str]]
Step: TypeAlias = Callable[[str], None]  # told what is done next; what it raises ends the work


def quiet(_stage: str) -> None:
    """Nobody is watching."""


def described(
    document: Document,
    pages: Sequence[Page],
    metadata: Mapping[str, str],
    count_mentions: CountMentions,
    medicines: Medicines,
    step: Step = quiet,
) -> Document:
    """A document with what its own text says of it.

    Args:
        document: its title is what it is about where its text does not say.
        metadata: what the file says of itself.
        count_mentions: entities named in a text, id -> number.
        medicines: of entity ids those that are medicines, id -> name.
    """
    step("looking for what it is about")
    title, found = about(pages, metadata, document.title, count_mentions, medicines)
    step("looking for what it is about")
    return replace(
        document,
        title=title,
        products=found,
        metadata={**metadata, **read_issued(pages), **read_contained(title, pages)},
        pages=sum(page.number > 0 for page in pages),
    )


def filled(
    document: Document,
    pages: Sequence[Page],
    profile: Profile,
    encoder: Encoder,
    count_mentions: CountMentions,
    *,
    replaces: tuple[str, ...] = (),
    step: Step = quiet,
    count_tokens: CountTokens | None = None,
) -> Filling:
    """All that a document becomes ready with, but its vectors.

    Raises:
        DocumentError: it has no text (``NO_TEXT``).
    """
    chunks = cut(document, pages, profile, encoder, count_tokens)
    if not chunks:
        raise DocumentError(
            "No text was found in the file.",
            advice="If it is a scan, make its text searchable with OCR first.",
            code="NO_TEXT",
        )
    mentions: dict[str, dict[str, int]] = {}
    for number, chunk in enumerate(chunks):
        if number % EMBED_BATCH == 0:
            step(f"looking for entities, {number:,} of {len(chunks):,} chunks")
        mentions[chunk.id] = dict(count_mentions(chunk.text))
    orders = sum(len(order_spans(page.text)) for page in pages)
    return Filling(replace(document, orders=orders), pages, chunks, mentions, replaces)


def cut(
    document: Document,
    pages: Sequence[Page],
    profile: Profile,
    encoder: Encoder,
    count_tokens: CountTokens | None = None,
) -> list[Chunk]:
    """The chunks of a document under its title, as long as the model reads."""
    return chunk_pages(
        pages,
        profile,
        document_id=document.id,
        title=document.title,
        count_tokens=count_tokens or encoder.count_tokens,
        max_tokens=encoder.max_tokens,
        corrections=document.corrections,
        products=document.products,
    )


def embed(encoder: Encoder, chunks: Sequence[Chunk]) -> Vectors:
    """The vectors of chunks, in their order."""
    return encoder.encode([chunk.embedding_text for chunk in chunks])


def of_document(chunk: Chunk, document_id: str) -> Chunk:
    """The same chunk of another document."""
    corrections = chunk.id.rpartition(":")[2].partition(".")[2]
    new_id = chunk_id(document_id, chunk.position, int(corrections or 0))
    return replace(chunk, id=new_id, document_id=document_id)


@dataclass(frozen=True, slots=True)
class Made:
    """What a file becomes, worked out before the library knows the file.

    Attributes:
        name: under which it was read; it decides the title where the text does not.
        model, profile: of the index that it was made for.
        filling: of a document with the file's SHA-256 and an id that no library has.
        vectors: of the filling's chunks, float32 of shape (chunks, dimension).
        copy: the reading copy, where one was made.
    """

    name: str
    model: str
    profile: Profile
    filling: Filling
    vectors: Vectors
    copy: bytes | None = None

    def fits(self, document: Document, index: Index) -> bool:
        """Whether reading a registered file would come to the same."""
        made_of = (self.filling.document.sha256, self.name, self.model, self.profile)
        return made_of == (document.sha256, document.file, index.model, index.profile)

    def of(self, document: Document, replaces: tuple[str, ...]) -> Filling:
        """The filling of a registered document."""
        made, filling = self.filling.document, self.filling
        renamed = {chunk.id: of_document(chunk, document.id) for chunk in filling.chunks}
        return Filling(
            replace(
                document,
                title=made.title,
                products=made.products,
                metadata=made.metadata,
                pages=made.pages,
                blank_pages=made.blank_pages,
                ocr_pages=made.ocr_pages,
                orders=made.orders,
            ),
            filling.pages,
            list(renamed.values()),
            {renamed[key].id: counts for key, counts in filling.mentions.items()},
            replaces,
        )
