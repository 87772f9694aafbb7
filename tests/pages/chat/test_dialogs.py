"""Where the chat's dialog stands, nothing is drawn once it is closed, at the same path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from streamlit.testing.v1 import AppTest

from core.workspace import Workspace
from tests.pages.conftest import ask

_EVENTS = 2  # the container that dialogs stand in, beside main and sidebar


def _drawn(app: AppTest) -> dict[int, str]:
    """What is drawn in the container of dialogs, by its place."""
    events: Any = app._tree.children[_EVENTS]
    return {place: one.type for place, one in events.children.items()}


def test_a_closed_dialog_leaves_nothing_in_its_place(
    sample_workspace: Workspace, open_page: Callable[..., AppTest]
) -> None:
    """The browser alone knows that a dialog is closed: what a run that was under way drew there would stay."""
    app = ask(open_page(sample_workspace), "Which drugs treat gout?")
    empty = _drawn(app)
    assert "dialog" not in empty.values()
    change = next(one for one in app.button if one.key and one.key.startswith("correct_"))
    opened = _drawn(change.click().run())
    (place,) = (at for at, kind in opened.items() if kind == "dialog")
    assert empty[place] == "empty"
