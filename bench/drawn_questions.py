"""Slots and gold of questions to a graph, drawn cell by cell with plain loops and sets."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from bench.graph_rows import Node, Nodes, Rows, words_of
from bench.question_cells import COMPARE, COUNTS, FOLLOW_UP, HOPS, MOST, OTHER, SETS, SLOT, YES_NO

Gold = tuple[str, ...] | int | bool | Mapping[str, tuple[str, ...]] | None
Slots = dict[str, str]
Picked = Iterator[tuple[Slots, Gold]]
Pairs = list[tuple[Node, Node]]
TRIES, EMPTY_EVERY = 400, 6


def filled(line: str, names: Mapping[str, str]) -> str:
    return SLOT.sub(lambda match: names[match[1]], line)


def draws(rows: Rows, cell: str, rng: random.Random) -> Picked:
    """Slots and gold for one question of the cell after the other; none if the graph has none."""
    if cell in HOPS:
        return _of_hops(rows, cell, rng)
    if cell in SETS:
        return _of_sets(rows, cell, rng)
    if cell in YES_NO:
        return _of_pairs(rows, cell, rng)
    if cell in COMPARE:
        return _compared(rows, cell, rng)
    if cell in MOST:
        return _extreme(rows, cell, rng)
    return _connected(rows, rng) if cell == "connection" else _without_gold(rows, cell, rng)


def _endless(items: Sequence[Node], rng: random.Random) -> Iterator[Node]:
    """The items in random order, again and again."""
    while items:
        yield from rng.sample(items, len(items))


def _of_hops(rows: Rows, cell: str, rng: random.Random) -> Picked:
    slot, hops = HOPS[cell]
    counted = cell in COUNTS
    starts = []
    for node in rows.starts(*hops):
        reached = rows.reached(node, *hops)
        enough = cell not in FOLLOW_UP or len(reached) >= 4
        if enough and node not in reached and (not counted or rows.distinct(reached)):
            starts.append(node)
    for node in _endless(starts, rng):
        reached = rows.reached(node, *hops)
        yield {slot: rows.name[node]}, len(reached) if counted else rows.names(reached)


def _of_sets(rows: Rows, cell: str, rng: random.Random) -> Picked:
    """Set questions; one in six may have an empty answer, and each condition matters."""
    (slot, hop), joins = SETS[cell]
    least = 4 if cell in FOLLOW_UP else 1
    firsts = [node for node in rows.starts(hop) if len(rows.reached(node, hop)) >= least]
    seconds = {join_hop: set(rows.starts(join_hop)) for _, _, join_hop in joins}
    if not firsts or not all(seconds.values()):
        return
    seen: set[tuple[Node, ...]] = set()
    order = _endless(firsts, rng)
    turns: list[bool] = []
    while True:
        turns = turns or rng.sample([True] + [False] * (EMPTY_EVERY - 1), EMPTY_EVERY)
        empty = turns.pop()

        def draw(empty: bool = empty) -> tuple[tuple[Node, ...], Nodes, bool] | None:
            nodes = [next(order)]
            result = first = rows.reached(nodes[0], hop)
            strict = True
            for how, _, join_hop in joins:
                allowed = seconds[join_hop]
                if how == "or" or (how == "and" and empty):
                    near = sorted(allowed)
                else:
                    back = join_hop.removeprefix("~") if join_hop[0] == "~" else "~" + join_hop
                    member = rng.choice(sorted(result)) if result else None
                    near = sorted(rows.reached(member, back) & allowed) if member else []
                near = [node for node in near if node not in nodes]
                if not near:
                    return None
                nodes.append(rng.choice(near))
                other = rows.reached(nodes[-1], join_hop)
                if how == "or":
                    new = result | other
                    strict = strict and new not in (result, other)
                elif how == "and":
                    new = result & other
                    strict = strict and new not in (first, other)
                else:
                    new = result - other
                    strict = strict and new != result
                    if new == result:
                        return None
                result = new
            if joins[0][0] != "or" and bool(result) is empty:
                return None
            if cell in COUNTS and not rows.distinct(result):
                return None
            return tuple(nodes), result, strict

        best = _best(draw, seen) or (_best(lambda: draw(False), seen) if empty else None)
        if best is None:
            if not seen:
                return
            seen.clear()
            continue
        nodes, result = best
        seen.add(nodes)
        names = {
            name: rows.name[node]
            for name, node in zip((slot, *(j[1] for j in joins)), nodes, strict=True)
        }
        yield names, len(result) if cell in COUNTS else rows.names(result)


def _best(
    draw: Callable[[], tuple[tuple[Node, ...], Nodes, bool] | None], seen: set[tuple[Node, ...]]
) -> tuple[tuple[Node, ...], Nodes] | None:
    """The first new draw in which each condition matters, or else the first new one."""
    fallback: tuple[tuple[Node, ...], Nodes] | None = None
    for _ in range(TRIES):
        drawn = draw()
        if drawn is None or drawn[0] in seen:
            continue
        if drawn[2]:
            return drawn[0], drawn[1]
        fallback = fallback or (drawn[0], drawn[1])
    return fallback


def _of_pairs(rows: Rows, cell: str, rng: random.Random) -> Picked:
    """One true and one false of each two; a false pair's ends both have such a relationship."""
    left_slot, kind, right_slot, excluded = YES_NO[cell]
    lefts, rights = rows.starts(kind), rows.starts("~" + kind)
    right_set = set(rights)
    true = [(x, y) for x in lefts for y in sorted(rows.reached(x, kind) & right_set)]
    if not true:
        return
    by_left: dict[Node, list[Node]] = defaultdict(list)
    for x, y in true:
        by_left[x].append(y)
    order = _endless(sorted(by_left), rng)
    turns: list[bool] = []
    for x in order:
        turns = turns or rng.sample([True, False], 2)
        ends = by_left[x]
        if not turns[-1]:
            linked = rows.reached(x, kind).union(*(rows.reached(x, other) for other in excluded))
            names = {rows.fold(node) for node in linked}
            ends = [node for node in rights if rows.fold(node) not in names]
        if ends:
            yield {left_slot: rows.name[x], right_slot: rows.name[rng.choice(ends)]}, turns.pop()


