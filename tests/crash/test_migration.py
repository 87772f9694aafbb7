"""A process is killed while it moves everything to Neo4j, or back: the next one completes it."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path

import pytest

from core.stores.neo4j.connection import Neo4j
from tests.crash.migration import EMBEDDED, SERVER, on_server
from tests.crash.processes import EACH_WAY, Moment, Processes, new_folder
from tests.crash.worker import Journal
from tests.maintenance.filled import everything, fill, put_conversation, put_document, sqlite_stores
from tests.support.needs import NEO4J
from tests.support.neo4j_server import Neo4jServer, wipe

SEED = 22
_FASTER = 4.0


@pytest.fixture
def root(tmp_path: Path, neo4j_server: Neo4jServer) -> Path:
    """A folder with a library to move, and the address of where to."""
    (tmp_path / SERVER).write_text(neo4j_server.uri)
    with closing(sqlite_stores(tmp_path / EMBEDDED)) as stores:
        fill(stores)
        for number in range(12):
            put_document(stores, f"more {number}", pages=3)
            put_conversation(stores, f"more {number}", turns=2)
    return tmp_path


@pytest.mark.needs(NEO4J)
def test_a_move_that_was_killed_is_completed_in_both_directions(
    processes: Processes, root: Path, neo4j: Neo4j
) -> None:
    with closing(sqlite_stores(root / EMBEDDED)) as stores:
        before = everything(stores)
    chance = random.Random(SEED)
    times = {}
    for way in ("migrate-there", "migrate-back"):
        folder = new_folder(root, f"undisturbed {way}".replace(" ", "-"))
        processes.run(way, folder)
        first = Journal(folder).times()
        # Later runs are faster: the first sets the server up.
        times[way] = [first[0] + (time - first[0]) / _FASTER for time in first]
    at_work = 0
    for number in range(EACH_WAY):
        share = (number + chance.random()) / EACH_WAY
        for way in ("migrate-there", "migrate-back"):
            if way == "migrate-there":
                wipe(neo4j)
            folder = new_folder(root, f"{way}-{number}")
            killed = processes.kill(way, folder, Moment.of(times[way], share))
            at_work += killed
            if not killed:  # the machine is faster than it was
                times[way] = Journal(folder).times()
            processes.run(way, folder)
            stores = on_server(folder) if way == "migrate-there" else sqlite_stores(folder / "back")
            with closing(stores):
                assert everything(stores) == before, Journal(folder).events()
    assert at_work > EACH_WAY * 2 * 0.6, "the kills came too late"
    with closing(sqlite_stores(root / EMBEDDED)) as stores:
        assert everything(stores) == before, "the source"
