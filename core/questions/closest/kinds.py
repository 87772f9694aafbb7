"""The kind of question that an English one is most like, told by a small learned model.

A multinomial logistic regression over the embedding of the question by the bundled model, with each name
replaced by a word for its type ("Which drugs treat a disease?"), over the kinds of question that have just
these names. Questions that the graph cannot answer, and those to leaflets, are a kind of their own
(`NONE`), which competes with all others. Made by ``make train-plans``; figures in
docs/decisions/question_plans.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import islice, product
from typing import Any

import numpy as np

from core.domain.vectors import Vector, Vectors
from core.errors import ModelError
from core.questions.items import Item
from core.resources import read_table

Encode = Callable[[Sequence[str]], Vectors]

NONE = "none"
SLOT = re.compile(r"\{(\w+)\}")
LEAST = 0.9
"""Probability from which on a kind is offered; docs/decisions/question_plans.md has the choice."""

_SCALE = 100  # weights are kept as whole hundredths
_READINGS = 8  # of names that are called alike and of several types
_REMEMBERED = 512  # questions whose vectors are kept


@dataclass(frozen=True, slots=True)
class Kinds:
    """The learned kinds.

    Attributes:
        slots: of each label, the sorted slots of its wording; None where it has none.
        weights: shape (dimension, labels).
    """

    labels: tuple[str, ...]
    slots: tuple[tuple[str, ...] | None, ...]
    weights: Vectors
    base: Vector

    def likeliest(self, vector: Vector, slots: tuple[str, ...]) -> tuple[str, float]:
        """The likeliest kind among those with these slots and `NONE`, with its probability there.

        Args:
            slots: sorted.
        """
        fits = [
            place
            for place, label in enumerate(self.labels)
            if label == NONE or self.slots[place] == slots
        ]
        logits: Vector = (vector @ self.weights + self.base)[fits]
        shares = np.exp(logits - logits.max())
        best = int(shares.argmax())
        return self.labels[fits[best]], float(shares[best] / shares.sum())


@cache
def kinds() -> Kinds:
    """As they were learned."""
    table = read_table(__file__, "kinds.toml")
    wordings = _words()["wordings"]
    labels = tuple(table["labels"])
    return Kinds(
        labels,
        tuple(
            tuple(sorted(SLOT.findall(wordings[one]))) if one in wordings else None
            for one in labels
        ),
        np.array(table["weights"], dtype=np.float32).T / np.float32(_SCALE),
        np.array(table["base"], dtype=np.float32),
    )


def masks() -> Mapping[str, Sequence[str]]:
    """What stands for a name, by slot: for the first of its type, and for another."""
    found: Mapping[str, Sequence[str]] = _words()["masks"]
    return found


class ClosestKind:
    """Tells in other words what a question most likely asks for; safe to share between threads.

    Args:
        encode: vectors of the bundled embedding model.
    """

    def __init__(self, encode: Encode) -> None:
        self._vector = lru_cache(_REMEMBERED)(partial(_encoded, encode))

    def wording(self, question: str, items: Sequence[Item]) -> str:
        """The kind's wording with the names of the question; empty where none is likely enough, the question
        has no name, or one of a type that no kind has.

        Args:
            items: of the question, in order.
        """
        names = [one for one in items if one.entities]
        best, wording = LEAST, ""
        for slots in islice(_readings(names), _READINGS if names else 0):
            vector = self._vector(_masked(question, names, slots))
            if vector is None:
                return ""
            kind, share = kinds().likeliest(vector, tuple(sorted(slots)))
            if kind != NONE and share >= best:
                best, wording = share, _named(kind, slots, names)
        return wording


def _named(kind: str, slots: Sequence[str], names: Sequence[Item]) -> str:
    """The wording of a kind with the names in its slots."""
    called = dict(zip(slots, (one.text for one in names), strict=True))
    wording: str = _words()["wordings"][kind]
    return SLOT.sub(lambda slot: called[slot[1]], wording)


def _readings(names: Sequence[Item]) -> Iterator[tuple[str, ...]]:
    """The slots of the names, in order, by each of the types that they may be of."""
    known: Mapping[str, str] = _words()["slots"]
    types = [dict.fromkeys(known.get(each.type, "") for each in one.entities) for one in names]
    for slots in product(*types):
        numbered = tuple(
            slot if slot not in slots[:place] else f"{slot}{slots[:place].count(slot) + 1}"
            for place, slot in enumerate(slots)
        )
        if all(slots):
            yield numbered


def _masked(question: str, names: Sequence[Item], slots: Sequence[str]) -> str:
    parts, end = [], 0
    for name, slot in zip(names, slots, strict=True):
        plain = slot.rstrip("0123456789")
        parts += [question[end : name.start], masks()[plain][slot != plain]]
        end = name.end
    return "".join([*parts, question[end:]])


def _encoded(encode: Encode, text: str) -> Vector | None:
    try:
        found: Vector = encode([text])[0]
    except ModelError:
        return None
    return found


@cache
def _words() -> dict[str, dict[str, Any]]:
    return read_table(__file__, "wordings.toml")
