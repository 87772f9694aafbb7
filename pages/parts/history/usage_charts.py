"""The charts of usage: each with a title, units on its axes, and what it shows in words beneath it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.conversations.usage import DayOfUse
from core.domain.answers import State, Support
from core.domain.conversations import AnswerSubject
from pages.parts.shared.charts import (
    BLUE,
    GREEN,
    ORANGE,
    RED,
    VIOLET,
    Encoding,
    bar_chart,
    chart,
    number_axis,
)
from pages.parts.shared.text import counted, duration, short

STATES = {
    State.ANSWERED: "answered",
    State.MAY_NOT_ANSWER: "closest passages",
    State.NOT_IN_LIBRARY: "refused",
    State.GRAPH_UNAVAILABLE: "graph not reached",
}
_SUPPORTS = {
    Support.DOCUMENT: "a document",
    Support.GRAPH: "the graph",
    Support.BOTH: "both",
    Support.UNSUPPORTED: "nothing",
}
_MOST_DAYS = 31  # in a chart, the latest; the table has all
_LONGEST = 24  # characters of a name


def questions_chart(days: Sequence[DayOfUse]) -> None:
    """Questions a day, by what became of them."""
    shown = days[-_MOST_DAYS:]
    rows = [
        {"day": one.day.isoformat(), "state": label, "questions": one.states.get(state, 0)}
        for one in shown
        for state, label in STATES.items()
    ]
    most = max(shown, key=lambda one: one.questions)
    told = (
        f"{counted(sum(one.questions for one in shown), 'question')} on {counted(len(shown), 'day')}; "
        f"most on {most.day} ({most.questions:,})."
    )
    chart(
        "Questions a day",
        rows,
        _cut(told, days),
        {
            "x": _days(),
            "y": number_axis("questions", "Questions"),
            "color": _colours("state", STATES.values(), (GREEN, ORANGE, RED, VIOLET)),
        },
    )


def times_chart(days: Sequence[DayOfUse]) -> None:
    """Median and 95th percentile of the time to the answer, by day."""
    shown = days[-_MOST_DAYS:]
    rows = [
        {"day": one.day.isoformat(), "of": label, "seconds": round(seconds, 2)}
        for one in shown
        for label, seconds in (("median", one.times.median), ("95th percentile", one.times.p95))
    ]
    last = shown[-1]
    told = (
        f"On {last.day} half of the answers took no longer than {duration(last.times.median)}, "
        f"95 of 100 no longer than {duration(last.times.p95)}."
    )
    chart(
        "Time to the answer",
        rows,
        _cut(told, days),
        {
            "x": _days(),
            "y": number_axis("seconds", "Seconds", whole=False),
            "color": _colours("of", ("median", "95th percentile"), (GREEN, ORANGE)),
        },
        mark={"type": "line", "point": True},
    )


def tokens_chart(days: Sequence[DayOfUse]) -> None:
    """Tokens of the language model a day, with what they cost in the tooltip."""
    shown = days[-_MOST_DAYS:]
    rows = [
        {"day": one.day.isoformat(), "tokens": one.tokens, "cost in $": round(one.cost, 4)}
        for one in shown
    ]
    tokens, cost = sum(one.tokens for one in shown), sum(one.cost for one in shown)
    told = f"{counted(tokens, 'token')} for ${cost:,.4f}, as far as prices are known."
    chart(
        "Tokens of the language model",
        rows,
        _cut(told, days),
        {"x": _days(), "y": number_axis("tokens", "Tokens"), "color": {"value": VIOLET}},
    )


def entities_chart(entities: Sequence[AnswerSubject]) -> None:
    """What questions name most."""
    if not entities:
        return
    # Two of one name would be one bar.
    names = [f"{short(one.name, _LONGEST)} ({one.type})" for one in entities]
    rows = [
        {"entity": name, "questions": one.answers}
        for name, one in zip(names, entities, strict=True)
    ]
    first = entities[0]
    bar_chart(
        "Asked about most",
        rows,
        f"Most: {first.name}, in {counted(first.answers, 'question')}.",
        "entity",
        number_axis("questions", "Questions"),
        {"value": GREEN},
    )


def support_chart(supports: Mapping[Support, int]) -> None:
    """What the sentences of answers rest on."""
    rows = [{"support": label, "sentences": supports[one]} for one, label in _SUPPORTS.items()]
    total = sum(supports.values())
    nothing = supports[Support.UNSUPPORTED]
    share = nothing / total if total else 0.0
    bar_chart(
        "What sentences rest on",
        rows,
        f"{counted(nothing, 'sentence')} of {total:,} ({share:.0%}) rest on nothing.",
        "support",
        number_axis("sentences", "Sentences"),
        _colours("support", _SUPPORTS.values(), (BLUE, VIOLET, GREEN, RED)) | {"legend": None},
    )


def _cut(told: str, days: Sequence[DayOfUse]) -> str:
    """What a chart shows in words, with what of the days it leaves out."""
    more = f" The latest {_MOST_DAYS} days of {len(days):,}." if len(days) > _MOST_DAYS else ""
    return f"{told}{more}"


def _days() -> Encoding:
    # Days without a question take no room: a month's pause would press the others together.
    label = {"labelAngle": -40, "labelExpr": "slice(datum.value, 5)"}
    return {"field": "day", "type": "ordinal", "title": "Day (month-day)", "axis": label}


def _colours(field: str, names: Any, colours: Sequence[str]) -> Encoding:
    scale = {"domain": list(names), "range": list(colours)}
    legend = {"orient": "top", "title": None, "columns": 2}
    return {"field": field, "type": "nominal", "scale": scale, "legend": legend}
