"""One part of the graph benchmark in a process of its own: ``python -m bench.run_graph JOB REPORT``.

JOB: ``task`` (``import``, ``ask`` or ``vectors``), ``data`` (a folder for the embedded store),
``neo4j`` (``uri``, ``user``, ``password``; absent for the embedded store); for ``import`` the ``graph``
folder, for the others ``rounds`` (calls of each kind), for ``vectors`` ``graphs`` (folders with names).
"""

from __future__ import annotations

import csv
import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bench.children import own_peak_mb
from bench.primekg_texts import node_names, sentences
from core.domain.graph import Entity
from core.domain.vectors import EntityVector
from core.encoders.factory import make_encoder
from core.graph.importing.builder import GraphBuilder
from core.graph.importing.importer import import_graph
from core.graph.knowledge import KnowledgeGraph
from core.graph.names.linker import EntityLinker
from core.graph.store import EntityVectors, GraphStore
from core.graph.walks.expand import expand
from core.graph.walks.paths import find_paths

if TYPE_CHECKING:
    from core.stores.neo4j.connection import Neo4j

_SEED = 5
_HUBS = 20
_TEXT_BYTES = 4_000_000
_VECTORS, _NEAREST, _MODEL = 25_000, 10, "all-MiniLM-L6-v2"
_ENTITY_TYPES = ("Drug", "Disease", "ClinicalDisease")
_RELATIONSHIP_TYPES = ("TREATS", "TARGETS", "ASSOCIATED_WITH")
_NEO4J_SECONDS = 60.0  # a benchmark waits where the dashboard would say that the server is slow

Figures = dict[str, Any]


def run_import(job: Mapping[str, Any]) -> Figures:
    """Import a graph folder; seconds, peak memory of this process, and what is stored."""
    data = Path(job["data"])
    store = _graph_store(job)
    stages: dict[str, float] = {}

    def report(words: str, _share: float) -> None:
        stages.setdefault(words, time.perf_counter())

    done = import_graph(Path(job["graph"]), store, report=report)
    ended = time.perf_counter()
    starts = [*stages.values(), ended]
    return {
        "entities": done.entities,
        "relationships": done.relationships,
        "skipped": done.skipped,
        "seconds": done.seconds,
        "stages": {
            words: starts[number + 1] - starts[number] for number, words in enumerate(stages)
        },
        "stored_mb": sum(file.stat().st_size for file in (data / "graph").glob("*.db")) / 1e6,
    }


