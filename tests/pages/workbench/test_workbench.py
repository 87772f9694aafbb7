"""What stands around the explorer's canvas: links, saved views, tables, files, asking about what is shown."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import networkx
import pytest
from streamlit.testing.v1 import AppTest

from core.domain.explored.views import GraphView, view_to_json
from core.domain.graph import Entity, Fact
from core.graph.views.files import as_csv, as_graphml, as_json
from core.graph.views.service import checked_view
from core.workspace import Workspace, share_workspace
from pages.parts.shared.links import link_to
from pages.parts.workbench.canvas_memory import _kept
from tests.pages.conftest import FRAME

OpenPage = Callable[..., AppTest]
EXPLORER = "explorer.py"
EVIL = "<img src=x onerror=alert(1)>"
_NODES = f"""id,type,name,synonyms
DB1,Drug,Alphacillin,Alfacin
DB2,Drug,Betamycin,
D1,Disease,gout,
X1,Drug,{EVIL},
"""
_RELATIONSHIPS = "source,type,target\nDB1,TREATS,D1\nDB2,TREATS,D1\nX1,TREATS,D1\n"


@pytest.fixture
def small(make_workspace: Callable[..., Workspace], tmp_path: Path) -> Workspace:
    (tmp_path / "nodes.csv").write_text(_NODES)
    (tmp_path / "relationships.csv").write_text(_RELATIONSHIPS)
    workspace = make_workspace()
    workspace.graph_tasks.import_folder(tmp_path)
    return workspace


def _linked(workspace: Workspace, page: str = EXPLORER, **asked: str) -> AppTest:
    """A page that is opened by a link."""
    share_workspace(workspace)
    app = AppTest.from_file(str(FRAME), default_timeout=60)
    if page:
        app = app.run().switch_page(page)
    for name, value in asked.items():
        app.query_params[name] = value
    app = app.run()
    assert not app.exception
    return app


def _shown(app: AppTest) -> set[str]:
    return set(app.session_state["graph_shown"]) if "graph_shown" in app.session_state else set()


def _warned(app: AppTest) -> str:
    return " ".join(str(one.value) for one in app.warning)


def _address(app: AppTest, name: str) -> str:
    """What the address bar has under a name."""
    value = app.query_params.get(name, "")
    return value[0] if isinstance(value, list) else str(value)


def _press(app: AppTest, key: str) -> AppTest:
    app = app.button(key=key).click().run()
    assert not app.exception
    return app


@pytest.mark.req("KG-19")
def test_a_link_opens_an_entity_and_the_address_follows(
    small: Workspace, open_page: OpenPage
) -> None:
    app = _linked(small, entity="DB1")
    assert _shown(app) == {"DB1", "D1"} and app.session_state["graph_selected"] == "DB1"
    assert _address(app, "entity") == "DB1"
    app.session_state["graph_selected"] = "D1"
    app.run()
    assert _address(app, "entity") == "D1" and _shown(app) == {"DB1", "D1"}
    # Back in the browser: it is on the canvas, which stays as it is.
    app.query_params["entity"] = "DB1"
    app.run()
    assert app.session_state["graph_selected"] == "DB1" and _shown(app) == {"DB1", "D1"}


@pytest.mark.parametrize(
    "asked",
    [{"entity": "nobody"}, {"view": "none"}, {"view": "'; DROP TABLE graph_views; --"}],
)
def test_a_link_to_what_is_not_there_says_so(
    small: Workspace, open_page: OpenPage, asked: dict[str, str]
) -> None:
    app = _linked(small, **asked)
    assert "of this link" in _warned(app) and not _shown(app)
    assert not app.query_params
    assert not _warned(app.run())


def test_what_could_be_no_id_is_passed_over(small: Workspace, open_page: OpenPage) -> None:
    app = _linked(small, entity="x" * 5_000, view="a\nb")
    assert not _warned(app) and not _shown(app)


@pytest.mark.req("KG-16")
def test_a_conversation_of_a_link_opens_once_and_a_foreign_one_does_not(
    small: Workspace, open_page: OpenPage
) -> None:
    answer = small.chat.answer("Which drugs treat gout?")
    turn = small.conversations.history(answer.session)[0]
    app = _linked(small, "", conversation=answer.session, answer=turn.id)
    assert app.session_state["chat_session"] == answer.session
    assert not app.query_params and not _warned(app)
    gone = _linked(small, "", conversation=answer.session, answer="none")
    assert gone.session_state["chat_session"] == answer.session
    assert "answer of this link is gone" in _warned(gone)
    foreign = small.conversations.of_user("somebody else")
    theirs = foreign.keep(foreign.open(None, "Q?")[0].id, answer).session_id
    other = _linked(small, "", conversation=theirs)
    assert "somebody else" in _warned(other)
    assert "chat_session" not in other.session_state


@pytest.mark.req("KG-19")
def test_a_view_is_saved_changed_opened_and_deleted(small: Workspace, open_page: OpenPage) -> None:
    saved = small.views.save(EVIL, GraphView(("DB1", "D1", "gone"), "D1", ("DB1",), {}, "type"))
    app = _linked(small, view=saved.id)
    assert _shown(app) == {"DB1", "D1"} and app.session_state["graph_selected"] == "D1"
    assert "1 entity of this view is no longer in the graph" in _warned(app)
    assert _address(app, "view") == saved.id and _address(app, "entity") == "D1"
    app.session_state["views_menu"] = True
    app.run()
    app.text_input(key="view_name").set_value("  Mine ").run()
    app = _press(app, "view_save")
    mine = small.views.named("Mine")
    assert mine is not None and set(mine.view.shown) == {"DB1", "D1"} and mine.view.layout == "type"
    assert _address(app, "view") == mine.id
    app = _press(app, f"view_more_{saved.id}")
    app.text_input(key=f"view_rename_{saved.id}").set_value("Mine").run()
    app = _press(app, f"view_renaming_{saved.id}")
    assert any("VIEW_EXISTS" in str(one.value).replace("\\", "") for one in app.error)
    app = _press(app, f"view_over_{saved.id}")
    assert set(small.views.get(saved.id).view.shown) == {"DB1", "D1"}
    app = _press(app, f"view_more_{saved.id}")
    app = _press(app, f"view_delete_{saved.id}")
    assert small.views.get(saved.id)  # it is asked first
    app = _press(app, f"view_deleting_{saved.id}")
    assert [one.name for one in small.views.list()] == ["Mine"]


def test_the_table_and_the_chat_are_in_step_with_the_canvas(
    small: Workspace, open_page: OpenPage
) -> None:
    app = _linked(small, entity="D1")
    app.session_state["explorer_shown_as"] = "Both"
    app.run()
    entities, relationships = (one.value for one in app.dataframe)
    assert set(entities["Name"]) == {"gout", "Alphacillin", "Betamycin", EVIL}
    assert dict(zip(entities["Name"], entities["On canvas"], strict=True))["gout"] == 3
    assert set(relationships["Relationship"]) == {"treats"}
    app.text_input(key="graph_table_filter").set_value("DISEASE").run()
    assert list(app.dataframe[0].value["Name"]) == ["gout"]
    app = _press(app, "ask_about_shown")
    assert any("4 entities of the graph" in one.label for one in app.button)
    app.chat_input[0].set_value("Which drugs treat gout?").run()
    for run in small.runs.active():
        assert run.wait(60)
    app.run()
    (turn,) = small.conversations.history(app.session_state["chat_session"])
    assert set(turn.answer.within.entities) == {"DB1", "DB2", "D1", "X1"}
    assert "4 entities shown" in turn.answer.text
    app = _press(app, "chip_entities")
    assert not any("of the graph" in one.label for one in app.button)


def test_files_hold_what_is_shown_and_no_cell_is_a_formula() -> None:
    first = Entity(
        "A", "Drug", '=HYPERLINK("http://x")', ("-1", "b"), {"note": "\x00@SUM(1)\u202e"}, 1
    )
    second = Entity("B", "Disease", EVIL)
    facts = [Fact(first, "TREATS", second, {"source": " +1"})]
    with zipfile.ZipFile(io.BytesIO(as_csv([first, second], facts))) as archive:
        tables = {
            name: list(csv.DictReader(io.StringIO(archive.read(name).decode("utf-8-sig"))))
            for name in archive.namelist()
        }
    assert tables["entities.csv"][0]["name"] == '\'=HYPERLINK("http://x")'
    assert tables["entities.csv"][1]["property: note"] == ""
    assert tables["relationships.csv"][0]["property: source"] == "' +1"
    assert not any(
        str(cell).strip()[:1] in tuple("=+-@")
        for table in tables.values()
        for row in table
        for cell in row.values()
    )
    view = GraphView(("A", "B"), "A", pinned={"A": (1.0, 2.0)})
    value = json.loads(as_json(view, [first, second], facts))
    assert checked_view(json.dumps(value["view"])) == view
    assert value["entities"][0]["properties"] == dict(first.properties)
    graph = networkx.parse_graphml(as_graphml([first, second], facts).decode())
    assert graph.nodes["B"]["name"] == EVIL and graph.nodes["A"]["property_note"] == "@SUM(1)\u202e"
    assert [data["relationship"] for _, _, data in graph.edges(data=True)] == ["TREATS"]


def test_only_what_the_tab_showed_at_this_address_comes_back(
    small: Workspace, open_page: OpenPage
) -> None:
    share_workspace(small)
    text = view_to_json(GraphView(("DB1", "gone"), "DB1"))
    kept = json.dumps({"address": ["DB1", ""], "view": text})
    for began in (("DB1", ""), ("", "")):
        view = _kept(kept, began)
        assert view is not None and view.shown == ("DB1",)
    assert _kept(kept, ("D1", "")) is None
    for wrong in ("", "[", "[]", "{}", '{"address": 1, "view": 2}', kept.replace("shown", "x")):
        assert _kept(wrong, ("", "")) is None
    assert _kept(" " * 2_000_000, ("", "")) is None


def test_links_hold_no_more_than_they_are_given() -> None:
    link = link_to("explorer", {"entity": "a&b=c#<x>", "view": ""})
    assert link.endswith("/explorer?entity=a%26b%3Dc%23%3Cx%3E")
