"""Everyday words for findings, from ICD-10-CM: ``python -m train.lay_terms TABULAR``.

The tabular list of ICD-10-CM is in the public domain (National Center for Health Statistics, United States; the
package simple-icd-10-cm has it as XML). Kept are the terms of one category of which one is a clinical word that
is rare in everyday English and the other has everyday words alone: "Diplopia" and "Double vision". Taken are
the chapters whose categories are findings or called by everybody what they are: of others a term is often no
more than a kind of its category. Terms that share a word are left out.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from bench.inputs import ROOT
from core.text.spelling.everyday import english_frequency

TARGET = ROOT / "core" / "text" / "glosses" / "lay_terms.tsv"
# Times in the list of everyday words: each of a lay term's words has more, one of a clinical term's fewer.
_EVERYDAY, _RARE = 100, 60
_MOST_LAY, _MOST_CLINICAL = 3, 2  # words
# Kinds of the category, and a word that is more often a verb.
_LEFT_OUT = frozenset({"furuncle", "viremia", "hyperpyrexia", "podagra"})
_CHAPTERS = "BHLMR"  # by the first letter of a code
_FILING = re.compile(r"^generalized |\s*[(\[].*?[)\]]|\b(?:NOS|NEC)\b|,?\s*unspecified$")
_NO_TERM = re.compile(
    r"[,;:/\d]|\b(?:other|specified|unspecified|disease|disorders?|of|syndrome)\b"
)
_WORD = re.compile(r"[a-z']+")


def main(
    tabular: Annotated[Path, typer.Argument(help="icd10c-tabular-*.xml of ICD-10-CM.")],
) -> None:
    """Write core/text/glosses/lay_terms.tsv: the clinical term, and the lay one."""
    pairs = {pair for terms in _terms(tabular) for pair in _pairs(terms)}
    lines = [f"{clinical}\t{lay}\n" for clinical, lay in sorted(pairs)]
    TARGET.write_text("".join(lines), "utf-8")


def _terms(tabular: Path) -> Iterator[list[str]]:
    """The terms of each category."""
    for node in ET.parse(tabular).iter("diag"):  # noqa: S314
        code, name = node.findtext("name", ""), node.findtext("desc", "")
        notes = [one.text or "" for one in node.iterfind("inclusionTerm/note")]
        if code[:1] in _CHAPTERS:
            yield [" ".join(_FILING.sub("", one).split()).lower() for one in (name, *notes)]


def _pairs(terms: list[str]) -> Iterator[tuple[str, str]]:
    """The category's own term with each of those that it includes, where one is clinical and one is not."""
    first, *others = terms
    for other in others:
        for clinical, lay in ((first, other), (other, first)):
            if _is_clinical(clinical) and _is_lay(lay) and not _shared(clinical, lay):
                yield clinical, lay


def _is_clinical(term: str) -> bool:
    words = _WORD.findall(term)
    rare = any(english_frequency(word) < _RARE for word in words)
    known = len(words) <= _MOST_CLINICAL and term not in _LEFT_OUT
    return rare and known and not _NO_TERM.search(term)


def _is_lay(term: str) -> bool:
    words = _WORD.findall(term)
    usual = all(english_frequency(word) >= _EVERYDAY for word in words)
    return bool(words) and usual and len(words) <= _MOST_LAY and not _NO_TERM.search(term)


def _shared(one: str, other: str) -> bool:
    return bool(set(_WORD.findall(one)) & set(_WORD.findall(other)))


if __name__ == "__main__":
    typer.run(main)
