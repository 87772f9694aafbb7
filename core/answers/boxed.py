"""The boxed warnings of the medicines whose dose is told: a dose is not read without them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from core.documents.cutting.sections import is_boxed_warning
from core.documents.store.texts import Texts
from core.domain.answers import Block, Sentence, Support
from core.domain.documents import Chunk, Document, Hit
from core.evidence.citations import CitationBook
from core.evidence.passages import PassageReader, Quote
from core.resources import any_of, read_table
from core.text.titles import name_in

DOSE = "posology"  # the section that a question for a dose asks for
# Sections that stand before all others where a boxed warning opens.
_BEFORE_OTHERS = ("", "warnings")


SURE = 0.95  # probability that a boxed warning answers the question for it


def asks_for_boxed(question: str) -> bool:
    """Whether a question asks for a boxed warning itself."""
    return _words("asked").search(question) is not None


def boxed_warnings(
    documents: Iterable[Document],
    library: Texts,
    reader: PassageReader,
    book: CitationBook,
    seen: set[str],
    first: int,
) -> tuple[list[Block], list[Sentence]]:
    """A block for each document that has a boxed warning, with all of it that is not told yet.

    Args:
        book: is filled with what the sentences cite.
        seen: texts that are told; grows.
        first: number of the first block.

    Raises:
        StoreError: the library cannot be read.
    """
    blocks: list[Block] = []
    sentences: list[Sentence] = []
    for document in documents:
        quotes: dict[str, Quote] = {}
        own = [one for one in library.document_chunks(document.id) if document.tells(one)]
        for chunk in _boxed(own):
            for quote in reader.quotes(Hit(chunk, document, 0.0, 0.0, 0.0)):
                quotes.setdefault(quote.text, quote)
        untold = [quote for text, quote in quotes.items() if text not in seen]
        if not untold:
            continue
        seen.update(quotes)
        block = Block.of(first + len(blocks), untold[0].hit, boxed_warning=True)
        blocks.append(block)
        sentences += [_sentence(quote, book, block, quote is untold[0]) for quote in untold]
    return blocks, sentences


def _boxed(chunks: Sequence[Chunk]) -> Sequence[Chunk]:
    """Those under the heading of a boxed warning, of a document's in reading order; without the summary of one
    ("Highlights") where its full text is there."""
    opens = True
    runs: list[list[Chunk]] = [[]]
    for chunk in chunks:
        opens = opens and chunk.section in _BEFORE_OTHERS
        if is_boxed_warning(chunk.heading, opens):
            runs[-1].append(chunk)
        elif runs[-1]:
            runs.append([])
    whole = [run for run in runs if not any(_words("summary").search(one.text) for one in run)]
    return [chunk for run in (whole if any(whole) else runs) for chunk in run]


@cache
def _words(key: str) -> re.Pattern[str]:
    """Patterns of words between which a line may end."""
    words = read_table(__file__, "boxed.toml")[key]
    return any_of([one.replace(" ", r"\s+") for one in words])


def _sentence(quote: Quote, book: CitationBook, block: Block, opens: bool) -> Sentence:
    """A statement; the first one names the medicine, as it may stand behind another's dose."""
    before = f"{name_in(block.subject)}: " if opens else ""
    return Sentence(
        before + quote.text,
        Support.DOCUMENT,
        book.quoted(quote),
        block=block.n,
        items=tuple((start + len(before), end + len(before)) for start, end in quote.item_spans),
    )
