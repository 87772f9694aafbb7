"""Questions with gold answers, made from a graph folder in PrimeKG's columns.

Gold comes from plain loops and sets over the rows of kg.csv and nodes.csv, never from the program.
"""

from __future__ import annotations

import csv
import random
import re
import string
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import itemgetter
from pathlib import Path

Node = tuple[str, str]  # source and id
Nodes = frozenset[Node]
Gold = tuple[str, ...] | int | bool | Mapping[str, tuple[str, ...]] | None
Slots = dict[str, str]
Picked = Iterator[tuple[Slots, Gold]]
Pairs = list[tuple[Node, Node]]

FEW, TRIES, EMPTY_EVERY = 200, 400, 6
SLOT = re.compile(r"\{(\w+)\}")
FIRST_QUESTION = "Which drugs treat {disease}?"

# a kind of relationship: relation and display relation (or any), type at its left and right end
KINDS: dict[str, tuple[str, str, str, str]] = {
    "treat": ("indication", "", "drug", "disease"),
    "palliate": ("palliation", "", "drug", "disease"),
    "target": ("drug_protein", "target", "drug", "gene/protein"),
    "enzyme": ("drug_protein", "enzyme", "drug", "gene/protein"),
    "carrier": ("drug_protein", "carrier", "drug", "gene/protein"),
    "transporter": ("drug_protein", "transporter", "drug", "gene/protein"),
    "effect": ("drug_effect", "", "drug", "effect/phenotype"),
    "class": ("drug_class", "", "drug", "pharmacologic_class"),
    "associated": ("disease_protein", "", "disease", "gene/protein"),
    "symptom": ("disease_phenotype_positive", "", "disease", "effect/phenotype"),
    "pathway": ("pathway_protein", "", "gene/protein", "pathway"),
    "binding": ("protein_protein", "", "gene/protein", "gene/protein"),
}
OF_RELATION = {(kind[0], kind[1]): name for name, kind in KINDS.items()}

# cell -> its slot and the hops from it; "~" is a hop from the right end to the left one
HOPS: dict[str, tuple[str, tuple[str, ...]]] = {
    "drugs_treating": ("disease", ("~treat",)),
    "drugs_palliating": ("disease", ("~palliate",)),
    "diseases_treated_by": ("drug", ("treat",)),
    "targets_of": ("drug", ("target",)),
    "drugs_targeting": ("protein", ("~target",)),
    "enzymes_of": ("drug", ("enzyme",)),
    "drugs_with_enzyme": ("protein", ("~enzyme",)),
    "transporters_of": ("drug", ("transporter",)),
    "side_effects_of": ("drug", ("effect",)),
    "drugs_causing": ("effect", ("~effect",)),
    "symptoms_of": ("disease", ("symptom",)),
    "diseases_with_symptom": ("effect", ("~symptom",)),
    "proteins_of_disease": ("disease", ("associated",)),
    "diseases_of_protein": ("protein", ("~associated",)),
    "pathways_of": ("protein", ("pathway",)),
    "proteins_in_pathway": ("pathway", ("~pathway",)),
    "drugs_in_class": ("class", ("~class",)),
    "proteins_binding": ("protein", ("binding",)),
    "targets_of_drugs_treating": ("disease", ("~treat", "target")),
    "drugs_targeting_proteins_of": ("disease", ("associated", "~target")),
    "pathways_of_targets_of": ("drug", ("target", "pathway")),
    "side_effects_of_drugs_treating": ("disease", ("~treat", "effect")),
    "diseases_of_targets_of": ("drug", ("target", "~associated")),
    "drugs_treating_diseases_with": ("effect", ("~symptom", "~treat")),
    "drugs_targeting_pathway": ("pathway", ("~pathway", "~target")),
    "count_drugs_treating": ("disease", ("~treat",)),
    "count_targets_of": ("drug", ("target",)),
    "count_side_effects_of": ("drug", ("effect",)),
    "count_proteins_of_disease": ("disease", ("associated",)),
    "count_targets_of_drugs_treating": ("disease", ("~treat", "target")),
    "all_of_them": ("disease", ("~treat",)),
    "how_many_of_them": ("disease", ("~treat",)),
}

