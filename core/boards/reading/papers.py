"""Sentences of papers that name a medicine and say that it does harm, with the reactions that they name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.boards.reading.reactions import denied
from core.boards.reading.tables import HARM, in_condition
from core.documents.library.shelves import EARLIER
from core.documents.store.library import EvidenceStore
from core.domain.documents import Chunk, Document
from core.domain.graph import Mention
from core.text.sentences import sentence_spans

_MOST_PAPERS = 50  # that mention a medicine, the ones that mention it most


@dataclass(frozen=True, slots=True)
class PaperMention:
    """A reaction in a sentence: `span` is the sentence's place on its page."""

    entity_id: str
    words: str
    document: Document
    chunk: Chunk
    span: tuple[int, int]
    quote: str
    denied: bool


def in_papers(
    entity_id: str,
    library: EvidenceStore,
    is_leaflet: Callable[[Document], bool],
    find: Callable[[str], Sequence[Mention]],
    is_reaction: Callable[[str], bool],
) -> Iterator[PaperMention]:
    """What papers say; a sentence must name the medicine itself, and no word of harm makes it a statement.

    Raises:
        StoreError: the library cannot be read.
    """
    for document, _ in library.documents_mentioning(entity_id, _MOST_PAPERS):
        if document.index == EARLIER or is_leaflet(document):
            continue
        chunks = library.document_chunks(document.id)
        named = library.mentions_of_chunks([one.id for one in chunks])
        seen: set[tuple[int, int, str]] = set()
        for chunk in chunks:
            if entity_id not in named.get(chunk.id, {}):
                continue
            for start, end in sentence_spans(chunk.text):
                sentence = chunk.text[start:end]
                if not HARM.search(sentence):
                    continue
                mentions = find(sentence)
                if all(one.entity_id != entity_id for one in mentions):
                    continue
                span = chunk.start + start, chunk.start + end
                for one in mentions:
                    key = (chunk.page, span[0], one.entity_id)
                    inside = in_condition(sentence, one.start, one.end)
                    if inside or key in seen or not is_reaction(one.entity_id):
                        continue
                    seen.add(key)
                    is_denied = denied(sentence[: one.start])
                    yield PaperMention(
                        one.entity_id, one.text, document, chunk, span, sentence, is_denied
                    )
