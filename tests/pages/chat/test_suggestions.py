"""Offered questions in the panel, and usage on the history page."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from core.workspace import Workspace
from tests.pages.conftest import answered, ask

OpenPage = Callable[..., AppTest]
WAIT = 120.0
REFUSED = "What is the capital of France?"


def offered(app: AppTest, key: str) -> list[str]:
    """What the buttons say whose keys begin so."""
    found = [one for one in app.button if one.key and one.key.startswith(key)]
    return [one.label.replace("\\", "") for one in found]


def test_a_click_on_an_offered_question_asks_it(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    starters = sample_workspace.suggestions.starters().result(WAIT)
    app = open_page(sample_workspace)
    assert offered(app, "example_") == [one.question for one in starters]
    app.button(key="example_1").click().run()
    answered(app)
    session = str(app.session_state["chat_session"])
    turns = sample_workspace.conversations.history(session)
    follow_ups = sample_workspace.suggestions.follow_ups(turns).result(WAIT)
    app.run()
    assert not app.exception and not offered(app, "example_")
    assert offered(app, "follow_up_") == [one.question for one in follow_ups]
    app.button(key=f"follow_up_{turns[-1].id}_0").click().run()
    answered(app)
    asked = sample_workspace.conversations.history(session)
    assert [turn.question for turn in asked] == [starters[1].question, follow_ups[0].question]
    sample_workspace.suggestions.follow_ups(asked).result(WAIT)
    app.run()
    assert all(
        asked[-1].id in str(one.key) for one in app.button if "follow_up_" in str(one.key)
    ), "under the newest answer alone"


def test_with_nothing_to_ask_about_the_panel_says_what_to_do_first(
    make_workspace: Callable[..., Workspace], open_page: OpenPage
) -> None:
    workspace = make_workspace()
    workspace.suggestions.starters().result(WAIT)
    app = open_page(workspace)
    assert not offered(app, "example_") and not app.exception
    assert "Put documents into the library first" in app.sidebar.info[0].value


def test_usage_is_counted_when_its_fold_is_opened(
    make_workspace: Callable[..., Workspace], open_page: OpenPage
) -> None:
    workspace = make_workspace()
    app = open_page(workspace, "history.py")
    app.session_state["history_usage"] = True
    app.run()
    assert "There is no answer to count." in [one.value for one in app.main.caption]
    ask(app, REFUSED)
    app.session_state["history_usage"] = True
    app.run()
    assert not app.exception
    metrics = {one.label: one.value for one in app.main.metric}
    assert (metrics["Questions"], metrics["Refused"]) == ("1", "100%")
    tables = [table.value for table in app.main.dataframe]
    assert tables[0].set_index("What")["How much"]["Refused"] == "1 (100%)"
    assert list(tables[1]["Questions"]) == [1]
    app.session_state["history_usage"] = False
    app.run()
    assert not app.main.metric, "nothing is counted in a closed fold"
