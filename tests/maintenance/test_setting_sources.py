"""Where settings come from, and wrong ones by name; never a key."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.maintenance.state.setting_sources import SettingSource, inspect_settings
from core.settings import Settings, load_settings

pytestmark = pytest.mark.usefixtures("isolated")
KEY = "sk-test-0123456789"


def test_every_source_is_told(isolated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (isolated / ".env").write_text("MATERIA_TOP_K=7\nMATERIA_CANDIDATES=50\nNEO4J_USER=anna\n")
    (isolated / ".streamlit").mkdir()
    (isolated / ".streamlit" / "secrets.toml").write_text(
        'OPENAI_API_KEY = "sk-test-0123456789"\n[auth]\na = 1\n'
    )
    monkeypatch.setenv("MATERIA_TOP_K", "9")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)  # as Streamlit puts it there
    settings = load_settings(max_entities=3)
    chosen = settings.model_copy(update={"llm_model": "other"})
    rows = {row.name: row for row in inspect_settings(settings, chosen).rows}
    assert len(rows) == len(Settings.model_fields)
    assert (
        rows["MATERIA_TOP_K"].source is SettingSource.ENVIRONMENT
        and rows["MATERIA_TOP_K"].value == "9"
    )
    assert rows["MATERIA_CANDIDATES"].source is SettingSource.ENV_FILE
    assert rows["MATERIA_NEO4J_USER"].variable == "NEO4J_USER"
    key = rows["MATERIA_LLM_API_KEY"]
    assert (key.source, key.value, key.variable) == (
        SettingSource.STREAMLIT,
        "set",
        "OPENAI_API_KEY",
    )
    assert rows["MATERIA_MAX_ENTITIES"].source is SettingSource.START
    assert rows["MATERIA_LLM_MODEL"].source is SettingSource.PAGE
    assert rows["MATERIA_NEO4J_PASSWORD"].value == "not set"
    assert rows["MATERIA_DENSE_WEIGHT"].source is SettingSource.DEFAULT
    assert KEY not in repr(rows)
    assert rows["MATERIA_TOP_K"].fits("top environment") and not rows["MATERIA_TOP_K"].fits("neo4j")


def test_wrong_values_and_names_are_told_without_their_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MATERIA_TOP_K", KEY)
    monkeypatch.setenv("NEO4J_URI", f"http://{KEY}@host")
    monkeypatch.setenv("MATERIA_TOPK", "5")
    monkeypatch.setenv("MATERIA_CANDIDATES", "50")
    report = inspect_settings()
    assert report.unknown == ("MATERIA_TOPK",)
    wrong = {row.name for row in report.rows if row.problem}
    assert wrong == {"MATERIA_TOP_K", "MATERIA_NEO4J_URI"}
    assert KEY not in repr(report)
    (kept,) = (row for row in report.rows if row.name == "MATERIA_CANDIDATES")
    assert (kept.value, kept.problem) == ("50", "")
