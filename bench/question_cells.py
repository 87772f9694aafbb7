"""The cells of questions that are made from a graph: what each asks, by its slots and the hops from them."""

from __future__ import annotations

import re

SLOT = re.compile(r"\{(\w+)\}")

# cell -> its slot and the hops from it; "~" is a hop from the right end to the left one
HOPS: dict[str, tuple[str, tuple[str, ...]]] = {
    "drugs_treating": ("disease", ("~treat",)),
    "drugs_palliating": ("disease", ("~palliate",)),
    "diseases_treated_by": ("drug", ("treat",)),
    "targets_of": ("drug", ("target",)),
    "drugs_targeting": ("protein", ("~target",)),
    "enzymes_of": ("drug", ("enzyme",)),
    "drugs_with_enzyme": ("protein", ("~enzyme",)),
    "transporters_of": ("drug", ("transporter",)),
    "side_effects_of": ("drug", ("effect",)),
    "drugs_causing": ("effect", ("~effect",)),
    "symptoms_of": ("disease", ("symptom",)),
    "diseases_with_symptom": ("effect", ("~symptom",)),
    "proteins_of_disease": ("disease", ("associated",)),
    "diseases_of_protein": ("protein", ("~associated",)),
    "pathways_of": ("protein", ("pathway",)),
    "proteins_in_pathway": ("pathway", ("~pathway",)),
    "drugs_in_class": ("class", ("~class",)),
    "proteins_binding": ("protein", ("binding",)),
    "targets_of_drugs_treating": ("disease", ("~treat", "target")),
    "drugs_targeting_proteins_of": ("disease", ("associated", "~target")),
    "pathways_of_targets_of": ("drug", ("target", "pathway")),
    "side_effects_of_drugs_treating": ("disease", ("~treat", "effect")),
    "diseases_of_targets_of": ("drug", ("target", "~associated")),
    "drugs_treating_diseases_with": ("effect", ("~symptom", "~treat")),
    "drugs_targeting_pathway": ("pathway", ("~pathway", "~target")),
    "count_drugs_treating": ("disease", ("~treat",)),
    "count_targets_of": ("drug", ("target",)),
    "count_side_effects_of": ("drug", ("effect",)),
    "count_proteins_of_disease": ("disease", ("associated",)),
    "count_targets_of_drugs_treating": ("disease", ("~treat", "target")),
    "all_of_them": ("disease", ("~treat",)),
    "how_many_of_them": ("disease", ("~treat",)),
}

# cell -> slot and hop of the first set, then how each further set joins it, its slot and its hop
Join = tuple[str, str, str]
SETS: dict[str, tuple[tuple[str, str], tuple[Join, ...]]] = {
    "treat_both": (("disease", "~treat"), (("and", "disease2", "~treat"),)),
    "treat_either": (("disease", "~treat"), (("or", "disease2", "~treat"),)),
    "treat_not": (("disease", "~treat"), (("not", "disease2", "~treat"),)),
    "treat_and_target": (("disease", "~treat"), (("and", "protein", "~target"),)),
    "treat_not_target": (("disease", "~treat"), (("not", "protein", "~target"),)),
    "treat_not_cause": (("disease", "~treat"), (("not", "effect", "~effect"),)),
    "treat_neither_cause": (
        ("disease", "~treat"),
        (("not", "effect", "~effect"), ("not", "effect2", "~effect")),
    ),
    "target_both": (("protein", "~target"), (("and", "protein2", "~target"),)),
    "count_treat_not_target": (("disease", "~treat"), (("not", "protein", "~target"),)),
    "shared_targets": (("drug", "target"), (("and", "drug2", "target"),)),
    "shared_proteins": (("disease", "associated"), (("and", "disease2", "associated"),)),
    "which_also_target": (("disease", "~treat"), (("and", "protein", "~target"),)),
    "without_target": (("disease", "~treat"), (("not", "protein", "~target"),)),
    "which_cause": (("disease", "~treat"), (("and", "effect", "~effect"),)),
}

# cell -> slot and kind at the left end, slot at the right end, kinds a false pair must not have
YES_NO: dict[str, tuple[str, str, str, tuple[str, ...]]] = {
    "is_treated": ("drug", "treat", "disease", ("palliate",)),
    "is_target": ("drug", "target", "protein", ("enzyme", "carrier", "transporter")),
    "is_effect": ("drug", "effect", "effect", ()),
    "is_associated": ("disease", "associated", "protein", ()),
}
COMPARE = {"compare_targets": "target", "compare_effects": "effect"}
MOST = {"most_targets": "target", "least_effects": "effect"}
# cell -> its slots and the hops of which the first that the graph has makes a fitting start
OTHER: dict[str, tuple[str, tuple[str, ...]]] = {
    "similar_to": ("drug", ("target", "effect", "treat")),
    "foreign_drug_disease": ("disease", ("~treat", "associated", "symptom")),
    "foreign_drug_protein": ("protein", ("~target", "~associated")),
    "foreign_disease": ("drug", ("treat", "target")),
    "negated_only": ("disease", ("~treat",)),
    "second_of_them_targets": ("disease", ("~treat",)),
}
FOLLOW_UP = frozenset(
    "all_of_them how_many_of_them which_also_target without_target second_of_them_targets "
    "which_cause".split()
)
COUNTS = frozenset({"how_many_of_them"} | {cell for cell in (*HOPS, *SETS) if "count_" in cell})
WANT = {
    **dict.fromkeys((*HOPS, *SETS), "list"),
    **dict.fromkeys(COUNTS, "count"),
    **dict.fromkeys(YES_NO, "yes_no"),
    **dict.fromkeys(COMPARE, "compare"),
    **dict.fromkeys(("shared_targets", "shared_proteins"), "share"),
    "most_targets": "most",
    "least_effects": "least",
    "similar_to": "similar",
    "connection": "path",
    "second_of_them_targets": "list",
    **dict.fromkeys(("foreign_drug_disease", "foreign_drug_protein", "foreign_disease"), "none"),
    "negated_only": "none",
    "narrower": "none",
}
FIRST_SLOTS: dict[str, tuple[str, ...]] = {
    **{cell: (slot,) for cell, (slot, _) in (*HOPS.items(), *OTHER.items())},
    **{cell: (first[0], *(join[1] for join in joins)) for cell, (first, joins) in SETS.items()},
    **{cell: (left, right) for cell, (left, _, right, _) in YES_NO.items()},
    **dict.fromkeys(COMPARE, ("drug", "drug2")),
    **dict.fromkeys(MOST, ("disease",)),
    "connection": ("drug", "disease"),
    "narrower": ("disease",),
}
SLOTS = {
    cell: frozenset(slots) - ({"disease"} if cell in FOLLOW_UP else set())
    for cell, slots in FIRST_SLOTS.items()
}
