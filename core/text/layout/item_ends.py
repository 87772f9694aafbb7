"""Where the items of a list end that have more behind them: a lead-in is that of what follows it, up to the
next question or the next lead-in.

A text that came without its lines has items one behind the other on a line ("any of these: o fever o cough"),
and behind an item, in the same paragraph, what the page has below the list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.resources import any_of, read_table
from core.text.layout.blocks import TextBlock
from core.text.sentences import sentence_spans

_SIGNS = "o•●▪‣◦"  # of items on one line; a stroke or an asterisk stands between words, too
_ON_A_LINE = re.compile(rf":\s+(?P<sign>[{_SIGNS}])\s+(?=\S)")
_FEWEST_ITEMS = 2
_ASKS = any_of(read_table(__file__, "item_ends.toml")["asks"])


def ended_items(text: str, blocks: Sequence[TextBlock]) -> list[TextBlock]:
    """Blocks of which an item ends where its list does, and is one also where several share a line.

    A question that begins with what it asks for ("What is X?") ends the list in whose item it stands; so does a
    lead-in before further items of the same kind. Both are paragraphs by themselves, and so is what follows
    such a question in a paragraph. There, what two or more of the same sign part behind a colon are items.
    """
    found: list[TextBlock] = []
    place = 0
    while place < len(blocks):
        block, end = blocks[place], place + 1
        if block.bullet:
            after = blocks[end] if end < len(blocks) else None
            item, *rest = _ended(text, _in_its_item(text, block, found), after)
            found.append(item)
            found += [part for one in rest for part in _apart(text, one)]
        elif block.row or block.unclear:
            found.append(block)
        else:
            end = _behind_its_items(text, blocks, place)
            whole = replace(block, end=blocks[end - 1].end)
            found += [part for one in _apart(text, whole) for part in _at_questions(text, one)]
        place = end
    return found


def asks(sentence: str) -> bool:
    """Whether a sentence is a question that begins with what it asks for."""
    return bool(_ASKS.match(sentence))


def _behind_its_items(text: str, blocks: Sequence[TextBlock], place: int) -> int:
    """Behind which block the items end that share a paragraph's lines: one may begin a line by chance."""
    signs = [
        one["sign"] for one in _ON_A_LINE.finditer(text, blocks[place].start, blocks[place].end)
    ]
    end = place + 1
    while (
        signs
        and end < len(blocks)
        and blocks[end].bullet
        and text[blocks[end].start] == signs[-1]
        and not text[blocks[end - 1].end : blocks[end].start].strip()
    ):
        end += 1
    return end


def _apart(text: str, block: TextBlock) -> Iterator[TextBlock]:
    """A paragraph, and the items that stand in it."""
    start = at = block.start
    while (lead := _ON_A_LINE.search(text, at, block.end)) is not None:
        begins, at = _items_behind(text, lead, block.end)
        if len(begins) < _FEWEST_ITEMS:
            continue
        yield replace(block, start=start, end=lead.start() + 1)
        for begin, close in zip(begins, [*begins[1:], at], strict=True):
            yield TextBlock(begin, begin + len(text[begin:close].rstrip()), bullet=True)
        rest = text[at : block.end]
        start = at + len(rest) - len(rest.lstrip())
    if start < block.end:
        yield replace(block, start=start)


def _at_questions(text: str, block: TextBlock) -> Iterator[TextBlock]:
    """A paragraph, parted before the questions that stand in it as headings do."""
    start = block.start
    if not block.bullet and "?" in text[start : block.end]:
        for begin, end in sentence_spans(text, start, block.end):
            if begin > start and asks(text[begin:end]):
                yield replace(block, start=start, end=start + len(text[start:begin].rstrip()))
                start = begin
    yield replace(block, start=start)


def _items_behind(text: str, lead: re.Match[str], end: int) -> tuple[list[int], int]:
    """Where the items behind a colon begin that have the same sign, and where the last one's sentence ends."""
    begins = [lead.start("sign")]
    sign = re.compile(rf"(?<=\s){lead['sign']}\s+(?=\S)")
    for one in sign.finditer(text, lead.end(), end):
        spans = sentence_spans(text, begins[-1], one.start())
        if len(spans) > 1 and text[spans[-1][1] - 1] == ":":  # of the next list
            return begins, spans[0][1]
        begins.append(one.start())
    return begins, sentence_spans(text, begins[-1], end)[0][1]


def _in_its_item(text: str, block: TextBlock, before: Sequence[TextBlock]) -> TextBlock:
    """An item, one level deeper where the item before it has others with this one's sign on its line."""
    if not before or not before[-1].bullet:
        return block
    item = before[-1]
    signs = [one["sign"] for one in _ON_A_LINE.finditer(text, item.start, item.end)]
    is_inner = bool(signs) and text[block.start] == signs[-1] != text[item.start]
    return replace(block, depth=max(block.depth, item.depth + 1)) if is_inner else block


def _ended(text: str, item: TextBlock, after: TextBlock | None) -> Iterator[TextBlock]:
    """An item, and behind it what is none of the list's any more, as a paragraph."""
    spans = sentence_spans(text, item.start, item.end)
    ends = next((i for i, span in enumerate(spans[1:], 1) if asks(text[slice(*span)])), len(spans))
    leads_in = (
        after is not None
        and after.bullet
        and after.depth <= item.depth
        and text[after.start] == text[item.start]
        and text[spans[-1][1] - 1] == ":"
    )
    if leads_in and 1 < ends == len(spans):
        ends -= 1
    yield replace(item, end=spans[ends - 1][1])
    if ends < len(spans):
        yield TextBlock(spans[ends][0], item.end)
