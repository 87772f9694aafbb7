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
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import islice, product
from operator import attrgetter
from typing import Any

import numpy as np

from core.domain.vectors import TokenVectors, Vector, Vectors
from core.errors import ModelError
from core.questions.closest.vouching import narrowing
from core.questions.items import Item
from core.resources import read_table

Read = Callable[[Sequence[str]], Sequence[TokenVectors]]

NONE = "none"
TURNED = "_turned"
"""Behind the kind of a question whose two names of one type stand in the other order."""
SLOT = re.compile(r"\{(\w+)\}")
LEAST = 0.9
"""Probability from which on a kind is offered; docs/decisions/question_plans.md has the choice."""
RIVAL = 0.5
"""From which on what a name would mean as another type is likely enough to make it unclear what is asked."""

_SCALE = 100  # weights are kept as whole hundredths
_READINGS = 8  # of names that are called alike and of several types
_REMEMBERED = 512  # questions whose vectors are kept


@dataclass(frozen=True, slots=True)
class Kinds:
    """The learned kinds.

    Attributes:
        slots: of each label, its sorted slots; None for those of `NONE` and of conversations.
        weights: shape (dimension, labels).
    """

    labels: tuple[str, ...]
    slots: tuple[tuple[str, ...] | None, ...]
    weights: Vectors
    base: Vector

    def likeliest(self, vector: Vector, slots: tuple[str, ...]) -> tuple[str, float]:
        """The likeliest kind among those with these slots and `NONE`, with its probability there; it may be one
        that is only told from the others, and has no wording.

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
    labels = tuple(table["labels"])
    return Kinds(
        labels,
        tuple(map(slots_of, labels)),
        np.array(table["weights"], dtype=np.float32).T / np.float32(_SCALE),
        np.array(table["base"], dtype=np.float32),
    )


def slots_of(kind: str) -> tuple[str, ...] | None:
    """The sorted slots of a kind; None where it has none."""
    wording = _words()["wordings"].get(kind)
    if wording is not None:
        return tuple(sorted(SLOT.findall(wording)))
    others = _words()["others"].get(kind.removesuffix(TURNED))
    return tuple(sorted(others)) if others is not None else None


def masks() -> Mapping[str, Sequence[str]]:
    """What stands for a name, by slot: for the first of its type, and for another."""
    found: Mapping[str, Sequence[str]] = _words()["masks"]
    return found


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a question most likely asks for.

    Attributes:
        wording: the same in other words.
        share: probability of that.
        contested: with a name as another type, what no graph answers is the likeliest ("aggravate gout"), or a
            kind that is never offered.
        read: the question with its names masked.
        places: of each item there, by where it starts in the question.
    """

    wording: str
    share: float
    read: TokenVectors
    places: Mapping[int, tuple[int, int]]
    contested: bool = False

    def narrowing(self, items: Sequence[Item]) -> float:
        """The highest probability that one of some items narrows or changes what is asked."""
        return narrowing(self.read, [self.places[one.start] for one in items])


class ClosestKind:
    """Tells in other words what a question most likely asks for; safe to share between threads.

    Args:
        read: texts as the bundled embedding model reads them.
    """

    def __init__(self, read: Read) -> None:
        self._read = lru_cache(_REMEMBERED)(partial(_as_read, read))

    def likenesses(
        self, question: str, items: Sequence[Item], asides: Sequence[Item] = ()
    ) -> list[Likeness]:
        """The likeliest kinds' wordings with the names of the question, the likeliest first: one for each type
        that its names may be of; none where none is likely enough, the question has no name, or one of a type
        that no kind has.

        Args:
            items: of the question, in order.
            asides: other words whose places are wanted.
        """
        parts = sorted([*items, *asides], key=attrgetter("start"))
        names = [one for one in items if one.entities]
        found: dict[str, Likeness] = {}
        contested = False
        for slots in islice(_readings(names), _READINGS if names else 0):
            text, places = _masked(question, parts, _by_place(names, slots))
            read = self._read(text)
            if read is None:
                return []
            kind, share = kinds().likeliest(read.vector, tuple(sorted(slots)))
            offered = kind in _words()["wordings"]
            contested = contested or (not offered and share >= RIVAL)
            if offered and share >= RIVAL:
                wording = _named(kind, slots, names)
                found[wording] = Likeness(wording, share, read, places)
        likely = sorted(found.values(), key=attrgetter("share"), reverse=True)
        if not likely or likely[0].share < LEAST:
            return []
        return [replace(one, contested=contested) for one in likely]


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


def _by_place(names: Sequence[Item], slots: Sequence[str]) -> dict[int, str]:
    return {one.start: slot for one, slot in zip(names, slots, strict=True)}


def _masked(
    question: str, items: Sequence[Item], slots: Mapping[int, str]
) -> tuple[str, dict[int, tuple[int, int]]]:
    """The question with a word for the type of each name, and where each item stands there."""
    text, end = "", 0
    places = {}
    for item in items:
        text += question[end : item.start]
        start, end = len(text), item.end
        slot = slots.get(item.start)
        plain = slot.rstrip("0123456789") if slot else ""
        text += masks()[plain][slot != plain] if slot else question[item.start : end]
        places[item.start] = (start, len(text))
    return text + question[end:], places


def _as_read(read: Read, text: str) -> TokenVectors | None:
    try:
        return read([text])[0]
    except ModelError:
        return None


@cache
def _words() -> dict[str, dict[str, Any]]:
    return read_table(__file__, "wordings.toml")
