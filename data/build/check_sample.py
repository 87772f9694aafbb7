"""Check the sample data: counts, identifiers, relationships, leaflets and abstracts.

Run from the project's root: python data/build/check_sample.py
Ends with exit status 1 and a list of what is wrong, if anything is.
"""

from __future__ import annotations

import ast
import csv
import json
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from pypdf import PdfReader

DATA = Path(__file__).resolve().parent.parent

LEAST_NODES = {"Drug": 170, "ClinicalDisease": 30, "Protein": 220, "Phenotype": 60, "Pathway": 20}
LEAST_DISEASES = 125
LEAST_FACTS = 1700
LEAST_ABSTRACTS = 60
LEAST_PAGES = 3

DISEASES = {"Disease", "ClinicalDisease"}
ENDS = {
    "TREATS": ({"Drug"}, DISEASES),
    "PALLIATES": ({"Drug"}, DISEASES),
    "CONTRAINDICATED_IN": ({"Drug"}, DISEASES | {"Phenotype"}),
    "TARGETS": ({"Drug"}, {"Protein"}),
    "CAUSES_SIDE_EFFECT": ({"Drug"}, {"Phenotype"}),
    "INTERACTS_WITH": ({"Drug"}, {"Drug"}),
    "ASSOCIATED_WITH": ({"Protein"}, DISEASES),
    "RESEMBLES": (DISEASES, DISEASES),
    "PARTICIPATES_IN": ({"Protein"}, {"Pathway"}),
    "BINDS": ({"Protein"}, {"Protein"}),
}
DRUG_TEXTS = ("indication", "mechanism_of_action", "description", "pharmacodynamics", "half_life")
DISEASE_TEXTS = ("definition", "symptoms", "clinical", "causes")
ABSTRACT_KEYS = {"author", "day", "id", "link", "month", "summary", "tag", "title", "year"}

LEAFLET_HEADINGS = (
    "1. What {drug} is and what it is used for",
    "2. What you need to know before you take {drug}",
    "Do not take {drug}",
    "Warnings and precautions",
    "Other medicines and {drug}",
    "Pregnancy and breast-feeding",
    "Driving and using machines",
    "3. How to take {drug}",
    "Recommended dose",
    "If you take more {drug} than you should",
    "If you forget to take {drug}",
    "4. Possible side effects",
    "5. How to store {drug}",
    "6. Contents of the pack and other information",
)
SMPC_HEADINGS = (
    "1. NAME OF THE MEDICINAL PRODUCT",
    "4.1 Therapeutic indications",
    "4.2 Posology and method of administration",
    "4.3 Contraindications",
    "4.4 Special warnings and precautions for use",
    "4.5 Interaction with other medicinal products",
    "4.6 Fertility, pregnancy and lactation",
    "4.8 Undesirable effects",
    "4.9 Overdose",
    "5.1 Pharmacodynamic properties",
    "6.4 Special precautions for storage",
)
CLOSING = "Sample text written for Materia. Not for medical use."

Row = dict[str, str]


