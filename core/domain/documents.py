"""Documents, their pages and chunks, and what a search or an ingestion returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class Profile(StrEnum):
    """How an index cuts text into chunks (see `core.documents.chunks`)."""

    LEAFLET = "leaflet"
    ABSTRACT = "abstract"
    SEMANTIC = "semantic"


class DocumentState(StrEnum):
    INGESTING = "ingesting"
    READY = "ready"
    DELETING = "deleting"


@dataclass(frozen=True, slots=True)
class Index:
    """A named set of documents that share a chunking profile and an embedding model."""

    name: str
    profile: Profile
    model: str
    dimension: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Document:
    """One file (or one abstract of a corpus) of the library.

    Attributes:
        file: the name that is shown and cited; never used as a path.
        sha256: hash of the bytes that were uploaded.
        metadata: what the file says of itself (title, author, arXiv link, ...), plain strings.
    """

    id: str
    index: str
    file: str
    title: str
    sha256: str
    bytes: int
    pages: int
    chunks: int
    state: DocumentState
    created_at: datetime
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Page:
    """Text of one page; `number` counts from 1."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch of a page under one heading.

    Attributes:
        code: standard code (``contraindications``, ``posology``, ...) or ``""`` when none is recognised.
        heading: the heading as the document prints it, or ``""``.
        start, end: character offsets into the page's text, end exclusive.
    """

    code: str
    heading: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of one page that is embedded and searched as a whole.

    Attributes:
        position: 0-based place among the document's chunks.
        page: page number, from 1.
        start, end: character offsets into the page's text, end exclusive; ``text == page[start:end]``.
        context: one line (document title and heading) that is embedded in front of the text, so that
            "Store below 25 °C" is found under the medicine it belongs to.
    """

    id: str
    document_id: str
    position: int
    page: int
    section: str
    heading: str
    start: int
    end: int
    text: str
    context: str

    @property
    def embedding_text(self) -> str:
        """The text that the chunk's vector was made from."""
        return f"{self.context}\n{self.text}" if self.context else self.text


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that a search found.

    Attributes:
        score: rank score in [0, 1] of the mode that was used, descending in a result.
        similarity: cosine similarity to the query in [-1, 1]; 0 when only full text found it.
    """

    chunk: Chunk
    document: Document
    score: float
    similarity: float


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits in descending score, with how they were found.

    Attributes:
        mode: ``hybrid``, ``semantic`` or ``lexical``.
        searched: number of chunks that were in scope.
    """

    hits: tuple[Hit, ...]
    mode: str
    elapsed_ms: float
    searched: int


@dataclass(frozen=True, slots=True)
class IngestResult:
    """What became of one file: ``ready``, ``refused`` (the file's fault) or ``failed`` (ours)."""

    file: str
    state: str
    code: str
    message: str
    pages: int
    chunks: int
    seconds: float
    document_id: str = ""


@dataclass(frozen=True, slots=True)
class DeletionReceipt:
    """What a deletion removed, counted store by store; `left` is what a check found afterwards."""

    document_id: str
    file: str
    pages: int
    chunks: int
    vectors: int
    mentions: int
    files: int
    left: int
