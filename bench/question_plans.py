"""Questions to the graph, read as plans and computed, against gold from plain loops over the files.

``make bench-questions``: phrasings of bench/plans/tune.toml were seen while the lexicon was written, and of
tune-more.toml the even ones of each cell; those of judge.toml and the files named after it were written by
people who saw neither code nor lexicon. What is learned is fitted to all but judge-sixth, judge-seventh,
judge-second_de and judge-second_nl (train/phrasings.py).
"""

from __future__ import annotations

import random
import re
import tempfile
import time
import tomllib
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from bench.counts import Summed, count_table
from bench.inputs import ROOT
from bench.made_questions import Made, made, misspelt
from bench.unseen_words import without_own_words
from core.answers.confidence import plan_kind
from core.domain.graph import Entity
from core.domain.plans import AnswerList, Named, Want
from core.encoders.fine_tuned import question_model
from core.evidence.computed import Computed, compute
from core.graph.importing.importer import import_graph
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.questions.closest.kinds import ClosestKind
from core.questions.lexicon import Lexicon
from core.questions.planned import Listed, ReadPlan
from core.questions.planning import Planner, spoken
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph

PHRASINGS = ROOT / "bench" / "plans"
GRAPHS = ROOT.parent / "shared" / "data" / "graph"
Phrasings = Mapping[str, Mapping[str, list[str]]]
_SEED = 1
_NARROWED = "narrowed"
_COLUMNS = ("questions", "right", "answered wrongly", "not answered")
_BRACKETS = re.compile(r"\[\[|\]\]|\(\(|\)\)")
console = Console(width=120)


class Part(StrEnum):
    """Which phrasings of each cell are asked; of a half for tuning, `ODD` is counted and not looked at."""

    ALL = "all"
    EVEN = "even"
    ODD = "odd"


@dataclass(slots=True)
class Tally(Summed):
    """How the questions of a kind were answered.

    Attributes:
        likened, likened_right: of those answered, by a plan that was told by likeness.
        offered, offered_right: of those not answered, with a plan without the words that were not understood,
            or with the closest one; where that is what was asked.
        shown: examples of what was not right.
    """

    asked: int = 0
    right: int = 0
    wrong: int = 0
    likened: int = 0
    likened_right: int = 0
    offered: int = 0
    offered_right: int = 0
    shown: list[str] = field(default_factory=list)


def main(
    half: Annotated[
        str,
        typer.Option(
            help="A file of bench/plans: judge-seventh, judge-sixth, judge-second_de, tune, ..."
        ),
    ] = "judge-seventh",
    part: Annotated[
        Part, typer.Option(help="Which phrasings of each cell, by their place in it.")
    ] = Part.ALL,
    graphs: Annotated[str, typer.Option(help="Of hetionet, primekg_ibd.")] = "hetionet,primekg_ibd",
    each: Annotated[int, typer.Option(min=1, help="Questions made of a phrasing.")] = 1,
    failures: Annotated[int, typer.Option(help="Examples shown of each kind.")] = 0,
    unseen: Annotated[
        bool,
        typer.Option(
            help="Each without the words of the lexicon that no other phrasing of the half has."
        ),
    ] = False,
) -> None:
    """Ask the questions of one half and print how many were answered right, wrongly, or not at all."""
    phrasings = part_of(tomllib.loads((PHRASINGS / f"{half}.toml").read_text()), part)
    for name in graphs.split(","):
        if not (GRAPHS / name).is_dir():
            console.print(f"{name} is not here: left out")
            continue
        with tempfile.TemporaryDirectory(prefix="materia-bench-") as folder:
            data = Path(folder)
            with closing(Database(data / "materia.db")) as database:
                store = SqliteGraph(database, data / "graph")
                import_graph(GRAPHS / name, store)
                graph = KnowledgeGraph(store)
                asked = _unanswerable(made(GRAPHS / name, phrasings, per_phrasing=each, seed=_SEED))
                asker = _Asker(graph)
                if unseen:
                    asker.forget(asked)
                tallies, kinds = _by_section(asker, asked)
                _print(f"{name}, {half} ({part})", tallies, failures)
                _print_kinds(kinds)
                if name == "hetionet" and not unseen:
                    _print_misspelt(asker, asked)


def part_of(phrasings: Phrasings, part: Part) -> Phrasings:
    """The phrasings of a part."""
    places = {Part.ALL: slice(None), Part.EVEN: slice(0, None, 2), Part.ODD: slice(1, None, 2)}
    return {
        section: {
            cell: [_bare(line) for line in lines[places[part]]] for cell, lines in cells.items()
        }
        for section, cells in phrasings.items()
    }


