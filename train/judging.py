"""Which statements answer the questions of train/questions, judged one by one.

The strings and pages that an author names miss what is said elsewhere in other words, and hold where the words
stand for another matter. ``python -m train.judging ask FOLDER`` writes the likeliest statements of each
question for people to read (`TASK` says what they do), in random order; ``python -m train.judging keep FOLDER``
adds what they found to train/questions/judged.tsv.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from train.examples import GRADES, JUDGED, Array, Example, all_examples, console, read_grades
from train.relevance import applied, fit_choice

TASK = """\
Judge, as a careful pharmacist, which statements answer a question.

    ## ID
    Q: the question
    expected: what its author expects an answer to contain; it may be said elsewhere as well
    [a] title · heading: statement
    [b] ...

2: who reads this statement alone, with its title and heading, has the answer, for the medicine, the patients,
   the route and the purpose that are asked about: whole, or the essential part; of a list a main part of it.
1: helps in part, or is a related fact that leaves the main thing open.
0: does not answer: another fact, medicine or patient, or only points elsewhere.

Of each question a line: ID, tab, the letters judged 2, tab, those judged 1.
"""
_JUDGED = 8  # the likeliest statements of a clause
_LONGEST = 520  # characters of a statement; the model reads no more
_PARTS = 8
app = typer.Typer()


@app.command()
def ask(folder: Path) -> None:
    """Write the statements of all questions that were not judged yet."""
    given = all_examples()
    choice = fit_choice(given)
    known = read_grades()
    chance = random.Random(1)
    blocks, places_of = [], {}
    for number, one in enumerate(given):
        if not one.question.answerable:
            continue
        places = _likeliest(one, choice)
        if any(one.statement_key(place) in known for place in places):
            continue
        chance.shuffle(places)
        name = f"{one.question.id}#{number}"
        places_of[name] = [one.statement_key(place) for place in places]
        blocks.append(_block(name, one, places))
    chance.shuffle(blocks)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "task.txt").write_text(TASK, "utf-8")
    (folder / "keys.json").write_text(json.dumps(places_of), "utf-8")
    for part in range(_PARTS):
        (folder / f"{part}.txt").write_text("\n\n".join(blocks[part::_PARTS]) + "\n", "utf-8")
    console.print(f"{len(blocks)} clauses in {_PARTS} files")


@app.command()
def keep(folder: Annotated[Path, typer.Argument(help="With the answers as NUMBER.tsv.")]) -> None:
    """Add to judged.tsv what was found."""
    keys = json.loads((folder / "keys.json").read_text("utf-8"))
    rows = JUDGED.read_text("utf-8").splitlines() if JUDGED.is_file() else []
    for path in sorted(folder.glob("*.tsv")):
        for line in filter(str.strip, path.read_text("utf-8").splitlines()):
            name, answers, helps = (line.rstrip() + "\t\t").split("\t")[:3]
            grades: dict[int, list[str]] = defaultdict(list)
            for letter, key in zip("abcdefghijklmnop", keys[name], strict=False):
                grades[2 if letter in answers else int(letter in helps)].append(key)
            shown = "\t".join(" ".join(grades[grade]) for grade in GRADES)
            rows.append(f"{name.split('#')[0]}\t{shown}")
    JUDGED.write_text("\n".join(rows) + "\n", "utf-8")
    console.print(f"{len(rows)} clauses judged")


def _likeliest(one: Example, choice: dict[str, Array]) -> list[int]:
    """The places of the statements that are judged, each text once."""
    found: dict[str, int] = {}
    order: Sequence[int] = np.argsort(-applied(choice, one.signals.statements))[:_JUDGED].tolist()
    for place in order:
        found.setdefault(one.texts[place], place)
    return list(found.values())


def _block(name: str, one: Example, places: Sequence[int]) -> str:
    lines = [f"## {name}", f"Q: {one.question.question}"]
    if one.asked != one.question.question:
        lines.append(f"(read as: {one.asked})")
    lines.append("expected: " + " | ".join(one.question.answer))
    for letter, place in zip("abcdefghijklmnop", places, strict=False):
        text = " ".join(one.texts[place].split())
        lines.append(f"[{letter}] {text[:_LONGEST]}{' …' * (len(text) > _LONGEST)}")
    return "\n".join(lines)


if __name__ == "__main__":
    app()
