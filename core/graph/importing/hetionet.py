"""Hetionet's own files (Himmelstein et al. 2017, eLife 6:e26726) in this project's terms.

``hetionet-v1.0-nodes.tsv`` has the columns id (``Gene::9021``), name and kind;
``hetionet-v1.0-edges.sif`` (or ``.sif.gz``) source, metaedge (``CtD`` is Compound-treats-Disease) and
target. Each relationship is written once.
"""

from __future__ import annotations

from pathlib import Path

from core.domain.graph import Entity
from core.domain.names import IDENTIFIERS
from core.graph.importing.builder import GraphBuilder
from core.graph.importing.csv_rows import TableReader
from core.resources import read_table

_NODE_COLUMNS = ("id", "name", "kind")
_EDGE_COLUMNS = ("source", "metaedge", "target")
_KIND_SEPARATOR = "::"

_TABLE = read_table(__file__, "hetionet.toml")
_TYPES: dict[str, str] = _TABLE["entity_types"]
_PREFIXES: dict[str, str] = _TABLE["prefixes"]
_BACKWARD, _EITHER = "backward", "either"  # else "forward"
_METAEDGES: dict[str, list[str]] = _TABLE["metaedges"]


def hetionet_files(folder: Path) -> tuple[Path, Path] | None:
    """The files of nodes and of edges in a folder, or None."""
    nodes = sorted(folder.glob("hetionet-*nodes.tsv"))
    edges = sorted(folder.glob("hetionet-*edges.sif")) or sorted(
        folder.glob("hetionet-*edges.sif.gz")
    )
    return (nodes[0], edges[0]) if nodes and edges else None


def read_hetionet(nodes: Path, edges: Path, builder: GraphBuilder, reader: TableReader) -> None:
    """Add the entities and relationships of both files.

    Raises:
        InputError: code GRAPH_FORMAT; a file is no such table (see `TableReader.table`).
    """
    known: dict[str, tuple[int, str]] = {}  # Hetionet's id -> number and our id
    _read_nodes(nodes, known, builder, reader)
    problems = reader.problems
    with reader.table(edges, _EDGE_COLUMNS, tabs=True) as table:
        places = table.places(_EDGE_COLUMNS)
        for line, row in table.rows:
            source, metaedge, target = (row[place].strip() for place in places)
            if source not in known or target not in known:
                unknown = target if source in known else source
                problems.add(edges.name, line, f"unknown entity {unknown}")
            elif metaedge not in _METAEDGES:
                problems.add(edges.name, line, f"unknown metaedge {metaedge}")
            else:
                kind, way = _METAEDGES[metaedge]
                (one, one_id), (other, other_id) = known[source], known[target]
                if way == _BACKWARD or (way == _EITHER and one_id > other_id):
                    one, other = other, one
                builder.relationship(one, kind, other)


def _read_nodes(
    path: Path, known: dict[str, tuple[int, str]], builder: GraphBuilder, reader: TableReader
) -> None:
    problems = reader.problems
    with reader.table(path, _NODE_COLUMNS, tabs=True) as table:
        places = table.places(_NODE_COLUMNS)
        for line, row in table.rows:
            own_id, name, kind = (row[place].strip() for place in places)
            bare = own_id.partition(_KIND_SEPARATOR)[2]
            if not (bare and name and kind):
                problems.add(path.name, line, "lacks its id, name or kind")
                continue
            entity_id = _entity_id(kind, bare)
            if own_id in known or builder.number(entity_id) is not None:
                problems.add(path.name, line, f"repeats the id {own_id}")
                continue
            # UMLS and MeSH write C0018681 and D006261 without a prefix; 9021 alone says nothing.
            alone = kind in _PREFIXES and not bare[0].isdigit()
            entity = Entity(
                id=entity_id,
                type=_TYPES.get(kind) or "".join(kind.split()),
                name=name,
                properties={IDENTIFIERS: bare} if alone else {},
            )
            known[own_id] = builder.entity(entity), entity_id


def _entity_id(kind: str, bare: str) -> str:
    """``DB00331``, ``NCBI:9021``, ``DOID:9352``, ``UMLS:C0018681``: unique in the graph."""
    if kind in _PREFIXES:
        return f"{_PREFIXES[kind]}:{bare}"
    return f"{''.join(kind.split())}:{bare}" if bare[0].isdigit() else bare