def _bare(line: str) -> str:
    """A phrasing without the brackets around what narrows it, and what is said beside it."""
    return _BRACKETS.sub("", line)


def _unanswerable(asked: Sequence[Made]) -> list[Made]:
    """The questions, with those that something narrows as ones that must not be answered with the whole set."""
    return [
        replace(one, want="none", gold=None) if one.section == _NARROWED else one for one in asked
    ]


class _Asker:
    """Reads and computes; `seconds` holds the time of each question."""

    def __init__(self, graph: KnowledgeGraph) -> None:
        self._graph = graph
        self._names = EntityNames(graph)
        self._planner = Planner(graph, self._names, ClosestKind(question_model().read))
        self.seconds: list[float] = []
        self._lexicons: dict[str, Lexicon] = {}  # by question, where not the whole is known

    def forget(self, asked: Sequence[Made]) -> None:
        """From now on each question is read without the words that no other one has."""
        mentions, projection = self._names.mentions_in, self._graph.projection()
        texts = [one.question for one in asked]
        known = [spoken(text, mentions(text), projection) for text in texts]
        self._lexicons = dict(zip(texts, without_own_words(texts, known, mentions), strict=True))

    def asked(
        self, question: Made, *, spelling: bool = False
    ) -> tuple[ReadPlan | None, Computed | None]:
        """The plan and what it led to."""
        before = self._listed(question.history)
        started = time.perf_counter()
        text = question.question
        if spelling:
            text = self._names.spelling(text, lambda _word: False).applied(text)
        known = self._lexicons.get(question.question)
        read = (
            self._planner.read_by(known, text, before)
            if known is not None
            else self._planner.read(text, before)
        )
        found = self.computed(read)
        self.seconds.append(time.perf_counter() - started)
        return read, found

    def computed(self, read: ReadPlan | None) -> Computed | None:
        """What a plan leads to."""
        return compute(read, self._graph) if read is not None else None

    def _listed(self, history: Sequence[str]) -> Listed | None:
        read = self._planner.read(history[-1]) if history else None
        found = compute(read, self._graph) if read is not None else None
        if read is None or found is None:
            return None
        told = tuple(Entity(one.id, one.type, one.name) for one in found.lists[0].members)
        return Listed(read.plan.sets[0], told)

    def second(self, history: Sequence[str]) -> str:
        """The id of the second member of the list before."""
        before = self._listed(history)
        return before.members[1].id if before is not None else ""


def _by_section(
    asker: _Asker, asked: Sequence[Made]
) -> tuple[dict[tuple[str, str], Tally], dict[str, Tally]]:
    """By section and cell; and those answered, by the kind of their plan."""
    tallies: dict[tuple[str, str], Tally] = defaultdict(Tally)
    kinds: dict[str, Tally] = defaultdict(Tally)
    for question in asked:
        tally = tallies[question.section, question.cell]
        read, found = asker.asked(question)
        answered = read is not None and read.plan.complete
        right = (
            _is_right(asker, question, read, found)
            if answered and read
            else question.want == "none"
        )
        tally.asked += 1
        tally.right += right
        tally.wrong += answered and not right
        if answered and read is not None and read.likened:
            tally.likened += 1
            tally.likened_right += right
        if answered and read is not None:
            kind = kinds[plan_kind(read.plan)]
            kind.asked += 1
            kind.right += right
        if not answered and read is not None and read.offer is not None:
            offered = ReadPlan(read.offer, read.offered, read.of_before)
            tally.offered += 1
            tally.offered_right += _is_right(asker, question, offered, asker.computed(offered))
        if not right:
            said = read.understood if read is not None else "nothing of the graph"
            if read is not None and read.plan.left_over:
                said += f"; left over: {', '.join(one.text for one in read.plan.left_over)}"
            tally.shown.append(f"{question.question} -> {said}")
    return tallies, kinds


