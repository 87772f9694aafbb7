"""Relationship types in words."""

from __future__ import annotations

import pytest

from core.graph.importing.primekg_terms import relationship_type
from core.graph.phrases import relationship_phrase, telling_ranks


@pytest.mark.parametrize(
    ("kind", "forward", "phrase"),
    [
        ("TREATS", True, "treats"),
        ("TREATS", False, "is treated by"),
        ("CONTRAINDICATED_IN", True, "is contraindicated in"),
        ("CONTRAINDICATED_IN", False, "is a contraindication of"),
        ("CAUSES_SIDE_EFFECT", True, "can cause"),
        ("CAUSES_SIDE_EFFECT", False, "is a side effect of"),
        ("GENE__FAMILY", True, "gene family"),
        ("GENE__FAMILY", False, "gene family"),
        ("", True, ""),
    ],
)
def test_phrases(kind: str, forward: bool, phrase: str) -> None:
    assert relationship_phrase(kind, forward) == phrase


# PrimeKG's relations: relation | display_relation | PrimeKG types of both ends | read from the first
# end | read from the other one.
PRIMEKG = """
indication|indication|drug|disease|treats|is treated by
contraindication|contraindication|drug|disease|is contraindicated in|is a contraindication of
off-label use|off-label use|drug|disease|is used off-label for|is treated off-label with
palliation|palliates|drug|disease|relieves symptoms of|has symptoms relieved by
drug_effect|side effect|drug|effect/phenotype|can cause|is a side effect of
drug_drug|synergistic interaction|drug|drug|interacts with|interacts with
drug_drug|resembles|drug|drug|resembles|resembles
drug_protein|target|drug|gene/protein|targets|is targeted by
drug_protein|enzyme|drug|gene/protein|has the enzyme|is an enzyme of
drug_protein|carrier|drug|gene/protein|has the carrier|is a carrier of
drug_protein|transporter|drug|gene/protein|has the transporter|is a transporter of
drug_protein|other|drug|gene/protein|is linked to|is linked to
drug_class|includes|drug|pharmacologic_class|belongs to the class|includes the drug
disease_protein|associated with|disease|gene/protein|is associated with|is associated with
phenotype_protein|associated with|effect/phenotype|gene/protein|is associated with|is associated with
disease_phenotype_positive|phenotype present|disease|effect/phenotype|has the symptom or sign\
|is a symptom or sign of
disease_phenotype_negative|phenotype absent|disease|effect/phenotype|does not have the symptom or sign\
|is not a symptom or sign of
disease_disease|parent-child|disease|disease|is a broader or narrower term than\
|is a broader or narrower term than
pathway_protein|interacts with|pathway|gene/protein|involves|participates in
protein_protein|ppi|gene/protein|gene/protein|binds to|binds to
bioprocess_protein|interacts with|biological_process|gene/protein|involves|is involved in
cellcomp_protein|interacts with|cellular_component|gene/protein|contains|is found in
molfunc_protein|interacts with|molecular_function|gene/protein|is a function of|has the function
anatomy_protein_present|expression present|anatomy|gene/protein|expresses|is expressed in
anatomy_protein_absent|expression absent|anatomy|gene/protein|does not express|is not expressed in
exposure_disease|linked to|exposure|disease|is linked to|is linked to
exposure_protein|interacts with|exposure|gene/protein|interacts with|interacts with
exposure_bioprocess|interacts with|exposure|biological_process|interacts with|interacts with
exposure_molfunc|interacts with|exposure|molecular_function|interacts with|interacts with
exposure_cellcomp|interacts with|exposure|cellular_component|interacts with|interacts with
""".strip().splitlines()


@pytest.mark.parametrize("row", PRIMEKG)
def test_a_relation_of_primekg_reads_as_a_sentence_from_both_ends(row: str) -> None:
    relation, display, first, other, there, back = row.split("|")
    for ends in ((first, other), (other, first)):
        kind, source = relationship_type(relation, display, *ends)
        from_first = source == 0 or ends[0 if source == 1 else 1] == first
        assert relationship_phrase(kind, from_first) == there
        assert relationship_phrase(kind, not from_first) == back


@pytest.mark.parametrize(
    ("kind", "there", "back"),
    [
        ("UPREGULATES", "upregulates", "is upregulated by"),
        ("DOWNREGULATES", "downregulates", "is downregulated by"),
        ("REGULATES", "regulates", "is regulated by"),
        ("LOCALIZES_TO", "is located in", "is the site of"),
        ("COVARIES_WITH", "varies in evolution with", "varies in evolution with"),
    ],
)
def test_relations_that_only_hetionet_has(kind: str, there: str, back: str) -> None:
    assert (relationship_phrase(kind, True), relationship_phrase(kind, False)) == (there, back)


def test_what_is_done_with_a_medicine_tells_most() -> None:
    ranks = telling_ranks(["UNKNOWN", "RESEMBLES", "TARGETS", "CONTRAINDICATED_IN", "OTHER"])
    assert ranks[3] < ranks[2] < ranks[1] < ranks[0] == ranks[4]
    assert telling_ranks([]).shape == (0,)
