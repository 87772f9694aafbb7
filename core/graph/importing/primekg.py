"""PrimeKG's files (Chandak, Huang, Zitnik 2023, Sci Data 10:67) in this project's terms.

kg.csv names each relationship twice, once from either end, with both entities written out;
drug_features.csv and disease_features.csv hold texts, joined on the node index; nodes.csv, which may
be missing, also lists entities without a relationship.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path

from core.domain.graph import Entity
from core.domain.names import IDENTIFIERS, SEPARATOR
from core.graph.importing.builder import GraphBuilder
from core.graph.importing.csv_rows import TableReader
from core.graph.importing.primekg_features import Features, read_features
from core.graph.importing.primekg_terms import entity_ids, entity_type, relationship_type

KG_FILE = "kg.csv"
NODES_FILE = "nodes.csv"
INDEX = "node_index"
FEATURE_FILES = ("drug_features.csv", "disease_features.csv")

_PARTS = ("index", "id", "type", "name", "source")
_NODE_COLUMNS = tuple(f"node_{part}" for part in _PARTS)
_X_COLUMNS = tuple(f"x_{part}" for part in _PARTS)
_Y_COLUMNS = tuple(f"y_{part}" for part in _PARTS)
_KIND_COLUMNS = ("relation", "display_relation", "x_type", "y_type")
_NEEDED = (0, 2, 3)  # of the parts; many of PrimeKG's entities have no id


class _Unusable(ValueError):
    """A row that cannot be used; the message says why."""


def read_primekg(folder: Path, builder: GraphBuilder, reader: TableReader) -> None:
    """Add the entities and relationships of a folder with kg.csv to an empty builder.

    Ids, types and relationship types are those of `core.graph.importing.primekg_terms`.

    Raises:
        InputError: code GRAPH_FORMAT; a file is not what its name says (see `TableReader.table`).
    """
    features: dict[str, Features] = {}
    for file in FEATURE_FILES:
        if (folder / file).exists():
            read_features(folder / file, INDEX, features, reader)
    nodes = _Nodes(builder, features)
    if (folder / NODES_FILE).exists():
        _read_nodes(folder / NODES_FILE, nodes, reader)
    _read_relationships(folder / KG_FILE, nodes, builder, reader)
    for unknown in features.values():
        for file, line in unknown.lines:
            reader.problems.add(file, line, f"has a {INDEX} that no entity has")


@dataclass(slots=True)
class _Nodes:
    """PrimeKG's nodes, found by the five cells that each row writes them out in.

    Attributes:
        numbers: cells -> the builder's number.
        ids: entity ids by number.
    """

    builder: GraphBuilder
    features: dict[str, Features]
    numbers: dict[tuple[str, ...], int] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)
    _by_index: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def add(self, cells: tuple[str, ...], columns: Sequence[str]) -> int:
        """The number of the node in `cells`, which are not among `numbers` yet.

        Raises:
            _Unusable: a cell that is needed is empty, or the index is another node's.
        """
        node = tuple(cell.strip() for cell in cells)
        missing = [columns[part] for part in _NEEDED if not node[part]]
        if missing:
            raise _Unusable(f"lacks {', '.join(missing)}")
        known = self._by_index.setdefault(node[0], node)
        if known != node:
            raise _Unusable(f"{columns[0]} {node[0]} is {known[3]} ({known[2]}) in a row before")
        if node not in self.numbers:
            self.numbers[node] = self._create(*node)
        self.numbers[cells] = self.numbers[node]
        return self.numbers[cells]

    def _create(self, index: str, own_id: str, kind: str, name: str, source: str) -> int:
        features = self.features.pop(index, None) or Features()
        candidates, elsewhere = entity_ids(own_id, source, index)
        # Two databases may have the same id for different things: the later one is told by its own.
        entity_id = next(
            (one for one in candidates if self.builder.number(one) is None), candidates[-1]
        )
        synonyms = dict.fromkeys(one for one in features.synonyms if one != name)
        identifiers = dict.fromkeys(
            one for one in (*elsewhere, *features.identifiers) if one != entity_id
        )
        properties = dict(features.properties)
        if identifiers:
            properties[IDENTIFIERS] = SEPARATOR.join(identifiers)
        number = self.builder.entity(
            Entity(
                id=entity_id,
                type=entity_type(kind, properties),
                name=name,
                synonyms=tuple(synonyms),
                properties=properties,
            )
        )
        if number < len(self.ids):
            raise _Unusable(f"has the id {entity_id} of another entity")
        self.ids.append(entity_id)
        return number


def _read_nodes(path: Path, nodes: _Nodes, reader: TableReader) -> None:
    with reader.table(path, _NODE_COLUMNS) as table:
        cells_of = itemgetter(*table.places(_NODE_COLUMNS))
        for line, row in table.rows:
            try:
                nodes.add(cells_of(row), _NODE_COLUMNS)
            except _Unusable as error:
                reader.problems.add(path.name, line, str(error))


def _read_relationships(
    path: Path, nodes: _Nodes, builder: GraphBuilder, reader: TableReader
) -> None:
    """Millions of rows: what a row says is looked up by its cells as they are."""
    kinds: dict[tuple[str, ...], tuple[str, int]] = {}
    numbers, ids, add = nodes.numbers, nodes.ids, builder.relationship
    with reader.table(path, ("relation", "display_relation", *_X_COLUMNS, *_Y_COLUMNS)) as table:
        x_of = itemgetter(*table.places(_X_COLUMNS))
        y_of = itemgetter(*table.places(_Y_COLUMNS))
        kind_of = itemgetter(*table.places(_KIND_COLUMNS))
        for line, row in table.rows:
            try:
                cells = kind_of(row)
                kind = kinds.get(cells)
                if kind is None:
                    kind = kinds[cells] = _read_kind(cells)
                cells = x_of(row)
                x = numbers.get(cells)
                if x is None:
                    x = nodes.add(cells, _X_COLUMNS)
                cells = y_of(row)
                y = numbers.get(cells)
                if y is None:
                    y = nodes.add(cells, _Y_COLUMNS)
            except _Unusable as error:
                reader.problems.add(path.name, line, str(error))
                continue
            name, direction = kind
            if direction < 0 or (direction == 0 and ids[x] > ids[y]):
                x, y = y, x
            add(x, name, y)


def _read_kind(cells: Sequence[str]) -> tuple[str, int]:
    relation, display, x_type, y_type = (cell.strip() for cell in cells)
    if not relation:
        raise _Unusable("lacks relation")
    return relationship_type(relation, display, x_type, y_type)
