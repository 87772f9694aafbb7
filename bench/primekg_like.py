"""A graph of PrimeKG's size and columns, made by chance: ``python -m bench.primekg_like FOLDER``.

Types, relations and their numbers are PrimeKG's (Chandak, Huang, Zitnik 2023, Sci Data 10:67): 129,375
entities and 4,050,249 relationships, each written from both ends. Names and texts are invented. Degrees
are skewed, as they are in PrimeKG, and one protein has more than 100,000 neighbours, which none has
there.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from bench.primekg_texts import node_names, sentences

# type -> (number of entities, source of their ids)
_TYPES = {
    "gene/protein": (27_671, "NCBI"),
    "drug": (7_957, "DrugBank"),
    "effect/phenotype": (15_311, "HPO"),
    "disease": (17_080, "MONDO"),
    "biological_process": (28_642, "GO"),
    "molecular_function": (11_169, "GO"),
    "cellular_component": (4_176, "GO"),
    "exposure": (818, "CTD"),
    "pathway": (2_516, "REACTOME"),
    "anatomy": (14_035, "UBERON"),
}
# relation, display_relation, type of one end, type of the other, pairs
_RELATIONS = (
    ("protein_protein", "ppi", "gene/protein", "gene/protein", 321_075),
    ("drug_protein", "target", "drug", "gene/protein", 16_380),
    ("drug_protein", "enzyme", "drug", "gene/protein", 5_317),
    ("drug_protein", "transporter", "drug", "gene/protein", 3_092),
    ("drug_protein", "carrier", "drug", "gene/protein", 864),
    ("contraindication", "contraindication", "drug", "disease", 30_675),
    ("indication", "indication", "drug", "disease", 9_388),
    ("off-label use", "off-label use", "drug", "disease", 2_568),
    ("drug_drug", "synergistic interaction", "drug", "drug", 1_336_314),
    ("phenotype_protein", "associated with", "gene/protein", "effect/phenotype", 3_330),
    ("phenotype_phenotype", "parent-child", "effect/phenotype", "effect/phenotype", 18_736),
    ("disease_phenotype_negative", "phenotype absent", "disease", "effect/phenotype", 1_193),
    ("disease_phenotype_positive", "phenotype present", "disease", "effect/phenotype", 150_317),
    ("disease_protein", "associated with", "gene/protein", "disease", 80_411),
    ("disease_disease", "parent-child", "disease", "disease", 32_194),
    ("drug_effect", "side effect", "drug", "effect/phenotype", 64_784),
    ("bioprocess_bioprocess", "parent-child", "biological_process", "biological_process", 52_886),
    ("molfunc_molfunc", "parent-child", "molecular_function", "molecular_function", 13_574),
    ("cellcomp_cellcomp", "parent-child", "cellular_component", "cellular_component", 4_845),
    ("molfunc_protein", "interacts with", "gene/protein", "molecular_function", 69_530),
    ("cellcomp_protein", "interacts with", "gene/protein", "cellular_component", 83_402),
    ("bioprocess_protein", "interacts with", "gene/protein", "biological_process", 144_805),
    ("exposure_protein", "interacts with", "exposure", "gene/protein", 1_212),
    ("exposure_disease", "linked to", "exposure", "disease", 2_304),
    ("exposure_exposure", "parent-child", "exposure", "exposure", 2_070),
    ("exposure_bioprocess", "interacts with", "exposure", "biological_process", 1_625),
    ("exposure_molfunc", "interacts with", "exposure", "molecular_function", 45),
    ("exposure_cellcomp", "interacts with", "exposure", "cellular_component", 10),
    ("anatomy_anatomy", "parent-child", "anatomy", "anatomy", 14_032),
    ("pathway_pathway", "parent-child", "pathway", "pathway", 2_535),
    ("pathway_protein", "interacts with", "gene/protein", "pathway", 42_646),
    ("anatomy_protein_present", "expression present", "gene/protein", "anatomy", 1_518_203),
    ("anatomy_protein_absent", "expression absent", "gene/protein", "anatomy", 19_887),
)
# The first protein has every entity of the other end's type in these: 113,000 neighbours.
_HUB_RELATIONS = (
    "protein_protein",
    "disease_protein",
    "molfunc_protein",
    "cellcomp_protein",
    "bioprocess_protein",
    "pathway_protein",
    "anatomy_protein_present",
)
_HUB_TYPE = "gene/protein"
_SKEW = 0.7  # weight of the n-th entity is n to this negative power; below 1, or few take all
_GROUPED_EVERY = 6  # one in so many diseases of PrimeKG stands for several
_GROUP = 3
_LINES = 200_000  # written at once

_HEADER = "relation,display_relation,x_index,x_id,x_type,x_name,x_source,y_index,y_id,y_type,y_name,y_source\n"
_DRUG_TEXTS = ("description", "indication", "mechanism_of_action", "pharmacodynamics")
_DRUG_COLUMNS = (
    *("node_index", "description", "half_life", "indication", "mechanism_of_action"),
    *("protein_binding", "pharmacodynamics", "state", "atc_1", "atc_2", "atc_3", "atc_4"),
    *("category", "group", "pathway", "molecular_weight", "tpsa", "clogp"),
)
_DISEASE_TEXTS = ("mondo_definition", "umls_description", "orphanet_definition")
_CLINICAL_TEXTS = ("orphanet_clinical_description", "mayo_symptoms", "mayo_causes")
_DISEASE_COLUMNS = (
    *("node_index", "mondo_id", "mondo_name", "group_id_bert", "group_name_bert"),
    *("mondo_definition", "umls_description", "orphanet_definition", "orphanet_prevalence"),
    *("orphanet_epidemiology", "orphanet_clinical_description"),
    *("orphanet_management_and_treatment", "mayo_symptoms", "mayo_causes", "mayo_risk_factors"),
    *("mayo_complications", "mayo_prevention", "mayo_see_doc"),
)


@dataclass(frozen=True)
class _Nodes:
    """Entities by node index; those of a type stand together from `first[type]` on."""

    first: dict[str, int]
    counts: dict[str, int]
    names: list[str]
    ids: list[str]
    sources: list[str]

    def cells(self) -> list[str]:
        """The five cells of each node, as they stand in kg.csv."""
        kinds = [kind for kind, count in self.counts.items() for _ in range(count)]
        rows = zip(self.ids, kinds, self.names, self.sources, strict=True)
        return [f"{index},{','.join(row)}" for index, row in enumerate(rows)]


def main(
    folder: Annotated[Path, typer.Argument(help="Where to write; made when it is not there.")],
    seed: int = 1,
    share: Annotated[float, typer.Option(min=0.001, max=1.0, help="Of PrimeKG's size.")] = 1.0,
) -> None:
    """Write kg.csv, nodes.csv, drug_features.csv and disease_features.csv."""
    pairs = write_graph(folder, seed, share)
    typer.echo(f"{pairs:,} relationships, each from both ends, in {folder}")


def write_graph(folder: Path, seed: int = 1, share: float = 1.0) -> int:
    """Write the graph's files; the number of pairs.

    Args:
        seed: the same seed and share give the same files.
        share: of PrimeKG's numbers of entities and of pairs, in (0, 1].
    """
    folder.mkdir(parents=True, exist_ok=True)
    chance = np.random.default_rng(seed)
    nodes = _make_nodes(chance, share)
    _write_features(folder, nodes, chance)
    cells = nodes.cells()
    with (folder / "nodes.csv").open("w", encoding="utf-8") as file:
        file.write("node_index,node_id,node_type,node_name,node_source\n")
        file.write("\n".join(cells) + "\n")
    total = 0
    with (folder / "kg.csv").open("w", encoding="utf-8") as file:
        file.write(_HEADER)
        for relation, display, one, other, count in _RELATIONS:
            x, y = _pairs(nodes, relation, one, other, max(1, int(count * share)), chance)
            total += len(x)
            file.writelines(_lines(f"{relation},{display}", cells, x, y))
            file.writelines(_lines(f"{relation},{display}", cells, y, x))
    return total


def _make_nodes(chance: np.random.Generator, share: float) -> _Nodes:
    first: dict[str, int] = {}
    counts = {kind: max(30, int(count * share)) for kind, (count, _) in _TYPES.items()}
    names: list[str] = []
    ids: list[str] = []
    sources: list[str] = []
    for kind, count in counts.items():
        first[kind] = len(names)
        names += node_names(kind, count, chance)
        # Numbers of their own among each other, GO's three types too.
        ids += [_own_id(kind, 100 + first[kind] + place) for place in range(count)]
        sources += [_TYPES[kind][1]] * count
    for place in range(first["disease"], first["disease"] + counts["disease"], _GROUPED_EVERY):
        own = int(ids[place])
        ids[place] = "_".join(str(own + 200_000 * part) for part in range(_GROUP))
        sources[place] = "MONDO_grouped"
    return _Nodes(first, counts, names, ids, sources)


def _own_id(kind: str, number: int) -> str:
    written = {
        "drug": f"DB{number:05}",
        "exposure": f"C{number:06}",
        "pathway": f"R-HSA-{number}",
    }
    return written.get(kind, str(number))


def _pairs(
    nodes: _Nodes, relation: str, one: str, other: str, count: int, chance: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Node indices of `count` distinct pairs of different entities."""
    width = nodes.counts[other]
    possible = nodes.counts[one] * width // (3 if one == other else 2)
    count = min(count, possible)
    keys = np.empty(0, np.int64)
    if relation in _HUB_RELATIONS:
        places = np.arange(1 if one == other else 0, width)
        # Of both ends the hub is the first of its type, and `one` is that type in all of them.
        keys = places if one == _HUB_TYPE else places * width
    while len(keys) < count:
        wanted = int((count - len(keys)) * 1.5) + 10
        a, b = _skewed(nodes.counts[one], wanted, chance), _skewed(width, wanted, chance)
        if one == other:
            a, b = np.minimum(a, b)[a != b], np.maximum(a, b)[a != b]
        new = np.setdiff1d(np.unique(a * width + b), keys, assume_unique=True)
        chance.shuffle(new)
        keys = np.concatenate([keys, new[: count - len(keys)]])
    chance.shuffle(keys)
    return keys // width + nodes.first[one], keys % width + nodes.first[other]


