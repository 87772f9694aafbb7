"""Small records for tests of single rooms."""

from __future__ import annotations

from datetime import UTC, datetime

from core.domain.answers import Answer, Citation, Sentence, Support
from core.domain.conversations import Turn
from core.domain.documents import Chunk, Document, DocumentState, Hit
from core.domain.graph import Entity, Fact
from core.evidence.citations import CitationBook
from core.evidence.passages import Quote

WHEN = datetime(2025, 1, 2, tzinfo=UTC)

METFORMIN = Entity("DB00331", "Drug", "Metformin", synonyms=("Glucophage",), importance=0.9)
WARFARIN = Entity("DB00682", "Drug", "Warfarin", importance=0.8)
DIABETES = Entity("DOID:9352", "Disease", "type 2 diabetes mellitus", importance=1.0)
ASTHMA = Entity("DOID:2841", "Disease", "asthma", importance=0.7)


def a_hit(text: str, *, file: str = "Metformin.pdf", page: int = 1, heading: str = "") -> Hit:
    """A hit whose chunk is the whole text of a page."""
    title = file.rsplit(".", 1)[0]
    document = Document(file, "leaflets", file, title, "0", 1, 1, 1, DocumentState.READY, WHEN)
    context = f"{title} · {heading}" if heading else title
    chunk = Chunk(f"{file}:{page}", file, 0, page, "", heading, 0, len(text), text, context)
    return Hit(chunk, document, 0.9, 0.8)


def a_row(*cells: str) -> Quote:
    """A row of a table, each cell behind its head."""
    text = "; ".join(cells)
    return Quote(a_hit(text), text, 0, len(text), text, row=True, parts=cells)


def cite(book: CitationBook, hit: Hit) -> int:
    """The number of a hit's whole chunk in the book."""
    return book.passage(hit, hit.chunk.start, hit.chunk.end, hit.chunk.text)


def passages(*texts: str) -> tuple[Citation, ...]:
    """Citations 1, 2, ... of leaflet pages with these texts."""
    book = CitationBook()
    for page, text in enumerate(texts, start=1):
        cite(book, a_hit(text, page=page))
    return book.citations


def with_fact(*citations: Citation, fact: Fact) -> tuple[Citation, ...]:
    """Citations, and one of a relationship after them."""
    book = CitationBook()
    for page in range(len(citations)):
        cite(book, a_hit("", page=page + 1))
    book.fact(fact, 1.0)
    return (*citations, book.citations[-1])


def a_turn(question: str, said: str) -> Turn:
    """An earlier question with its answer."""
    answer = Answer(
        question, question, "hybrid", False, (Sentence(said, Support.DOCUMENT, ()),), (), (), (), {},
        "extractive", "session", "",
    )  # fmt: skip
    return Turn("turn", "session", 0, answer, WHEN)
