"""The prompt: as much evidence as the model's context holds, the best first, numbered by the code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from core.answers import prompts
from core.domain.answers import place
from core.domain.conversations import Turn
from core.domain.documents import Chunk, Hit
from core.domain.graph import Fact
from core.evidence.citations import CitationBook
from core.evidence.evidence import Disagreement, Evidence
from core.evidence.graph_facts import ASKED_FOR
from core.graph.phrases import relationship_phrase
from core.llm.errors import failure
from core.llm.model import Message
from core.llm.tokens import estimated_tokens
from core.text.model_talk import without_orders
from core.text.statements import statements
from core.text.tables.lines import without_unclear

# Of the room beside rules and question: earlier turns and relationships may take a quarter each, so
# that passages, which answers are mostly made from, never have less than half.
_SHARE = 4
_MOST_FACTS = 40
_MOST_AT_ODDS = 5  # all stand above the answer, whatever the prompt holds
_AROUND = 0.5  # relevance of a relationship from the graph around what the question asks for
_LONGEST_NUMBER = 999  # stands for a citation's number when its room is measured
_FRAME = 32  # tokens that providers put around two messages
# Tokens of passages from which on none is added beside those that answers are quoted from.
_ENOUGH = 6_000
NotesBeyond = Callable[[Hit], Sequence[tuple[Chunk, int, int, str]]]
"""Chunk, start, end and words of the notes that a passage's tables have beyond it."""


