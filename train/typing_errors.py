"""Costs of typing errors from a list of known ones: ``python -m train.typing_errors DICTIONARY``.

The dictionary has lines ``written->meant``, as that of codespell
(https://github.com/codespell-project/codespell, ``dictionary.txt``). Only counts of letters are kept of it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import typer
from rapidfuzz.distance import OSA

from bench.inputs import ROOT
from core.text.spelling.typing_errors import VOWELS, Error, ErrorKind, errors_between

TARGET = ROOT / "core" / "text" / "spelling" / "typing_errors.toml"
_SHORTEST, _MOST_ERRORS = 6, 2
_SEEN_OFTEN = 20  # times from which on a pair of letters has a cost of its own
_WORD = re.compile(f"[a-z]{{{_SHORTEST},}}")


def pairs(dictionary: Path) -> Iterator[tuple[str, str]]:
    """Words as they were written and as they were meant, where one word alone was."""
    for line in dictionary.read_text("utf-8").splitlines():
        written, _, meant = line.partition("->")
        if (
            _WORD.fullmatch(written)
            and _WORD.fullmatch(meant)
            and 0 < OSA.distance(written, meant) <= _MOST_ERRORS
        ):
            yield written, meant


def costs(known: Iterable[tuple[str, str]]) -> str:
    """typing_errors.toml: minus the logarithm of how often an error comes at a letter that it can come at."""
    letters: Counter[str] = Counter()
    found: Counter[Error] = Counter()
    doubled = words = 0
    for written, meant in known:
        words += 1
        letters.update(meant)
        doubled += sum(one == other for one, other in pairwise(meant))
        found.update(errors_between(written, meant))
    places = letters.total()
    of_kind: Counter[ErrorKind] = Counter()
    for error, count in found.items():
        of_kind[error.kind] += count
    wrong = {one: count for one, count in found.items() if one.kind is ErrorKind.WRONG}
    of_vowels = sum(
        count for one, count in wrong.items() if one.meant in VOWELS and one.written in VOWELS
    )
    vowels = sum(letters[one] for one in VOWELS)
    others = of_kind[ErrorKind.WRONG] - of_vowels

    def cost(count: float, chances: float) -> str:
        return f"{-math.log(count / chances):.2f}"

    lines = [
        "# What an error of typing costs: minus the logarithm of how often it comes at a letter where it can;",
        "# made by `python -m train.typing_errors`, see train/README.md.",
        "",
        "[card]",
        f'made = "{datetime.now(UTC).date().isoformat()}"',
        f"words = {words}",
        "",
        "[kinds]",
        f"exchanged = {cost(of_kind[ErrorKind.EXCHANGED], places)}",
        f"doubled = {cost(of_kind[ErrorKind.DOUBLED], places)}",
        f"single = {cost(of_kind[ErrorKind.SINGLE], doubled)}",
        f"added = {cost(of_kind[ErrorKind.ADDED] / len(letters), places)}",
        f"missing = {cost(of_kind[ErrorKind.MISSING], places)}",
        f"vowel = {cost(of_vowels / (len(VOWELS) - 1), vowels)}",
        f"wrong = {cost(others / (len(letters) - 1), places - vowels)}",
    ]
    lines += ["", "# Letter that was meant, and what was written.", "[wrong]"]
    rows: dict[str, list[str]] = {}
    for one, count in sorted(found.items(), key=lambda each: (each[0].meant, -each[1])):
        if one.kind is ErrorKind.WRONG and count >= _SEEN_OFTEN:
            price = cost(count, letters[one.meant])
            rows.setdefault(one.meant, []).append(f"{one.written} = {price}")
    lines += [f"{letter} = {{ {', '.join(row)} }}" for letter, row in rows.items()]
    lines += ["", "# Letter that is missing.", "[missing]"]
    lines += [
        f"{one.meant} = {cost(count, letters[one.meant])}"
        for one, count in sorted(found.items(), key=lambda each: each[0].meant)
        if one.kind is ErrorKind.MISSING and count >= _SEEN_OFTEN
    ]
    return "\n".join(lines) + "\n"


def main(dictionary: Annotated[Path, typer.Argument(help="Lines written->meant.")]) -> None:
    """Write core/text/spelling/typing_errors.toml."""
    TARGET.write_text(costs(pairs(dictionary)), "utf-8")


if __name__ == "__main__":
    typer.run(main)
