"""An entity with all its properties, relationships and the documents that mention it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from core.domain.graph import Entity
from core.domain.names import IDENTIFIERS, SEPARATOR
from pages.parts.evidence.copying import copy_text
from pages.parts.graph.entity_documents import MOST_DOCUMENTS, entity_documents
from pages.parts.graph.entity_relationships import entity_relationships
from pages.parts.shared.entity_types import type_colour, type_name
from pages.parts.shared.links import ENTITY, link_to
from pages.parts.shared.state import ask_about, workspace
from pages.parts.shared.text import plain, short

_LONG = 420  # characters of a property that are shown at once
_MOST_SYNONYMS = 12

_LABELS = {
    "atc_codes": "ATC codes",
    "half_life": "Half-life",
    "mechanism_of_action": "Mechanism of action",
    "clinical": "Clinical description",
    "umls_description": "Description (UMLS)",
    "mondo_definition": "Definition (MONDO)",
    "orphanet_definition": "Definition (Orphanet)",
    "orphanet_clinical_description": "Clinical description (Orphanet)",
    "orphanet_epidemiology": "Epidemiology (Orphanet)",
    "orphanet_prevalence": "Prevalence (Orphanet)",
    "mayo_symptoms": "Symptoms (Mayo Clinic)",
    "mayo_causes": "Causes (Mayo Clinic)",
    "mayo_risk_factors": "Risk factors (Mayo Clinic)",
    "mayo_complications": "Complications (Mayo Clinic)",
    "mayo_prevention": "Prevention (Mayo Clinic)",
    "mayo_see_doc": "When to see a doctor (Mayo Clinic)",
    "tpsa": "Topological polar surface area",
    "clogp": "Partition coefficient (cLogP)",
    "group": "Approval status",
    "url": "Web address",
}
# Prefix of an identifier, in capitals -> the database as it writes its own name.
_DATABASES = {
    "ATC": "ATC",
    "BTO": "BRENDA Tissue Ontology",
    "CAS": "CAS",
    "CHEBI": "ChEBI",
    "CHEMBL": "ChEMBL",
    "DB": "DrugBank",
    "DOID": "Disease Ontology",
    "DRUGBANK": "DrugBank",
    "ENSEMBL": "Ensembl",
    "GO": "Gene Ontology",
    "HGNC": "HGNC",
    "HP": "Human Phenotype Ontology",
    "HPO": "Human Phenotype Ontology",
    "ICD10": "ICD-10",
    "KEGG": "KEGG",
    "MEDDRA": "MedDRA",
    "MESH": "MeSH",
    "MONDO": "MONDO",
    "NCBI": "NCBI Gene",
    "OMIM": "OMIM",
    "ORPHA": "Orphanet",
    "ORPHANET": "Orphanet",
    "PUBCHEM": "PubChem",
    "REACTOME": "Reactome",
    "UBERON": "Uberon",
    "UMLS": "UMLS",
    "UNIPROT": "UniProt",
}


@dataclass(frozen=True, slots=True)
class CardActions:
    """What the card's buttons do; each gets an entity's id. None: there is no such button."""

    expand: Callable[[str], None]
    open: Callable[[str], None]
    paths: Callable[[str], None]
    leave_out: Callable[[str], None] | None = None


def entity_card(entity: Entity, actions: CardActions, hops: int, rest: str = "") -> None:
    """Draw the card.

    Args:
        hops: how far “Expand” goes.
        rest: a line on what of it is not drawn.
    """
    st.markdown(f"## {plain(short(entity.name, 200))}")
    st.markdown(
        f":{type_colour(entity.type)}-badge[{plain(type_name(entity.type))}] "
        f":gray[{plain(identifier_words(entity.id))}]"
    )
    _buttons(entity, actions, hops)
    if rest:
        st.caption(rest)
    mentioned = workspace().catalogue.documents_mentioning(entity.id, MOST_DOCUMENTS + 1)
    degree = f" ({entity.degree:,})" if entity.degree else ""
    about, related, documents = st.tabs(
        [
            "About",
            f"Relationships{degree}",
            f"Documents ({len(mentioned) if len(mentioned) <= MOST_DOCUMENTS else 'many'})",
        ],
        key=f"card_{entity.id}",
    )
    with about:
        _about(entity)
    with related:
        entity_relationships(entity, actions.open)
    with documents:
        entity_documents(entity, mentioned)


def _buttons(entity: Entity, actions: CardActions, hops: int) -> None:
    with st.container(horizontal=True, gap="xsmall"):
        st.button(
            "Expand",
            key="expand_entity",
            type="primary",
            icon=":material/add_circle:",
            on_click=actions.expand,
            args=(entity.id,),
            help=f"Add its surroundings, {hops} hop{'s' if hops > 1 else ''} far; see Filters",
        )
        for label, key, icon, act, help_ in (
            ("Only this", "open_entity", "center_focus_strong", actions.open,
             "Show this entity and its neighbours, nothing else"),
            ("Paths", "paths_from", "route", actions.paths, "Find ways from here to another entity"),
            ("Take off", "leave_out", "visibility_off", actions.leave_out,
             "Take this entity off the canvas; the graph itself stays"),
        ):  # fmt: skip
            if act is not None:
                st.button(
                    label,
                    key=key,
                    icon=f":material/{icon}:",
                    on_click=act,
                    args=(entity.id,),
                    help=help_,
                )
        if st.button(
            "Ask about",
            key="ask_about",
            icon=":material/forum:",
            help="Put its name into the chat's input",
        ):
            ask_about(short(entity.name, _LONG))
        copy_text("entity_link", link_to("explorer", {ENTITY: entity.id}), "Copy link")


def _about(entity: Entity) -> None:
    if entity.synonyms:
        st.caption("Also called")
        st.text(", ".join(entity.synonyms[:_MOST_SYNONYMS]))
        if len(entity.synonyms) > _MOST_SYNONYMS:
            with st.expander(f"All {len(entity.synonyms)} names"):
                st.text("\n".join(entity.synonyms))
    for name, value in entity.properties.items():
        if name == IDENTIFIERS:
            continue
        st.caption(plain(property_label(name)))
        if len(value) <= _LONG:
            st.text(value)
        else:
            st.text(short(value, _LONG))
            with st.expander("Read it all"):
                st.text(value)
    identifiers = [part.strip() for part in entity.properties.get(IDENTIFIERS, "").split(SEPARATOR)]
    known = [identifier_words(part) for part in identifiers if part]
    if known:
        st.caption("In other databases")
        st.text("\n".join(known))
    if not entity.synonyms and not entity.properties:
        st.caption("The graph knows its name and its relationships, nothing else.")


def property_label(name: str) -> str:
    """A property's name in plain words."""
    return _LABELS.get(name) or " ".join(name.replace("_", " ").split()).capitalize()


def identifier_words(identifier: str) -> str:
    """``MESH:D001241`` as ``MeSH D001241``; an identifier of an unknown kind as it is."""
    prefix, colon, rest = identifier.partition(":")
    if colon and prefix.upper() in _DATABASES:
        return f"{_DATABASES[prefix.upper()]} {rest.strip()}"
    if identifier.startswith("DB") and identifier[2:].isdigit():
        return f"{_DATABASES['DB']} {identifier}"
    return identifier
