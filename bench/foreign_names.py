"""Whether questions by German and Dutch names of illnesses and findings find the sample graph's entities.

    python -m bench.foreign_names

bench/names/illnesses.tsv has the names. "Found" has the whole name as the entity, or as one that is called the
same; "in part" has a part of the name alone.
"""

from __future__ import annotations

import csv
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.inputs import ROOT
from core.domain.graph import Entity, Mention
from core.domain.names import entity_names, name_key
from core.graph.importing.importer import import_graph
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.entity_names import EntityNames
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph

NAMES = ROOT / "bench" / "names" / "illnesses.tsv"
_QUESTIONS = {"de": "Welche Medikamente behandeln {}?", "nl": "Welke medicijnen behandelen {}?"}
_OUTCOMES = ("found", "in part", "not found", "wrong")


def main() -> None:
    """Ask by each name, and print how many were found: as names of the graph alone, and in other languages."""
    with (
        tempfile.TemporaryDirectory(prefix="materia-bench-") as folder,
        closing(Database(Path(folder) / "materia.db")) as database,
    ):
        store = SqliteGraph(database, Path(folder) / "graph")
        import_graph(ROOT / "data" / "graph", store)
        _print(KnowledgeGraph(store))


def _print(graph: KnowledgeGraph) -> None:
    names = EntityNames(graph)
    lines = [line for line in NAMES.read_text().splitlines() if not line.startswith("#")]
    counts: dict[tuple[str, str], Counter[str]] = {}
    for row in csv.DictReader(lines, delimiter="\t"):
        question, name = _QUESTIONS[row["language"]].format(row["name"]), row["name"]
        for way, mentions in (
            ("names of the graph", names.mentions_in(question)),
            ("in other languages too", names.mentions_asked(question)),
        ):
            outcome = _outcome(graph, mentions, question.index(name), name, row["entity"])
            counts.setdefault((f"{row['language']}, {row['half']}", way), Counter())[outcome] += 1
    table = Table("", "", *_OUTCOMES)
    for (half, way), count in sorted(counts.items()):
        table.add_row(half, way, *(str(count[one]) for one in _OUTCOMES))
    Console(width=120).print(table)


def _outcome(
    graph: KnowledgeGraph, mentions: list[Mention], start: int, name: str, expected: str
) -> str:
    whole = [one for one in mentions if one.start <= start and start + len(name) <= one.end]
    if not whole:
        return "in part" if mentions else "not found"
    found = graph.entities(whole[0].called or (whole[0].entity_id,)).values()
    right = _keys(graph.entities((expected,))[expected])
    return "found" if any(right & _keys(one) for one in found) else "wrong"


def _keys(entity: Entity) -> set[str]:
    return set(map(name_key, entity_names(entity)))


if __name__ == "__main__":
    main()
