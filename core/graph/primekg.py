"""PrimeKG's files (Chandak, Huang, Zitnik 2023) in this project's terms.

kg.csv names each relationship twice, once from either end, with both entities written out;
drug_features.csv and disease_features.csv hold texts, joined on the node index.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.domain.graph import Entity, Relationship
from core.graph.csv_rows import Problems, read_rows

KG_FILE = "kg.csv"
_FEATURE_FILES = ("drug_features.csv", "disease_features.csv")
_INDEX = "node_index"
_ENDS = ("x", "y")
_KG_COLUMNS = (
    "relation",
    "display_relation",
    *(f"{end}_{part}" for end in _ENDS for part in ("index", "id", "type", "name", "source")),
)

_ENTITY_TYPES = {
    "drug": "Drug",
    "disease": "Disease",
    "gene/protein": "Protein",
    "effect/phenotype": "Phenotype",
}
_CLINICAL_FIELD = "orphanet_clinical_description"
_CLINICAL_PREFIX = "mayo_"

# relation -> (relationship type, PrimeKG type of the source or None where both ends are alike)
_RELATIONS: dict[str, tuple[str, str | None]] = {
    "indication": ("TREATS", "drug"),
    "palliation": ("PALLIATES", "drug"),
    "contraindication": ("CONTRAINDICATED_IN", "drug"),
    "off-label use": ("OFF_LABEL_USE", "drug"),
    "drug_protein": ("TARGETS", "drug"),
    "drug_effect": ("CAUSES_SIDE_EFFECT", "drug"),
    "drug_class": ("DRUG_CLASS", "drug"),
    "disease_protein": ("ASSOCIATED_WITH", "gene/protein"),
    "pathway_protein": ("PARTICIPATES_IN", "gene/protein"),
    "disease_phenotype_positive": ("HAS_PHENOTYPE", "disease"),
    "drug_drug": ("INTERACTS_WITH", None),
    "disease_disease": ("RESEMBLES", None),
    "protein_protein": ("BINDS", None),
}
_RESEMBLES_DISPLAY = "resembles"
# A drug's proteins are targets, enzymes, carriers or transporters; the file says which.
_ROLE_RELATION = "drug_protein"
_ROLE_PROPERTY = "role"


@dataclass(slots=True)
class _Node:
    id: str
    type: str
    name: str
    properties: dict[str, str] = field(default_factory=dict)


def read_primekg(
    folder: Path, problems: Problems
) -> tuple[tuple[Entity, ...], tuple[Relationship, ...]]:
    """The entities and relationships of a folder with kg.csv.

    An entity's id is PrimeKG's, with its source in front when it is a bare number
    (``NCBI:4088``, ``DB00331``); where the file has none, ``PrimeKG:<node index>``.

    Raises:
        InputError: code GRAPH_FORMAT; a file is not what its name says (see `read_rows`).
    """
    nodes: dict[str, _Node] = {}
    relationships: dict[tuple[str, str, str], set[str]] = {}
    for line, row in read_rows(folder / KG_FILE, _KG_COLUMNS, problems):
        reason = _unusable(row)
        if reason:
            problems.add(KG_FILE, line, reason)
            continue
        x, y = (_node(nodes, row, end) for end in _ENDS)
        roles = relationships.setdefault(_relationship_key(row, x, y), set())
        if row["relation"] == _ROLE_RELATION:
            roles.add(row["display_relation"])
    for file in _FEATURE_FILES:
        if (folder / file).exists():
            _add_features(folder / file, nodes, problems)
    entities = {node.id: _entity(node) for node in nodes.values()}
    return tuple(entities.values()), tuple(
        Relationship(*key, properties={_ROLE_PROPERTY: ", ".join(sorted(roles))} if roles else {})
        for key, roles in relationships.items()
    )


def _unusable(row: Mapping[str, str]) -> str:
    """Why a row of kg.csv cannot be used, in words; empty when it can."""
    if not row["relation"]:
        return "lacks the relation"
    for end in _ENDS:
        for part in ("index", "type", "name"):
            if not row[f"{end}_{part}"]:
                return f"lacks {end}_{part}"
    return ""


def _node(nodes: dict[str, _Node], row: Mapping[str, str], end: str) -> _Node:
    index = row[f"{end}_index"]
    node = nodes.get(index)
    if node is None:
        node = nodes[index] = _Node(
            id=_entity_id(row[f"{end}_id"], row[f"{end}_source"], index),
            type=row[f"{end}_type"],
            name=row[f"{end}_name"],
        )
    return node


def _entity_id(own_id: str, source: str, index: str) -> str:
    if not own_id:
        return f"PrimeKG:{index}"
    # 4088 is a gene at NCBI and a disease at MONDO; ids that begin with letters are unique.
    return f"{source}:{own_id}" if own_id[0].isdigit() and source else own_id


def _relationship_key(row: Mapping[str, str], x: _Node, y: _Node) -> tuple[str, str, str]:
    """Source id, type and target id: the same for the two rows that name one relationship."""
    relation = row["relation"]
    kind, source_type = _RELATIONS.get(relation, (_upper_cased(relation), None))
    if relation == "drug_drug" and row["display_relation"] == _RESEMBLES_DISPLAY:
        kind = "RESEMBLES"
    if source_type is not None and (x.type == source_type) != (y.type == source_type):
        source, target = (x, y) if x.type == source_type else (y, x)
    else:
        source, target = sorted((x, y), key=lambda node: (_title_cased(node.type), node.id))
    return source.id, kind, target.id


def _upper_cased(relation: str) -> str:
    return re.sub(r"\W+", "_", relation).strip("_").upper()


def _title_cased(primekg_type: str) -> str:
    """``biological_process`` is ``BiologicalProcess``."""
    return "".join(word.capitalize() for word in re.split(r"[\W_]+", primekg_type))


def _add_features(path: Path, nodes: Mapping[str, _Node], problems: Problems) -> None:
    """Add a feature file's texts; of several rows for a node the first value of a column stays."""
    for line, row in read_rows(path, (_INDEX,), problems):
        node = nodes.get(row.pop(_INDEX))
        if node is None:
            problems.add(path.name, line, f"has a {_INDEX} that {KG_FILE} does not know")
            continue
        for name, value in row.items():
            if value:
                node.properties.setdefault(name, value)


def _entity(node: _Node) -> Entity:
    kind = _ENTITY_TYPES.get(node.type) or _title_cased(node.type) or node.type
    if kind == "Disease" and any(
        name == _CLINICAL_FIELD or name.startswith(_CLINICAL_PREFIX) for name in node.properties
    ):
        kind = "ClinicalDisease"
    return Entity(id=node.id, type=kind, name=node.name, properties=node.properties)
