"""Goes on with the model that reads a question and a statement, over what browsers printed.

``make train-going-on`` takes the weights of the int8 copy that ships (core/encoders/int8) and fits them to
questions on documents of several layouts with many tables (train/questions/going_on.toml), in five steps: to
the earlier sets among others of sets.toml; once to all of both; to the earlier and the later sets; to the last,
and then to the newest sets, each among some of those before, with questions that no leaflet answers
(no_leaflet.jsonl). Since the third step half of the first questions on a medicine, some of the rest and groups
of statements that differ in one point (contrasts.jsonl) are among them, so that nothing is forgotten. It writes
statements-5.onnx, whose hash is pinned in core/encoders/fine_tuned.py, and prints what the model says of the
held-out sets, before and after. docs/decisions/relevance.md has the figures.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from rich.console import Console
from sklearn.metrics import roc_auc_score
from torch import Tensor

from bench.inputs import ROOT
from core.encoders.fine_tuned import STATEMENTS
from core.evaluation.questions import Question
from core.evidence.learned import MOST_READ, models, of_read, read_summary, summary
from core.evidence.reading.pairs import in_english_beside
from core.text.glosses.in_english import in_english
from train.examples import QUESTIONS, WORK, Array, Example, all_examples, read_set
from train.fine_tuning import drop_from_a_bank
from train.reader import FIRST, Group, Reader, is_on_paper, own_groups

_RATES, _LAST_RATES, _MILD_RATES = (
    (5e-5, 2e-4),
    (4e-5, 1.5e-4),
    (3e-5, 1e-4),
)  # of the body and of the head
_ROUNDS, _BESIDE = 3, 1.5  # of the first step, and other questions in it for each of its own
_LATER_ROUNDS = 2  # of the third step and of those behind it
_OTHERS, _LAST_OTHERS = 1_300, 1_000  # questions of sets.toml in these
# Of the sets before, and of the contrasts, in the last two steps.
_LATER, _BEFORE_NEWEST, _EARLIER, _CONTRASTED = 1_200, 1_900, 500, 200
HELD_OUT = "held out"
_CONTRASTS, _UNANSWERED = QUESTIONS / "contrasts.jsonl", QUESTIONS / "no_leaflet.jsonl"
_HIDDEN, _LAYERS, _FIRST_LAYER, _OF_LAYER = 384, 6, 6, 12  # of the graph's constants
console = Console(width=120)


def weights_in(path: Path) -> dict[str, Tensor]:
    """The weights of an int8 copy that `core.encoders.bert_graph.bert_pair_model` made, by their names in
    `Reader`; without those of the pooler, which nothing reads."""
    graph = onnx.load(path).graph
    kept = {one.name: numpy_helper.to_array(one) for one in graph.initializer}

    def constant(number: int) -> Array:
        name = f"constant_{number}"
        if name in kept:
            return kept[name].astype(np.float64)
        values = kept[f"{name}_quantized"].astype(np.float64) - kept[f"{name}_zero_point"]
        whole: Array = values * kept[f"{name}_scale"]
        return whole

    found = {
        "body.embeddings.token_type_embeddings.weight": constant(0),
        "body.embeddings.word_embeddings.weight": constant(1),
        "body.embeddings.position_embeddings.weight": constant(2),
        "body.embeddings.LayerNorm.weight": constant(4),
        "body.embeddings.LayerNorm.bias": constant(5),
    }
    for layer in range(_LAYERS):
        begin, name = _FIRST_LAYER + _OF_LAYER * layer, f"body.encoder.layer.{layer}"
        matrix, bias = constant(begin), constant(begin + 1)
        for place, part in enumerate(("query", "key", "value")):
            own = slice(_HIDDEN * place, _HIDDEN * (place + 1))
            found[f"{name}.attention.self.{part}.weight"] = matrix[:, own].T
            found[f"{name}.attention.self.{part}.bias"] = bias[own]
        for place, part in ((2, "attention.output"), (6, "intermediate"), (8, "output")):
            found[f"{name}.{part}.dense.weight"] = constant(begin + place).T
            found[f"{name}.{part}.dense.bias"] = constant(begin + place + 1)
        for place, part in ((4, "attention.output"), (10, "output")):
            found[f"{name}.{part}.LayerNorm.weight"] = constant(begin + place)
            found[f"{name}.{part}.LayerNorm.bias"] = constant(begin + place + 1)
    last = max(int(one.split("_")[1]) for one in kept if one.split("_")[1].isdigit())
    found["head.weight"], found["head.bias"] = constant(last - 1).T, constant(last)
    return {
        name: torch.tensor(np.ascontiguousarray(one), dtype=torch.float32)
        for name, one in found.items()
    }


def as_read(one: Example) -> Example:
    """An example as the model reads it: of German and Dutch statements word by word in English."""
    put = in_english_beside(one.asked, one.texts)
    return replace(one, asked=put[0], texts=tuple(put[1])) if put else one


def figures(reader: Reader, given: Sequence[Example]) -> str:
    """Share of the clauses with a right statement that have one first, and the area under the curve between
    them and those of questions without an answer, by the sums that ship."""
    made = models()
    first: list[bool] = []
    odds_of: list[tuple[bool, float]] = []
    for one in given:
        before = made.choice.of(one.signals.statements)
        likeliest = np.argsort(-before, kind="stable")[:MOST_READ]
        scores = reader.scores(one.asked, [one.texts[place] for place in likeliest])
        now = of_read(before, likeliest, scores, made.choice_read)
        seen = summary(one.signals, before)
        odds = float(made.answerable.of(seen))
        rows = read_summary(odds, before, now, likeliest, scores, seen)
        if one.question.answerable and not one.right.any():
            continue
        if one.question.answerable:
            first.append(bool(one.right[int(np.argmax(now))]))
        odds_of.append((one.question.answerable, float(made.refusal.of(rows))))
    area = roc_auc_score([has for has, _ in odds_of], [value for _, value in odds_of])
    return f"right first {np.mean(first):.3f} of {len(first)}, area under the curve {area:.3f}"


def contrasts() -> list[Group]:
    """Questions with statements of one made-up document that differ in a point: whose dose it is, the general
    case and a special one, what is asked and what stands beside it; of some none answers."""
    found = []
    for line in _CONTRASTS.read_text("utf-8").splitlines():
        row = json.loads(line)
        texts = (*row["right"], *row["wrong"])
        right = tuple(place < len(row["right"]) for place in range(len(texts)))
        found.append(Group(row["question"], texts, right))
    return found


def unanswered(given: Sequence[Example], chance: random.Random) -> list[Group]:
    """Questions that no leaflet answers ("Was kostet {name}?"), each beside the likeliest statements of another
    question, whose medicine it names."""
    enough = [one for one in given if len(one.texts) >= MOST_READ]
    found = []
    for line in _UNANSWERED.read_text("utf-8").splitlines():
        row, one = json.loads(line), chance.choice(enough)
        likeliest = np.argsort(-models().choice.of(one.signals.statements))[:MOST_READ]
        texts = tuple(one.texts[place] for place in likeliest)
        asked = row["question"].replace("{name}", texts[0].split(" ")[0].strip("®,;:"))
        asked = (in_english(asked) or asked) if row["lang"] != "en" else asked
        found.append(Group(asked.rstrip("?!. "), texts, (False,) * len(texts)))
    return found


def main() -> None:
    """Go on, print the figures of the held-out sets, and write the int8 copy."""
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else STATEMENTS
    table = tomllib.loads((QUESTIONS / "going_on.toml").read_text("utf-8"))["sets"]
    printed = [(row, [as_read(one) for one in set_of(row)]) for row in table]

    def of(step: str) -> list[Example]:
        return [one for row, own in printed if row["step"] == step for one in own]

    steps = ("earlier", "later", "last", "newest", HELD_OUT)
    earlier, later, last, newest, held_out = map(of, steps)
    every = [as_read(one) for one in all_examples() if not is_on_paper(one)]
    first = [one for one in every if one.question.kind == FIRST]
    rest = [one for one in every if one.question.kind != FIRST]
    chance = random.Random(1)
    choice = models().choice
    likeliest = {
        "mean": choice.mean,
        "scale": choice.scale,
        "weights": choice.weights,
        "base": np.array([choice.base]),
    }

    def groups(*given: Sequence[Example]) -> list[Group]:
        return own_groups([one for each in given for one in each], likeliest, chance)

    def some(given: Sequence[Example], count: int) -> list[Example]:
        return chance.sample(given, count)

    drop_from_a_bank()
    reader = Reader()
    reader.begin_with({**reader.state(), **weights_in(source)})
    console.print(f"before: {figures(reader, held_out)}")
    beside = round(_BESIDE * len(earlier))
    rounds = [groups(earlier, some(every, beside)) for _ in range(_ROUNDS)]
    reader.fit(rounds, "the earlier sets", _RATES)
    reader.fit([groups(earlier, every)], "all", _RATES)
    half = len(first) // 2
    rounds = [
        [*groups(later, earlier, some(first, half), some(rest, _OTHERS)), *contrasts()]
        for _ in range(_LATER_ROUNDS)
    ]
    reader.fit(rounds, "the later sets", _RATES)

    def newer(own: Sequence[Example], before: Sequence[Example], count: int) -> list[list[Group]]:
        """The rounds of a step: its sets among some of those before, and what else must not be forgotten."""
        return [
            [
                *groups(own, some(before, count), some(earlier, _EARLIER)),
                *groups(some(first, half), some(rest, _LAST_OTHERS)),
                *chance.sample(contrasts(), _CONTRASTED),
                *unanswered([*own, *before, *earlier], chance),
            ]
            for _ in range(_LATER_ROUNDS)
        ]

    reader.fit(newer(last, later, _LATER), "the last sets", _LAST_RATES)
    rounds = newer(newest, [*later, *last], _BEFORE_NEWEST)
    reader.fit(rounds, "the newest sets", _LAST_RATES)
    console.print(f"after: {figures(reader, held_out)}")
    reader.write(STATEMENTS)
    console.print(
        f"{STATEMENTS.name}: sha256 {hashlib.sha256(STATEMENTS.read_bytes()).hexdigest()}"
    )


def set_of(row: dict[str, object], more: Sequence[Question] = ()) -> list[Example]:
    """The examples of a row of going_on.toml; its library is filled first and kept in build/train.

    Args:
        more: questions that are asked, too.
    """
    files = [str(one.relative_to(ROOT)) for one in files_of(row)]
    return read_set({**row, "files": files}, WORK, more)


def files_of(row: dict[str, object]) -> list[Path]:
    """The files of a row of going_on.toml."""
    return sorted((ROOT / str(row["folder"])).glob("*.pdf"))


if __name__ == "__main__":
    main()
