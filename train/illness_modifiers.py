"""What may stand before the noun of an illness, from ICD-10-CM: ``python -m train.illness_modifiers TABULAR``.

The tabular list of ICD-10-CM is in the public domain (National Center for Health Statistics, United States; the
package simple-icd-10-cm has it as XML). Kept are the words that stand right before a noun of illness
(``[en.illness]`` of core/questions/leaflets/lexicon.toml) in two of its terms or more: "multiple" of "Multiple
sclerosis".
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from bench.inputs import ROOT
from core.questions.leaflets.lexicon import lexicon
from core.text.function_words import FUNCTION_WORDS, OF_QUESTIONS
from core.text.spelling.everyday import english_frequency

TARGET = ROOT / "core" / "questions" / "leaflets" / "illness_modifiers.txt"
_LEAST = 2
# Times in the list of everyday words from which on a word before an illness is mostly no part of its name
# ("left", "food"); what is, stands in the lexicon.
_ORDINARY = 30_000
_BEFORE = re.compile(r"(?<![\w'’-])([a-z]{3,}(?:-[a-z]+)*)\s+$")
# Words of the classification, which say how a case is filed and what it has to do with another.
_OF_FILING = frozenset(
    "certain specified unspecified specify identified unidentified identify underlying associated related"
    " induced due classified classifiable type patient history following causing indicating reported suspected"
    " confirmed".split()
)


def main(
    tabular: Annotated[Path, typer.Argument(help="icd10c-tabular-*.xml of ICD-10-CM.")],
) -> None:
    """Write core/questions/leaflets/illness_modifiers.txt."""
    words = lexicon("en")
    noun = words.pattern("illness", "words")
    patients = [one for key in words.keys("groups") for one in words.words("groups", key)]
    left_out = re.compile("|".join([*words.words("illness", "words"), *patients]))
    terms = {
        node.text.lower()
        for node in ET.parse(tabular).iter()  # noqa: S314
        if node.tag in ("desc", "note") and node.text
    }
    counted = Counter(
        before[1]
        for term in terms
        for match in noun.finditer(term)
        if (before := _BEFORE.search(term[: match.start()]))
    )
    kept = sorted(
        word
        for word, times in counted.items()
        if times >= _LEAST
        and english_frequency(word) < _ORDINARY
        and word not in FUNCTION_WORDS | OF_QUESTIONS | _OF_FILING
        and not left_out.fullmatch(word)
    )
    TARGET.write_text("\n".join(kept) + "\n", "utf-8")


if __name__ == "__main__":
    typer.run(main)
