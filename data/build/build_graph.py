"""Build the sample graph: data/build/graph/*.csv -> data/graph/nodes.csv, relationships.csv.

Run from the project's root: python data/build/build_graph.py

The inputs name things by their plain names and pack several targets into one cell; this script
gives every thing its identifier and writes one relationship a line.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parent
INPUTS = HERE / "graph"
TARGET = HERE.parent / "graph"

NODE_FIELDS = [
    "id",
    "type",
    "name",
    "synonyms",
    "indication",
    "mechanism_of_action",
    "description",
    "pharmacodynamics",
    "half_life",
    "atc_codes",
    "definition",
    "symptoms",
    "clinical",
    "causes",
]
FACT_FIELDS = ["source", "type", "target", "source_of_fact"]

# Where the two ends of a relationship are looked up, in this order: a name such as "anemia" is
# both a disease and a side effect, and the relationship's type says which one is meant.
ENDS = {
    "TREATS": (("drugs",), ("diseases",)),
    "PALLIATES": (("drugs",), ("diseases",)),
    "CONTRAINDICATED_IN": (("drugs",), ("diseases", "phenotypes")),
    "TARGETS": (("drugs",), ("proteins",)),
    "CAUSES_SIDE_EFFECT": (("drugs",), ("phenotypes",)),
    "INTERACTS_WITH": (("drugs",), ("drugs",)),
    "ASSOCIATED_WITH": (("proteins",), ("diseases",)),
    "RESEMBLES": (("diseases",), ("diseases",)),
    "PARTICIPATES_IN": (("proteins",), ("pathways",)),
    "BINDS": (("proteins",), ("proteins",)),
}
# These hold in both directions and are stored once.
SYMMETRIC = {"INTERACTS_WITH", "RESEMBLES", "BINDS"}

Row = dict[str, str]


def read(name: str) -> list[Row]:
    """The rows of one input file."""
    with (INPUTS / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def write(name: str, fields: list[str], rows: Iterable[Row]) -> int:
    """Write an output file; returns its number of rows."""
    TARGET.mkdir(parents=True, exist_ok=True)
    count = 0
    with (TARGET / f"{name}.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(
            stream, fields, restval="", extrasaction="ignore", lineterminator="\n"
        )
        writer.writeheader()
        for row in rows:
            writer.writerow(row)
            count += 1
    return count


def node_type(kind: str, row: Row) -> str:
    """The node type; a disease with a clinical text is a ClinicalDisease."""
    if kind == "diseases":
        return "ClinicalDisease" if row["clinical"] else "Disease"
    return {
        "drugs": "Drug",
        "proteins": "Protein",
        "phenotypes": "Phenotype",
        "pathways": "Pathway",
    }[kind]


def load_nodes() -> tuple[list[Row], dict[str, dict[str, str]]]:
    """All nodes, and for each kind the identifier of each name."""
    nodes: list[Row] = []
    ids: dict[str, dict[str, str]] = {}
    for kind in ("drugs", "diseases", "proteins", "phenotypes", "pathways"):
        names = ids.setdefault(kind, {})
        for row in read(kind):
            if row["name"] in names:
                raise ValueError(f"{kind}: {row['name']!r} stands there twice")
            names[row["name"]] = row["id"]
            nodes.append(row | {"type": node_type(kind, row)})
    return nodes, ids


def find(name: str, kinds: tuple[str, ...], ids: dict[str, dict[str, str]]) -> str:
    """The identifier of a name in the first of the kinds that knows it."""
    for kind in kinds:
        if name in ids[kind]:
            return ids[kind][name]
    raise ValueError(f"{name!r} is not among the {' or '.join(kinds)}")


def packed_facts() -> Iterable[Row]:
    """The facts of the input files, several targets in one row."""
    yield from read("facts_hand")
    yield from read("facts_hetionet")
    for row in read("pathways"):
        for protein in row["proteins"].split("|"):
            yield {
                "source": protein,
                "type": "PARTICIPATES_IN",
                "targets": row["name"],
                "source_of_fact": "general pharmacology",
            }


def load_facts(ids: dict[str, dict[str, str]]) -> list[Row]:
    """One row for each relationship, ordered by type, source and target."""
    facts: dict[tuple[str, ...], Row] = {}
    for row in packed_facts():
        source_kinds, target_kinds = ENDS[row["type"]]
        source = find(row["source"], source_kinds, ids)
        for name in row["targets"].split("|"):
            target = find(name, target_kinds, ids)
            ends = sorted((source, target)) if row["type"] in SYMMETRIC else [source, target]
            key = (row["type"], *ends)
            if key in facts:
                raise ValueError(f"{row['source']} {row['type']} {name} stands there twice")
            facts[key] = row | {"source": source, "target": target}
    order = list(ENDS)
    return sorted(
        facts.values(), key=lambda fact: (order.index(fact["type"]), fact["source"], fact["target"])
    )


def main() -> None:
    """Build both files."""
    nodes, ids = load_nodes()
    facts = load_facts(ids)
    print(f"nodes.csv: {write('nodes', NODE_FIELDS, nodes)} nodes")
    print(f"relationships.csv: {write('relationships', FACT_FIELDS, facts)} relationships")


if __name__ == "__main__":
    main()
