"""Questions with gold answers, made from a graph folder in PrimeKG's columns.

Gold comes from plain loops and sets over the rows of kg.csv and nodes.csv, never from the program.
"""

from __future__ import annotations

import random
import re
import string
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from bench.drawn_questions import Gold, draws, filled, narrower_draws
from bench.graph_rows import Rows
from bench.question_cells import FOLLOW_UP, SLOT, SLOTS, WANT

FIRST_QUESTION = "Which drugs treat {disease}?"


@dataclass(frozen=True)
class Made:
    """A question with what it wants, and its gold answer (None: there is none to compare)."""

    cell: str
    section: str
    phrasing: str
    question: str
    want: str
    gold: Gold
    history: tuple[str, ...]
    slots: Mapping[str, str]


def made(
    folder: Path, phrasings: Mapping[str, Mapping[str, list[str]]], *, per_phrasing: int, seed: int
) -> list[Made]:
    """Questions of all phrasings; of cells whose relations the graph lacks there are none.

    Each cell draws from a generator of its own, so that other cells' phrasings change nothing.
    """
    rows = Rows(folder)
    found: list[Made] = []
    for section, cells in phrasings.items():
        for cell, lines in cells.items():
            if cell not in SLOTS:
                raise ValueError(f"unknown cell {cell} in section {section}")
            for line in lines:
                slots = SLOT.findall(line)
                if sorted(slots) != sorted(SLOTS[cell]):
                    raise ValueError(f"{cell}: every slot exactly once, please: {line}")
            turns = [line for _ in range(per_phrasing) for line in lines]
            rng = random.Random(f"{seed} {cell}")
            picked = (
                narrower_draws(rows, turns, rng) if cell == "narrower" else draws(rows, cell, rng)
            )
            history = (FIRST_QUESTION,) if cell in FOLLOW_UP else ()
            for line, pick in zip(turns, picked, strict=False):
                if pick is None:
                    continue
                names, gold = pick
                found.append(
                    Made(
                        cell=cell,
                        section=section,
                        phrasing=line,
                        question=filled(FIRST_QUESTION, {"disease": names["narrower"]})
                        if cell == "narrower"
                        else filled(line, names),
                        want=WANT[cell],
                        gold=gold,
                        history=tuple(filled(text, names) for text in history),
                        slots=names,
                    )
                )
    return found


def misspelt(question: Made, letters: int, rng: random.Random) -> Made:
    """The list question with one or two letter edits in the name of one of its slots.

    Its slots and its gold stay the true ones. ValueError when no name has at least seven letters.
    """
    if question.want != "list" or letters not in (1, 2):
        raise ValueError("one or two letters of a list question")
    long = [
        slot
        for slot in SLOT.findall(question.phrasing)
        if sum(map(str.isalpha, question.slots[slot])) >= 7
        and re.search(r"\b[^\W\d_]{6,}\b", question.slots[slot])
    ]
    if not long:
        raise ValueError(f"no name of seven letters in: {question.question}")
    slot = rng.choice(long)
    names = {**question.slots, slot: _edited(question.slots[slot], letters, rng)}
    return replace(question, question=filled(question.phrasing, names))


def _edited(name: str, letters: int, rng: random.Random) -> str:
    """The name with edits of its longer words, apart from each other; its first letter stays."""
    words = re.finditer(r"\b[^\W\d_]{4,}\b", name)  # 'type II' and 'CYP3A4' stay what they are
    first = next(at for at, letter in enumerate(name) if letter.isalpha())
    places = [at for word in words for at in range(*word.span()) if at != first]
    while True:
        chosen = sorted(rng.sample(places, letters), reverse=True)
        if any(left - right < 3 for left, right in pairwise(chosen)):
            continue
        edited = name
        for at in chosen:
            edited = _edit(edited, at, rng)
        if _edits(name, edited) == letters:
            return edited


def _edit(name: str, at: int, rng: random.Random) -> str:
    """The name with one edit at a letter; unchanged where the edit is not possible."""
    letter, rest = name[at], name[at + 1 :]
    match rng.choice(("substitute", "drop", "double", "swap")):
        case "substitute":
            other = rng.choice([c for c in string.ascii_lowercase if c != letter.lower()])
            return name[:at] + (other.upper() if letter.isupper() else other) + rest
        case "drop":
            return name[:at] + rest
        case "double":
            return name[:at] + letter + letter + rest
        case _:
            return name[:at] + rest[0] + letter + rest[1:] if rest[:1].isalpha() else name


def _edits(a: str, b: str) -> int:
    """How many substitutions, drops, insertions and swaps of neighbours lie between two words."""
    table = [[max(i, j) if not i * j else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            table[i][j] = min(
                table[i - 1][j] + 1,
                table[i][j - 1] + 1,
                table[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
            )
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]