def build_messages(
    evidence: Evidence,
    book: CitationBook,
    history: Sequence[Turn],
    budget: int,
    notes: NotesBeyond = lambda _hit: (),
) -> list[Message]:
    """The system rules and one user message: evidence, relationships, earlier turns, the question.

    Rules and question are always whole. Passages come best first, in turns from each clause; the first
    that does not fit gives its leading whole sentences, and its citation covers exactly those. Those that
    only a model reads come last, and add up to no more than a small context has room for.

    Args:
        book: is filled; its numbers are the evidence numbers of the prompt.
        notes: those of a passage's tables that stand beyond it: they come behind it.
        budget: tokens that both messages may have together, as `estimated_tokens` counts.

    Raises:
        ModelError: not one passage or relationship fits (``MODEL_CONTEXT``).
    """
    heads = (prompts.EVIDENCE_HEAD, prompts.GRAPH_HEAD, prompts.ODDS_HEAD, prompts.HISTORY_HEAD)
    ask = f"{prompts.QUESTION_HEAD}\n{evidence.question}"
    fixed = sum(map(_cost, (prompts.SYSTEM, *heads, ask))) + _FRAME
    room = budget - fixed
    turns = _newest(history, room // _SHARE)
    facts = _fitting_facts(evidence, room // _SHARE)
    left = room - sum(map(_cost, turns)) - sum(_cost(_fact(_LONGEST_NUMBER, f)) for f, _ in facts)
    at_odds = [_at_odds(one, book) for one in evidence.disagreements[:_MOST_AT_ODDS]]
    left -= sum(map(_cost, at_odds))
    passages = list(_passages(evidence, book, left, notes))
    relationships = [_fact(book.fact(fact, relevance), fact) for fact, relevance in facts]
    if not passages and not relationships:
        raise failure("too_long")
    blocks = map(_block, heads, (passages, relationships, at_odds, turns))
    return [
        {"role": "system", "content": prompts.SYSTEM},
        {"role": "user", "content": "\n\n".join([*filter(None, blocks), ask])},
    ]


def _newest(history: Sequence[Turn], room: int) -> list[str]:
    """The newest turns that fit, in their order."""
    kept: list[str] = []
    for turn in reversed(history):
        told = f"Q:\n{_indented(turn.question)}\nA:\n{_indented(turn.answer.text)}"
        room -= _cost(told)
        if room < 0:
            break
        kept.insert(0, told)
    return kept


def _fitting_facts(evidence: Evidence, room: int) -> list[tuple[Fact, float]]:
    """Relationships with their relevance: those that are asked for, then those around them."""
    asked = [(fact, ASKED_FOR) for part in evidence.clauses for fact in part.facts[:_MOST_FACTS]]
    around = evidence.subgraph.facts[: max(0, _MOST_FACTS - len(asked))]
    kept: dict[object, tuple[Fact, float]] = {}
    for fact, relevance in [*asked, *((fact, _AROUND) for fact in around)]:
        cost = _cost(_fact(_LONGEST_NUMBER, fact))
        if fact.key in kept or cost > room:
            continue
        kept[fact.key] = (fact, relevance)
        room -= cost
    return list(kept.values())


def _passages(
    evidence: Evidence, book: CitationBook, room: int, notes: NotesBeyond
) -> Iterator[str]:
    """Passages as they stand in the prompt, each with its notes, until the room is used up."""
    seen: set[str] = set()
    noted: set[tuple[str, int]] = set()
    at_first = room
    quotable = [[*(one.hit for one in part.told_first), *part.hits] for part in evidence.clauses]
    further = [part.further for part in evidence.clauses]
    for hit, added in [*_best_first(quotable, False), *_best_first(further, True)]:
        if hit.chunk.id in seen:
            continue
        if added and at_first - room + _cost(hit.chunk.text) > _ENOUGH:
            return
        seen.add(hit.chunk.id)
        quote = _fitting_text(hit, room)
        if quote:
            start = hit.chunk.start
            number = book.passage(hit, start, start + len(quote), quote)
            room -= _cost(_passage(_LONGEST_NUMBER, hit, quote))
            yield _passage(number, hit, quote)
            for chunk, begin, end, words in notes(hit):
                beside = replace(hit, chunk=chunk)
                cost = _cost(_passage(_LONGEST_NUMBER, beside, words))
                if cost <= room and (chunk.id, begin) not in noted:
                    noted.add((chunk.id, begin))
                    room -= cost
                    yield _passage(book.passage(beside, begin, end, words), beside, words)
        if quote != hit.chunk.text:
            return


def _best_first(of_clauses: Sequence[Sequence[Hit]], added: bool) -> Iterator[tuple[Hit, bool]]:
    """The best hit of each clause, then the second of each, and so on."""
    for ranked in zip_longest(*of_clauses):
        yield from ((hit, added) for hit in ranked if hit is not None)


def _fitting_text(hit: Hit, room: int) -> str:
    """A hit's text, or its longest beginning of whole sentences and lists that fits; "" for none."""
    text = hit.chunk.text
    if _cost(_passage(_LONGEST_NUMBER, hit, text)) <= room:
        return text
    found, _ = statements(text, lambda _line: False)
    for end in sorted({one.end for one in found}, reverse=True):
        whole = not any(one.start < end < one.end for one in found)
        if whole and _cost(_passage(_LONGEST_NUMBER, hit, text[:end])) <= room:
            return text[:end]
    return ""


def _passage(number: int, hit: Hit, quote: str) -> str:
    source = " ".join(place(hit.document.file, hit.chunk.page).split())
    if hit.document.products:
        source += f", on {' '.join(hit.document.title.split())}"
    heading = " ".join(hit.chunk.heading.split())
    words = without_unclear(without_orders(quote) if hit.document.orders else quote)
    lines = f"Section: {heading}\n{words}" if heading else words
    return f"[{number}] {source}\n{_indented(lines)}"


def _fact(number: int, fact: Fact) -> str:
    words = f"{fact.source.name} {relationship_phrase(fact.type, True)} {fact.target.name}"
    return f"[{number}] {' '.join(words.split())}"


def _at_odds(one: Disagreement, book: CitationBook) -> str:
    quote = one.quote
    numbers = (
        *book.quoted(quote),
        book.fact(one.fact, ASKED_FOR),
    )
    return f"{''.join(f'[{n}]' for n in numbers)} {' '.join(one.text.split())}"


def _indented(text: str) -> str:
    """Quoted lines are indented, so that none of them can pass for a line of the prompt's own."""
    return "\n".join(f"    {line.rstrip()}" for line in text.splitlines())


def _block(head: str, items: Sequence[str]) -> str:
    return f"{head}\n" + "\n".join(items) if items else ""


def _cost(text: str) -> int:
    """Tokens of a part of the prompt with the blank line after it."""
    return estimated_tokens(text + "\n\n")
