"""PrimeKG's feature files: texts about drugs and diseases, several rows for a grouped disease."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

from core.graph.importing.csv_rows import TableReader
from core.graph.importing.primekg_terms import full_mondo_id

_DISEASE_ID, _DISEASE_NAME = "mondo_id", "mondo_name"
# How the grouped name was made; the name itself is the entity's.
_LEFT_OUT = frozenset({_DISEASE_ID, _DISEASE_NAME, "group_id_bert", "group_name_bert"})


@dataclass(slots=True)
class Features:
    """What the feature files say about one node; of several values of a column the first stays.

    Attributes:
        lines: (file, line) of its rows.
        synonyms, identifiers: names and ids of the diseases that were grouped; may repeat.
    """

    lines: list[tuple[str, int]] = field(default_factory=list)
    properties: dict[str, str] = field(default_factory=dict)
    synonyms: dict[str, None] = field(default_factory=dict)
    identifiers: dict[str, None] = field(default_factory=dict)


def read_features(
    path: Path, index_column: str, features: dict[str, Features], reader: TableReader
) -> None:
    """Add a file's rows to `features` (node index -> what is known of it).

    Raises:
        InputError: code GRAPH_FORMAT; the file is no such table (see `TableReader.table`).
    """
    with reader.table(path, (index_column,)) as table:
        index_place = table.header.index(index_column)
        columns = [
            (sys.intern(name), place)
            for name, place in table.others((index_column,))
            if name not in _LEFT_OUT
        ]
        ids, names = (
            table.header.index(name) if name in table.header else None
            for name in (_DISEASE_ID, _DISEASE_NAME)
        )
        for line, row in table.rows:
            index = row[index_place].strip()
            if not index:
                reader.problems.add(path.name, line, f"lacks {index_column}")
                continue
            node = features.setdefault(index, Features())
            node.lines.append((path.name, line))
            for name, place in columns:
                if name not in node.properties and (value := row[place].strip()):
                    node.properties[name] = value
            if names is not None and (name := row[names].strip()):
                node.synonyms[name] = None
            if ids is not None and (own_id := row[ids].strip()):
                node.identifiers[full_mondo_id(own_id)] = None
