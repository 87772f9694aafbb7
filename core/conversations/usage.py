"""How Materia is used, from the turns that are kept: counted, never guessed."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, tzinfo
from statistics import median
from typing import Any

from core.domain.answers import State, Support
from core.domain.conversations import AnswerSubject, Rating, TurnUsage

_MOST_ENTITIES = 10
_STEPS = ("retrieve", "expand", "generate", "model")
_SUPPORTED = {
    Support.DOCUMENT: "Sentences on a document",
    Support.GRAPH: "Sentences on the graph",
    Support.BOTH: "Sentences on both",
    Support.UNSUPPORTED: "Sentences on nothing",
}


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds from question to answer.

    Attributes:
        p95: 95 of 100 answers took no longer (nearest rank).
    """

    median: float
    p95: float


@dataclass(frozen=True, slots=True)
class DayOfUse:
    """One day.

    Attributes:
        states: how many answers of each.
        cost: in US dollars, of those whose price is known.
    """

    day: date
    states: Mapping[State, int]
    times: Times
    tokens: int
    cost: float

    @property
    def questions(self) -> int:
        return sum(self.states.values())


@dataclass(frozen=True, slots=True)
class UsageReport:
    """What the turns say together.

    Attributes:
        days: with at least one question, in order.
        entities: named in questions, the most frequent first; ten at most.
        ratings: how many answers were rated so.
        supports: sentences by what they rest on.
        by_model: answers that a language model wrote, or tried to.
        prompt_tokens, completion_tokens: as the provider counts them; `estimated` of these answers did it not.
        cost: in US dollars; `unpriced` answers are of models whose price is not known.
        times: None without a question.
    """

    days: tuple[DayOfUse, ...]
    entities: tuple[AnswerSubject, ...]
    ratings: Mapping[Rating, int]
    supports: Mapping[Support, int]
    by_model: int
    prompt_tokens: int
    completion_tokens: int
    estimated: int
    cost: float
    unpriced: int
    times: Times | None

    @property
    def questions(self) -> int:
        return sum(day.questions for day in self.days)

    @property
    def states(self) -> Mapping[State, int]:
        """How many answers of each state."""
        return {state: sum(day.states.get(state, 0) for day in self.days) for state in State}

    @property
    def refused_share(self) -> float:
        """In [0, 1]; 0 without a question."""
        refused = self.states[State.NOT_IN_LIBRARY]
        return refused / self.questions if self.questions else 0.0


def usage_report(turns: Sequence[TurnUsage], zone: tzinfo | None = None) -> UsageReport:
    """The report on some turns.

    Args:
        zone: in which days begin; None for this machine's.
    """
    days: dict[date, list[TurnUsage]] = defaultdict(list)
    for turn in turns:
        days[turn.asked_at.astimezone(zone).date()].append(turn)
    used = [turn.used for turn in turns if turn.used is not None]
    return UsageReport(
        tuple(_day(day, days[day]) for day in sorted(days)),
        _entities(turns),
        {one: sum(turn.rating is one for turn in turns) for one in Rating},
        {one: sum(turn.supports.count(one) for turn in turns) for one in Support},
        len(used),
        sum(one.prompt_tokens for one in used),
        sum(one.completion_tokens for one in used),
        sum(not one.counted for one in used),
        math.fsum(one.cost or 0.0 for one in used),
        sum(one.cost is None for one in used),
        _times(turns) if turns else None,
    )


def _day(day: date, turns: Sequence[TurnUsage]) -> DayOfUse:
    used = [turn.used for turn in turns if turn.used is not None]
    return DayOfUse(
        day,
        Counter(turn.state for turn in turns),
        _times(turns),
        sum(one.prompt_tokens + one.completion_tokens for one in used),
        math.fsum(one.cost or 0.0 for one in used),
    )


def step_times(turns: Sequence[TurnUsage]) -> dict[str, tuple[Times, int]]:
    """Step of an answer -> its times and in how many answers it was measured, in the order of the steps."""
    found = {}
    for step in _STEPS:
        seconds = sorted(one.steps[step] / 1000 for one in turns if step in one.steps)
        if seconds:
            found[step] = (_of(seconds), len(seconds))
    return found


