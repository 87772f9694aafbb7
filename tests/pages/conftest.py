"""Pages run in Streamlit's AppTest over the loaded sample."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.workspace import Workspace, share_workspace, shared_workspace

FRAME = Path(__file__).resolve().parents[2] / "pages" / "frame.py"


@pytest.fixture
def open_page() -> Iterator[Callable[..., AppTest]]:
    """Opens a page of a workspace, starting from the frame as the server does."""

    def open_(workspace: Workspace, page: str = "") -> AppTest:
        share_workspace(workspace)
        app = AppTest.from_file(str(FRAME), default_timeout=60).run()
        return app.switch_page(page).run() if page else app

    yield open_
    share_workspace(None)


def ask(app: AppTest, question: str) -> AppTest:
    """Ask, wait for the answer, and have it drawn (a browser's panel does so by itself)."""
    return answered(app.chat_input[0].set_value(question).run())


def answered(app: AppTest) -> AppTest:
    """The page when everything that was asked has come to its end."""
    for run in shared_workspace().runs.active():
        assert run.wait(60), "no answer came"
    return app.run()
