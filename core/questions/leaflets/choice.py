"""Which section and which kind of thing a question asks for, told by a small learned model.

Two multinomial logistic regressions side by side: over the letters of its words (runs of 2 to 4, in three
languages), and, for English, over its embedding by the bundled model, in which the other two languages
hardly mean anything. Their logarithms are averaged and brought to probabilities by a temperature that
was found on questions of another author. Names and numbers are masked before (`masked`). Made by
``python -m bench.fit_choice`` from the phrasings beside this module; figures in bench/README.md.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from core.domain.vectors import Vector, Vectors
from core.resources import read_table, read_text

SECTION, KIND = "section", "kind"
MASKS: Mapping[str, tuple[str, str]] = {
    "en": ("the medicine", "another medicine"),
    "de": ("das Medikament", "ein anderes Medikament"),
    "nl": ("het middel", "een ander middel"),
}
"""What stands for the medicine asked about, and for others, by language."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SIZES = (2, 3, 4)
_SCALE = 100  # weights are kept as whole hundredths


def masked(text: str, names: Sequence[tuple[int, int]], code: str) -> str:
    """A question with each name replaced by what stands for it, and each number by the same one.

    Args:
        names: places of medicines, in order, none overlapping; the first is the one asked about.
    """
    first, other = MASKS.get(code, MASKS["en"])
    parts, end = [], 0
    for i, (start, stop) in enumerate(names):
        parts += [text[end:start], first if i == 0 else other]
        end = stop
    return _NUMBER.sub("10", "".join([*parts, text[end:]]))


def letter_runs(text: str) -> list[str]:
    """Runs of 2 to 4 letters of each word, its edges included, as often as they occur."""
    found = []
    for word in re.findall(r"[^\W_]+|[?!]", text.lower()):
        edged = f" {word} "
        for size in _SIZES:
            found += [edged[i : i + size] for i in range(max(1, len(edged) - size + 1))]
    return found


@dataclass(frozen=True, slots=True)
class Choice:
    """A learned choice among labels.

    Attributes:
        runs: run of letters -> row of `letters`.
        rarity: of each run, see `letter_weights`.
        letters: weights, shape (runs, labels); of English questions also `meaning`, shape
            (dimension, labels). The intercepts stand apart.
    """

    labels: tuple[str, ...]
    runs: Mapping[str, int]
    rarity: Vector
    letters: Vectors
    letters_base: Vector
    meaning: Vectors
    meaning_base: Vector
    temperature: float

    def probabilities(self, text: str, vector: Vector | None) -> dict[str, float]:
        """Of each label, likeliest first.

        Args:
            text: masked.
            vector: its embedding by the bundled model; None in another language than English, or
                without that model.
        """
        logs = _log_softmax(self._by_letters(text))
        if vector is not None:
            meaning: Vector = vector @ self.meaning + self.meaning_base
            logs = np.mean([logs, _log_softmax(meaning)], axis=0)
        scaled: Vector = logs / np.float32(self.temperature)
        shares = np.exp(_log_softmax(scaled))
        order = np.argsort(-shares)
        return {self.labels[i]: float(shares[i]) for i in order}

    def _by_letters(self, text: str) -> Vector:
        rows, values = letter_weights(text, self.runs, self.rarity)
        if not rows:
            return self.letters_base
        found: Vector = np.asarray(values, dtype=np.float32) @ self.letters[rows]
        return found + self.letters_base


def letter_weights(
    text: str, runs: Mapping[str, int], rarity: Vector
) -> tuple[list[int], list[float]]:
    """Rows of the known runs of a text, with their tf-idf weights; together of length 1."""
    counts = Counter(runs[run] for run in letter_runs(text) if run in runs)
    rows = list(counts)
    values = (1 + np.log(list(counts.values()) or [1])) * (rarity[rows] if rows else 1.0)
    length = float(np.linalg.norm(values)) or 1.0
    return rows, (values / length).tolist() if rows else []


def _log_softmax(logits: Vector) -> Vector:
    top = float(logits.max())
    found: Vector = logits - top - np.log(np.exp(logits - top).sum())
    return found


@cache
def choices() -> dict[str, Choice]:
    """The learned choices of the section and the kind."""
    table = read_table(__file__, "choice.toml")
    return read_choices(table, read_text(__file__, "choice.tsv"), (SECTION, KIND))


def read_choices(table: Mapping[str, Any], letters: str, names: Sequence[str]) -> dict[str, Choice]:
    """Learned choices from a file of numbers and one of the weights of runs of letters.

    Args:
        table: by name, its labels and weights.
        letters: tab-separated lines, each a run, its rarity, and the weights of each label in turn.
        names: of the choices, in the order of the columns of `letters`.
    """
    lines = [line.split("\t") for line in letters.splitlines() if line[:1] != "#"]
    runs = {line[0]: i for i, line in enumerate(lines)}
    numbers = np.array([line[1:] for line in lines], dtype=np.float32) / np.float32(_SCALE)
    found, column = {}, 1
    for name in names:
        one = table[name]
        labels = tuple(one["labels"])
        found[name] = Choice(
            labels=labels,
            runs=runs,
            rarity=numbers[:, 0],
            letters=numbers[:, column : column + len(labels)],
            letters_base=np.array(one["letters_base"], dtype=np.float32),
            meaning=np.array(one["meaning"], dtype=np.float32).T / np.float32(_SCALE),
            meaning_base=np.array(one["meaning_base"], dtype=np.float32),
            temperature=one["temperature"],
        )
        column += len(labels)
    return found
