"""Every setting with its value and where it comes from."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.maintenance.state.setting_sources import SettingRow, SettingSource, inspect_settings
from pages.parts.shared.state import workspace
from pages.parts.shared.text import counted, plain

_VALUE_PIXELS, _DEFAULT_PIXELS = (
    210,
    110,
)  # room for a path; left alone, columns fit their first rows


def settings_table() -> None:
    """The settings that a search leaves, those that somebody set first."""
    report = inspect_settings(workspace().settings, workspace().models.settings)
    st.caption(
        "Set them in the environment or in .env, then restart. Of keys and passwords only whether they are "
        "set is shown. Also: python -m core settings"
    )
    for name in report.unknown:
        st.warning(f"{plain(name)} is no setting.", icon=":material/help:")
    search = st.text_input(
        "Search the settings", key="settings_search", placeholder="neo4j, seconds, environment ..."
    )
    rows = [row for row in report.rows if row.fits(search)]
    changed = sum(row.source is not SettingSource.DEFAULT for row in report.rows)
    st.caption(f"{counted(len(rows), 'setting')}; those that somebody set ({changed}) come first.")
    rows.sort(key=lambda row: row.source is SettingSource.DEFAULT)
    st.dataframe(
        pd.DataFrame([_row(row) for row in rows]),
        hide_index=True,
        column_config={
            "Value": st.column_config.TextColumn(width=_VALUE_PIXELS),
            "Default": st.column_config.TextColumn(width=_DEFAULT_PIXELS),
        },
    )


def _row(row: SettingRow) -> dict[str, str]:
    named = f"{row.source} ({row.variable})" if row.variable not in ("", row.name) else row.source
    return {
        "Setting": row.name,
        "Value": row.value,
        "Comes from": str(named),
        "Default": row.default,
        "Meaning": row.meaning,
    }