def _times(turns: Sequence[TurnUsage]) -> Times:
    return _of(sorted(turn.seconds for turn in turns))


def _of(seconds: Sequence[float]) -> Times:
    return Times(median(seconds), seconds[math.ceil(0.95 * len(seconds)) - 1])


def _entities(turns: Sequence[TurnUsage]) -> tuple[AnswerSubject, ...]:
    counts = Counter(one.id for turn in turns for one in turn.named)
    latest = {one.id: one for turn in turns for one in turn.named}
    order = sorted(counts, key=lambda one: (-counts[one], latest[one].name, one))
    return tuple(
        AnswerSubject(one, latest[one].name, latest[one].type, counts[one])
        for one in order[:_MOST_ENTITIES]
    )


def usage_to_public(report: UsageReport) -> dict[str, Any]:
    """A report in the fields that scripts rely on; seconds, US dollars, shares in [0, 1]."""
    return {
        "questions": report.questions,
        "states": {str(state): count for state, count in report.states.items()},
        "refusedShare": round(report.refused_share, 4),
        "ratings": {str(rating): count for rating, count in report.ratings.items()},
        "support": {str(support): count for support, count in report.supports.items()},
        "seconds": _times_to_public(report.times) if report.times else None,
        "model": {
            "answers": report.by_model,
            "promptTokens": report.prompt_tokens,
            "completionTokens": report.completion_tokens,
            "estimated": report.estimated,
            "cost": round(report.cost, 6),
            "unpriced": report.unpriced,
        },
        "entities": [
            {"id": one.id, "name": one.name, "type": one.type, "questions": one.answers}
            for one in report.entities
        ],
        "days": [
            {
                "day": one.day.isoformat(),
                "questions": one.questions,
                "states": {str(state): one.states.get(state, 0) for state in State},
                "seconds": _times_to_public(one.times),
                "tokens": one.tokens,
                "cost": round(one.cost, 6),
            }
            for one in report.days
        ],
    }


def usage_lines(report: UsageReport) -> list[tuple[str, str]]:
    """A report as rows of a name and a value, in words."""
    states, supports = report.states, report.supports
    told = sum(supports.values()) or 1
    rows = [
        ("Questions", f"{report.questions:,}"),
        ("Answered", f"{states[State.ANSWERED]:,}"),
        ("Closest passages only", f"{states[State.MAY_NOT_ANSWER]:,}"),
        ("Refused", f"{states[State.NOT_IN_LIBRARY]:,} ({report.refused_share:.0%})"),
        ("Graph could not be reached", f"{states[State.GRAPH_UNAVAILABLE]:,}"),
        ("Rated good", f"{report.ratings[Rating.UP]:,}"),
        ("Rated wrong", f"{report.ratings[Rating.DOWN]:,}"),
    ]
    rows += [
        (_SUPPORTED[one], f"{supports[one]:,} ({supports[one] / told:.0%})") for one in Support
    ]
    if report.times is not None:
        rows += [
            ("Time, median", f"{report.times.median:.1f} s"),
            ("Time, 95th percentile", f"{report.times.p95:.1f} s"),
        ]
    if report.by_model:
        about = "about " if report.estimated else ""
        tokens = f"{about}{report.prompt_tokens:,} + {report.completion_tokens:,}"
        unpriced = f"; without a known price: {report.unpriced:,}" if report.unpriced else ""
        rows += [
            ("Answers by a model", f"{report.by_model:,}"),
            ("Tokens, prompt + answer", tokens),
            ("Cost", f"${report.cost:,.4f}{unpriced}"),
        ]
    if report.entities:
        named = ", ".join(f"{one.name} ({one.answers:,})" for one in report.entities)
        rows.append(("Asked about most", named))
    return rows


def _times_to_public(times: Times) -> dict[str, float]:
    return {"median": round(times.median, 3), "p95": round(times.p95, 3)}
