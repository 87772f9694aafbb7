"""How well questions to leaflets are read: right, wrong and unknown, by label and by field.

``python -m bench.document_plans FILE`` reads labelled questions (TOML, ``[[question]]`` as in
core/questions/leaflets/phrasings-more.toml) against the sample's graph, or against ``--graph FOLDER``.
Which section keywords alone, the letters alone and the whole model give stands in a table of its own.
"""

from __future__ import annotations

import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from bench.counts import count_table
from core.domain.leaflets.conditions import (
    Age,
    Amount,
    BreastFeeding,
    Form,
    Illness,
    KidneyFunction,
    LiverFunction,
    Partner,
    PatientGroup,
    Pregnancy,
    Range,
    Strength,
    Weight,
)
from core.domain.leaflets.plan import DocumentPlan
from core.encoders.factory import make_encoder
from core.encoders.sentence_transformer import BUNDLED
from core.graph.importing.importer import import_graph
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.questions.asked import asked_sections
from core.questions.leaflets.reader import LeafletReader
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph

_ROOT = Path(__file__).parents[1]
_YEARS = {"year": 1.0, "month": 1 / 12, "week": 7 / 365.25, "day": 1 / 365.25}
_FIELDS = {
    "aspect": "aspect", "wanted": "wanted", "subject": "subject", "age": "number", "weight_kg": "number",
    "gfr": "number", "strength": "number", "age_group": "who", "pregnant": "who", "trimester": "who",
    "breastfeeding": "who", "dialysis": "who", "kidney": "who", "liver": "who", "child_pugh": "who",
    "illness": "illness", "severity": "illness", "form": "form", "with": "with",
}  # fmt: skip
_COLUMNS = ("questions", "right", "wrong", "unknown")
console = Console()


def main(
    file: Annotated[Path, typer.Argument(help="Labelled questions.")],
    graph: Annotated[Path, typer.Option(help="A graph's folder.")] = _ROOT / "data" / "graph",
    failures: Annotated[bool, typer.Option(help="Show what was read wrongly.")] = False,
) -> None:
    """Read the questions of a file and print what was read rightly."""
    asked = tomllib.loads(file.read_text("utf-8"))["question"]
    encode = make_encoder(BUNDLED, _ROOT / "build" / "models").encode
    with (
        tempfile.TemporaryDirectory(prefix="materia-bench-") as folder,
        closing(Database(Path(folder) / "materia.db")) as database,
    ):
        store = SqliteGraph(database, Path(folder) / "graph")
        import_graph(graph, store)
        names = EntityNames(KnowledgeGraph(store))
        readers = {
            "letters alone": LeafletReader(names.named_in),
            "letters and meaning": LeafletReader(names.named_in, encode),
        }
        reader = readers["letters and meaning"]
        reader.read("warm up")
        plans, seconds = [], []
        for one in asked:
            started = time.perf_counter()
            plans.append(reader.read(one["text"]))
            seconds.append(time.perf_counter() - started)
        _print_aspects(asked, readers)
        _print_fields(asked, plans, failures)
    console.print(
        f"reading: p50 {np.percentile(seconds, 50) * 1000:.0f} ms, "
        f"p95 {np.percentile(seconds, 95) * 1000:.0f} ms, max {max(seconds) * 1000:.0f} ms"
    )
    left = [len(plan.left_over) for plan in plans]
    console.print(f"words left over: {np.mean(left):.1f} a question, none in {left.count(0)}")


def _print_aspects(
    asked: Iterable[Mapping[str, Any]], readers: Mapping[str, LeafletReader]
) -> None:
    table = count_table("which section", *_COLUMNS)
    ways: dict[str, Callable[[str], str]] = {
        "keywords alone": lambda text: (*asked_sections(text), "")[0]
    }
    for name, reader in readers.items():

        def told(text: str, reader: LeafletReader = reader) -> str:
            aspects = reader.read(text).aspects
            return aspects[0].section if aspects else ""

        ways[name] = told
    model = ways["letters and meaning"]
    ways["keywords, else the model"] = lambda text: ways["keywords alone"](text) or model(text)
    for name, way in ways.items():
        for code in ("", "en", "de", "nl"):
            rows = [one for one in asked if not code or one["lang"] == code]
            # What no leaflet has a section for is read rightly where none is told.
            counts = Counter(_judged(_gold(one), way(one["text"])) for one in rows)
            _row(table, f"{name} {code}", counts)
    console.print(table)


