"""Whether a question asks for things of a graph, told from its words alone: for when the graph is away."""

from __future__ import annotations

from collections.abc import Sequence

from core.questions.clauses import Clause
from core.questions.items import Item, items_of
from core.questions.lexicon import Lexicon, WordKind
from core.questions.lexicon.grammar import Grammar
from core.questions.lexicon.reading import languages, lexicon

_ASKED = (WordKind.TYPE, WordKind.THEM)
_WHOLE = (WordKind.COUNT, WordKind.EVERYTHING)
_SAID = (WordKind.VERB, WordKind.NOUN, WordKind.PATH, WordKind.SIMILAR)
# What leaflets tell and no relationship of a graph: "which medicines contain lactose?"
_OF_LEAFLETS = frozenset(("composition", "storage", "posology", "overdose"))


def needs_graph(clause: Clause) -> bool:
    """Whether a clause asks for a list, a number or a connection that no document has.

    "Which side effects does X have?" is in the leaflet of X; "which drugs treat Y?" is in none.
    """
    leaflet = clause.leaflet
    if clause.sections and leaflet is not None and leaflet.subjects:
        return False
    in_leaflets = bool(_OF_LEAFLETS.intersection(clause.sections))
    return any(
        _asks(clause.text, lexicon(code, (), ()), in_leaflets=in_leaflets) for code in languages()
    )


def _asks(text: str, words: Lexicon, *, in_leaflets: bool) -> bool:
    grammar = words.grammar
    items = items_of(text, words, (), lambda _mention: ())
    if grammar.asks_way(text) and any(item.has(WordKind.PATH) for item in items):
        return True
    return any(
        (_is_counted(items, place) or (not in_leaflets and _is_asked(items, place, grammar)))
        and _says_how(items, place)
        for place in range(len(items))
    )


def _is_asked(items: Sequence[Item], place: int, grammar: Grammar) -> bool:
    """ "Which (other) drugs", and not "what is the drug"."""
    item = items[place]
    asking = [n for n, word in enumerate(item.gap) if word in grammar.asking]
    between = item.gap[asking[-1] :] if asking else ()
    asked = bool(asking) and grammar.auxiliaries.isdisjoint(between)
    return asked and any(item.has(kind) for kind in _ASKED)


def _is_counted(items: Sequence[Item], place: int) -> bool:
    """ "How many drugs", "all drugs"."""
    before = items[place - 1] if place else None
    counted = before is not None and any(before.has(kind) for kind in _WHOLE)
    return counted and any(items[place].has(kind) for kind in _ASKED)


def _says_how(items: Sequence[Item], place: int) -> bool:
    """Whether a relationship is said of what is asked for."""
    rest = [*items[:place], *items[place + 1 :]]
    return any(item.has(kind) for item in rest for kind in _SAID)
