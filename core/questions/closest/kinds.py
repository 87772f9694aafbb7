"""The kind of question that one is most like, told by a small learned model.

A multinomial logistic regression over the vector of the question by the model that was fine-tuned with it
(`core.encoders.fine_tuned`), with each name replaced by a word for its type ("Which drugs treat a
disease?"), over the kinds of question that have just these names. Questions that the graph cannot answer,
and those to leaflets, are a kind of their own (`NONE`), which competes with all others. Made by
``make train-plans``; figures in
docs/decisions/question_plans.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
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
from core.questions.leaflets.states import is_of_mothers
from core.resources import read_table

Read = Callable[[Sequence[str]], Sequence[TokenVectors]]

NONE = "none"
TURNED = "_turned"
"""Behind the kind of a question whose two names of one type stand in the other order."""
SLOT = re.compile(r"\{(\w+)\}")
LEAST = 0.9
"""Probability from which on a kind is offered; docs/decisions/question_plans.md has the choice."""
CERTAIN = 0.97
"""From which on a kind stands in the place of another that was read of the words."""
LEAST_UNNAMED = 0.995
"""The same of a question that names nothing: thanks and greetings are among no examples, and have up to .99."""
RIVAL = 0.5
"""From which on what a name would mean as another type is likely enough to make it unclear what is asked."""

_SCALE = 100  # weights are kept as whole hundredths
_READINGS = 8  # of names that are called alike and of several types
_REMEMBERED = 512  # questions whose vectors are kept


@dataclass(frozen=True, slots=True)
class Kinds:
    """The learned kinds.

    Attributes:
        slots: of each label, its sorted slots; None for those of `NONE`.
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
        narrowing: the highest probability that a word narrows or changes what is asked.
        asks_more: the same of the words that ask for something else than entities.
        contested: with a name as another type, what no graph answers is the likeliest ("aggravate gout"), or a
            kind that is never offered.
    """

    wording: str
    share: float
    narrowing: float
    asks_more: float
    contested: bool = False


class ClosestKind:
    """Tells in other words what a question most likely asks for; safe to share between threads.

    Args:
        read: texts as the model of questions reads them.
    """

    def __init__(self, read: Read) -> None:
        self._read = lru_cache(_REMEMBERED)(partial(_as_read, read))

    def likenesses(
        self,
        question: str,
        items: Sequence[Item],
        elsewhere: Container[str] = (),
        *,
        of_list: bool = False,
    ) -> list[Likeness]:
        """The likeliest kinds' wordings with the names of the question, the likeliest first: one for each type
        that its names may be of; none where none is likely enough, or the question has a name of a type that no
        kind has.

        Args:
            items: of the question, in order.
            elsewhere: words that ask for something else than entities, folded.
            of_list: it may speak of a list that was told before; else one without a name is like none.
        """
        names = [one for one in items if one.entities]
        found: dict[str, Likeness] = {}
        contested = False
        for slots in islice(_readings(names), _READINGS if names or of_list else 0):
            text, places = _masked(question, names, slots)
            read = self._read(text)
            if read is None:
                return []
            kind, share = kinds().likeliest(read.vector, tuple(sorted(slots)))
            offered = kind in _words()["wordings"]
            contested = contested or (not offered and share >= RIVAL)
            if offered and share >= RIVAL:
                wording = _named(kind, slots, names)
                narrows = narrowing(text, read, places, elsewhere)
                found[wording] = Likeness(wording, share, *narrows)
        likely = sorted(found.values(), key=attrgetter("share"), reverse=True)
        if not likely or likely[0].share < LEAST:
            return []
        return [replace(one, contested=contested) for one in likely]


def wordings(items: Sequence[Item], *, of_list: bool = False) -> Iterator[str]:
    """The wordings of all kinds that have the names of a question.

    Args:
        of_list: those that speak of a list, too.
    """
    names = [one for one in items if one.entities]
    for slots in islice(_readings(names), _READINGS if names or of_list else 0):
        for kind in _words()["wordings"]:
            if slots_of(kind) == tuple(sorted(slots)):
                yield _named(kind, slots, names)


def _named(kind: str, slots: Sequence[str], names: Sequence[Item]) -> str:
    """The wording of a kind with the names in its slots."""
    called = dict(zip(slots, (one.name for one in names), strict=True))
    wording: str = _words()["wordings"][kind]
    return SLOT.sub(lambda slot: called[slot[1]], wording)


def _readings(names: Sequence[Item]) -> Iterator[tuple[str, ...]]:
    """The slots of the names, in order, by each of the types that they may be of; none of a state of the
    patient, as no kind asks about one ("and in pregnancy?" asks for no drugs that cause it)."""
    known: Mapping[str, str] = _words()["slots"]
    types = [
        dict.fromkeys(
            "" if is_of_mothers(each.name) else known.get(each.type, "") for each in one.entities
        )
        for one in names
    ]
    for slots in product(*types):
        numbered = tuple(
            slot if slot not in slots[:place] else f"{slot}{slots[:place].count(slot) + 1}"
            for place, slot in enumerate(slots)
        )
        if all(slots):
            yield numbered


def masked(question: str, items: Sequence[Item]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """A question with a word for the type of each name, and its slots, sorted: for each type that its names may
    be of; nothing for one without a name.

    Args:
        items: of the question, in order.
    """
    names = [one for one in items if one.entities]
    for slots in islice(_readings(names), _READINGS if names else 0):
        yield _masked(question, names, slots)[0], tuple(sorted(slots))


def _masked(
    question: str, names: Sequence[Item], slots: Sequence[str]
) -> tuple[str, set[tuple[int, int]]]:
    """The question with a word for the type of each name, and where these words stand."""
    text, end = "", 0
    places = set()
    for one, slot in zip(names, slots, strict=True):
        text += question[end : one.start]
        plain = slot.rstrip("0123456789")
        word = masks()[plain][slot != plain]
        places.add((len(text), len(text) + len(word)))
        text, end = text + word, one.end
    return text + question[end:], places


def _as_read(read: Read, text: str) -> TokenVectors | None:
    try:
        return read([text])[0]
    except ModelError:
        return None


@cache
def _words() -> dict[str, dict[str, Any]]:
    return read_table(__file__, "wordings.toml")
