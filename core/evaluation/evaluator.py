"""An evaluation from its questions to its report: by hand, or as a job of which the report is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from core.answers.chat import ChatService
from core.conversations.service import Conversations
from core.documents.jobs.control import JobControl
from core.domain.encoder import Encoder
from core.domain.jobs import JobProgress
from core.errors import StoreError
from core.evaluation.judging import judge
from core.evaluation.questions import Question, read_questions
from core.evaluation.report import Report, make_report, save_report
from core.evaluation.run import QuestionRun
from core.evidence.reading.ahead import ReadAhead
from core.settings import Settings

EVALUATE = "evaluate"


class Evaluated(Protocol):
    """What is evaluated: a workspace."""

    @property
    def settings(self) -> Settings: ...
    @property
    def chat(self) -> ChatService: ...
    @property
    def conversations(self) -> Conversations: ...
    @property
    def read_ahead(self) -> ReadAhead: ...

    def encoder(self) -> Encoder: ...


class Evaluator:
    """Asks questions whose answers are known, and judges the answers."""

    def __init__(self, workspace: Evaluated) -> None:
        self._workspace = workspace

    def evaluate(
        self,
        name: str,
        questions: Sequence[Question],
        report: Callable[[int, int], None] = lambda _done, _total: None,
        reading: Callable[[], None] = lambda: None,
    ) -> Report:
        """Ask all questions of a set and judge the answers; `reading` hears that documents are read first.

        Raises:
            StoreError, ModelError: a store or the embedding model cannot be used.
        """
        workspace = self._workspace
        # Loading the model is no part of a question's time,
        workspace.encoder().encode(["warm-up"])
        reading()
        # and reading documents, which the dashboard does after an ingestion, is none either.
        workspace.read_ahead.read_all()
        started = time.perf_counter()
        run = QuestionRun(workspace.chat, workspace.conversations)
        outcomes = run.ask_all(questions, report)
        models = dict.fromkeys(outcome.answer.model for outcome in outcomes if outcome.answer)
        return make_report(
            name,
            [judge(outcome) for outcome in outcomes],
            seconds=time.perf_counter() - started,
            model=", ".join(models),
            embedding_model=workspace.settings.embedding_model,
            threshold=workspace.settings.relevance_threshold,
        )

    def keep(self, report: Report) -> None:
        """Keep a report as the last one.

        Raises:
            StoreError: the data folder cannot be written.
        """
        try:
            save_report(report, self._workspace.settings.root)
        except OSError as error:
            raise StoreError(
                "The report cannot be kept in the data folder.",
                advice="Look whether the folder can be written and the disk has room.",
            ) from error

    def job(self, control: JobControl) -> str:
        """Params: ``path`` of a question set."""
        path = Path(control.params["path"])

        def report(done: int, total: int) -> None:
            control.check()
            control.report(
                JobProgress(
                    f"asking the questions, {done:,} of {total:,}",
                    done=done,
                    files=total,
                    fraction=done / total if total else 0.0,
                )
            )

        def reading() -> None:
            control.report(JobProgress("reading the statements of documents"))

        done = self.evaluate(path.stem, read_questions(path), report, reading)
        self.keep(done)
        return f"{done.scores.questions:,} questions asked; {len(done.problems):,} with problems."
