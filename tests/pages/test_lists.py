"""What the chat shows of plans: what was understood, whole lists, what may be asked instead."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import replace

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button, Selectbox, TextInput

from core.domain.answers import Answer
from core.domain.plans import AnswerList, Member
from core.workspace import Workspace
from pages.parts.chat.lists import _csv, _table, _whole_csv
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


def test_a_question_is_answered_without_an_unknown_word_at_a_click(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    app = ask(open_page(sample_workspace), "Which topical drugs treat hypertension?")
    assert not _last(sample_workspace, app).lists
    (button,) = [one for one in app.button if "Ask without" in one.label]
    assert _plain(button.label) == "Ask without “topical”: Drugs that treat hypertension"
    app = answered(button.click().run())
    assert _last(sample_workspace, app).lists[0].members
    assert (
        "Understood: Drugs that treat hypertension (changed by you; leaves out “topical”, not understood)"
    ) in [_plain(one.value) for one in app.caption]


def test_the_closest_says_that_it_was_not_understood_word_by_word(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    question = "For the target ADRB1, what topical drugs exist?"
    app = ask(open_page(sample_workspace), question)
    (button,) = [one for one in app.button if "closest" in one.label]
    said = _plain(button.label)
    assert said.startswith(
        "Not understood word by word; ask the closest that can be computed without"
    )
    assert "“topical”" in said and said.endswith(": Drugs that target ADRB1")


def test_the_csv_of_a_list_that_was_not_kept_whole_is_made_from_the_graph(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    open_page(sample_workspace)
    answer = sample_workspace.chat.answer("List all drugs")
    (whole,) = answer.lists
    assert len(whole.members) > 200 and whole.kept() == whole
    cut = replace(whole, members=whole.members[:3], total=len(whole.members))
    written = _whole_csv(replace(answer, lists=(cut,)), 0)()
    assert written == _csv(_table(whole))
    rows = list(csv.DictReader(io.StringIO(written.decode("utf-8-sig"))))
    assert [row["Id"] for row in rows] == [one.id for one in whole.members]


def test_no_cell_of_a_table_is_taken_for_a_formula() -> None:
    member = Member('=HYPERLINK("http://x")', "Drug", "@SUM(1)", (("-1", "TREATS", "+2"),))
    written = _csv(_table(AnswerList("A list", (member,), {"+2": "+gout"})))
    assert written.startswith(b"\xef\xbb\xbf")
    (row,) = csv.DictReader(io.StringIO(written.decode("utf-8-sig")))
    assert (row["Name"], row["Id"]) == ("'@SUM(1)", '\'=HYPERLINK("http://x")')
    assert row["Because"] == "'-1 treats +gout"


def _button(app: AppTest, label: str) -> Button:
    (found,) = [one for one in app.button if one.label == label]
    return found


def _choice(app: AppTest, label: str) -> Selectbox:
    (found,) = [one for one in app.selectbox if one.label == label]
    return found


def test_what_was_understood_is_corrected_and_the_turn_says_both(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    app = ask(open_page(sample_workspace), "Which drugs treat hypertension?")
    first = _last(sample_workspace, app)
    app = _button(app, "Change").click().run()
    assert "**Drugs that treat hypertension**" in [_plain(one.value) for one in app.markdown]
    assert _button(app, "Ask so").disabled  # nothing is changed yet
    # The graph has it as a disease and as an effect.
    effect = next(one for one in _choice(app, "Name").options if "symptom" in one)
    app = _choice(app, "Name").set_value(effect).run()
    assert "**Drugs that can cause hypertension**" in [_plain(one.value) for one in app.markdown]
    app = _choice(app, "Relationship").select("are not said in the graph to cause").run()
    assert _button(app, "Ask so").disabled
    assert any("only what is not wanted" in _plain(one.value) for one in app.caption)
    app = _choice(app, "Relationship").select("can cause").run()
    app = answered(_button(app, "Ask so").click().run())
    assert not app.exception
    answer = _last(sample_workspace, app)
    assert (answer.question, answer.plan_as_read) == (first.question, first.plan)
    assert answer.understood == "Drugs that can cause hypertension" and answer.lists[0].members
    assert (
        "Understood: Drugs that can cause hypertension (changed by you; was: Drugs that treat "
        "hypertension)"
    ) in [_plain(one.value) for one in app.caption]


def _typed(app: AppTest, label: str) -> TextInput:
    (found,) = [one for one in app.text_input if one.label == label]
    return found


def test_a_condition_is_added_and_denied(sample_workspace: Workspace, open_page: OpenPage) -> None:
    app = ask(open_page(sample_workspace), "Which drugs treat hypertension?")
    treating = {one.id for one in _last(sample_workspace, app).lists[0].members}
    app = _button(app, "Change").click().run()
    app = _typed(app, "One more condition").set_value("ADRB11").run()
    assert any("Nothing here is called “ADRB11”" in _plain(one.value) for one in app.caption)
    assert any(_plain(one.label) == "Add ADRB1 (protein)" for one in app.button)
    assert _button(app, "Ask so").disabled
    app = _typed(app, "One more condition").set_value("ADRB1").run()
    said = "Drugs that treat hypertension and target ADRB1"
    assert f"**{said}**" in [_plain(one.value) for one in app.markdown]
    links = [one for one in app.selectbox if one.label == "Relationship"]
    app = links[-1].select("are not said in the graph to target").run()
    app = answered(_button(app, "Ask so").click().run())
    assert not app.exception
    answer = _last(sample_workspace, app)
    assert (
        answer.understood
        == "Drugs that treat hypertension and are not said in the graph to target ADRB1"
    )
    kept = {one.id for one in answer.lists[0].members}
    targeting = {
        fact.source.id
        for protein in sample_workspace.graph.entities_named("ADRB1")
        for fact in sample_workspace.graph.facts(protein.id, "TARGETS")
    }
    assert kept == treating - targeting and kept < treating


def test_a_word_that_was_not_understood_is_left_out_on_purpose(
    sample_workspace: Workspace, open_page: OpenPage
) -> None:
    app = ask(open_page(sample_workspace), "Which drugs worsen hypertension?")
    assert not _last(sample_workspace, app).lists
    app = _button(app, "Change").click().run()
    assert any(
        "Not understood, and left out if you ask so: “worsen”" in _plain(one.value)
        for one in app.caption
    )
    app = answered(_button(app, "Ask so").click().run())
    assert _last(sample_workspace, app).lists
    assert (
        "Understood: Drugs that treat hypertension (changed by you; leaves out “worsen”, not "
        "understood)"
    ) in [_plain(one.value) for one in app.caption]
