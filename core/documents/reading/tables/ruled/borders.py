"""Where the columns of a table begin, as its rules say."""

from __future__ import annotations

from collections.abc import Sequence

from core.documents.reading.tables.ruled.rules import Rule

SAME = 4.0  # points by which rules of one table may begin or end apart
LEAST_BAND = 4.0  # points between two rules; nearer ones are a double rule
EDGE = 3.0  # points by which a rule may miss a column's edge


def shared_borders(one: Rule, other: Rule, known: Sequence[float]) -> list[float]:
    """Where pieces of two rules meet, the borders of single cells; none where each has one that the other
    lacks: these are of two tables. A cell over several columns has fewer.

    Args:
        known: those of the rules above; a dotted rule has none of its own.
    """
    pieced = [inner_borders(rule) for rule in (one, other) if not rule.dotted]
    few, *others = sorted([*pieced, *([list(known)] if known else [])], key=len) or [[]]
    same = all(any(abs(a - b) <= EDGE for b in each) for each in others for a in few)
    return list(few) if same else []


def inner_borders(rule: Rule) -> list[float]:
    """Where the pieces of a rule meet."""
    found: list[float] = []
    for place in rule.parts:
        if rule.start + SAME < place < rule.end - SAME and not (
            found and place - found[-1] <= EDGE
        ):
            found.append(place)
    return found


def edges_by_rules(first: Rule, dividers: Sequence[Rule]) -> list[float]:
    """Edges of columns from the rules down the page; empty where none stands inside."""
    inner: list[float] = []
    for one in dividers:
        is_inside = first.start + SAME < one.at < first.end - SAME
        if is_inside and (not inner or one.at - inner[-1] > EDGE):
            inner.append(one.at)
    return [first.start, *inner, first.end] if inner else []


def edges_by_borders(rules: Sequence[Rule]) -> list[float]:
    """Edges of columns where the pieces of most rules meet: the borders of single cells."""
    left, right = rules[0].start, rules[0].end
    ends = sorted((place, rule.at) for rule in rules for place in rule.parts)
    groups: list[list[tuple[float, float]]] = []
    for place, at in ends:
        if left + SAME < place < right - SAME:
            if groups and place - groups[-1][-1][0] <= EDGE:
                groups[-1].append((place, at))
            else:
                groups.append([(place, at)])
    pieced = sum(not rule.dotted for rule in rules)
    inner = [one[0][0] for one in groups if 2 * len({at for _, at in one}) > max(pieced, 2)]
    return [left, *inner, right] if inner else []


def parts_cells(rule: Rule, spans: Sequence[tuple[float, float]]) -> bool:
    """Whether a rule stands over a cell, between the edges of a column."""
    return any(rule.start <= left + EDGE and rule.end >= right - EDGE for left, right in spans)


def is_parted(dividers: Sequence[Rule], at: float, low: float, high: float) -> bool:
    """Whether a rule down the page stands at an edge between two rules across it."""
    return any(abs(one.at - at) <= EDGE and one.covers(low, high) for one in dividers)
