"""What was not asked is a click away, and notices are shown by their first sentences."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.questions.library.one_by_one import MOST
from core.workspace import Workspace
from tests.pages.conftest import answered, ask

NAMES = [f"Medivar{chr(97 + n)}ol" for n in range(MOST + 2)]
TEXT = "# {name} 5 mg tablets\n\n## 5. How to store {name}\n\nStore {name} in the fridge at 2 °C to 8 °C."


@pytest.mark.req("AX-6")
def test_the_rest_is_asked_by_a_click(
    own_workspace: Workspace, open_page: Callable[..., AppTest], tmp_path: Path
) -> None:
    for name in NAMES:
        file = tmp_path / f"{name}.md"
        file.write_text(TEXT.format(name=name), "utf-8")
        assert own_workspace.library.ingest(file).state == "ready"
    app = ask(open_page(own_workspace), "Which of my medicines must be stored in the fridge?")
    (warned,) = [one.value.replace("\\", "") for one in app.warning]
    assert f"Of {len(NAMES)} documents the {MOST} with the closest passages were asked" in warned
    assert "others may say something of it, too." in warned and "below the answer" not in warned
    folded = next(one for one in app.expander if one.label == "More on this")
    assert "asked by a click below the answer" in " ".join(one.value for one in folded.caption)

    (button,) = [one for one in app.button if one.label == "Ask the remaining 2 documents"]
    app = answered(button.click().run())
    assert not app.exception
    (session,) = own_workspace.conversations.list()
    first, then = (turn.answer for turn in own_workspace.conversations.history(session.id))
    assert len(first.document_ids) == MOST and len(then.document_ids) == 2
    assert not first.document_ids & then.document_ids
    labels = [one.label for one in app.button if one.label.startswith("Ask the remaining")]
    assert len(labels) == 1  # that of the first answer
    assert any("in: Medivar" in one.value.replace("\\", "") for one in app.caption)
