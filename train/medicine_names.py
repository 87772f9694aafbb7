"""Names of medicines from the dictionary of the package drug-named-entity-recognition:
``python -m train.medicine_names DICTIONARY``.

The package (https://pypi.org/project/drug-named-entity-recognition, MIT) joins DrugBank's open
vocabulary (CC0), MedlinePlus, the NHS's list and MeSH. Only names of one word are kept, those of a
substance on one line.
"""

from __future__ import annotations

import bz2
import pickle
import re
from pathlib import Path
from typing import Annotated

import typer

from train.relevance import ROOT

TARGET = ROOT / "core" / "text" / "spelling" / "medicines.txt"
_NAME = re.compile(r"[a-z]{6,}")  # shorter words are never read otherwise


def main(
    dictionary: Annotated[Path, typer.Argument(help="drug_ner_dictionary.pkl.bz2 of the package.")],
) -> None:
    """Write core/text/spelling/medicines.txt."""
    with bz2.open(dictionary) as file:
        substances: dict[str, list[str]] = pickle.load(file)[  # noqa: S301
            "drug_variant_to_canonical"
        ]
    names: dict[str, set[str]] = {}
    for name, called in substances.items():
        if _NAME.fullmatch(name):
            for substance in called:
                names.setdefault(substance, set()).add(name)
    lines = sorted({" ".join(sorted(one)) for one in names.values()})
    TARGET.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    typer.run(main)
