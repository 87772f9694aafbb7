"""What is told where documents are asked for that have words in their text: all of them, counted, with the
pages; and of those that have them most the first place each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from core.answers.leaflets.telling import Telling
from core.domain.answers import Block, Sentence, Support
from core.evidence.passages import PassageReader, Quote
from core.evidence.wider.mentioning import MOST_QUOTED, hit_at
from core.questions.mentioning.found import Mentioned, MentioningDocument, Occurrence
from core.text.titles import name_in, told_apart

SURE = 1.0  # that these documents have the words: they were looked through
_MOST_NAMED = 40  # documents; of more their number is told behind them
_MOST_FORMS = 5  # other words that are named
_FEW_QUOTED = 4  # documents of which more than one place is quoted
_MOST_PLACES = 3


def tell_mentioned(found: Mentioned, telling: Telling) -> None:
    """Tell the documents that have the words, or that lack them; nothing where there are none.

    Raises:
        StoreError: the library cannot be read.
    """
    telling.probabilities.append(SURE if found.documents else 0.0)
    if not found.documents:
        return
    blocks: list[Block] = []
    quoted: list[Sentence] = []
    for one in found.documents[:MOST_QUOTED] if not found.asked.lacking else ():
        few = len(found.documents) <= _FEW_QUOTED
        block, sentences = _quoted(one, len(telling.blocks) + len(blocks) + 1, telling, few=few)
        blocks.append(block)
        quoted += sentences
    firsts = {one.block: one.citations for one in reversed(quoted)}
    cited = tuple(dict.fromkeys(n for one in blocks for n in firsts[one.n]))
    telling.sentences += [Sentence(_told(found), Support.DOCUMENT, cited), *quoted]
    telling.blocks += blocks


def tell_named(found: MentioningDocument | None, telling: Telling) -> list[Sentence]:
    """Where a document names what something is asked of, in a new block; nothing where it does not.

    Raises:
        StoreError: the library cannot be read.
    """
    if found is None:
        return []
    block, sentences = _quoted(found, len(telling.blocks) + 1, telling, few=False)
    sentences = [one for one in sentences if one.text not in telling.seen]
    if sentences:
        telling.blocks.append(block)
        telling.seen.update(one.text for one in sentences)
    return sentences


def looked_for(found: Mentioned) -> str:
    """What was understood: the words that documents are to have, or to lack, and what counts as the same."""
    others = [one for one in found.forms if one not in found.asked.terms]
    forms = [f"“{one}”" for one in others[:_MOST_FORMS]]
    if len(others) > len(forms):
        forms.append(f"{len(others) - len(forms):,} more")
    also = f" (the same: {', '.join(forms)})" if forms else ""
    lacking = "nowhere " if found.asked.lacking else ""
    return f"documents whose text {lacking}has {_terms(found)}{also}, {_how(found)}"


def none_has(found: Mentioned) -> str:
    """What is said where no document is as asked; "" where one is."""
    if found.documents:
        return ""
    searched = f"{found.searched:,} document{'' if found.searched == 1 else 's'}"
    have = "lacks" if found.asked.lacking else "has"
    return (
        f"None of {searched} that {'was' if found.searched == 1 else 'were'} looked through {have} "
        f"{_terms(found)}, {_how(found)}."
    )


def _how(found: Mentioned) -> str:
    near = "its words near each other, as none has them side by side"
    return f"{near if found.near else 'word for word'}, in any form"


def _terms(found: Mentioned) -> str:
    return (" and " if found.asked.every else " or ").join(f"“{one}”" for one in found.asked.terms)


def _told(found: Mentioned) -> str:
    """All documents in one sentence."""
    asked, total = found.asked, len(found.documents)
    verb = (
        ("does not mention" if total == 1 else "do not mention")
        if asked.lacking
        else ("mentions" if total == 1 else "mention")
    )
    names = told_apart((one.document.title, one.document.file) for one in found.documents)
    listed = [
        _with_pages(name_in(names[one.document.title, one.document.file]), one.pages)
        for one in found.documents[:_MOST_NAMED]
    ]
    more = f" and {total - len(listed):,} others" if total > len(listed) else ""
    of = f"{total:,} of {found.searched:,} document{'' if found.searched == 1 else 's'}"
    return f"{of} {verb} {_terms(found)}: {'; '.join(listed)}{more}."


def _with_pages(name: str, pages: Sequence[int]) -> str:
    return f"{name} (p. {_runs(pages)})" if pages else name


def _runs(pages: Sequence[int]) -> str:
    """``1, 3–5`` of 1, 3, 4 and 5."""
    runs = []
    for _, group in groupby(enumerate(sorted(pages)), key=lambda one: one[1] - one[0]):
        run = [page for _, page in group]
        runs.append(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}")
    return ", ".join(runs)


def _quoted(
    one: MentioningDocument, number: int, telling: Telling, *, few: bool
) -> tuple[Block, list[Sentence]]:
    """The first place of a document, or one of each of some pages where few documents are told."""
    quotes = _statements(one, telling, _MOST_PLACES if few else 1)
    place = one.places[0]
    first = quotes[0].hit if quotes else hit_at(one.document, place)
    block = Block.of(number, first, under=quotes[0].under if quotes else "")
    sentences = [
        Sentence(
            quote.text,
            Support.DOCUMENT,
            telling.book.quoted(quote),
            block=number,
            decisive=True,
            items=quote.item_spans,
            row=quote.row,
        )
        for quote in quotes
    ]
    if not sentences:  # it stands in a heading, or in what no statement was read of
        line, start, end = _line(place)
        cited = telling.book.passage(first, start, end, line)
        sentences = [
            Sentence(
                " ".join(line.split()), Support.DOCUMENT, (cited,), block=number, decisive=True
            )
        ]
    return block, sentences


def _statements(one: MentioningDocument, telling: Telling, most: int) -> list[Quote]:
    """Statements that have the words, none twice: the first with each term, then the first of further pages."""
    found: dict[str, Quote] = {}
    terms: set[int] = set()
    pages: set[int] = set()
    for place in one.places:
        new_page = place.chunk.page not in pages and len(found) < most
        if place.term in terms and not new_page:
            continue
        quote = _statement_at(place, telling.reader.quotes(hit_at(one.document, place)))
        if quote is not None:
            found.setdefault(quote.text, quote)
            pages.add(place.chunk.page)
            terms.add(place.term)
    return list(found.values())


def _statement_at(place: Occurrence, quotes: Iterable[Quote]) -> Quote | None:
    """The statement that has a place, of a list its item alone; none is a line that says what follows."""
    for one in quotes:
        here = one.start <= place.start < one.end and one.hit.chunk.page == place.chunk.page
        if here and not one.is_label:
            items = PassageReader.single_items(one, lambda text: place.words in text)
            return items[0] if items else one
    return None


def _line(place: Occurrence) -> tuple[str, int, int]:
    """The line of a page that has a place, with its start and end on the page."""
    text, offset = place.chunk.text, place.chunk.start
    start = text.rfind("\n", 0, place.start - offset) + 1
    end = text.find("\n", place.end - offset)
    end = len(text) if end < 0 else end
    return text[start:end], start + offset, end + offset