def _is_right(asker: _Asker, question: Made, read: ReadPlan, found: Computed | None) -> bool:
    plan, gold = read.plan, question.gold
    if question.want == "none":
        return False
    if found is None:
        return False
    if question.want == "yes_no":
        return plan.want is Want.YES_NO and all(one.facts for one in found.told) is gold
    if question.want == "path":
        return plan.want is Want.PATH and len(plan.subjects) == 2 and bool(found.facts)
    if question.cell == "second_of_them_targets":
        conditions = list(plan.sets[0].all_conditions())
        end = conditions[0].of if len(conditions) == 1 else None
        return isinstance(end, Named) and end.ids[0] == asker.second(question.history)
    judged: dict[str, Callable[[], bool]] = {
        "similar": lambda: plan.want is Want.SIMILAR,
        "list": lambda: (
            plan.want in (Want.LIST, Want.SHARE) and _names(found.lists) == _folded(gold)
        ),
        "share": lambda: (
            plan.want in (Want.LIST, Want.SHARE) and _names(found.lists) == _folded(gold)
        ),
        "count": lambda: plan.want is Want.COUNT and len(_names(found.lists)) == gold,
        "compare": lambda: (
            plan.want is Want.COMPARE and _columns(found.lists) == _gold_columns(question)
        ),
        "most": lambda: plan.want is Want.MOST and _best(found.lists[0]) == _folded(gold),
        "least": lambda: plan.want is Want.LEAST and _best(found.lists[0]) == _folded(gold),
    }
    return judged[question.want]()


def _names(lists: Sequence[AnswerList]) -> set[str]:
    return {" ".join(one.name.split()).casefold() for each in lists for one in each.members}


def _folded(gold: Any) -> set[str]:
    return {str(name).casefold() for name in gold}


def _columns(lists: Sequence[AnswerList]) -> list[set[str]]:
    return [_names([one]) for one in lists]


def _gold_columns(question: Made) -> list[set[str]]:
    """What both have, and what one alone has: first the one that the question names first."""
    columns: Any = question.gold
    said = [question.phrasing.index(slot) for slot in ("{drug}", "{drug2}")]
    alone = ("only_first", "only_second") if said == sorted(said) else ("only_second", "only_first")
    return [_folded(columns[name]) for name in ("both", *alone)]


def _best(one: AnswerList) -> set[str]:
    best = one.members[0].count if one.members else 0
    return {" ".join(each.name.split()).casefold() for each in one.members if each.count == best}


def _print(title: str, tallies: Mapping[tuple[str, str], Tally], failures: int) -> None:
    table = count_table(title, *_COLUMNS, "likened", "so right", "offered", "so right")
    sections: dict[str, Tally] = defaultdict(Tally)
    for (section, _), tally in tallies.items():
        sections[section].add(tally)
    for name, one in [*sections.items(), ("all", Tally.of_all(sections.values()))]:
        _row(table, name, one, one.likened, one.likened_right, one.offered, one.offered_right)
    console.print(table)
    for (_, cell), tally in tallies.items():
        for line in tally.shown[:failures]:
            console.print(f"{cell}: {line}", highlight=False, markup=False)


def _print_kinds(kinds: Mapping[str, Tally]) -> None:
    """Shares right by the rule of succession, as `core.answers.confidence` has them."""
    table = count_table("answered, by kind of plan", "answered", "right", "share")
    for kind, one in sorted(kinds.items()):
        share = (one.right + 1) / (one.asked + 2)
        table.add_row(kind, f"{one.asked:,}", f"{one.right:,}", f"{share:.3f}")
    console.print(table)


def _row(table: Table, name: str, one: Tally, *more: int) -> None:
    table.add_row(
        name,
        f"{one.asked:,}",
        f"{one.right / one.asked:.3f}",
        f"{one.wrong / one.asked:.3f}",
        f"{(one.asked - one.right - one.wrong) / one.asked:.3f}",
        *map(str, more),
    )


def _print_misspelt(asker: _Asker, asked: Sequence[Made]) -> None:
    """Lists asked for with one and two letters wrong in a name."""
    chance = random.Random(_SEED)
    table = count_table("misspelt", *_COLUMNS)
    for letters in (1, 2):
        tally = Tally()
        for question in asked:
            if question.section != "list":
                continue
            try:
                wrong = misspelt(question, letters, chance)
            except ValueError:
                continue
            read, found = asker.asked(wrong, spelling=True)
            answered = read is not None and read.plan.complete
            right = answered and read is not None and _is_right(asker, wrong, read, found)
            tally.asked += 1
            tally.right += right
            tally.wrong += answered and not right
        _row(table, f"{letters} letters", tally)
    console.print(table)
    p95 = np.percentile(asker.seconds, 95) * 1000
    console.print(f"reading and computing: p95 {p95:.0f} ms")


if __name__ == "__main__":
    typer.run(main)
