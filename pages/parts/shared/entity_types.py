"""How types of entities are named and coloured, alike on every page."""

from __future__ import annotations

import re
import zlib

# The theme's colours (.streamlit/config.toml) with their names in Markdown.
_COLOURS = {
    "Drug": ("#2563c9", "blue"),
    "Disease": ("#c62828", "red"),
    "Protein": ("#0f766e", "green"),
    "Phenotype": ("#7c3aed", "violet"),
}
# One type to the eye, whatever source it came from: a disease with clinical text is a disease.
_SHOWN_AS = {"ClinicalDisease": "Disease"}
# Any other type has one of these for good, whatever else the graph holds.
_OTHERS = ("#0891b2", "#be185d", "#4d7c0f", "#854d0e", "#4338ca", "#475569")
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_+")


def shown_type(entity_type: str) -> str:
    """The type that an entity is shown as; types that are one to the eye give the same."""
    return _SHOWN_AS.get(entity_type, entity_type)


def type_hex(entity_type: str) -> str:
    """The colour of a type's nodes, ``#rrggbb``."""
    entity_type = shown_type(entity_type)
    if entity_type in _COLOURS:
        return _COLOURS[entity_type][0]
    return _OTHERS[zlib.crc32(entity_type.encode("utf-8", "replace")) % len(_OTHERS)]


def type_mark(entity_type: str) -> str:
    """A dot in the type's colour, as Markdown."""
    return f':color[●]{{foreground="{type_hex(entity_type)}"}}'


def type_colour(entity_type: str) -> str:
    """The Markdown colour name nearest to a type's colour, for badges."""
    return _COLOURS.get(shown_type(entity_type), ("", "gray"))[1]


def type_name(entity_type: str) -> str:
    """``MolecularFunction`` as words: ``Molecular function``."""
    entity_type = shown_type(entity_type)
    words = " ".join(_WORD.sub(" ", entity_type).split())
    return words[:1].upper() + words[1:].lower() if words else entity_type