def read(path: Path) -> list[Row]:
    """The rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def check_nodes(nodes: list[Row], leaflets: list[str]) -> list[str]:
    """What is wrong with the nodes."""
    wrong = [f"id {key} stands there twice" for key, n in repeated(row["id"] for row in nodes)]
    kinds = Counter(row["type"] for row in nodes)
    for kind, least in LEAST_NODES.items():
        if kinds[kind] < least:
            wrong.append(f"{kinds[kind]} nodes of type {kind}, at least {least} wanted")
    diseases = sum(kinds[kind] for kind in DISEASES)
    if diseases < LEAST_DISEASES:
        wrong.append(f"{diseases} diseases, at least {LEAST_DISEASES} wanted")
    drugs = {row["name"]: row for row in nodes if row["type"] == "Drug"}
    for name in leaflets:
        if name not in drugs:
            wrong.append(f"the leaflet drug {name} has no node")
            continue
        wrong += [f"{name} lacks {field}" for field in DRUG_TEXTS if not drugs[name][field]]
    for row in nodes:
        if row["type"] == "ClinicalDisease":
            wrong += [f"{row['name']} lacks {field}" for field in DISEASE_TEXTS if not row[field]]
    return wrong


def check_facts(nodes: list[Row], facts: list[Row]) -> list[str]:
    """What is wrong with the relationships."""
    wrong: list[str] = []
    kind = {row["id"]: row["type"] for row in nodes}
    if len(facts) < LEAST_FACTS:
        wrong.append(f"{len(facts)} relationships, at least {LEAST_FACTS} wanted")
    for fact in facts:
        text = f"{fact['source']} {fact['type']} {fact['target']}"
        if fact["type"] not in ENDS:
            wrong.append(f"{text}: no such type of relationship")
            continue
        sources, targets = ENDS[fact["type"]]
        if kind.get(fact["source"]) not in sources or kind.get(fact["target"]) not in targets:
            wrong.append(f"{text}: an end is missing or of another type")
        if fact["source"] == fact["target"]:
            wrong.append(f"{text}: a self loop")
        if not fact["source_of_fact"]:
            wrong.append(f"{text}: no source of the fact")
    # Sorted ends find a pair that is stored in both directions as well.
    pairs = (" ".join([f["type"], *sorted((f["source"], f["target"]))]) for f in facts)
    wrong += [f"{key}: stored {n} times" for key, n in repeated(pairs)]
    treated = {(f["source"], f["target"]) for f in facts if f["type"] == "TREATS"}
    barred = {(f["source"], f["target"]) for f in facts if f["type"] == "CONTRAINDICATED_IN"}
    wrong += [f"{pair}: both TREATS and CONTRAINDICATED_IN" for pair in sorted(treated & barred)]
    linked = {fact[end] for fact in facts for end in ("source", "target")}
    wrong += [f"{row['name']} has no relationship" for row in nodes if row["id"] not in linked]
    return wrong


def check_leaflet(path: Path) -> list[str]:
    """What is wrong with one leaflet."""
    pages = [page.extract_text() for page in PdfReader(path).pages]
    wrong = []
    if len(pages) < LEAST_PAGES:
        wrong.append(f"{path.name}: {len(pages)} pages, at least {LEAST_PAGES} wanted")
    wrong += [
        f"{path.name}: no text on page {number}"
        for number, text in enumerate(pages, 1)
        if len(text.split()) < 20
    ]
    lines = {line.strip() for text in pages for line in text.splitlines()}
    scheme = SMPC_HEADINGS if SMPC_HEADINGS[0] in lines else LEAFLET_HEADINGS
    for heading in (*scheme, CLOSING):
        if heading.format(drug=path.stem) not in lines:
            wrong.append(f"{path.name}: no line {heading.format(drug=path.stem)!r}")
    return wrong


def check_abstracts(path: Path) -> list[str]:
    """What is wrong with the abstracts."""
    records = json.loads(path.read_text(encoding="utf-8"))
    wrong = [f"abstract {key} stands there twice" for key, n in repeated(r["id"] for r in records)]
    if len(records) < LEAST_ABSTRACTS:
        wrong.append(f"{len(records)} abstracts, at least {LEAST_ABSTRACTS} wanted")
    for record in records:
        if set(record) != ABSTRACT_KEYS:
            wrong.append(f"{record.get('id')}: other keys than the original's")
            continue
        if not 600 <= len(record["summary"]) <= 1400:
            wrong.append(f"{record['id']}: a summary of {len(record['summary'])} characters")
        for field in ("author", "link", "tag"):
            if not isinstance(ast.literal_eval(record[field]), list):
                wrong.append(f"{record['id']}: {field} is no list")
    return wrong


def repeated(keys: Iterable[str]) -> list[tuple[str, int]]:
    """The keys that occur more than once."""
    return [(key, n) for key, n in Counter(keys).items() if n > 1]


def main() -> int:
    """Run all checks; the number of errors decides the exit status."""
    nodes = read(DATA / "graph" / "nodes.csv")
    facts = read(DATA / "graph" / "relationships.csv")
    leaflets = sorted((DATA / "leaflets").glob("*.pdf"))
    wrong = check_nodes(nodes, [path.stem for path in leaflets])
    wrong += check_facts(nodes, facts)
    if len(leaflets) < 10:
        wrong.append(f"{len(leaflets)} leaflets, at least 10 wanted")
    for path in leaflets:
        wrong += check_leaflet(path)
    wrong += check_abstracts(DATA / "abstracts" / "arxivData.json")
    for line in wrong:
        print(line, file=sys.stderr)
    kinds = Counter(row["type"] for row in nodes)
    types = Counter(fact["type"] for fact in facts)
    print(f"{len(nodes)} nodes: " + ", ".join(f"{n} {kind}" for kind, n in kinds.most_common()))
    print(f"{len(facts)} relationships: " + ", ".join(f"{n} {t}" for t, n in types.most_common()))
    print(f"{len(leaflets)} leaflets; " + (f"{len(wrong)} errors" if wrong else "all is well"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