def _compared(rows: Rows, cell: str, rng: random.Random) -> Picked:
    """Pairs of drugs that share something and differ where there are such."""
    hop = COMPARE[cell]
    drugs = rows.starts(hop)
    known = set(drugs)
    order = _endless(drugs, rng)
    if len(drugs) < 2:
        return
    while True:
        pairs: Pairs = []
        for _ in range(TRIES):
            first = next(order)
            shared = rng.choice(sorted(rows.reached(first, hop)))
            near = sorted(rows.reached(shared, "~" + hop) & known - {first})
            second = rng.choice(near or [drug for drug in drugs if drug != first])
            pairs.append((first, second))
            a, b = rows.reached(first, hop), rows.reached(second, hop)
            if a & b and a - b and b - a:
                break
        first, second = pairs[-1]
        one, two = rows.names(rows.reached(first, hop)), rows.names(rows.reached(second, hop))
        in_one, in_two = ({name.casefold() for name in names} for names in (one, two))
        gold = {
            "only_first": tuple(name for name in one if name.casefold() not in in_two),
            "only_second": tuple(name for name in two if name.casefold() not in in_one),
            "both": tuple(name for name in one if name.casefold() in in_two),
        }
        yield {"drug": rows.name[first], "drug2": rows.name[second]}, gold


def _extreme(rows: Rows, cell: str, rng: random.Random) -> Picked:
    """Diseases whose drugs differ in the number; for the least, each drug must have some."""
    hop = MOST[cell]
    best: dict[Node, tuple[str, ...]] = {}
    for disease in rows.starts("~treat"):
        drugs = rows.reached(disease, "~treat")
        ends = {drug: rows.reached(drug, hop) for drug in drugs}
        if len(drugs) < 2 or not rows.distinct(drugs) or not all(map(rows.distinct, ends.values())):
            continue
        sizes = {drug: len(nodes) for drug, nodes in ends.items()}
        low, high = min(sizes.values()), max(sizes.values())
        if low == high or (cell == "least_effects" and not low):
            continue
        wanted = low if cell == "least_effects" else high
        best[disease] = rows.names(drug for drug, size in sizes.items() if size == wanted)
    for disease in _endless(sorted(best), rng):
        yield {"disease": rows.name[disease]}, best[disease]


def _connected(rows: Rows, rng: random.Random) -> Picked:
    """Drugs and diseases with a protein between them where there are such, or else any."""
    drugs, diseases = rows.starts("target"), rows.starts("associated")
    known = set(diseases)
    if not diseases:
        return
    for drug in _endless(drugs, rng):
        near = sorted(rows.reached(drug, "target", "~associated") & known)
        yield {"drug": rows.name[drug], "disease": rows.name[rng.choice(near or diseases)]}, None


def _without_gold(rows: Rows, cell: str, rng: random.Random) -> Picked:
    slot, hops = OTHER[cell]
    starts = next((found for hop in hops if (found := rows.starts(hop))), [])
    if cell == "second_of_them_targets":
        starts = [node for node in starts if len(rows.reached(node, "~treat")) >= 4]
        with_target = set(rows.hops["target"])
        full = [node for node in starts if rows.reached(node, "~treat") <= with_target]
        starts = full or starts
    for node in _endless(starts, rng):
        yield {slot: rows.name[node]}, None


def narrower_draws(
    rows: Rows, lines: Sequence[str], rng: random.Random
) -> Iterator[tuple[Slots, Gold] | None]:
    """For each line a disease with treatments that it narrows to a name the graph lacks."""
    order = _endless(rows.starts("~treat"), rng)
    for line in lines:
        added = set(words_of(SLOT.sub(" ", line)))
        found: tuple[Slots, Gold] | None = None
        for _, node in zip(range(TRIES), order, strict=False):
            wider, name = rows.name[node], filled(line, {"disease": rows.name[node]})
            words, old = words_of(name), words_of(wider)
            parts = {words[i:j] for i in range(len(words)) for j in range(i + 1, len(words) + 1)}
            between = any(len(part) > len(old) for part in parts & rows.diseases)
            known = tuple(sorted(words)) in rows.all_words  # in any order: comma inversion too
            if not known and not between and not added & set(old):
                found = {"disease": wider, "narrower": name}, None
                break
        yield found
