"""Constraints and indexes that a store needs, made once per process and only when first needed."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence

from core.stores.neo4j.connection import Neo4j, Seconds

_MADE = re.compile(r"CREATE (?:FULLTEXT )?(CONSTRAINT|INDEX) (\w+) IF NOT EXISTS ")
# A constraint is there once it owns its index.
_ONLINE = (
    "SHOW INDEXES YIELD name, state, owningConstraint WHERE state = 'ONLINE' "
    "RETURN CASE WHEN owningConstraint IS NULL THEN 'INDEX' ELSE 'CONSTRAINT' END AS kind, name"
)


class Schema:
    """Makes what is missing at the first call, which is one question where all is there; later calls are free.

    Args:
        statements: each may be run again without harm; those that make nothing wait for the others.
        seconds: the longest wait for one of them.
    """

    def __init__(self, neo4j: Neo4j, statements: Sequence[str], seconds: Seconds = None) -> None:
        self._neo4j = neo4j
        self._statements = statements
        self._seconds = seconds
        self._lock = threading.Lock()
        self._made = False

    def ensure(self) -> Neo4j:
        """The connection, with the schema in place.

        Raises:
            StoreError: the server cannot be reached, or an index is still being filled (retryable).
        """
        with self._lock:
            if not self._made:
                if not self._is_there():
                    for statement in self._statements:
                        self._neo4j.run(statement, seconds=self._seconds)
                self._made = True
        return self._neo4j

    def _is_there(self) -> bool:
        """Whether all is there and filled: a store is opened on such a server but the first time."""
        wanted = {found.groups() for one in self._statements if (found := _MADE.match(one))}
        online = self._neo4j.read(_ONLINE, seconds=self._seconds)
        return wanted <= {(row["kind"], row["name"]) for row in online}


def unique(name: str, label: str, *properties: str) -> str:
    """The statement that makes a combination of properties unique among the nodes of a label."""
    columns = ", ".join(f"n.{one}" for one in properties)
    return f"CREATE CONSTRAINT {name} IF NOT EXISTS FOR (n:{label}) REQUIRE ({columns}) IS UNIQUE"


def lookup(name: str, label: str, *properties: str) -> str:
    """The statement that makes nodes of a label quick to find by a combination of properties."""
    columns = ", ".join(f"n.{one}" for one in properties)
    return f"CREATE INDEX {name} IF NOT EXISTS FOR (n:{label}) ON ({columns})"


# The graph's own constraints, by the names that its writer gives them: what is tied to entities looks
# them up, also before there is a graph.
ENTITIES = (
    unique("entity_id_generation", "Entity", "id", "generation"),
    unique("graph_state_name", "GraphState", "name"),
)
