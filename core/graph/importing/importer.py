"""A folder of files becomes the graph in the store, or joins it.

Formats: the plain pair nodes.csv and relationships.csv (module `plain`), PrimeKG's kg.csv with its
feature files (`primekg`), Hetionet's nodes and edges (`hetionet`).
"""

from __future__ import annotations

import time
from pathlib import Path

from core.domain.graph import ImportReport
from core.errors import NotFound, StoreError
from core.graph.importing import plain, primekg
from core.graph.importing.builder import GraphBuilder
from core.graph.importing.changes import StoredGraph, compare, relationship_changes
from core.graph.importing.csv_rows import Problems, Report, TableReader, graph_format_error
from core.graph.importing.hetionet import hetionet_files, read_hetionet
from core.graph.projection import Projection
from core.graph.store import Check, GraphStore

# Shares of an import's time, measured at PrimeKG's size in SQLite.
_DAMAGED = "GRAPH_DAMAGED"
_READ, _JOINED, _RANKED = 0.5, 0.55, 0.65


def read_graph(
    folder: Path,
    report: Report = lambda _stage, _share: None,
    check: Check = lambda: None,
) -> tuple[GraphBuilder, Problems]:
    """Read a graph folder of any format.

    Args:
        report: told what is read and the share of all bytes that is read, in [0, 1].
        check: called every 10,000 rows; what it raises ends the reading.

    Returns:
        the graph, with a line for each relationship of relationships.csv; and the rows left out.

    Raises:
        NotFound: there is no such folder.
        InputError: code GRAPH_FORMAT; the folder holds no graph, or a file is not UTF-8 or lacks a
            column. Code GRAPH_TOO_LARGE.
    """
    if not folder.exists():
        raise NotFound(
            f"There is no folder {folder.name!r}.", advice="Check the name of the graph folder."
        )
    builder = GraphBuilder()
    if _holds_plain_pair(folder):
        files = [folder / plain.NODES_FILE, folder / plain.RELATIONSHIPS_FILE]
        reader = TableReader(files, report, check)
        plain.read_plain(folder, builder, reader)
    elif (folder / primekg.KG_FILE).is_file():
        names = (*primekg.FEATURE_FILES, primekg.NODES_FILE, primekg.KG_FILE)
        files = [folder / name for name in names if (folder / name).is_file()]
        reader = TableReader(files, report, check)
        primekg.read_primekg(folder, builder, reader)
    elif (pair := hetionet_files(folder)) is not None:
        reader = TableReader(pair, report, check)
        read_hetionet(*pair, builder, reader)
    else:
        raise graph_format_error(f"{folder.name!r} holds no graph in a format known here.")
    return builder, reader.problems


def import_graph(
    folder: Path,
    store: GraphStore,
    *,
    remove_missing: bool = False,
    report: Report = lambda _stage, _share: None,
    check: Check = lambda: None,
) -> ImportReport:
    """Read a graph folder and put it into the store, all of it or nothing.

    What the folder says of an entity or a relationship replaces what was stored of it; properties and
    synonyms that it does not give stay, unless `remove_missing`. Degree and importance are those of
    the whole graph afterwards.

    Args:
        remove_missing: whether stored entities and relationships that the folder does not name go.
        report: told the stage in words, and the share of the whole import that is done.
        check: called now and then; what it raises ends the import, and the old graph stays.

    Raises:
        NotFound, InputError: as `read_graph`.
        StoreError: the store cannot be read or refused the write.
    """
    start = time.perf_counter()
    builder, problems = read_graph(folder, lambda stage, share: report(stage, share * _READ), check)
    entities, relationships = builder.counts()
    if not entities:
        raise graph_format_error(f"The files of {folder.name!r} hold no entity.")
    changes, before = _stored(builder, store, remove_missing, check)
    if not remove_missing:
        report("joining the stored graph", _READ)
        builder.add_stored(store, check)
    report("ranking", _JOINED)
    graph = builder.build(
        lambda line, *key: problems.add(plain.RELATIONSHIPS_FILE, line, f"repeats {' '.join(key)}")
    )
    check()
    came, went = graph.relationship_count - changes.relationships, 0
    if before is not None:
        came, went = relationship_changes(before, Projection.from_bytes(graph.projection))
    report("storing", _RANKED)
    store.replace(graph, lambda share: report("storing", _RANKED + share * (1 - _RANKED)), check)
    return ImportReport(
        entities=entities,
        relationships=relationships,
        skipped=problems.skipped,
        problems=problems.listed,
        seconds=time.perf_counter() - start,
        entities_added=entities - changes.known,
        entities_updated=changes.updated,
        entities_removed=changes.missing if remove_missing else 0,
        relationships_added=came,
        relationships_removed=went,
    )


def _stored(
    builder: GraphBuilder, store: GraphStore, remove_missing: bool, check: Check
) -> tuple[StoredGraph, Projection | None]:
    """What is stored, compared with what was read; its connections when some of them may go.

    A damaged graph that is replaced as a whole counts as none, or else it could never be repaired.
    """
    try:
        stored = compare(builder, store, check)
        return stored, Projection.from_bytes(store.projection()) if remove_missing else None
    except StoreError as error:
        if error.code != _DAMAGED:
            raise
        if remove_missing:
            return StoredGraph(), None
        raise StoreError(
            error.message,
            advice="Import the whole graph again and choose to remove what its files do not have.",
            code=_DAMAGED,
        ) from error


def _holds_plain_pair(folder: Path) -> bool:
    """Whether both files are there and nodes.csv is not PrimeKG's, which has the same name."""
    nodes = folder / plain.NODES_FILE
    if not (nodes.is_file() and (folder / plain.RELATIONSHIPS_FILE).is_file()):
        return False
    if not (folder / primekg.KG_FILE).is_file():
        return True
    with nodes.open(encoding="utf-8-sig", errors="replace") as file:
        return primekg.INDEX not in file.readline(1_000)