# cell -> slot and hop of the first set, then how each further set joins it, its slot and its hop
Join = tuple[str, str, str]
SETS: dict[str, tuple[tuple[str, str], tuple[Join, ...]]] = {
    "treat_both": (("disease", "~treat"), (("and", "disease2", "~treat"),)),
    "treat_either": (("disease", "~treat"), (("or", "disease2", "~treat"),)),
    "treat_not": (("disease", "~treat"), (("not", "disease2", "~treat"),)),
    "treat_and_target": (("disease", "~treat"), (("and", "protein", "~target"),)),
    "treat_not_target": (("disease", "~treat"), (("not", "protein", "~target"),)),
    "treat_not_cause": (("disease", "~treat"), (("not", "effect", "~effect"),)),
    "treat_neither_cause": (
        ("disease", "~treat"),
        (("not", "effect", "~effect"), ("not", "effect2", "~effect")),
    ),
    "target_both": (("protein", "~target"), (("and", "protein2", "~target"),)),
    "count_treat_not_target": (("disease", "~treat"), (("not", "protein", "~target"),)),
    "shared_targets": (("drug", "target"), (("and", "drug2", "target"),)),
    "shared_proteins": (("disease", "associated"), (("and", "disease2", "associated"),)),
    "which_also_target": (("disease", "~treat"), (("and", "protein", "~target"),)),
    "without_target": (("disease", "~treat"), (("not", "protein", "~target"),)),
    "which_cause": (("disease", "~treat"), (("and", "effect", "~effect"),)),
}

# cell -> slot and kind at the left end, slot at the right end, kinds a false pair must not have
YES_NO: dict[str, tuple[str, str, str, tuple[str, ...]]] = {
    "is_treated": ("drug", "treat", "disease", ("palliate",)),
    "is_target": ("drug", "target", "protein", ("enzyme", "carrier", "transporter")),
    "is_effect": ("drug", "effect", "effect", ()),
    "is_associated": ("disease", "associated", "protein", ()),
}
COMPARE = {"compare_targets": "target", "compare_effects": "effect"}
MOST = {"most_targets": "target", "least_effects": "effect"}
# cell -> its slots and the hops of which the first that the graph has makes a fitting start
OTHER: dict[str, tuple[str, tuple[str, ...]]] = {
    "similar_to": ("drug", ("target", "effect", "treat")),
    "foreign_drug_disease": ("disease", ("~treat", "associated", "symptom")),
    "foreign_drug_protein": ("protein", ("~target", "~associated")),
    "foreign_disease": ("drug", ("treat", "target")),
    "negated_only": ("disease", ("~treat",)),
    "second_of_them_targets": ("disease", ("~treat",)),
}
FOLLOW_UP = frozenset(
    "all_of_them how_many_of_them which_also_target without_target second_of_them_targets "
    "which_cause".split()
)
COUNTS = frozenset({"how_many_of_them"} | {cell for cell in (*HOPS, *SETS) if "count_" in cell})
WANT = {
    **dict.fromkeys((*HOPS, *SETS), "list"),
    **dict.fromkeys(COUNTS, "count"),
    **dict.fromkeys(YES_NO, "yes_no"),
    **dict.fromkeys(COMPARE, "compare"),
    **dict.fromkeys(("shared_targets", "shared_proteins"), "share"),
    "most_targets": "most",
    "least_effects": "least",
    "similar_to": "similar",
    "connection": "path",
    "second_of_them_targets": "list",
    **dict.fromkeys(("foreign_drug_disease", "foreign_drug_protein", "foreign_disease"), "none"),
    "negated_only": "none",
    "narrower": "none",
}
FIRST_SLOTS: dict[str, tuple[str, ...]] = {
    **{cell: (slot,) for cell, (slot, _) in (*HOPS.items(), *OTHER.items())},
    **{cell: (first[0], *(join[1] for join in joins)) for cell, (first, joins) in SETS.items()},
    **{cell: (left, right) for cell, (left, _, right, _) in YES_NO.items()},
    **dict.fromkeys(COMPARE, ("drug", "drug2")),
    **dict.fromkeys(MOST, ("disease",)),
    "connection": ("drug", "disease"),
    "narrower": ("disease",),
}
SLOTS = {
    cell: frozenset(slots) - ({"disease"} if cell in FOLLOW_UP else set())
    for cell, slots in FIRST_SLOTS.items()
}


@dataclass(frozen=True)
class Made:
    """A question with what it wants, and its gold answer (None: there is none to compare)."""

    cell: str
    section: str
    phrasing: str
    question: str
    want: str
    gold: Gold
    history: tuple[str, ...]
    slots: Mapping[str, str]