def _gold(one: Mapping[str, Any]) -> str:
    return "" if one["aspect"] == "other" else str(one["aspect"])


def _judged(gold: Any, found: Any) -> str:
    if found == gold:
        return "right"
    return "unknown" if found in ("", None) else "wrong"


def _print_fields(asked: list[dict[str, Any]], plans: list[DocumentPlan], failures: bool) -> None:
    labels: dict[str, Counter[str]] = defaultdict(Counter)
    aspects: dict[str, Counter[str]] = defaultdict(Counter)
    for one, plan in zip(asked, plans, strict=True):
        found = labels_of(plan)
        for key in _FIELDS:
            gold = _gold(one) if key == "aspect" else one.get(key)
            if key == "subject":
                judged = _judged_names(str(gold), [name.text for name in plan.subjects])
            elif key in ("illness", "with") and gold:
                judged = _judged_names(str(gold), found.get(key, []))
            elif gold is None:
                judged = "added" if found.get(key) else ""
            elif isinstance(gold, float):
                value = found.get(key)
                near = value is not None and abs(value - gold) < 0.06
                judged = "right" if near else "unknown" if value is None else "wrong"
            else:
                judged = _judged(gold, found.get(key))
            if judged:
                labels[key][judged] += 1
            if key == "aspect":
                aspects[one["aspect"]][judged] += 1
            if failures and judged in ("wrong", "added"):
                console.print(f"{key}: {one['text']} -> {found.get(key)}", markup=False)
    for title, counted in (("by section", aspects), ("by label", labels)):
        table = count_table(title, *_COLUMNS, *(["added"] if title == "by label" else []))
        for key, counts in counted.items():
            _row(table, key, counts)
        console.print(table)
    fields: dict[str, Counter[str]] = defaultdict(Counter)
    for key, counts in labels.items():
        fields[_FIELDS[key]] += counts
    table = count_table("by field", *_COLUMNS, "added")
    for key, counts in fields.items():
        _row(table, key, counts)
    console.print(table)


def labels_of(plan: DocumentPlan) -> dict[str, Any]:
    """A plan as the labels of the file; illnesses and partners as lists of what is written."""
    found: dict[str, Any] = {
        "aspect": plan.aspects[0].section if plan.aspects else "",
        "wanted": plan.wanted.value if plan.wanted else None,
        "illness": [],
        "with": [],
    }
    for one in plan.conditions:
        match one:
            case Age(value, unit):
                found["age"] = None if (exact := _exact(value)) is None else exact * _YEARS[unit]
            case PatientGroup(group):
                found["age_group"] = group.value
            case Weight(value):
                found["weight_kg"] = _exact(value)
            case Pregnancy(trimester):
                found["pregnant"] = True
                found["trimester"] = trimester
            case BreastFeeding():
                found["breastfeeding"] = True
            case KidneyFunction(clearance, degree, dialysis):
                if clearance is not None:
                    found["gfr"] = _exact(clearance)
                if dialysis:
                    found["dialysis"] = True
                if degree or not (dialysis or clearance):
                    found["kidney"] = degree.value if degree else "unspecified"
            case LiverFunction(degree, child_pugh):
                found["child_pugh"] = child_pugh
                if degree or not child_pugh:
                    found["liver"] = degree.value if degree else "unspecified"
            case Illness(name, degree):
                found["illness"].append(name.text)
                if degree:
                    found["severity"] = degree.value
            case Form(form):
                found["form"] = form
            case Strength(_, _, written):
                found["strength"] = written
            case Partner(name):
                found["with"].append(name.text)
            case Amount():
                pass
    return found


def _exact(value: Range) -> float | None:
    return value.low if value.low == value.high else None


def _judged_names(gold: str, found: list[str]) -> str:
    """Names: right where one is, or is a part of, the other; nothing to say where both are empty."""
    if not gold:
        return "added" if found else ""
    words = set(gold.casefold().split())
    if any(set(one.casefold().split()) & words for one in found):
        return "right"
    return "wrong" if found else "unknown"


def _row(table: Table, name: str, counts: Mapping[str, int]) -> None:
    told = [counts.get(key, 0) for key in ("right", "wrong", "unknown")]
    row = [name, str(sum(told)), *map(str, told)]
    table.add_row(*row, *([str(counts.get("added", 0))] if len(table.columns) > len(row) else []))


if __name__ == "__main__":
    typer.run(main)
