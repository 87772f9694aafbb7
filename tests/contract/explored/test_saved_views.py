"""Saved views of the graph, in every store: kept whole, each user's own, over a graph that changes."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.domain.conversations import LOCAL_USER
from core.domain.explored.views import GraphView, SavedView, view_from_json, view_to_json
from core.domain.graph import Entity
from core.errors import Conflict, InputError, MateriaError, NotFound
from core.graph.knowledge import KnowledgeGraph
from core.graph.views.service import MOST_SHOWN, SavedViews, checked_view
from core.graph.views.store import SavedViewStore
from core.stores.sqlite.database import Database
from core.stores.sqlite.graph import SqliteGraph
from tests.support.graphs import graph_data

HOSTILE = "<b>100% \\ ' \" {} $owner 糖尿病</b>"
MOMENT = datetime(2026, 11, 23, 9, 30, tzinfo=UTC)
VIEW = GraphView(
    ("D1", "M1", HOSTILE),
    "M1",
    (HOSTILE,),
    {"D1": (1.5, -20.25)},
    "around",
    ("Protein",),
    ("TREATS",),
)


@pytest.fixture
def graph(database: Database, tmp_path: Path) -> SqliteGraph:
    return SqliteGraph(database, tmp_path / "graph")


@pytest.mark.req("KG-19")
def test_a_view_is_kept_whole_in_place_of_the_one_before(view_store: SavedViewStore) -> None:
    first = SavedView("v1", HOSTILE, VIEW, MOMENT, MOMENT, LOCAL_USER)
    assert view_store.view("v1") is None and view_store.views() == []
    view_store.keep(first)
    assert view_store.view("v1") == first
    second = SavedView("v2", "A", GraphView(("D1",)), MOMENT, MOMENT, LOCAL_USER)
    view_store.keep(second)
    changed = replace(
        first, name="Other", view=replace(VIEW, shown=("D1",)), updated_at=datetime.now(UTC)
    )
    view_store.keep(changed)
    assert view_store.views() == [second, changed]
    assert view_store.remove("v1") and not view_store.remove("v1")
    assert view_store.views() == [second]


@pytest.mark.req("KG-16", "KG-19")
def test_a_view_of_another_does_not_exist(view_store: SavedViewStore) -> None:
    anna, ben = view_store.of_user("anna"), view_store.of_user("ben")
    anna.keep(SavedView("v1", "Hers", VIEW, MOMENT, MOMENT, "ben"))
    assert ben.views() == [] and ben.view("v1") is None and not ben.remove("v1")
    with pytest.raises(Conflict) as refused:
        ben.keep(SavedView("v1", "His", VIEW, MOMENT, MOMENT, "ben"))
    assert refused.value.code == "ID_TAKEN"
    (hers,) = view_store.views()
    assert (hers.user, hers.name) == ("anna", "Hers") and anna.views() == [hers]


@pytest.mark.req("KG-19")
def test_views_are_named_once_renamed_and_deleted(
    view_store: SavedViewStore, graph: SqliteGraph
) -> None:
    every = SavedViews(view_store, KnowledgeGraph(graph))
    views = every.of_user("anna")
    kept = views.save("  Metformin \n map ", VIEW)
    assert (kept.name, kept.user, views.named("Metformin map")) == ("Metformin map", "anna", kept)
    with pytest.raises(Conflict, match="already"):
        views.save("Metformin map", GraphView(("D1",)))
    every.of_user("ben").save("Metformin map", GraphView(("D1",)))
    again = views.save("Metformin map", GraphView(("D1",)), kept.id)
    assert (again.created_at, again.view.shown) == (kept.created_at, ("D1",))
    assert views.rename(kept.id, "Map").view == again.view
    # Everybody's side keeps whose it is.
    assert every.rename(kept.id, "Her map").user == "anna"
    views.delete(kept.id)
    for act in (views.get, views.delete, lambda one: views.rename(one, "New")):
        with pytest.raises(NotFound) as missing:
            act(kept.id)
        assert missing.value.code == "VIEW_NOT_FOUND"
    assert [one.name for one in every.list()] == ["Metformin map"]


@pytest.mark.req("KG-19")
def test_what_an_import_removed_is_left_out_and_counted(
    view_store: SavedViewStore, graph: SqliteGraph
) -> None:
    graph.replace(
        graph_data([Entity("D1", "Drug", "Metformin"), Entity("M1", "Disease", "T2D")], [])
    )
    views = SavedViews(view_store, KnowledgeGraph(graph))
    opened = views.opened(VIEW)
    assert opened.gone == 1 and opened.view == replace(VIEW, shown=("D1", "M1"), hidden=())
    graph.replace(graph_data([Entity("M1", "Disease", "T2D")], []))
    opened = views.opened(VIEW)
    assert opened.gone == 2 and (opened.view.shown, opened.view.pinned) == (("M1",), {})
    graph.replace(graph_data([], []))
    assert views.opened(VIEW).view.selected == ""


@pytest.mark.parametrize(
    "view",
    [
        GraphView(),
        GraphView(tuple(map(str, range(MOST_SHOWN + 1)))),
        GraphView(("a", "a")),
        GraphView(("a",), "b"),
        GraphView(("a",), hidden=("b",)),
        GraphView(("a",), pinned={"b": (0, 0)}),
        GraphView(("a",), pinned={"a": (float("nan"), 0)}),
        GraphView(("a",), layout="circle"),
        GraphView(("a\n",)),
        GraphView(("x" * 201,)),
        GraphView(("a",), hidden_types=("",)),
    ],
)
def test_what_nothing_can_show_is_refused(view: GraphView) -> None:
    with pytest.raises(InputError) as refused:
        checked_view(view_to_json(view))
    assert refused.value.code == "INVALID_VIEW"


def test_text_that_is_no_view_is_refused() -> None:
    for text in (
        "",
        "[]",
        "null",
        '{"shown": 1}',
        '{"shown": ["a"], "pinned": {"a": [1]}}',
        "[" * 10_000,
    ):
        with pytest.raises(MateriaError):
            checked_view(text)
    assert view_from_json(view_to_json(VIEW)) == VIEW == checked_view(view_to_json(VIEW))
