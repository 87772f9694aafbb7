"""The book that gives citations their numbers: the code numbers them, never a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from core.domain.answers import Citation, DocumentCitation, GraphCitation
from core.domain.documents import Hit
from core.domain.graph import Fact
from core.evidence.passages import Quote
from core.text.model_talk import order_spans


class CitationBook:
    """Numbers citations from 1 in the order they are first asked for; the same evidence, one number."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[object, ...], int] = {}
        self._citations: list[Citation] = []

    def passage(self, hit: Hit, start: int, end: int, quote: str) -> int:
        """The number of ``page_text[start:end]``, which is `quote`, on the hit's page."""
        key = ("document", hit.chunk.document_id, hit.chunk.page, start, end)
        return self._number(key, lambda n: document_citation(n, hit, start, end, quote))

    def quoted(self, quote: Quote) -> tuple[int, ...]:
        """The numbers of all that a quote says: of an item behind others, also of its list's lead-in, or
        of the part of the list that is cited with it already; of a row, of its table's caption, heads and
        notes; and of the pages that it goes on over."""
        return (*self._on_its_page(quote), *self._beyond(quote))

    def _beyond(self, quote: Quote) -> Iterator[int]:
        notes = [place for note in quote.notes for place in note.places]
        for chunk, start, end, words in (*notes, *quote.beyond):
            yield self.passage(replace(quote.hit, chunk=chunk), start, end, words)

    def _on_its_page(self, quote: Quote) -> tuple[int, ...]:
        lead = quote.lead
        if lead is None or lead.chunk is None:
            places = [(quote.start, quote.end, quote.source), *quote.with_it]
            return tuple(self.passage(quote.hit, *place) for place in places)
        if lead.gap is not None:
            whole = f"{lead.source}{lead.gap}{quote.source}"
            return (self.passage(quote.hit, lead.start, quote.end, whole),)
        above = replace(quote.hit, chunk=lead.chunk)
        return (
            self._around(above, lead.start, lead.end)
            or self.passage(above, lead.start, lead.end, lead.source),
            self.passage(quote.hit, quote.start, quote.end, quote.source),
        )

    def fact(self, fact: Fact, relevance: float) -> int:
        """The number of a relationship."""
        return self._number(("graph", *fact.key), lambda n: graph_citation(n, fact, relevance))

    def _around(self, hit: Hit, start: int, end: int) -> int:
        """The number of a passage that holds ``page_text[start:end]`` of the hit's page; 0 without one."""
        place = (hit.chunk.document_id, hit.chunk.page)
        return next(
            (
                one.n
                for one in self._citations
                if isinstance(one, DocumentCitation)
                and (one.document_id, one.page) == place
                and one.start <= start
                and end <= one.end
            ),
            0,
        )

    @property
    def citations(self) -> tuple[Citation, ...]:
        return tuple(self._citations)

    def _number(self, key: tuple[object, ...], cite: Callable[[int], Citation]) -> int:
        if key not in self._numbers:
            self._numbers[key] = len(self._citations) + 1
            self._citations.append(cite(self._numbers[key]))
        return self._numbers[key]


def graph_citation(n: int, fact: Fact, relevance: float) -> GraphCitation:
    """A citation of a relationship."""
    return GraphCitation(
        n=n,
        source_id=fact.source.id,
        source=fact.source.name,
        source_type=fact.source.type,
        relationship=fact.type,
        target_id=fact.target.id,
        target=fact.target.name,
        target_type=fact.target.type,
        relevance=round(relevance, 4),
        properties=dict(fact.properties),
    )


def document_citation(n: int, hit: Hit, start: int, end: int, quote: str) -> DocumentCitation:
    """A citation of ``page_text[start:end]``, which is `quote`, on the hit's page."""
    chunk, document = hit.chunk, hit.document
    return DocumentCitation(
        n=n,
        document_id=document.id,
        chunk_id=chunk.id,
        file=document.file,
        page=chunk.page,
        section=chunk.section,
        heading=chunk.heading,
        quote=quote,
        start=start,
        end=end,
        relevance=round(hit.score, 4),
        orders=document.orders != 0 and bool(order_spans(quote)),
        product=document.title if document.products else "",
    )
