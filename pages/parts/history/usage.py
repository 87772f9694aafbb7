"""How Materia is used: figures, charts and tables, over the answers that the filters leave."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st

from core.conversations.usage import UsageReport, usage_lines
from core.domain.conversations import Rating
from pages.parts.history.usage_charts import (
    STATES,
    entities_chart,
    questions_chart,
    support_chart,
    times_chart,
    tokens_chart,
)
from pages.parts.shared.ratings import ICONS
from pages.parts.shared.text import duration

_FOLD = "history_usage"


def show_usage(count: Callable[[], UsageReport], filtered: bool) -> None:
    """Draw the fold; nothing is counted before it is opened."""
    fold = st.expander("Usage", icon=":material/bar_chart:", key=_FOLD, on_change="rerun")
    if not fold.open:
        return
    with fold:
        report = count()
        if not report.questions:
            st.caption("There is no answer to count.")
            return
        if filtered:
            st.caption(":material/filter_alt: Counted: the answers that the filters above leave.")
        _figures(report)
        with st.container(key="charts_usage"):
            for draw in _charts(report):
                with st.container():
                    draw()
        _tables(report)


def _charts(report: UsageReport) -> list[Callable[[], None]]:
    charts: list[Callable[[], None]] = [
        partial(questions_chart, report.days),
        partial(times_chart, report.days),
        partial(support_chart, report.supports),
    ]
    if report.entities:
        charts.insert(2, partial(entities_chart, report.entities))
    if report.by_model:
        charts.append(partial(tokens_chart, report.days))
    return charts


def _figures(report: UsageReport) -> None:
    up, down = report.ratings[Rating.UP], report.ratings[Rating.DOWN]
    with st.container(horizontal=True):
        st.metric("Questions", f"{report.questions:,}")
        st.metric("Refused", f"{report.refused_share:.0%}")
        st.metric("Ratings", f"{ICONS[Rating.UP]} {up:,}  {ICONS[Rating.DOWN]} {down:,}")
        if report.times is not None:
            st.metric("Time, median", duration(report.times.median))
            st.metric(
                "Time, 95th percentile",
                duration(report.times.p95),
                help="95 of 100 answers took no longer.",
            )
        if report.by_model:
            st.metric(
                "Cost",
                f"${report.cost:,.2f}",
                help="From the tokens that the provider counts and the price in the settings."
                + (f" {report.unpriced:,} answers have no known price." if report.unpriced else ""),
            )


def _tables(report: UsageReport) -> None:
    with st.popover("As tables", icon=":material/table:"):
        rows = pd.DataFrame(usage_lines(report), columns=["What", "How much"])
        st.dataframe(rows, hide_index=True)
        st.dataframe(
            pd.DataFrame(
                {
                    "Day": [one.day for one in report.days],
                    "Questions": [one.questions for one in report.days],
                    **{
                        label.capitalize(): [one.states.get(state, 0) for one in report.days]
                        for state, label in STATES.items()
                    },
                    "Median, s": [round(one.times.median, 2) for one in report.days],
                    "95th percentile, s": [round(one.times.p95, 2) for one in report.days],
                    "Tokens": [one.tokens for one in report.days],
                    "Cost, $": [round(one.cost, 4) for one in report.days],
                }
            ),
            hide_index=True,
        )
