"""`evaluate`: a set of questions whose answers are known, asked and judged."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from core.cli.common import Json, opened, plain, print_json, progress_line
from core.evaluation.evaluator import Evaluator
from core.evaluation.feedback import feedback_set, to_line
from core.evaluation.metrics import Scores, Share
from core.evaluation.questions import SAMPLE_SET, read_questions
from core.evaluation.report import Report, report_to_public

_SAMPLE = "sample"
_WIDTH = 160  # columns where nothing tells how wide the output is


def evaluate(
    questions: Annotated[
        str,
        typer.Argument(metavar="SET", help="JSON Lines file; “sample” is the set that is shipped."),
    ] = _SAMPLE,
    failures: Annotated[
        bool, typer.Option("--failures", help="Also name each question that went wrong, and why.")
    ] = False,
    feedback: Annotated[
        bool,
        typer.Option(
            "--feedback",
            help="Ask nothing: print a SET of the kept answers that you rated up; those rated down are "
            "listed on stderr.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Ask questions whose answers are known, and tell how many were answered well."""
    if feedback:
        _print_feedback(as_json)
        return
    with opened(as_json, sample=True) as workspace:
        path = SAMPLE_SET if questions == _SAMPLE else Path(questions)
        asked, evaluator = read_questions(path), Evaluator(workspace)
        with progress_line("Asking the questions") as tell:
            report = evaluator.evaluate(
                path.stem,
                asked,
                lambda done, total: tell(f"Asking the questions, {done:,} of {total:,}"),
                lambda: tell("Reading the statements of documents that are new"),
            )
        evaluator.keep(report)
        if as_json:
            print_json(report_to_public(report))
            return
        print_scores(report)
        if failures:
            _print_problems(report)
        elif report.problems:
            typer.echo(
                f"\n{len(report.problems):,} questions with problems: --failures names them."
            )


def _print_feedback(as_json: bool) -> None:
    """The rated answers as lines of a question set, and what a person must complete."""
    with opened(as_json) as workspace:
        present = {document.id for document in workspace.catalogue.documents()}
        found = feedback_set(workspace.conversations.rated(), present)
        if as_json:
            lines = [json.loads(to_line(question)) for question in found.questions]
            print_json(
                {"questions": lines, "to_complete": [asdict(one) for one in found.to_complete]}
            )
            return
        for question in found.questions:
            typer.echo(to_line(question))
        for one in found.to_complete:
            comment = f" ({plain(one.comment)})" if one.comment else ""
            typer.echo(f"To be completed: {plain(one.question)}: {one.reason}{comment}", err=True)
        if not found.questions:
            typer.echo("No answer with known pages or a list is rated up.", err=True)
            raise typer.Exit(1)


def print_scores(report: Report) -> None:
    """The table of a report on stdout: one column for all, for each kind, for each language."""
    groups = {"all": report.scores, **report.by_kind}
    if len(report.by_lang) > 1:
        groups |= {f"lang {name}": scores for name, scores in report.by_lang.items()}
    table = Table(box=None, pad_edge=False, header_style="")
    table.add_column(Text(plain(report.questions)))
    for name in groups:
        table.add_column(Text(plain(name)), justify="right")
    rows = [_cells(scores) for scores in groups.values()]
    for label in rows[0]:
        table.add_row(Text(label), *(Text(cells[label]) for cells in rows))
    Console(file=sys.stdout, width=None if sys.stdout.isatty() else _WIDTH).print(table)
    typer.echo(
        f"\nAnswers by {plain(report.model) or 'nobody'}, embeddings by "
        f"{plain(report.embedding_model)}, threshold {report.threshold:g}, {report.seconds:.0f} s."
    )


def _cells(scores: Scores) -> dict[str, str]:
    """The rows of one column, label -> value."""
    return {
        "questions": f"{scores.questions:,}",
        "retrieval hit rate": _share(scores.retrieval),
        "page citation precision": _share(scores.citation_precision),
        "page citation recall": _share(scores.citation_recall),
        "answer strings": _share(scores.answer),
        "prompt holds the answer": _share(scores.prompt),
        "prompt tokens, median": f"{scores.prompt_tokens:,.0f}",
        "exact lists": _share(scores.entities),
        "refusal precision": _share(scores.refusal_precision),
        "refusal recall": _share(scores.refusal_recall),
        "answered (right)": _state(scores.answered, scores.answered_right),
        "may not answer (right)": _state(scores.may_not_answer, scores.may_not_answer_right),
        "not in the library": f"{scores.not_in_library:,}",
        "unsupported sentences": f"{scores.flagged:,}",
        "forbidden strings told": _share(scores.forbidden),
        "forbidden instead of the right": _share(scores.instead),
        "numbers without evidence": f"{scores.invented:,}",
        "errors": f"{scores.failed:,}",
        "p50 ms": f"{scores.p50_ms:,.0f}",
        "p95 ms": f"{scores.p95_ms:,.0f}",
        "max ms": f"{scores.max_ms:,.0f}",
        "within 3 s, no model called": _share(scores.within_3s),
        "p95 ms without the model": f"{scores.own_p95_ms:,.0f}",
        "model called, the rest within 1 s": _share(scores.own_within_1s),
    }


def _share(share: Share) -> str:
    return "" if share.value is None else f"{share.value:.3f} ({share.part}/{share.of})"


def _state(number: int, right: Share) -> str:
    """How many, and of those whose rightness is known the share that is right."""
    return f"{number:,} ({_share(right)})" if right.of else f"{number:,}"


def _print_problems(report: Report) -> None:
    for problem in report.problems:
        reasons = "; ".join(problem.reasons)
        typer.echo(f"{plain(problem.id)}: {plain(problem.question)} -> {plain(reasons)}")