def _skewed(count: int, size: int, chance: np.random.Generator) -> NDArray[np.int64]:
    """Numbers below `count`, of which small ones are frequent."""
    bounds = np.cumsum(np.arange(1, count + 1, dtype=np.float64) ** -_SKEW)
    found: NDArray[np.int64] = np.searchsorted(bounds, chance.random(size) * bounds[-1])
    return found


def _lines(
    kind: str, cells: Sequence[str], x: NDArray[np.int64], y: NDArray[np.int64]
) -> Iterator[str]:
    for start in range(0, len(x), _LINES):
        ends = zip(
            x[start : start + _LINES].tolist(), y[start : start + _LINES].tolist(), strict=True
        )
        yield "".join([f"{kind},{cells[one]},{cells[other]}\n" for one, other in ends])


def _write_features(folder: Path, nodes: _Nodes, chance: np.random.Generator) -> None:
    texts = sentences(2_000, chance)

    def text(fewest: int, most: int) -> str:
        chosen = chance.integers(len(texts), size=int(chance.integers(fewest, most)))
        return " ".join(texts[one] for one in chosen.tolist())

    with (folder / "drug_features.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, _DRUG_COLUMNS, restval="")
        writer.writeheader()
        for index in range(nodes.first["drug"], nodes.first["drug"] + nodes.counts["drug"]):
            row = {column: text(1, 6) for column in _DRUG_TEXTS}
            writer.writerow(
                {"node_index": index, "state": "solid", "half_life": "6 hours", "clogp": 1.5} | row
            )
    with (folder / "disease_features.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, _DISEASE_COLUMNS, restval="")
        writer.writeheader()
        first = nodes.first["disease"]
        for index in range(first, first + nodes.counts["disease"]):
            clinical = _CLINICAL_TEXTS if chance.random() < 0.25 else ()
            row = {column: text(1, 6) for column in (*_DISEASE_TEXTS, *clinical)}
            for part, own_id in enumerate(nodes.ids[index].split("_")):
                name = f"{nodes.names[index]} type {part}" if part else nodes.names[index]
                writer.writerow({"node_index": index, "mondo_id": own_id, "mondo_name": name} | row)


if __name__ == "__main__":
    typer.run(main)
