"""A library on each store, changed in any order while its process is killed and servers come and go."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from core.stores.neo4j.connection import Neo4j
from tests.maintenance.any_order.machine import AnyOrder
from tests.support.needs import NEO4J

# `make orders` tries more. A server takes ten times as long or more, so that it gets a twentieth.
ORDERS = int(os.environ.get("ORDERS", "100"))
_STEPS = 12


def tried(machine: Callable[[], AnyOrder], orders: int) -> None:
    run_state_machine_as_test(
        machine, settings=settings(max_examples=orders, stateful_step_count=_STEPS, deadline=None)
    )


def test_in_sqlite_all_stores_agree_whatever_happens() -> None:
    tried(AnyOrder, ORDERS)


@pytest.mark.parametrize("copy", [False, True])
def test_a_move_to_where_the_same_bytes_are_being_removed(copy: bool) -> None:
    """It was refused because of a document that nobody could see any more."""
    order = AnyOrder()
    order.upload(word="apple", index="papers")
    order.relocate(number=0, index="leaflets", copy=True)
    order.server_goes(calls=8, number=0)
    order.replace(number=0, word="birch")
    assert order.world.due, "what was replaced is still there"
    order.relocate(number=1, index="leaflets", copy=copy)
    order.servers_come()
    order.relocate(number=1, index="leaflets", copy=copy)
    assert sum(one.index == "leaflets" for one in order.held) == 2
    order.what_is_there_answers_and_nothing_else()
    order.all_stores_agree_once_nothing_is_due()
    order.teardown()


@pytest.mark.needs(NEO4J)
def test_in_neo4j_all_stores_agree_whatever_happens(neo4j: Neo4j) -> None:
    tried(lambda: AnyOrder(neo4j), ORDERS // 20)
