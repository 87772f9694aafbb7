"""Documents, their pages and chunks, and what a search or an ingestion returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum


class Profile(StrEnum):
    """How an index cuts text into chunks (see `core.documents.cutting.chunks`)."""

    LEAFLET = "leaflet"
    ABSTRACT = "abstract"
    SEMANTIC = "semantic"


class Kind(StrEnum):
    """What a file is. Only a PDF has pages: the text of any other kind is one `Page` with number 0."""

    PDF = "pdf"
    TEXT = "text"
    MARKDOWN = "markdown"
    DOCX = "docx"
    HTML = "html"
    ABSTRACT = "abstract"


class OnConflict(StrEnum):
    """What to do with a file whose name the index knows with other bytes.

    KEEP_EARLIER lets it take the name, and sets the document that had it aside as an earlier version.
    """

    ASK = "ask"
    REPLACE = "replace"
    KEEP_EARLIER = "keep-earlier"
    KEEP_BOTH = "keep-both"


class DocumentState(StrEnum):
    INGESTING = "ingesting"
    READY = "ready"
    DELETING = "deleting"


@dataclass(frozen=True, slots=True)
class Index:
    """A named set of documents that share a chunking profile and an embedding model.

    Attributes:
        generation: counts the embeddings that were made anew; each has a collection of its own, so
            that the old vectors serve until the new ones are complete.
        deleting: its deletion has begun; no search sees it any more.
    """

    name: str
    profile: Profile
    model: str
    dimension: int
    created_at: datetime
    generation: int = 0
    deleting: bool = False

    @property
    def collection(self) -> str:
        """Name of the vectors that serve the index now."""
        return f"{self.name}@{self.generation}" if self.generation else self.name


@dataclass(frozen=True, slots=True)
class IndexCounts:
    """What an index holds: ready documents, their pages, chunks and bytes."""

    documents: int = 0
    pages: int = 0
    chunks: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Product:
    """One of several products that a file tells of, or a further place where it tells of it: then with the
    same title.

    Attributes:
        title: as the file names it, or the analyst.
        page, start: where it begins, character `start` of that page's text.
    """

    title: str
    page: int
    start: int


@dataclass(frozen=True, slots=True)
class Document:
    """One file (or one abstract of a corpus) of the library.

    Attributes:
        file: the name that is shown and cited; never used as a path.
        title: what it is about: its own words for it, or the analyst's.
        sha256: hash of the bytes that were uploaded.
        pages: pages of a PDF; 0 for a kind without pages.
        blank_pages: pages of a PDF on which no text was found (blank, or a picture that was not read).
        ocr_pages: pages of a PDF whose text was recognised from a picture.
        metadata: what the file, or its text, says of itself (title, author, arXiv link, ...), plain strings.
        orders: sentences that are addressed to a language model ("ignore your instructions"); answers
            are made without them. -1 when nobody has looked for them.
        corrections: how often the title was corrected, or read again as another; 0: it is as it was read.
        products: where the file tells of several, in order, the first from its beginning on.
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
    kind: Kind = Kind.PDF
    blank_pages: int = 0
    ocr_pages: int = 0
    orders: int = -1
    corrections: int = 0
    products: tuple[Product, ...] = ()

    @property
    def called(self) -> str:
        """What questions call it by: its title, with what the product contains where that does not say it."""
        contains = self.metadata.get(CONTAINS, "")
        return f"{self.title} ({contains})" if contains and not self.products else self.title

    @property
    def subject(self) -> tuple[str, str]:
        """Which product of which file it is about; see `at`."""
        return (self.id, self.title)

    @property
    def titles(self) -> tuple[str, ...]:
        """What it is about: each of its products, those that are told of in several places once."""
        return tuple(dict.fromkeys(one.title for one in self.products)) or (self.title,)

    def at(self, page: int, start: int) -> Document:
        """The document as one about the product that character `start` of a page tells of; itself where it
        is about one."""
        told = [one for one in self.products if (one.page, one.start) <= (page, start)]
        return replace(self, title=told[-1].title) if told else self

    def tells(self, chunk: Chunk) -> bool:
        """Whether a chunk of it tells of the product that it is about."""
        return self.at(chunk.page, chunk.start).title == self.title

    def product(self, page: int, start: int) -> int:
        """Place of that product among `products`; -1 without any."""
        return sum((one.page, one.start) <= (page, start) for one in self.products) - 1

    def each(self) -> tuple[Document, ...]:
        """The document as one about each of its products."""
        return tuple(replace(self, title=title) for title in self.titles)


@dataclass(frozen=True, slots=True)
class Page:
    """Text of one page; `number` counts from 1, and is 0 for text that has no pages."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch of a page under one heading.

    Attributes:
        code: standard code (``contraindications``, ``posology``, ...) or ``""`` when none is recognised.
        heading: the heading as the document prints it, or ``""``.
        start, end: character offsets into the page's text, end exclusive.
        part: of a paper, the heading of the part that it stands in ("2. Methods"), as printed.
    """

    code: str
    heading: str
    start: int
    end: int
    part: str = ""


