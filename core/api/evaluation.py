"""How well questions with known answers are answered: the last report, and a new evaluation as a job."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from core.api.graph import begun
from core.api.guard import Body, Served, declared_json, in_thread, text_of, with_json
from core.api.places import allowed, existing_file
from core.errors import NotFound
from core.evaluation.evaluator import EVALUATE
from core.evaluation.questions import SAMPLE_SET, read_questions
from core.evaluation.report import last_report, report_to_public
from core.workspace import Workspace


def last(workspace: Workspace, _request: Request) -> Response:
    """GET: the report of the last evaluation."""
    report = last_report(workspace.settings.root)
    if report is None:
        raise NotFound(
            "Nothing was evaluated yet.",
            advice="POST /api/evaluation asks the questions that come along.",
            code="NOT_EVALUATED",
        )
    return JSONResponse(report_to_public(report))


def evaluate(workspace: Workspace, body: Body) -> Response:
    """POST, with `path` of a question set on the server's machine (without: the set that comes along): the
    evaluation is begun. With a language model every question that is not refused is a paid call."""
    given = text_of(body, "path", "")
    path = SAMPLE_SET
    if given:
        path = existing_file(allowed(given, workspace.settings.readable_folders))
    read_questions(path)  # what is wrong with a set is told now
    params = {"path": str(path)}
    name = f"Evaluation of {path.stem}"
    return begun(workspace.jobs.submit(EVALUATE, name, params, keep=False))


TABLE = (
    Served("GET", "/api/evaluation", in_thread(last)),
    Served("POST", "/api/evaluation", declared_json(with_json(evaluate))),
)