class Rows:
    """The rows of a graph folder as plain sets."""

    def __init__(self, folder: Path) -> None:
        self.name: dict[Node, str] = {}
        self.diseases: set[tuple[str, ...]] = set()
        named: Counter[tuple[str, str]] = Counter()
        type_of: dict[Node, str] = {}
        for source, identifier, index, kind, name in _rows(
            folder / "nodes.csv",
            *("node_source", "node_id", "node_index", "node_type", "node_name"),
        ):
            node = _node(source, identifier, index)
            self.name[node] = " ".join(name.split())
            type_of[node] = kind
        for node, kind in type_of.items():
            named[kind, self.name[node].casefold()] += 1
            if kind == "disease":
                self.diseases.add(_words(self.name[node]))
        self.all_words = {tuple(sorted(_words(name))) for name in self.name.values()}
        self.unique = {n for n, kind in type_of.items() if named[kind, self.fold(n)] == 1}
        self.hops: dict[str, dict[Node, set[Node]]] = defaultdict(lambda: defaultdict(set))
        for relation, display, x_type, y_type, *ends in _rows(
            folder / "kg.csv",
            *("relation", "display_relation", "x_type", "y_type", "x_source", "x_id", "x_index"),
            *("y_source", "y_id", "y_index"),
        ):
            kind_name = OF_RELATION.get((relation, "")) or OF_RELATION.get((relation, display))
            if kind_name is None:
                continue
            x, y = _node(*ends[:3]), _node(*ends[3:])
            _, _, left, right = KINDS[kind_name]
            if (x_type, y_type) == (left, right):
                self.hops[kind_name][x].add(y)
                self.hops["~" + kind_name][y].add(x)
            if (y_type, x_type) == (left, right):
                self.hops[kind_name][y].add(x)
                self.hops["~" + kind_name][x].add(y)

    def fold(self, node: Node) -> str:
        """The node's name as names are compared."""
        return self.name[node].casefold()

    def names(self, nodes: Iterable[Node]) -> tuple[str, ...]:
        """The names of the nodes, each once (case-blind), sorted."""
        once = {self.fold(node): self.name[node] for node in sorted(nodes)}
        return tuple(once[key] for key in sorted(once))

    def distinct(self, nodes: Nodes) -> bool:
        """Whether no two of the nodes share a name."""
        return len({self.fold(node) for node in nodes}) == len(nodes)

    def reached(self, start: Node, *hops: str) -> Nodes:
        """The nodes at the end of the hops from a node."""
        nodes = {start}
        for hop in hops:
            table = self.hops[hop]
            nodes = {end for node in nodes for end in table.get(node, ())}
        return frozenset(nodes)

    def starts(self, *hops: str) -> list[Node]:
        """Nodes with a unique name from which the hops reach some, few where there are such."""
        usable = sorted(node for node in self.hops[hops[0]] if node in self.unique)
        sizes = {node: len(self.reached(node, *hops)) for node in usable}
        few = [node for node in usable if 1 <= sizes[node] <= FEW]
        return few or [node for node in usable if sizes[node]]


def made(
    folder: Path, phrasings: Mapping[str, Mapping[str, list[str]]], *, per_phrasing: int, seed: int
) -> list[Made]:
    """Questions of all phrasings; of cells whose relations the graph lacks there are none.

    Each cell draws from a generator of its own, so that other cells' phrasings change nothing.
    """
    rows = Rows(folder)
    found: list[Made] = []
    for section, cells in phrasings.items():
        for cell, lines in cells.items():
            if cell not in SLOTS:
                raise ValueError(f"unknown cell {cell} in section {section}")
            for line in lines:
                slots = SLOT.findall(line)
                if sorted(slots) != sorted(SLOTS[cell]):
                    raise ValueError(f"{cell}: every slot exactly once, please: {line}")
            turns = [line for _ in range(per_phrasing) for line in lines]
            rng = random.Random(f"{seed} {cell}")
            picked = _narrower(rows, turns, rng) if cell == "narrower" else _picked(rows, cell, rng)
            history = (FIRST_QUESTION,) if cell in FOLLOW_UP else ()
            for line, pick in zip(turns, picked, strict=False):
                if pick is None:
                    continue
                names, gold = pick
                found.append(
                    Made(
                        cell=cell,
                        section=section,
                        phrasing=line,
                        question=_filled(FIRST_QUESTION, {"disease": names["narrower"]})
                        if cell == "narrower"
                        else _filled(line, names),
                        want=WANT[cell],
                        gold=gold,
                        history=tuple(_filled(text, names) for text in history),
                        slots=names,
                    )
                )
    return found


