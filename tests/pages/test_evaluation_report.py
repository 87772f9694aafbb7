"""System shows what the last evaluation found."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from core.evaluation.judging import judge
from core.evaluation.questions import Question
from core.evaluation.report import make_report, save_report
from core.workspace import Workspace
from tests.evaluation.make import outcome, passage, told


def _captions(app: AppTest) -> str:
    return " ".join(caption.value for caption in app.caption).replace("\\", "")


def test_no_evaluation_yet_then_the_last_one(
    make_workspace: Callable[..., Workspace], open_page: Callable[..., AppTest]
) -> None:
    workspace = make_workspace()
    app = open_page(workspace, "system.py")
    assert not app.exception and "python -m core evaluate" in _captions(app)

    question = Question(id="a", question="<b>Q</b>?", document="M.pdf", pages=(1,), kind="leaflet")
    answer = told("Yes.", [passage(1, "Yes.", "M.pdf", 2)])
    verdicts = [judge(outcome(question, answer, ("M.pdf", 1)))]
    report = make_report(
        "mine", verdicts, seconds=1, model="extractive", embedding_model="m", threshold=0.45
    )
    save_report(report, workspace.settings.root)
    app = app.run()
    assert not app.exception and "1 questions of “mine”" in _captions(app)
    tables = [table.value for table in app.dataframe]
    measures = next(table for table in tables if "Right page cited" in table)
    assert list(measures["Questions"]) == ["all", "leaflet"]
    assert list(measures["Right page found"]) == ["100% (1 of 1)"] * 2
    assert list(measures["Right page cited"]) == ["0% (0 of 1)"] * 2
    problems = next(table for table in tables if "What is wrong" in table)
    assert list(problems["Question"]) == ["<b>Q</b>?"]
