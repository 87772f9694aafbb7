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
_FOR = "indications"  # of one medicine: no leaflet lists others
_OF_LEAFLETS = frozenset(("composition", "storage", "posology", "overdose"))


def needs_graph(clause: Clause, *, named: bool) -> bool:
    """Whether a clause asks for a list, a number or a connection that no document has.

    "Which side effects does X have?" is in the leaflet of X; "which drugs treat Y?" is in none.

    Args:
        named: whether it names a medicine that documents are about.
    """
    return any(_asks(clause, lexicon(code, (), ()), named=named) for code in languages())


def _asks(clause: Clause, words: Lexicon, *, named: bool) -> bool:
    grammar = words.grammar
    items = items_of(clause.text, words, (), lambda _mention: ())
    if grammar.asks_way(clause.text) and any(item.has(WordKind.PATH) for item in items):
        return True
    if _asks_doer(items, grammar, named=named) and _OF_LEAFLETS.isdisjoint(clause.sections):
        return True
    for place, item in enumerate(items):
        counted = _is_counted(items, place)
        if not _says_how(items, place) or not (counted or _is_asked(items, place, grammar)):
            continue
        medicines = "Drug" in item.types_as(WordKind.TYPE)
        told = named and clause.sections and not (medicines and _FOR in clause.sections)
        if not told and (counted or _OF_LEAFLETS.isdisjoint(clause.sections)):
            return True
    return False


def _asks_doer(items: Sequence[Item], grammar: Grammar, *, named: bool) -> bool:
    """ "What links X and Y", and, of what no leaflet is about, "what treats X"."""
    if not items or not items[0].gap or items[0].gap[-1] not in grammar.asking:
        return False
    names = sum(not item.senses for item in items[1:])
    if items[0].has(WordKind.PATH):
        return names > 1
    return items[0].has(WordKind.VERB) and names > 0 and not named


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
