"""What the chat shows of plans: what was understood, whole lists, what may be asked instead."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from core.domain.answers import Answer
from core.domain.plans import AnswerList, Member
from core.workspace import Workspace
from pages.parts.chat.lists import _csv, _table
from tests.pages.conftest import answered, ask

OpenPage = Callable[..., AppTest]


def _plain(text: object) -> str:
    return str(text).replace("\\", "")


def _last(workspace: Workspace, app: AppTest) -> Answer:
    return workspace.conversations.history(app.session_state["chat_session"])[-1].answer


def test_a_whole_list_stands_under_its_answer(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    app = ask(open_page(sample_workspace), "Which drugs treat hypertension?")
    members = _last(sample_workspace, app).lists[0].members
    assert len(members) > 12
    captions = [_plain(one.value) for one in app.caption]
    assert "Understood: Drugs that treat hypertension" in captions
    titles = [_plain(one.label) for one in app.expander]
    assert f"All {len(members)}: Drugs that treat hypertension" in titles
    (table,) = [one.value for one in app.dataframe if "Because" in one.value]
    assert list(table["Id"]) == [one.id for one in members]
    assert set(table["Because"]) == {f"{one.name} treats hypertension" for one in members}
    (filtered,) = [one for one in app.text_input if one.label == "Filter"]
    app = filtered.set_value(members[-1].name).run()
    (table,) = [one.value for one in app.dataframe if "Because" in one.value]
    assert members[-1].id in set(table["Id"]) and len(table) < len(members)


def test_what_the_graph_has_is_offered_for_a_narrower_name(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    app = ask(open_page(sample_workspace), "Which drugs treat juvenile gout?")
    assert any("The graph has no “juvenile gout”" in _plain(one.value) for one in app.warning)
    (button,) = [one for one in app.button if "Ask instead" in one.label]
    assert _plain(button.label) == "Ask instead: Which drugs treat gout?"
    app = answered(button.click().run())
    answer = _last(sample_workspace, app)
    assert answer.question == "Which drugs treat gout?" and answer.lists[0].members


def test_no_cell_of_a_table_is_taken_for_a_formula() -> None:
    member = Member('=HYPERLINK("http://x")', "Drug", "@SUM(1)", (("-1", "TREATS", "+2"),))
    written = _csv(_table(AnswerList("A list", (member,), {"+2": "+gout"})))
    assert written.startswith(b"\xef\xbb\xbf")
    (row,) = csv.DictReader(io.StringIO(written.decode("utf-8-sig")))
    assert (row["Name"], row["Id"]) == ("'@SUM(1)", '\'=HYPERLINK("http://x")')
    assert row["Because"] == "'-1 treats +gout"
