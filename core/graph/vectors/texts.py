"""What of an entity is embedded: its name and the properties that say what it is (KG-4 to KG-6)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from core.domain.graph import Entity

MISSING = "N/A"
MOST_RELATED = 20  # diseases, and drugs, named in a protein's text: about 200 tokens
_DRUG = "Drug"
_DISEASES = ("Disease", "ClinicalDisease")
RELATED_TYPES = (_DRUG, *_DISEASES)
_MARK = 12  # hexadecimal digits that name a model in a hash

# Field -> the properties that feed it, the first with a value: Materia's own columns, then PrimeKG's
# (drug_features.csv and disease_features.csv; Chandak, Huang, Zitnik 2023).
_DRUG_FIELDS = {
    "Indication": ("indication",),
    "Mechanism": ("mechanism_of_action", "mechanism"),
    "Description": ("description",),
    "Pharmacodynamics": ("pharmacodynamics",),
}
_DISEASE_FIELDS = {
    "Definition": (
        "definition",
        "mondo_definition",
        "orphanet_definition",
        "umls_description",
        "description",
    ),
    "Symptoms": ("symptoms", "mayo_symptoms"),
    "Clinical": ("clinical", "orphanet_clinical_description"),
    "Causes": ("causes", "mayo_causes"),
}


def entity_text(entity: Entity, related: Iterable[Entity] = ()) -> str:
    """The text that an entity is embedded by, a line for each field; a missing field reads N/A.

    Args:
        entity: a Drug, Disease, ClinicalDisease or Protein; of other types, name and synonyms.
        related: neighbours in the graph, the most important first. Of a protein, the first
            `MOST_RELATED` diseases and drugs among them are named.
    """
    fields = {"Name": entity.name}
    if entity.type == _DRUG:
        fields |= _properties(entity, _DRUG_FIELDS)
    elif entity.type in _DISEASES:
        fields |= _properties(entity, _DISEASE_FIELDS)
    else:
        fields["Synonyms"] = ", ".join(entity.synonyms)
    if entity.type == "Protein":
        known = tuple(related)
        fields["Associated diseases"] = _names(known, _DISEASES)
        fields["Interacting drugs"] = _names(known, (_DRUG,))
    lines = (f"{name}: {' '.join(value.split()) or MISSING}" for name, value in fields.items())
    return "\n".join((f"Type: {entity.type}", *lines))


def is_described(entity: Entity) -> bool:
    """Whether an entity's text says more of it than how it is called.

    A protein's names what it is linked to.
    """
    fields = _DRUG_FIELDS if entity.type == _DRUG else _DISEASE_FIELDS
    return entity.type == "Protein" or any(_properties(entity, fields).values())


def text_hash(text: str, model: str) -> str:
    """Names a text and the model it is embedded with; begins with `model_mark`."""
    return f"{model_mark(model)}-{_digest(text)[:32]}"


def model_mark(model: str) -> str:
    """What all hashes of one model's embeddings begin with."""
    return _digest(model)[:_MARK]


def _properties(entity: Entity, fields: dict[str, tuple[str, ...]]) -> dict[str, str]:
    values = {name: value.strip() for name, value in entity.properties.items()}
    return {
        field: next((values[name] for name in names if values.get(name)), "")
        for field, names in fields.items()
    }


def _names(related: Sequence[Entity], types: Sequence[str]) -> str:
    """In alphabetical order: a shift of importance alone must not change the text."""
    found = dict.fromkeys(one.name for one in related if one.type in types)
    return ", ".join(sorted(list(found)[:MOST_RELATED]))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
