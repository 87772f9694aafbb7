"""Charts: each with a title, units on its axes, and what it shows in words, which screen readers get too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from pages.parts.shared.style import is_dark
from pages.parts.shared.text import plain

# The theme's colours, as marks of a light and of a dark page (.streamlit/config.toml).
BLUE, VIOLET, GREEN, ORANGE, RED = "#2563c9", "#7c3aed", "#0f766e", "#c2680a", "#c62828"
_INK, _DARK_INK = "#566377", "#a3b1c2"  # the theme's grey, which can be read on either
_PIXELS = 280  # height of a chart
_BAR_PIXELS = 26
_LONGEST_LABEL = 190  # pixels beside a bar
Encoding = dict[str, Any]


def chart(
    title: str,
    rows: Sequence[Mapping[str, Any]],
    told: str,
    encoding: Encoding,
    *,
    mark: str | dict[str, Any] = "bar",
    height: int = _PIXELS,
) -> None:
    """One chart.

    Args:
        told: what it shows, in a sentence.
        encoding: Vega-Lite's, of the columns of `rows`.
    """
    ink = _DARK_INK if is_dark() else _INK
    st.markdown(f"**{plain(title)}**")
    st.vega_lite_chart(
        pd.DataFrame(rows),
        {
            "description": f"{title}. {told}",
            "mark": mark if isinstance(mark, dict) else {"type": mark, "tooltip": True},
            "encoding": encoding,
            "config": {
                "axis": {"labelColor": ink, "titleColor": ink},
                "legend": {"labelColor": ink},
            },
        },
        height=height,
        width="stretch",
    )
    st.caption(plain(told))


def bar_chart(
    title: str,
    rows: Sequence[Mapping[str, Any]],
    told: str,
    name: str,
    number: Encoding,
    colour: Encoding,
) -> None:
    """Bars that lie, in the order of the rows; `name` is the column that says what each is."""
    order = [row[name] for row in rows]
    named = {"field": name, "type": "nominal", "sort": order, "title": None}
    chart(
        title,
        rows,
        told,
        {"x": number, "y": named | {"axis": {"labelLimit": _LONGEST_LABEL}}, "color": colour},
        height=70 + _BAR_PIXELS * len(rows),
    )


def number_axis(field: str, title: str, *, whole: bool = True) -> Encoding:
    """An axis of numbers."""
    axis = {"tickMinStep": 1, "format": ",d"} if whole else {"format": ",.1f"}
    return {"field": field, "type": "quantitative", "title": title, "axis": axis}