CONTAINS = "contains"
"""In a document's metadata: the substances of its composition."""
CONTEXT_END = "\t"
"""In a chunk's context, behind title and heading."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of one page that is embedded and searched as a whole.

    Attributes:
        id: see `chunk_id`.
        position: 0-based place among the document's chunks.
        page: page number, from 1.
        start, end: character offsets into the page's text, end exclusive; ``text == page[start:end]``.
        context: one line (document title, part of a paper, heading) that is embedded in front of the text, so
            that "Store below 25 °C" is found under the medicine it belongs to; behind `CONTEXT_END` the heads
            of the table in whose middle the text begins.
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
    def titled(self) -> str:
        """Document title and heading."""
        return self.context.partition(CONTEXT_END)[0]

    @property
    def embedding_text(self) -> str:
        """The text that the chunk's vector was made from."""
        return f"{self.context}\n{self.text}" if self.context else self.text


def chunk_id(document_id: str, position: int, corrections: int = 0) -> str:
    """``document:position``, behind it ``.n`` once the title was corrected n times.

    No id stands for two texts: vectors of before a correction and of after it lie side by side for a
    moment, and the registry says which of them count.
    """
    return f"{document_id}:{position}.{corrections}" if corrections else f"{document_id}:{position}"


def document_of(chunk_id: str) -> str:
    """Id of the document that a chunk's id belongs to."""
    return chunk_id.partition(":")[0]


def corrections_of(chunk_id: str) -> int:
    """How often a document's title had been corrected when the chunk of this id was cut."""
    return int(chunk_id.rpartition(":")[2].partition(".")[2] or 0)


@dataclass(frozen=True, slots=True)
class Filling:
    """All that a document becomes ready with; `mentions` is chunk id -> entity id -> count.

    `replaces` are documents that stop being ready in the same moment.
    """

    document: Document
    pages: Sequence[Page]
    chunks: Sequence[Chunk]
    mentions: Mapping[str, Mapping[str, int]]
    replaces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that a search found.

    Attributes:
        score: in [0, 1], descending in a result; what it means is said by mode in
            `core.search.retriever.Retriever.search`.
        similarity: cosine similarity to the query in [-1, 1]; 0 where no embedding was compared.
        relative: in [0, 1], what the order rests on: in hybrid mode the fused score among the
            candidates, which says nothing about other searches.
        copies: further passages of the same words that are not shown.
        before_reranking: the score that the reranker's took the place of; None without one.
    """

    chunk: Chunk
    document: Document
    score: float
    similarity: float
    relative: float = 0.0
    copies: int = 0
    before_reranking: float | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits in descending score, with how they were found.

    Attributes:
        mode: ``hybrid``, ``semantic``, ``lexical`` or ``exact``.
        searched: number of chunks that were in scope.
        reranker: name of the model that gave order and scores; empty without one.
        notice: something the reader must know (a reranker that failed).
    """

    hits: tuple[Hit, ...]
    mode: str
    elapsed_ms: float
    searched: int
    reranker: str = ""
    notice: str = ""


@dataclass(frozen=True, slots=True)
class IngestResult:
    """What became of one file.

    Attributes:
        state: ``ready``, ``refused`` (the file's fault), ``failed`` (ours), ``question`` (the index
            has a file of this name with other bytes: which is to be kept?) or ``cancelled``.
        source: where the file came from, to try it again after a question; empty when it is gone.
        title: what the document is about; empty where there is none.
        earlier_id: the document that had the name before, where it is kept.
    """

    file: str
    state: str
    code: str
    message: str
    pages: int
    chunks: int
    seconds: float
    document_id: str = ""
    source: str = ""
    title: str = ""
    earlier_id: str = ""


@dataclass(frozen=True, slots=True)
class DeletionReceipt:
    """What a deletion removed, counted store by store; `left` is what a check found afterwards.

    `file` names the document, or the index when a whole index went (`document_id` is empty then).

    Attributes:
        quotes: taken out of kept answers, where that was asked for.
        quotes_later: 1 where that was asked for and is not done: kept answers cannot be reached, or a
            question is being answered. The next start does it.
        unfinished: 1 where a store could not be used: no search sees what was deleted any more, and
            Materia removes the rest of it by itself as soon as it can.
    """

    document_id: str
    file: str
    pages: int
    chunks: int
    vectors: int
    mentions: int
    files: int
    left: int
    text_rows: int = 0
    documents: int = 1
    quotes: int = 0
    quotes_later: int = 0
    unfinished: int = 0


@dataclass(frozen=True, slots=True)
class Finding:
    """One disagreement between the stores, as `Verifier` finds it.

    Attributes:
        kind: stable identifier (``missing_vectors``, ``orphan_file``, ...).
        what: the document, index or file concerned, by its shown name.
        count: how many chunks, vectors, rows or files.
        repairable: whether a repair can mend it without the analyst's help.
        repaired: whether it was mended in this run.
    """

    kind: str
    what: str
    count: int
    message: str
    repairable: bool
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """What was compared and what did not agree."""

    documents: int
    chunks: int
    vectors: int
    text_rows: int
    files: int
    findings: tuple[Finding, ...]
    seconds: float

    @property
    def consistent(self) -> bool:
        """Whether nothing is left to mend."""
        return all(finding.repaired for finding in self.findings)
