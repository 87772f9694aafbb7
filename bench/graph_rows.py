"""The rows of a graph folder in PrimeKG's columns, as plain sets."""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from operator import itemgetter
from pathlib import Path

Node = tuple[str, str]  # source and id
Nodes = frozenset[Node]

FEW = 200

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
                self.diseases.add(words_of(self.name[node]))
        self.all_words = {tuple(sorted(words_of(name))) for name in self.name.values()}
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


def _rows(path: Path, *columns: str) -> Iterator[tuple[str, ...]]:
    """The named columns of each row of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        header = next(reader)
        yield from map(itemgetter(*map(header.index, columns)), reader)


def _node(source: str, identifier: str, index: str) -> Node:
    """Source and id; some rows of the IBD part have no id: there the index stands for it."""
    return source, identifier or f"index {index}"


def words_of(name: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", name.casefold()))
