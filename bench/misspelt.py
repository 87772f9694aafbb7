"""How misspelt names of medicines are read, and how often as another medicine's:
``python -m bench.misspelt``.

Names of the sample's graph are misspelt in each way and read; so are medicines of the list of all that the
graph does not have, which must never be read as one of the graph's. The last row is of such medicines, spelt
right, each taken from the list first: what a medicine that nobody knows would be read as.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Iterator
from string import ascii_lowercase
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from core.graph.names.misspelt import NearWord, meant, weighed
from core.graph.names.spelling import Speller
from core.maintenance.sample import SAMPLE
from core.text.spelling.medicines import known_medicines, substances
from core.text.word_lists import word_frequencies

_SEED = 7
_SHORTEST, _LONGEST = 6, 16
# What sounds alike, after WHO's guidance on the spelling of nonproprietary names: f for ph, t for th, i for y.
_SOUNDS = (
    "ph f", "th t", "y i", "c k", "s z", "ce se", "ci si", "x ks", "ei ie", "a e", "e i", "o u", "o a", "rh r",
)  # fmt: skip
_PAIRS = [pair for one in _SOUNDS for pair in (one.split(), one.split()[::-1])]


def _edited(word: str, chance: random.Random) -> str:
    place, letter = chance.randrange(1, len(word)), chance.choice(ascii_lowercase)
    kinds = (word[place + 1 :], letter + word[place:], letter + word[place + 1 :])
    return word[:place] + chance.choice(kinds)


def _exchanged(word: str, chance: random.Random) -> str:
    place = chance.randrange(1, len(word) - 1)
    return word[:place] + word[place + 1] + word[place] + word[place + 2 :]


def _doubled(word: str, chance: random.Random) -> str:
    place = chance.randrange(1, len(word))
    return word[:place] + word[place - 1] + word[place:]


def _sounding(word: str, chance: random.Random) -> str:
    found = [
        (place, one, other)
        for one, other in _PAIRS
        for place in range(1, len(word))
        if word.startswith(one, place)
    ]
    if not found:
        return word
    place, one, other = chance.choice(found)
    return word[:place] + other + word[place + len(one) :]


Way = Callable[[str, random.Random], str]
WAYS: dict[str, Way] = {
    "a letter wrong, missing or too many": _edited,
    "two letters exchanged": _exchanged,
    "a letter doubled": _doubled,
    "as it sounds": _sounding,
    "two letters wrong, missing or too many": lambda word, chance: _edited(
        _edited(word, chance), chance
    ),
    "twice as it sounds": lambda word, chance: _sounding(_sounding(word, chance), chance),
}


def _graph_names() -> Iterator[tuple[str, str, str]]:
    with (SAMPLE / "graph" / "nodes.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            for name in (row["name"], *filter(None, row["synonyms"].split("|")), row["id"]):
                yield name, row["id"], row["type"]


def _read(speller: Speller, word: str) -> str:
    found = speller.check(f"the dose of {word}", lambda _word: False).readings
    return found[0].read.lower() if found else ""


def _taken_out(speller: Speller, name: str) -> str:
    """What a name is read as when the list of all medicines does not have it."""
    ranked = weighed(name, speller.near(name), lambda _word: 0)
    read = meant(
        name, [one for one in ranked if one.offered or not one.is_same(NearWord(name, name))]
    )
    return read.word if read is not None else ""


def main(
    names: Annotated[int, typer.Option(help="Names of each kind.")] = 400,
) -> None:
    """Print how many are read rightly, otherwise, and not at all."""
    chance, everyday = random.Random(_SEED), word_frequencies("en")
    graph = list(_graph_names())
    speller = Speller(graph)
    own = {name.lower() for name, _, kind in graph if kind == "Drug" and name.isalpha()}
    own = {name for name in own if _SHORTEST <= len(name) <= _LONGEST}
    others = [
        one
        for one in known_medicines()
        if one not in everyday and len(one) <= _LONGEST and one not in own
    ]
    asked = {
        "of the graph": chance.sample(sorted(own), min(names, len(own))),
        "of the list alone": chance.sample(others, min(names, len(others))),
    }
    table = Table("", "medicines", "names", "right", "another", "not read", box=None)
    for kind, words in asked.items():
        for way, misspell in WAYS.items():
            pairs = [(word, misspell(word, chance)) for word in words]
            read = [(word, _read(speller, written)) for word, written in pairs if written != word]
            right = sum(bool(as_) and _is_same(word, as_) for word, as_ in read)
            none = sum(not as_ for _, as_ in read)
            table.add_row(way, kind, *map(str, (len(read), right, len(read) - right - none, none)))
    unknown = [(word, _taken_out(speller, word)) for word in asked["of the list alone"]]
    another = sum(bool(as_) and not _is_same(word, as_) for word, as_ in unknown)
    none = sum(not as_ for _, as_ in unknown)
    row = ("spelt right, and taken from the list", "of the list alone")
    table.add_row(*row, *map(str, (len(unknown), len(unknown) - another - none, another, none)))
    Console(width=130).print(table)


def _is_same(word: str, read: str) -> bool:
    return word == read or not substances(word).isdisjoint(substances(read))


if __name__ == "__main__":
    typer.run(main)
