"""The charts of usage: each with a title, units on its axes, and what it shows in words beneath it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.conversations.usage import DayOfUse
from core.domain.answers import State, Support
from core.domain.conversations import AnswerSubject
from pages.parts.shared.text import counted, duration, plain, short

STATES = {
    State.ANSWERED: "answered",
    State.MAY_NOT_ANSWER: "closest passages",
    State.NOT_IN_LIBRARY: "refused",
}
_SUPPORTS = {
    Support.DOCUMENT: "a document",
    Support.GRAPH: "the graph",
    Support.BOTH: "both",
    Support.UNSUPPORTED: "nothing",
}
# The colours that these have in an answer (.streamlit/config.toml).
_BLUE, _VIOLET, _GREEN, _ORANGE, _RED = "#2563c9", "#7c3aed", "#0f766e", "#c2680a", "#c62828"
_PIXELS = 280  # height of a chart
_BAR_PIXELS = 26
_MOST_DAYS = 31  # in a chart, the latest; the table has all
_LONGEST = 24  # characters of a name
_Encoding = dict[str, Any]


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
    _chart(
        "Questions a day",
        rows,
        told,
        {
            "x": _days(),
            "y": _number("questions", "Questions"),
            "color": _colours("state", STATES.values(), (_GREEN, _ORANGE, _RED)),
        },
        days,
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
    _chart(
        "Time to the answer",
        rows,
        told,
        {
            "x": _days(),
            "y": _number("seconds", "Seconds", whole=False),
            "color": _colours("of", ("median", "95th percentile"), (_GREEN, _ORANGE)),
        },
        days,
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
    _chart(
        "Tokens of the language model",
        rows,
        told,
        {"x": _days(), "y": _number("tokens", "Tokens"), "color": {"value": _VIOLET}},
        days,
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
    _bars(
        "Asked about most",
        rows,
        f"Most: {first.name}, in {counted(first.answers, 'question')}.",
        "entity",
        _number("questions", "Questions"),
        {"value": _GREEN},
    )


def support_chart(supports: Mapping[Support, int]) -> None:
    """What the sentences of answers rest on."""
    rows = [{"support": label, "sentences": supports[one]} for one, label in _SUPPORTS.items()]
    total = sum(supports.values())
    nothing = supports[Support.UNSUPPORTED]
    share = nothing / total if total else 0.0
    _bars(
        "What sentences rest on",
        rows,
        f"{counted(nothing, 'sentence')} of {total:,} ({share:.0%}) rest on nothing.",
        "support",
        _number("sentences", "Sentences"),
        _colours("support", _SUPPORTS.values(), (_BLUE, _VIOLET, _GREEN, _RED)) | {"legend": None},
    )


def _bars(
    title: str,
    rows: list[dict[str, Any]],
    told: str,
    name: str,
    number: _Encoding,
    colour: _Encoding,
) -> None:
    order = [row[name] for row in rows]
    named = {"field": name, "type": "nominal", "sort": order, "title": None}
    _chart(
        title,
        rows,
        told,
        {"x": number, "y": named | {"axis": {"labelLimit": 190}}, "color": colour},
        height=70 + _BAR_PIXELS * len(rows),
    )


def _chart(
    title: str,
    rows: list[dict[str, Any]],
    told: str,
    encoding: _Encoding,
    days: Sequence[DayOfUse] = (),
    mark: str | dict[str, Any] = "bar",
    height: int = _PIXELS,
) -> None:
    """One chart; screen readers are told what is beneath it."""
    cut = f" The latest {_MOST_DAYS} days of {len(days):,}." if len(days) > _MOST_DAYS else ""
    st.markdown(f"**{title}**")
    st.vega_lite_chart(
        pd.DataFrame(rows),
        {
            "description": f"{title}. {told}{cut}",
            "mark": mark if isinstance(mark, dict) else {"type": mark, "tooltip": True},
            "encoding": encoding,
        },
        height=height,
        width="stretch",
    )
    st.caption(plain(f"{told}{cut}"))


def _days() -> _Encoding:
    # Days without a question take no room: a month's pause would press the others together.
    label = {"labelAngle": -40, "labelExpr": "slice(datum.value, 5)"}
    return {"field": "day", "type": "ordinal", "title": "Day (month-day)", "axis": label}


def _number(field: str, title: str, *, whole: bool = True) -> _Encoding:
    axis = {"tickMinStep": 1, "format": ",d"} if whole else {"format": ",.1f"}
    return {"field": field, "type": "quantitative", "title": title, "axis": axis}


def _colours(field: str, names: Any, colours: Sequence[str]) -> _Encoding:
    scale = {"domain": list(names), "range": list(colours)}
    legend = {"orient": "top", "title": None, "columns": 2}
    return {"field": field, "type": "nominal", "scale": scale, "legend": legend}
