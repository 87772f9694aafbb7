"""The report of an evaluation, and the file in the data folder that keeps the last one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from core.evaluation.judging import Verdict
from core.evaluation.metrics import Scores, Share, score, score_groups
from core.logs import get_logger

_LAST = Path("evaluation") / "last.json"
_log = get_logger("evaluation")


@dataclass(frozen=True, slots=True)
class FaultyAnswer:
    """What is wrong with the answer to one question."""

    id: str
    kind: str
    question: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What an evaluation found.

    Attributes:
        questions: name of the question set.
        made_at: when it ended, UTC.
        seconds: how long it took.
        model: what wrote the answers, a language model's name or ``extractive``.
        threshold: relevance below which a question is refused.
        by_kind, by_lang: the same measures for each group of questions.
        problems: every question with something wrong, in the order of the set.
    """

    questions: str
    made_at: datetime
    seconds: float
    model: str
    embedding_model: str
    threshold: float
    scores: Scores
    by_kind: dict[str, Scores]
    by_lang: dict[str, Scores]
    problems: tuple[FaultyAnswer, ...]


def make_report(
    name: str,
    verdicts: Sequence[Verdict],
    *,
    seconds: float,
    model: str,
    embedding_model: str,
    threshold: float,
) -> Report:
    """The report of judged answers, made now."""
    return Report(
        questions=name,
        made_at=datetime.now(UTC),
        seconds=round(seconds, 1),
        model=model,
        embedding_model=embedding_model,
        threshold=threshold,
        scores=score(verdicts),
        by_kind=score_groups(verdicts, lambda verdict: verdict.kind),
        by_lang=score_groups(verdicts, lambda verdict: verdict.lang),
        problems=tuple(
            FaultyAnswer(verdict.id, verdict.kind, verdict.question, verdict.problems)
            for verdict in verdicts
            if verdict.problems
        ),
    )


def report_to_public(report: Report) -> dict[str, Any]:
    """A report as plain JSON values; each share has its `value` beside the two counts."""
    return {
        **asdict(report),
        "made_at": report.made_at.isoformat(),
        "scores": _scores_to_public(report.scores),
        "by_kind": {name: _scores_to_public(one) for name, one in report.by_kind.items()},
        "by_lang": {name: _scores_to_public(one) for name, one in report.by_lang.items()},
    }


def _scores_to_public(scores: Scores) -> dict[str, Any]:
    values = {field.name: getattr(scores, field.name) for field in fields(scores)}
    return {
        name: {**asdict(value), "value": value.value} if isinstance(value, Share) else value
        for name, value in values.items()
    }


def save_report(report: Report, root: Path) -> Path:
    """Keep a report as the last one of a data folder; a reader sees the old one or the new one.

    Raises:
        OSError: the data folder cannot be written.
    """
    place = root / _LAST
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_name(f"{place.name}.{os.getpid()}.part")
    try:
        part.write_bytes(TypeAdapter(Report).dump_json(report, indent=1))
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)
    return place


def last_report(root: Path) -> Report | None:
    """The last report of a data folder; None when there is none, or none that can be read."""
    try:
        return TypeAdapter(Report).validate_json((root / _LAST).read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        _log.warning("report_unreadable", reason=type(error).__name__)
        return None