def misspelt(question: Made, letters: int, rng: random.Random) -> Made:
    """The list question with one or two letter edits in the name of one of its slots.

    Its slots and its gold stay the true ones. ValueError when no name has at least seven letters.
    """
    if question.want != "list" or letters not in (1, 2):
        raise ValueError("one or two letters of a list question")
    long = [
        slot
        for slot in SLOT.findall(question.phrasing)
        if sum(map(str.isalpha, question.slots[slot])) >= 7
        and re.search(r"\b[^\W\d_]{6,}\b", question.slots[slot])
    ]
    if not long:
        raise ValueError(f"no name of seven letters in: {question.question}")
    slot = rng.choice(long)
    names = {**question.slots, slot: _edited(question.slots[slot], letters, rng)}
    return replace(question, question=_filled(question.phrasing, names))


def _edited(name: str, letters: int, rng: random.Random) -> str:
    """The name with edits of its longer words, apart from each other; its first letter stays."""
    words = re.finditer(r"\b[^\W\d_]{4,}\b", name)  # 'type II' and 'CYP3A4' stay what they are
    first = next(at for at, letter in enumerate(name) if letter.isalpha())
    places = [at for word in words for at in range(*word.span()) if at != first]
    while True:
        chosen = sorted(rng.sample(places, letters), reverse=True)
        if any(left - right < 3 for left, right in pairwise(chosen)):
            continue
        edited = name
        for at in chosen:
            edited = _edit(edited, at, rng)
        if _edits(name, edited) == letters:
            return edited


def _edit(name: str, at: int, rng: random.Random) -> str:
    """The name with one edit at a letter; unchanged where the edit is not possible."""
    letter, rest = name[at], name[at + 1 :]
    match rng.choice(("substitute", "drop", "double", "swap")):
        case "substitute":
            other = rng.choice([c for c in string.ascii_lowercase if c != letter.lower()])
            return name[:at] + (other.upper() if letter.isupper() else other) + rest
        case "drop":
            return name[:at] + rest
        case "double":
            return name[:at] + letter + letter + rest
        case _:
            return name[:at] + rest[0] + letter + rest[1:] if rest[:1].isalpha() else name


def _edits(a: str, b: str) -> int:
    """How many substitutions, drops, insertions and swaps of neighbours lie between two words."""
    table = [[max(i, j) if not i * j else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            table[i][j] = min(
                table[i - 1][j] + 1,
                table[i][j - 1] + 1,
                table[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
            )
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


def _rows(path: Path, *columns: str) -> Iterator[tuple[str, ...]]:
    """The named columns of each row of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        header = next(reader)
        yield from map(itemgetter(*map(header.index, columns)), reader)


def _node(source: str, identifier: str, index: str) -> Node:
    """Source and id; some rows of the IBD part have no id: there the index stands for it."""
    return source, identifier or f"index {index}"


def _words(name: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", name.casefold()))


def _filled(line: str, names: Mapping[str, str]) -> str:
    return SLOT.sub(lambda match: names[match[1]], line)


def _picked(rows: Rows, cell: str, rng: random.Random) -> Picked:
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


def _narrower(
    rows: Rows, lines: Sequence[str], rng: random.Random
) -> Iterator[tuple[Slots, Gold] | None]:
    """For each line a disease with treatments that it narrows to a name the graph lacks."""
    order = _endless(rows.starts("~treat"), rng)
    for line in lines:
        added = set(_words(SLOT.sub(" ", line)))
        found: tuple[Slots, Gold] | None = None
        for _, node in zip(range(TRIES), order, strict=False):
            wider, name = rows.name[node], _filled(line, {"disease": rows.name[node]})
            words, old = _words(name), _words(wider)
            parts = {words[i:j] for i in range(len(words)) for j in range(i + 1, len(words) + 1)}
            between = any(len(part) > len(old) for part in parts & rows.diseases)
            known = tuple(sorted(words)) in rows.all_words  # in any order: comma inversion too
            if not known and not between and not added & set(old):
                found = {"disease": wider, "narrower": name}, None
                break
        yield found
