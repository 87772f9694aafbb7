"""What PrimeKG's types, relations and ids are called here."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.resources import read_table

_TABLE = read_table(__file__, "primekg.toml")
_ENTITY_TYPES: dict[str, str] = _TABLE["entity_types"]
# A disease that a clinic has described: Mayo Clinic's texts, and Orphanet's for clinicians.
_CLINICAL_PREFIX = "mayo_"
_CLINICAL_FIELDS = ("orphanet_clinical_description", "orphanet_management_and_treatment")

_RELATIONS: dict[str, list[str]] = _TABLE["relations"]
_DRUG_PROTEIN: dict[str, str] = _TABLE["drug_protein"]
_RESEMBLES = "resembles"
# Both directions are in the file and which end is the parent is not.
_PARENT_CHILD = "parent-child"

# Ontologies whose ids have seven digits, which PrimeKG writes without leading zeros.
_SEVEN_DIGITS = {"MONDO": "MONDO", "GO": "GO", "UBERON": "UBERON", "HPO": "HP"}
_PREFIXES = {"MeSH": "MESH", "UMLS": "UMLS"}  # ids that are written with and without
_GROUPED = "_grouped"  # "MONDO_grouped": several diseases as one, ids joined with "_"


def entity_type(kind: str, properties: Iterable[str]) -> str:
    """The entity type of a PrimeKG type: ``Drug``, ``Disease``, ``ClinicalDisease`` (a disease with
    clinical texts among its properties), ``Protein``, ``Phenotype``, or its own (``Anatomy``)."""
    known = _ENTITY_TYPES.get(kind) or _title_cased(kind) or kind
    if known == "Disease" and any(
        name in _CLINICAL_FIELDS or name.startswith(_CLINICAL_PREFIX) for name in properties
    ):
        return "ClinicalDisease"
    return known


def relationship_type(relation: str, display: str, x_type: str, y_type: str) -> tuple[str, int]:
    """The relationship type, and which end is its source: 1 for x, -1 for y, 0 for the end with the
    smaller id. It is the same relationship for the two rows that name it."""
    kind, *sources = _RELATIONS.get(relation, [_upper_cased(relation)])
    source_type = sources[0] if sources else None
    if relation == "drug_protein":
        kind = _DRUG_PROTEIN.get(display, kind)
    elif relation == "drug_drug" and display == _RESEMBLES:
        kind = "RESEMBLES"
    elif display == _PARENT_CHILD:
        kind = "IS_PARENT_OR_CHILD_OF"
    if x_type == y_type:
        return kind, 0
    if source_type not in (x_type, y_type):
        source_type = min(x_type, y_type)
    return kind, 1 if x_type == source_type else -1


def entity_ids(own_id: str, source: str, index: str) -> tuple[list[str], list[str]]:
    """The ids an entity may have, the first that is free; and what it is called elsewhere.

    A bare number gets its source in front (``NCBI:4088``), as 4088 is a gene at NCBI and a disease at
    MONDO; ids that begin with letters stay (``DB00331``); without one it is ``PrimeKG:<node index>``.
    """
    last = f"PrimeKG:{index}"
    if not own_id:
        return [last], []
    with_source = f"{source}:{own_id}" if source else last
    if source.endswith(_GROUPED):
        ontology = source.removesuffix(_GROUPED)
        return [with_source, last], [_full_id(part, ontology) for part in own_id.split("_") if part]
    if own_id[0].isdigit():
        elsewhere = [_full_id(own_id, source)] if source in _SEVEN_DIGITS else []
        return [with_source, last], elsewhere
    prefix = _PREFIXES.get(source)
    return [own_id, with_source, last], [f"{prefix}:{own_id}"] if prefix else []


def full_mondo_id(cell: str) -> str:
    """``MONDO:0005011`` for 5011; an id with a prefix of its own as it is."""
    return _full_id(cell, "MONDO") if cell.isdigit() else cell


def _full_id(number: str, source: str) -> str:
    """``MONDO:0005011`` for 5011 of MONDO; other sources' numbers are not padded."""
    if source in _SEVEN_DIGITS:
        return f"{_SEVEN_DIGITS[source]}:{number:0>7}"
    return f"{source}:{number}"


def _upper_cased(relation: str) -> str:
    return re.sub(r"\W+", "_", relation).strip("_").upper() or "RELATED_TO"


def _title_cased(kind: str) -> str:
    """``biological_process`` is ``BiologicalProcess``."""
    return "".join(word.capitalize() for word in re.split(r"[\W_]+", kind))
