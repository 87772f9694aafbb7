"""How likely it is that a word was written where another was meant.

A noisy channel (Kernighan, Church and Gale 1990, "A spelling correction program based on a noisy channel
model", COLING): each error has a cost, minus the logarithm of how often it comes (typing_errors.toml, learned
from known errors by train/typing_errors.py). Letters that sound alike, doubled ones and two that were exchanged
cost less than any others: "levothiroxin" is nearer to levothyroxine than "nimodipine" to nifedipine.
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import NamedTuple

from core.resources import read_table

VOWELS = frozenset("aeiouy")


class ErrorKind(Enum):
    """`DOUBLED` is a letter too many beside its like, `SINGLE` one of two alike that is missing."""

    WRONG = "wrong"
    ADDED = "added"
    DOUBLED = "doubled"
    MISSING = "missing"
    SINGLE = "single"
    EXCHANGED = "exchanged"


class Error(NamedTuple):
    """The letters that were meant and written; "" where there is none."""

    kind: ErrorKind
    meant: str = ""
    written: str = ""


def cost(written: str, meant: str) -> float:
    """Sum of the costs of the errors between two words in lower case; 0 where they are the same."""
    return sum(map(_cost, errors_between(written, meant)))


def errors_between(written: str, meant: str) -> list[Error]:
    """The fewest errors that make what is written of what was meant, from the last to the first."""
    steps = _fewest(written, meant)
    found: list[Error] = []
    here, there = len(meant), len(written)
    while here or there:
        so_far = steps[here][there]
        if _exchanged(written, meant, here, there) and so_far == steps[here - 2][there - 2] + 1:
            found.append(Error(ErrorKind.EXCHANGED))
            here, there = here - 2, there - 2
        elif (
            here
            and there
            and so_far == steps[here - 1][there - 1] + (meant[here - 1] != written[there - 1])
        ):
            if meant[here - 1] != written[there - 1]:
                found.append(Error(ErrorKind.WRONG, meant[here - 1], written[there - 1]))
            here, there = here - 1, there - 1
        elif here and so_far == steps[here - 1][there] + 1:
            letter = meant[here - 1]
            alike = letter in (meant[here - 2 : here - 1], meant[here : here + 1])
            found.append(Error(ErrorKind.SINGLE if alike else ErrorKind.MISSING, letter))
            here -= 1
        else:
            letter = written[there - 1]
            alike = letter in (meant[here - 1 : here] if here else "", meant[here : here + 1])
            found.append(Error(ErrorKind.DOUBLED if alike else ErrorKind.ADDED, "", letter))
            there -= 1
    return found


def _fewest(written: str, meant: str) -> list[list[int]]:
    """Errors between the beginnings of both words, by their lengths (optimal string alignment)."""
    steps = [list(range(len(written) + 1))]
    for here in range(1, len(meant) + 1):
        before, row = steps[-1], [here]
        for there in range(1, len(written) + 1):
            wrong = before[there - 1] + (meant[here - 1] != written[there - 1])
            fewest = min(wrong, before[there] + 1, row[-1] + 1)
            if _exchanged(written, meant, here, there):
                fewest = min(fewest, steps[here - 2][there - 2] + 1)
            row.append(fewest)
        steps.append(row)
    return steps


def _exchanged(written: str, meant: str, here: int, there: int) -> bool:
    """Whether the last two letters of both beginnings are each other's."""
    one, other = meant[here - 2 : here], written[there - 2 : there]
    return here > 1 and there > 1 and one == other[::-1] and one != other


def _cost(error: Error) -> float:
    kinds, letters = _table()
    if error in letters:
        return letters[error]
    vowels = error.kind is ErrorKind.WRONG and {error.meant, error.written} <= VOWELS
    return kinds["vowel" if vowels else error.kind.value]


@cache
def _table() -> tuple[dict[str, float], dict[Error, float]]:
    table = read_table(__file__, "typing_errors.toml")
    letters = {
        Error(ErrorKind.WRONG, meant, written): value
        for meant, row in table["wrong"].items()
        for written, value in row.items()
    }
    missing = {Error(ErrorKind.MISSING, one): value for one, value in table["missing"].items()}
    return table["kinds"], letters | missing