def run_questions(job: Mapping[str, Any]) -> Figures:
    """Expansion, paths, search and the linker over what is stored; milliseconds of each call."""
    graph = KnowledgeGraph(_graph_store(job))
    chance = np.random.default_rng(_SEED)
    started = time.perf_counter()
    projection = graph.projection()
    loaded = time.perf_counter() - started
    rounds = int(job["rounds"])
    some = [projection.ids[one] for one in chance.integers(len(projection.ids), size=2 * rounds)]
    by_degree = np.argsort(-projection.degrees)[:_HUBS]
    hubs = [projection.ids[one] for one in by_degree]
    names = [entity.name for entity in graph.entities(some[:rounds]).values()]
    hub_calls = (hubs * (rounds // _HUBS + 1))[:rounds]
    pairs = list(zip(some[:rounds], some[rounds:], strict=True))

    def expanded(
        ids: Sequence[str], types: Sequence[str] = (), relationships: Sequence[str] = ()
    ) -> list[float]:
        return _timed(
            lambda one: expand(
                graph, {one: 1.0}, {}, entity_types=types, relationship_types=relationships
            ),
            ids,
        )

    def paths(ends: Sequence[tuple[str, str]], types: Sequence[str] = ()) -> list[float]:
        apart = [(one, other) for one, other in ends if one != other]
        return _timed(lambda pair: find_paths(graph, *pair, entity_types=types), apart)

    return {
        "load_ms": loaded * 1000,
        "largest_hub": int(projection.degrees[by_degree[0]]),
        "calls": {
            "expansion, any entity": expanded(some[:rounds]),
            "expansion, any entity, 3 entity types": expanded(some[:rounds], _ENTITY_TYPES),
            "expansion, 20 largest hubs": expanded(hub_calls),
            "expansion, hubs, 3 entity types": expanded(hub_calls, _ENTITY_TYPES),
            "expansion, hubs, 3 relationship types": expanded(hub_calls, (), _RELATIONSHIP_TYPES),
            "paths, any two entities": paths(pairs),
            "paths, any two, 3 entity types": paths(pairs, _ENTITY_TYPES),
            "paths, a hub and any entity": paths(list(zip(hub_calls, some[:rounds], strict=True))),
            "search, whole name": _timed(graph.search_entities, names),
            "search, beginning of a name": _timed(
                graph.search_entities, [name[:4] for name in names]
            ),
            "search, middle of a name": _timed(
                graph.search_entities, [name[2:7] for name in names]
            ),
            "search, no such name": _timed(
                graph.search_entities, [f"{name[:5]}xqz" for name in names]
            ),
        },
        "linker": _link(graph, names, chance),
    }


def _link(graph: KnowledgeGraph, names: Sequence[str], chance: np.random.Generator) -> Figures:
    """Build the automaton over all names and look through ordinary text, a name in each sentence."""
    started = time.perf_counter()
    linker = EntityLinker(graph.store.all_names())
    built = time.perf_counter() - started
    written = sentences(2_000, chance)
    text, size = [], 0
    while size < _TEXT_BYTES:
        passage = " ".join(
            f"{written[one]} It is about {names[one % len(names)]}."
            for one in chance.integers(len(written), size=12).tolist()
        )
        text.append(passage)
        size += len(passage.encode())
    started = time.perf_counter()
    found = sum(len(linker.find(passage)) for passage in text)
    seconds = time.perf_counter() - started
    return {"build_seconds": built, "mb_per_second": size / 1e6 / seconds, "mentions": found}


def run_vectors(job: Mapping[str, Any]) -> Figures:
    """25,000 entity names embedded with the default model, written as one type and searched."""
    chance = np.random.default_rng(_SEED)
    rounds = int(job["rounds"])
    names = _entity_names(Path(one) for one in job["graphs"])
    invented = node_names("disease", max(0, _VECTORS + rounds - len(names)), chance)
    names = chance.permutation([*names, *invented]).tolist()
    encoder = make_encoder(_MODEL, Path(job["data"]) / "models")
    matrix = encoder.encode(names[:_VECTORS])
    # What is asked is near some entities, as a question is, and equal to none.
    asked = encoder.encode([f"What is known of {one}?" for one in names[_VECTORS:][:rounds]])
    ids = [f"D{number}" for number in range(_VECTORS)]
    vectors = _vector_store(job, ids)
    started = time.perf_counter()
    vectors.ensure(encoder.dimension)
    vectors.put([EntityVector(one, "Drug", "", row) for one, row in zip(ids, matrix, strict=True)])
    vectors.settle(_VECTORS)
    written = time.perf_counter() - started
    right = sum(
        len(
            {one for one, _ in vectors.query(query, "Drug", _NEAREST)}
            & {ids[place] for place in np.argsort(-(matrix @ query))[:_NEAREST]}
        )
        for query in asked
    )
    return {
        "write_seconds": written,
        "recall": right / (_NEAREST * len(asked)),
        "calls": {
            "vector search, 25,000 entities": _timed(
                lambda query: vectors.query(query, "Drug", _NEAREST), asked
            )
        },
    }


def _entity_names(graphs: Iterable[Path]) -> list[str]:
    """Distinct names of the entities of graphs in PrimeKG's form, in alphabetical order."""
    found: set[str] = set()
    for folder in graphs:
        with (folder / "kg.csv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                found.update((row["x_name"], row["y_name"]))
    return sorted(found)


def _timed(call: Callable[[Any], object], arguments: Iterable[Any]) -> list[float]:
    """Milliseconds of each call, after one that is not counted."""
    asked = list(arguments)
    call(asked[0])
    found = []
    for one in asked:
        started = time.perf_counter()
        call(one)
        found.append((time.perf_counter() - started) * 1000)
    return found


def _graph_store(job: Mapping[str, Any]) -> GraphStore:
    if "neo4j" in job:
        from core.stores.neo4j.graph.graph import Neo4jGraph

        return Neo4jGraph(_connected(job))
    from core.stores.sqlite.database import Database
    from core.stores.sqlite.graph import SqliteGraph

    data = Path(job["data"])
    data.mkdir(parents=True, exist_ok=True)
    return SqliteGraph(Database(data / "materia.db"), data / "graph")


def _vector_store(job: Mapping[str, Any], ids: Sequence[str]) -> EntityVectors:
    if "neo4j" in job:
        from core.stores.neo4j.graph.graph import Neo4jGraph
        from core.stores.neo4j.graph.vectors import Neo4jEntityVectors

        neo4j = _connected(job)
        builder = GraphBuilder()
        for number, entity_id in enumerate(ids):
            builder.entity(Entity(entity_id, "Drug", f"drug {number}"))
        Neo4jGraph(neo4j).replace(builder.build())
        return Neo4jEntityVectors(neo4j)
    from core.stores.chroma.entities import ChromaEntityVectors

    return ChromaEntityVectors(Path(job["data"]) / "chroma")


def _connected(job: Mapping[str, Any]) -> Neo4j:
    from core.stores.neo4j.connection import Neo4j

    server = job["neo4j"]
    return Neo4j(server["uri"], server["user"], server["password"], timeout=_NEO4J_SECONDS)


def main() -> None:
    asked, report = map(Path, sys.argv[1:])
    job = json.loads(asked.read_text(encoding="utf-8"))
    task = {"import": run_import, "ask": run_questions, "vectors": run_vectors}[job["task"]]
    figures = task(job)
    report.write_text(json.dumps({**figures, "own_peak_mb": own_peak_mb()}), encoding="utf-8")


if __name__ == "__main__":
    main()
