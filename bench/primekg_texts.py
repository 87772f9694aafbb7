"""Invented names and sentences for the graph of PrimeKG's size."""

from __future__ import annotations

import numpy as np

_STARTS = ("b", "c", "d", "f", "g", "l", "m", "n", "p", "r", "s", "t", "v", "z", "br", "tr", "st")
_VOWELS = ("a", "e", "i", "o", "u")
_SYLLABLES = tuple(start + vowel for start in _STARTS for vowel in _VOWELS)
_ENDS = {
    "drug": ("mab", "tinib", "pril", "statin", "zole", "vir", "cillin", "olol"),
    "effect/phenotype": (" weakness", " swelling", " of the skin", " loss"),
    "disease": (" syndrome", " disease", "itis", "emia", "opathy", " deficiency"),
    "biological_process": (" transport", " biosynthesis", " signalling", " assembly"),
    "molecular_function": (" binding", "ase activity", " transporter activity"),
    "cellular_component": (" complex", " membrane", " body"),
    "exposure": (" chloride", " dust", "ene"),
    "pathway": (" signalling pathway", " degradation pathway"),
    "anatomy": (" gland", " cortex", " muscle", " artery"),
}
_WORDS = (
    "the patient treatment dose effect of in with and is shown reduces increases binds receptor liver "
    "kidney heart blood pressure pain inflammation infection cell growth plasma level acute chronic "
    "severe symptoms therapy response enzyme inhibitor transport metabolism clinical study children "
    "adults daily oral after before during risk known rare common form type of disease"
).split()


def node_names(kind: str, count: int, chance: np.random.Generator) -> list[str]:
    """Distinct names that can be pronounced; of genes four to six capitals and a number."""
    syllables, length = len(_SYLLABLES), 3
    chosen = chance.choice(syllables**length, size=count, replace=False)
    words = [
        "".join(_SYLLABLES[number // syllables**place % syllables] for place in range(length))
        for number in chosen.tolist()
    ]
    if kind not in _ENDS:
        return [f"{word.upper()}{place % 9 + 1}" for place, word in enumerate(words)]
    ends = _ENDS[kind]
    return [f"{word}{ends[place % len(ends)]}" for place, word in enumerate(words)]


def sentences(count: int, chance: np.random.Generator) -> list[str]:
    """Sentences of 8 to 20 ordinary words."""
    return [
        " ".join(_WORDS[one] for one in chance.integers(len(_WORDS), size=length)).capitalize()
        + "."
        for length in chance.integers(8, 21, size=count).tolist()
    ]
