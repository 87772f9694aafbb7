"""Names of medicines from the dictionary of the package drug-named-entity-recognition:
``python -m train.medicine_names DICTIONARY``.

The package (https://pypi.org/project/drug-named-entity-recognition, MIT) joins DrugBank's open
vocabulary (CC0), MedlinePlus, the NHS's list and MeSH. Kept are names of one word, and those of two or
three that no word of theirs tells ("dimethyl fumarate", "interferon beta-1b", "trastuzumab deruxtecan";
not "metformin hydrochloride"), of substances that one of the lists of medicines has. Those of a
substance stand on one line, with low lines between the words of a name: first what the substance itself is
called, and behind a tab its other names, trade names among them.
"""

from __future__ import annotations

import bz2
import pickle
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from bench.inputs import ROOT
from core.text.spelling.everyday import english_frequency
from core.text.spelling.salts import SALTS

TARGET = ROOT / "core" / "text" / "spelling" / "medicines.txt"
_NAME = re.compile(r"[a-z]{6,}")  # shorter words are never read otherwise
_LONG = re.compile(r"[a-z]{5,}")
# What tells an active substance from its like, by the rules of nonproprietary names: "beta-1a", "alfa".
_DESIGNATION = re.compile(r"(?:[a-z]+-)?\d{1,2}[a-z]?|alfa|alpha|beta|gamma")
_MOST_WORDS = 3
_OF_MEDICINES = ("drugbank_id", "medline_plus_id", "nhs_url")
_BESIDE = SALTS | {"acid"}


def main(
    dictionary: Annotated[Path, typer.Argument(help="drug_ner_dictionary.pkl.bz2 of the package.")],
) -> None:
    """Write core/text/spelling/medicines.txt."""
    with bz2.open(dictionary) as file:
        known: dict[str, dict[str, Any]] = pickle.load(file)  # noqa: S301
    substances: Mapping[str, list[str]] = known["drug_variant_to_canonical"]
    about: Mapping[str, Mapping[str, object]] = known["drug_canonical_to_data"]
    names: dict[str, set[str]] = {}
    for name, called in substances.items():
        if _NAME.fullmatch(name):
            for substance in called:
                names.setdefault(substance, set()).add(name)
    words = frozenset[str]().union(*names.values())
    longer: dict[str, set[str]] = {}
    for name, called in substances.items():
        if not _is_of_words(name, words):
            continue
        for substance in called:
            of_medicine = any(key in about.get(substance, ()) for key in _OF_MEDICINES)
            # "Insulin glargine" is told by "glargine".
            if of_medicine and names.get(substance, set()).isdisjoint(name.split()):
                longer.setdefault(substance, set()).add(name.replace(" ", "_"))
    described: Mapping[str, Mapping[str, object]] = known["drug_variant_to_variant_data"]
    generic = {name for name, told in described.items() if told.get("is_brand") is False}
    every = {
        frozenset(names.get(substance, set()) | longer.get(substance, set()))
        for substance in names | longer
    }
    lines = sorted(_line(one, generic | set(about)) for one in with_plurals(every))
    TARGET.write_text("\n".join(lines) + "\n", "utf-8")


def with_plurals(every: Collection[frozenset[str]]) -> set[frozenset[str]]:
    """Sets of names, each of one substance, with those joined of which one has a name's plural: MeSH calls
    gentamicin "gentamicins", and has "gentamycin" there."""
    of_name: dict[str, set[frozenset[str]]] = {}
    for names in every:
        for name in names:
            of_name.setdefault(name, set()).add(names)
    joined = {names: {names} for names in every}
    for names in every:
        found = [of_name.get(one[:-1], set()) - {names} for one in names if one.endswith("s")]
        singular = set().union(*found)
        if len(singular) == 1:
            one = joined[singular.pop()]
            one |= joined[names]
            for each in one:
                joined[each] = one
    return {frozenset().union(*one) for one in joined.values()}


def _line(names: Collection[str], generic: Collection[str]) -> str:
    first = sorted(one for one in names if one.replace("_", " ") in generic)
    return "\t".join(" ".join(some) for some in (first, sorted(set(names) - set(first)))).rstrip()


def _is_of_words(name: str, medicines: Collection[str]) -> bool:
    """Whether a name of several words is that of a medicine and no more: each word is a medicine's, a salt, a
    designation, or none that is in everyday use ("nicotine patch"); not a medicine and its salt alone."""
    words = name.split()
    rest = [word for word in words if word not in SALTS]
    if not 1 < len(words) <= _MOST_WORDS or (len(rest) == 1 and rest[0] in medicines):
        return False
    return any(_LONG.search(word) for word in rest) and all(
        word in _BESIDE
        or word in medicines
        or _DESIGNATION.fullmatch(word)
        or all(_LONG.fullmatch(part) and not english_frequency(part) for part in word.split("-"))
        for word in words
    )


if __name__ == "__main__":
    typer.run(main)
