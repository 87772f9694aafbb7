"""Comparison and ledger through Streamlit's AppTest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.conversations.exporting.ledger import ledger_of
from core.versions.differences import DifferenceKind
from core.versions.service import compare_documents
from core.workspace import Workspace
from pages.parts.history.ledger_view import ledger_rows
from pages.parts.versions.compare_view import compared_rows
from tests.contract.test_conversations import a_full_answer
from tests.pages.test_history_page import text

OpenPage = Callable[..., AppTest]
OLD = "Zolvetrin is taken once a day. The dose of Zolvetrin is 37 mg <b>daily</b>."
NEW = "Zolvetrin is taken once a day. The dose of Zolvetrin is 41 mg <b>daily</b>."


@pytest.fixture
def workspace(make_workspace: Callable[..., Workspace]) -> Workspace:
    return make_workspace()


def test_two_versions_stand_side_by_side(
    workspace: Workspace, open_page: OpenPage, pdf: Callable[..., Path]
) -> None:
    old, new = (
        workspace.library.ingest(pdf(name, words)).document_id
        for name, words in (("Zolvetrin.pdf", OLD), ("Zolvetrin (2).pdf", NEW))
    )
    app = open_page(workspace)
    app.query_params["old"], app.query_params["new"] = old, new
    app.switch_page("compare.py").run()
    assert not app.exception and "**1** changed · **1** with changed numbers" in text(app)
    found = compare_documents(workspace.catalogue, old, new)
    drawn = compared_rows(
        found, lambda one: one.kind is not DifferenceKind.SAME, lambda _section: True
    )
    (row,) = drawn["sections"][0]["rows"]
    assert row["numbers"] == ["37 mg → 41 mg"]
    assert [part for part in row["new"]["parts"] if part[1]] == [["41 mg", "number"]]
    assert "".join(part[0] for part in row["old"]["parts"]) == OLD.split(". ")[1]
    workspace.library.delete(new)
    assert "not in the library" in text(app.run())


def test_the_ledger_of_a_conversation_is_filtered(
    workspace: Workspace, open_page: OpenPage
) -> None:
    known = workspace.conversations
    session, _ = known.open(None, "Which drug?")
    known.keep(session.id, a_full_answer())
    app = open_page(workspace)
    app.query_params["of"] = session.id
    app.switch_page("ledger.py").run()
    assert not app.exception and "in 1 question" in text(app)
    whole = ledger_of(workspace.exports.record(session.id))
    (asked,) = ledger_rows(whole)["questions"]
    assert [one["text"] for one in asked["claims"]] == [c.text for c in whole.claims]
    assert "ledger_unsure" not in {one.key for one in app.toggle}
    known.keep(session.id, replace(a_full_answer(), may_not_answer=True))
    app.run()
    assert f"{len(whole.claims)} of closest passages that may not answer" in text(app)
    rows = ledger_rows(ledger_of(workspace.exports.record(session.id)))["questions"]
    cautions = [[one["caution"] for one in turn["claims"]] for turn in rows]
    assert cautions == [[""] * len(whole.claims), ["May not answer"] * len(whole.claims)]
    app.toggle(key="ledger_unsure").set_value(True).run()
    assert f"{len(whole.claims)} of {2 * len(whole.claims)} shown" in text(app)
    app.toggle(key="ledger_unsure").set_value(False).run()
    app.text_input(key="ledger_words").set_value("no claim has this").run()
    assert f"0 of {2 * len(whole.claims)} shown" in text(app)
    app.query_params["of"] = "another's"
    assert "There is no such conversation" in text(app.run())
